// Powers that laws raise overlaps and masses to: exact enough, and the same bits for one number as for eight.
#include <doctest/doctest.h>

#include <cmath>

#include "cairn/core/hash.hpp"
#include "cairn/core/jet.hpp"
#include "cairn/core/lanes.hpp"

namespace cairn {
namespace {

TEST_CASE("powers of numbers and of lanes") {
  Real worst = 0;
  int differ = 0;
  for (std::uint64_t k = 0; k < 4000; ++k) {
    const Real p = 6 * random_uniform(5, k, 0) - 3;
    Real a[lane_count], b[lane_count];
    for (int l = 0; l < lane_count; ++l)
      a[l] = std::exp(80 * random_uniform(5, k, static_cast<std::uint64_t>(1 + l)) - 40);
    store(b, power(load(a), p));
    for (int l = 0; l < lane_count; ++l) {
      const Real one = power(a[l], p);
      differ += one != b[l];
      worst = std::max(worst, std::fabs(one / std::pow(a[l], p) - 1) / (1 + std::fabs(p * std::log(a[l]))));
    }
  }
  CHECK(worst < 1e-15);
  CHECK(differ == 0);
  CHECK(power(1.0, 0.7) == 1);
  CHECK(power(3.0, 0.0) == 1);
  CHECK(power(2.0, 3.0) == 8);
  CHECK(power(1e-300, 3.0) == 0x1p-1022);  // the least it gives
}

TEST_CASE("the power of a series is the product it stands for") {
  Jet<4> a;
  a.c = {0.7, 0.3, -0.2, 0.1, 0.05};
  const Jet<4> b = power(a, 2.5), square = a * a, product = square * sqrt(a);
  const Jet<4> c = power(a, 0.4), fifth = c * c * c * c * c;
  for (std::size_t k = 0; k < a.c.size(); ++k) {
    CHECK(std::fabs(b.c[k] - product.c[k]) < 1e-15);
    CHECK(std::fabs(fifth.c[k] - square.c[k]) < 1e-15);
  }
}

}  // namespace
}  // namespace cairn
