#include "cairn/analysis/stable_region.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {

const std::vector<StableRegion::Ray>& StableRegion::rays() const {
  std::call_once(once_, [&] {
    for (const Real zeta : {0.0,  0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4,  0.5,  0.6,  0.7,
                            0.85, 1.0,  1.2,  1.5,  2.0, 3.0, 5.0, 10.0, 30.0, 100.0})
      rays_.push_back({zeta, zeta == 0 ? limit_(0) : rough_(zeta)});
  });
  return rays_;
}

// The rectangle [0, h^2 stiffness] x [0, h damping] grows with h. A point of it is an oscillator of one zeta, whose
// first unstable step is known. Of one zeta the fastest oscillator limits the step: up to the zeta of the corner the
// one with the greatest omega, beyond it the one with the greatest c / m.
Real StableRegion::step(Real stiffness, Real damping) const {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  constexpr Real strongest = 100;  // [-] zeta; beyond, h c / m is what counts
  const Real undamped = limit_(0);
  if (std::isinf(undamped) || !(stiffness > 0 || damping > 0)) return infinity;
  const Real omega = std::sqrt(stiffness);
  if (!(damping > 0)) return undamped / omega;
  const Real corner = stiffness > 0 ? damping / (2 * omega) : infinity;
  Real least = infinity;
  const auto take = [&](const Ray& ray) {
    const Real fastest = ray.zeta < corner && ray.zeta < strongest ? omega : damping / (2 * ray.zeta);
    // A weakly unstable scheme has no limit for modes with little damping; it says so itself.
    if (fastest > 0 && !(undamped == 0 && ray.zeta < std::min(corner, strongest)))
      least = std::min(least, ray.limit / fastest);
  };
  for (const Ray& ray : rays()) take(ray);
  // The grid is rough: where it says no less than the corner, the corner is exact.
  const Real grid = least;
  least = infinity;
  const Real exact = std::min(corner, strongest);
  take({exact, limit_(exact)});
  constexpr Real rough = 1e-3;
  return grid < (1 - rough) * least ? grid : least;
}

}  // namespace cairn
