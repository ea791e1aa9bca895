#include "cairn/studies/impact/impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/threads.hpp"
#include "cairn/studies/thread_time.hpp"

namespace cairn::studies {
namespace {

// If a step fails, the outcome is NaN.
template <class Run>
ImpactOutcome outcome(Run&& run) {
  try {
    return run();
  } catch (const Error&) {
    return {nan, nan, nan, nan};
  }
}

// Sums of errors [%] over angles, in their order.
struct Mean {
  ImpactErrors sum{};
  int count = 0;

  void add(const ImpactOutcome& error) {
    for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += 100 * (error.*impact_measures[m].value);
    ++count;
  }
  ImpactErrors value() const {
    ImpactErrors mean = sum;
    for (Real& e : mean) e /= count;
    return mean;
  }
};

// Once a value is NaN, it stays NaN.
void raise(ImpactOutcome& most, const ImpactOutcome& error) {
  for (const ImpactMeasure& m : impact_measures)
    if (const Real e = error.*m.value; e > most.*m.value || std::isnan(e)) most.*m.value = e;
}

ImpactErrors accuracy_of(const SchemeEntry& scheme, int n, const std::vector<Impact>& impacts) {
  Mean mean;
  for (const Impact& impact : impacts)
    mean.add(relative_error(outcome([&] { return run_aligned(impact, impact_scheme(scheme), n); }), impact.exact));
  return mean.value();
}

void grid_of(ImpactResult::Grid& g, const std::vector<Impact>& impacts, std::size_t each) {
  Mean dev, tot;
  for (std::size_t k = each / 2; k < impacts.size(); k += each) {
    const Impact& impact = impacts[k];
    const ImpactOutcome aligned = outcome([&] { return run_aligned(impact, impact_scheme(*g.scheme), g.n); });
    ImpactOutcome most_dev, most_tot;
    for (const Real phase : impact_phases()) {
      const ImpactOutcome found =
          outcome([&] { return run_phased(impact, impact_scheme(*g.scheme), g.n, phase, g.onset); });
      raise(most_dev, relative_error(found, aligned));
      raise(most_tot, relative_error(found, impact.exact));
    }
    dev.add(most_dev), tot.add(most_tot);
  }
  g.dev = dev.value(), g.tot = tot.value();
}

ImpactErrors phase_of(const ImpactResult::Phase& p, int n, const std::vector<Impact>& impacts, std::size_t each) {
  Mean dev;
  for (std::size_t k = each / 2; k < impacts.size(); k += each) {
    const Impact& impact = impacts[k];
    const ImpactOutcome aligned = outcome([&] { return run_aligned(impact, impact_scheme(*p.scheme), n); });
    dev.add(relative_error(outcome([&] { return run_phased(impact, impact_scheme(*p.scheme), n, p.phase, p.onset); }),
                           aligned));
  }
  return dev.value();
}

// --- Costs -----------------------------------------------------------------------------------------------------------

// A periodic crystal of spheres that press on each other, twelve contacts each: what a dense flow costs.
class Bed {
 public:
  Bed() : world_(settings()) {
    std::vector<GrainData> grains;
    const Real edge = side / cells, apart = edge / std::sqrt(2.0);
    const Vector corners[] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    constexpr Real overlap = 1e-3;  // [-] of a diameter
    for (int k = 0; k < cells * cells * cells; ++k)
      for (const Vector& c : corners) {
        const Vector at{k % cells + c.x, k / cells % cells + c.y, k / (cells * cells) + c.z};
        const Real t = static_cast<Real>(grains.size());
        grains.push_back({.position = edge * (at + Vector{0.25, 0.25, 0.25}),
                          .velocity = 1e-4 * Vector{std::sin(t), std::sin(2 * t), std::sin(3 * t)},
                          .spin = 1e-2 * Vector{std::cos(t), std::cos(2 * t), std::cos(3 * t)},
                          .radius = 0.5 * apart * (1 + overlap),
                          .mass = 0.26e-3});
      }
    world_.insert(grains);
    world_.begin();
  }
  World& world() { return world_; }
  static constexpr Real step = 2e-7;  // [s] a hundredth of a contact

