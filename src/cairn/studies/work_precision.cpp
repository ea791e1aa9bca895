#include "cairn/studies/work_precision.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/analysis/convergence.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/contact_summary.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn::studies {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
constexpr const char* reference_scheme = "dormand_prince54";
constexpr const char* other_scheme = "rk4";  // of fixed step, for the check of the reference

Real processor_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<Real>(t.tv_sec) + 1e-9 * static_cast<Real>(t.tv_nsec);
}

struct Grain {
  std::int64_t id;
  Real radius;  // [m]
  Vector x, v;  // [m] [m/s]
};

struct Run {
  std::vector<Grain> grains;  // by id
  std::int64_t steps = 0, force_calls = 0;
  Real seconds = 0, residual = 0, speed = 0;  // [s] [-] [m/s] largest root mean square speed
  std::string failure{};
};

// Without a tolerance: the usual one of the scheme.
Scenario bare(const Scenario& of, const SchemeEntry& scheme, Real step, std::optional<Real> tolerance = {}) {
  Scenario s = of;
  s.scheme = scheme.name;
  s.step = step, s.chooses_step = false;
  s.tolerance = tolerance;
  s.threads = 1;
  s.series_every = s.end / 20;  // when speeds are sampled; nothing is written
  s.frames_every = s.checkpoint_every = 0;
  s.pictures_every = 0;
  s.report = false;
  s.wrong_friction_allowed = true;  // the error shows it
  for (const char* guard : {"overlap", "step", "residual"}) s.guards[guard] = GuardAction::off;
  s.guards["finite"] = GuardAction::refuse;
  return s;
}

Run run_once(const Scenario& scenario, std::int64_t most_calls) {
  Run r;
  Simulation simulation(scenario);
  simulation.world().controller().smallest = 1e-12 * scenario.end;  // onsets may need very small steps
  simulation.start();
  const std::int64_t calls = simulation.world().force_passes();
  const auto look = [&] {
    const auto synchronised = simulation.synchronised();
    simulation.measure();
    const World& w = simulation.world();
    Real sum = 0;
    for (int i = 0; i < w.size(); ++i) {
      const Vector v = w.state().body.at(BodyRow::v, i);
      sum += dot(v, v);
    }
    if (w.size() > 0) r.speed = std::max(r.speed, std::sqrt(sum / w.size()));
  };
  look();
  while (!simulation.over()) {
    const Real start = processor_seconds();
    simulation.advance([&] { return simulation.world().force_passes() - calls > most_calls; });
    r.seconds += processor_seconds() - start;
    if (simulation.world().force_passes() - calls > most_calls)
      throw Error(Exit::guard, "stopped at t = " + brief(simulation.world().time()) + " s after " +
                                   std::to_string(most_calls) +
                                   " force calls, a hundred times the steps of the finest run");
    look();
  }
  r.steps = simulation.steps();
  r.force_calls = simulation.world().force_passes() - calls;
  const auto synchronised = simulation.synchronised();
  r.residual = simulation.residual_fraction();
  const World& w = simulation.world();
  for (const int i : w.grains().by_id())
    r.grains.push_back({w.grains().id[i], w.grains().radius[i], w.position(i), w.state().body.at(BodyRow::v, i)});
  return r;
}

// Runs the scenario until `repeat_for` is spent and keeps the shortest time; a run that fails keeps the reason.
Run run(const Scenario& scenario, Real repeat_for, std::int64_t most_calls = unlimited) {
  constexpr int most = 20;
  try {
    Run first = run_once(scenario, most_calls);
    Real spent = first.seconds;
    for (int k = 1; k < most && spent < repeat_for; ++k) {
      const Real again = run_once(scenario, most_calls).seconds;
      spent += again;
      first.seconds = std::min(first.seconds, again);
    }
    return first;
  } catch (const Error& e) {
    Run failed;
    failed.failure = e.what();
    return failed;
  }
}

