#include "cairn/search/neighbours.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"

using namespace cairn;

namespace {

constexpr Real skin = 0.1;

struct Dice {
  std::uint64_t seed, k = 0;
  Real operator()(Real low, Real high) { return low + (high - low) * random_uniform(seed, 0, k++); }
  int below(int n) { return static_cast<int>((*this)(0, n)); }
};

struct Scene {
  std::vector<Real> x, y, z, radius;
  std::vector<std::int64_t> id;
  PeriodicCell cell;

  int size() const { return static_cast<int>(x.size()); }
  Spheres spheres() const { return {size(), {x.data(), 1}, {y.data(), 1}, {z.data(), 1}, radius.data(), id.data()}; }
  void add(const Vector& at, Real r) {
    x.push_back(at.x), y.push_back(at.y), z.push_back(at.z), radius.push_back(r);
    id.push_back(size() * 10);
  }
  Scene taken(const std::vector<int>& from) const {
    Scene s;
    s.cell = cell;
    for (int k : from) {
      s.add({x[k], y[k], z[k]}, radius[k]);
      s.id.back() = id[k];
    }
    return s;
  }
  Scene shuffled(std::uint64_t seed) const {
    Dice dice{seed};
    std::vector<int> from(size());
    std::iota(from.begin(), from.end(), 0);
    for (int k = size() - 1; k > 0; --k) std::swap(from[k], from[dice.below(k + 1)]);
    return taken(from);
  }
};

std::vector<Pair> oracle(const Scene& s) {
  std::vector<Pair> out;
  for (int i = 0; i < s.size(); ++i) {
    for (int j = i + 1; j < s.size(); ++j) {
      Vector d{s.x[j] - s.x[i], s.y[j] - s.y[i], s.z[j] - s.z[i]};
      d -= s.cell.image(d);
      const Real cutoff = s.radius[i] + s.radius[j] + skin;
      if (dot(d, d) < cutoff * cutoff) out.push_back(s.id[i] < s.id[j] ? Pair{i, j} : Pair{j, i});
    }
  }
  return out;
}

std::vector<int> order(NeighbourSearch& search, const Scene& s, int threads = 1) {
  std::vector<int> from{-1};
  search.order(s.spheres(), s.cell, skin, threads, from);
  return from;
}

// By the present indices, ordered as those of the oracle.
std::vector<Pair> pairs(NeighbourSearch& search, const Scene& s, int threads = 1, Real wanted_skin = skin) {
  std::vector<int> from, first{-1};
  const bool standing = search.order(s.spheres(), s.cell, wanted_skin, threads, from);
  CHECK(standing == std::is_sorted(from.begin(), from.end()));
  const Scene ordered = s.taken(from);
  std::vector<int> partners{0};
  search.candidates(ordered.spheres(), s.cell, wanted_skin, threads, first, partners);
  std::vector<Pair> out;
  for (int i = 0; i < s.size(); ++i)
    for (int c = first[i]; c < first[i + 1]; ++c) {
      CHECK(partners[c] > (c > first[i] ? partners[c - 1] : i));
      const auto [low, high] = std::minmax(from[i], from[partners[c]], [&](int a, int b) { return s.id[a] < s.id[b]; });
      out.push_back({low, high});
    }
  std::sort(out.begin(), out.end(), [](const Pair& a, const Pair& b) {
    return std::pair(std::minmax(a.first, a.second)) < std::pair(std::minmax(b.first, b.second));
  });
  return out;
}

std::set<std::pair<std::int64_t, std::int64_t>> by_id(const Scene& s, const std::vector<Pair>& pairs) {
  std::set<std::pair<std::int64_t, std::int64_t>> out;
  for (const Pair& p : pairs) out.insert({s.id[p.first], s.id[p.second]});
  return out;
}

enum Sizes { equal, two, broad };

Real size_of(Sizes sizes, Dice& dice) {
  if (sizes == equal) return 0.5;
  if (sizes == two) return dice(0, 1) < 0.1 ? 1 : 0.05;
  return 0.02 * std::pow(50, dice(0, 1));
}

// Grains in a box of which any directions are periodic (bits of `periodic`: x, y, z); some lie periods away, some on
// whole numbers, some on the end of the period.
Scene box(int count, int dimension, Sizes sizes, int periodic, Real length, std::uint64_t seed) {
  Dice dice{seed};
  Scene s;
  const Vector origin{-0.3 * length, -2 * length, 5};
  s.cell = PeriodicCell::from(
      origin, {periodic & 1 ? length : 0, periodic & 2 ? 0.9 * length : 0, periodic & 4 ? 1.1 * length : 0});
  for (int i = 0; i < count; ++i) {
    Vector a{origin.x + dice(0, length), origin.y + dice(0, length), origin.z + dice(0, length)};
    if (i % 7 == 0) a = {std::round(a.x), std::round(a.y), std::round(a.z)};
    if (i % 11 == 0) a += Real(dice.below(7) - 3) * s.cell.length;
    if (i % 13 == 0) a.x = origin.x + s.cell.length.x;
    if (dimension < 3) a.y = -1;
    if (dimension < 2) (seed & 1 ? a.x : a.z) = 6;
    s.add(a, size_of(sizes, dice));
  }
  return s.shuffled(seed);
}

// Equal grains on a lattice with random displacements, `n` along each edge.
Scene packing(int n, bool periodic) {
  Dice dice{7};
  Scene s;
  if (periodic) s.cell = PeriodicCell::from({}, Real(n) * Vector{1, 1, 1});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) s.add({i + dice(-0.2, 0.2), j + dice(-0.2, 0.2), k + dice(-0.2, 0.2)}, 0.5);
  return s;
}

