#include "cairn/io/contact_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cairn/contact/head_on.hpp"
#include "cairn/core/text.hpp"

namespace cairn {

void LightestGrains::look(int material, const Grain& grain) {
  std::vector<Grain>& two = of_[static_cast<std::size_t>(material)];
  two.push_back(grain);
  std::sort(two.begin(), two.end());
  if (two.size() > 2) two.pop_back();
}

std::vector<ContactSummary> contact_summary(const World& world, const Scenario& scenario,
                                            std::span<const GrainData> coming) {
  const int materials = world.settings().materials;
  LightestGrains lightest(materials);
  const Particles& grains = world.grains();
  for (int i = 0; i < world.size(); ++i) lightest.look(grains.material[i], {grains.mass[i], grains.radius[i]});
  for (const GrainData& g : coming) lightest.look(g.material, {g.mass, g.radius});
  std::set<int> of_walls;
  for (const Surface& s : world.settings().surfaces) of_walls.insert(s.material);

  std::vector<ContactSummary> all;
  std::visit(
      [&](const auto& laws) {
        const auto add = [&](int i, int j, bool wall, Real m_eff, Real r_eff) {
          const auto& law = laws[i * materials + j];
          const HeadOn hit = head_on(law, m_eff, r_eff, summary_speed);
          Touch<Real> deepest{};
          deepest.n = {1, 0, 0}, deepest.overlap = hit.deepest, deepest.m_eff = m_eff, deepest.r_eff = r_eff;
          deepest.onset_speed = summary_speed;
          all.push_back({scenario.materials[i].name,
                         (wall ? "wall of " : "") + scenario.materials[j].name,
                         law.push(deepest, {}).fn / hit.deepest,
                         hit.restitution,
                         law.friction,
                         hit.duration,
                         {std::vector{law}, m_eff, r_eff, summary_speed}});
        };
        for (int i = 0; i < materials; ++i) {
          if (lightest.of(i).empty()) continue;
          const LightestGrains::Grain& a = lightest.of(i)[0];
          for (int j = i; j < materials; ++j) {
            if (lightest.of(j).size() < (i == j ? 2u : 1u)) continue;
            const LightestGrains::Grain& b = lightest.of(j)[i == j];
            add(i, j, false, a.mass * b.mass / (a.mass + b.mass), a.radius * b.radius / (a.radius + b.radius));
          }
          for (const int j : of_walls) add(i, j, true, a.mass, a.radius);
        }
      },
      world.settings().laws);
  return all;
}

std::optional<ShortestCollision> shortest_collision(const Simulation& simulation) {
  if (simulation.scheme().claims.adaptive) return {};
  const Real h = simulation.scenario().step;
  const std::vector<ContactSummary> all =
      contact_summary(simulation.world(), simulation.scenario(), simulation.emitters().lightest());
  const ContactSummary* shortest = nullptr;
  for (const ContactSummary& c : all)
    if (c.restitution > 0 && (shortest == nullptr || c.duration < shortest->duration)) shortest = &c;
  if (shortest == nullptr) return {};
  return ShortestCollision{shortest->first, shortest->second, shortest->restitution, shortest->duration / h,
                           restitution_error(shortest->collision, simulation.scheme(), h)};
}

constexpr Real fewest_resolved = 2;  // [-] steps: of RestitutionError

std::string in_words(const ShortestCollision& s, bool onset) {
  const std::string words =
      fmt::format("a head-on collision of {} with {} at {} m/s takes {} steps", s.first, s.second, brief(summary_speed),
                  s.steps < 1000 ? fmt::format("{:.3g}", s.steps) : fmt::format("{:.0f}", s.steps));
  const RestitutionError& error = s.error;
  const bool bound = error.steps < 0.999 * s.steps;
  if (std::isnan(error.onset_off) && std::isnan(error.onset_on))
    return words +
           (s.steps < fewest_resolved ? ", too few to resolve it: lower run.step"
            : bound ? fmt::format("; the error of its restitution {:.3g} is not known: with {:.3g} steps, where it is "
                                  "measured, the scheme does not carry the collision out, as where a dashpot is too "
                                  "strong for it",
                                  s.restitution, error.steps)
                    : "; the scheme does not carry it out at this step, as where a dashpot is too strong for it: "
                      "lower run.step");
  const auto percent = [&](Real a) {
    constexpr Real least = 1e-9;  // nearer the exact one is not known: head_on() has errors of 1e-10
    if (std::isnan(a)) return std::string("not resolved");
    if (a < least) return fmt::format("below {} %", brief(100 * least));
    const char* below = bound ? "below " : "";
    if (a > 1)
      return fmt::format("{}{} times the restitution itself", below,
                         a < 10 ? fmt::format("{:.2g}", a) : fmt::format("{:.0f}", a));
    const std::string number = a < 0.1 ? fmt::format("{:.2g}", 100 * a) : fmt::format("{:.0f}", 100 * a);
    return below + number + " %";
  };
  return words + fmt::format("; expected error of its restitution {:.3g}: {} (onset off{}), {} (onset on{})",
                             s.restitution, percent(error.onset_off), onset ? "" : ", as here", percent(error.onset_on),
                             onset ? ", as here" : "");
}

}  // namespace cairn
