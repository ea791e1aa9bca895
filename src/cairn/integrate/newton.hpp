// Newton's method for the stages of implicit schemes, its linear equations directly or by GMRES (gmres.hpp) on
// directional derivatives of the force. In the norm of the energy the equations of elastic contacts are the identity,
// plus what is not negative, plus what is skew: GMRES cannot stall.
// Rejected: conjugate gradients, because the Coulomb limit and dashpots have no symmetric matrix; differences in place
// of derivatives, which next to an opening contact see both sides.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/integrate/gmres.hpp"

namespace cairn::newton {

// Stages of an implicit scheme, Y_i = base_i + sum_j rates[i][j] K_j with K_j = f(Y_j); positions apart from that:
// x_i = base_i.x + sum_j speeds[i][j] v_j, with the velocities of the stages [s].
template <int N>
struct Stages {
  std::array<std::array<Real, N>, N> rates, speeds;
};

template <int N, ImplicitSystem S>
class Solver {
 public:
  using States = std::array<State*, N>;

  Solver(S& s, const Stages<N>& stages, const States& base, const States& k)
      : s_(s),
        stages_(stages),
        base_(base),
        k_(k),
        scratch_(s.borrow(1 + 6 * N)),
        zero_(scratch_[0]),
        space_(s, zero_) {
    const Term less{-1, &s.state()};
    s.combine(zero_, s.state(), {&less, 1}, StatePart::everything);
    for (int i = 0; i < N; ++i) {
      State* const one[] = {&scratch_[1 + i],         &scratch_[1 + N + i],     &scratch_[1 + 2 * N + i],
                            &scratch_[1 + 3 * N + i], &scratch_[1 + 4 * N + i], &scratch_[1 + 5 * N + i]};
      y_[i] = one[0], before_[i] = one[1], found_[i] = one[2];
      residual_[i] = one[3], change_[i] = one[4], along_[i] = one[5];
    }
  }

  // Starts from the rates in k, or in `other` if what is left is less there; of both, velocities, spins and springs are
  // read. Leaves in k those of the stages.
  void solve(const States& other) {
    constexpr int settles_late = 25, most_iterations = settles_late + 40;
    constexpr Real small = 1e-2;  // what the last iteration may change of the fastest speed, where there is no solution
    constexpr Real solved = 1e-13;  // [-] of the rates
    constexpr Real near = 100;      // [tolerances] of positions
    int idle = 0;                   // iterations in a row that came no nearer
    start(other);
    for (int iteration = 0;; ++iteration) {
      if (remaining() <= nothing) break;
      s_.linearise(y_);
      const Real off = space_.size(residual_);
      if (off == 0) break;
      if (iteration == most_iterations || !std::isfinite(off)) fail(iteration);
      solve_linear(off);
      for (int i = 0; i < N; ++i) s_.combine(*before_[i], *y_[i], {}, StatePart::everything);
      const Real share = iteration < settles_late ? searched(off) : averaged(iteration - settles_late);
      ++s_.controller().effort.iterations;
      const Real by = moved();
      if (share == 1 && (by <= 1 || space_.size(change_) <= solved * space_.size(k_))) break;
      // Or as near as the round-off of overlaps lets it come, by which even grains at rest seem to move.
      idle = space_.size(residual_) > 0.5 * off && shifted() <= near ? idle + 1 : 0;
      if (idle == 2) break;
      if (iteration + 1 == most_iterations && by * s_.controller().solver_tolerance <= small) {
        ++s_.controller().effort.unsettled;
        break;
      }
    }
    // The stage's own numbers stay as solved: the force found there carries the round-off of overlaps, which a stiff
    // contact magnifies.
    for (int i = 0; i < N; ++i)
      s_.combine(*k_[i], *found_[i], {}, StatePart::positions | StatePart::ledger | StatePart::clock);
  }

 private:
  using Space = StageSpace<N, S>;
  static constexpr unsigned unknown = Space::unknown;
  // [tolerances] of a residual that asks for no iteration. Not 1: what a guess leaves it leaves at every step, on the
  // same side, and that adds up; what an iteration leaves that moved nothing any more is its square.
  static constexpr Real nothing = 1e-6;
  static constexpr Real linear_tolerance = 1e-9;  // [-] of the residual: leaves Newton's method its order

  // Of a part of the sum over stages.
  void sum(State& out, const State& from, const std::array<Real, N>& weights, const States& of, unsigned parts) {
    std::array<Term, N> terms;
    std::size_t count = 0;
    for (int j = 0; j < N; ++j)
      if (weights[j] != 0) terms[count++] = {weights[j], of[j]};
    s_.combine(out, from, {terms.data(), count}, parts);
  }
  // From the rates to the stages, and what the force is there.
  void evaluate() {
    for (int i = 0; i < N; ++i) sum(*y_[i], *base_[i], stages_.rates[i], k_, StatePart::but_positions);
    for (int i = 0; i < N; ++i) sum(*y_[i], *base_[i], stages_.speeds[i], y_, StatePart::carried);
    for (int i = 0; i < N; ++i) s_.rates(*y_[i], *found_[i]);
    s_.controller().effort.evaluations += N;
    space_.combine(residual_, k_, -1, found_);
  }

