// The grains as bodies: their constants, and the passes that move all of them. Knows neither contacts nor laws.
#pragma once
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "cairn/core/bytes.hpp"
#include "cairn/state/particles.hpp"
#include "cairn/state/state.hpp"
#include "cairn/world/grain_pass.hpp"
#include "cairn/world/settings.hpp"

namespace cairn {

class Bodies {
 public:
  const Particles& grains() const { return grains_; }
  int size() const { return grains_.size(); }
  Real smallest_radius() const { return smallest_radius_; }  // [m]; 0: there are no grains
  Real one_radius() const { return smallest_radius_ == largest_radius_ ? smallest_radius_ : 0; }  // [m]; 0: they differ
  // Indices by ascending id, for sums that must not depend on the order of the arrays.
  const std::vector<int>& by_id() const;
  std::int64_t next_id() const { return next_id_; }  // above all there are

  // Error(bad_input) where one of these grains is impossible.
  static void check(std::span<const GrainData> added, const WorldSettings& settings);
  // Appends checked grains, with their positions, velocities and spins in y; ids follow in order.
  void insert(std::span<const GrainData> added, const WorldSettings& settings, State& y);
  // Entry i becomes the old entry order[i]; entries left out are gone.
  void rearrange(std::span<const int> order, int threads);
  // For migration between ranks (migration.hpp): write() packs the constants of grain i, append() adds a grain from
  // such a message, and rearrange_apart() puts all into a new order: that of copies below, of which the last `fill` are
  // no grains, of own grains, the first `copied` of which other ranks copy, and of copies above.
  void write(int i, ByteWriter& to) const;
  void append(ByteReader& from);
  void reserve(int size);  // room for so many grains
  struct Places {
    int copies_below, fill, copied, copies_above;
  };
  void rearrange_apart(std::span<const int> order, const Places& places, int threads);

  // v += kick a, then x += drift v, of all grains; sees what scan() tells.
  void kick_drift(const KickDrift& how, const WorldSettings& settings);
  // A larger pass that kicks its blocks itself makes room for the scans of so many.
  void scan_blocks(int blocks) {
    scans_.resize(std::max(1, blocks));
    for (GrainScan& of : scans_) of.clear();
  }
  GrainScan& scan_of(int block) { return scans_[block]; }
  GrainScan scan() const;  // of all blocks of the last of these passes

  // Grains that left the periodic cell return to it, and images count the periods. The positions alone decide. Looks at
  // the blocks that kick_drift() has seen a grain leave, and where may_be_outside() was told so at all grains.
  void wrap(State& y, const WorldSettings& settings);
  // Call it with true where something else than kick_drift() may have moved grains out of the cell.
  void may_be_outside(bool anywhere) { anywhere_ = anywhere_ || anywhere; }
  bool may_be_outside() const { return anywhere_ || !left_.empty(); }

  // The part that ranks share.
  template <class Archive>
  void for_each_shared(Archive&& a) {
    a.value("next_id", next_id_);
    a.value("smallest_radius", smallest_radius_);
  }
  template <class Archive>
  void for_each_saved(Archive&& a) {
    grains_.for_each_field([&](const char* name, auto& field) { a.vector(std::string("grains.") + name, field); });
    for_each_shared(a);
    for (const Real radius : grains_.radius) see_radius(radius);  // of grains that were loaded
  }

 private:
  void see_radius(Real radius) {
    smallest_radius_ = smallest_radius_ > 0 ? std::min(smallest_radius_, radius) : radius;
    largest_radius_ = std::max(largest_radius_, radius);
  }

  Particles grains_;
  std::int64_t next_id_ = 0;
  Real smallest_radius_ = 0, largest_radius_ = 0;  // [m]
  mutable std::vector<int> by_id_;                 // empty: unknown
  std::vector<GrainScan> scans_;                   // of the blocks of the last pass
  std::vector<int> left_;                          // blocks of kick_drift() that a grain has left since wrap()
  bool anywhere_ = false;
};

}  // namespace cairn
