// The splitting engine: a scheme is a table of stages, kick then drift. The force is found wherever a kick follows a
// drift; the engine, not the scheme, decides when.
#pragma once
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/implicit_kick.hpp"

namespace cairn {

struct Stage {
  Real kick = 0, drift = 0;  // [steps]
  Real predict = 0;          // [steps] the force after the drift is evaluated at v + predict h a
  bool extrapolate = false;  // that a is not the last one known, but extrapolated to the end of the step
  bool implicit = false;     // last of a step, without a drift: the kick asks for the force at the velocity it leads to
};

// Velocity Verlet steps of these lengths one after the other, the kicks between them joined: Yoshida 1990.
template <std::size_t N>
constexpr std::array<Stage, N + 1> composition(const std::array<Real, N>& lengths) {
  std::array<Stage, N + 1> stages{};
  for (std::size_t k = 0; k < N; ++k) {
    stages[k].kick += 0.5 * lengths[k];
    stages[k].drift = lengths[k];
    stages[k + 1].kick = 0.5 * lengths[k];
  }
  return stages;
}

// Lengths that read the same backwards: w_1, ..., w_n, what is left of one, w_n, ..., w_1.
template <std::size_t N>
constexpr std::array<Stage, 2 * N + 2> symmetric_composition(const std::array<Real, N>& half) {
  std::array<Real, 2 * N + 1> lengths{};
  Real middle = 1;
  for (std::size_t k = 0; k < N; ++k) {
    lengths[k] = lengths[2 * N - k] = half[k];
    middle -= 2 * half[k];
  }
  lengths[N] = middle;
  return composition(lengths);
}

// [mu F_n] friction on a contact that slides by far more than its spring can stretch in a step: the mean over the
// kicks. The spring follows each drift from the limit, where the step began: behind the beginning it is beyond the
// limit the other way. Nothing in a state tells how a contact came to its limit (docs/decisions/0016).
constexpr Real sliding_friction(std::span<const Stage> stages) {
  Real at = 0, mean = 0;  // [steps] from the beginning; [mu F_n]
  for (const Stage& stage : stages) {
    mean += at < 0 ? -stage.kick : stage.kick;
    at += stage.drift;
  }
  return mean;
}

// [-] the length of this step over that of the last, which memory(0) is of; 0 in the first step.
template <System S>
std::optional<Real> extrapolation(S& s, Real h) {
  if (s.memories() > 0) return h / s.last_step();
  s.add_memory(Memory::past);
  return 0;
}

// [steps^2] StepEnd::position_offset: of velocity Verlet, and of leapfrogs, whose positions are the same; of position
// Verlet; 0 with other schemes.
constexpr Real position_offset(std::span<const Stage> stages) {
  if (stages.size() == 1) return 0.125;
  if (stages.size() != 2) return 0;
  const Stage &a = stages[0], &b = stages[1];
  if (a.kick == 0.5 && a.drift == 1 && b.kick == 0.5 && b.drift == 0) return 0.125;
  return a.kick == 0 && a.drift == 0.5 && b.kick == 1 && b.drift == 0.5 ? -0.125 : 0;
}

// A staggered scheme keeps its velocities half a step behind its positions: v_{-1/2} = v_0 - (h/2) a_0.
template <System S>
void splitting_step(S& s, std::span<const Stage> stages, bool staggered, SpringQuadrature quadrature, Real h) {
  s.spring_quadrature(quadrature);
  if (staggered && s.steps() == 0) s.kick(-0.5 * h);
  std::size_t last_drift = 0;
  int drifts = 0;
  Real at = 0, seen = 0;  // [steps] sum of kicks, each times where in the step it stands
  for (std::size_t k = 0; k < stages.size(); ++k) {
    seen += stages[k].kick * at;
    at += stages[k].drift;
    if (stages[k].drift != 0) last_drift = k, ++drifts;
  }
  const Real offset = position_offset(stages);
  const bool kicks_last = stages.back().drift == 0 && (offset > 0 || !stages.back().implicit);  // by the force before
  const Real unseen = 0.5 - seen, lag = std::fabs(unseen) > 1e-9 ? unseen * h : 0;  // the sum leaves round-off
  const StepEnd end{.trial_spring_weight = seen,
                    .velocity_lag = lag,
                    .closing_kick = kicks_last ? stages.back().kick * h : lag,
                    .position_offset = offset * h * h};
  bool kicked = false;  // by the force before it
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const Real kick = kicked ? 0 : stages[k].kick * h, drift = stages[k].drift * h;
    kicked = false;
    if (stages[k].implicit)
      implicit_kick(s, stages[k].kick * h);
    else if (kick != 0 || drift != 0)
      s.kick_drift(kick, drift, stages[k].predict * h, stages[k].extrapolate ? extrapolation(s, h) : std::nullopt);
    const bool last = k + 1 == stages.size();
    const Stage& next = last ? stages.front() : stages[k + 1];
    if (drift == 0 || next.kick == 0) continue;
    if (drifts == 1) s.begin_contacts(h, last ? lag : next.kick * h, end);
    if (next.implicit) continue;
    s.force(stages[k].predict * h, k == last_drift ? StageKind::end : StageKind::stage, last ? 0 : next.kick * h);
    kicked = !last;
  }
  s.commit(h, end);
}

}  // namespace cairn
