// What a scheme may ask. Algebra verbs are complete and pure; motion verbs work in place and have a generic definition
// (generic.hpp) that toys use and tests take as oracle. No scheme sees an element of a state.
//
// Times. Between steps the state is settled: positions, velocities, springs and ledger belong to the same instant (a
// staggered scheme's velocities to half a step before), no spring owes a drift, and no spring is longer than its
// Coulomb limit. current_rate() is what the last force found: for schemes of algebra verbs the rate of the present
// state, for splittings the accelerations of the last kick.
#pragma once
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "cairn/integrate/claims.hpp"
#include "cairn/state/scratch.hpp"
#include "cairn/state/spring_stages.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

// Of which instant the rates are that a scheme keeps, between steps: memory(i) of i + 1 steps ago, or of i, the first
// of the present as it was predicted; `between`: of the middle of the last step, or about it.
enum class Memory { past, present, between };

// Taylor coefficients a series may have. More would be possible, each costs the engine a kernel of its own.
inline constexpr int most_series_orders = 12;

// Whether a force is asked for within a step or at its end, where springs beyond the Coulomb limit return to it.
enum class StageKind { stage, end };

// What implicit schemes have asked for since the start.
struct Effort {
  std::int64_t evaluations = 0;        // of all forces
  std::int64_t iterations = 0;         // of a fixed point or of Newton's method
  std::int64_t linear_iterations = 0;  // derivatives along a direction, for linear equations
  std::int64_t unsettled = 0;  // steps whose force jumps where the solution would be: a mean of both sides taken
};

// The control of steps and its memory: step sizes, tolerances, the effort spent. Part of what a restart restores.
struct Controller {
  Real step = 0;            // [s] next step to try; 0: not yet chosen
  Real largest = 0;         // [s] 0: the step asked for
  Real smallest = 0;        // [s] a rejection of this ends the run
  Real tolerance = 1e-6;    // [-] of the error of an adaptive step
  Real previous_error = 1;  // [-] error over tolerance of the last accepted step
  std::int64_t accepted = 0, rejected = 0;
  Real solver_tolerance = 1e-12;  // [-] implicit schemes: of what is solved for, in the norm of error()
  Effort effort{};
};

// How a step ends. All of it belongs to the scheme; the defaults are those of schemes with velocities at the time of
// the positions and a trapezoidal quadrature.
struct StepEnd {
  // [steps] how much of the power of springs beyond the Coulomb limit, at the step's end and before they return, the
  // scheme's own quadrature saw (docs/decisions/0004). The trapezoidal rule sees a half.
  Real trial_spring_weight = 0.5;
  Real velocity_lag = 0;  // [s] how far velocities are behind positions
  // [s] The kick by the force that was asked for last: of a step that ends with it, or to come where velocities lag; 0:
  // the step ends otherwise.
  Real closing_kick = 0;
  // [s^2] Positions are off by this times their acceleration, in the opposite direction, from those of an exact motion
  // with these velocities (docs/onset.md, the positions of velocity Verlet); 0: it is not known.
  Real position_offset = 0;
};

// Verbs of schemes that combine rates. They are complete and pure: only combine() and commit() write the state.
template <class S>
concept AlgebraSystem = requires(S& s, State& y, const State& k, Real h, int i, unsigned parts) {
  { s.state() } -> std::same_as<State&>;
  { s.current_rate() } -> std::same_as<State&>;            // the rate or accelerations of the last force
  { s.borrow(i) } -> std::same_as<Scratch::Borrowed>;      // i states for the time of a scope, within a step
  { s.memories() } -> std::convertible_to<int>;            // how many there are
  { s.memory(i) } -> std::same_as<State&>;                 // survives sorting and restart; holds rates, never positions
  { s.add_memory(Memory::past) } -> std::same_as<State&>;  // one more
  // The rate y becomes memory(0), the others move on; those beyond i in number are forgotten. y is no more.
  s.remember(y, i);
  { s.steps() } -> std::convertible_to<std::int64_t>;  // committed so far
  { s.last_step() } -> std::convertible_to<Real>;      // [s] length of the last of them
  { s.controller() } -> std::same_as<Controller&>;
  s.rates(y, y);                                 // k = f(y)
  s.series(y, 2, std::span<State* const>{}, h);  // Taylor coefficients 1, 2, ... of the motion from y, for steps of h
  s.combine(y, k, std::span<const Term>{}, parts);    // y = k + sum c k, over the parts named
  { s.error(k, k, h) } -> std::convertible_to<Real>;  // size of an error over a tolerance, both arguments states
  s.commit(h, StepEnd{});                             // the step is done: t += h, then the discrete things
};

// Verbs of schemes that move the state in place, by kicks and drifts.
template <class S>
concept MotionSystem = AlgebraSystem<S> && requires(S& s, Real h, std::optional<Real> extrapolation) {
  s.kick(h);              // v += h a, ledger += h power
  s.drift(h);             // x += h v, t += h; springs follow
  s.kick_drift(h, h, h);  // both in one pass; the next force will be predicted so far ahead
  // Then, with r = *extrapolation, a of current_rate() becomes a + r (a - a_old): memory(0) held a_old and takes a.
  s.kick_drift(h, h, h, extrapolation);
  s.spring_quadrature(SpringQuadrature::midpoint);  // how springs follow
  s.force(h, StageKind::stage, h);                  // current_rate() at x, v + h a_old; then a kick
  // Between the only drift of this step of h and its only force: contacts that have begun take effect; velocities are
  // so far [s] behind positions. Other schemes leave it to commit(): they know no accelerations of the step's end
  // before.
  s.begin_contacts(h, h, StepEnd{});
};

// Verbs of schemes that solve equations for their stages.
template <class S>
concept ImplicitSystem = AlgebraSystem<S> && requires(S& s, State& y, const State& k, Real h, int i, unsigned parts) {
  // Of velocities, sum of m v.v + I omega.omega [J]; `springs` too: and of k_t xi.xi, as linearise() found k_t.
  { s.inner_product(k, k, parts) } -> std::convertible_to<Real>;
  s.linearise(std::span<State* const>{});  // the states at which tangent() stands, until the next rates()
  s.tangent(i, y, y);                      // k = Df d: directional derivative of f at the i-th of them; not of powers
  s.tangent(i, y, y, h);  // the same, along a d whose springs over h go no farther than to where h would return them
  { s.worst(i, k) } -> std::convertible_to<std::string>;  // names the contact there that has most to do with a residual
};

template <class S>
concept System = MotionSystem<S> && ImplicitSystem<S>;

// s.combine() with its terms written down.
template <class S>
void combine(S& s, State& out, const State& y, std::initializer_list<Term> terms, unsigned parts) {
  s.combine(out, y, std::span<const Term>(terms.begin(), terms.size()), parts);
}

}  // namespace cairn
