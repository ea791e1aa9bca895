#include "cairn/studies/onset/onset.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "cairn/analysis/convergence.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/core/threads.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/run/scheme_choice.hpp"

namespace cairn::studies {
namespace {

constexpr const char* reference_scheme = "dormand_prince54";
constexpr const char* other_scheme = "rk4";  // of fixed step, for the check of the reference

struct RunResult {
  std::vector<GrainMotions> looks;  // none: the run failed
  Real residual = 0;                // [-]
};

GrainMotions motions_of(const World& w) {
  GrainMotions all;
  for (const int i : w.grains().by_id()) all.push_back({w.position(i), w.velocity(i), w.spin(i), w.grains().radius[i]});
  return all;
}

World make(const Start& start, bool onset) {
  WorldSettings s = start.settings;
  s.onset = onset;
  World w(s);
  w.insert(start.grains);
  w.begin();
  return w;
}

// Relative to the largest energy of motion and contacts, so that the zero of the potential energy does not matter.
Real residual_of(const World& w, const Real exchanged) {
  return std::fabs(w.residual()) / exchanged;
}

RunResult run_fixed(const Start& start, const SchemeEntry& scheme, bool onset, Real h, int looks, int steps_per_look) {
  RunResult out;
  try {
    World w = make(start, onset);
    Real most = 0;
    const auto look = [&] {
      const Energies e = w.energies();
      most = std::max(most, e.kinetic + e.rotational + e.elastic);
    };
    look();
    for (int k = 0; k < looks; ++k) {
      for (int s = 0; s < steps_per_look; ++s) scheme.advance(w, h);
      const World::Synchronised now(w, scheme.staggered ? 0.5 * h : 0);
      look();
      out.looks.push_back(motions_of(w));
    }
    const World::Synchronised now(w, scheme.staggered ? 0.5 * h : 0);
    out.residual = residual_of(w, most);
  } catch (const Error&) {
    out.looks.clear();
  }
  return out;
}

RunResult run_adaptive(const Start& start, Real tolerance, Real contact, Real end, int looks) {
  const SchemeEntry& scheme = scheme_named(reference_scheme);
  World w = make(start, false);
  w.controller().tolerance = tolerance;
  w.controller().largest = 0.1 * contact;  // so that no step is longer than a contact
  w.controller().smallest = 1e-14 * end;
  RunResult out;
  for (int k = 1; k <= looks; ++k) {
    const Real until = end * k / looks;
    while (w.time() < until * (1 - 1e-13)) scheme.advance(w, until - w.time());
    out.looks.push_back(motions_of(w));
  }
  return out;
}

// [-] contacts begun for each grain.
Real collisions_of(const OnsetCase& c, const Start& start, Real h) {
  const SchemeEntry& scheme = scheme_named(other_scheme);
  World w = make(start, false);
  std::set<std::pair<std::int64_t, std::int64_t>> before;
  Real begun = 0;
  for (int k = 0; k < static_cast<int>(c.end / h); ++k) {
    scheme.advance(w, h);
    std::set<std::pair<std::int64_t, std::int64_t>> now;
    for (const ContactView& one : w.closed_contacts()) {
      now.insert({one.first, one.second});
      if (!before.contains({one.first, one.second})) begun += one.second < 0 ? 1 : 2;
    }
    before.swap(now);
  }
  return begun / w.size();
}

Real statistic(Measure::Of of, std::vector<Real>& all) {
  if (all.empty() || std::any_of(all.begin(), all.end(), [](Real a) { return !std::isfinite(a); })) return nan;
  const Real count = static_cast<Real>(all.size());
  Real sum = 0;
  switch (of) {
    case Measure::Of::rms:
      for (const Real a : all) sum += a * a;
      return std::sqrt(sum / count);
    case Measure::Of::mean:
      for (const Real a : all) sum += a;
      return std::fabs(sum / count);
    case Measure::Of::median:
      break;
  }
  const std::size_t half = all.size() / 2;
  std::sort(all.begin(), all.end());
  return all.size() % 2 == 1 ? all[half] : 0.5 * (all[half - 1] + all[half]);
}

// Of the outcomes of all starts.
Real error_of(const Measure& m, const std::vector<RunResult>& all, const std::vector<RunResult>& references) {
  std::vector<Real> deviations;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const RunResult& reference = references[std::min(k, references.size() - 1)];
    const std::size_t look = static_cast<std::size_t>(m.look);
    if (all[k].looks.size() <= look || reference.looks.size() <= look) return nan;
    m.deviations(all[k].looks[look], reference.looks[look], deviations);
  }
  return statistic(m.of, deviations);
}

// A piece of work that depends on no other, and a guess of its cost.
struct Task {
  Real cost;
  std::string doing;
  std::function<void()> work;
};

// Runs all tasks, the longest first.
void carry_out(std::vector<Task>& tasks, int threads, const ProgressCallback& on_progress) {
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.cost > b.cost; });
  Real all = 0, begun = 0;
  for (const Task& t : tasks) all += t.cost;
  each_task(
      threads, std::ssize(tasks), [&](std::ptrdiff_t k) { tasks[k].work(); },
      [&](std::ptrdiff_t k) {
        if (on_progress) on_progress(begun / all, tasks[k].doing);
        begun += tasks[k].cost;
      });
}

