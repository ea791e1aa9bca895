#include "cairn/studies/energy/pyramid.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/contact/laws/all.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/run/contact_event_recorder.hpp"
#include "cairn/run/expected_energy.hpp"
#include "cairn/studies/thread_time.hpp"
#include "cairn/studies/validation/world.hpp"

namespace cairn::studies {
namespace {

constexpr Real sphere_radius = 0.1, sphere_density = 2700, side = 1;  // [m] [kg/m^3] [m]
const Real mass = sphere_mass_of(sphere_density, sphere_radius);

// Other laws are matched to the linear one: two spheres that meet at 1 m/s press and rebound alike.
LawTable laws_of(const PyramidCase& of) {
  const Material aluminium{.name = "aluminium"};
  ContactSettings linear{{"stiffness", of.stiffness}, {"damping", of.damping}};
  if (of.law == "linear") {
    LinearSpringDashpot law = LinearSpringDashpot::from(linear, aluminium, aluminium);
    if (of.printed_rate) law.damping = -law.damping;
    return std::vector{law};
  }
  constexpr Real speed = 1;  // [m/s]
  const Real m_eff = mass / 2, deepest = speed * std::sqrt(m_eff / of.stiffness);
  // Half of k d^2 is two fifths of k' d^(5/2).
  ContactSettings matched{
      {"stiffness", 1.25 * of.stiffness / std::sqrt(deepest)},
      {"restitution", restitution_of(of.damping / (2 * std::sqrt(of.stiffness * m_eff)), Attraction::clipped)},
      {"restitution_speed", speed}};
  if (of.law == ExtendedNonlinear::name) matched["damping_exponent"] = 1;  // at 1/2 it is Kuwabara and Kono's law
  return law_table(of.law, {aluminium}, [&](auto, auto) { return matched; });
}

std::vector<GrainData> spheres_of(const PyramidCase& of) {
  const Real s = 2 * sphere_radius + of.gap, bottom = sphere_radius + of.gap;
  std::vector<GrainData> all;
  const auto add = [&](Real x, Real y, Real z) {
    all.push_back({.position = {0.5 * side + x, 0.5 * side + y, z}, .radius = sphere_radius, .mass = mass});
  };
  for (const int i : {-1, 0, 1})
    for (const int j : {-1, 0, 1}) add(i * s, j * s, bottom);
  for (const Real i : {-0.5, 0.5})
    for (const Real j : {-0.5, 0.5}) add(i * s, j * s, bottom + s / std::sqrt(2));
  if (of.thrown) {
    const Vector middle{0.5 * side, 0.5 * side, bottom + 0.3 * s};
    for (GrainData& g : all) g.velocity = 5.0 * (middle - g.position) + Vector{0.3, -0.2, 0.1};
  }
  return all;
}

WorldSettings world_of(const PyramidCase& of) {
  WorldSettings s;
  s.laws = laws_of(of);
  s.rotation = false, s.onset = false;
  s.gravity = {};
  if (of.thrown) return s;
  s.gravity = {0, 0, -9.81};
  add_plane(s, {}, {0, 0, 1});
  add_plane(s, {}, {1, 0, 0}), add_plane(s, {side, 0, 0}, {-1, 0, 0});
  add_plane(s, {}, {0, 1, 0}), add_plane(s, {0, side, 0}, {0, -1, 0});
  return s;
}

// As the thesis counts: six for each attempt of an embedded pair and one more, two for each iteration of Gauss's
// method.
std::int64_t calls_of(const SchemeEntry& scheme, const World& world) {
  const Controller& c = world.controller();
  if (scheme.claims.adaptive) return scheme.claims.force_evaluations * (c.accepted + c.rejected) + 1;
  if (scheme.claims.implicit) return c.effort.evaluations;
  return scheme.claims.force_evaluations * world.steps();
}

}  // namespace

Real PyramidRun::growth() const {
  return failed() || energy.empty() ? nan : energy.back() / energy.front();
}

Real PyramidRun::furthest_from(const PyramidRun& other) const {
  Real most = failed() ? nan : 0;
  for (std::size_t k = 0; k < std::min(energy.size(), other.energy.size()); ++k)
    most = std::max(most, std::fabs(energy[k] - other.energy[k]));
  return most;
}

PyramidRun run_pyramid(const PyramidCase& of, const PyramidSettings& settings) {
  const SchemeEntry& scheme = *settings.scheme;
  PyramidRun run;
  World world(world_of(of));
  world.insert(spheres_of(of));
  world.begin();
  Controller& c = world.controller();
  if (scheme.claims.adaptive) {
    c.tolerance = settings.adaptive_error / sphere_radius;
    c.step = c.largest = settings.largest_step, c.smallest = std::min(settings.step, settings.largest_step);
  } else if (scheme.claims.implicit) {  // the stages move by half a step of the rates
    c.solver_tolerance = 0.5 * settings.step * settings.iteration_error;
  }
  ContactEventRecorder recorder;
  ExpectedLoss loss;
  Momenta first = world.momenta();
  const Real lag = scheme.staggered ? 0.5 * settings.step : 0;
  const auto look = [&] {
    const World::Synchronised now(world, world.steps() > 0 ? lag : 0);
    const Energies energies = world.energies();
    run.time.push_back(world.time()), run.energy.push_back(energies.mechanical());
    run.expected.push_back(world.initial_energy() - loss.value());
    run.residual.push_back(world.residual(energies));
    const Momenta momenta = world.momenta();
    run.lost_momentum = std::max(run.lost_momentum, norm(momenta.linear - first.linear) / mass);
    run.lost_angular = std::max(run.lost_angular, norm(momenta.angular - first.angular) / (mass * sphere_radius));
  };
  look();
  const Real before = thread_seconds();
  try {
    for (std::int64_t output = 1; static_cast<Real>(output) * settings.every <= settings.end * (1 + 1e-9); ++output) {
      const Real next = static_cast<Real>(output) * settings.every;
      while (world.time() < next - 1e-9 * settings.step) {
        if (settings.expects) {
          const World::Synchronised now(world, world.steps() > 0 ? lag : 0);
          recorder.before_step(world);
        }
        scheme.advance(world, scheme.claims.adaptive ? next - world.time() : settings.step);
        if (settings.expects) {
          const World::Synchronised now(world, lag);
          recorder.after_step(world);
          run.collisions += std::ssize(recorder.begun());
          loss.add(world, recorder.begun());
          recorder.take();
        }
      }
      look();
      if (!std::isfinite(run.energy.back()) || std::fabs(run.energy.back()) > 1e6 * run.energy.front())
        throw Error(Exit::guard, "the motion exploded");
    }
  } catch (const Error& error) {
    run.failure = error.what();
  }
  run.seconds = thread_seconds() - before;
  run.steps = world.steps();
  run.calls = calls_of(scheme, world), run.iterations = world.controller().effort.iterations;
  for (int i = 0; i < world.size(); ++i)
    run.spheres.push_back({world.position(i), sphere_radius, norm(world.velocity(i))});
  return run;
}

std::string picture_of(const PyramidRun& run, const std::string& caption, Real fastest) {
  Scene scene;
  scene.balls = Balls(run.spheres);
  scene.patches.push_back({{{0, 0, 0}, {side, 0, 0}, {side, side, 0}, {0, side, 0}}});
  const Vector corners[] = {{0, 0, 0}, {side, 0, 0}, {side, side, 0}, {0, side, 0}};
  for (int k = 0; k < 4; ++k) {
    const Vector up{0, 0, side}, &a = corners[k], &b = corners[(k + 1) % 4];
    scene.lines.push_back({a, a + up, Line::Stroke::faint}),
        scene.lines.push_back({a + up, b + up, Line::Stroke::faint});
    scene.lines.push_back({a, b, Line::Stroke::plain});
  }
  Camera camera = camera_around({0, 0, 0}, {side, side, side}, {0.55, -0.75, 0.35});
  return encode_png(draw(scene, camera, {.low = 0, .high = fastest, .label = "speed [m/s]"}, caption, 1));
}

}  // namespace cairn::studies
