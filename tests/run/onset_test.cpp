// When a run corrects contact onsets, and when it does not.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/core/text.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"

using namespace cairn;

namespace {

Scenario ball(const std::string& contact, const std::string& run = "") {
  return parse_scenario("[run]\nstep = 1e-3\nend = 0.5\n" + run + "[contact]\n" + contact +
                            "[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n"
                            "[[grain]]\nposition = [0, 0, 0.06]\nvelocity = [0, 0, -1]\nradius = 0.05\nmass = 0.1\n",
                        "ball.toml", {});
}

std::string said(const Simulation& s, const std::string& guard) {
  for (const GuardReport& g : s.guards())
    if (g.name == guard) return g.message;
  return "no such guard";
}

}  // namespace

TEST_CASE("onset: on with the linear law and fixed steps, off with others and on demand") {
  const std::string soft = "stiffness = 1e4\nrestitution = 0.8\n";
  const auto corrects = [&](const std::string& run) { return Simulation(ball(soft, run)).world().settings().onset; };
  CHECK(corrects(""));
  CHECK(corrects("onset = 'on'\n"));
  CHECK(!corrects("onset = 'off'\n"));
  CHECK(!corrects("scheme = 'dormand_prince54'\n"));
  CHECK_THROWS_AS(corrects("scheme = 'dormand_prince54'\nonset = 'on'\n"), Error);

  // Hertz contacts: on demand where a dashpot makes them begin abruptly.
  const auto hertz = [](const std::string& restitution, const std::string& run) {
    Simulation s(ball("law = 'hertz_mindlin'\nrestitution = " + restitution + "\n[[material]]\nyoung = 1e6\n", run));
    s.start();
    return std::pair(s.world().settings().onset, said(s, "onset"));
  };
  CHECK(!hertz("0.8", "").first);
  CHECK(hertz("0.8", "onset = 'on'\n").first);
  CHECK(!hertz("1", "onset = 'on'\n").first);
  CHECK(hertz("1", "onset = 'on'\n").second.find("has no effect") != std::string::npos);
  CHECK(hertz("1", "").second.empty());
}

TEST_CASE("onset: dashpots faster than a step are left to the scheme, and the run says so") {
  // gamma / m = 3000 1/s: a third of a step. With corrections the ball would be thrown higher than it fell from.
  const std::string hard = "stiffness = 1e3\ndamping = 300\n";
  const std::string implicit = "scheme = 'velocity_verlet_implicit'\n";
  Simulation s(ball(hard, implicit));
  s.start();
  CHECK(!s.world().settings().onset);
  CHECK(said(s, "onset").find("is longer than m_eff / gamma of the strongest dashpot") != std::string::npos);
  Simulation plain(ball(hard, implicit + "onset = 'off'\n"));
  plain.start();
  CHECK(said(plain, "onset").empty());
  while (!(s.advance() & Occasion::finished)) {
  }
  while (!(plain.advance() & Occasion::finished)) {
  }
  CHECK(s.world().hash() == plain.world().hash());
  Simulation asked(ball(hard, implicit + "onset = 'on'\n"));
  CHECK_THROWS_AS(asked.start(), Error);
}

TEST_CASE("onset: a run that explodes is stopped, though the correction closes its balance") {
  // A closed column of fifty spheres, its step at 1.2 of the limit. The channel onset takes what contacts make that
  // begin and end with far too much overlap; the residual alone once ended below a thousandth of what was exchanged.
  std::string column =
      "[run]\nstep = 6e-3\nend = 20\n[space]\ndimension = 1\ngravity = [-9.81]\n[contact]\nstiffness = 1e6\n"
      "damping = 400\n[[wall]]\npoint = [0]\nnormal = [1]\n[initial]\noverlap = 'allow'\n"
      "[guards]\nstep = 'off'\noverlap = 'off'\ntravel = 'off'\n";
  for (int k = 0; k < 50; ++k)
    column += "[[grain]]\nposition = [" + std::to_string(0.05 + (0.1 - 1e-6) * k) + "]\nradius = 0.05\nmass = 25\n";
  Simulation s(parse_scenario(column, "column.toml", {}));
  s.start();
  std::string stopped;
  try {
    while (!(s.advance() & Occasion::finished)) s.observe();
  } catch (const Error& e) {
    stopped = e.what();
  }
  const Real by_onset = std::fabs(s.world().state().ledger[Channel::onset]) / s.throughput();
  const Real counted = std::fabs(s.residual_fraction()) + by_onset;
  CHECK(by_onset > 0.3 * counted);
  CHECK_MESSAGE(stopped.find(brief(100 * counted) + " % of the energy exchanged") != std::string::npos, stopped);
  CHECK(s.world().time() < 0.3);
}

