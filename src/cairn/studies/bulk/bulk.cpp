#include "cairn/studies/bulk/bulk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/studies/validation/beds.hpp"

namespace cairn::studies {
namespace {

// Student's t for a two-sided 95 % interval, by degrees of freedom from 1.
constexpr std::array<Real, 19> student{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                       2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093};

}  // namespace

BulkSettings BulkSettings::quick() {
  BulkSettings s;
  s.schemes = select_schemes("velocity_verlet_predicted,velocity_verlet_extrapolated");
  s.per_collision = {5, 10, 20};
  s.finest = 60;
  s.starts = 6;
  s.sizes = {};
  return s;
}

std::vector<bool> BulkSettings::onsets() const {
  return plain ? std::vector<bool>{true, false} : std::vector<bool>{true};
}

BulkResult::Deviation statistics_of(const std::vector<Real>& values) {
  const std::size_t count = values.size();
  if (count < 2) return {nan, nan, nan};
  BulkResult::Deviation d;
  d.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<Real>(count);
  Real squares = 0;
  for (const Real v : values) squares += (v - d.mean) * (v - d.mean);
  d.error = std::sqrt(squares / static_cast<Real>(count * (count - 1)));
  const std::size_t freedom = count - 1;
  // Beyond the table: at most 2e-3 too wide.
  const Real t = freedom <= student.size() ? student[freedom - 1] : 1.96 + 2.5 / static_cast<Real>(freedom);
  d.half_width = t * d.error;
  return d;
}

Real BulkResult::Run::price() const {
  Real simulated = 0, seconds = 0;
  for (const BulkRun& s : starts) simulated += s.simulated, seconds += s.seconds;
  const bool all = std::all_of(starts.begin(), starts.end(), [](const BulkRun& s) { return s.simulated > 0; });
  return all ? seconds / simulated : nan;
}

std::pair<Real, Real> BulkResult::reference(std::size_t in, std::size_t measure) const {
  std::vector<Real> values;
  for (const BulkRun& s : references[in].starts) values.push_back(s.values[measure]);
  const Deviation d = statistics_of(values);
  return {d.mean, d.error};
}

BulkResult::Deviation BulkResult::deviation(const Run& run, std::size_t measure) const {
  const Real scale = reference(run.in, measure).first;
  std::vector<Real> pairs;
  for (std::size_t k = 0; k < run.starts.size(); ++k)
    pairs.push_back((run.starts[k].values[measure] - references[run.in].starts[k].values[measure]) / scale);
  return statistics_of(pairs);
}

Real BulkResult::correlation(const Run& run, std::size_t measure) const {
  const std::vector<BulkRun>& with = references[run.in].starts;
  std::vector<Real> a, b;
  for (std::size_t k = 0; k < run.starts.size(); ++k)
    a.push_back(run.starts[k].values[measure]), b.push_back(with[k].values[measure]);
  const Real mean_a = statistics_of(a).mean, mean_b = statistics_of(b).mean;
  Real aa = 0, bb = 0, ab = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    aa += (a[k] - mean_a) * (a[k] - mean_a), bb += (b[k] - mean_b) * (b[k] - mean_b),
        ab += (a[k] - mean_a) * (b[k] - mean_b);
  return ab / std::sqrt(aa * bb);
}

Real BulkResult::starts_that_decide(const Run& run, std::size_t measure) const {
  const Real narrower = deviation(run, measure).half_width / (0.5 * settings.wanted);
  return settings.starts * narrower * narrower;
}

BulkResult::Verdict BulkResult::verdict(const Run& run, std::size_t measure) const {
  const Deviation d = deviation(run, measure);
  if (std::isnan(d.mean)) return Verdict::unstable;
  if (std::fabs(d.mean) + d.half_width <= settings.wanted) return Verdict::within;
  return std::fabs(d.mean) - d.half_width > settings.wanted ? Verdict::outside : Verdict::undecided;
}

BulkResult study_bulk(const BulkSettings& settings, const ProgressCallback& on_progress) {
  for (const SchemeEntry* s : settings.schemes)
    if (s->claims.adaptive)
      throw Error(Exit::bad_input,
                  "study bulk: found '" + s->name + "', which chooses its own steps; expected schemes of fixed step");
  BulkResult r;
  r.settings = settings;
  std::string names;
  for (BulkCase& c : bulk_cases(settings.sizes)) {
    names += (names.empty() ? "" : ", ") + c.name;
    if (settings.cases.empty() ||
        std::find(settings.cases.begin(), settings.cases.end(), c.name) != settings.cases.end())
      r.cases.push_back(std::move(c));
  }
  for (const std::string& name : settings.cases)
    if (std::none_of(r.cases.begin(), r.cases.end(), [&](const BulkCase& c) { return c.name == name; }))
      throw Error(Exit::bad_input, "study bulk: found the case '" + name + "', expected one of: " + names);

  const auto add = [&](std::vector<BulkResult::Run>& to, const SchemeEntry* scheme, std::size_t in, int n, bool onset) {
    to.push_back({scheme, in, n, onset, std::vector<BulkRun>(static_cast<std::size_t>(settings.starts))});
  };
  for (std::size_t in = 0; in < r.cases.size(); ++in) {
    add(r.references, settings.reference, in, settings.finest, true);
    if (settings.plain) add(r.checks, settings.reference, in, settings.finest, false);
    for (const SchemeEntry* scheme : settings.schemes)
      for (const int n : settings.per_collision)
        for (const bool onset : settings.onsets()) add(r.runs, scheme, in, n, onset);
  }
  struct Task {
    BulkResult::Run* run;
    std::size_t start;
    Real cost;
  };
  std::vector<Task> tasks;
  for (auto* runs : {&r.references, &r.checks, &r.runs})
    for (BulkResult::Run& run : *runs)
      for (std::size_t k = 0; k < run.starts.size(); ++k)
        tasks.push_back({&run, k, r.cases[run.in].cost * run.n * guess_of_step(*run.scheme)});
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.cost > b.cost; });
  each_bed(static_cast<int>(tasks.size()), "bulk", on_progress, [&](int k) {
    const Task& t = tasks[static_cast<std::size_t>(k)];
    t.run->starts[t.start] = r.cases[t.run->in].run(*t.run->scheme, t.run->onset, t.run->n, t.start);
  });
  return r;
}

}  // namespace cairn::studies
