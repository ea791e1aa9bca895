// Grains that leave during a run.
#pragma once
#include <string>
#include <vector>

#include "cairn/run/region.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

class Removals {
 public:
  explicit Removals(const Scenario& scenario);

  // Whether a grain stands in a region that is due: rank 0 asks, and the others look in the region that it names.
  bool takes(const World& world, Real early) const;
  bool holds_any(const World& world, int removal) const;
  // Takes away what stands in a region that is due by now, with `early` [s] to spare. A grain in several is counted by
  // the first.
  void apply(World& world, Real early, Real velocity_lag);
  std::size_t size() const { return all_.size(); }
  const std::string& name(std::size_t k) const { return all_[k].spec.name; }
  std::int64_t grains(std::size_t k) const { return all_[k].grains; }  // taken so far
  Real mass(std::size_t k) const { return all_[k].mass; }              // [kg] taken so far

  template <class Archive>
  void for_each_saved(Archive&& a) {
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const std::string name = "removal" + std::to_string(k);
      a.value(name + ".grains", all_[k].grains);
      a.value(name + ".mass", all_[k].mass);
      a.value(name + ".next", all_[k].next);
    }
  }

 private:
  struct Removal {
    RemovalSpec spec;
    Region region;
    std::int64_t grains = 0, next = 0;  // next: in intervals since `from`
    Real mass = 0;
  };
  static bool due(const Removal& removal, Real time);

  std::vector<Removal> all_;
};

}  // namespace cairn
