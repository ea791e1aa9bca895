// The backward differentiation formula of second order.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/one_stage.hpp"
#include "cairn/integrate/schemes/implicit_midpoint.hpp"

namespace cairn::schemes {

struct Bdf2 {
  static constexpr Claims claims{
      .name = "bdf2",
      .aliases = "BDF2",
      .family = "implicit",
      .reference = "Curtiss & Hirschfelder, Proc. Natl. Acad. Sci. 38 (1952) 235",
      .equations =
          "solve y' = y + (1/3) (y - y_before) + (2/3) h f(y')\n"
          "implicit_midpoint makes the first step",
      .guidance =
          "Second order and stable at any step. It damps fast motions like backward_euler and keeps slow motions. Use "
          "it for slow loading of stiff packings.",
      .order = 2,
      .order_damped = 2,
      .order_spring = 2,
      .force_evaluations = 2,
      .memory = 1,
      .implicit = true,
      .a_stable = true};

  template <ImplicitSystem S>
  static void step(S& s, Real h) {
    const bool first = s.memories() == 0;
    const auto scratch = s.borrow(1);
    State &y = s.state(), &begin = scratch[0];
    s.combine(begin, y, {}, StatePart::everything);
    s.rates(y, s.current_rate());
    implicit::Stage stage(s);
    if (first) {
      s.combine(stage.base(), y, {}, StatePart::everything);
      const State& k = stage.solve(0.5 * h, 0.5 * h);
      combine(s, y, y, {{h, &k}}, StatePart::everything);
    } else {
      combine(s, stage.base(), y, {{h / 3, &s.memory(0)}}, StatePart::everything);
      State& k = stage.solve(2 * h / 3, 2 * h / 3);
      stage.take(k, 2 * h / 3, 2 * h / 3);
      // Not through the mean: it would carry the powers of springs beyond the Coulomb limit into later steps.
      combine(s, y, begin, {{0.5 * h, &s.current_rate()}, {0.5 * h, &k}}, StatePart::ledger);
    }
    // What is remembered is a rate, the mean one of the step.
    State& mean = first ? s.add_memory(Memory::between) : s.memory(0);
    combine(s, mean, y, {{-1, &begin}}, StatePart::everything);
    combine(s, mean, mean, {{1 / h - 1, &mean}}, StatePart::everything);
    s.commit(h);
  }
};

}  // namespace cairn::schemes
