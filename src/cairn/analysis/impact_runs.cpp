#include "cairn/analysis/impact_runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cairn/core/constants.hpp"
#include "cairn/integrate/schemes/rk4.hpp"

namespace cairn {
namespace {

// A contact ends where nothing overlaps, and so its force pulls no farther. Where the benchmark lets it, a slab without
// friction lies on the sphere: what the plane loses in overlap the slab gains, and the two together are the spring and
// dashpot that never let go.
WorldSettings settings(const Impact& impact, bool may_pull, bool corrected) {
  ContactSettings with_plane;
  with_plane["stiffness"] = impact.contact.stiffness;
  with_plane["damping"] = impact.contact.damping;
  with_plane["tangential_ratio"] = impact.contact.tangential_stiffness / impact.contact.stiffness;
  with_plane["friction"] = impact.material.friction;
  with_plane["attraction"] = may_pull ? Attraction::allowed : Attraction::clipped;
  ContactSettings with_slab = with_plane;
  with_slab["friction"] = 0;
  const Real radius = impact.material.radius;
  Surface plane, slab;
  plane.direction = {0, 0, 1};
  slab.wall = slab.material = 1;
  slab.shape = SolidBox{{100 * radius, 100 * radius, radius}};
  slab.point = {0, 0, 3 * radius};
  WorldSettings s;
  s.materials = 2;
  s.laws = law_table("linear", {Material{}, Material{}},
                     [&](std::size_t i, std::size_t j) { return i == j ? with_plane : with_slab; });
  s.gravity = {};
  s.surfaces = {plane};
  if (may_pull) s.surfaces.push_back(slab);
  s.walls = {"plane", "slab"};
  s.onset = corrected;
  return s;
}

}  // namespace

Impact::Impact(const ImpactMaterial& m, ImpactVelocity v) : material(m), velocity(v) {
  const ExactImpact solution(m, v);
  contact = solution.contact();
  exact = solution.outcome();
}

ImpactRun::ImpactRun(const Impact& impact, const ImpactScheme& scheme, int n, bool may_pull, bool corrected)
    : impact_(impact), scheme_(scheme), h_(impact.contact.duration / n), world_(settings(impact, may_pull, corrected)) {
  constexpr Real depth = 1e-6;  // [-] about pi times the largest overlap, in radii
  vy_ = depth * impact.material.radius / impact.contact.duration;
  vx_ = vy_ * (impact.velocity.vx / impact.velocity.vy);
}

void ImpactRun::begin(Real height) {
  const GrainData sphere{.position = {0, 0, height},
                         .velocity = {vx_, 0, -vy_},
                         .radius = impact_.material.radius,
                         .mass = impact_.material.mass};
  world_.insert({&sphere, 1});
  world_.begin();
  velocity_ = world_.velocity(0), spin_ = world_.spin(0);
}

// What is remembered is free flight, far above everything; then the sphere is put at this height.
void ImpactRun::begin_after_flight(Real height) {
  begin(10 * impact_.material.radius);
  steps(scheme_.memory + 1);
  world_.state().body.set(BodyRow::x, 0, {0, 0, height});
  world_.begin(true, World::Past::kept);
}

// As the benchmark starts each scheme.
void ImpactRun::begin_at(Real height) {
  reads_printed_ = starts_ = scheme_.past_positions;
  scheme_.staggered && !scheme_.past_positions ? begin_after_flight(height) : begin(height);
}

// Verlet's first step, x_1 by rk4: the velocity of the middle of the step is what it moved by. The force on a sphere
// turns it as it moves it, r m dv = I dw, so that its mean spin follows from its mean velocity.
void ImpactRun::start_from_positions() {
  const Vector before = world_.position(0), flight = world_.velocity(0);
  runge_kutta::step(world_, schemes::Rk4::tableau, h_);
  velocity_ = world_.velocity(0), spin_ = world_.spin(0);
  const Vector mean = (1 / h_) * (world_.position(0) - before);
  constexpr Real inertia = 0.4;  // [m r^2] of a solid sphere
  world_.state().body.set(BodyRow::v, 0, mean);
  world_.state().body.set(BodyRow::w, 0, {0, -(mean.x - flight.x) / (inertia * impact_.material.radius), 0});
}

ImpactRun ImpactRun::aligned(const Impact& impact, const ImpactScheme& scheme, int n) {
  ImpactRun run(impact, scheme, n, true);
  run.begin_at(std::nextafter(impact.material.radius, 0.0));  // in contact from the first force on
  return run;
}

ImpactRun ImpactRun::phased(const Impact& impact, const ImpactScheme& scheme, int n, Real phase, Onset onset) {
  const bool in_flight = onset == Onset::simulated || onset == Onset::corrected;
  ImpactRun run(impact, scheme, n, !in_flight, onset == Onset::corrected);
  const Real radius = impact.material.radius, advance = run.vy_ * run.h_;  // of a step of free flight
  if (onset == Onset::sampled) {
    run.samples_between_ = scheme.positions_between;
    run.begin_at(radius - (phase - (scheme.positions_between ? 0.5 : 0)) * advance);
  } else if (onset == Onset::remembered) {
    run.begin_after_flight(radius - phase * advance);
  } else {
    // Enough flight for what is remembered and for stages that reach out of their step. Before its last step the
    // sphere must not touch, round-off or not.
    const int flight = scheme.memory + 2;
    const Real round_off = 8 * std::numeric_limits<Real>::epsilon() * radius;
    run.begin(radius + (flight - std::min(phase, 1 - round_off / advance)) * advance);
    run.steps(flight);
  }
  return run;
}

void ImpactRun::steps(int count) {
  for (int k = 0; k < count; ++k) {
    if (std::exchange(starts_, false)) {
      start_from_positions();
      continue;
    }
    const Vector v = world_.velocity(0), w = world_.spin(0);
    scheme_.advance(world_, h_);
    velocity_ = world_.velocity(0), spin_ = world_.spin(0);
    if (reads_printed_) velocity_ = 0.5 * (v + velocity_), spin_ = 0.5 * (w + spin_);
  }
}

bool ImpactRun::over() const {
  const Real approach = -velocity_.z, behind = samples_between_ ? 0.5 * h_ : 0;
  const Real overlap = impact_.material.radius - world_.position(0).z - behind * approach;
  return approach < 0 && impact_.contact.stiffness * overlap + impact_.contact.damping * approach <= 0;
}

ImpactOutcome ImpactRun::outcome() const {
  const Vector& v = velocity_;
  return {v.z / vy_, v.x / vx_, std::atan(v.x / std::fabs(v.z)), -spin_.y * (impact_.velocity.vy / vy_)};
}

ImpactOutcome run_aligned(const Impact& impact, const ImpactScheme& scheme, int n) {
  ImpactRun run = ImpactRun::aligned(impact, scheme, n);
  run.steps(n);
  return run.outcome();
}

ImpactOutcome run_phased(const Impact& impact, const ImpactScheme& scheme, int n, Real phase, Onset onset) {
  ImpactRun run = ImpactRun::phased(impact, scheme, n, phase, onset);
  const int most = 20 * n;  // then it is lost
  for (int k = 0; k < most && !run.over(); ++k) run.steps(1);
  if (run.over()) return run.outcome();
  return {nan, nan, nan, nan};
}

ImpactOutcome relative_error(const ImpactOutcome& found, const ImpactOutcome& exact) {
  const auto error = [](Real a, Real b) { return std::fabs((a - b) / b); };
  return {error(found.e_n, exact.e_n), error(found.e_t, exact.e_t), error(found.beta, exact.beta),
          error(found.omega_f, exact.omega_f)};
}

}  // namespace cairn
