// Grains that come during a run. When and where depends on the scenario, the state and counters of random numbers
// alone, so not on threads or restarts.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/run/free_space.hpp"
#include "cairn/run/region.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/run/sizes.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

class Emitters {
 public:
  // Error(bad_input) where more grains are asked for than can be counted.
  explicit Emitters(const Scenario& scenario);
  // Checks the emitters and tabulates their sizes; before all that follows, after a restart too.
  void prepare(const Scenario& scenario);
  // Turns emitters on and off as the scenario has them from `time` [s] on.
  void turn(const Scenario& scenario, Real time);
  // After loading: which are on is the scenario's business.
  void restore(const Scenario& scenario);

  // Inserts what is due by now, with `early` [s] to spare, where there is room for it. `gather` is called before rank 0
  // must have all grains: to insert one, or to know the highest.
  void emit(
      World& world, Real early, Real velocity_lag, const std::function<void()>& gather = [] {});
  // Grains that may be in the way of one of a radius up to `largest` in a box: rank 0 gets those of all ranks when it
  // asks.
  struct WayLook {
    Vector middle{}, half{};  // [m]
    Real largest = 0;         // [m]
  };
  using Balls = std::vector<std::pair<Vector, Real>>;  // centres and radii
  static Balls in_the_way(const World& world, const WayLook& look);
  // [s] of the first emission after `time`; infinity if none will come. Grains that wait are not counted.
  Real next_after(Real time) const;
  std::size_t size() const { return specs_.size(); }
  const EmitterSpec& spec(std::size_t emitter) const { return specs_[emitter]; }
  std::int64_t emitted(std::size_t emitter) const { return emitted_[emitter]; }
  std::int64_t waiting(std::size_t emitter, Real time) const;  // due by then, but without room so far
  std::string report(Real time) const;                         // of those who wait; empty: nobody
  // Two of the lightest grains each emitter may send.
  std::vector<GrainData> lightest() const;

  template <class Archive>
  void for_each_saved(Archive&& a) {
    for (std::size_t k = 0; k < specs_.size(); ++k) {
      const std::string name = "emitter" + std::to_string(k);
      a.value(name, emitted_[k]);
      a.value(name + ".off", off_[k]);
      if (!specs_[k].sizes || specs_[k].sizes->kind != SizeSpec::Kind::table) continue;
      a.vector(name + ".radii", specs_[k].sizes->radii);  // their file may be another by now
      a.vector(name + ".passing", specs_[k].sizes->passing);
    }
  }

 private:
  struct Source {
    Region region;
    Sizes sizes;
    std::uint64_t key;  // of its random numbers
    int material;
    Real density;  // [kg/m^3]
  };

  GrainData grain(std::size_t emitter, Real radius) const;
  Real time_of(std::size_t emitter, std::int64_t grain) const;  // [s]
  bool place(std::size_t emitter, const World& world, std::span<const GrainData> added, const FreeSpace& free,
             GrainData& grain) const;
  FreeSpace obstacles(std::size_t emitter, const World& world, std::span<const GrainData> added) const;

  std::vector<EmitterSpec> specs_;
  std::vector<Source> sources_;
  std::vector<std::int64_t> emitted_;
  struct Off {
    Real total = 0, since = 0;  // [s] how long it was off until it was last on; when it was last turned off
  };
  std::vector<Off> off_;
};

}  // namespace cairn