Real examined_per_grain(const Scene& s) {
  NeighbourSearch search;
  pairs(search, s);
  return static_cast<Real>(search.examined()) / s.size();
}

}  // namespace

TEST_CASE("all pairs and no others, in the order promised, whatever the sizes, periods and dimension") {
  NeighbourSearch search;
  std::uint64_t seed = 1;
  for (int count : {0, 1, 2, 15, 16, 17, 90, 400})
    for (int dimension : {1, 2, 3})
      for (Sizes sizes : {equal, two, broad})
        for (int periodic = 0; periodic < 8; ++periodic) {
          CAPTURE(count);
          CAPTURE(dimension);
          CAPTURE(sizes);
          CAPTURE(periodic);
          const Real per_grain = sizes == equal ? 0.8 : sizes == two ? 0.4 : 0.3;
          const Scene s =
              box(count, dimension, sizes, periodic, 2 + per_grain * std::pow(count, 1.0 / dimension), seed++);
          const auto want = oracle(s);
          REQUIRE(pairs(search, s) == want);
          if (count == 400) REQUIRE(want.size() > 100);
          const Scene standing = s.taken(order(search, s));
          REQUIRE(pairs(search, standing) == oracle(standing));
        }
}

TEST_CASE("periods of a few cutoffs and less: nearest images only, no pair twice, no grain with itself") {
  NeighbourSearch search;
  std::uint64_t seed = 1;
  for (Real length = 0.2; length < 6; length *= 1.09)
    for (int periodic = 1; periodic < 8; ++periodic)
      for (Sizes sizes : {equal, broad}) {
        CAPTURE(length);
        CAPTURE(periodic);
        CAPTURE(sizes);
        const Scene s = box(40, 3, sizes, periodic, length, seed++);
        REQUIRE(pairs(search, s) == oracle(s));
      }
  Scene alone;
  alone.cell = PeriodicCell::from({}, {0.3, 0.3, 0.3});
  alone.add({0.1, 0.1, 0.1}, 0.5);
  CHECK(pairs(search, alone).empty());
}

TEST_CASE("grains at exactly the cutoff are no pair; on cell borders none is lost") {
  NeighbourSearch search;
  for (bool periodic : {false, true}) {
    Scene s;
    constexpr Real spacing = 1.125;  // exact in binary, just beyond 0.5 + 0.5 + 0.1
    if (periodic) s.cell = PeriodicCell::from({-2.25, 0, 0}, 6 * spacing * Vector{1, 1, 1});
    for (int i = -2; i < 4; ++i)
      for (int j = -2; j < 4; ++j)
        for (int k = -2; k < 4; ++k) s.add(spacing * Vector{Real(i), Real(j), Real(k)}, 0.5);
    CHECK(pairs(search, s).empty());
    CHECK(pairs(search, s, 1, 0.125).empty());
    CHECK(pairs(search, s, 1, 0.125 * (1 + 1e-12)).size() == (periodic ? 3 * 216 : 3 * 180));
  }
}

TEST_CASE("clusters and one stray grain change neither the pairs nor the cost") {
  NeighbourSearch search;
  Dice dice{3};
  Scene s;
  for (int i = 0; i < 3000; ++i) {
    const Vector centre = 37.0 * Vector{Real(i % 5), Real(i % 3), Real(i % 2)};
    s.add(centre + Vector{dice(-4, 4), dice(-4, 4), dice(-4, 4)}, 0.3);
  }
  CHECK(pairs(search, s) == oracle(s));
  const Real cost = static_cast<Real>(search.examined());
  for (Real far : {1e6, -1e6, 1e9, -1e9, 1e300, -1e300}) {
    CAPTURE(far);
    Scene stray = s;
    stray.add({far, -far, far}, 0.3);
    stray.add({far, -far, far + 0.5}, 0.3);
    const auto want = oracle(stray);
    REQUIRE(want.size() == oracle(s).size() + 1);
    CHECK(pairs(search, stray) == want);
    CHECK(static_cast<Real>(search.examined()) < 1.05 * cost);
  }
}

