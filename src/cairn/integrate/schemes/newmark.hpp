// Newmark's method and its descendants that damp what a step cannot resolve.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/one_stage.hpp"

namespace cairn::schemes {

struct Newmark {
  static constexpr Claims claims{
      .name = "newmark",
      .family = "implicit",
      .reference = "Newmark, J. Eng. Mech. Div. ASCE 85 (1959) 67",
      .equations =
          "solve x' = x + h v + h^2 ((1/2 - beta) a + beta a'), v' = v + h ((1 - gamma) a + gamma a') with a' = "
          "f(x', v')\nspins, springs and ledger like v",
      .guidance =
          "The standard of structural dynamics. With beta = 1/4, gamma = 1/2 (the default) it is stable at any step "
          "while contacts stay closed, and conserves the energy of linear contacts; if contacts open within long "
          "steps, it gains energy, and the ledger shows the gain. With gamma above 1/2 it damps and is of first order.",
      .order = 2,
      .order_damped = 2,
      .order_spring = 2,
      .order_sliding = 2,
      .force_evaluations = 2,
      .symplectic = true,
      .reversible = true,
      .implicit = true,
      .a_stable = true,
      .parameters = {{{"beta", 0.25, 0, 1, "weight of the new acceleration in the position"},
                      {"gamma", 0.5, 0.5, 1, "weight of the new acceleration in the velocity"}}}};

  template <ImplicitSystem S>
  static void step(S& s, Real h, const Parameters& p) {
    s.rates(s.state(), s.current_rate());
    implicit::alpha_step(s, {.beta = p[0], .gamma = p[1]}, s.current_rate(), h);
  }
};

// The acceleration that an alpha method remembers: where its equation of motion stands between the steps, none is the
// force at an end of a step.
template <ImplicitSystem S>
State& remembered_acceleration(S& s) {
  s.rates(s.state(), s.current_rate());
  if (s.memories() == 0) s.combine(s.add_memory(Memory::present), s.current_rate(), {}, StatePart::everything);
  return s.memory(0);
}

struct HhtAlpha {
  static constexpr Claims claims{
      .name = "hht_alpha",
      .family = "implicit",
      .reference = "Hilber, Hughes & Taylor, Earthquake Eng. Struct. Dyn. 5 (1977) 283",
      .equations =
          "newmark with beta = (1 + alpha)^2 / 4, gamma = 1/2 + alpha and a' = f(y' - alpha (y' - y))\nspins, springs "
          "and ledger like v; a is remembered",
      .guidance =
          "Second order, and stable at any step while contacts stay closed; it damps motions that the step does not "
          "resolve. alpha = 0 is newmark, alpha = 1/3 damps the most (in the literature alpha also runs from 0 to "
          "-1/3).",
      .order = 2,
      .order_damped = 2,
      .order_spring = 2,
      .force_evaluations = 2,
      .memory = 1,
      .implicit = true,
      .a_stable = true,
      .parameters = {
          {{"alpha", 0.1, 0, 1.0 / 3, "share of the step by which the force is taken before the end of the step"}}}};

  template <ImplicitSystem S>
  static void step(S& s, Real h, const Parameters& p) {
    const Real alpha = p[0];
    State& a = remembered_acceleration(s);
    implicit::alpha_step(s, {.beta = 0.25 * (1 + alpha) * (1 + alpha), .gamma = 0.5 + alpha, .force = alpha}, a, h);
  }
};

struct GeneralizedAlpha {
  static constexpr Claims claims{
      .name = "generalized_alpha",
      .family = "implicit",
      .reference = "Chung & Hulbert, J. Appl. Mech. 60 (1993) 371",
      .equations =
          "newmark with mass = (2 rho - 1) / (rho + 1), force = rho / (rho + 1), beta = (1 - mass + force)^2 / 4, "
          "gamma "
          "= 1/2 - mass + force and (1 - mass) a' + mass a = f(y' - force (y' - y))\nspins, springs and ledger like "
          "v; a is remembered",
      .guidance =
          "Second order, and stable at any step while contacts stay closed. rho is the share of the fastest motions "
          "that remains after a step: 1 keeps all of it, 0 removes it at once. No other choice with the same rho damps "
          "slow motions less.",
      .order = 2,
      .order_damped = 2,
      .order_spring = 2,
      .force_evaluations = 2,
      .memory = 1,
      .implicit = true,
      .a_stable = true,
      .parameters = {{{"rho", 0.8, 0, 1, "spectral radius for infinitely long steps"}}}};

  template <ImplicitSystem S>
  static void step(S& s, Real h, const Parameters& p) {
    const Real rho = p[0];
    const Real mass = (2 * rho - 1) / (rho + 1), force = rho / (rho + 1), more = force - mass;
    State& a = remembered_acceleration(s);
    implicit::alpha_step(s, {.beta = 0.25 * (1 + more) * (1 + more), .gamma = 0.5 + more, .mass = mass, .force = force},
                         a, h);
  }
};

}  // namespace cairn::schemes
