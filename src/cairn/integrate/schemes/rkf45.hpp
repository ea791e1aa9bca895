// Fehlberg's pair of orders 4 and 5 with the two step controls of the pe physics engine, whose difference Hofmann
// studied. As there, the error is that of positions alone; here over the smallest radius, there in metres and metres
// per second.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/runge_kutta.hpp"

namespace cairn::schemes {

inline constexpr Tableau<6> fehlberg45{
    .a = {{{},
           {1.0 / 4},
           {3.0 / 32, 9.0 / 32},
           {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
           {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
           {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40}}},
    .b = {25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0},
    .embedded = {16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55}};

// Both accept a step if the step they would have chosen is at least three quarters of it. e: error over tolerance.
template <class Optimum>
runge_kutta::Verdict three_quarters(Real h, Real e, Optimum&& optimum) {
  const Real best = std::isfinite(e) ? optimum() : 0.2 * h;
  return {best >= 0.75 * h, best};
}

struct Rkf45Absolute {
  static constexpr Claims claims{
      .name = "rkf45_absolute",
      .aliases = "Rk45",
      .family = "embedded",
      .reference = "Fehlberg 1969; Hofmann 2011, 2.7.3, after Heene 2011",
      .guidance =
          "Use it to repeat studies made with it. After a step h with an error of e tolerances the next step is h / e; "
          "for a pair of fourth order this rule changes the step too much in both directions, so set run.largest_step.",
      .order = 4,
      .order_damped = 4,
      .order_spring = 4,
      .order_sliding = 4,
      .force_evaluations = 6,
      .adaptive = true};
  static constexpr Tableau<6> tableau = fehlberg45;
  struct Control {
    static constexpr unsigned measured = StatePart::positions;
    static runge_kutta::Verdict judge(Real e, Real, Real h) {
      return three_quarters(h, e, [&] { return h / e; });
    }
  };
  static constexpr Control control{};
};

struct Rkf45Relative {
  static constexpr Claims claims{
      .name = "rkf45_relative",
      .aliases = "Rk45N",
      .family = "embedded",
      .reference = "Fehlberg 1969; Hofmann 2011, 2.7.3, after Yang, Cao, Chung & Morris 2005",
      .guidance =
          "Use it if the error per second of motion must be bounded: the tolerance is the error allowed per second, "
          "and after a step h with an error of e tolerances the next step is (h / 2e)^(1/4) h. If the force of a "
          "dashpot jumps, the step shrinks in proportion to the tolerance; at tight tolerances it reaches round-off, "
          "and the run stops with a message.",
      .order = 5,
      .order_damped = 5,
      .order_spring = 5,
      .order_sliding = 5,
      .force_evaluations = 6,
      .adaptive = true};
  static constexpr Tableau<6> tableau{.a = fehlberg45.a, .b = fehlberg45.embedded, .embedded = fehlberg45.b};
  struct Control {
    static constexpr unsigned measured = StatePart::positions;
    static runge_kutta::Verdict judge(Real e, Real, Real h) {
      return three_quarters(h, e, [&] { return std::sqrt(std::sqrt(h / (2 * e))) * h; });
    }
  };
  static constexpr Control control{};
};

}  // namespace cairn::schemes
