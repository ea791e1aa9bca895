// A sphere that slides, rolls and spins on a plane.
#include <algorithm>
#include <cmath>

#include "cairn/core/text.hpp"
#include "cairn/studies/validation/world.hpp"

namespace cairn::studies {
namespace {

// A stiff contact: under its weight the sphere sinks into the plane by a hundred-thousandth of its radius. Its lever is
// shorter than the radius by this fraction; closed forms take the radius.
constexpr Real radius = 0.01, mass = 0.01, gravity = 10, friction = 0.3;  // [m] [kg] [m/s^2] [-]
constexpr Real sinking = 1e-5;                                            // [-] overlap over radius
constexpr Real stiffness = mass * gravity / (sinking * radius);           // [N/m]
constexpr Real frequency = 1e4;                                           // [rad/s] of the contact, sqrt(k / m)
constexpr Real step = 0.1 / frequency;                                    // [s]
// Under a constant force schemes of second order are exact. What remains is the lever and the time in which a spring
// stretches.
constexpr Real bound = 10 * sinking;

struct Plane {
  Vector pull{0, 0, -gravity};  // [m/s^2]
  Motion motion{};
  Real twisting = 0;  // [-] mu_o
};

ValidationRun on_plane(const ValidationSettings& settings, const Plane& plane, const Vector& position,
                       const Vector& velocity, const Vector& spin) {
  ContactSettings contact;
  contact["stiffness"] = stiffness;
  contact["damping"] = 0.4 * mass * frequency, contact["tangential_damping"] = 0.2 * mass * frequency;
  contact["friction"] = settings.friction * friction, contact["twisting_friction"] = settings.friction * plane.twisting;
  WorldSettings s;
  s.laws = law_table("linear", {Material{}}, [&](auto, auto) { return contact; });
  s.rolling = rolling_table(1, [&](auto, auto) { return contact; });
  s.gravity = plane.pull;
  add_plane(s, {}, {0, 0, 1}, plane.motion);
  const Real height = radius + mass * plane.pull.z / stiffness;  // at rest
  const GrainData sphere{
      .position = {position.x, position.y, height}, .velocity = velocity, .spin = spin, .radius = radius, .mass = mass};
  return ValidationRun(settings, s, {&sphere, 1}, step);
}

constexpr const char* rigid = "closed form, rigid sphere";

ValidationRow row(const char* test, const std::string& quantity, const char* unit, Real expected, Real found) {
  return {test, quantity, unit, expected, found, bound, true, rigid};
}

// --- Slope ----------------------------------------------------------------------------------------------------------

struct Accelerations {
  Real along, turning;  // [m/s^2] [rad/s^2]
};

// From rest, after the spring of the contact has settled.
Accelerations down_slope(const ValidationSettings& settings, Real angle, Real time) {
  constexpr Real settled = 0.02;  // [s] some sixty times the time a spring rings
  ValidationRun run = on_plane(settings, {{gravity * std::sin(angle), 0, -gravity * std::cos(angle)}}, {}, {}, {});
  run.advance_to(settled);
  const Real begin = run.world().time(), v = run.velocity(0).x, w = run.spin(0).y;
  run.advance_to(settled + time);
  const Real passed = run.world().time() - begin;
  return {(run.velocity(0).x - v) / passed, (run.spin(0).y - w) / passed};
}

// Rolls while friction suffices, 2/7 of the pull: tan a <= 7/2 mu.
Accelerations rigid_down_slope(Real angle) {
  const Real pull = gravity * std::sin(angle), rubbed = friction * gravity * std::cos(angle);
  if (std::tan(angle) <= 3.5 * friction) return {5.0 / 7 * pull, 5.0 / 7 * pull / radius};
  return {pull - rubbed, 2.5 * rubbed / radius};
}

void validate_slope(ValidationCase& c, const ValidationSettings& settings) {
  const auto radians = [](Real degrees) { return degrees * pi / 180; };
  for (const Real angle : {20.0, 45.0, 48.0, 60.0}) {
    const Accelerations found = down_slope(settings, radians(angle), 0.2), expected = rigid_down_slope(radians(angle));
    const std::string at =
        " at " + brief(angle) + " deg, it " + (std::tan(radians(angle)) <= 3.5 * friction ? "rolls" : "slides");
    c.rows.push_back(row("Slope", "acceleration" + at, "m/s^2", expected.along, found.along));
    c.rows.push_back(row("Slope", "angular acceleration" + at, "rad/s^2", expected.turning, found.turning));
  }
  ValidationFigure f{"Slope", "A sphere on a slope", "slope [deg]", "angular acceleration [rad/s^2]", {}, {}, {}, {}};
  const int points = settings.quick ? 9 : 17;
  for (int k = 1; k <= points; ++k) {
    const Real angle = 85.0 * k / points;
    f.found_x.push_back(angle), f.found_y.push_back(down_slope(settings, radians(angle), 0.05).turning);
  }
  for (Real angle = 1; angle < 86; angle += 1)
    f.expected_x.push_back(angle), f.expected_y.push_back(rigid_down_slope(radians(angle)).turning);
  c.figures.push_back(f);
}

// --- Belt and ball
// ----------------------------------------------------------------------------------------------------

// Slides on a plane that moves at `belt` until it rolls. Slip s = v - R w - V falls by 7/2 mu g t, v by mu g t.
struct Skid {
  const char* test;
  std::string start;
  Real belt, velocity, surface;  // [m/s] surface: R w, positive as it would roll forwards
  Real slip() const { return velocity - surface - belt; }
  Real time() const { return std::fabs(slip()) / (3.5 * friction * gravity); }
  Real speed(Real t) const { return velocity - (slip() > 0 ? 1 : -1) * friction * gravity * std::min(t, time()); }
  Real spin() const { return (speed(time()) - belt) / radius; }
};

void validate_skid(ValidationCase& c, const ValidationSettings& settings, const Skid& skid) {
  Plane plane;
  plane.motion.velocity = {skid.belt, 0, 0};
  ValidationRun run = on_plane(settings, plane, {}, {skid.velocity, 0, 0}, {0, skid.surface / radius, 0});
  const auto slip = [&] { return run.velocity(0).x - radius * run.spin(0).y - skid.belt; };
  const Real end = 1.2 * skid.time();
  ValidationFigure f{skid.test, skid.start, "time [s]", "velocity [m/s]", {}, {}, {}, {}};
  Real before = skid.slip(), stops = 0;
  const auto every = std::max(1L, std::lround(end / step) / 30);
  long steps = 0;
  run.advance_to(end, [&] {
    const Real now = slip();
    if (stops == 0 && now * skid.slip() <= 0) stops = run.world().time() - step * now / (now - before);
    before = now;
    if (++steps % every == 0) f.found_x.push_back(run.world().time()), f.found_y.push_back(run.velocity(0).x);
  });
  for (const Real t : {0.0, skid.time(), end}) f.expected_x.push_back(t), f.expected_y.push_back(skid.speed(t));
  c.figures.push_back(f);
  const std::string of = ", " + skid.start;
  c.rows.push_back(row(skid.test, "time until it rolls" + of, "s", skid.time(), stops));
  c.rows.push_back(row(skid.test, "velocity when it rolls" + of, "m/s", skid.speed(end), run.velocity(0).x));
  c.rows.push_back(row(skid.test, "spin when it rolls" + of, "rad/s", skid.spin(), run.spin(0).y));
}

// --- Twisting
// ---------------------------------------------------------------------------------------------------------

// The torque mu_o F_n R takes the spin about the normal: w = w_0 - 5/2 mu_o g t / R. Without a dashpot beside it the
// spring of twisting grows from nothing in the first step, half of whose torque is missing.
void validate_top(ValidationCase& c, const ValidationSettings& settings) {
  constexpr Real spin = 50, twisting = 0.2, stops = 0.4 * radius * spin / (twisting * gravity);
  Plane plane;
  plane.twisting = twisting;
  ValidationRun run = on_plane(settings, plane, {}, {}, {0, 0, spin});
  run.advance_to(0.5 * stops);
  const Real left = run.spin(0).z + (run.world().time() - 0.5 * stops) * spin / stops;
  Real before = left, found = 0;
  run.advance_to(1.1 * stops, [&] {
    const Real now = run.spin(0).z;
    if (found == 0 && now <= 0) found = run.world().time() - step * now / (now - before);
    before = now;
  });
  for (const ValidationRow& of : {row("Twisting", "spin at half the time to rest", "rad/s", 0.5 * spin, left),
                                  row("Twisting", "time to rest", "s", stops, found)}) {
    c.rows.push_back(of);
    c.rows.back().bound += step / stops;
  }
}

}  // namespace

ValidationCase validate_rolling(const ValidationSettings& settings, const ProgressCallback& on_progress) {
  ValidationCase c;
  if (on_progress) on_progress(0, "slope");
  validate_slope(c, settings);
  if (on_progress) on_progress(0.4, "belt and ball");
  validate_skid(c, settings, {"Belt", "sphere laid on a belt", 1, 0, 0});
  validate_skid(c, settings, {"Ball", "backspin of 3 m/s", 0, 2, -3});
  validate_skid(c, settings, {"Ball", "backspin of 6 m/s, it comes back", 0, 2, -6});
  if (on_progress) on_progress(0.9, "twisting");
  validate_top(c, settings);
  return c;
}

// A sphere that rolls without slipping on a table that turns at W: friction turns its velocity, v' = 2/7 W x v, so
// that it runs in a circle, wherever the table's axis is.
ValidationCase validate_turntable(const ValidationSettings& settings, const ProgressCallback& on_progress) {
  if (on_progress) on_progress(0, "turntable");
  constexpr const char* source = "Weltner, Am. J. Phys. 47 (1979) 984";
  constexpr Real table = 4 * pi, orbit = 2.0 / 7 * table, period = tau / orbit, speed = 0.2;  // [rad/s] [s] [m/s]
  const Vector start{0.1, 0, 0}, velocity{0, speed, 0};
  Plane plane;
  plane.motion.axis = {0, 0, 1}, plane.motion.rotation_rate = table;
  const Real lever = radius * (1 - sinking);
  // The contact point moves with the table: v - lever w x z = table z x r.
  const Vector up{0, 0, 1}, rolls = (1 / lever) * cross(cross(table * up, start) - velocity, up);
  ValidationRun run = on_plane(settings, plane, start, velocity, rolls);
  ValidationFigure f{"Turntable", "A sphere on a turntable", "time [s]", "position along x [m]", {}, {}, {}, {}};
  Real turned = 0;  // [rad]
  Vector before = velocity;
  const auto every = std::lround(period / step) / 60;
  long steps = 0;
  run.advance_to(period, [&] {
    if (++steps % every != 0) return;
    const Vector now = run.velocity(0);
    turned += std::atan2(before.x * now.y - before.y * now.x, before.x * now.x + before.y * now.y);
    before = now;
    f.found_x.push_back(run.world().time()), f.found_y.push_back(run.position(0).x);
  });
  const Real watched = f.found_x.back();
  const Real size = speed / orbit;
  for (int k = 0; k <= 200; ++k) {
    const Real t = period * k / 200.0;
    f.expected_x.push_back(t), f.expected_y.push_back(start.x - size + size * std::cos(orbit * t));
  }
  ValidationCase c;
  c.figures.push_back(f);
  c.rows.push_back(
      {"Turntable", "angular frequency of the orbit", "rad/s", orbit, turned / watched, bound, true, source});
  const Vector missed = run.position(0) - start - (run.world().time() - period) * velocity;
  c.rows.push_back({"Turntable", "distance from the start after one orbit, over the radius of the orbit", "1", 0,
                    std::hypot(missed.x, missed.y) / size, tau * bound, false, source});
  return c;
}

}  // namespace cairn::studies
