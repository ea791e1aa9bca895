// The expected error of restitution against its closed form and against pairs of grains.
#include "cairn/run/resolution.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "cairn/report/contact_words.hpp"
#include "worlds.hpp"

namespace cairn {
namespace {

Collision collision(Real e, Attraction attraction, const std::string& law = "linear") {
  const Material glass{.young = 1e7, .poisson = 0.2};
  const ContactSettings contact{{"attraction", attraction}, {"restitution", e}, {"stiffness", 2e4}};
  return {law_table(law, {glass}, [&](auto, auto) { return suited(law, contact); }), 0.003, 0.005, 1};
}

RestitutionError error(const Collision& c, const std::string& scheme, Real steps) {
  return restitution_error(c, scheme_named(scheme), head_on(c).duration / steps);
}

Real off_by(Real a, Real b) {  // doctest's Approx adds 1 to what it is relative to
  return std::fabs(a / b - 1);
}

// A contact found a part p of a step after it began has had the impulse of the dashpot's jump, 2 zeta omega v, for half
// a step in velocity Verlet, and not for that part: the velocity is wrong by 2 zeta omega h (1/2 - p). Where attraction
// is allowed the force jumps by as much of the rebound velocity at the end. With zeta omega t_c = -ln e the rms over p
// is 2 ln(1/e) / (N sqrt 12), over both ends sqrt 2 times that. Runge and Kutta's weights 1/6, 2/3, 1/6 at the
// beginning, the middle and the end of a step make 1/6 - p of the first half and 5/6 - p of the second: rms 1/6.
TEST_CASE("resolution: without correction the error of the linear law is that of the dashpot's jumps") {
  struct Scheme {
    const char* name;
    Real share;  // of the jump, rms
  };
  for (const Scheme& s : {Scheme{"velocity_verlet_implicit", std::sqrt(1 / 12.0)}, Scheme{"rk4", 1 / 6.0}})
    for (const Attraction attraction : {Attraction::clipped, Attraction::allowed})
      for (const Real e : {0.9, 0.75, 0.5}) {
        CAPTURE(s.name);
        CAPTURE(e);
        const Real ends = attraction == Attraction::allowed ? std::sqrt(2.0) : 1;
        for (const Real steps : {60.3, 97.8})
          CHECK(off_by(error(collision(e, attraction), s.name, steps).onset_off,
                       2 * s.share * ends * std::log(1 / e) / steps) < 0.02);
      }
}

TEST_CASE("resolution: with correction the error falls with the order of the scheme") {
  const auto slope = [](const Collision& c, const std::string& scheme, Real few, Real many, bool onset) {
    const auto at = [&](Real steps) {
      const RestitutionError r = error(c, scheme, steps);
      return onset ? r.onset_on : r.onset_off;
    };
    return std::log(at(few) / at(many)) / std::log(many / few);
  };
  for (const Attraction attraction : {Attraction::clipped, Attraction::allowed}) {
    const Collision c = collision(0.8, attraction);
    for (const char* scheme : {"velocity_verlet_implicit", "velocity_verlet_predicted", "rk4"})
      CHECK(off_by(slope(c, scheme, 25.3, 91.7, false), 1) < 0.1);
    for (const char* scheme : {"velocity_verlet_implicit", "velocity_verlet_predicted"})
      CHECK(off_by(slope(c, scheme, 25.3, 91.7, true), 2) < 0.1);
    CHECK(slope(c, "rk4", 25.3, 91.7, true) > 3.5);
    CHECK(error(c, "velocity_verlet_implicit", 20.4).onset_on <
          0.03 * error(c, "velocity_verlet_implicit", 20.4).onset_off);
  }
}

// With a whole number of steps, and no other near it, the jumps at both ends cancel: the error is of second order.
TEST_CASE("resolution: no number of steps is luckier than its neighbours") {
  const Collision c = collision(0.8, Attraction::allowed);
  for (const Real steps : {20.0, 30.0})
    CHECK(off_by(error(c, "velocity_verlet_implicit", steps).onset_off,
                 error(c, "velocity_verlet_implicit", steps + 0.5).onset_off) < 0.05);
}

// Of two grains that fly towards each other, found without what is tested: velocities long before and long after.
TEST_CASE("resolution: pairs of grains at any phase show the error that is expected") {
  constexpr Real e = 0.7, radius[] = {0.004, 0.007}, mass[] = {0.002, 0.005}, speed = 1;
  for (const char* law : {"linear", "hertz_mindlin"}) {
    Collision c = collision(e, Attraction::clipped, law);
    c.m_eff = mass[0] * mass[1] / (mass[0] + mass[1]), c.r_eff = radius[0] * radius[1] / (radius[0] + radius[1]);
    c.speed = speed;
    const Real duration = head_on(c).duration;
    for (const char* name : {"velocity_verlet_predicted", "leapfrog", "abm4"}) {
      const SchemeEntry& scheme = scheme_named(name);
      for (const bool onset : {false, true}) {
        constexpr int tries = 400;
        Real sum = 0;
        for (int k = 0; k < tries; ++k) {
          WorldSettings s;
          s.laws = c.law, s.gravity = {}, s.onset = onset;
          World w(s);
          const Real h = duration / (15 + std::fmod(0.7548776662 * k, 1.0));
          const Real gap = speed * h * (6 + std::fmod(0.5698402910 * k, 1.0));
          const Vector n{0.6, 0, 0.8};
          w.insert(std::vector<GrainData>{
              {.position = {}, .velocity = 0.3 * speed * n, .radius = radius[0], .mass = mass[0]},
              {.position = (radius[0] + radius[1] + gap) * n,
               .velocity = -0.7 * speed * n,
               .radius = radius[1],
               .mass = mass[1]}});
          w.begin();
          for (int step = 0; step < 60; ++step) scheme.advance(w, h);
          const std::vector<int> at = w.grains().by_id();
          sum += std::pow(dot(w.velocity(at[1]) - w.velocity(at[0]), n) / speed / head_on(c).restitution - 1, 2);
        }
        const RestitutionError r = error(c, name, 15.5);
        CAPTURE(law);
        CAPTURE(name);
        CAPTURE(onset);
        CHECK(off_by(onset ? r.onset_on : r.onset_off, std::sqrt(sum / tries)) < 0.1);
      }
    }
  }
}

TEST_CASE("resolution: long collisions get a bound, short ones no number") {
  const Collision c = collision(0.8, Attraction::clipped);
  for (const Real steps : {most_resolved + 1, 730.0, 1e6}) {
    const RestitutionError r = error(c, "velocity_verlet", steps);
    CHECK(r.steps <= most_resolved);
    CHECK(r.steps >= 0.5 * most_resolved);
    CHECK(r.onset_off > 0.1288 / steps);
    CHECK(r.onset_on > 0);
  }
  CHECK(error(c, "velocity_verlet", most_resolved).steps == doctest::Approx(most_resolved));
  for (const char* scheme : {"velocity_verlet", "rk4"})
    for (const Real steps : {0.01, 1.9}) {
      CHECK(std::isnan(error(c, scheme, steps).onset_off));
      CHECK(std::isnan(error(c, scheme, steps).onset_on));
    }
  CHECK(std::isnan(error(c, "forward_euler", 3).onset_off));  // comes back faster than it went
}

TEST_CASE("run: what a step makes of a collision, in words that are so") {
  const auto told = [](Real steps, Real measured, Real off, Real on) {
    return in_words({"rubber", "glass", 0.05, steps, {off, on, measured}}, false);
  };
  const Real nan = std::nan("");
  const auto says = [](const std::string& text, const char* words) {
    INFO(text);
    CHECK(text.find(words) != text.npos);
  };
  says(told(1.5, 1.5, nan, nan), "takes 1.5 steps, too few steps to resolve it: lower run.step");
  says(told(40, 40, nan, nan), "the scheme does not complete the collision at this step");
  says(told(69729, 99.9, nan, nan),
       "is unknown: with 99.9 steps, the number used to measure the error, the scheme does not complete");
  CHECK(told(69729, 99.9, nan, nan).find("too few") == std::string::npos);
  says(told(40, 40, 320.56, 0.05), ": 321 times the restitution itself (onset off, as here), 5 % (onset on)");
  says(told(400, 100, 1.56, 0.05),
       ": below 1.6 times the restitution itself (onset off, as here), below 5 % (onset on)");
}

}  // namespace
}  // namespace cairn
