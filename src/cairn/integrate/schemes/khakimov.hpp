// Khakimov's methods of third order, which use the derivative of the acceleration with the position.
#pragma once
#include <array>

#include "cairn/integrate/adams.hpp"
#include "cairn/integrate/claims.hpp"

namespace cairn::schemes {

namespace khakimov {

// Printed for one coordinate, da/dr is a number; here it is the derivative of the whole force along a motion, d/dt a =
// (da/dr) v by `tangent`, with springs along their own rates, which end at the limit of friction. Where it is printed
// as a divisor, 1 / (1 - c (da/dr) h^2) times a displacement is that displacement and c h^2 times the derivative along
// it: the same but for h^5. Velocities in the force are held, as printed (da/dr has no dashpot). `over`: how much of
// the motion is a step.
template <System S>
void along(S& s, State& at, State& motion, State& derivative, Real over) {
  State* const stage = &at;
  s.linearise({&stage, 1});
  s.tangent(0, motion, derivative, over);
}

// Of a motion, positions and springs alone: its velocities become zero. `motion` is a rate.
template <System S>
void hold_velocities(S& s, State& motion) {
  const Term less{-1, &motion};
  s.combine(motion, motion, {&less, 1}, velocities);
}

// v' = v + (h/12) (8 a + 5 a' - a_before), spins, springs and ledger like it, with a' at x' and velocities predicted by
// the second Adams-Bashforth method.
template <System S>
void adams_moulton(S& s, State& ahead, State& after, const State& now, const State& before, Real h) {
  State& y = s.state();
  combine(s, ahead, y, {{1.5 * h, &now}, {-0.5 * h, &before}}, but_positions);
  s.rates(ahead, after);
  combine(s, y, y, {{8 * h / 12, &now}, {5 * h / 12, &after}, {-h / 12, &before}}, but_positions);
  s.combine(y, ahead, {}, positions);
}

}  // namespace khakimov

struct KhakimovT12 {
  static constexpr Claims claims{
      .name = "khakimov_t12",
      .also = "T12",
      .family = "multistep",
      .reference = "Khakimov, Comput. Phys. Commun. 147 (2002) 733; Kruggel-Emden et al. 2008 (16)",
      .equations =
          "d = h v + (h^2/12) (7 a - a_before), x <- x + d + (h^2/12) (da/dx) d\nv <- v + (h/12) (8 a + 5 a' - "
          "a_before) with a' = f(x', v + h (3/2 a - 1/2 a_before))\nspins, springs and ledger like v",
      .use = "For comparison with the literature. The derivative costs about as much as several calls.",
      .order = 3,
      .order_damped = 2,
      .order_spring = 3,
      .calls = 3,
      .memory = 1};

  template <System S>
  static void step(S& s, Real h) {
    if (s.memories() == 0) return adams::start(s, 1, h);
    State &y = s.state(), &now = s.held(), &ahead = s.scratch(0), &motion = s.scratch(1), &derivative = s.scratch(2);
    s.rates(y, now);
    const State& before = s.memory(0);
    // d as positions: x + d less x
    combine(s, ahead, y, {{h, &y}, {7 * h * h / 12, &now}, {-h * h / 12, &before}}, carried);
    combine(s, motion, now, {{h - 1, &now}}, everything);
    combine(s, motion, ahead, {{-1, &y}}, positions);
    khakimov::hold_velocities(s, motion);
    khakimov::along(s, y, motion, derivative, 1);
    combine(s, ahead, ahead, {{h * h / 12, &derivative}}, carried);
    khakimov::adams_moulton(s, ahead, motion, now, before, h);
    s.remember(now, 1);
    s.commit(h, 5.0 / 12);
  }
};

struct KhakimovD12 {
  static constexpr Claims claims{
      .name = "khakimov_d12",
      .also = "D12",
      .family = "multistep",
      .reference = "Khakimov, Comput. Phys. Commun. 147 (2002) 733; Kruggel-Emden et al. 2008 (17)",
      .equations =
          "d = x - x_before + h v + (h^2/2) a, x <- x_before + d + (h^2/12) (da/dx) d\nv <- v + (h/12) (8 a + 5 a' - "
          "a_before) with a' = f(x', v + h (3/2 a - 1/2 a_before))\nspins, springs and ledger like v",
      .use = "For comparison with the literature, as khakimov_t12.",
      .order = 3,
      .order_damped = 2,
      .order_spring = 3,
      .calls = 3,
      .memory = 2};