 private:
  static constexpr int cells = 5;
  static constexpr Real side = 0.03;  // [m]
  static WorldSettings settings() {
    ContactSettings contact;
    contact["stiffness"] = 5e6, contact["damping"] = 10, contact["friction"] = 0.18;
    WorldSettings s;
    s.laws = law_table("linear", {Material{}}, [&](auto, auto) { return contact; });
    s.gravity = {};
    s.cell = PeriodicCell::from({}, {side, side, side});
    return s;
  }
  World world_;
};

// [s] the least of `repeats` times, each of `times` calls.
template <class F>
Real least_seconds(int repeats, int times, F&& f) {
  Real least = std::numeric_limits<Real>::infinity();
  for (int r = 0; r < repeats; ++r) {
    const Real start = thread_seconds();
    for (int k = 0; k < times; ++k) f();
    least = std::min(least, (thread_seconds() - start) / times);
  }
  return least;
}

Real bed_step(const SchemeEntry& scheme, int repeats) {
  Bed bed;
  World& w = bed.world();
  for (int k = 0; k <= scheme.claims.memory; ++k) scheme.advance(w, Bed::step);
  return least_seconds(repeats, 4, [&] { scheme.advance(w, Bed::step); }) / w.size();
}

// Of the steps alone, at a few angles.
void cost_of(ImpactResult::Cost& c, const std::vector<int>& steps, const std::vector<Impact>& impacts, int repeats) {
  constexpr std::size_t angles = 20;
  const std::size_t each = std::max<std::size_t>(1, impacts.size() / angles);
  std::int64_t passes = 0, all = 0;
  c.step = 0;
  for (const int n : steps) {
    Real least = std::numeric_limits<Real>::infinity();
    for (int r = 0; r < repeats; ++r) {
      Real seconds = 0;
      int count = 0;
      for (std::size_t k = 0; k < impacts.size(); k += each, ++count) {
        ImpactRun run = ImpactRun::aligned(impacts[k], impact_scheme(*c.scheme), n);
        const std::int64_t before = run.world().force_passes();
        const Real start = thread_seconds();
        outcome([&] { return run.steps(n), run.outcome(); });
        seconds += thread_seconds() - start;
        passes += run.world().force_passes() - before, all += n;
      }
      least = std::min(least, seconds / count);
    }
    c.run.push_back(least);
    c.step += least;
  }
  int sum = 0;
  for (const int n : steps) sum += n;
  c.step /= sum;
  c.passes = static_cast<Real>(passes) / static_cast<Real>(all);
  c.bed_step = bed_step(*c.scheme, repeats);
}

void measure_costs(ImpactResult& r, const std::vector<Impact>& impacts, const ProgressCallback& on_progress,
                   Real done) {
  const ImpactSettings& settings = r.settings;
  r.cost_steps = {10, 20, 40, 60, 80, 100};
  const auto measured = [&](const SchemeEntry& scheme) {
    if (on_progress) on_progress(done, "cost of " + scheme.name);
    ImpactResult::Cost c{&scheme, 0, 0, {}, 0};
    cost_of(c, r.cost_steps, impacts, settings.cost_repeats);
    return c;
  };
  const ImpactResult::Cost euler = measured(scheme_named("forward_euler")), taylor = measured(scheme_named("taylor2"));
  r.euler_step = euler.step, r.euler_bed_step = euler.bed_step;
  r.taylor2_step = taylor.step, r.taylor2_passes = taylor.passes;
  Bed bed;
  World& w = bed.world();
  const auto scratch = w.borrow(2);
  State &y = scratch[0], &rate = scratch[1];
  w.combine(y, w.state(), {}, StatePart::everything);
  r.bed_force = least_seconds(settings.cost_repeats, 4, [&] { w.rates(y, rate); }) / w.size();
  r.bed_share = 1 - r.bed_force * taylor.passes / taylor.bed_step;
  r.bed_grains = w.size(), r.bed_contacts = w.contacts();
  for (const SchemeEntry* scheme : settings.schemes)
    r.costs.push_back(scheme == euler.scheme ? euler : scheme == taylor.scheme ? taylor : measured(*scheme));
}

// One scheme of each kind, if it is among those selected.
Selection with_phases(const Selection& schemes) {
  Selection few;
  for (const SchemeEntry* s : schemes)
    for (const char* name : {"velocity_verlet_predicted", "velocity_verlet_implicit", "rk4", "taylor3",
                             "central_difference", "adams_bashforth2"})
      if (s->name == name) few.push_back(s);
  if (few.empty()) few.assign(schemes.begin(), schemes.begin() + std::min<std::ptrdiff_t>(4, std::ssize(schemes)));
  return few;
}

}  // namespace

ImpactScheme impact_scheme(const SchemeEntry& scheme) {
  return {.advance = scheme.advance,
          .staggered = scheme.staggered,
          .memory = scheme.claims.memory,
          .past_positions = scheme.staggered && scheme.claims.family == "multistep",
          .positions_between = scheme.claims.name == "position_verlet"};
}

bool grid_has_readings(const SchemeEntry& scheme) {
  const ImpactScheme s = impact_scheme(scheme);
  return s.memory > 0 || s.past_positions || s.positions_between;
}

Selection select_fixed_steps(const std::string& names) {
  Selection all = select_schemes(names);
  for (const SchemeEntry* s : all)
    if (s->claims.adaptive && !names.empty())
      throw Error(
          Exit::bad_input,
          "study impact: '" + s->name +
              "' chooses its own steps; expected schemes of fixed step, because every impact has n equal steps");
  std::erase_if(all, [](const SchemeEntry* s) { return s->claims.adaptive; });
  return all;
}

std::vector<Real> impact_phases() {
  std::vector<Real> phases;
  for (int k = 1; k < 20; ++k) phases.push_back(0.05 * k);
  phases.push_back(1 - 1e-12);
  return phases;
}

std::vector<int> impact_steps(int from, int to) {
  std::vector<int> all;
  for (int n = from; n <= to; ++n) all.push_back(n);
  return all;
}

std::vector<int> some_of(std::vector<int> steps, int from, int to) {
  std::erase_if(steps, [&](int n) { return n < from || n > to; });
  if (steps.empty()) steps.push_back(from);
  return steps;
}

std::vector<int> impact_grid_steps(int from, int to) {
  return some_of({7, 10, 14, 18, 20, 22, 25, 30, 50, 75, 76, 100}, from, to);
}
std::vector<int> impact_simulated_steps(int from, int to) {
  return some_of({7, 10, 14, 20, 30, 50, 100}, from, to);
}

void ImpactSettings::make_quick() {
  constexpr Real most_calls = 20;
  std::erase_if(schemes, [](const SchemeEntry* s) { return guess_of_step(*s) > most_calls; });
  steps = {4, 6, 7, 8, 9, 10, 12, 15, 18, 20, 22, 25, 30, 40, 50, 75, 100};
  grid_steps = {18, 20, 30, 75, 76};
  simulated_steps = {10, 20};
  grid_each = 5;
  cost_repeats = 2;
}

ImpactResult study_impact(const ImpactSettings& settings, const ProgressCallback& on_progress) {
  ImpactResult r;
  r.settings = settings;
  std::vector<Impact> impacts;
  for (const Real alpha : settings.angles)
    impacts.emplace_back(settings.material, impact_velocity(settings.speed, alpha));

  // Seconds on one thread, by a guess of what a call costs.
  const auto seconds = [&](const SchemeEntry& s, Real steps) { return 4e-7 * steps * guess_of_step(s); };
  Real all = 0;
  for (const SchemeEntry* s : settings.schemes) {
    for (const int n : settings.steps) {
      r.accuracy.push_back({s, n, {}});
      all += seconds(*s, n * std::ssize(impacts));
    }
  }
  const std::size_t grid_each = std::clamp<std::size_t>(settings.grid_each, 1, impacts.size());
  const auto angles = static_cast<Real>((impacts.size() + grid_each - 1) / grid_each);
  const auto phased = angles * static_cast<Real>(impact_phases().size());
  for (const Onset onset : {Onset::sampled, Onset::simulated, Onset::corrected, Onset::remembered})
    for (const SchemeEntry* s : settings.schemes)
      for (const int n : settings.steps_of(onset)) {
        if (onset == Onset::remembered && !grid_has_readings(*s)) continue;
        r.grid.push_back({s, onset, n, {}, {}});
        all += seconds(*s, n * phased);
      }
  constexpr int phases = 40;
  for (const SchemeEntry* s : with_phases(settings.schemes))
    for (const Onset onset : {Onset::sampled, Onset::simulated, Onset::corrected})
      for (int k = 0; k < phases; ++k) r.phases.push_back({s, onset, (k + 0.5) / phases, {}});

  // The most expensive tasks first, so that no thread works alone at the end.
  const int threads = settings.threads > 0 ? settings.threads : available_threads();
  const auto dearest_first = [&](auto& entries) {
    std::vector<std::remove_reference_t<decltype(entries[0])>*> tasks;
    for (auto& e : entries) tasks.push_back(&e);
    std::stable_sort(tasks.begin(), tasks.end(), [&](const auto* a, const auto* b) {
      return seconds(*a->scheme, a->n) > seconds(*b->scheme, b->n);
    });
    return tasks;
  };
  Real begun = 0;
  constexpr Real most = 0.9;  // the rest is costs
  const auto progress = [&](const SchemeEntry& s, Real steps, const char* doing) {
    if (on_progress) on_progress(most * begun / all, doing);
    begun += seconds(s, steps);
  };
  const auto accuracy = dearest_first(r.accuracy);
  each_task(
      threads, std::ssize(accuracy),
      [&](std::ptrdiff_t k) { accuracy[k]->ard = accuracy_of(*accuracy[k]->scheme, accuracy[k]->n, impacts); },
      [&](std::ptrdiff_t k) { progress(*accuracy[k]->scheme, accuracy[k]->n * std::ssize(impacts), "accuracy"); });
  const auto grid = dearest_first(r.grid);
  each_task(
      threads, std::ssize(grid), [&](std::ptrdiff_t k) { grid_of(*grid[k], impacts, grid_each); },
      [&](std::ptrdiff_t k) { progress(*grid[k]->scheme, grid[k]->n * phased, "time-grid error"); });
  each_task(threads, std::ssize(r.phases), [&](std::ptrdiff_t k) {
    r.phases[k].dev = phase_of(r.phases[k], settings.phase_steps, impacts, grid_each);
  });
  measure_costs(r, impacts, on_progress, most);
  return r;
}

}  // namespace cairn::studies