namespace {

struct Rebounds {
  std::vector<Real> e_n, e_t, angle, spin;  // [-] [-] [rad] [rad/s]
};

constexpr int count = 200, runs = 20;
constexpr Real radius = 2.5e-3, speed = 1e-3;  // [m] [m/s]

Real angle(int k) {  // [rad]
  return (2 + 86 * (k + 0.5) / count) * pi / 180;
}

// Spheres that hit a floor at angles from 2 to 88 degrees. Each contact begins and ends at instants of its own within a
// step: run r of the `runs` has steps - 1/2 + (r + 1/2) / runs steps per contact. With one whole number an elastic
// contact would end with the phase with which it began. The errors of both ends then cancel, which they do not in
// simulations.
Rebounds rebounds(Real restitution, const std::string& scheme, int steps, const std::string& onset,
                  const std::string& attraction = "clipped") {
  constexpr Real stiffness = 1e5, mass = 2.6e-4;  // [N/m] [kg]; overlaps of 2e-5 of the radius
  const Real loss = -std::log(restitution), zeta = loss / std::hypot(pi, loss);
  const Real duration = pi / std::sqrt(stiffness / mass * (1 - zeta * zeta));
  Rebounds found{std::vector<Real>(count), std::vector<Real>(count), std::vector<Real>(count),
                 std::vector<Real>(count)};
  for (int r = 0; r < runs; ++r) {
    const Real step = duration / (steps - 0.5 + (r + 0.5) / runs);
    Scenario s = parse_scenario(
        "[run]\nscheme = '" + scheme + "'\nonset = '" + onset + "'\nstep = " + to_text(step) + "\nend = " +
            to_text(6 * duration) + "\n[space]\ngravity = [0, 0, 0]\n[contact]\nstiffness = 1e5\nfriction = 0.5\n" +
            "restitution = " + to_text(restitution) + "\nattraction = '" + attraction + "'\n[[wall]]\ntype = 'plane'\n",
        "spheres.toml", {});
    for (int k = r; k < count; k += runs) {
      const Real flight = (2 + random_uniform(11, static_cast<std::uint64_t>(k), 0)) * duration;
      const Real down = speed * std::cos(angle(k)), along = speed * std::sin(angle(k));
      s.grain.push_back({.position = {0.01 * k, 0, radius + down * flight},
                         .velocity = {along, 0, -down},
                         .radius = radius,
                         .mass = mass});
    }
    Simulation run(s);
    run.start();
    while (!(run.advance() & Occasion::finished)) continue;
    const World& w = run.world();
    for (int i = 0; i < w.size(); ++i) {
      const int k = r + runs * static_cast<int>(w.grains().id[i]);
      const auto at = static_cast<std::size_t>(k);
      const Vector v = w.velocity(i);
      found.e_n[at] = v.z / (speed * std::cos(angle(k))), found.e_t[at] = v.x / (speed * std::sin(angle(k)));
      found.angle[at] = std::atan2(v.x, v.z), found.spin[at] = w.spin(i).y;
    }
  }
  return found;
}

Real mean_error(const std::vector<Real>& found, const std::vector<Real>& reference) {
  Real sum = 0;
  for (std::size_t k = 0; k < found.size(); ++k) sum += std::fabs(found[k] / reference[k] - 1);
  return sum / static_cast<Real>(found.size());
}

}  // namespace

