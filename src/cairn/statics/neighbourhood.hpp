// The surroundings of one grain, as a small World of its own in which all others stay. A grain that rolls takes tens of
// thousands of steps to its place; here they cost almost nothing.
#pragma once
#include <optional>
#include <vector>

#include "cairn/statics/static_system.hpp"

namespace cairn::statics {

class Neighbourhood {
 public:
  // The grains within `radius` [m] of the one of this node of the whole are free; those that they may touch are there,
  // too, and are held, as are all walls.
  Neighbourhood(const StaticSystem& whole, int node, Real radius);
  Neighbourhood(const Neighbourhood&) = delete;
  Neighbourhood& operator=(const Neighbourhood&) = delete;

  StaticSystem& system() { return *system_; }
  // [m] How far the free grains may go without a contact that is missing here, and the farthest that one went.
  Real room() const { return room_; }
  Real farthest() const;
  // The whole gets the places of the free grains, and their springs.
  void give_back(StaticSystem& whole) const;

 private:
  std::vector<std::int64_t> ids_;  // in the whole, ascending; here grains count from 0 in the same order
  Real room_;
  std::optional<World> world_;
  std::optional<StaticSystem> system_;
  std::vector<Vector> began_;  // [m] where each grain was, by its id here
};

}  // namespace cairn::statics
