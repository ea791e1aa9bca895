// The findings of the onset study, in words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/formats/words.hpp"
#include "cairn/studies/onset/onset_view.hpp"

namespace cairn::studies::onset_view {
namespace {

constexpr Real wanted_gain = 5;  // a finding names the n from which the gas reaches this gain

std::string listed(const std::vector<std::string>& all) {
  std::string words;
  for (const std::string& one : all) words += (words.empty() ? "" : ", ") + one;
  return words;
}

// Smallest and largest of the finite values.
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

  // Gains.
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
          parts.push_back(fmt::format("{} in {}", factor(e->gain()), r.cases[in].name));
      if (parts.empty())
        nowhere.push_back(name_of(s));
      else
        gains.push_back(fmt::format("{}with {}: {}", gains.empty() ? "" : "; ", name_of(s), listed(parts)));
    }
    const Entry* one = at(0, 0, usual);
    const std::string where = fmt::format("At n = {:g} steps per contact the correction ", one ? one->n : nan);
    if (!gains.empty())
      findings.push_back(where + "divides the error by these factors: " + joined(gains, "", "") + ".");
    if (!nowhere.empty())
      findings.push_back(
          where + fmt::format("divides the error by {:g} or more in no case with {}.", helps_from, listed(nowhere)));
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
        from.empty()
            ? "In the gas with friction the correction reduces the median error of velocities at the largest n "
              "to a fifth with no scheme."
            : fmt::format("In the gas with friction the correction reduces the median error of velocities to a "
                          "fifth or less from these n on: {}{}.",
                          listed(from), never.empty() ? "" : "; at the largest n not with " + listed(never)));
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
      findings.push_back(fmt::format(
          "Error of {} in {}: to be as accurate as at n = 10 with the correction, a scheme needs this n without the "
          "correction: {}.",
          spaced(r.cases[in].measures[m].name), name, listed(steps)));
  }
  for (const char* name : {"impact", "hertz"}) {
    const std::size_t in = case_named(name);
    if (in == r.cases.size()) continue;
    Range off, on;
    for (const SchemeEntry* s : schemes)
      off.add(onset_slope(r, in, 0, s, false)), on.add(onset_slope(r, in, 0, s, true));
    if (std::isfinite(off.low) && std::isfinite(on.low))
      findings.push_back(fmt::format(
          "Error of the restitution at random phases, law {}: depending on the scheme, its slope against the "
          "step is {} without and {} with the correction.",
          r.cases[in].law, off.words(), on.words()));
  }

  // Cases without a gain.
  std::vector<std::string> none, worse, lost;
  for (std::size_t in = 0; in < r.cases.size(); ++in)
    for (std::size_t m = 0; m < r.cases[in].measures.size(); ++m) {
      const Result::Case& c = r.cases[in];
      if (c.measures[m].of == Measure::Of::mean)
        continue;  // it is small anyway, because the errors of both ends cancel
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
          where.push_back(fmt::format("{} in {} from {} to {}", spaced(r.cases[in].measures[m].name), r.cases[in].name,
                                      brief_number(e->off), brief_number(e->on)));
    if (!where.empty()) worse.push_back(name_of(s) + " (" + listed(where) + ")");
  }
  for (const Entry& e : r.entries)
    if (e.measure == 0 && std::isfinite(e.off) && !std::isfinite(e.on))
      lost.push_back(fmt::format("{} in {} at n = {:g}", name_of(e.scheme), r.cases[e.in].name, e.n));
  if (!none.empty())
    findings.push_back(
        fmt::format("Errors that the correction divides by less than {:g} with most schemes (median of the gains in "
                    "brackets): {}.",
                    helps_from, listed(none)));
  if (!worse.empty())
    findings.push_back(
        fmt::format("The correction multiplies these errors by more than {:g}, at n = {:g} or the nearest n that ran: "
                    "{}.",
                    helps_from, gain_steps, listed(worse)));
  if (!lost.empty()) findings.push_back("These runs have a result only without the correction: " + listed(lost) + ".");

  if (const Result::Cooling& c = r.cooling; c.grains > 0) {
    std::string errors;
    for (std::size_t k = 0; k + 1 < c.runs.size(); k += 2)
      if (c.runs[k].scheme == usual)
        errors += fmt::format("{}{:.2g} % and {:.2g} % at n = {:g}", errors.empty() ? "" : ", ",
                              100 * cooled(c, c.runs[k]).energy, 100 * cooled(c, c.runs[k + 1]).energy, c.runs[k].n);
    const Cooled chance = cooled(c, c.references[1]);
    findings.push_back(fmt::format(
        "A gas of {} inelastic grains cools. The error of its energy against a run at n = {:g}, without and with the "
        "correction: {}. Two runs at n = {:g}, without and with the correction, differ by {:.2g} %; a difference of "
        "this size is chance. The gain is small, because only the mean restitution over the phases counts here, and "
        "the error of this mean is far smaller than the scatter of the restitution.",
        c.grains, c.references[0].n, errors, c.references[0].n, 100 * chance.energy));
    findings.push_back(fmt::format("At n = {:g} the gas cools at {:.3f} of the rate of Haff's law.", c.references[0].n,
                                   cooling_rate(c, c.references[0].energy) * c.tau));
  }
  return findings;
}

}  // namespace cairn::studies::onset_view
