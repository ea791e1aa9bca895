// Newton's method for the stages of implicit schemes, the linear equations by GMRES (Saad & Schultz, SIAM
// J. Sci. Stat. Comput. 7 (1986) 856) on directional derivatives of the force. In the norm of the energy, for there
// the equations of elastic contacts are the identity, plus what is not negative, plus what is skew: GMRES cannot stall.
// Rejected: conjugate gradients, for the Coulomb limit and dashpots have no symmetric matrix; differences in place of
// derivatives, which next to an opening contact see both sides.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/integrate/system.hpp"

namespace cairn::newton {

// Stages of an implicit scheme, Y_i = base_i + sum_j rates[i][j] K_j with K_j = f(Y_j); positions apart from that:
// x_i = base_i.x + sum_j speeds[i][j] v_j, with the velocities of the stages [s].
template <int N>
struct Stages {
  std::array<std::array<Real, N>, N> rates, speeds;
};

// Places in scratch: a scheme's own come first.
inline constexpr int first_scratch = 8;

template <int N, System S>
class Solver {
 public:
  using States = std::array<State*, N>;

  Solver(S& s, const Stages<N>& stages, const States& base, const States& k)
      : s_(s), stages_(stages), base_(base), k_(k), zero_(s.scratch(first_scratch)) {
    const Term less{-1, &s.state()};
    s.combine(zero_, s.state(), {&less, 1}, StatePart::everything);
    for (int i = 0; i < N; ++i) {
      y_[i] = &s.scratch(first_scratch + 1 + i), before_[i] = &s.scratch(first_scratch + 1 + N + i);
      found_[i] = &s.scratch(first_scratch + 1 + 2 * N + i), residual_[i] = &s.scratch(first_scratch + 1 + 3 * N + i);
      change_[i] = &s.scratch(first_scratch + 1 + 4 * N + i), along_[i] = &s.scratch(first_scratch + 1 + 5 * N + i);
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
      const Real off = size(residual_);
      if (off == 0) break;
      if (iteration == most_iterations || !std::isfinite(off)) fail(iteration);
      solve_linear(off);
      for (int i = 0; i < N; ++i) s_.combine(*before_[i], *y_[i], {}, StatePart::everything);
      const Real share = iteration < settles_late ? searched(off) : averaged(iteration - settles_late);
      ++s_.controller().effort.iterations;
      const Real by = moved();
      if (share == 1 && (by <= 1 || size(change_) <= solved * size(k_))) break;
      // Or as near as the round-off of overlaps lets it come, by which even grains at rest seem to move.
      idle = size(residual_) > 0.5 * off && shifted() <= near ? idle + 1 : 0;
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
  static constexpr unsigned unknown = StatePart::velocities | StatePart::springs;
  static constexpr int restart = 80 * N, most_linear = 800 * N;
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
  void combine(const States& out, const States& a, Real by, const States& b) {
    for (int i = 0; i < N; ++i) {
      const Term term{by, b[i]};
      s_.combine(*out[i], *a[i], {&term, 1}, unknown);
    }
  }
  void scale(const States& out, Real by, const States& a) {
    for (int i = 0; i < N; ++i) {
      const Term term{by, a[i]};
      s_.combine(*out[i], zero_, {&term, 1}, unknown);
    }
  }
  Real inner(const States& a, const States& b) {
    Real all = 0;
    for (int i = 0; i < N; ++i) all += s_.inner_product(*a[i], *b[i], unknown);
    return all;
  }
  Real size(const States& a) { return std::sqrt(inner(a, a)); }

  // From the rates to the stages, and what the force is there.
  void evaluate() {
    for (int i = 0; i < N; ++i) sum(*y_[i], *base_[i], stages_.rates[i], k_, StatePart::but_positions);
    for (int i = 0; i < N; ++i) sum(*y_[i], *base_[i], stages_.speeds[i], y_, StatePart::carried);
    for (int i = 0; i < N; ++i) s_.rates(*y_[i], *found_[i]);
    s_.controller().effort.evaluations += N;
    combine(residual_, k_, -1, found_);
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
    combine(change_, change_, -1, k_);
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
    const Real slope = inner(change_, residual_);
    Real taken = 0, share = 1;
    for (int trial = 0; trial < most_trials; ++trial) {
      advance(taken - share);
      taken = share;
      evaluate();
      const Real now = inner(change_, residual_);
      if (size(residual_) <= (1 - 0.5 * share) * off || (slope > 0 && now >= -0.5 * slope)) break;
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

  void advance(Real by) { combine(k_, k_, by, change_); }

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

  State& basis(int column, int i) { return s_.scratch(first_scratch + 1 + 6 * N + column * N + i); }
  States basis(int column) {
    States all;
    for (int i = 0; i < N; ++i) all[i] = &basis(column, i);
    return all;
  }

  // (1 - Df) change = residual: directly where the System can and there are few unknowns, else as far as GMRES comes.
  void solve_linear(Real whole) {
    if constexpr (requires { s_.solve(std::span<const Real>{}, std::span<const Real>{}, residual_, change_); }) {
      for (int i = 0; i < N; ++i) s_.combine(*change_[i], zero_, {}, StatePart::everything);
      if (s_.solve(flat(stages_.rates), flat(stages_.speeds), residual_, change_)) return;
    }
    for (int i = 0; i < N; ++i) s_.combine(*change_[i], zero_, {}, StatePart::everything);
    Real off = whole;
    for (int total = 0; off > linear_tolerance * whole && total < most_linear;) {
      const Real began = off;
      States first = basis(0);
      if (total == 0) {
        scale(first, 1 / off, residual_);
      } else {
        apply(change_, first);
        for (int i = 0; i < N; ++i) {
          const Term less{-2, first[i]}, there{1, residual_[i]};
          s_.combine(*first[i], *first[i], std::array{less, there}, unknown);
        }
        off = size(first);
        if (!(off > linear_tolerance * whole)) return;
        scale(first, 1 / off, first);
      }
      std::vector<std::vector<Real>> column;  // of the triangle that rotations make of the Hessenberg matrix
      std::vector<std::array<Real, 2>> rotation;
      std::vector<Real> right{off};
      int n = 0;
      while (n < restart && total < most_linear && std::fabs(right[n]) > linear_tolerance * whole) {
        const States next = basis(n + 1);
        apply(basis(n), next);
        ++total, ++s_.controller().effort.linear_iterations;
        std::vector<Real> h(n + 2);
        const Real length = size(next);
        for (int j = 0; j <= n; ++j) {
          h[j] = inner(next, basis(j));
          combine(next, next, -h[j], basis(j));
        }
        h[n + 1] = size(next);
        for (int j = 0; j < n; ++j) {
          const Real up = rotation[j][0] * h[j] + rotation[j][1] * h[j + 1];
          h[j + 1] = rotation[j][0] * h[j + 1] - rotation[j][1] * h[j];
          h[j] = up;
        }
        const bool ends = !(h[n + 1] > 1e-14 * length);  // the solution lies in what there is
        const Real diagonal = std::sqrt(h[n] * h[n] + h[n + 1] * h[n + 1]);
        if (!(diagonal > 0)) break;
        rotation.push_back({h[n] / diagonal, h[n + 1] / diagonal});
        if (!ends) scale(next, 1 / h[n + 1], next);
        h[n] = diagonal;
        right.push_back(-rotation[n][1] * right[n]);
        right[n] *= rotation[n][0];
        column.push_back(std::move(h));
        ++n;
        if (ends) break;
      }
      std::vector<Real> share(n);
      for (int j = n - 1; j >= 0; --j) {
        Real rest = right[j];
        for (int l = j + 1; l < n; ++l) rest -= column[l][j] * share[l];
        share[j] = rest / column[j][j];
      }
      for (int j = 0; j < n; ++j) combine(change_, change_, share[j], basis(j));
      off = n > 0 ? std::fabs(right[n]) : off;
      if (!(off < 0.9 * began)) return;
    }
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
  State& zero_;
  States y_, before_, found_, residual_, change_, along_;
};

template <int N, System S>
void solve(S& s, const Stages<N>& stages, const std::array<State*, N>& base, const std::array<State*, N>& k,
           const std::array<State*, N>& other) {
  Solver<N, S>(s, stages, base, k).solve(other);
}

}  // namespace cairn::newton
