// Khakimov's methods of third order, which use the derivative of the acceleration with the position.
//
// They are printed for one coordinate, with a division by 1 - c da/dx. Here da/dx is the matrix of the whole force, so
// the division is the solution of (1 - c da/dx) d = right; for one coordinate both are the same. Velocities in the
// force are held, as printed: da/dx has no dashpot (docs/decisions/0015).
#pragma once
#include <array>
#include <cmath>
#include <string>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/integrate/adams.hpp"
#include "cairn/integrate/claims.hpp"

namespace cairn::schemes {

namespace khakimov {

inline constexpr Parameter terms{
    "terms", 0, 0, 100,
    "number of terms of the series that replaces the printed division; 0: all terms, which is the division"};

inline int count(const Parameters& p) {
  return static_cast<int>(p[0]);
}

// The derivative of the force at `at` along a motion: d/dt a = (da/dx) v by `tangent`, with springs along their own
// rates, which end at the limit of friction. `over`: how much of the motion is a step.
template <ImplicitSystem S>
void along(S& s, State& at, State& motion, State& derivative, Real over) {
  State* const stage = &at;
  s.linearise({&stage, 1});
  s.tangent(0, motion, derivative, over);
  ++s.controller().effort.linear_iterations;
}

// The same along the solution of (1 - c da/dx) d = motion, by so many `terms` of the series d = motion + c (da/dx)
// motion + ... Each term is c omega^2 times the one before, below the scheme's limit of stability less than one.
// Springs move with the first term alone: their displacement is known. Uses `motion` up.
template <ImplicitSystem S>
void along_solution(S& s, State& at, State& motion, Real c, State& derivative, Real over, int terms) {
  constexpr int most_terms = 400;
  const Real tolerance = s.controller().solver_tolerance;
  const auto scratch = s.borrow(1);
  State& term = scratch[0];
  along(s, at, motion, derivative, over);
  s.combine(term, derivative, {}, StatePart::everything);
  const Real first = s.inner_product(derivative, derivative);
  for (int k = 1; k != terms; ++k) {
    const Real size = s.inner_product(term, term);
    if (!(size > tolerance * tolerance * first)) return;
    if (k == most_terms || !std::isfinite(size))
      throw Error(Exit::guard, "the series of the division by 1 - " + brief(c) +
                                   " s^2 da/dx does not converge at t = " + brief(s.state().time) +
                                   " s: the step is too long for the contacts; take a smaller step");
    combine(s, motion, motion, {{-1, &motion}}, StatePart::everything);
    combine(s, motion, motion, {{c, &term}}, StatePart::carried);
    s.tangent(0, motion, term);
    ++s.controller().effort.linear_iterations;
    combine(s, derivative, derivative, {{1, &term}}, StatePart::everything);
  }
}

// Of a motion, positions and springs alone: its velocities become zero. `motion` is a rate.
template <ImplicitSystem S>
void hold_velocities(S& s, State& motion) {
  const Term less{-1, &motion};
  s.combine(motion, motion, {&less, 1}, StatePart::velocities);
}

// v' = v + (h/12) (8 a + 5 a' - a_before), spins, springs and ledger like it, with a' at x' and velocities predicted by
// the second Adams-Bashforth method.
template <ImplicitSystem S>
void adams_moulton(S& s, State& ahead, State& after, const State& now, const State& before, Real h) {
  State& y = s.state();
  combine(s, ahead, y, {{1.5 * h, &now}, {-0.5 * h, &before}}, StatePart::but_positions);
  s.rates(ahead, after);
  combine(s, y, y, {{8 * h / 12, &now}, {5 * h / 12, &after}, {-h / 12, &before}}, StatePart::but_positions);
  s.combine(y, ahead, {}, StatePart::positions);
  s.controller().effort.evaluations += 2;
}

}  // namespace khakimov

struct KhakimovT12 {
  static constexpr Claims claims{
      .name = "khakimov_t12",
      .aliases = "T12",
      .family = "multistep",
      .reference = "Khakimov, Comput. Phys. Commun. 147 (2002) 733; Kruggel-Emden et al. 2008 (16)",
      .equations =
          "solve (1 - (h^2/12) da/dx) d = h v + (h^2/12) (7 a - a_before), x <- x + d\nv <- v + (h/12) (8 a + 5 a' - "
          "a_before) with a' = f(x', v + h (3/2 a - 1/2 a_before))\nspins, springs and ledger like v",
      .guidance =
          "Use it for comparison with the literature. Each derivative costs about as much as several force "
          "evaluations, and the division needs one derivative per term of its series: about seven at twenty steps per "
          "contact. khakimov_t12(1) takes one term and is explicit; its limit without damping is 3.46 instead of 2.45.",
      .order = 3,
      .order_damped = 2,
      .order_spring = 3,
      .force_evaluations = 3,
      .memory = 1,
      .implicit = true,
      .parameters = {{khakimov::terms}}};

