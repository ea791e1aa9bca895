#include "cairn/run/region.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/run/build.hpp"

namespace cairn {

Region::Region(const RegionSpec& spec, int dimension, const std::string& owner)
    : spec_(spec), dimension_(dimension), low_(spec.low), high_(spec.high) {
  if (spec.kind == RegionSpec::Kind::cylinder) {
    spec_.axis = unit(spec.axis, owner + ": axis");
    const auto extent = [&](Real a) {
      return 0.5 * spec.length * std::fabs(a) + spec.radius * std::sqrt(std::max(0.0, 1 - a * a));
    };
    const Vector reach{extent(spec_.axis.x), extent(spec_.axis.y), extent(spec_.axis.z)};
    low_ = spec.centre - reach, high_ = spec.centre + reach;
  } else if (spec.kind == RegionSpec::Kind::half_space) {
    spec_.normal = unit(spec.normal, owner + ": normal");
  }
  if (dimension_ < 3) low_.y = high_.y = 0;
  if (dimension_ < 2) low_.x = high_.x = 0;
}

bool Region::holds(const Vector& x, Real r) const {
  if (spec_.kind == RegionSpec::Kind::half_space) return dot(x - spec_.point, spec_.normal) + r <= 0;
  const Vector a = low(r), b = high(r);
  // Written so that a grain that is nowhere (NaN) is not inside.
  const bool in_box = x.x >= a.x && x.y >= a.y && x.z >= a.z && x.x <= b.x && x.y <= b.y && x.z <= b.z;
  if (!in_box || spec_.kind != RegionSpec::Kind::cylinder) return in_box;
  const Vector d = x - spec_.centre;
  const Real along = dot(d, spec_.axis);
  return norm(d - along * spec_.axis) + r <= spec_.radius &&
         (dimension_ < 3 || std::fabs(along) + r <= 0.5 * spec_.length);
}

}  // namespace cairn
