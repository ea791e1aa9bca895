// When a run corrects contact onsets, and when it does not.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "cairn/core/error.hpp"
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