TEST_CASE("numbers that are none disturb nobody else") {
  constexpr Real huge = 1e300, none = std::numeric_limits<Real>::quiet_NaN();
  constexpr Real endless = std::numeric_limits<Real>::infinity();
  NeighbourSearch search;
  for (int periodic : {0, 7}) {
    const Scene s = box(300, 3, equal, periodic, 6, 5);
    const auto want = oracle(s);
    for (Real bad : {huge, -huge, none, endless, -endless}) {
      CAPTURE(bad);
      CAPTURE(periodic);
      Scene worse = s;
      for (int k = 0; k < 3; ++k) worse.add({k == 0 ? bad : 0, k == 1 ? bad : 0, k == 2 ? bad : 0}, 0.5);
      worse.add({0, 0, 0}, none);
      auto got = pairs(search, worse);
      std::erase_if(got, [&](const Pair& p) { return std::max(p.first, p.second) >= s.size(); });
      CHECK(got == want);
      CHECK(order(search, worse).size() == worse.x.size());
    }
  }
  for (Real radius : {0.0, none, endless, huge}) {
    Scene s = box(50, 3, equal, 7, 3, 5);
    std::fill(s.radius.begin(), s.radius.end(), radius);
    CAPTURE(radius);
    CHECK(pairs(search, s) == oracle(s));
  }
}

TEST_CASE("order and pairs depend on neither threads nor the present order") {
  for (Sizes sizes : {equal, broad}) {
    NeighbourSearch search;
    const Scene s = box(5000, 3, sizes, 5, sizes == equal ? 18 : 14, 9);
    const auto want = oracle(s);
    const auto want_by_id = by_id(s, want);
    REQUIRE(want_by_id.size() == want.size());
    const Scene standing = s.taken(order(search, s));
    const auto standing_pairs = oracle(standing);
    for (int threads : {1, 2, 3, 7}) {
      CAPTURE(threads);
      const Scene other = s.shuffled(100 + threads);
      CHECK(pairs(search, s, threads) == want);
      CHECK(by_id(other, pairs(search, other, threads)) == want_by_id);
      CHECK(other.taken(order(search, other, threads)).id == standing.id);
      CHECK(pairs(search, standing, threads) == standing_pairs);
    }
    std::vector<int> same(s.size());
    std::iota(same.begin(), same.end(), 0);
    CHECK(order(search, standing) == same);
  }
}

TEST_CASE("grains in order stand near their neighbours in memory") {
  NeighbourSearch search;
  const Scene s = packing(20, true).shuffled(1);
  const auto median_distance = [&](const Scene& a) {
    std::vector<int> distance;
    for (const Pair& p : pairs(search, a)) distance.push_back(std::abs(p.first - p.second));
    std::nth_element(distance.begin(), distance.begin() + distance.size() / 2, distance.end());
    return distance[distance.size() / 2];
  };
  const Scene standing = s.taken(order(search, s));
  CHECK(median_distance(s) > 1500);        // of 8000
  CHECK(median_distance(standing) < 100);  // a plane of the packing holds 400
}

TEST_CASE("more than a list can count is refused, with the way out") {
  CHECK_NOTHROW(require_at_most(most_candidates, std::numeric_limits<int>::max(), "pairs"));
  CHECK_THROWS_WITH_AS(require_at_most(most_candidates, std::int64_t{1} << 31, "pairs"),
                       "found 2147483648 pairs in one process; expected at most 2147483647: share the run among more "
                       "processes (--ranks)",
                       Error);
  CHECK(2 * most_slots + 1 == std::numeric_limits<int>::max());  // the second side of the last
}

TEST_CASE("the cost per grain does not grow with their number") {
  for (bool periodic : {false, true}) {
    const Real few = examined_per_grain(packing(13, periodic));   // 2,197 grains
    const Real many = examined_per_grain(packing(40, periodic));  // 64,000
    CAPTURE(few);
    CAPTURE(many);
    CHECK(many < 1.5 * few);
    CHECK(many > few / 1.5);
    CHECK(many < 16);  // half of the volume of 3 x 3 x 2.25 cells of 1.1 each, at one grain per unit of volume
  }
}

TEST_CASE("one large grain among many small ones does not raise the cost of them all") {
  Scene s = packing(27, false);  // 19,683 grains
  const Real before = examined_per_grain(s);
  s.add({13, 13, 13}, 10);
  CHECK(examined_per_grain(s) < 2 * before);
  CHECK(examined_per_grain(s.shuffled(2)) < 2 * before);
}

TEST_CASE("points without size or skin among grains are told apart by cells of their own") {
  Scene s = packing(20, false);
  std::fill(s.radius.begin(), s.radius.end(), 0);
  s.add({10, 10, 10}, 2);
  NeighbourSearch search;
  const std::vector<Pair> out = pairs(search, s, 1, 0);
  CHECK(out.size() > 20);  // lattice points within 2 of the centre, 33 but for the displacements
  CHECK(out.size() < 45);
  for (const Pair& p : out) CHECK(p.second == s.size() - 1);
  CHECK(search.examined() < s.size());
}

TEST_CASE("a broad distribution of sizes costs neither more with more grains nor what its largest grains would ask") {
  const Scene s = box(2000, 3, broad, 7, 10, 4), more = box(16000, 3, broad, 7, 20, 4);
  CHECK(examined_per_grain(more) < 1.5 * examined_per_grain(s));
  CHECK(examined_per_grain(more) < 60);  // one grid for all: 300, half of 27 cells of 2.1 each at 2 grains per volume
}
