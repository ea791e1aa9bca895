#include "cairn/run/ledger_split.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "cairn/core/error.hpp"
#include "cairn/core/reproducible_sum.hpp"

namespace cairn {
namespace {

std::size_t pairs_of(std::size_t materials) {
  return materials * (materials + 1) / 2;
}
std::size_t pair_of(std::size_t a, std::size_t b) {  // (0,0), (0,1), (1,1), (0,2), ...
  const auto [low, high] = std::minmax(a, b);
  return high * (high + 1) / 2 + low;
}

// In few reductions.
void add_of_all(const Domain& domain, std::span<ReproducibleSum> sums) {
  constexpr std::size_t together = 16;
  for (std::size_t at = 0; domain.apart() && at < sums.size(); at += together) {
    const auto part = sums.subspan(at, std::min(together, sums.size() - at));
    std::array<ReproducibleSum, together> some;
    std::copy(part.begin(), part.end(), some.begin());
    domain.reduce(some, [](auto& into, const auto& other) {
      for (std::size_t k = 0; k < together; ++k) into[k].add(other[k]);
    });
    std::copy_n(some.begin(), part.size(), part.begin());
  }
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
  std::vector<ReproducibleSum> powers(values_.size());  // [W]
  const ContactScene scene = world.scene();
  const State& y = world.state();
  scene.each_closed(y, [&](int slot, int i, int j, const auto& law, const ContactGeometry<Real>& m) {
    if (!scene.counts(slot)) return;
    const std::vector<int>& material = scene.grains.material;
    const std::size_t part =
        j >= 0 ? pair_of(static_cast<std::size_t>(material[i]), static_cast<std::size_t>(material[j]))
               : pairs + static_cast<std::size_t>(settings.surfaces[scene.wall_pair(slot).surface].wall);
    const Vector xi = y.bond.at(BondRow::xi, slot);
    const ContactForce<Real> of = law.force(m.kinematics, xi);
    ReproducibleSum* const to = &powers[part * count];
    to[0].add(of.power.dashpot), to[2].add(of.power.clip);
    // Springs have returned to their limit, so what slips no longer shows in the power: friction does the work. The
    // limit was that of the velocity at which the scheme asked for the force, and is now a little different.
    if (norm(xi) >= 0.98 * of.limit) to[1].add(std::fabs(dot(of.ft, m.kinematics.vt)));
  });
  add_of_all(scene.domain, powers);
  std::vector<Real> power;
  for (const ReproducibleSum& sum : powers) power.push_back(sum.value());
  const LedgerChannels now = world.energy_ledger(energies_of(scene, y));  // no question: all ranks are here
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
