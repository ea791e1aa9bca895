// Limits of the step on three cases: a damped pair, the closed column, and a settled packing of unequal grains with
// friction. Every explicit scheme of one force evaluation is stable at 0.95 of the limit stated, and grows at 1.1 of
// the limit of its own map.
#include "cairn/analysis/linearised_map.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "cairn/core/constants.hpp"
#include "cairn/run/case_stability.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/studies/stability/network_cases.hpp"

namespace cairn {
namespace {

using namespace studies;

void judge(const Simulation& simulation) {
  const CaseStability of = case_stability(simulation, schemes_with_proven_limit(select_schemes("")), true);
  MESSAGE(of.grains, " grains, ", of.contacts, " contacts");
  CHECK(of.schemes.size() >= 5);
  for (const SchemeOnNetwork& row : of.schemes) {
    INFO(row.scheme);
    MESSAGE(row.scheme, ": stated ", row.limit, " s, own ", row.map_limit / row.limit, " times that; growth at 0.95 ",
            row.growth_below, ", at 1.1 of its own ", row.growth_above);
    CHECK(row.growth_below < 2);
    CHECK(row.map_limit >= 0.999 * row.limit);
    CHECK(row.growth_above > 10);
  }
}

}  // namespace

TEST_CASE("limits of the step: a damped pair") {
  judge(*damped_pair().at_rest);
}

TEST_CASE("limits of the step: the closed column") {
  const auto simulation = closed_column().at_rest;
  const CaseStability of = case_stability(*simulation, {&scheme_named("central_difference")}, false);
  const Real omega = std::sqrt(of.rates.stiffness.value), exact = 2 * 200 * std::cos(pi / 101);
  CHECK(of.contacts == 50);
  CHECK(omega == doctest::Approx(exact).epsilon(1e-9));
  CHECK(std::fabs(omega - 399.8065) < 5e-5);
  CHECK(std::fabs(of.schemes[0].limit - 5.00242e-3) < 5e-9);
  const ContactNetwork network = network_of(simulation->world());
  LinearisedMap map(scheme_named("central_difference").toy, network);
  CHECK(map.growth(0.99 * 5.00242e-3) < 2);
  CHECK(map.growth(1.01 * 5.00242e-3) > 1e30);
  judge(*simulation);
}

TEST_CASE("limits of the step: a settled packing of grains 1:5 with friction") {
  const auto simulation = settled_packing().at_rest;
  CHECK(simulation->world().live_contacts().size() > 30);
  judge(*simulation);
}

}  // namespace cairn
