// Golden hashes: the bits of short runs of every law with a scheme of every kind are pinned, so no commit changes them
// unseen. A commit that means to change bits replaces the lines of golden_hashes.txt by those this test prints, and
// says why in CHANGELOG.md.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cairn/core/hash.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"

using namespace cairn;

namespace {

struct Law {
  const char *name, *keys;
  bool corrects_onset = false;
  bool rolls = true;
};

const Law laws[] = {
    {"linear", "law = 'linear'\nstiffness = 2e4\nrestitution = 0.6\ntangential_damping = 0.5\n", true},
    // Springs in closed form (contact/kernels/whole_step.hpp).
    {"linear_closed_form", "law = 'linear'\nstiffness = 2e4\nrestitution = 0.6\n", true, false},
    {"linear_damped_closed_form", "law = 'linear'\nstiffness = 2e4\nrestitution = 0.6\ntangential_damping = 0.5\n",
     true, false},
    {"hertz_mindlin_closed_form", "law = 'hertz_mindlin'\nrestitution = 0.6\n", false, false},
    {"extended_linear",
     "law = 'extended_linear'\nrestitution_factor = 0.8\nrestitution_exponent = 0.2\nduration_factor = 6e-4\n"
     "duration_exponent = 0.1\n",
     true},
    {"hertz_mindlin", "law = 'hertz_mindlin'\nrestitution = 0.6\n"},
    {"hertz_mindlin_conservative", "law = 'hertz_mindlin'\nrestitution = 0.6\ntangential = 'conservative'\n"},
    {"hertz_mindlin_incremental", "law = 'hertz_mindlin'\nrestitution = 0.6\ntangential = 'incremental'\n"},
    {"kuwabara_kono", "law = 'kuwabara_kono'\nstiffness = 3e5\nrestitution = 0.6\n"},
    {"extended_nonlinear",
     "law = 'extended_nonlinear'\nstiffness = 3e5\ndamping_exponent = 0.25\nrestitution = 0.6\n"}};
const char* const schemes[] = {"velocity_verlet_predicted", "velocity_verlet_extrapolated", "rk4", "gear4", "newmark"};

// Grains of many sizes with rolling resistance, in a narrow box that is periodic in x: a shaken floor, a turning
// roller, a wall in y, and an emitter above.
std::string scenario_of(const Law& law, const std::string& scheme, bool onset) {
  return "[run]\nscheme = '" + scheme + "'\nstep = 5e-5\nend = 0.04\nonset = '" + (onset ? "on" : "off") +
         "'\n[contact]\nfriction = 0.4\n" +
         (law.rolls ? "rolling_friction = 0.05\nrolling_damping = 1e-4\ntwisting_friction = 0.02\n" : "") + law.keys +
         "[[material]]\nyoung = 2e7\npoisson = 0.25\ndensity = 2500\n"
         "[space]\nperiodic_x = [-0.03, 0.03]\n"
         "[[wall]]\nname = 'floor'\ntype = 'plane'\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n"
         "motion = { amplitude = [0, 0, 1e-3], frequency = 30 }\n"
         "[[wall]]\nname = 'left'\ntype = 'plane'\npoint = [0, -0.03, 0]\nnormal = [0, 1, 0]\n"
         "[[wall]]\nname = 'right'\ntype = 'plane'\npoint = [0, 0.03, 0]\nnormal = [0, -1, 0]\n"
         "[[wall]]\nname = 'roller'\ntype = 'cylinder'\nside = 'outside'\npoint = [0, 0, 0]\naxis = [1, 0, 0]\n"
         "radius = 0.01\nmotion = { axis = [1, 0, 0], center = [0, 0, 0], rate = 20 }\n"
         "[[grains]]\nkind = 'random'\nlow = [-0.03, -0.03, 0.012]\nhigh = [0.03, 0.03, 0.05]\nradius = 0.004\n"
         "radius_spread = 0.3\ncount = 60\nvelocity = [0.3, 0.1, -0.5]\n"
         "[[emitter]]\nlow = [-0.03, -0.025, 0.055]\nhigh = [0.03, 0.025, 0.07]\nradius = 0.004\n"
         "radius_spread = 0.3\nrate = 600\nvelocity = [0, 0, -1]\n[guards]\nstep = 'off'\n";
}

std::string hex(std::uint64_t word) {
  std::ostringstream out;
  out << std::hex << word;
  return out.str();
}

// "law scheme onset grains hash ledger": the ledger's word is of its channels, the energies and the residual.
std::string line_of(const Law& law, const std::string& scheme, bool onset) {
  Simulation s(parse_scenario(scenario_of(law, scheme, onset), "golden.toml", {}));
  s.start();
  while (!(s.advance() & Occasion::finished)) {
  }
  const World& w = s.world();
  Hash ledger;
  for (const Real a : w.state().ledger) ledger.add(a);
  const Energies e = w.energies();
  for (const Real a : {e.kinetic, e.rotational, e.gravitational, e.elastic, w.residual(e)}) ledger.add(a);
  return std::string(law.name) + ' ' + scheme + (onset ? " on " : " off ") + std::to_string(w.size()) + ' ' +
         hex(w.hash()) + ' ' + hex(ledger.value());
}

}  // namespace

TEST_CASE("golden hashes: every law with a scheme of every kind, bit for bit") {
  std::ifstream file(CAIRN_SOURCE_DIR "/tests/run/golden_hashes.txt");
  std::vector<std::string> pinned;
  for (std::string line; std::getline(file, line);) pinned.push_back(line);
  std::vector<std::string> now;
  for (const Law& law : laws)
    for (const char* scheme : schemes)
      for (const bool onset : {false, true})
        if (!onset || law.corrects_onset) now.push_back(line_of(law, scheme, onset));
  std::string changed;
  for (std::size_t k = 0; k < now.size(); ++k)
    if (k >= pinned.size() || now[k] != pinned[k]) changed += now[k] + '\n';
  INFO("law scheme onset grains hash ledger, as they are now:\n", changed);
  CHECK(changed.empty());
  CHECK(pinned.size() == now.size());
}
