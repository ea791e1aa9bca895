// A kick that closes a step and asks for the force at the velocity it leads to: v = v* + h a(x, v). Solved by
// fixed-point iteration with Anderson's acceleration (Walker & Ni, SIAM J. Numer. Anal. 49 (2011) 1715), which on
// linear dashpots is GMRES on 1 + h M^-1 C. Rejected: the same solve contact by contact, for a grain in the middle of a
// packing has a dozen dashpots; conjugate gradients, for the Coulomb limit makes the matrix unsymmetric and the clip
// has none.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/integrate/system.hpp"

namespace cairn {

template <MotionSystem S>
requires ImplicitSystem<S>
void implicit_kick(S& s, Real h) {
  Controller& controller = s.controller();
  const Real tolerance = controller.solver_tolerance;  // of the last change of v
  constexpr int most_iterations = 400, depth = 5;
  constexpr Real round_off = 1e-8;  // smaller changes may be round-off
  constexpr int accelerated = 40;   // then without: near a clip or a Coulomb limit the past may mislead
  constexpr unsigned parts = StatePart::velocities;
  State& y = s.state();
  const auto scratch = s.borrow(5), change = s.borrow(depth), move = s.borrow(depth);
  State &start = scratch[0], &answer = scratch[1], &residual = scratch[2];
  State &guess_before = scratch[3], &residual_before = scratch[4];
  // change[j]: of the residual, orthogonal; move[j]: the move that caused it. Not scaled to length 1: a scaled state is
  // a sum here, and would make last bits depend on the unit of mass.
  Real change2[depth];  // inner product of each change with itself
  const auto combine = [&](State& out, const State& a, Real c, const State& k) {
    const Term term{c, &k};
    s.combine(out, a, {&term, 1}, parts);
  };
  const auto size = [&](const State& a) { return std::sqrt(s.inner_product(a, a)); };

  s.combine(start, y, {}, parts);
  combine(residual, start, h, s.current_rate());  // the first guess
  s.force(h, StageKind::end);                     // there: springs follow the drift of v* and return to their limit
  ++controller.effort.evaluations, ++controller.effort.iterations;
  s.combine(y, residual, {}, parts);
  s.combine(answer, y, {}, StatePart::everything);
  int directions = 0;
  int idle = 0;                                                      // iterations since one came nearer
  Real steepest = 0;                                                 // largest change of h a over that of v so far
  Real before = 0, nearest = std::numeric_limits<Real>::infinity();  // sizes of the residual
  for (int iteration = 0;; ++iteration) {
    combine(answer, start, h, s.current_rate());
    combine(residual, answer, -1, y);
    Real now = size(residual);
    const Real off = s.error(answer, y, tolerance);
    idle = now < 0.7 * nearest ? 0 : idle + 1;
    nearest = std::min(nearest, now);
    // Reached, in one norm or the other; or as near as round-off lets it come.
    if (off <= 1 || now <= tolerance * size(answer) || (idle >= 10 && off * tolerance < round_off)) break;
    if (iteration == 0 && !std::isfinite(off)) break;  // what was not finite before is the guards' business
    if (iteration == most_iterations || !std::isfinite(off)) {
      s.combine(y, start, {}, parts);
      throw Error(Exit::guard, "the implicit dashpots did not converge in " + std::to_string(iteration) +
                                   " iterations at t = " + brief(y.time) +
                                   " s: the last iteration changed velocities by " + brief(off * tolerance) +
                                   " of the largest velocity; take a smaller step");
    }
    if (iteration > 0 && now > 2 * before) {  // led astray, by a clip perhaps: back, and on more carefully
      s.combine(y, guess_before, {}, parts);
      s.combine(residual, residual_before, {}, parts);
      if (directions == 0) steepest = 1 + 2 * steepest;
      now = before, directions = 0;
    } else if (iteration > 0) {
      if (directions == depth) directions = 0;
      State &q = change[directions], &g = move[directions];
      combine(q, residual, -1, residual_before);
      combine(g, y, -1, guess_before);
      if (off * tolerance > 1e-9) {         // not yet round-off
        combine(residual_before, q, 1, g);  // of h a
        steepest = std::max(steepest, size(residual_before) / size(g));
      }
      const Real whole2 = s.inner_product(q, q);
      for (int j = 0; j < directions; ++j) {
        const Real along = s.inner_product(q, change[j]) / change2[j];
        combine(q, q, -along, change[j]);
        combine(g, g, -along, move[j]);
      }
      change2[directions] = s.inner_product(q, q);
      const bool is_new = change2[directions] > 1e-16 * whole2;  // less is round-off
      directions = iteration < accelerated && is_new ? directions + 1 : 0;
    }
    before = now;
    s.combine(residual_before, residual, {}, parts);
    s.combine(guess_before, y, {}, parts);
    // Relaxed so that the iteration contracts by itself: dashpots only oppose, by up to `steepest` times the move.
    const Real relaxed = 1 / (1 + steepest);
    for (int j = 0; j < directions; ++j) {
      const Real along = s.inner_product(residual, change[j]) / change2[j];
      combine(residual, residual, -along, change[j]);
      combine(y, y, -along, move[j]);
    }
    combine(y, y, relaxed, residual);
    s.force(0, StageKind::stage);
    ++controller.effort.evaluations, ++controller.effort.iterations;
  }
  s.combine(y, start, {}, parts);
  s.kick(h);
}

}  // namespace cairn
