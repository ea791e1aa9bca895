// The steps at which a scheme is stable on every oscillator with omega^2 <= stiffness and c / m <= damping: the largest
// eigenvalues of a whole contact network in place of one contact's numbers. For a scheme with one force evaluation per
// step no mode of the network then grows (docs/decisions/0017); for others it is a forecast.
#pragma once
#include <functional>
#include <mutex>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

class StableRegion {
 public:
  using Limit = std::function<Real(Real zeta)>;  // of h omega [-], as stability_limit()

  // `rough` is asked on a grid of zeta, once and not before it is needed; `limit` at the zeta that matters.
  StableRegion(Limit limit, Limit rough) : limit_(std::move(limit)), rough_(std::move(rough)) {}

  // [s] from the greatest omega^2 [1/s^2] and the greatest c / m [1/s] there are. Infinite where nothing limits the
  // step, as with schemes without a limit; 0 where the scheme is weakly unstable.
  Real step(Real stiffness, Real damping) const;

 private:
  struct Ray {
    Real zeta, limit;
  };
  const std::vector<Ray>& rays() const;

  Limit limit_, rough_;
  mutable std::once_flag once_;
  mutable std::vector<Ray> rays_;
};

}  // namespace cairn
