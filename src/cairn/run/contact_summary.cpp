#include "cairn/run/contact_summary.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "cairn/contact/head_on.hpp"

namespace cairn {

namespace {

// Two materials, of which grains or a grain and a wall can meet.
struct Meetable {
  int first, second;
  bool wall;
  Real m_eff, r_eff;  // [kg] [m] of the lightest
  Real duration = 0;  // [s] of a collision, roughly where the law has no closed form
};

template <class Law>
Real rough_duration(const Law& law, Real m_eff, Real r_eff) {
  constexpr Real elastic = 2.94;  // [-] duration times speed over overlap, of Hertz's contact; a linear one has pi
  if constexpr (requires { law.closed_form(m_eff, r_eff, summary_speed); }) {
    const HeadOn hit = law.closed_form(m_eff, r_eff, summary_speed);
    return std::isnan(hit.duration) ? elastic * hit.deepest / summary_speed : hit.duration;
  } else {
    ContactKinematics<Real> c{};
    c.n = {1, 0, 0}, c.m_eff = m_eff, c.r_eff = r_eff, c.onset_speed = summary_speed;
    Real least = 1e-12 * r_eff, most = r_eff;
    while (most > 1.001 * least) {
      c.overlap = std::sqrt(least * most);
      (law.elastic_energy(c, Vector{}) >= 0.5 * m_eff * summary_speed * summary_speed ? most : least) = c.overlap;
    }
    return elastic * most / summary_speed;
  }
}

}  // namespace

ContactSummaries contact_summary(const World& world, const Scenario& scenario, std::span<const GrainData> coming) {
  if (world.settings().hard) return {};
  const int materials = world.settings().materials;
  LightestGrains lightest = world.lightest();
  for (const GrainData& g : coming) lightest.look(g.material, {g.mass, g.radius});
  std::set<int> of_walls;
  for (const Surface& s : world.settings().surfaces) of_walls.insert(s.material);

  std::vector<Meetable> pairs;
  for (int i = 0; i < materials; ++i) {
    if (lightest.of(i).empty()) continue;
    const LightestGrains::Grain& a = lightest.of(i)[0];
    for (int j = i; j < materials; ++j) {
      if (lightest.of(j).size() < (i == j ? 2u : 1u)) continue;
      const LightestGrains::Grain& b = lightest.of(j)[i == j];
      pairs.push_back({i, j, false, effective_of(a.mass, b.mass), effective_of(a.radius, b.radius)});
    }
    for (const int j : of_walls) pairs.push_back({i, j, true, a.mass, a.radius});
  }

  ContactSummaries all;
  all.pairs = std::ssize(pairs);
  std::visit(
      [&](const auto& laws) {
        const auto law_of = [&](const Meetable& p) -> const auto& {
          return laws[p.first * materials + p.second];
        };
        if (pairs.size() > most_summaries) {
          for (Meetable& p : pairs) p.duration = rough_duration(law_of(p), p.m_eff, p.r_eff);
          const auto place = [](const Meetable& p) { return std::tuple(p.first, p.wall, p.second); };
          std::nth_element(pairs.begin(), pairs.begin() + most_summaries, pairs.end(),
                           [&](const Meetable& a, const Meetable& b) {
                             return a.duration != b.duration ? a.duration < b.duration : place(a) < place(b);
                           });
          pairs.resize(most_summaries);
          std::sort(pairs.begin(), pairs.end(),
                    [&](const Meetable& a, const Meetable& b) { return place(a) < place(b); });
        }
        for (const Meetable& p : pairs) {
          const auto& law = law_of(p);
          const HeadOn hit = head_on(law, p.m_eff, p.r_eff, summary_speed);
          ContactKinematics<Real> deepest{};
          deepest.n = {1, 0, 0}, deepest.overlap = hit.deepest, deepest.m_eff = p.m_eff, deepest.r_eff = p.r_eff;
          deepest.onset_speed = summary_speed;
          all.shortest.push_back({scenario.materials[p.first].name,
                                  (p.wall ? "wall of " : "") + scenario.materials[p.second].name,
                                  law.force(deepest, {}).fn / hit.deepest,
                                  hit.restitution,
                                  law.friction,
                                  hit.duration,
                                  {std::vector{law}, p.m_eff, p.r_eff, summary_speed}});
        }
      },
      world.settings().laws);
  return all;
}

std::optional<ShortestCollision> shortest_collision(const Simulation& simulation) {
  if (simulation.scheme().claims.adaptive) return {};
  const Real h = simulation.scenario().step;
  const ContactSummaries all =
      contact_summary(simulation.world(), simulation.scenario(), simulation.emitters().lightest());
  const ContactSummary* shortest = nullptr;
  for (const ContactSummary& c : all.shortest)
    if (c.restitution > 0 && (shortest == nullptr || c.duration < shortest->duration)) shortest = &c;
  if (shortest == nullptr) return {};
  return ShortestCollision{shortest->first, shortest->second, shortest->restitution, shortest->duration / h,
                           restitution_error(shortest->collision, simulation.scheme(), h)};
}

}  // namespace cairn
