// Scenarios of every law and every tangential form: that they run, and that the ledger closes; what a user may get
// wrong.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "cairn/core/error.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"

using namespace cairn;

namespace {

// Spheres with spin thrown into a box, where they collide, slide and come to rest.
Scenario thrown(const std::string& contact, const std::string& step) {
  std::string text = "[run]\nstep = " + step + "\nend = 0.2\n[contact]\nfriction = 0.4\n" + contact +
                     "[[material]]\nyoung = 2e6\npoisson = 0.3\n"
                     "[[wall]]\ntype = \"box\"\nlow = [0, 0, 0]\nhigh = [0.2, 0.2, 0.6]\n";
  for (int k = 0; k < 6; ++k)
    text += "[[grain]]\nposition = [" + std::to_string(0.06 + 0.07 * (k % 2)) + ", " +
            std::to_string(0.07 + 0.05 * (k % 2)) + ", " + std::to_string(0.05 + 0.07 * (k / 2)) + "]\nvelocity = [" +
            (k % 2 ? "-1" : "1") + ", 0.3, -1]\nspin = [5, " + std::to_string(10 * k) +
            ", -20]\nradius = 0.03\nmass = 0.2\n";
  return parse_scenario(text, "thrown.toml", {});
}

struct Balance {
  Real residual, lost;  // [J]
};

Balance balance(const std::string& contact, const std::string& step) {
  Simulation s(thrown(contact, step));
  s.start();
  while (!(s.advance() & Occasion::finished)) {
  }
  const World& w = s.world();
  const LedgerChannels& ledger = w.state().ledger;
  return {w.residual(), ledger[Channel::dashpot] + ledger[Channel::slip] + ledger[Channel::clip]};
}

const std::string viscous[] = {"law = 'kuwabara_kono'\nstiffness = 3e5\nrestitution = 0.7\n",
                               "law = 'extended_nonlinear'\nstiffness = 3e5\ndamping_exponent = 0.8\ndamping = 600\n",
                               "law = 'hertz_mindlin'\nrestitution = 0.7\n"};

}  // namespace

TEST_CASE("laws: the ledger closes in every form, the better the shorter the step") {
  for (const std::string& law : viscous)
    for (const char* form : {"total", "conservative", "incremental"}) {
      const std::string contact = law + "tangential = '" + form + "'\n";
      INFO(contact);
      const Balance coarse = balance(contact, "4e-5"), fine = balance(contact, "1e-5");
      CHECK(fine.lost > 0.5);
      CHECK(std::fabs(fine.residual) < 1e-4 * fine.lost);
      CHECK(std::fabs(fine.residual) < std::fabs(coarse.residual) / 4);
    }
}

TEST_CASE("laws: the ledger closes with springs fitted to every impact") {
  const std::string fitted =
      "law = 'extended_linear'\nrestitution_factor = 0.7\nrestitution_exponent = 0.1\nduration_factor = 0.004\n"
      "duration_exponent = 0.2\n";
  const Balance coarse = balance(fitted, "4e-5"), fine = balance(fitted, "1e-5");
  CHECK(fine.lost > 0.5);
  CHECK(std::fabs(fine.residual) < 1e-4 * fine.lost);
  CHECK(std::fabs(fine.residual) < std::fabs(coarse.residual) / 4);
}

TEST_CASE("laws: what does not belong together is refused in words") {
  const auto said = [](const std::string& contact) {
    try {
      thrown(contact, "1e-5");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const auto says = [&](const std::string& contact, const std::string& words) {
    INFO(said(contact));
    CHECK(said(contact).find(words) != std::string::npos);
  };
  const std::string kuwabara = "law = 'kuwabara_kono'\n", extended = "law = 'extended_nonlinear'\n";
  says(kuwabara, "contact.stiffness: missing; expected a number > 0 in N/m^1.5, which law 'kuwabara_kono' needs");
  says(kuwabara + "stiffness = '2 kN/m'\n",
       "contact.stiffness: found text; expected a plain number, which for law 'kuwabara_kono' is in N/m^1.5");
  says(extended + "stiffness = 1e5\ndamping = '3 N s/m'\n", "is in N s/m^(1 + damping_exponent)");
  says(kuwabara + "stiffness = 1e5\ndamping_exponent = 1\n",
       "contact.damping_exponent: does not belong to law 'kuwabara_kono'");
  says(kuwabara + "stiffness = 1e5\ndamping = 3\nrestitution = 0.5\n", "expected only one of them");
  says(kuwabara + "stiffness = 1e5\ndamping = 3\nrestitution_speed = 0.5\n",
       "contact.restitution_speed: found without restitution; expected restitution_speed and restitution");
  says("stiffness = 1e5\nrestitution_speed = 0.5\n", "does not belong to law 'linear'");
  says("stiffness = 1e5\ntangential = 'incremental'\n", "does not belong to law 'linear'");
  says(kuwabara + "stiffness = 1e5\ntangential = 'elastic'\n", "'total', 'conservative' or 'incremental'");
  const std::string fitted = "law = 'extended_linear'\n";
  says(fitted + "restitution_factor = 0.8\nrestitution_exponent = 0.2\nduration_exponent = 0.2\n",
       "contact.duration_factor: missing; expected a number > 0 in s, which law 'extended_linear' needs");
  says(fitted + "restitution = 0.8\n", "contact.restitution: does not belong to law 'extended_linear'");
  CHECK(said(kuwabara + "stiffness = 1e5\nrestitution = 0.5\nrestitution_speed = '20 cm/s'\n").empty());
  CHECK(said(extended + "stiffness = 1e5\ndamping_exponent = 0\n").empty());
}