struct Steps {
  Real h;
  int per_look;
};
// In phased cases contact / h is a random number in [n - 1/2, n + 1/2) for each start. In other cases the step is
// adjusted so that it divides the time evenly.
Steps steps_of(const OnsetCase& c, Real n, int k) {
  constexpr std::uint64_t seed = 2;
  if (!c.phased) {
    const int per_look = std::max(1, static_cast<int>(std::lround(c.end * n / c.contact / c.looks)));
    return {c.end / per_look / c.looks, per_look};
  }
  const Real h = c.contact / (n - 0.5 + random_uniform(seed, 0, static_cast<std::uint64_t>(k)));
  constexpr int until_met = 3;
  return {h, until_met + static_cast<int>(std::ceil(c.end / h))};
}

std::vector<RunResult> run_starts(const OnsetCase& c, const SchemeEntry& scheme, bool onset, Real n, int starts) {
  std::vector<RunResult> all;
  for (int k = 0; k < starts; ++k) {
    const Steps s = steps_of(c, n, k);
    all.push_back(run_fixed(c.start(k, s.h), scheme, onset, s.h, c.looks, s.per_look));
  }
  return all;
}

// Everything that is run of a case.
struct CaseRuns {
  struct Of {
    const SchemeEntry* scheme;
    Real n;
    std::vector<RunResult> off, on;
  };
  struct CheckRun {
    Real n;
    std::vector<RunResult> outcomes;
  };
  std::vector<RunResult> reference, looser;
  std::vector<CheckRun> checks;
  std::vector<Of> runs;
  Real collisions = 0;
};

void add_tasks(std::vector<Task>& tasks, const OnsetSettings& settings, const OnsetCase& c, CaseRuns& r) {
  const Real reference_h = 0.1 * c.contact;
  const Real grains = static_cast<Real>(c.start(0, reference_h).grains.size());
  const auto steps = [&](Real n) { return c.starts * c.end * n / c.contact * (grains + 5); };
  const int references = c.phased ? 1 : c.starts;
  r.reference.resize(references), r.looser.resize(references);
  for (int k = 0; k < references; ++k)
    for (const bool loose : {false, true})
      tasks.push_back({steps(2000) / c.starts, "reference of " + c.name, [&c, &r, k, loose, reference_h] {
                         (loose ? r.looser : r.reference)[k] =
                             run_adaptive(c.start(k, reference_h), loose ? 10 * c.tolerance : c.tolerance, c.contact,
                                          c.end, c.looks);
                       }});
  const Real finest = settings.per_contact.back();
  r.checks = {{2 * finest, {}}, {4 * finest, {}}};
  for (CaseRuns::CheckRun& check : r.checks) {
    const int starts = c.phased ? std::min(c.starts, 20) : 1;
    tasks.push_back(
        {4 * steps(check.n) * starts / c.starts, "check of the reference of " + c.name,
         [&c, &check, starts] { check.outcomes = run_starts(c, scheme_named(other_scheme), false, check.n, starts); }});
  }
  tasks.push_back({4 * steps(20) / c.starts, "collisions of " + c.name, [&c, &r] {
                     const Real h = c.contact / 20;
                     r.collisions = collisions_of(c, c.start(0, h), h);
                   }});
  // Schemes with more expensive steps leave out the finest steps.
  const auto over_rk4 = [rk4 = guess_of_step(scheme_named("rk4"))](const SchemeEntry& s) {
    return std::max(1.0, guess_of_step(s) / rk4);
  };
  for (const SchemeEntry* s : settings.schemes)
    for (const Real n : settings.per_contact)
      if (c.phased || over_rk4(*s) * steps(n) <= settings.most_work) r.runs.push_back({s, n, {}, {}});
  for (CaseRuns::Of& run : r.runs)
    for (const bool on : {false, true})
      tasks.push_back({guess_of_step(*run.scheme) * steps(run.n), c.name + ", " + run.scheme->name,
                       [&c, &run, on] { (on ? run.on : run.off) = run_starts(c, *run.scheme, on, run.n, c.starts); }});
}