TEST_CASE("onset: twenty corrected steps of velocity_verlet_extrapolated are worth a hundred plain ones, ten fifty") {
  for (const Real restitution : {0.5, 0.8, 0.95, 0.99, 1.0}) {
    INFO("restitution ", restitution);
    const Rebounds exact = rebounds(restitution, "rk4", 1000, "on");
    CHECK(mean_error(exact.e_n, std::vector<Real>(exact.e_n.size(), restitution)) < 1e-7);
    const auto corrected = [&](int n) { return rebounds(restitution, "velocity_verlet_extrapolated", n, "on"); };
    const auto plain = [&](int n) { return rebounds(restitution, "velocity_verlet_extrapolated", n, "off"); };
    const Rebounds twenty = corrected(20), hundred = plain(100);
    CHECK(mean_error(twenty.e_t, exact.e_t) < 0.6 * mean_error(hundred.e_t, exact.e_t));
    CHECK(mean_error(twenty.angle, exact.angle) < 0.8 * mean_error(hundred.angle, exact.angle));
    CHECK(mean_error(twenty.spin, exact.spin) < 0.6 * mean_error(hundred.spin, exact.spin));
    CHECK(mean_error(twenty.e_n, exact.e_n) < 0.2 * mean_error(hundred.e_n, exact.e_n));
    CHECK(mean_error(corrected(10).e_n, exact.e_n) < 0.3 * mean_error(plain(50).e_n, exact.e_n));
  }
}

// A dashpot that may pull still has a force where the overlap ends.
TEST_CASE("onset: ten corrected steps are worth fifty plain ones with attraction, too") {
  for (const Real restitution : {0.8, 0.99}) {
    INFO("restitution ", restitution);
    const std::vector<Real> exact(count, restitution);
    const auto error = [&](int steps, const char* onset) {
      return mean_error(rebounds(restitution, "velocity_verlet_extrapolated", steps, onset, "allowed").e_n, exact);
    };
    CHECK(error(10, "on") < 0.3 * error(50, "off"));
  }
}

// Without a dashpot velocity Verlet conserves v^2 + omega^2 x^2 (1 - (omega h)^2 / 4) inside a contact. A plain contact
// first kicked tau after it began has 1 - omega^2 tau (h - tau) times the v^2 of its approach, and one that ends s
// after its last kick loses as much the other way: in the mean over both phases e_n is off by (omega h)^2 / 24. The
// corrected one stands at x (1 + (omega h)^2 / 8), which leaves 3/64 (omega h)^4 omega^2 x^2, and one Runge-Kutta step
// over tau loses (omega tau)^6 / 72 of v^2: in the mean e_n is off by (omega h)^6 / 124. Position Verlet conserves
// omega^2 x^2 + v^2 (1 - (omega h)^2 / 4) and stands at x (1 - (omega h)^2 / 8): it is off by as high a power.
TEST_CASE("onset: errors of an elastic restitution in closed form, plain and corrected") {
  const std::vector<Real> one(count, 1);
  for (const int steps : {10, 20}) {
    INFO(steps, " steps");
    const Real angle = pi / steps;
    const auto error = [&](const char* onset) {
      return mean_error(rebounds(1, "velocity_verlet_extrapolated", steps, onset).e_n, one);
    };
    CHECK(std::fabs(error("off") / (std::pow(angle, 2) / 24) - 1) < 0.1);
    CHECK(std::fabs(error("on") / (std::pow(angle, 6) / 124) - 1) < 0.1);
    CHECK(mean_error(rebounds(1, "position_verlet", steps, "on").e_n, one) < std::pow(angle, 6) / 110);
  }
}

// Without a dashpot both impulses are known: the normal one is 2 m v, and a contact that slides throughout receives mu
// times as much.
TEST_CASE("onset: a sphere that slides throughout receives Coulomb's impulse") {
  for (const char* scheme : {"velocity_verlet", "velocity_verlet_extrapolated", "velocity_verlet_implicit"}) {
    INFO(scheme);
    const Rebounds found = rebounds(1, scheme, 20, "on");
    Real worst = 0;
    for (int k = 0; k < count; ++k) {
      const Real of_sliding = 2.5 / radius * 0.5 * 2 * speed * std::cos(angle(k));
      // Slower ones stick before the end.
      if (std::tan(angle(k)) > 5)
        worst = std::max(worst, std::fabs(found.spin[static_cast<std::size_t>(k)] / of_sliding - 1));
    }
    CHECK(worst < 1e-4);  // followed back, friction made it 6e-3
  }
}

