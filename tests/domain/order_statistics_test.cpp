#include "cairn/domain/order_statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn {
namespace {

TEST_CASE("values at a place are those of a sorted list, of either sign, equal ones and infinities among them") {
  std::vector<Real> some{0, -1e-310, 1e300, -INFINITY, INFINITY, 2, 2, 2, -7.5};
  for (int k = 0; k < 500; ++k) some.push_back(std::sin(k) * std::pow(10, k % 7 - 3));
  std::vector<Real> sorted = some;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t place = 0; place < some.size(); ++place) {
    const auto [value, other] = values_at<2>({}, static_cast<std::int64_t>(place), [&](const auto& take) {
      for (const Real a : some) take({a, 1 - a});
    });
    CHECK(value == sorted[place]);
    CHECK(other == 1 - sorted[sorted.size() - 1 - place]);
  }
}

}  // namespace
}  // namespace cairn
