// The ledger study: orders of the residual, Gauss's method at round-off, and forms of the tangential force.
#include "cairn/studies/ledger/ledger.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace cairn;
using namespace cairn::studies;

namespace {

const LedgerCase& case_named(const std::string& name) {
  return *std::find_if(ledger_cases().begin(), ledger_cases().end(), [&](const auto& c) { return c.name == name; });
}

// The order at which the residual falls from n steps to 2 n.
Real order_of(const char* scheme, const std::string& name, int n) {
  const SchemeEntry& with = scheme_named(scheme);
  return std::log2(residual_in_contact(case_named(name), with, n) / residual_in_contact(case_named(name), with, 2 * n));
}

}  // namespace

TEST_CASE("study ledger: the residual in contact falls with the order of the scheme") {
  CHECK(order_of("symplectic_euler", "linear_dashpot", 256) == doctest::Approx(1).epsilon(0.05));
  CHECK(order_of("velocity_verlet", "linear_elastic", 256) == doctest::Approx(2).epsilon(0.05));
  CHECK(order_of("velocity_verlet", "linear_dashpot", 256) == doctest::Approx(1).epsilon(0.1));
  CHECK(order_of("velocity_verlet_extrapolated", "hertz_mindlin", 256) == doctest::Approx(2).epsilon(0.05));
  CHECK(order_of("rkf45_relative", "linear_dashpot", 16) == doctest::Approx(5).epsilon(0.05));
}

// Before, they ended the series of powers where a contact turns from approach to parting: third order was left.
TEST_CASE("study ledger: Taylor schemes integrate the power of a dashpot to their own order") {
  CHECK(order_of("taylor6", "linear_dashpot", 32) == doctest::Approx(5).epsilon(0.1));
  CHECK(order_of("taylor8", "kuwabara_kono", 16) > 6);
}

TEST_CASE("study ledger: Gauss's method closes the ledger of a head-on linear contact to round-off at any step") {
  for (const char* scheme : {"gauss2_zero", "gauss2_previous", "gauss2_extrapolated", "gauss2_newton"})
    for (const int steps : {2, 5, 20}) {
      INFO(std::string(scheme));
      CHECK(residual_in_contact(case_named("linear_head_on"), scheme_named(scheme), steps) < 1e-13);
      CHECK(residual_in_contact(case_named("linear_dashpot"), scheme_named(scheme), steps) > 1e-13);
    }
}

TEST_CASE("study ledger: only the conservative form keeps the energy of an oblique collision that sticks") {
  LedgerSettings s = LedgerSettings::quick();
  s.schemes = select_schemes("velocity_verlet,gauss2_zero"), s.in_packings = select_schemes("rk4");
  s.calls = 256, s.starts = 2, s.per_collision = {10, 20};
  const LedgerResult r = study_ledger(s);
  const auto gain = [&](std::size_t form, std::size_t angle) { return r.forms[form].gain[angle]; };
  REQUIRE(r.angles[2] == 45);
  CHECK(gain(0, 2) > 0.05);             // total
  CHECK(std::fabs(gain(1, 2)) < 1e-8);  // conservative
  CHECK(gain(2, 2) < -0.02);            // incremental
  CHECK(r.packings[0].residual[1] < 1e-3);
  const StudyReport report = show(r);
  CHECK(report.rows.size() == 2);
  CHECK(report.figures.size() == ledger_cases().size() + 2);
}