Real residual_of(const std::vector<RunResult>& all) {
  Real most = 0;
  for (const RunResult& o : all)
    if (o.residual > most || std::isnan(o.residual)) most = o.residual;
  return most;
}

void evaluate(const OnsetCase& c, const CaseRuns& runs, OnsetResult& r) {
  OnsetResult::Case told{.name = c.name,
                         .words = c.words,
                         .law = c.law,
                         .measures = c.measures,
                         .grains = static_cast<std::int64_t>(runs.reference[0].looks[0].size()),
                         .starts = c.starts,
                         .phased = c.phased,
                         .contact = c.contact,
                         .end = c.end,
                         .collisions = runs.collisions,
                         .uncertainty = {},
                         .checks = {}};
  for (const Measure& m : c.measures) told.uncertainty.push_back(error_of(m, runs.looser, runs.reference));
  for (const CaseRuns::CheckRun& check : runs.checks) {
    told.checks.push_back({other_scheme, check.n, {}});
    const std::vector<RunResult> of(runs.reference.begin(), runs.reference.begin() + 1);
    for (const Measure& m : c.measures) told.checks.back().error.push_back(error_of(m, check.outcomes, of));
  }
  for (std::size_t m = 0; m < c.measures.size(); ++m)
    for (const CaseRuns::Of& run : runs.runs) {
      const Real off = error_of(c.measures[m], run.off, runs.reference);
      const Real on = error_of(c.measures[m], run.on, runs.reference);
      r.entries.push_back({run.scheme, r.cases.size(), m, run.n, off, on, residual_of(run.off), residual_of(run.on),
                           !(std::min(off, on) < 10 * told.uncertainty[m])});
    }
  r.cases.push_back(std::move(told));
}

// --- Cooling --------------------------------------------------------------------------------------------------------

constexpr int cooling_looks = 40;

void cool(const CoolingCase& c, OnsetResult::Cooling::Run& run) {
  const int per_look = std::max(1, static_cast<int>(std::lround(c.end * run.n / c.contact / cooling_looks)));
  const Real h = c.end / per_look / cooling_looks;
  try {
    World w = make(c.start, run.onset);
    const Real first = w.energies().mechanical();
    run.energy = {1};
    for (int k = 0; k < cooling_looks; ++k) {
      for (int s = 0; s < per_look; ++s) run.scheme->advance(w, h);
      const World::Synchronised now(w, run.scheme->staggered ? 0.5 * h : 0);
      run.energy.push_back(w.energies().mechanical() / first);
      run.residual = residual_of(w, first);
    }
  } catch (const Error&) {
    run.energy.assign(cooling_looks + 1, nan);
    run.residual = nan;
  }
}

void add_tasks(std::vector<Task>& tasks, const OnsetSettings& settings, const CoolingCase& c, OnsetResult::Cooling& r) {
  r.grains = static_cast<int>(c.start.grains.size());
  r.restitution = c.restitution, r.fraction = c.fraction, r.contact = c.contact, r.tau = c.tau;
  for (int k = 0; k <= cooling_looks; ++k) r.times.push_back(c.end * k / cooling_looks);
  const Real small = settings.finer * settings.cooling_per_contact.back();
  for (const bool onset : {false, true})
    r.references.push_back({&presumed_scheme(Scenario{}.scheme), small, onset, {}});
  for (const SchemeEntry* s : settings.schemes)
    for (const Real n : settings.cooling_per_contact)
      for (const bool onset : {false, true}) r.runs.push_back({s, n, onset, {}});
  for (auto* list : {&r.references, &r.runs})
    for (OnsetResult::Cooling::Run& run : *list)
      tasks.push_back({guess_of_step(*run.scheme) * c.end / c.contact * run.n * r.grains,
                       "cooling, " + run.scheme->name, [&c, &run] { cool(c, run); }});
}

}  // namespace

