#include "cairn/io/contact_summary.hpp"

#include <algorithm>
#include <set>

#include "cairn/contact/head_on.hpp"

namespace cairn {

std::vector<ContactSummary> contact_summary(const World& world, const Scenario& scenario) {
  const Particles& grains = world.grains();
  const int materials = world.settings().materials;
  std::vector<std::vector<int>> lightest(static_cast<std::size_t>(materials));  // two of each
  for (int i = 0; i < world.size(); ++i) {
    auto& two = lightest[grains.material[i]];
    two.push_back(i);
    std::sort(two.begin(), two.end(), [&](int a, int b) {
      return std::pair(grains.mass[a], grains.id[a]) < std::pair(grains.mass[b], grains.id[b]);
    });
    if (two.size() > 2) two.pop_back();
  }
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
          const int a = lightest[i][0];
          for (int j = i; j < materials; ++j) {
            if (lightest[j].size() < (i == j ? 2u : 1u)) continue;
            const int b = lightest[j][i == j];
            add(i, j, false, grains.mass[a] * grains.mass[b] / (grains.mass[a] + grains.mass[b]),
                grains.radius[a] * grains.radius[b] / (grains.radius[a] + grains.radius[b]));
          }
          for (const int j : of_walls) add(i, j, true, grains.mass[a], grains.radius[a]);
        }
      },
      world.settings().laws);
  return all;
}

}  // namespace cairn
