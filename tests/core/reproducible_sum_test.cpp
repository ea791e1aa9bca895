#include "cairn/core/reproducible_sum.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "cairn/core/hash.hpp"

namespace cairn {
namespace {

// Terms of either sign over `decades` powers of ten.
std::vector<Real> some_terms(int count, Real decades, std::uint64_t seed) {
  std::vector<Real> terms;
  for (int k = 0; k < count; ++k) {
    const auto random = [&](std::uint64_t q) { return random_uniform(seed, static_cast<std::uint64_t>(k), q); };
    terms.push_back((random(0) - 0.5) * std::pow(10.0, decades * (random(1) - 0.5)));
  }
  return terms;
}

void shuffle(std::vector<Real>& terms, std::uint64_t seed) {
  for (std::size_t k = terms.size(); k > 1; --k)
    std::swap(terms[k - 1], terms[static_cast<std::size_t>(random_uniform(seed, k, 0) * static_cast<Real>(k))]);
}

Real sum_of(const std::vector<Real>& terms, std::size_t block, int folds) {
  ReproducibleSum total(folds);
  for (std::size_t begin = 0; begin < terms.size(); begin += block) {
    ReproducibleSum part(folds);
    for (std::size_t k = begin; k < std::min(terms.size(), begin + block); ++k) part.add(terms[k]);
    total.add(part);
  }
  return total.value();
}

std::uint64_t bits(Real a) {
  return std::bit_cast<std::uint64_t>(a);
}

// 0.9 is nearer to 1, where the next bin begins, than to 1/2.
TEST_CASE("the order of terms just below the limit of a bin does not matter") {
  const Real large = 0.9, small = 0.001 / 3;
  for (const std::vector<Real>& terms : {std::vector{large, small, 0.5}, {0.5, large, small}, {small, 0.5, large}})
    CHECK(bits(sum_of(terms, terms.size(), 2)) == bits(sum_of({0.5, small, large}, 3, 2)));
  CHECK(Bins::of(large) == Bins::of(0.5));
  CHECK(Bins::of(1) == Bins::of(large) + 1);
}

TEST_CASE("a reproducible sum has the same bits in any order and in any parts") {
  for (const Real decades : {0.0, 6.0, 40.0, 300.0})
    for (const int folds : {2, 3}) {
      std::vector<Real> terms = some_terms(3000, decades, 5);
      const Real sum = sum_of(terms, terms.size(), folds);
      Real plain = 0, absolute = 0;
      for (const Real t : terms) plain += t, absolute += std::fabs(t);
      CHECK(std::fabs(sum - plain) < 1e-12 * absolute);
      int plain_differs = 0;
      for (std::uint64_t turn = 0; turn < 20; ++turn) {
        shuffle(terms, turn);
        Real other = 0;
        for (const Real t : terms) other += t;
        plain_differs += bits(other) != bits(plain);
        for (const std::size_t block : {std::size_t(1), std::size_t(7), std::size_t(512), terms.size()})
          REQUIRE(bits(sum_of(terms, block, folds)) == bits(sum));
      }
      if (decades < 100) CHECK(plain_differs > 0);  // so there was something to see
    }
}

TEST_CASE("three folds lose nothing that a double can hold") {
  for (const Real term : {1.0, -3.7e-12, 1 / 3.0, 5e300, -2e-250, 0.0}) {
    ReproducibleSum one;
    one.add(term);
    CHECK(one.value() == term);
  }
  // Terms that cancel leave the others exact.
  ReproducibleSum sum;
  for (const Real term : {1e9, 1 / 3.0, -1e9, 1e-3, -1e-3}) sum.add(term);
  CHECK(sum.value() == 1 / 3.0);

  std::vector<Real> terms = some_terms(1000, 8, 9);
  long double reference = 0;
  for (const Real t : terms) reference += static_cast<long double>(t);
  CHECK(std::fabs(sum_of(terms, 64, 3) - static_cast<Real>(reference)) <=
        std::numeric_limits<Real>::epsilon() * std::fabs(static_cast<Real>(reference)));
}

TEST_CASE("two folds err by at most 2^-52 of the largest term, for each term") {
  for (Real largest = 1; largest < 1e15; largest *= 3.1) {
    const std::vector<Real> terms{largest, 0.1 * largest, -0.37 * largest, largest / 3};
    ReproducibleSum exact;
    for (const Real t : terms) exact.add(t);
    CHECK(std::fabs(sum_of(terms, 2, 2) - exact.value()) <= 5 * std::ldexp(largest, -52));
  }
}

TEST_CASE("a term that is not finite makes the sum NaN, in whatever part it stands") {
  for (const Real bad : {std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::quiet_NaN()}) {
    CHECK(std::isnan(sum_of({1, bad, 2}, 3, 3)));
    CHECK(std::isnan(sum_of({bad, 1, 2, 1e200}, 1, 2)));
  }
  CHECK(sum_of({1e300, 1e300, -1e300}, 1, 3) == 1e300);
}

}  // namespace
}  // namespace cairn
