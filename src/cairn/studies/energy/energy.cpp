#include "cairn/studies/energy/energy.hpp"

#include <algorithm>
#include <functional>

#include "cairn/core/hash.hpp"
#include "cairn/studies/validation/beds.hpp"

namespace cairn::studies {

EnergySettings EnergySettings::quick() {
  EnergySettings s;
  s.steps = {1e-3, 1e-4};
  s.starts = 5;
  s.catalogue_steps = {1e-3, 2e-4};
  return s;
}

const Selection& thesis_schemes() {
  static const Selection all = [] {
    Selection of;
    for (const char* name : {"taylor3_backward", "velocity_verlet", "rkf45_absolute", "rkf45_relative", "gauss2_zero",
                             "gauss2_previous", "gauss2_extrapolated", "gauss2_newton"})
      of.push_back(&scheme_named(name));
    return of;
  }();
  return all;
}

const EnergyResult::Run& EnergyResult::of(std::size_t in, const std::string& scheme, Real step) const {
  return *std::find_if(comparison.begin(), comparison.end(),
                       [&](const Run& r) { return r.in == in && r.scheme->name == scheme && r.step == step; });
}

EnergyResult study_energy(const EnergySettings& settings, const ProgressCallback& on_progress) {
  EnergyResult r;
  r.settings = settings;
  const PyramidCase golden{.name = "golden"};
  const PyramidCase stiff{.name = "stiff", .stiffness = 1.3e7, .damping = 120};
  PyramidCase printed = stiff;
  printed.name = "printed", printed.printed_rate = true;
  r.cases = {golden, stiff, printed};

  struct Task {
    Real cost;  // a guess: calls of the force
    std::function<void()> work;
  };
  std::vector<Task> tasks;
  const auto cost_of = [](const SchemeEntry& s, Real step, Real end) {
    return end / (s.claims.adaptive ? 1e-3 : step) * guess_of_step(s);
  };

  const auto add_runs = [&](std::vector<EnergyResult::Run>& to, const std::vector<PyramidCase>& cases,
                            const Selection& schemes, const std::vector<Real>& steps, Real end, bool expects) {
    for (std::size_t in = 0; in < cases.size(); ++in)
      for (const SchemeEntry* scheme : schemes)
        for (const Real step : steps) to.push_back({in, scheme, step, {}});
    for (EnergyResult::Run& run : to)
      tasks.push_back({cost_of(*run.scheme, run.step, end), [&run, &cases, end, expects] {
                         run.run = run_pyramid(
                             cases[run.in], {.scheme = run.scheme, .step = run.step, .end = end, .expects = expects});
                       }});
  };
  add_runs(r.comparison, r.cases, thesis_schemes(), settings.steps, settings.end, true);
  for (const char* law : {"linear", "kuwabara_kono", "extended_nonlinear"}) {
    r.laws.push_back(golden);
    r.laws.back().law = r.laws.back().name = law;
  }
  std::vector<Real> shorter = settings.steps;
  if (shorter.size() > 1) shorter.erase(shorter.begin());  // the thesis has the shorter steps alone
  add_runs(r.of_laws, r.laws, {&scheme_named("taylor3_backward")}, shorter, settings.end, true);

  constexpr Real one = 1;  // [s] before the golden run is chaotic
  const std::vector<PyramidCase> golden_alone{golden};
  add_runs(r.catalogue, golden_alone, settings.catalogue, settings.catalogue_steps, one, false);
  tasks.push_back({1e7, [&] {
                     r.reference = run_pyramid(golden, {.scheme = &scheme_named("dormand_prince54"),
                                                        .step = 1e-12,
                                                        .end = one,
                                                        .adaptive_error = 1e-11,
                                                        .expects = false});
                   }});
  PyramidCase thrown = golden;
  thrown.name = "thrown", thrown.thrown = true;
  const std::vector<PyramidCase> thrown_alone{thrown};
  add_runs(r.thrown, thrown_alone, thesis_schemes(), {1e-4}, 0.4, false);

  const SchemeEntry *verlet = &scheme_named("velocity_verlet"), *relative = &scheme_named("rkf45_relative");
  for (const bool with_printed : {false, true}) {
    for (const Real step : {1e-3, 1e-5})
      r.statistics.push_back({with_printed, verlet, step, std::vector<PyramidRun>(settings.starts)});
    r.statistics.push_back({with_printed, relative, 1e-3, std::vector<PyramidRun>(settings.starts)});
  }
  for (EnergyResult::Statistic& of : r.statistics)
    for (std::size_t k = 0; k < of.starts.size(); ++k)
      tasks.push_back({cost_of(*of.scheme, of.step, settings.end), [&, k] {
                         PyramidCase start = of.printed ? printed : stiff;
                         start.gap *= 1 + 1e-3 * (2 * random_uniform(23, 0, k) - 1);
                         of.starts[k] = run_pyramid(
                             start, {.scheme = of.scheme, .step = of.step, .end = settings.end, .expects = false});
                       }});
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.cost > b.cost; });
  each_bed(static_cast<int>(tasks.size()), "pyramids", on_progress,
           [&](int k) { tasks[static_cast<std::size_t>(k)].work(); });
  return r;
}

}  // namespace cairn::studies
