// Implicit methods of one stage: each is a line of how the stage follows from what is known and how the step follows
// from the stage.
#pragma once
#include <algorithm>
#include <array>

#include "cairn/integrate/newton.hpp"

namespace cairn::implicit {

// Places in scratch.
template <System S>
State& base(S& s) {
  return s.scratch(0);
}
template <System S>
State& rate(S& s) {
  return s.scratch(1);
}

// The rate K of the stage Y = base + rates K, x = base.x + speeds v; guessed to be the present one, or that of a stage
// with the present velocities, which is nearer in steps that do not resolve the contacts.
template <System S>
State& solved(S& s, Real rates, Real speeds) {
  State& still = s.scratch(2);
  combine(s, still, s.state(), {{-1, &base(s)}}, StatePart::everything);
  combine(s, still, still, {{1 / rates - 1, &still}}, StatePart::everything);
  s.combine(rate(s), s.current_rate(), {}, StatePart::everything);
  newton::solve<1>(s, {.rates = {{{rates}}}, .speeds = {{{speeds}}}}, {&base(s)}, {&rate(s)}, {&still});
  return rate(s);
}

// The state becomes the stage itself, its rate `k`.
template <System S>
void take_stage(S& s, State& k, Real rates, Real speeds) {
  State& y = s.state();
  combine(s, y, base(s), {{rates, &k}}, StatePart::but_positions);
  combine(s, y, base(s), {{speeds, &y}}, StatePart::carried);
}

// Newmark's family with the equation of motion between the ends of the step (Chung & Hulbert, J. Appl. Mech. 60 (1993)
// 371): f is asked at the share 1 - force of the step, and is the acceleration at its share 1 - mass:
//   x' = x + h v + h^2 ((1/2 - beta) a + beta a'), v' = v + h ((1 - gamma) a + gamma a')
//   (1 - mass) a' + mass a = f(y + (1 - force) (y' - y))
// Spins and springs like velocities (Jansen, Whiting & Hulbert, Comput. Methods Appl. Mech. Eng. 190 (2000) 305). `a`
// [in] is the rate of the step's beginning and becomes that of its end. The ledger does not follow `a`, which would
// carry the powers of springs beyond the Coulomb limit into later steps: it has the powers of the settled beginning
// and of f, weighted so that a second order is left.
struct Alpha {
  Real beta, gamma, mass = 0, force = 0;  // [-]
};

template <System S>
void alpha_step(S& s, const Alpha& m, State& a, Real h) {
  State& y = s.state();
  const Real reach = (1 - m.force) * h, rates = reach * m.gamma / (1 - m.mass), speeds = h * m.beta / m.gamma;
  combine(s, base(s), y, {{reach - rates, &a}}, StatePart::but_positions);
  combine(s, base(s), y, {{reach - speeds, &y}, {reach * h * (0.5 - m.beta / m.gamma), &a}}, StatePart::carried);
  State &found = solved(s, rates, speeds), &after = s.scratch(2);
  combine(s, after, found, {{1 / (1 - m.mass) - 1, &found}, {-m.mass / (1 - m.mass), &a}}, StatePart::everything);
  combine(s, y, y, {{h, &y}, {h * h * (0.5 - m.beta), &a}, {h * h * m.beta, &after}}, StatePart::carried);
  combine(s, y, y, {{h * (1 - m.gamma), &a}, {h * m.gamma, &after}},
          StatePart::velocities | StatePart::springs | StatePart::clock);
  const Real late = 0.5 / (1 - m.force);
  combine(s, y, y, {{h * (1 - late), &s.current_rate()}, {h * late, &found}}, StatePart::ledger);
  s.combine(a, after, {}, StatePart::everything);
  s.commit(h);
}

}  // namespace cairn::implicit
