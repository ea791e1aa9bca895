// A kick that closes a step and asks for the force at the velocity it leads to: v = v* + h a(x, v). Solved by
// fixed-point iteration with Anderson's acceleration (Walker & Ni, SIAM J. Numer. Anal. 49 (2011) 1715), which on
// linear dashpots is GMRES on 1 + h M^-1 C. Rejected: the same solve contact by contact, for a grain in the middle of a
// packing has a dozen dashpots; conjugate gradients, for the Coulomb limit makes the matrix unsymmetric and the clip
// has none.
#pragma once
#include <cmath>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/integrate/system.hpp"

namespace cairn {

template <System S>
void implicit_kick(S& s, Real h) {
  constexpr Real tolerance = 1e-12;  // of the change of v between two iterations, relative to v
  constexpr int most_iterations = 100, depth = 5;
  constexpr unsigned parts = velocities;
  State& y = s.state();
  State &start = s.scratch(0), &residual = s.scratch(1), &answer = s.scratch(2);
  State &residual_before = s.scratch(3), &answer_before = s.scratch(4);
  const auto direction = [&](int j) -> State& { return s.scratch(5 + j); };  // orthonormal changes of the residual
  const auto response = [&](int j) -> State& { return s.scratch(5 + depth + j); };  // what the answer did meanwhile
  const auto combine = [&](State& out, const State& a, Real c, const State& k) {
    const Term term{c, &k};
    s.combine(out, a, {&term, 1}, parts);
  };

  s.combine(start, y, {}, parts);
  combine(answer, start, h, s.held());  // the first guess
  s.force(h, At::end);                  // there: springs follow the drift of v* and return to their limit
  s.combine(y, answer, {}, parts);
  int directions = 0;
  for (int iteration = 0;; ++iteration) {
    combine(answer, start, h, s.held());
    combine(residual, answer, -1, y);
    const Real size = std::sqrt(s.inner_product(residual, residual)),
               scale = std::sqrt(s.inner_product(answer, answer));
    if (!(size > tolerance * scale)) break;  // also what is not finite, which is the guards' business
    if (iteration == most_iterations)
      throw Error(Exit::guard, "the implicit dashpots did not converge in " + std::to_string(most_iterations) +
                                   " iterations at t = " + brief(y.time) + " s: the last changed the velocities by " +
                                   brief(size / scale) + " of themselves; lower run.step");
    if (iteration > 0) {
      if (directions == depth) directions = 0;
      State &q = direction(directions), &g = response(directions);
      combine(q, residual, -1, residual_before);
      combine(g, answer, -1, answer_before);
      for (int j = 0; j < directions; ++j) {
        const Real along = s.inner_product(q, direction(j));
        combine(q, q, -along, direction(j));
        combine(g, g, -along, response(j));
      }
      const Real length = std::sqrt(s.inner_product(q, q));
      if (length > 0) {
        combine(q, q, 1 / length - 1, q);
        combine(g, g, 1 / length - 1, g);
        ++directions;
      }
    }
    s.combine(residual_before, residual, {}, parts);
    s.combine(answer_before, answer, {}, parts);
    s.combine(y, answer, {}, parts);
    for (int j = 0; j < directions; ++j) combine(y, y, -s.inner_product(residual, direction(j)), response(j));
    s.force(0, At::stage);
  }
  s.combine(y, start, {}, parts);
  s.kick(h);
}

}  // namespace cairn
