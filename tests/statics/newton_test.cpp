#include "cairn/statics/newton.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "cairn/statics/column.hpp"
#include "cairn/statics/cubic.hpp"
#include "cairn/statics/static_system.hpp"

namespace cairn::statics {
namespace {

NewtonResult solve(World& world, bool line_search = false, bool regularises = true,
                   LinearMethod method = LinearMethod::automatic) {
  StaticSystem system(world, 1, {.method = method});
  return newton(system, {.unbalance = 1e-11,
                         .line_search = line_search,
                         .regularises = regularises,
                         .linear_tolerance = method == LinearMethod::iterative ? 1e-10 : 1e-3});
}

// A weight of 1 N on a stiff circular rail of 1 m, which it is pressed to: a long way along a curved path, as of a
// grain that rolls on another. Forces have no potential, so they say.
class Rail : public Equations {
 public:
  explicit Rail(Real angle) : accepted_{(1 + 1 / stiffness) * std::sin(angle), -(1 + 1 / stiffness) * std::cos(angle)} {
    attempt({0, 0}, 0);
  }
  const std::vector<Real>& residual() const override { return residual_; }
  Real unbalance() override { return std::hypot(residual_[0], residual_[1]); }
  LinearSolution solve(Real shift, Real, std::vector<Real>& du) override {
    const auto [x, z] = accepted_;
    const Real l = std::hypot(x, z), f = stiffness * (l - 1) / l;
    const Real along = stiffness - f, a = f + shift + along * x * x / (l * l), b = along * x * z / (l * l),
               c = f + shift + along * z * z / (l * l), d = a * c - b * b;
    du = {(c * residual_[0] - b * residual_[1]) / d, (a * residual_[1] - b * residual_[0]) / d};
    return {};
  }
  Real largest_shift() override { return stiffness; }
  Real longest(std::span<const Real> du) const override { return std::hypot(du[0], du[1]); }
  void attempt(const std::vector<Real>& du, Real share) override {
    at_ = {accepted_[0] + share * du[0], accepted_[1] + share * du[1]};
    const Real l = std::hypot(at_[0], at_[1]), f = stiffness * (l - 1) / l;
    residual_ = {-f * at_[0], -f * at_[1] - 1};
  }
  void accept() override { accepted_ = at_; }
  bool has_potential() const override { return false; }
  Real angle() const { return std::atan2(at_[0], -at_[1]); }

 private:
  static constexpr Real stiffness = 1e6;
  std::array<Real, 2> accepted_, at_{};
  std::vector<Real> residual_;
};

}  // namespace

TEST_CASE("Newton's method follows a curved path in steps far longer than its stiff side allows") {
  // Pressed to the rail by its weight along the radius; the rest of the weight is the residual.
  for (const Real angle : {0.01, 0.1, 0.3}) {
    Rail rail(angle);
    const NewtonResult r = newton(rail, {.unbalance = 1e-9, .longest_step = 0.1});
    CHECK(r.stop == Stop::residual);
    CHECK(r.iterations <= 8);
    CHECK(std::fabs(rail.angle()) < 1e-8);
  }
}

TEST_CASE("Newton's method solves closed linear contacts in one iteration, to 1e-14") {
  const GrainColumn c;
  for (const LinearMethod method : {LinearMethod::direct, LinearMethod::iterative})
    for (const Real overlap : {1e-3, 1e-4, 1e-5}) {
      World world = c.world(overlap);
      const NewtonResult r = solve(world, false, true, method);
      CHECK(r.stop == Stop::residual);
      if (method == LinearMethod::direct) CHECK(r.iterations == 1);
      CHECK(c.error(world) <= 1e-14 * c.heights().back() * (method == LinearMethod::direct ? 1 : 100));
      CHECK(world.energies().elastic == doctest::Approx(51.636682406).epsilon(1e-11));
      CHECK(-world.wall_loads()[0].force.z == doctest::Approx(490.5).epsilon(1e-12));
    }
  CHECK(c.heights()[0] == doctest::Approx(0.2877375).epsilon(1e-14));
  CHECK(c.heights()[49] == doctest::Approx(29.38730625).epsilon(1e-14));
}

TEST_CASE("Newton's method takes 5, 6 and 7 iterations for Hertz contacts, in quadratic order") {
  const GrainColumn c = GrainColumn::hertz();
  int expected = 5;
  for (const Real overlap : {1e-3, 1e-4, 1e-5}) {
    World world = c.world(overlap);
    const NewtonResult r = solve(world);
    CHECK(r.iterations == expected++);
    CHECK(c.error(world) < 1e-12);
    const auto& h = r.history;
    const std::size_t last = h.size() - 2;  // the last but one step, before round-off
    CHECK(h[last].residual < 0.01 * h[last - 1].residual);
  }
  CHECK(c.heights()[0] == doctest::Approx(0.296081925610).epsilon(1e-11));
  CHECK(c.heights()[49] == doctest::Approx(29.580539180916).epsilon(1e-12));
}

TEST_CASE("contacts that just touch: the singular tangent is reported, or regularised") {
  const GrainColumn c = GrainColumn::hertz();
  World plain = c.world(0);
  const NewtonResult said = solve(plain, false, false);
  CHECK(said.stop == Stop::singular);
  CHECK(said.iterations == 0);
  for (const bool search : {false, true}) {
    World world = c.world(0);
    const NewtonResult r = solve(world, search);
    CHECK(r.stop == Stop::residual);
    CHECK(r.regularised >= 1);
    CHECK(c.error(world) < 1e-12);
    for (const Iterate& row : r.history) CHECK(std::isfinite(row.residual));
  }
}

TEST_CASE("Newton's method says that it cycles, and with a line search does not") {
  Cubic cubic(0);
  const NewtonResult r = newton(cubic, {.unbalance = 1e-12, .line_search = false});
  CHECK(r.stop == Stop::cycle);
  CHECK(r.period == 2);
  CHECK(r.iterations < 10);
  Cubic near(-2);
  CHECK(newton(near, {.unbalance = 1e-12, .line_search = false}).stop == Stop::residual);
  CHECK(near.x() == doctest::Approx(-1.7692923542386314));
}

TEST_CASE("Newton's method stops at the residual force or at the displacement") {
  const GrainColumn c = GrainColumn::hertz();
  World world = c.world(1e-4);
  StaticSystem system(world, 1);
  const NewtonResult r = newton(system, {.unbalance = 1e-30, .displacement = 1e-6, .line_search = false});
  CHECK(r.stop == Stop::displacement);
  CHECK(r.history.back().displacement <= 1e-6);
  World again = c.world(1e-4);
  StaticSystem other(again, 1);
  CHECK(newton(other, {.unbalance = 1e-3, .line_search = false}).stop == Stop::residual);
}

}  // namespace cairn::statics