// The scheme's positions are off the exact ones, by gravity, too. Contacts sought at the scheme's positions give such a
// sphere 6e-4 of its energy a bounce with ten steps; and the residual, 1e-3 a bounce, was that of the shifts. Schemes
// that end with a drift need the accelerations there: with those of before it, and without an offset, position_verlet
// takes 7e-4, and pefrl4 gives 1.1e-4.
TEST_CASE("onset: an elastic sphere that bounces keeps its energy, and the ledger has no more than that") {
  const auto per_bounce = [](const std::string& scheme, int steps) {
    const Real step = pi * std::sqrt(0.1 / 1e4) / (steps + 0.3), energy = 0.1 * 9.81 * 0.01;  // [s] [J]
    Simulation s(parse_scenario("[run]\nscheme = '" + scheme + "'\nstep = " + to_text(step) +
                                    "\nend = 30\n[contact]\nstiffness = 1e4\n[[wall]]\npoint = [0, 0, 0]\n"
                                    "normal = [0, 0, 1]\n[[grain]]\nposition = [0, 0, 0.06]\nradius = 0.05\n"
                                    "mass = 0.1\n",
                                "bounce.toml", {}));
    s.start();
    const Real before = s.world().energies().mechanical();
    while (!(s.advance() & Occasion::finished)) {
    }
    const Energies now = s.world().energies();
    const auto bounces = static_cast<Real>(s.world().contact_count().ended);
    return std::array{(now.mechanical() - before) / energy / bounces, s.world().residual(now) / energy / bounces};
  };
  struct Bounds {
    const char* scheme;
    Real coarse, fine, coarse_residual, fine_residual;
  };
  for (const Bounds& most : {Bounds{"velocity_verlet", 1.5e-4, 2e-5, 3e-5, 2e-6},
                             {"position_verlet", 1e-4, 2e-6, 1e-4, 2e-6},
                             {"pefrl4", 2e-6, 1e-7, 2e-6, 1e-7}}) {
    const auto [coarse, coarse_residual] = per_bounce(most.scheme, 10);
    const auto [fine, fine_residual] = per_bounce(most.scheme, 20);
    INFO(std::string(most.scheme), " gains ", coarse, " and ", fine, ", residuals ", coarse_residual, " and ",
         fine_residual);
    CHECK(std::fabs(coarse) < most.coarse);
    CHECK(std::fabs(fine) < most.fine);
    CHECK(std::fabs(coarse_residual) < most.coarse_residual);
    CHECK(std::fabs(fine_residual) < most.fine_residual);
  }
}

// A leapfrog takes the steps of velocity Verlet and keeps its velocities half a step earlier. Where contacts were
// followed by these velocities the sphere came 0.7 mm too far, and lost 3 % too much by slip.
TEST_CASE("onset: an elastic sphere bounces and slips with the leapfrogs as with velocity Verlet") {
  struct Found {
    Vector position;  // [m]
    Real slip;        // [J]
  };
  const auto found = [](const std::string& scheme) {
    Simulation s(parse_scenario("[run]\nscheme = '" + scheme +
                                    "'\nstep = 1e-3\nend = 1\n[contact]\nstiffness = 1e4\nfriction = 0.1\n"
                                    "[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n[[grain]]\n"
                                    "position = [0, 0, 0.06]\nvelocity = [3, 0, -1]\nradius = 0.05\nmass = 0.1\n",
                                "sliding.toml", {}));
    s.start();
    while (!(s.advance() & Occasion::finished)) {
    }
    const World& w = s.world();
    REQUIRE(w.contacts() == 0);
    return Found{w.position(0), w.energy_ledger(w.energies())[Channel::slip]};
  };
  const Found verlet = found("velocity_verlet");
  for (const char* scheme : {"central_difference", "verlet"}) {
    INFO(std::string(scheme));
    const Found leapfrog = found(scheme);
    CHECK(norm(leapfrog.position - verlet.position) < 1e-10 * norm(verlet.position));
    CHECK(leapfrog.slip == doctest::Approx(verlet.slip).epsilon(1e-10));
  }
}

