#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/studies/energy/energy_view.hpp"

namespace cairn::studies {
namespace {

constexpr Printed printed_table[] = {
    {"8", "taylor3_backward", 1e-3, 5000, 0, 11, 0, 0},      {"8", "taylor3_backward", 1e-4, 50000, 0, 48, 0, 0},
    {"8", "taylor3_backward", 1e-5, 500000, 0, 483, 0, 0},   {"8", "velocity_verlet", 1e-3, 5000, 0, 6, 0, 0},
    {"8", "velocity_verlet", 1e-4, 50000, 0, 48, 0, 0},      {"8", "velocity_verlet", 1e-5, 500000, 0, 477, 0, 0},
    {"10", "rkf45_absolute", 1e-3, 0, 30000, 22, 1e-3, 0},   {"10", "rkf45_absolute", 1e-4, 0, 30000, 20, 1e-3, 0},
    {"10", "rkf45_absolute", 1e-5, 0, 30000, 20, 1e-3, 0},   {"10", "rkf45_relative", 1e-3, 0, 109, 0.1, 0, 0},
    {"10", "rkf45_relative", 1e-4, 0, 44773, 29, 7.4e-4, 0}, {"10", "rkf45_relative", 1e-5, 0, 44773, 29, 7.4e-4, 0},
    {"12", "gauss2_zero", 1e-3, 0, 78733, 49, 0, 7.9},       {"12", "gauss2_zero", 1e-4, 0, 439303, 272, 0, 4.4},
    {"12", "gauss2_zero", 1e-5, 0, 3092647, 2062, 0, 3.1},   {"12", "gauss2_previous", 1e-3, 0, 76929, 48, 0, 7.7},
    {"12", "gauss2_previous", 1e-4, 0, 347971, 226, 0, 3.5}, {"12", "gauss2_previous", 1e-5, 0, 2245553, 1559, 0, 2.2},
};

}  // namespace

const Printed* printed_of(const std::string& scheme, Real step) {
  for (const Printed& p : printed_table)
    if (scheme == p.scheme && step == p.step) return &p;
  return nullptr;
}

std::string number(Real a, int digits) {
  return std::isnan(a) ? "-" : fmt::format("{:.{}g}", a, digits);
}
std::string growth_words(const PyramidRun& run) {
  return run.failed() ? "failed" : fmt::format("{:.3g} E_0", run.growth());
}

std::vector<Page::Row> verdict_rows(const EnergyResult& r) {
  constexpr std::size_t stiff = 1, printed = 2;
  const Real coarse = r.settings.steps.front(), fine = r.settings.steps.back();
  const auto growth = [&](std::size_t in, const char* scheme, Real step) {
    return r.of(in, scheme, step).run.growth();
  };
  std::vector<Page::Row> rows;
  const auto add = [&](const char* figure, const std::string& says, const std::string& found, bool agrees) {
    rows.push_back({figure, says, found, agrees ? "agrees" : "differs"});
  };
  const auto of_both = [&](const char* scheme) {
    return fmt::format("{} with the printed sign, {} with the right one", growth_words(r.of(printed, scheme, fine).run),
                       growth_words(r.of(stiff, scheme, fine).run));
  };
  const auto grows = [&](const char* scheme) { return growth(printed, scheme, fine) > 1; };
  const PyramidRun &taylor = r.of(printed, "taylor3_backward", coarse).run,
                   &verlet = r.of(printed, "velocity_verlet", coarse).run;
  add("6", "both energies grow; at 1e-3 s Taylor is poor, velocity Verlet triples the energy",
      fmt::format("at {:g} s Taylor {}, velocity Verlet {}; at {:g} s {}", coarse, growth_words(taylor),
                  growth_words(verlet), fine, of_both("velocity_verlet")),
      grows("velocity_verlet") && (taylor.failed() || taylor.growth() > verlet.growth()) && verlet.growth() > 2);
  Real steps_off = 0, calls_off = 0, iterations_off = 0;
  for (const EnergyResult::Run& run : r.comparison) {
    const Printed* doc = printed_of(run.scheme->name, run.step);
    if (run.in != stiff || doc == nullptr) continue;
    const auto off = [](Real here, Real there) { return std::fabs(here / there - 1); };
    const PyramidRun& p = run.run;
    const Real steps = static_cast<Real>(p.steps);
    if (doc->steps > 0 && !p.failed()) steps_off = std::max(steps_off, off(steps, static_cast<Real>(doc->steps)));
    if (doc->calls > 0 && doc->iterations == 0)
      calls_off = std::max(calls_off, off(static_cast<Real>(p.calls), static_cast<Real>(doc->calls)));
    if (doc->iterations > 0)
      iterations_off = std::max(iterations_off, off(static_cast<Real>(p.iterations) / steps, doc->iterations));
  }
  add("8", "5, 50, 500 thousand steps", fmt::format("steps within {:.1g} %", 100 * steps_off), steps_off < 0.001);
  add("9", "Rk45N keeps the energy better than Rk45",
      fmt::format("residual of the ledger {} J with Rk45, {} J with Rk45N",
                  number(r.of(stiff, "rkf45_absolute", fine).run.residual.back(), 2),
                  number(r.of(stiff, "rkf45_relative", fine).run.residual.back(), 2)),
      std::fabs(r.of(stiff, "rkf45_relative", fine).run.residual.back()) <
          std::fabs(r.of(stiff, "rkf45_absolute", fine).run.residual.back()));
  add("10", "30000, 109 and 44773 calls of the force", fmt::format("calls within {:.2g} %", 100 * calls_off),
      calls_off < 0.15);
  add("11", "the energy grows with Gauss's method too", of_both("gauss2_previous"), grows("gauss2_previous"));
  add("12", "7.9, 4.4, 3.1 and 7.7, 3.5, 2.2 iterations a step",
      fmt::format("iterations within {:.2g} %", 100 * iterations_off), iterations_off < 0.25);
  const Real apart = std::fabs(growth(stiff, "rkf45_relative", fine) - growth(stiff, "gauss2_previous", fine));
  add("13", "Rk45N and GauCo2 keep the energy alike", fmt::format("{:.2g} E_0 apart", apart), apart < 0.1);
  int came_through = 0;
  for (const char* scheme : {"taylor3_backward", "velocity_verlet", "gauss2_previous"})
    came_through += std::fabs(growth(stiff, scheme, coarse) - growth(stiff, "gauss2_previous", fine)) < 0.1;
  add("14", "at 1e-3 s only Rk45N converges", fmt::format("{} of the three others do", came_through),
      came_through == 0);
  bool any_grows = false;
  std::string laws;
  for (const EnergyResult::Run& run : r.of_laws)
    if (run.step == fine) {
      any_grows = any_grows || run.run.growth() > 1;
      laws += fmt::format("{}{} {}", laws.empty() ? "" : ", ", r.laws[run.in].name, growth_words(run.run));
    }
  add("15", "energies diverge, fastest with the extended non-linear law, slowest with the linear one",
      "with the right sign: " + laws, any_grows);
  return rows;
}

}  // namespace cairn::studies
