// The energy study: its pyramid against reference values, the thesis's failure of Rk45N, the sign that makes energy.
#include "cairn/studies/energy/energy.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace cairn;
using namespace cairn::studies;

namespace {

PyramidSettings settings_of(const char* scheme, Real step, Real end) {
  return {.scheme = &scheme_named(scheme), .step = step, .end = end};
}

}  // namespace

TEST_CASE("study energy: the golden pyramid has its reference energies") {
  constexpr std::pair<Real, Real> golden[] = {{0.04, 208.9116}, {0.08, 208.2682}, {0.16, 207.553}, {0.40, 198.910}};
  for (const char* scheme : {"rk4", "velocity_verlet_implicit", "gauss2_extrapolated"}) {
    const PyramidRun run = run_pyramid({}, settings_of(scheme, 2e-5, 0.4));
    INFO(std::string(scheme));
    for (const auto& [time, energy] : golden) {
      const auto k = static_cast<std::size_t>(std::lround(time / 0.04));
      REQUIRE(run.time[k] == doctest::Approx(time));
      CHECK(std::fabs(run.energy[k] - energy) < 3e-3);
    }
    CHECK(std::fabs(run.residual.back()) < 1e-3);
    CHECK(run.collisions > 20);
  }
}

TEST_CASE(
    "study energy: dashpots of the printed sign make energy with every kind of scheme, those of the right one take "
    "it") {
  const PyramidCase right{.stiffness = 1.3e7, .damping = 120};
  PyramidCase printed = right;
  printed.printed_rate = true;
  for (const char* scheme : {"velocity_verlet", "taylor3_backward", "gauss2_previous", "rk4"}) {
    INFO(std::string(scheme));
    CHECK(run_pyramid(right, settings_of(scheme, 2e-5, 0.4)).growth() < 0.995);
    CHECK(run_pyramid(printed, settings_of(scheme, 2e-5, 0.4)).growth() > 1.005);
  }
}

TEST_CASE("study energy: rkf45_relative fails at the thesis's smallest step, after as many calls") {
  const PyramidCase printed{.stiffness = 1.3e7, .damping = 120, .printed_rate = true};
  const PyramidRun run = run_pyramid(printed, settings_of("rkf45_relative", 1e-3, 5));
  CHECK(run.failed());
  CHECK(run.failure.find("smallest step") != std::string::npos);
  CHECK(std::abs(run.calls - 109) <= 6);  // one attempt more or less
  CHECK(!run_pyramid(printed, settings_of("rkf45_relative", 1e-4, 0.2)).failed());
  const PyramidRun absolute = run_pyramid(printed, settings_of("rkf45_absolute", 1e-3, 0.2));
  CHECK(absolute.calls == 6 * 200 + 1);  // the largest step throughout
}

TEST_CASE("study energy: spheres that meet in free space keep both momenta") {
  const PyramidCase thrown{.thrown = true};
  for (const SchemeEntry* scheme : thesis_schemes()) {
    const PyramidRun run = run_pyramid(thrown, {.scheme = scheme, .step = 2e-4, .end = 0.2});
    INFO(scheme->name);
    CHECK(run.collisions > 8);
    CHECK(run.lost_momentum < 1e-12);
    CHECK(run.lost_angular < (scheme->claims.implicit ? 1e-7 : 1e-9));  // as far as the iteration went
  }
}

TEST_CASE("study energy: the report shows the answer, the thesis's tables and the catalogue") {
  EnergySettings s = EnergySettings::quick();
  s.steps = {1e-3, 5e-4}, s.end = 0.2, s.starts = 2;
  s.catalogue = select_schemes("rk4,velocity_verlet"), s.catalogue_steps = {1e-3};
  const StudyReport report = show(study_energy(s));
  CHECK(report.findings[0].find("1e-5 s") != std::string::npos);
  CHECK(report.rows.size() == 3 * thesis_schemes().size() * 2);
  CHECK(report.tables.size() == 4);
  CHECK(report.figures.size() == 1 + 3 * 5 + 2);
}
