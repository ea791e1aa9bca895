// Where the energy went: channels of the ledger by pair of materials, for contacts of grains, and by wall, for contacts
// with walls. What the ledger books in a step is divided in proportion to the powers of the contacts at the step's end,
// so that the parts add up to the ledger, whatever the scheme. What it books while no contact has such a power, of
// contacts that ended within the step, belongs to no part. The powers are reproducible sums, of all ranks.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "cairn/run/scenario.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

class LedgerSplit {
 public:
  static constexpr std::array channels{Channel::dashpot, Channel::slip, Channel::clip};
  static constexpr int most_materials = 20;

  // "pair_glass_steel", "wall_floor": materials in the order of the scenario, then walls. Error(bad_input) for too
  // many.
  static std::vector<std::string> parts(const Scenario& scenario);

  // After a step, velocities at the time of the positions; by all ranks.
  void after_step(const World& world);
  // [J] of part number `part` so far.
  Real value(std::size_t part, std::size_t channel) const {
    return values_.empty() ? 0 : values_[part * channels.size() + channel];
  }

  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.vector("ledger_split.values", values_);
    a.value("ledger_split.before", before_);
  }

 private:
  std::vector<Real> values_;  // [J] by part, by channel
  LedgerChannels before_{};   // [J] the ledger after the last step
};

}  // namespace cairn
