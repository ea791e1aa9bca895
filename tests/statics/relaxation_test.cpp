#include "cairn/statics/relaxation.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "cairn/statics/column.hpp"
#include "cairn/statics/damped.hpp"

namespace cairn::statics {
namespace {

constexpr RelaxationSettings until(RelaxationOrder order) {
  return {.order = order, .residual = 1e-6, .unbalance = 0};
}

// K u = f of a column whose contacts pull as well as push, from u = 0.
std::int64_t linear_updates(const GrainColumn& c, RelaxationOrder order) {
  World world = c.world(1e-12);
  StaticSystem system(world, 1);
  std::vector<Real> f(system.nodes().unknowns(), 0.0);
  for (int k = 0; k < c.count; ++k) f[3 * k + 2] = -c.mass * c.gravity;
  LinearRelaxation linear(system.tangent(), system.nodes(), f);
  const RelaxationResult r = relax(static_cast<RelaxationEquations&>(linear), until(order));
  CHECK(r.stop == Stop::residual);
  const std::vector<Real> z = c.heights();
  for (int k = 0; k < c.count; ++k)
    CHECK(std::fabs((2 * k + 1) * c.radius + linear.u()[3 * k + 2] - z[k]) <= 1e-6 / c.softest());
  return r.updates;
}

}  // namespace

TEST_CASE("Southwell's and Gauss-Seidel's counts of an independent program, within 2 %") {
  GrainColumn c;
  for (const auto& [count, expected] : {std::pair{5, 816}, {10, 6263}, {20, 49189}, {50, 767565}}) {
    c.count = count;
    CHECK(std::fabs(1.0 * linear_updates(c, RelaxationOrder::southwell) / expected - 1) < 0.02);
  }
  CHECK(std::fabs(1.0 * linear_updates(c, RelaxationOrder::gauss_seidel) / 910500 - 1) < 0.02);
}

TEST_CASE("relaxation of contacts that open ends within the bound of the residual") {
  GrainColumn c;
  c.count = 20;
  for (const RelaxationOrder order : {RelaxationOrder::southwell, RelaxationOrder::gauss_seidel}) {
    World world = c.world(0);
    StaticSystem system(world, 1);
    const RelaxationResult r = relax(system, until(order));
    CHECK(r.stop == Stop::residual);
    CHECK(c.error(world) <= 1e-6 / c.softest());
    CHECK(world.energies().elastic == doctest::Approx(c.elastic_energy()).epsilon(1e-7));
  }
}

TEST_CASE("damped dynamics finds the lowest frequency and the state of rest") {
  const GrainColumn c;
  World world = c.world(1e-4);
  StaticSystem system(world, 1);
  const DampedResult r = damped_dynamics(system, {.unbalance = 1e-10});
  CHECK(r.stop == Stop::residual);
  CHECK(r.steps < 2000);
  CHECK(r.frequency == doctest::Approx(std::sqrt(c.softest() / c.mass)).epsilon(0.01));
  CHECK(c.error(world) < 1e-8);
  const GrainColumn hertz = GrainColumn::hertz();
  World other = hertz.world(1e-4);
  StaticSystem of_hertz(other, 1);
  CHECK(damped_dynamics(of_hertz, {.unbalance = 1e-10}).stop == Stop::residual);
  CHECK(hertz.error(other) < 1e-8);
}

}  // namespace cairn::statics