// NaN if the two runs do not end with the same grains.
Deviation deviation(const Run& a, const Run& b, Real length, Real speed) {
  Deviation none{nan, nan, nan, nan}, d;
  if (!a.failure.empty() || !b.failure.empty() || a.grains.size() != b.grains.size() || a.grains.empty()) return none;
  for (std::size_t k = 0; k < a.grains.size(); ++k) {
    if (a.grains[k].id != b.grains[k].id) return none;
    const Real x = norm(a.grains[k].x - b.grains[k].x) / length, v = norm(a.grains[k].v - b.grains[k].v) / speed;
    if (!std::isfinite(x) || !std::isfinite(v)) return none;
    d.position += x * x, d.velocity += v * v;
    d.position_most = std::max(d.position_most, x), d.velocity_most = std::max(d.velocity_most, v);
  }
  const Real n = static_cast<Real>(a.grains.size());
  d.position = std::sqrt(d.position / n), d.velocity = std::sqrt(d.velocity / n);
  return d;
}

// [s] that the shortest contact of the scenario lasts; 0: none.
Real shortest_contact(const Scenario& scenario) {
  Simulation simulation(scenario);
  simulation.start();
  Real least = 0;
  for (const ContactSummary& c :
       contact_summary(simulation.world(), scenario, simulation.emitters().lightest()).shortest)
    if (std::isfinite(c.duration) && (least == 0 || c.duration < least)) least = c.duration;
  return least;
}

// [s] a thousandth of the run where the program would choose the step.
Real own_step(const Scenario& scenario) {
  return scenario.chooses_step ? scenario.end / 1000 : scenario.step;
}

std::vector<Real> ladder(const WorkPrecisionSettings& settings, Real contact) {
  std::vector<Real> steps = settings.steps;
  if (steps.empty())
    for (const int n : settings.per_contact)
      steps.push_back((contact > 0 ? contact : 100 * own_step(settings.scenario)) / n);
  std::sort(steps.rbegin(), steps.rend());
  for (const Real h : steps)
    if (!(h > 0) || !(h <= settings.scenario.end))
      throw Error(Exit::bad_input, "work-precision: found a step of " + brief(h) +
                                       " s, expected at most the end of the run, " + brief(settings.scenario.end) +
                                       " s");
  return steps;
}

// The k-th of n tolerances of an adaptive scheme.
Real tolerance_of(std::size_t k, std::size_t n) {
  constexpr Real coarsest = -2, finest = -10;  // powers of ten
  const Real share = n > 1 ? static_cast<Real>(k) / static_cast<Real>(n - 1) : 0.5;
  return std::pow(10.0, coarsest + share * (finest - coarsest));
}

}  // namespace

