#include "cairn/io/contact_summary.hpp"

#include <algorithm>
#include <compare>
#include <set>

#include "cairn/contact/head_on.hpp"

namespace cairn {

std::vector<ContactSummary> contact_summary(const World& world, const Scenario& scenario,
                                            std::span<const GrainData> coming) {
  const int materials = world.settings().materials;
  struct Grain {
    Real mass, radius;  // [kg] [m]
    auto operator<=>(const Grain&) const = default;
  };
  std::vector<std::vector<Grain>> lightest(static_cast<std::size_t>(materials));  // two of each
  const auto look = [&](int material, const Grain& grain) {
    auto& two = lightest[material];
    two.push_back(grain);
    std::sort(two.begin(), two.end());
    if (two.size() > 2) two.pop_back();
  };
  const Particles& grains = world.grains();
  for (int i = 0; i < world.size(); ++i) look(grains.material[i], {grains.mass[i], grains.radius[i]});
  for (const GrainData& g : coming) look(g.material, {g.mass, g.radius});
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
          all.push_back({scenario.materials[i].name, (wall ? "wall of " : "") + scenario.materials[j].name,
                         law.push(deepest, {}).fn / hit.deepest, hit.restitution, law.friction, hit.duration});
        };
        for (int i = 0; i < materials; ++i) {
          if (lightest[i].empty()) continue;
          const Grain& a = lightest[i][0];
          for (int j = i; j < materials; ++j) {
            if (lightest[j].size() < (i == j ? 2u : 1u)) continue;
            const Grain& b = lightest[j][i == j];
            add(i, j, false, a.mass * b.mass / (a.mass + b.mass), a.radius * b.radius / (a.radius + b.radius));
          }
          for (const int j : of_walls) add(i, j, true, a.mass, a.radius);
        }
      },
      world.settings().laws);
  return all;
}

}  // namespace cairn
