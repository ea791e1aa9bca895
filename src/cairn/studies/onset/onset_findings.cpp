// The findings of the onset study, in words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/formats/words.hpp"
#include "cairn/studies/onset/onset_view.hpp"

namespace cairn::studies::onset_view {
namespace {

constexpr Real wanted_gain = 5;  // in the gas

std::string listed(const std::vector<std::string>& all) {
  std::string words;
  for (const std::string& one : all) words += (words.empty() ? "" : ", ") + one;
  return words;
}

// Smallest and largest of what is finite.
struct Range {
  Real low = nan, high = nan;
  void add(Real a) {
    if (!std::isfinite(a)) return;
    if (!(a >= low)) low = a;
    if (!(a <= high)) high = a;
  }
  std::string words() const { return two_places(low) + " to " + two_places(high); }
};

Real median(std::vector<Real> all) {
  std::erase_if(all, [](Real a) { return !std::isfinite(a); });
  if (all.empty()) return nan;
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

}  // namespace

std::vector<std::string> findings_of(const Result& r) {
  const Selection schemes = schemes_of(r);
  const SchemeEntry* usual = usual_of(schemes);
  std::vector<std::string> findings;
  const auto at = [&](std::size_t in, std::size_t m, const SchemeEntry* s) {
    return entry_at(entries_of(r, in, m, s), gain_steps);
  };
  const auto case_named = [&](const char* name) {
    std::size_t in = 0;
    while (in < r.cases.size() && r.cases[in].name != name) ++in;
    return in;
  };

  // What is gained.
  if (!r.entries.empty()) {
    const std::size_t first = case_named("gas") < r.cases.size() ? case_named("gas") : 0;
    const SchemeEntry* best = usual;
    for (const SchemeEntry* s : schemes) {
      const auto gain = [&](const SchemeEntry* of) {
        const Entry* e = at(first, shown_measure(r.cases[first]), of);
        return e && std::isfinite(e->gain()) ? e->gain() : 0;
      };
      if (gain(s) > gain(best)) best = s;
    }
    std::vector<std::string> gains, nowhere;
    for (const SchemeEntry* s : best == usual ? Selection{usual} : Selection{usual, best}) {
      std::vector<std::string> parts;
      for (std::size_t in = 0; in < r.cases.size(); ++in)
        if (const Entry* e = at(in, shown_measure(r.cases[in]), s); e && e->gain() >= helps_from)
          parts.push_back(fmt::format("{} by {}", r.cases[in].name, factor(e->gain())));
      if (parts.empty())
        nowhere.push_back(name_of(s));
      else
        gains.push_back(fmt::format("{}of {} in {}", gains.empty() ? "" : "; ", name_of(s), listed(parts)));
    }
    const Entry* one = at(0, 0, usual);
    const std::string where = fmt::format("At n = {:g} steps per contact the correction ", one ? one->n : nan);
    if (!gains.empty()) findings.push_back(where + "divides the error " + joined(gains, "", "") + ".");
    if (!nowhere.empty())
      findings.push_back(where + fmt::format("makes the error of {} in no case smaller by a factor of {:g} or more.",
                                             listed(nowhere), helps_from));
  }
  if (const std::size_t in = case_named("gas"); in < r.cases.size()) {
    const std::size_t m = shown_measure(r.cases[in]);
    std::vector<std::string> from, never;
    for (const SchemeEntry* s : schemes) {
      Real n = nan;
      const auto entries = entries_of(r, in, m, s);
      for (auto e = entries.rbegin(); e != entries.rend() && (*e)->gain() >= wanted_gain; ++e) n = (*e)->n;
      std::isfinite(n) ? from.push_back(fmt::format("{:g} with {}", n, name_of(s))) : never.push_back(name_of(s));
    }
    findings.push_back(
        from.empty() ? "In three dimensions with friction and many bodies the median error of velocities falls to a "
                       "fifth with no scheme at any n."
                     : fmt::format("In three dimensions with friction and many bodies the median error of velocities "
                                   "falls to a fifth or less from n = {} on{}.",
                                   listed(from), never.empty() ? "" : "; not with " + listed(never)));
  }
  for (const char* name : {"impact", "gas"}) {
    const std::size_t in = case_named(name);
    if (in == r.cases.size()) continue;
    const std::size_t m = shown_measure(r.cases[in]);
    std::vector<std::string> steps, beyond;
    Real finest = nan;
    for (const SchemeEntry* s : schemes) {
      const auto entries = entries_of(r, in, m, s);
      const Entry* ten = entry_at(entries, 10);
      if (!ten || ten->n != 10 || !(ten->gain() > 1.1)) continue;
      const Real needed = plain_steps_for(entries, ten->on);
      finest = entries.back()->n;
      std::isfinite(needed) ? steps.push_back(fmt::format("{:.0f} ({})", needed, name_of(s)))
                            : beyond.push_back(name_of(s));
    }
    if (!beyond.empty()) steps.push_back(fmt::format("more than {:g} ({})", finest, listed(beyond)));
    if (!steps.empty())
      findings.push_back(fmt::format("Error of {} in {}: n = 10 with the correction is as good as, without it, n = {}.",
                                     spaced(r.cases[in].measures[m].name), name, listed(steps)));
  }
  for (const char* name : {"impact", "hertz"}) {
    const std::size_t in = case_named(name);
    if (in == r.cases.size()) continue;
    Range off, on;
    for (const SchemeEntry* s : schemes)
      off.add(onset_slope(r, in, 0, s, false)), on.add(onset_slope(r, in, 0, s, true));
    if (std::isfinite(off.low) && std::isfinite(on.low))
      findings.push_back(
          fmt::format("Restitution over random phases, law {}: the error falls with the step with slopes of "
                      "{} without and {} with the correction, from scheme to scheme.",
                      r.cases[in].law, off.words(), on.words()));
  }

  // Where it does not help.
  std::vector<std::string> none, worse, lost;
  for (std::size_t in = 0; in < r.cases.size(); ++in)
    for (std::size_t m = 0; m < r.cases[in].measures.size(); ++m) {
      const Result::Case& c = r.cases[in];
      if (c.measures[m].of == Measure::Of::mean) continue;  // small for another reason: errors of both ends cancel
      std::vector<Real> gains;
      for (const SchemeEntry* s : schemes)
        if (const Entry* e = at(in, m, s)) gains.push_back(e->gain());
      if (const Real middle = median(gains); middle < helps_from)
        none.push_back(fmt::format("{} in {} ({})", spaced(c.measures[m].name), c.name, factor(middle)));
    }
  for (const SchemeEntry* s : schemes) {
    std::vector<std::string> where;
    for (std::size_t in = 0; in < r.cases.size(); ++in)
      for (std::size_t m = 0; m < r.cases[in].measures.size(); ++m)
        if (const Entry* e = at(in, m, s); e && e->gain() < 1 / helps_from && e->resolved)
          where.push_back(fmt::format("{} in {} {} to {}", spaced(r.cases[in].measures[m].name), r.cases[in].name,
                                      brief_number(e->off), brief_number(e->on)));
    if (!where.empty()) worse.push_back(name_of(s) + " (" + listed(where) + ")");
  }
  for (const Entry& e : r.entries)
    if (e.measure == 0 && std::isfinite(e.off) && !std::isfinite(e.on))
      lost.push_back(fmt::format("{} in {} at n = {:g}", name_of(e.scheme), r.cases[e.in].name, e.n));
  if (!none.empty())
    findings.push_back("It does not help, or by less than a half, most schemes with the error of (median gain): " +
                       listed(none) + ".");
  if (!worse.empty())
    findings.push_back(
        fmt::format("It makes the error larger by more than a half, at n = {:g} or the nearest there is, with: "
                    "{}.",
                    gain_steps, listed(worse)));
  if (!lost.empty()) findings.push_back("Only without the correction there is an outcome: " + listed(lost) + ".");

  if (const Result::Cooling& c = r.cooling; c.grains > 0) {
    std::string errors;
    for (std::size_t k = 0; k + 1 < c.runs.size(); k += 2)
      if (c.runs[k].scheme == usual)
        errors += fmt::format("{}{:.2g} % and {:.2g} % at n = {:g}", errors.empty() ? "" : ", ",
                              100 * cooled(c, c.runs[k]).energy, 100 * cooled(c, c.runs[k + 1]).energy, c.runs[k].n);
    const Cooled chance = cooled(c, c.references[1]);
    findings.push_back(fmt::format(
        "A gas of {} inelastic grains that cools, against a run at n = {:g}: the energy is wrong by, without and with "
        "the correction, {}. Two runs at n = {:g}, with and without it, are {:.2g} % apart: such a difference is "
        "chance. Only the mean of the restitution over the phases counts here, which is far less wrong than its "
        "scatter; so little is gained.",
        c.grains, c.references[0].n, errors, c.references[0].n, 100 * chance.energy));
    findings.push_back(fmt::format("At n = {:g} it cools at {:.3f} of the rate of Haff's law.", c.references[0].n,
                                   cooling_rate(c, c.references[0].energy) * c.tau));
  }
  return findings;
}

}  // namespace cairn::studies::onset_view