  template <ImplicitSystem S>
  static void step(S& s, Real h, const Parameters& p) {
    if (s.memories() == 0) return adams::start(s, 1, h);
    const auto scratch = s.borrow(3);
    State &y = s.state(), &now = s.current_rate(), &ahead = scratch[0], &motion = scratch[1], &derivative = scratch[2];
    s.rates(y, now);
    const State& before = s.memory(0);
    // d as positions: x + d less x
    combine(s, ahead, y, {{h, &y}, {7 * h * h / 12, &now}, {-h * h / 12, &before}}, StatePart::carried);
    combine(s, motion, now, {{h - 1, &now}}, StatePart::everything);
    combine(s, motion, ahead, {{-1, &y}}, StatePart::positions);
    khakimov::hold_velocities(s, motion);
    khakimov::along_solution(s, y, motion, h * h / 12, derivative, 1, khakimov::count(p));
    combine(s, ahead, ahead, {{h * h / 12, &derivative}}, StatePart::carried);
    khakimov::adams_moulton(s, ahead, motion, now, before, h);
    s.remember(now, 1);
    s.commit(h, {.trial_spring_weight = 5.0 / 12});
  }
};

struct KhakimovD12 {
  static constexpr Claims claims{
      .name = "khakimov_d12",
      .aliases = "D12",
      .family = "multistep",
      .reference = "Khakimov, Comput. Phys. Commun. 147 (2002) 733; Kruggel-Emden et al. 2008 (17)",
      .equations =
          "solve (1 - (h^2/12) da/dx) d = x - x_before + h v + (h^2/2) a, x <- x_before + d\nv <- v + (h/12) (8 a + 5 "
          "a' - "
          "a_before) with a' = f(x', v + h (3/2 a - 1/2 a_before))\nspins, springs and ledger like v",
      .guidance =
          "Use it for comparison with the literature, like khakimov_t12. khakimov_d12(1) is explicit and damps an "
          "undamped motion.",
      .order = 3,
      .order_damped = 2,
      .order_spring = 3,
      .force_evaluations = 3,
      .memory = 2,
      .implicit = true,
      .parameters = {{khakimov::terms}}};

  template <ImplicitSystem S>
  static void step(S& s, Real h, const Parameters& p) {
    const auto scratch = s.borrow(4);
    State &y = s.state(), &ahead = scratch[0], &motion = scratch[1], &derivative = scratch[2], &begin = scratch[3];
    s.combine(begin, y, {}, StatePart::everything);
    State& now = s.current_rate();
    s.rates(y, now);
    const bool first = s.memories() == 0;
    if (first) {
      runge_kutta::Stages stages(s, runge_kutta::classical);
      stages.evaluate(h);
      stages.sum(y, runge_kutta::classical.b, h);
    } else {
      const State &before = s.memory(0), &moved = s.memory(1);
      combine(s, motion, moved, {{h - 1, &moved}, {h, &now}}, StatePart::everything);
      combine(s, motion, motion, {{0.5 * h * h, &now}}, StatePart::carried);
      khakimov::hold_velocities(s, motion);
      khakimov::along_solution(s, y, motion, h * h / 12, derivative, 1, khakimov::count(p));
      combine(s, ahead, y, {{h, &y}, {0.5 * h * h, &now}, {h * h / 12, &derivative}}, StatePart::carried);
      khakimov::adams_moulton(s, ahead, motion, now, before, h);
    }
    // What is remembered of positions is a rate, the mean one of the step.
    if (first) s.add_memory(Memory::past), s.add_memory(Memory::between);
    State& mean = s.memory(1);
    combine(s, mean, y, {{-1, &begin}}, StatePart::everything);
    combine(s, mean, mean, {{1 / h - 1, &mean}}, StatePart::everything);
    s.combine(s.memory(0), now, {}, StatePart::everything);
    s.commit(h, {.trial_spring_weight = first ? 0.5 : 5.0 / 12});
  }
};

struct KhakimovT16 {
  static constexpr Claims claims{
      .name = "khakimov_t16",
      .aliases = "T16",
      .family = "one-step",
      .reference = "Khakimov, Comput. Phys. Commun. 147 (2002) 733; Kruggel-Emden et al. 2008 (18)",
      .equations =
          "x <- x + h v + (h^2/2) a + (h^3/6) (da/dx) v\nsolve (1 - (h^2/6) da'/dx') v' = v + h a + (h^2/3) (da/dx) v, "
          "v <- v'\nspins and springs like v; ledger by the trapezoidal rule",
      .guidance =
          "Use it for comparison with the literature. Third order only on a smooth conservative force, because its "
          "derivative includes neither dashpots nor the change of slip. khakimov_t16(1) is explicit and damps an "
          "undamped motion.",
      .order = 3,
      .force_evaluations = 4,
      .implicit = true,
      .parameters = {{khakimov::terms}}};

  template <ImplicitSystem S>
  static void step(S& s, Real h, const Parameters& p) {
    State &y = s.state(), &now = s.current_rate();
    const auto scratch = s.borrow(4);
    State &ahead = scratch[0], &motion = scratch[1], &derivative = scratch[2], &after = scratch[3];
    s.rates(y, now);
    s.combine(motion, now, {}, StatePart::everything);
    khakimov::hold_velocities(s, motion);
    khakimov::along(s, y, motion, derivative, h);
    combine(s, ahead, y, {{h, &y}, {h * h / 2, &now}, {h * h * h / 6, &derivative}}, StatePart::carried);
    combine(s, ahead, y, {{h, &now}, {h * h / 3, &derivative}}, StatePart::but_positions);
    s.rates(ahead, after);
    s.controller().effort.evaluations += 2;
    s.combine(motion, after, {}, StatePart::everything);
    khakimov::hold_velocities(s, motion);
    khakimov::along_solution(s, ahead, motion, h * h / 6, derivative, h, khakimov::count(p));
    combine(s, y, ahead, {{h * h / 6, &derivative}}, StatePart::velocities | StatePart::springs | StatePart::clock);
    combine(s, y, y, {{h / 2, &now}, {h / 2, &after}}, StatePart::ledger);  // derivatives along a motion have no powers
    s.combine(y, ahead, {}, StatePart::positions);
    s.commit(h);
  }
};

}  // namespace cairn::schemes