WorkPrecisionResult study_work_precision(const WorkPrecisionSettings& settings, const ProgressCallback& on_progress) {
  const Scenario& scenario = settings.scenario;
  WorkPrecisionResult r;
  r.title = scenario.title;
  r.end = scenario.end;
  r.reference = reference_scheme;
  for (const SchemeEntry* s : settings.schemes)
    if (!friction_fault(*s, scenario).empty()) r.refused.push_back(s);
  const SchemeEntry& best = scheme_named(reference_scheme);
  r.contact = shortest_contact(bare(scenario, best, own_step(scenario), 1e-6));
  const std::vector<Real> steps = ladder(settings, r.contact);
  const Real largest = steps.front();  // of adaptive schemes, so that no contact is leapt over

  // The work of all runs, from their steps; that of adaptive schemes is a guess.
  const auto whole = [&](Real h) { return std::max<std::int64_t>(1, std::llround(scenario.end / h)); };
  const auto work = [&](const SchemeEntry& s, Real h) { return guess_of_step(s) * static_cast<Real>(whole(h)); };
  Real all = 8 * work(best, steps.back()), done = 0;
  for (const SchemeEntry* s : settings.schemes)
    for (const Real h : steps) all += work(*s, h);
  const auto say = [&](const std::string& doing) {
    if (on_progress) on_progress(done / all, doing);
  };

  // The reference: the tolerance is lowered until the result no longer improves.
  Run reference, before;
  const auto scaled = [&](const Run& a) { return deviation(a, reference, r.length, r.speed); };
  const auto total = [](const Deviation& d) { return d.position + d.velocity; };
  constexpr Real coarsest = 1e-7, finest = 1e-13, close = 1e-5;
  Real apart = std::numeric_limits<Real>::infinity();
  for (Real tolerance = coarsest; tolerance > 0.5 * finest; tolerance *= 0.1) {
    say("reference, tolerance " + brief(tolerance));
    Run now = run(bare(scenario, best, largest, tolerance), 0);
    if (!now.failure.empty()) {
      if (!reference.grains.empty()) break;
      throw Error(Exit::guard, "the reference run failed: " + now.failure);
    }
    if (now.grains.empty())
      throw Error(Exit::bad_input, "work-precision: at the end of the run there are no grains to compare");
    done += work(best, steps.back());
    const Real spent = static_cast<Real>(now.force_calls) * static_cast<Real>(now.grains.size());
    Real radius = 0;
    for (const Grain& g : now.grains) radius += g.radius / static_cast<Real>(now.grains.size());
    r.length = radius, r.speed = now.speed > 0 ? now.speed : 1;
    if (!before.grains.empty()) {
      const Deviation d = deviation(now, before, r.length, r.speed);
      if (!(total(d) < apart) && apart < close) break;
      if (std::isnan(total(d)) || total(d) < apart || reference.grains.empty()) {
        reference = now;
        r.reference_tolerance = tolerance;
        r.uncertainty = d;
        apart = std::isnan(total(d)) ? apart : total(d);
      }
    }
    before = std::move(now);
    if (!reference.grains.empty() && spent > settings.most_work) break;
  }
  r.reference_steps = reference.steps;
  r.grains = static_cast<std::int64_t>(reference.grains.size());

  for (const Real part : {2.0, 4.0}) {
    const Real h = scenario.end / static_cast<Real>(whole(steps.back() / part));
    say("check of the reference");
    r.checks.push_back({other_scheme, h, scaled(run(bare(scenario, scheme_named(other_scheme), h), 0))});
  }

  for (const SchemeEntry* s : settings.schemes) {
    for (std::size_t rung = 0; rung < steps.size(); ++rung) {
      const Real wanted = steps[rung];
      WorkPrecisionResult::Entry e{.scheme = s, .h = scenario.end / static_cast<Real>(whole(wanted))};
      say(s->name);
      const bool adaptive = s->claims.adaptive;
      if (adaptive) e.tolerance = tolerance_of(rung, steps.size());
      const Run made =
          run(bare(scenario, *s, adaptive ? largest : e.h, adaptive ? std::optional(e.tolerance) : std::nullopt),
              settings.repeat_for, 100 * whole(steps.back()));
      done += work(*s, wanted);
      e.failure = made.failure;
      e.error = scaled(made);
      if (made.failure.empty()) {
        if (adaptive) e.h = scenario.end / static_cast<Real>(std::max<std::int64_t>(1, made.steps));
        e.steps = made.steps, e.force_calls = made.force_calls, e.seconds = made.seconds;
        e.residual = std::fabs(made.residual);
        if (std::isnan(e.error.position)) e.failure = "it ends with other grains than the reference";
      } else {
        e.residual = nan;
        if (adaptive) e.h = nan;  // the run was not completed, so there is no mean step
      }
      e.resolved = !(e.error.position < 10 * r.uncertainty.position);
      r.entries.push_back(std::move(e));
    }
  }
  return r;
}

Cost cost_at(Real level, const std::vector<const WorkPrecisionResult::Entry*>& entries,
             Real (*cost)(const WorkPrecisionResult::Entry&)) {
  std::size_t end = entries.size();  // the finest runs may have been stopped
  while (end > 0 && !std::isfinite(entries[end - 1]->error.position)) --end;
  // From the finest run towards coarser ones, as long as errors are below the level.
  for (std::size_t k = end; k-- > 0;) {
    const WorkPrecisionResult::Entry& above = *entries[k];
    if (above.error.position <= level) continue;
    if (k + 1 == end) return {nan};
    const WorkPrecisionResult::Entry& below = *entries[k + 1];
    if (!std::isfinite(above.error.position)) return {cost(below), true};
    const Real share = std::log(above.error.position / level) / std::log(above.error.position / below.error.position);
    return {std::exp(std::log(cost(above)) + share * std::log(cost(below) / cost(above)))};
  }
  return end == 0 ? Cost{nan} : Cost{cost(*entries.front()), true};
}

}  // namespace cairn::studies