  template <System S>
  static void step(S& s, Real h) {
    State &y = s.state(), &ahead = s.scratch(10), &motion = s.scratch(11), &derivative = s.scratch(12);
    State& begin = s.scratch(13);
    s.combine(begin, y, {}, everything);
    State& now = s.held();
    s.rates(y, now);
    const bool first = s.memories() == 0;
    if (first) {
      runge_kutta::stages(s, runge_kutta::classical, h);
      runge_kutta::weigh<4>(s, y, runge_kutta::classical.b, h);
    } else {
      const State &before = s.memory(0), &moved = s.memory(1);
      combine(s, motion, moved, {{h - 1, &moved}, {h, &now}}, everything);
      combine(s, motion, motion, {{0.5 * h * h, &now}}, carried);
      khakimov::hold_velocities(s, motion);
      khakimov::along(s, y, motion, derivative, 1);
      combine(s, ahead, y, {{h, &y}, {0.5 * h * h, &now}, {h * h / 12, &derivative}}, carried);
      khakimov::adams_moulton(s, ahead, motion, now, before, h);
    }
    // What is remembered of positions is a rate, the mean one of the step.
    if (first) s.add_memory(Memory::past), s.add_memory(Memory::between);
    State& mean = s.memory(1);
    combine(s, mean, y, {{-1, &begin}}, everything);
    combine(s, mean, mean, {{1 / h - 1, &mean}}, everything);
    s.combine(s.memory(0), now, {}, everything);
    s.commit(h, first ? 0.5 : 5.0 / 12);
  }
};

struct KhakimovT16 {
  static constexpr Claims claims{
      .name = "khakimov_t16",
      .also = "T16",
      .family = "one-step",
      .reference = "Khakimov, Comput. Phys. Commun. 147 (2002) 733; Kruggel-Emden et al. 2008 (18)",
      .equations =
          "x <- x + h v + (h^2/2) a + (h^3/6) (da/dx) v\nu = v + h a + (h^2/3) (da/dx) v, v <- u + (h^2/6) (da'/dx') "
          "u\nspins, springs and ledger like v",
      .use =
          "For comparison with the literature: third order on a smooth conservative force alone, for its derivative "
          "knows neither dashpots nor how slip changes.",
      .order = 3,
      .calls = 4};

  template <System S>
  static void step(S& s, Real h) {
    State &y = s.state(), &now = s.held();
    State &ahead = s.scratch(0), &motion = s.scratch(1), &derivative = s.scratch(2), &after = s.scratch(3);
    s.rates(y, now);
    s.combine(motion, now, {}, everything);
    khakimov::hold_velocities(s, motion);
    khakimov::along(s, y, motion, derivative, h);
    combine(s, ahead, y, {{h, &y}, {h * h / 2, &now}, {h * h * h / 6, &derivative}}, carried);
    combine(s, ahead, y, {{h, &now}, {h * h / 3, &derivative}}, but_positions);
    s.rates(ahead, after);
    s.combine(motion, after, {}, everything);
    khakimov::hold_velocities(s, motion);
    khakimov::along(s, ahead, motion, derivative, h);
    combine(s, y, ahead, {{h * h / 6, &derivative}}, but_positions);
    s.combine(y, ahead, {}, positions);
    s.commit(h, 0);
  }
};

}  // namespace cairn::schemes
