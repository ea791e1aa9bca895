// The expected error of restitution against its closed form and against pairs of grains, and what runs say of it.
#include "cairn/run/resolution.hpp"

#include <cmath>

#include "cairn/contact/head_on.hpp"
#include "cairn/run/simulation.hpp"
#include "desk.hpp"

namespace cairn {
namespace {

Collision collision(Real e, Attraction attraction, const std::string& law = "linear") {
  const Material glass{.young = 1e7, .poisson = 0.2};
  const ContactSettings contact{.attraction = attraction, .restitution = e, .stiffness = 2e4};
  return {law_table(law, {glass}, [&](auto, auto) { return contact; }), 0.003, 0.005, 1};
}

HeadOn exact(const Collision& c) {
  return std::visit([&](const auto& laws) { return head_on(laws[0], c.m_eff, c.r_eff, c.speed); }, c.law);
}

RestitutionError error(const Collision& c, const std::string& scheme, Real steps) {
  return restitution_error(c, scheme_named(scheme), exact(c).duration / steps);
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
          CHECK(error(collision(e, attraction), s.name, steps).onset_off ==
                doctest::Approx(2 * s.share * ends * std::log(1 / e) / steps).epsilon(0.12));
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
      CHECK(slope(c, scheme, 25.3, 91.7, false) == doctest::Approx(1).epsilon(0.1));
    CHECK(slope(c, "velocity_verlet_implicit", 25.3, 91.7, true) == doctest::Approx(2).epsilon(0.1));
    CHECK(slope(c, "velocity_verlet_predicted", 25.3, 91.7, true) == doctest::Approx(2).epsilon(0.05));
    CHECK(slope(c, "rk4", 25.3, 91.7, true) > 3.5);
    CHECK(error(c, "velocity_verlet_implicit", 20.4).onset_on <
          0.03 * error(c, "velocity_verlet_implicit", 20.4).onset_off);
  }
}

// The error of an elastic collision is the scheme's own, and a whole number of steps per collision is no lucky one.
TEST_CASE("resolution: no number of steps is luckier than its neighbours") {
  const Collision c = collision(0.8, Attraction::allowed);
  for (const Real steps : {20.0, 30.0})
    CHECK(error(c, "velocity_verlet", steps).onset_off ==
          doctest::Approx(error(c, "velocity_verlet", steps + 0.5).onset_off).epsilon(0.2));
}

// Of two grains that fly towards each other, found without what is tested: velocities long before and long after.
TEST_CASE("resolution: pairs of grains at any phase show the error that is expected") {
  constexpr Real e = 0.7, radius[] = {0.004, 0.007}, mass[] = {0.002, 0.005}, speed = 1;
  for (const char* law : {"linear", "hertz_mindlin"}) {
    Collision c = collision(e, Attraction::clipped, law);
    c.m_eff = mass[0] * mass[1] / (mass[0] + mass[1]), c.r_eff = radius[0] * radius[1] / (radius[0] + radius[1]);
    c.speed = speed;
    const Real duration = exact(c).duration;
    for (const char* name : {"velocity_verlet_predicted", "leapfrog", "abm4"}) {
      const SchemeEntry& scheme = scheme_named(name);
      for (const bool onset : {false, true}) {
        constexpr int tries = 150;
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
          sum += std::pow(dot(w.velocity(at[1]) - w.velocity(at[0]), n) / speed / exact(c).restitution - 1, 2);
        }
        const RestitutionError r = error(c, name, 15.5);
        CAPTURE(law);
        CAPTURE(name);
        CAPTURE(onset);
        CHECK((onset ? r.onset_on : r.onset_off) == doctest::Approx(std::sqrt(sum / tries)).epsilon(0.2));
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
  for (const Real steps : {0.01, 1.9}) {
    CHECK(std::isnan(error(c, "velocity_verlet", steps).onset_off));
    CHECK(std::isnan(error(c, "velocity_verlet", steps).onset_on));
  }
  CHECK(std::isnan(error(c, "forward_euler", 3).onset_off));  // comes back faster than it went
}

// A ball of 0.02 m between two walls 0.1 m apart flies 0.06 m between contacts, which last pi sqrt(m/k) = 5.15 ms where
// it is elastic, at 1 m/s: the first begins after 30 ms, the next 60 ms + 5.15 ms later each.
constexpr const char* between_walls = R"(
[run]
scheme = "velocity_verlet"
step = 2.5e-4
[space]
gravity = [0, 0, 0]
[contact]
stiffness = 1000
[[material]]
name = "rubber"
[[wall]]
type = "plane"
point = [0, 0, -0.05]
normal = [0, 0, 1]
[[wall]]
type = "plane"
point = [0, 0, 0.05]
normal = [0, 0, -1]
[[grain]]
position = [0, 0, 0]
velocity = [0, 0, 1]
radius = 0.02
mass = 0.00269
)";

TEST_CASE("run: contacts of a ball between two walls are counted, and told") {
  const Desk desk;
  write(desk / "a.toml", between_walls);
  const Real lasts = 3.14159265358979 * std::sqrt(0.00269 / 1000);
  for (const std::string& onset : {"off", "on"}) {
    const int contacts = 7;
    const auto end = [&](int began, Real after) { return std::to_string(0.03 + (began - 1) * (0.06 + lasts) + after); };
    const Words common = set({"run.onset=" + onset});
    const json open = desk.run("open", "a.toml", common + set({"run.end=" + end(contacts, 0.03)}));
    CHECK(open["onset"] == (onset == "on"));
    CHECK(open["contact_count"]["began"] == contacts);
    CHECK(open["contact_count"]["ended"] == contacts);
    CHECK(std::fabs(open["contact_count"]["shortest_steps"].get<Real>() - lasts / 2.5e-4) <= 1);
    const json& collision = open["shortest_collision"];
    CHECK(collision["first"] == "rubber");
    CHECK(collision["second"] == "wall of rubber");
    CHECK(collision["restitution"].get<Real>() == doctest::Approx(1));
    CHECK(collision["steps"].get<Real>() == doctest::Approx(lasts / 2.5e-4).epsilon(1e-4));
    CHECK(collision["measured_at_steps"] == collision["steps"]);
    for (const char* error : {"error_onset_off", "error_onset_on"}) {
      CHECK(collision[error].get<Real>() > 0);
      CHECK(collision[error].get<Real>() < 0.01);
    }
    // In the middle of the last.
    const json closed = desk.run("closed", "a.toml", common + set({"run.end=" + end(contacts, 0.5 * lasts)}));
    CHECK(closed["contact_count"]["began"] == contacts);
    CHECK(closed["contact_count"]["ended"] == contacts - 1);

    // What is printed, and what is known before.
    const Words run = Words{"a.toml"} + common + set({"run.end=" + end(contacts, 0.03), "contact.restitution=0.8"});
    const Outcome told = desk.cairn(Words{"run", "--out", "told"} + run);
    REQUIRE_MESSAGE(told.code == 0, told.err);
    CHECK(told.out.find("contacts: ") != told.out.npos);
    const std::size_t at = told.out.find("a head-on collision of rubber with wall of rubber at 1 m/s takes ");
    REQUIRE(at != told.out.npos);
    const std::string words = told.out.substr(at, told.out.find('\n', at) - at);
    CHECK(words.find("expected error of its restitution 0.8: ") != words.npos);
    CHECK((words.find("(onset off, as here)") != words.npos) == (onset == "off"));
    CHECK((words.find("(onset on, as here)") != words.npos) == (onset == "on"));
    CHECK(content(desk / "told" / "report.html").find(words.substr(1)) != std::string::npos);
    CHECK(desk.cairn(Words{"check"} + run).out.find(words) != std::string::npos);
    const json before = json::parse(desk.cairn(Words{"check", "--json"} + run).out);
    CHECK(before["shortest_collision"] == json::parse(content(desk / "told" / "summary.json"))["shortest_collision"]);
  }
}

TEST_CASE("run: no figure where there is none to give") {
  const Desk desk;
  write(desk / "a.toml", between_walls);
  const auto collision = [&](const Words& changes) {
    const Outcome o = desk.cairn(Words{"check", "a.toml", "--json"} + set({"run.end=0.01"}) + changes);
    REQUIRE_MESSAGE(o.code == 0, o.err);
    return json::parse(o.out)["shortest_collision"];
  };
  CHECK(collision(set({"run.scheme=dormand_prince54"})).is_null());
  CHECK(collision(set({"run.step=3e-3", "guards.step=off"}))["error_onset_off"].is_null());
  const Outcome coarse = desk.cairn(Words{"run", "a.toml", "--out", "out"} + unseen() +
                                    set({"run.end=0.01", "run.step=3e-3", "guards.step=off"}));
  CHECK(coarse.out.find("takes 1.72 steps, too few to resolve it") != coarse.out.npos);
}

}  // namespace
}  // namespace cairn
