// Explicit Runge-Kutta methods from their tables, with fixed step or with step control by an embedded pair.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/integrate/system.hpp"

namespace cairn {

template <int N>
struct Tableau {
  std::array<std::array<Real, N>, N> a;  // strictly lower triangle
  std::array<Real, N> b;
  std::array<Real, N> embedded{};  // weights of the solution of lower order; zero: none
};

namespace runge_kutta {

// The classical method of order 4, Kutta 1901; also what starts multistep methods.
inline constexpr Tableau<4> classical{.a = {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}},
                                      .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

// The stages of a step from the present state. k_0 is its rate, which the System has anyway.
template <int N, AlgebraSystem S>
class Stages {
 public:
  Stages(S& s, const Tableau<N>& t) : s_(s), tableau_(t), scratch_(s.borrow(N)) {}

  // Finds the rates k_i of all stages. The state of the last stage stays in last().
  void evaluate(Real h) {
    s_.rates(s_.state(), rate(0));
    for (int i = 1; i < N; ++i) {
      sum(last(), tableau_.a[i], h);
      s_.rates(last(), rate(i));
    }
  }
  // out = y + h sum w_i k_i; zero weights are left out.
  void sum(State& out, const std::array<Real, N>& w, Real h, unsigned parts = StatePart::everything) {
    std::array<Term, N> terms;
    std::size_t count = 0;
    for (int i = 0; i < N; ++i)
      if (w[i] != 0) terms[count++] = {h * w[i], &rate(i)};
    s_.combine(out, s_.state(), {terms.data(), count}, parts);
  }
  State& last() { return scratch_[0]; }

 private:
  State& rate(int i) { return i == 0 ? s_.current_rate() : scratch_[i]; }

  S& s_;
  const Tableau<N>& tableau_;
  const Scratch::Borrowed scratch_;
};

template <int N, AlgebraSystem S>
void step(S& s, const Tableau<N>& t, Real h) {
  Stages stages(s, t);
  stages.evaluate(h);
  stages.sum(s.state(), t.b, h);
  s.commit(h, {.trial_spring_weight = N > 1 ? 0.5 : 0});  // sum b_i c_i
}

// What control makes of a trial step: whether it is kept, and the next step to try [s].
struct Verdict {
  bool accepted;
  Real next;
};

// Proportional-integral control (Gustafsson 1991; Hairer, Norsett & Wanner II, IV.2): after an error e, over its
// tolerance, that followed one of `before`, the step changes by 0.9 before^(b/32) / e^(a/32). In thirty-seconds, so
// that square roots suffice: the same bits everywhere. Near 0.17 and 0.04 for order 5, near 0.7/3 and 0.4/3 for
// order 3.
struct PiControl {
  static constexpr unsigned measured = StatePart::everything;  // parts whose error counts
  int a, b;

  Real factor(Real e, Real before) const {
    const auto root32 = [](Real x, int power) {
      for (int k = 0; k < 5; ++k) x = std::sqrt(x);
      Real product = 1;
      for (int k = 0; k < power; ++k) product *= x;
      return product;
    };
    return std::clamp(0.9 * root32(std::max(before, 1e-4), b) / root32(std::max(e, 1e-12), a), 0.2, 5.0);
  }
  Verdict judge(Real e, Real before, Real h) const {
    if (e <= 1) return {true, h * factor(e, before)};
    return {false, h * (std::isfinite(e) ? std::min(0.9, factor(e, 1)) : 0.2)};
  }
};

// One accepted step of at most h; returns its length. A rejected attempt leaves no trace: the state is written once,
// when the attempt is accepted.
template <int N, AlgebraSystem S, class Control>
Real adaptive_step(S& s, const Tableau<N>& t, const Control& control, Real h) {
  Controller& c = s.controller();
  if (c.step == 0) c.step = h;
  Stages stages(s, t);
  State& kept = stages.last();
  const auto scratch = s.borrow(1);
  State& other = scratch[0];
  for (;;) {
    Real wanted = std::max(c.step, c.smallest);
    if (c.largest > 0) wanted = std::min(wanted, c.largest);
    const bool cut = wanted >= h;  // cut short by the caller, not by the error
    const Real trial = cut ? h : wanted;
    stages.evaluate(trial);
    if (t.a[N - 1] != t.b) stages.sum(kept, t.b, trial);  // else the last stage is the solution
    if (Control::measured != StatePart::everything)
      s.combine(other, kept, {}, StatePart::everything);  // no error in the rest
    stages.sum(other, t.embedded, trial, Control::measured);
    const Real e = s.error(kept, other, c.tolerance);
    const Verdict verdict = control.judge(e, c.previous_error, trial);
    if (verdict.accepted) {
      c.step = cut ? std::max(verdict.next, wanted) : verdict.next;
      c.previous_error = e;
      ++c.accepted;
      s.combine(s.state(), kept, {}, StatePart::everything);
      s.commit(trial);
      return trial;
    }
    ++c.rejected;
    if (trial <= c.smallest)
      throw Error(Exit::guard, "the smallest step " + brief(c.smallest) +
                                   " s was rejected at t = " + brief(s.state().time) + " s: its error, " + brief(e) +
                                   " tolerances, asks for a step of " + brief(verdict.next) +
                                   " s; allow smaller steps or a larger tolerance, or take another scheme");
    c.step = verdict.next;
  }
}

}  // namespace runge_kutta
}  // namespace cairn
