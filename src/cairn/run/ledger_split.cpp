#include "cairn/run/ledger_split.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/core/error.hpp"

namespace cairn {
namespace {

std::size_t pairs_of(std::size_t materials) {
  return materials * (materials + 1) / 2;
}
std::size_t pair_of(std::size_t a, std::size_t b) {  // (0,0), (0,1), (1,1), (0,2), ...
  const auto [low, high] = std::minmax(a, b);
  return high * (high + 1) / 2 + low;
}

}  // namespace

std::vector<std::string> LedgerSplit::parts(const Scenario& scenario) {
  if (std::ssize(scenario.materials) > most_materials)
    throw Error(Exit::bad_input, "output.ledger_split: found " + std::to_string(scenario.materials.size()) +
                                     " materials; expected at most " + std::to_string(most_materials));
  std::vector<std::string> all;
  for (std::size_t high = 0; high < scenario.materials.size(); ++high)
    for (std::size_t low = 0; low <= high; ++low)
      all.push_back("pair_" + scenario.materials[low].name + "_" + scenario.materials[high].name);
  for (const WallSpec& wall : scenario.walls) all.push_back("wall_" + wall.name);
  return all;
}

void LedgerSplit::after_step(const World& world) {
  const WorldSettings& settings = world.settings();
  const auto materials = static_cast<std::size_t>(settings.materials);
  const std::size_t pairs = pairs_of(materials), count = channels.size();
  values_.resize((pairs + settings.walls.size()) * count);
  std::vector<Real> power(values_.size());  // [W]
  const ContactScene scene = world.scene();
  const State& y = world.state();
  scene.each_closed(y, [&](int slot, int i, int j, const auto& law, const ContactGeometry<Real>& m) {
    const std::vector<int>& material = scene.grains.material;
    const std::size_t part =
        j >= 0 ? pair_of(static_cast<std::size_t>(material[i]), static_cast<std::size_t>(material[j]))
               : pairs + static_cast<std::size_t>(settings.surfaces[scene.wall_pair(slot).surface].wall);
    const Vector xi = y.bond.at(BondRow::xi, slot);
    const ContactForce<Real> of = law.force(m.kinematics, xi);
    Real* const to = &power[part * count];
    to[0] += of.power.dashpot, to[2] += of.power.clip;
    // Springs have returned to their limit, so what slips no longer shows in the power: friction does the work. The
    // limit was that of the velocity at which the scheme asked for the force, and is now a little different.
    if (norm(xi) >= 0.98 * of.limit) to[1] += std::fabs(dot(of.ft, m.kinematics.vt));
  });
  const LedgerChannels now = world.energy_ledger();
  for (std::size_t c = 0; c < count; ++c) {
    Real whole = 0;
    for (std::size_t part = c; part < power.size(); part += count) whole += power[part];
    if (!(whole > 0)) continue;
    const Real booked = now[channels[c]] - before_[channels[c]];
    for (std::size_t part = c; part < power.size(); part += count) values_[part] += booked * (power[part] / whole);
  }
  before_ = now;
}

}  // namespace cairn