const SchemeEntry* usual_of(const Selection& schemes) {
  const SchemeEntry* usual = &presumed_scheme(Scenario{}.scheme);
  return std::find(schemes.begin(), schemes.end(), usual) == schemes.end() ? schemes.front() : usual;
}

void OnsetSettings::make_quick() {
  per_contact = {5, 7, 10, 14, 20, 28, 40, 57, 80};
  sizes = {.phases = 100, .billiards = 30, .gas = 100, .tables = 2};
  most_work = 5e5;
  cooling_grains = 200;
  cooling_per_contact = {5, 10};
}

OnsetResult study_onset(const OnsetSettings& asked_for, const ProgressCallback& on_progress) {
  OnsetSettings settings = asked_for;
  std::sort(settings.per_contact.begin(), settings.per_contact.end());
  if (settings.per_contact.empty() || settings.per_contact.front() < 1 ||
      settings.per_contact.back() > most_per_contact)
    throw Error(Exit::bad_input, "study onset: expected from 1 to " + brief(most_per_contact) + " steps per contact");
  for (const SchemeEntry* s : settings.schemes)
    if (s->claims.adaptive)
      throw Error(Exit::bad_input, "study onset: " + s->name +
                                       " rejects and shortens the steps in which contacts begin; the study takes only "
                                       "schemes of fixed step");
  if (settings.schemes.empty()) throw Error(Exit::bad_input, "study onset: no scheme is left");
  std::vector<OnsetCase> cases = onset_cases(settings.sizes);
  std::vector<std::string> names;
  for (const OnsetCase& c : cases) names.push_back(c.name);
  names.emplace_back(cooling_name);
  for (const std::string& name : settings.cases)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error(Exit::bad_input,
                  "study onset: there is no case '" + name + "'; there are " + joined(names, ", ", " and "));
  const auto asked = [&](const std::string& name) {
    return settings.cases.empty() ||
           std::find(settings.cases.begin(), settings.cases.end(), name) != settings.cases.end();
  };
  std::erase_if(cases, [&](const OnsetCase& c) { return !asked(c.name); });

  OnsetResult r;
  std::vector<Task> tasks;
  std::vector<CaseRuns> runs(cases.size());
  for (std::size_t k = 0; k < cases.size(); ++k) add_tasks(tasks, settings, cases[k], runs[k]);
  CoolingCase cooling;
  if (asked(cooling_name)) {
    if (on_progress) on_progress(0, "cooling, elastic collisions before the start");
    cooling = cooling_case(settings.cooling_grains, 300);
    add_tasks(tasks, settings, cooling, r.cooling);
  }
  carry_out(tasks, settings.threads, on_progress);
  for (std::size_t k = 0; k < cases.size(); ++k) evaluate(cases[k], runs[k], r);
  return r;
}

Real onset_slope(const OnsetResult& r, std::size_t in, std::size_t measure, const SchemeEntry* scheme, bool onset,
                 Real from) {
  std::vector<Convergence::Point> points;
  const OnsetResult::Case& c = r.cases[in];
  for (const OnsetResult::Entry& e : r.entries) {
    if (e.in != in || e.measure != measure || e.scheme != scheme || e.n < from) continue;
    const Real error = onset ? e.on : e.off;
    if (error > 10 * c.uncertainty[measure]) points.push_back({0, c.contact / e.n, error});
  }
  return points.size() < 3 ? nan : slope(points, 0, static_cast<int>(points.size()));
}

Real cooling_rate(const OnsetResult::Cooling& c, const std::vector<Real>& energy) {
  Real ty = 0, tt = 0;
  for (std::size_t k = 0; k < energy.size(); ++k) {
    ty += c.times[k] * (std::sqrt(1 / energy[k]) - 1);
    tt += c.times[k] * c.times[k];
  }
  return ty / tt;
}

Real energy_error(const std::vector<Real>& energy, const std::vector<Real>& reference) {
  Real sum = 0;
  for (std::size_t k = 1; k < energy.size(); ++k)
    sum += (energy[k] / reference[k] - 1) * (energy[k] / reference[k] - 1);
  return std::sqrt(sum / static_cast<Real>(energy.size() - 1));
}

}  // namespace cairn::studies