// To a sphere the acceleration of a floor is like gravity. The scheme's contact is shorter by (omega h)^2/24, in which
// such a floor gains speed, so what counts is the speed relative to the floor at the end of the contact. Where the
// acceleration is not counted it is off by 2.1e-4.
TEST_CASE("onset: a sphere leaves a floor that accelerates as fast with ten steps as with many") {
  constexpr Real swing = 0.1, frequency = 6;        // [m] [Hz] little changes in a millisecond
  const auto rebound = [](int steps, Real phase) {  // [m/s]
    const Real step = pi * std::sqrt(0.1 / 1e6) / steps;
    const auto angle = [&](Real t) { return 2 * pi * (frequency * t + phase); };
    const auto floor = [&](Real t) { return swing * std::sin(angle(t)); };
    const auto speed = [&](Real t) { return 2 * pi * frequency * swing * std::cos(angle(t)); };
    Simulation s(parse_scenario(
        "[run]\nscheme = 'velocity_verlet'\nstep = " + to_text(step) +
            "\nend = 6e-3\n[space]\ngravity = [0, 0, 0]\n[contact]\nstiffness = 1e6\n[[wall]]\npoint = [0, 0, 0]\n"
            "normal = [0, 0, 1]\nmotion = { amplitude = [0, 0, " +
            to_text(swing) + "], frequency = " + to_text(frequency) + ", phase = " + to_text(phase) +
            " }\n[[grain]]\nposition = [0, 0, " + to_text(0.0535 + floor(0)) +
            "]\nvelocity = [0, 0, -1.5]\nradius = 0.05\nmass = 0.1\n",
        "accelerating.toml", {}));
    s.start();
    while (!(s.advance() & Occasion::finished)) {
    }
    REQUIRE(s.world().contact_count().ended == 1);
    const Real v = s.world().velocity(0).z, end = s.world().time();
    Real t = end - 3e-3;  // when it left, by Newton's rule
    for (int k = 0; k < 20; ++k) t -= (s.world().position(0).z + v * (t - end) - 0.05 - floor(t)) / (v - speed(t));
    return v - speed(t);
  };
  Real sum = 0;
  constexpr int places = 20;
  for (int k = 0; k < places; ++k) {
    const Real phase = 0.25 + 0.002 * (k - 0.5 * places);  // [turns] about a turning point, where the floor is slow
    sum += std::fabs(rebound(10, phase) / rebound(320, phase) - 1);
  }
  INFO("mean error ", sum / places);
  CHECK(sum / places < 5e-5);
}

// The tables of docs/onset.md: test_run --no-skip -tc="onset: mean errors*"
TEST_CASE("onset: mean errors of corrected and plain steps, in percent" * doctest::skip()) {
  for (const Real restitution : {1.0, 0.99, 0.95, 0.9, 0.8, 0.5}) {
    const Rebounds exact = rebounds(restitution, "rk4", 1000, "on");
    for (const char* scheme :
         {"velocity_verlet_extrapolated", "velocity_verlet_predicted", "velocity_verlet_implicit", "rk4"})
      for (const auto& [steps, onset] : {std::pair{10, "on"}, {20, "on"}, {50, "off"}, {100, "off"}}) {
        const Rebounds found = rebounds(restitution, scheme, steps, onset);
        std::printf("e = %-4g %-28s %3d steps, onset %-3s  e_n %.4f  e_t %.4f  angle %.4f  spin %.4f\n", restitution,
                    scheme, steps, onset, 100 * mean_error(found.e_n, exact.e_n),
                    100 * mean_error(found.e_t, exact.e_t), 100 * mean_error(found.angle, exact.angle),
                    100 * mean_error(found.spin, exact.spin));
      }
  }
}

TEST_CASE("scheme: where none is given, it is the first of the default schemes that the step leaves stable") {
  const auto chosen = [](const std::string& restitution, const std::string& step, const std::string& scheme = "") {
    Simulation s(parse_scenario("[run]\nstep = " + step + "\nend = 1e-2\n" + scheme +
                                    "[contact]\nstiffness = 1e5\nrestitution = " + restitution +
                                    "\n[[wall]]\ntype = 'plane'\n[[grain]]\nposition = [0, 0, 0.0101]\nradius = 0.01\n"
                                    "mass = 0.01\nvelocity = [0, 0, -0.1]\n",
                                "one.toml", {}));
    s.start();
    CHECK(s.scenario().scheme == s.scheme().name);
    const bool later = s.scheme().name == "velocity_verlet_predicted" || s.scheme().name == "velocity_verlet_implicit";
    CHECK(s.scheme_reason().empty() != later);
    return s.scheme().name;
  };
  // Without attraction e = 0.1 needs zeta = 1.24: limits of h omega 0.20, 0.39 and 2, with omega = 3162 1/s.
  CHECK(chosen("0.1", "6e-5") == "velocity_verlet_extrapolated");
  CHECK(chosen("0.1", "1e-4") == "velocity_verlet_predicted");
  CHECK(chosen("0.1", "3e-4") == "velocity_verlet_implicit");
  CHECK(chosen("0.1", "1e-4", "scheme = 'auto'\n") == "velocity_verlet_predicted");
  CHECK(chosen("0.1", "1e-4", "scheme = 'rk4'\n") == "rk4");
}