  // The better of two guesses.
  void start(const States& other) {
    const auto off = [&] {
      Real all = 0;
      for (const State* r : residual_) all += s_.inner_product(*r, *r);
      return all;
    };
    evaluate();
    if (remaining() <= nothing) return;
    const Real with = off();
    for (int i = 0; i < N; ++i) s_.combine(*change_[i], *other[i], {}, StatePart::everything);
    space_.combine(change_, change_, -1, k_);
    advance(1);
    evaluate();
    if (off() < with) return;
    advance(-1);
    evaluate();
  }

  // Full steps, where they do not lead too far: elastic contacts have a potential, of which the residual along the
  // change is the slope; where a full step would climb again behind its lowest point, a shorter one. With friction
  // there is none: then the residual has to fall.
  Real searched(Real off) {
    constexpr int most_trials = 10;
    const Real slope = space_.inner(change_, residual_);
    Real taken = 0, share = 1;
    for (int trial = 0; trial < most_trials; ++trial) {
      advance(taken - share);
      taken = share;
      evaluate();
      const Real now = space_.inner(change_, residual_);
      if (space_.size(residual_) <= (1 - 0.5 * share) * off || (slope > 0 && now >= -0.5 * slope)) break;
      share *= slope > 0 && std::isfinite(now) ? std::clamp(slope / (slope - now), 0.1, 0.9) : 0.5;
    }
    return taken;
  }

  // Where a force jumps, as a dashpot's does at the onset of a contact, there may be no K = f(Y) at all, and iterations
  // go to and fro between both sides. The solution then is a mean of both (Filippov 1988), to which ever shorter steps
  // lead.
  Real averaged(int count) {
    const Real share = 1.0 / (2 + count);
    advance(-share);
    evaluate();
    return share;
  }

  void advance(Real by) { space_.combine(k_, k_, by, change_); }

  // [tolerances] largest change of a stage by the last advance; what the residual would change it by.
  Real moved() {
    Real most = 0;
    for (int i = 0; i < N; ++i) most = worse(most, s_.error(*y_[i], *before_[i], s_.controller().solver_tolerance));
    return most;
  }
  // The first, of positions alone.
  Real shifted() {
    for (int i = 0; i < N; ++i) s_.combine(*before_[i], *y_[i], {}, unknown);
    return moved();
  }
  Real remaining() {
    Real most = 0;
    for (int i = 0; i < N; ++i) {
      s_.combine(*along_[i], *y_[i], {}, StatePart::everything);
      sum(*along_[i], *y_[i], stages_.rates[i], residual_, unknown);
      most = worse(most, s_.error(*along_[i], *y_[i], s_.controller().solver_tolerance));
    }
    return most;
  }
  static Real worse(Real a, Real b) { return b > a || std::isnan(b) ? b : a; }

  // out = (1 - Df) in for changes of rates, and of the stages with them.
  void apply(const States& in, const States& out) {
    for (int i = 0; i < N; ++i) {
      s_.combine(*along_[i], zero_, {}, StatePart::everything);
      sum(*along_[i], zero_, stages_.rates[i], in, unknown);
    }
    for (int i = 0; i < N; ++i) sum(*along_[i], zero_, stages_.speeds[i], along_, StatePart::carried);
    for (int i = 0; i < N; ++i) {
      s_.tangent(i, *along_[i], *out[i]);
      const Term less{-2, out[i]}, there{1, in[i]};
      s_.combine(*out[i], *out[i], std::array{less, there}, unknown);
    }
  }

  static std::array<Real, N * N> flat(const std::array<std::array<Real, N>, N>& a) {
    std::array<Real, N * N> all;
    for (int i = 0; i < N; ++i) std::copy(a[i].begin(), a[i].end(), all.begin() + i * N);
    return all;
  }

  // (1 - Df) change = residual: directly where the System can and there are few unknowns, else as far as GMRES comes.
  void solve_linear(Real off) {
    clear(change_);
    if constexpr (requires { s_.solve(std::span<const Real>{}, std::span<const Real>{}, residual_, change_); }) {
      if (s_.solve(flat(stages_.rates), flat(stages_.speeds), residual_, change_)) return;
      clear(change_);
    }
    s_.controller().effort.linear_iterations += gmres(
        space_, [&](const States& in, const States& out) { apply(in, out); }, residual_, off, change_,
        linear_tolerance);
  }
  void clear(const States& a) {
    for (State* y : a) s_.combine(*y, zero_, {}, StatePart::everything);
  }

  [[noreturn]] void fail(int iterations) {
    int at = 0;
    for (int i = 1; i < N; ++i)
      if (s_.inner_product(*residual_[i], *residual_[i], unknown) >
          s_.inner_product(*residual_[at], *residual_[at], unknown))
        at = i;
    throw Error(Exit::guard, "Newton's method did not converge in " + std::to_string(iterations) +
                                 " iterations at t = " + brief(s_.state().time) + " s: the residual is " +
                                 brief(remaining()) + " times the tolerance and is largest at " +
                                 s_.worst(at, *residual_[at]) + "; take a smaller step");
  }

  S& s_;
  const Stages<N> stages_;
  const States base_, k_;
  const Scratch::Borrowed scratch_;
  State& zero_;
  Space space_;
  States y_, before_, found_, residual_, change_, along_;
};

template <int N, ImplicitSystem S>
void solve(S& s, const Stages<N>& stages, const std::array<State*, N>& base, const std::array<State*, N>& k,
           const std::array<State*, N>& other) {
  Solver<N, S>(s, stages, base, k).solve(other);
}

}  // namespace cairn::newton
