// Gauss's collocation method of two stages and order 4 by fixed-point iteration, as Hofmann 2011, 2.7.4, has it
// (Hairer, Lubich & Wanner, Geometric Numerical Integration, II.1.3 and VIII.6): k_i <- f(y + h sum_j a_ij k_j), from a
// first guess, until the stages no longer change.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/integrate/system.hpp"

namespace cairn::gauss {

using Matrix = std::array<std::array<Real, 2>, 2>;

inline constexpr Real sqrt3 = 1.7320508075688772935;
inline constexpr Matrix a{{{0.25, 0.25 - sqrt3 / 6}, {0.25 + sqrt3 / 6, 0.25}}};

// First guesses of k_1 and k_2, as sums of those of the step before.
inline constexpr Matrix zero{};
inline constexpr Matrix previous{{{1, 0}, {0, 1}}};
// The line through k_1 and k_2 at c_i = 1/2 -+ sqrt(3)/6, at 1 + c_i: with c_2 - c_1 = 1/sqrt(3) the weight of k_2 is
// (1 + c_i - c_1) sqrt(3).
inline constexpr Matrix extrapolated{{{1 - sqrt3, sqrt3}, {-sqrt3, 1 + sqrt3}}};

// The stages may change by the controller's solver_tolerance in the last iteration, in the norm of error(). Round-off
// may forbid so little: then by what no longer falls.
//
// Where a force jumps, at the onset of a dashpot, there may be no k_i = f(...) at all: the iteration goes to and fro
// between both sides. The solution then is one of the convex hull of f (Filippov 1988), to which the mean over the
// iterations tends (Mann, Proc. Am. Math. Soc. 4 (1953) 506). It is taken as soon as the stages rest though the rates
// do not. Where a spring turns fast, for its limit has only begun to grow, they hardly rest: then the mean is taken
// once it is of many, if what is left is small. Both are counted as unsettled.
template <AlgebraSystem S>
void step(S& s, const Matrix& guess, Real h) {
  constexpr int most_iterations = 100;
  constexpr Real falls = 0.9;                             // a change this much less is one
  constexpr int many = 16;                                // rates, for a mean
  constexpr Real small = 1e-2;                            // a change that a mean may leave
  constexpr Real slow = 1e-6;                             // what slow convergence may leave in the end
  constexpr Real round_off = 1e-9;                        // smaller changes may be round-off
  constexpr int idle_at_round_off = 3, idle_at_jump = 6;  // iterations that bring no less
  constexpr Real rests = 0.25;  // of a change: what stages move by while as many rates again are averaged
  Controller& c = s.controller();
  State& y = s.state();
  const auto scratch = s.borrow(10);
  std::array<State*, 2> k{&scratch[0], &scratch[1]};
  std::array<State*, 2> at{&scratch[2], &scratch[3]}, before{&scratch[4], &scratch[5]};
  const std::array<State*, 2> found{&scratch[6], &scratch[7]}, marked{&scratch[8], &scratch[9]};
  const auto stages = [&](const Matrix& weights, const State& first, const State& second) {
    for (int i = 0; i < 2; ++i) {
      const Term terms[] = {{h * weights[i][0], &first}, {h * weights[i][1], &second}};
      s.combine(*at[i], y, terms, StatePart::everything);
    }
  };
  const auto apart = [&](const std::array<State*, 2>& a, const std::array<State*, 2>& b) {
    Real most = 0;
    for (int i = 0; i < 2; ++i)
      if (const Real e = s.error(*a[i], *b[i], c.solver_tolerance); e > most || std::isnan(e)) most = e;
    return most;
  };

  const bool remembers = guess != zero;
  if (remembers && s.memories() == 0) {  // the rate it begins with
    s.rates(y, s.current_rate());
    for (int i = 0; i < 2; ++i) s.combine(s.add_memory(Memory::between), s.current_rate(), {}, StatePart::everything);
  }
  if (remembers) {
    Matrix weights{};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) weights[i][j] = a[i][0] * guess[0][j] + a[i][1] * guess[1][j];
    stages(weights, s.memory(1), s.memory(0));
  } else {
    for (State* stage : at) s.combine(*stage, y, {}, StatePart::everything);
  }

  Real least = std::numeric_limits<Real>::infinity();  // change so far
  int averaged = 0, mark = 4;                          // rates that k is the mean of, and when it was marked last
  for (int iteration = 1, idle = 0;; ++iteration) {
    if (averaged == 0) {
      for (int i = 0; i < 2; ++i) s.rates(*at[i], *k[i]);
    } else {
      ++averaged;
      for (int i = 0; i < 2; ++i) {
        s.rates(*at[i], *found[i]);
        const Term terms[] = {{1.0 / averaged, found[i]}, {-1.0 / averaged, k[i]}};
        s.combine(*k[i], *k[i], terms, StatePart::everything);
      }
    }
    c.effort.evaluations += 2, ++c.effort.iterations;
    std::swap(at, before);
    stages(a, *k[0], *k[1]);
    const Real change = std::max(1, averaged) * apart(at, before);  // that all of the rates found would have made
    idle = change < falls * least ? 0 : idle + 1;
    least = std::min(least, change);
    const Real left = change * c.solver_tolerance;
    if (change <= 1 || (idle >= idle_at_round_off && left <= round_off)) break;
    const bool rest = averaged == 2 * mark && apart(at, marked) <= rests * change;
    const bool enough = averaged >= many ? left <= small : iteration == most_iterations && left <= slow;
    if (rest || enough) {
      ++c.effort.unsettled;
      break;
    }
    if (iteration == most_iterations || !std::isfinite(change))
      throw Error(Exit::guard, "the stages of the step from t = " + brief(y.time) + " s did not converge in " +
                                   std::to_string(iteration) + " iterations: the last iteration " +
                                   (std::isfinite(change) ? "changed them by " + brief(change) + " tolerances"
                                                          : "gave values that are not finite") +
                                   "; take a smaller step, or gauss2_newton");
    if (averaged == 0 && idle >= idle_at_jump) averaged = 1;
    if (averaged == mark || averaged == 2 * mark) {
      mark = averaged;
      for (int i = 0; i < 2; ++i) s.combine(*marked[i], *at[i], {}, StatePart::everything);
    }
  }
  const Term terms[] = {{0.5 * h, k[0]}, {0.5 * h, k[1]}};
  s.combine(y, y, terms, StatePart::everything);
  if (remembers) s.remember(*k[0], 2), s.remember(*k[1], 2);
  s.commit(h);  // sum b_i c_i = 1/2
  ++c.effort.evaluations;
}

}  // namespace cairn::gauss
