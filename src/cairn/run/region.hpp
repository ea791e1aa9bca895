// Where grains may stand, or may not stay.
#pragma once
#include <string>

#include "cairn/run/scenario.hpp"

namespace cairn {

class Region {
 public:
  // `owner` is named in errors.
  Region(const RegionSpec& spec, int dimension, const std::string& owner);

  // Whether a grain is wholly inside; with r = 0 whether its centre is.
  bool holds(const Vector& x, Real r) const;
  // Bounds for the centre of a grain of this radius; a direction the space does not have is a point. Not of
  // half-spaces.
  Vector low(Real r) const { return low_ + inset(r); }
  Vector high(Real r) const { return high_ - inset(r); }
  bool has_room(Real r) const { return holds(0.5 * (low_ + high_), r); }

 private:
  Vector inset(Real r) const { return {dimension_ >= 2 ? r : 0, dimension_ == 3 ? r : 0, r}; }

  RegionSpec spec_;  // directions are unit vectors
  int dimension_;
  Vector low_, high_;
};

}  // namespace cairn
