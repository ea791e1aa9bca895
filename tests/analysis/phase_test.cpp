// How long a step follows the phase of an oscillator.
#include "cairn/analysis/phase.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "cairn/analysis/stability.hpp"
#include "cairn/run/registry.hpp"

using namespace cairn;

TEST_CASE("phase: velocity Verlet turns by 2 asin(h omega / 2) in a step") {
  const toys::ToyScheme& verlet = scheme_named("velocity_verlet").toy;
  for (const Real accuracy : {1e-4, 1e-2, 0.1}) {
    const Real limit = phase_limit(verlet, accuracy, 0);
    CHECK(2 * std::asin(limit / 2) / limit - 1 == doctest::Approx(accuracy).epsilon(1e-3));
  }
}

TEST_CASE("phase: with a dashpot the phase of the scheme is that of its roots") {
  // z^2 - (2 - a) z + 1 = 0 with a = (h omega)^2, damped implicitly: (1 + b) z^2 - (2 - a) z + 1 - b = 0, b = zeta h
  // omega.
  const toys::ToyScheme& implicit = scheme_named("velocity_verlet_implicit").toy;
  for (const Real zeta : {0.1, 0.3}) {
    const Real limit = phase_limit(implicit, 0.01, zeta), a = limit * limit, b = zeta * limit;
    const Real turned = std::acos((1 - a / 2) / std::sqrt(1 - b * b));
    CHECK(std::fabs(turned - limit * std::sqrt(1 - zeta * zeta)) / limit == doctest::Approx(0.01).epsilon(1e-3));
  }
}

TEST_CASE("phase: a tighter accuracy takes a shorter step, by the order of the scheme") {
  for (const auto& [name, order] : {std::pair{"velocity_verlet", 2.0}, {"rk4", 4.0}}) {
    const toys::ToyScheme& scheme = scheme_named(name).toy;
    CHECK(phase_limit(scheme, 1e-4, 0) / phase_limit(scheme, 1e-6, 0) ==
          doctest::Approx(std::pow(100, 1 / order)).epsilon(0.02));
  }
}
