// Implicit methods of one stage: each is a line of how the stage follows from what is known and how the step follows
// from the stage.
#pragma once
#include <algorithm>
#include <array>

#include "cairn/integrate/newton.hpp"

namespace cairn::implicit {

// One stage Y = base + rates K with K = f(Y); of positions x = base.x + speeds v.
template <ImplicitSystem S>
class Stage {
 public:
  explicit Stage(S& s) : s_(s), scratch_(s.borrow(2)) {}

  State& base() { return scratch_[0]; }
  // The rate K; guessed to be the present one, or that of a stage with the present velocities, which is nearer in steps
  // that do not resolve the contacts.
  State& solve(Real rates, Real speeds) {
    State& k = scratch_[1];
    const auto scratch = s_.borrow(1);
    State& still = scratch[0];
    combine(s_, still, s_.state(), {{-1, &base()}}, StatePart::everything);
    combine(s_, still, still, {{1 / rates - 1, &still}}, StatePart::everything);
    s_.combine(k, s_.current_rate(), {}, StatePart::everything);
    newton::solve<1>(s_, {.rates = {{{rates}}}, .speeds = {{{speeds}}}}, {&base()}, {&k}, {&still});
    return k;
  }
  // The state becomes the stage itself, whose rate is k.
  void take(State& k, Real rates, Real speeds) {
    State& y = s_.state();
    combine(s_, y, base(), {{rates, &k}}, StatePart::but_positions);
    combine(s_, y, base(), {{speeds, &y}}, StatePart::carried);
  }

 private:
  S& s_;
  const Scratch::Borrowed scratch_;
};

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

template <ImplicitSystem S>
void alpha_step(S& s, const Alpha& m, State& a, Real h) {
  Stage stage(s);
  const auto scratch = s.borrow(1);
  State &y = s.state(), &base = stage.base(), &after = scratch[0];
  const Real until_force = (1 - m.force) * h, rates = until_force * m.gamma / (1 - m.mass),
             speeds = h * m.beta / m.gamma;
  combine(s, base, y, {{until_force - rates, &a}}, StatePart::but_positions);
  combine(s, base, y, {{until_force - speeds, &y}, {until_force * h * (0.5 - m.beta / m.gamma), &a}},
          StatePart::carried);
  State& found = stage.solve(rates, speeds);
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
