// Sums of states: each part by its own formula, whatever the instruction set, the threads and the number of terms.
#include <doctest/doctest.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "cairn/core/hash.hpp"
#include "cairn/state/state.hpp"

using namespace cairn;

namespace {

State random_state(std::uint64_t seed, int bodies, int bonds) {
  State y;
  y.resize(bodies, bonds);
  const auto fill = [&](auto& slab) {
    for (int row = 0; row < slab.rows(); ++row)
      for (int i = 0; i < slab.size(); ++i)
        slab.row(row)[i] = random_uniform(seed, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(i)) - 0.5;
  };
  fill(y.body), fill(y.bond);
  for (Real& a : y.ledger) a = random_uniform(seed, 99, 0);
  y.time = random_uniform(seed, 98, 0);
  return y;
}

}  // namespace

TEST_CASE("combine: y + sum c k, in the order of the terms, bit for bit") {
  constexpr int bodies = 5003, bonds = 1501;
  const State y = random_state(1, bodies, bonds);
  std::vector<State> k;
  for (std::uint64_t t = 0; t < 19; ++t) k.push_back(random_state(2 + t, bodies, bonds));
  for (const int count : {0, 1, 3, 19})
    for (const int threads : {1, 3})
      for (const Simd simd : {Simd::baseline, widest_simd()}) {
        std::vector<Term> terms;
        for (int t = 0; t < count; ++t) terms.push_back({0.1 * (t + 1), &k[t]});
        State out;
        combine(out, y, terms, threads, StatePart::everything, simd);
        const auto sum = [&](auto&& of) {
          Real a = of(y);
          for (const Term& t : terms) a = a + t.c * of(*t.k);
          return a;
        };
        int differ = 0;
        for (int row = 0; row < BodyRow::count; ++row)
          for (int i = 0; i < bodies; ++i)
            differ += out.body.row(row)[i] != sum([&](const State& s) { return s.body.row(row)[i]; });
        for (int row = 0; row < BondRow::count; ++row)
          for (int i = 0; i < bonds; ++i)
            differ += out.bond.row(row)[i] != sum([&](const State& s) { return s.bond.row(row)[i]; });
        for (int c = 0; c < Channel::count; ++c)
          differ += out.ledger[c] != sum([&](const State& s) { return s.ledger[c]; });
        differ += out.time != sum([](const State& s) { return s.time; });
        CHECK(differ == 0);
      }
}

TEST_CASE("combine: a part that is not named keeps what it holds; carried positions move by velocities") {
  const State y = random_state(1, 10, 10), k = random_state(2, 10, 10);
  State out = random_state(3, 10, 10);
  const State before = out;
  const Term terms[] = {{0.5, &k}};
  combine(out, y, terms, 1, StatePart::carried | StatePart::clock);
  for (int i = 0; i < 10; ++i) {
    CHECK(out.body.row(BodyRow::x)[i] == y.body.row(BodyRow::x)[i] + 0.5 * k.body.row(BodyRow::v)[i]);
    CHECK(out.body.row(BodyRow::v)[i] == before.body.row(BodyRow::v)[i]);
    CHECK(out.bond.row(0)[i] == before.bond.row(0)[i]);
  }
  CHECK(out.ledger == before.ledger);
  CHECK(out.time == y.time + 0.5 * k.time);
}

TEST_CASE("combine: a rate that has dropped its positions kicks as before, and moves nothing") {
  const State y = random_state(1, 10, 0);
  State k = random_state(2, 10, 0), expected = y, out = y;
  const State whole = k;
  const Term terms[] = {{0.5, &k}};
  combine(expected, y, terms, 1, StatePart::velocities);
  k.body.drop_positions();
  combine(out, y, terms, 1, StatePart::velocities);
  for (int row = 0; row < BodyRow::count; ++row)
    for (int i = 0; i < 10; ++i) CHECK(out.body.row(row)[i] == expected.body.row(row)[i]);
  CHECK_THROWS_AS(combine(out, y, terms, 1, StatePart::positions), std::logic_error);

  Real numbers[BodyRows::numbers];
  CHECK(k.body.write(3, numbers) == numbers + BodyRows::numbers);
  k.body.keep_positions();
  whole.body.write(4, numbers);
  CHECK(k.body.read(3, numbers) == numbers + BodyRows::numbers);
  for (const int row : {BodyRow::x, BodyRow::v, BodyRow::w}) CHECK(k.body.at(row, 3) == whole.body.at(row, 4));
  CHECK(k.body.at(BodyRow::x, 2) == Vector{});
}
