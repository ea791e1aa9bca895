#include "cairn/studies/stability/network_cases.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "cairn/core/constants.hpp"
#include "cairn/core/text.hpp"
#include "cairn/scenario/scenario_file.hpp"

namespace cairn::studies {
namespace {

const char* const pair =
    "[run]\nscheme = \"velocity_verlet\"\nstep = 1e-6\nend = 1\n[contact]\nstiffness = 1e5\nrestitution = 0.3\n"
    "friction = 0.5\n[initial]\noverlap = \"allow\"\n[space]\ngravity = [0, 0, 0]\n"
    "[[grain]]\nposition = [0, 0, 0]\nradius = 0.01\n[[grain]]\nposition = [0.0199, 0, 0]\nradius = 0.01\n";

// z_j = (2j - 1) r - (m g / k)(j N - j (j - 1) / 2), at rest under its weight.
std::string column() {
  constexpr int n = 50;
  constexpr Real r = 0.3, m = 1, k = 40000, g = 9.81;
  std::string text =
      "[run]\nscheme = \"central_difference\"\nstep = 1e-3\nend = 1\n[contact]\nstiffness = 40000\nrestitution = 1\n"
      "friction = 0\n[initial]\noverlap = \"allow\"\n[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n"
      "[[material]]\nname = \"m\"\ndensity = " +
      to_text(m / (4 * pi / 3 * r * r * r)) + "\n";
  for (int j = 1; j <= n; ++j)
    text += "[[grain]]\nradius = 0.3\nposition = [0, 0, " +
            to_text((2 * j - 1) * r - m * g / k * (j * n - j * (j - 1) / 2)) + "]\n";
  return text;
}

const char* const packing =
    "[run]\nscheme = \"velocity_verlet_implicit\"\nstep = 2e-5\nend = 0.3\n[guards]\nstep = \"off\"\n"
    "[contact]\nstiffness = 2000\nrestitution = 0.3\nfriction = 0.5\n"
    "[[wall]]\ntype = \"box\"\nlow = [0, 0, 0]\nhigh = [0.02, 0.02, 0.08]\n"
    "[[grains]]\nkind = \"random\"\nlow = [0, 0, 0]\nhigh = [0.02, 0.02, 0.05]\nradius = 5e-3\ncount = 7\n"
    "[[grains]]\nkind = \"random\"\nlow = [0, 0, 0]\nhigh = [0.02, 0.02, 0.08]\nradius = 1e-3\ncount = 120\n";

NetworkCase started(const std::string& name, const std::string& text) {
  NetworkCase of{name, std::make_unique<Simulation>(parse_scenario(text, name))};
  of.at_rest->start();
  return of;
}

}  // namespace

NetworkCase damped_pair() {
  return started("damped pair", pair);
}

NetworkCase closed_column() {
  return started("column", column());
}

NetworkCase settled_packing() {
  NetworkCase of = started("packing", packing);
  while (!of.at_rest->over()) of.at_rest->advance();
  return of;
}

Selection schemes_with_proven_limit(const Selection& schemes) {
  Selection some;
  std::copy_if(schemes.begin(), schemes.end(), std::back_inserter(some), [](const SchemeEntry* scheme) {
    const Real undamped = scheme->stability(0);
    return scheme->claims.force_evaluations == 1 && !scheme->claims.implicit && !scheme->claims.adaptive &&
           undamped > 0 && std::isfinite(undamped);
  });
  return some;
}

}  // namespace cairn::studies
