#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

#include "cairn/formats/words.hpp"
#include "cairn/studies/onset/onset.hpp"

namespace cairn::studies {
namespace {

using Result = OnsetResult;
using Entry = Result::Entry;
using Run = Result::Cooling::Run;

constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real cached_displacement = 20;  // n at which gains are told
constexpr Real helps_from = 1.5;          // gains below are none
constexpr Real asked_gain = 5;            // of the case of many bodies

std::string text(std::string_view a) {
  return std::string(a);
}
std::string brief_number(Real a) {
  return !std::isfinite(a)      ? "-"
         : a == 0               ? "0"
         : a >= 0.01 && a < 100 ? fmt::format("{:.3g}", a)
                                : fmt::format("{:.1e}", a);
}
std::string factor(Real a) {
  return !std::isfinite(a) ? "-"
         : a >= 9999.5     ? fmt::format("{:.0e}", a)
         : a >= 99.5       ? fmt::format("{:.0f}", a)
                           : fmt::format("{:.2g}", a);
}
std::string two_places(Real a) {
  return std::isfinite(a) ? fmt::format("{:.2f}", a) : "-";
}
// For a cell that should stay on one line.
std::string unbroken(const std::string& words) {
  std::string out;
  for (const char c : words) out += c == ' ' ? "\u00a0" : c == '-' ? "\u2011" : std::string(1, c);
  return out;
}
std::string sentence(std::string words) {
  words[0] = static_cast<char>(std::toupper(words[0]));
  return words;
}
std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

Selection schemes_of(const Result& r) {
  Selection all;
  const auto add = [&](const SchemeEntry* s) {
    if (std::find(all.begin(), all.end(), s) == all.end()) all.push_back(s);
  };
  for (const Entry& e : r.entries) add(e.scheme);
  for (const Run& run : r.cooling.runs) add(run.scheme);
  return all;
}

std::vector<const Entry*> entries_of(const Result& r, std::size_t in, std::size_t measure, const SchemeEntry* scheme) {
  std::vector<const Entry*> all;
  for (const Entry& e : r.entries)
    if (e.in == in && e.measure == measure && e.scheme == scheme) all.push_back(&e);
  return all;
}
const Entry* entry_at(const std::vector<const Entry*>& entries, Real n) {
  const Entry* nearest = nullptr;
  for (const Entry* e : entries)
    if (!nearest || std::fabs(std::log(e->n / n)) < std::fabs(std::log(nearest->n / n))) nearest = e;
  return nearest;
}

// How many steps per contact the plain scheme needs for this error, on logarithmic axes; NaN: more than were run.
Real plain_steps_for(const std::vector<const Entry*>& entries, Real error) {
  for (std::size_t k = entries.size(); k-- > 1;) {
    const Entry &above = *entries[k - 1], &below = *entries[k];
    if (below.off > error) return nan;
    if (above.off > error)
      return above.n * std::pow(below.n / above.n, std::log(above.off / error) / std::log(above.off / below.off));
  }
  return nan;
}

// What cooling runs are compared in.
struct Cooled {
  Real energy, rate;  // [-] errors
};
Cooled cooled(const Result::Cooling& c, const Run& run) {
  const std::vector<Real>& reference = c.references.front().energy;
  return {energy_error(run.energy, reference), std::fabs(cooling_rate(c, run.energy) / cooling_rate(c, reference) - 1)};
}

ResultTable errors_table(const Result& r) {
  ResultTable t{"onset",
                {{"case", "1"},
                 {"law", "1"},
                 {"scheme", "1"},
                 {"measure", "1"},
                 {"n", "1"},
                 {"h", "s"},
                 {"error_off", "1"},
                 {"error_on", "1"},
                 {"gain", "1"},
                 {"residual_off", "1"},
                 {"residual_on", "1"},
                 {"uncertainty", "1"},
                 {"resolved", "1"}},
                {}};
  for (const Entry& e : r.entries) {
    const Result::Case& c = r.cases[e.in];
    t.rows.push_back({c.name, c.law, e.scheme->name, c.measures[e.measure].name, e.n, c.contact / e.n, e.off, e.on,
                      e.gain(), e.residual_off, e.residual_on, c.uncertainty[e.measure],
                      static_cast<std::int64_t>(e.resolved)});
  }
  return t;
}

ResultTable slopes_table(const Result& r) {
  ResultTable t{"slopes",
                {{"case", "1"}, {"law", "1"}, {"scheme", "1"}, {"measure", "1"}, {"slope_off", "1"}, {"slope_on", "1"}},
                {}};
  for (std::size_t in = 0; in < r.cases.size(); ++in)
    for (std::size_t m = 0; m < r.cases[in].measures.size(); ++m)
      for (const SchemeEntry* s : schemes_of(r))
        t.rows.push_back({r.cases[in].name, r.cases[in].law, s->name, r.cases[in].measures[m].name,
                          onset_slope(r, in, m, s, false), onset_slope(r, in, m, s, true)});
  return t;
}

ResultTable references_table(const Result& r) {
  ResultTable t{"references",
                {{"case", "1"},
                 {"measure", "1"},
                 {"grains", "1"},
                 {"contact", "s"},
                 {"end", "s"},
                 {"contacts_begun", "1"},
                 {"uncertainty", "1"},
                 {"check_scheme", "1"},
                 {"check_n", "1"},
                 {"check_error", "1"}},
                {}};
  for (const Result::Case& c : r.cases)
    for (std::size_t m = 0; m < c.measures.size(); ++m)
      for (const Result::Check& check : c.checks)
        t.rows.push_back({c.name, c.measures[m].name, c.grains, c.contact, c.end, c.collisions, c.uncertainty[m],
                          check.scheme, check.n, check.error[m]});
  return t;
}

Real haff(const Result::Cooling& c, Real time) {
  return 1 / ((1 + time / c.tau) * (1 + time / c.tau));
}

ResultTable cooling_table(const Result::Cooling& c) {
  ResultTable t{"cooling",
                {{"scheme", "1"},
                 {"n", "1"},
                 {"onset", "1"},
                 {"energy_error", "1"},
                 {"rate_error", "1"},
                 {"rate_over_haff", "1"},
                 {"residual", "1"}},
                {}};
  for (const auto* list : {&c.references, &c.runs})
    for (const Run& run : *list) {
      const Cooled e = cooled(c, run);
      t.rows.push_back({run.scheme->name, run.n, text(run.onset ? "on" : "off"), e.energy, e.rate,
                        cooling_rate(c, run.energy) * c.tau, run.residual});
    }
  return t;
}

ResultTable energies_table(const Result::Cooling& c) {
  ResultTable t{
      "cooling_energy", {{"scheme", "1"}, {"n", "1"}, {"onset", "1"}, {"t", "s"}, {"energy", "1"}, {"haff", "1"}}, {}};
  for (const auto* list : {&c.references, &c.runs})
    for (const Run& run : *list)
      for (std::size_t k = 0; k < c.times.size(); ++k)
        t.rows.push_back(
            {run.scheme->name, run.n, text(run.onset ? "on" : "off"), c.times[k], run.energy[k], haff(c, c.times[k])});
  return t;
}

// --- Figures --------------------------------------------------------------------------------------------------------

const Axis steps_axis{"steps per contact", "1", true};

// The measure a case is told by: of grains their velocities.
std::size_t told_by(const Result::Case& c) {
  for (std::size_t m = 0; m < c.measures.size(); ++m)
    if (c.measures[m].name.starts_with("velocity")) return m;
  return 0;
}

// Of each: with the correction a line, without it a dotted one.
struct Line {
  std::string name;
  std::vector<const Entry*> entries;
};
Figure figure_of(const std::string& name, const std::string& title, const std::vector<Line>& lines) {
  constexpr Real lost = 10;  // beyond, nothing is left of the motion
  std::map<Real, std::vector<Real>> rows;
  for (std::size_t k = 0; k < lines.size(); ++k)
    for (const Entry* e : lines[k].entries) {
      auto& row = rows.try_emplace(e->n, 2 * lines.size(), nan).first->second;
      row[2 * k] = e->on < lost ? e->on : nan, row[2 * k + 1] = e->off < lost ? e->off : nan;
    }
  Figure f{name, title, steps_axis, {"error", "1", true}, {}, {}};
  f.style = Figure::Style::points;
  for (std::size_t k = 0; k < lines.size(); ++k)
    for (const bool without : {false, true})
      f.curves.push_back({lines[k].name + (without ? " without" : ""), {}, static_cast<int>(k), without});
  for (const auto& [n, row] : rows) {
    f.at.push_back(n);
    for (std::size_t k = 0; k < row.size(); ++k) f.curves[k].y.push_back(row[k]);
  }
  return f;
}

// Groups of no more than can be told apart.
std::vector<Selection> groups(const Selection& schemes) {
  constexpr std::size_t most = 8;
  std::vector<Selection> all;
  for (const SchemeEntry* s : schemes) {
    if (all.empty() || all.back().size() == most) all.emplace_back();
    all.back().push_back(s);
  }
  return all;
}

std::vector<Figure> figures_of(const Result& r, std::size_t in, const Selection& schemes) {
  const Result::Case& c = r.cases[in];
  const std::vector<Selection> parts = groups(schemes);
  std::vector<Figure> all;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::size_t m = told_by(c);
    std::vector<Line> lines;
    for (const SchemeEntry* s : parts[k]) lines.push_back({s->name, entries_of(r, in, m, s)});
    all.push_back(figure_of("error_" + c.name + (parts.size() > 1 ? "_" + std::to_string(k + 1) : ""),
                            "Error of " + spaced(c.measures[m].name) + ", without the correction dotted", lines));
  }
  if (c.measures.size() == 1) return all;
  const SchemeEntry* usual = usual_of(schemes);
  std::vector<Line> lines;
  for (std::size_t m = 0; m < c.measures.size(); ++m)
    lines.push_back({spaced(c.measures[m].name), entries_of(r, in, m, usual)});
  all.push_back(figure_of("measures_" + c.name, "Errors by " + usual->name + ", without the correction dotted", lines));
  return all;
}

std::vector<Figure> figures_of(const Result::Cooling& c, const Selection& schemes) {
  const SchemeEntry* usual = usual_of(schemes);
  Figure energy{"cooling_energy",
                "Energy of the cooling gas, by " + usual->name,
                {"t / tau", "1", false},
                {"energy over the first", "1", true},
                {},
                {}};
  for (const Real t : c.times) energy.at.push_back(t / c.tau);
  energy.curves.push_back({"Haff's law", {}});
  for (const Real t : c.times) energy.curves[0].y.push_back(haff(c, t));
  energy.curves.push_back({fmt::format("n = {:g}", c.references[0].n), c.references[0].energy});
  int shown = 0;
  for (const Run& run : c.runs)
    if (run.scheme == usual && ++shown <= 4)
      energy.curves.push_back(
          {fmt::format("n = {:g}{}", run.n, run.onset ? "" : " without"), run.energy, 2 + (shown - 1) / 2, !run.onset});

  Figure error{"cooling_error", "Error of the cooling gas's energy", steps_axis, {"error", "1", true}, {}, {}};
  error.style = Figure::Style::points;
  const std::size_t count = std::min<std::size_t>(schemes.size(), 4);
  Selection few(schemes.begin(), schemes.begin() + static_cast<std::ptrdiff_t>(count));
  if (std::find(few.begin(), few.end(), usual) == few.end()) few.back() = usual;
  std::map<Real, std::vector<Real>> rows;
  for (std::size_t k = 0; k < few.size(); ++k)
    for (const bool onset : {false, true}) {
      error.curves.push_back({few[k]->name + (onset ? "" : " without"), {}, static_cast<int>(k), !onset});
      for (const Run& run : c.runs)
        if (run.scheme == few[k] && run.onset == onset)
          rows.try_emplace(run.n, 2 * few.size() + 1, nan).first->second[2 * k + (onset ? 1 : 0)] =
              cooled(c, run).energy;
    }
  error.curves.push_back({"chance", {}, static_cast<int>(few.size())});
  for (auto& [n, row] : rows) {
    row.back() = cooled(c, c.references[1]).energy;
    error.at.push_back(n);
    for (std::size_t k = 0; k < row.size(); ++k) error.curves[k].y.push_back(row[k]);
  }
  return {energy, error};
}

// --- Words ----------------------------------------------------------------------------------------------------------

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

std::string name_of(const SchemeEntry* s) {
  return s->name;
}

std::vector<std::string> findings_of(const Result& r) {
  const Selection schemes = schemes_of(r);
  const SchemeEntry* usual = usual_of(schemes);
  std::vector<std::string> findings;
  const auto at = [&](std::size_t in, std::size_t m, const SchemeEntry* s) {
    return entry_at(entries_of(r, in, m, s), cached_displacement);
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
        const Entry* e = at(first, told_by(r.cases[first]), of);
        return e && std::isfinite(e->gain()) ? e->gain() : 0;
      };
      if (gain(s) > gain(best)) best = s;
    }
    std::vector<std::string> gains, nowhere;
    for (const SchemeEntry* s : best == usual ? Selection{usual} : Selection{usual, best}) {
      std::vector<std::string> parts;
      for (std::size_t in = 0; in < r.cases.size(); ++in)
        if (const Entry* e = at(in, told_by(r.cases[in]), s); e && e->gain() >= helps_from)
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
    const std::size_t m = told_by(r.cases[in]);
    std::vector<std::string> from, never;
    for (const SchemeEntry* s : schemes) {
      Real n = nan;
      const auto entries = entries_of(r, in, m, s);
      for (auto e = entries.rbegin(); e != entries.rend() && (*e)->gain() >= asked_gain; ++e) n = (*e)->n;
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
    const std::size_t m = told_by(r.cases[in]);
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
                    cached_displacement, listed(worse)));
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

}  // namespace

StudyReport show(const Result& r) {
  const Selection schemes = schemes_of(r);
  const SchemeEntry* usual = usual_of(schemes);
  StudyReport s;
  s.name = "onset";
  s.title = "Onsets of contacts";
  s.subtitle = fmt::format("A study of Cairn {}: {} schemes with and without the correction of contact onsets",
                           CAIRN_VERSION, schemes.size());
  s.findings = findings_of(r);
  s.tables = {errors_table(r), slopes_table(r), references_table(r)};
  if (r.cooling.grains > 0) s.tables.push_back(cooling_table(r.cooling)), s.tables.push_back(energies_table(r.cooling));

  const auto with = [&](const Entry* e, const SchemeEntry* scheme) {
    const Result::Case& c = r.cases[e->in];
    return Page::Row{fmt::format("{:g}", e->n),
                     brief_number(e->off),
                     brief_number(e->on) + (e->resolved ? "" : " *"),
                     factor(e->gain()),
                     two_places(onset_slope(r, e->in, e->measure, scheme, false)),
                     two_places(onset_slope(r, e->in, e->measure, scheme, true)),
                     brief_number(c.uncertainty[e->measure])};
  };
  s.head = {"case", "law", "error of", "n", "without", "with", "gain", "slope", "slope with", "reference"};
  for (std::size_t in = 0; in < r.cases.size(); ++in)
    for (std::size_t m = 0; m < r.cases[in].measures.size(); ++m) {
      const Entry* e = entry_at(entries_of(r, in, m, usual), cached_displacement);
      if (!e) continue;
      Page::Row row{r.cases[in].name, r.cases[in].law, spaced(r.cases[in].measures[m].name)};
      for (std::string& cell : with(e, usual)) row.push_back(std::move(cell));
      s.rows.push_back(std::move(row));
    }

  std::vector<std::size_t> first;  // figure of each case, then of the gas that cools
  for (std::size_t in = 0; in < r.cases.size(); ++in) {
    first.push_back(s.figures.size());
    for (Figure& f : figures_of(r, in, schemes)) s.figures.push_back(std::move(f));
  }
  first.push_back(s.figures.size());
  if (r.cooling.grains > 0)
    for (Figure& f : figures_of(r.cooling, schemes)) s.figures.push_back(std::move(f));

  s.body = [r, schemes, usual, first, with](const StudyReport& report, Page& page, const StudyReport::Put& put) {
    std::vector<Page::Card> cards{{"Schemes", std::to_string(schemes.size()), "of fixed step"},
                                  {"Cases", std::to_string(r.cases.size() + (r.cooling.grains > 0 ? 1 : 0)),
                                   fmt::format("{} errors measured", r.entries.size())}};
    for (std::size_t in = 0; in < r.cases.size(); ++in)
      if (const Entry* e = entry_at(entries_of(r, in, r.cases[in].name == "gas" ? 1 : 0, usual), cached_displacement);
          e && (r.cases[in].name == "impact" || r.cases[in].name == "gas"))
        cards.push_back(
            {"Gain, " + r.cases[in].name, factor(e->gain()), fmt::format("n = {:g}, {}", e->n, usual->name)});
    page.cards(cards);
    page.section("What is gained");
    for (const std::string& finding : report.findings) page.paragraph(finding);
    if (!report.rows.empty()) {
      page.paragraph(
          fmt::format("With {}, n steps per contact. Slopes of the error against the step for n of 14 and "
                      "more; reference: its own uncertainty; * errors below ten times that.",
                      usual->name));
      page.table(report.head, report.rows);
    }

    if (!r.cases.empty()) {
      page.section("Gains, scheme by scheme");
      page.paragraph(fmt::format(
          "Error without over error with the correction at n = {:g}, or the nearest there is; of "
          "velocities where there are many grains, else of one impact's restitution or tangential velocity.",
          cached_displacement));
      constexpr std::size_t most = 6;  // columns of a page's width
      const auto by_case = [&](auto&& cell) {
        for (std::size_t from = 0; from < r.cases.size(); from += most) {
          const std::size_t to = std::min(from + most, r.cases.size());
          Page::Row head{"scheme"};
          for (std::size_t in = from; in < to; ++in) head.push_back(r.cases[in].name);
          std::vector<Page::Row> rows;
          for (const SchemeEntry* scheme : schemes) {
            rows.push_back({name_of(scheme)});
            for (std::size_t in = from; in < to; ++in) rows.back().push_back(cell(in, told_by(r.cases[in]), scheme));
          }
          page.table(head, rows);
        }
      };
      by_case([&](std::size_t in, std::size_t m, const SchemeEntry* scheme) {
        const Entry* e = entry_at(entries_of(r, in, m, scheme), cached_displacement);
        return e ? factor(e->gain()) : std::string("-");
      });
      page.paragraph(
          "Slopes of the same errors against the step, without \u2192 with the correction, for n of 14 and more.");
      by_case([&](std::size_t in, std::size_t m, const SchemeEntry* scheme) {
        return two_places(onset_slope(r, in, m, scheme, false)) + "\u00a0\u2192\u00a0" +
               two_places(onset_slope(r, in, m, scheme, true));
      });
    }

    page.section("How it was measured");
    page.paragraph(
        "Every case runs twice at each step, as it is and with the correction (run.onset). One impact and the chain "
        "begin at random parts of a step, and n = contact / h is no whole number: both ends of the contact then lie "
        "anywhere within a step, as in any simulation. Orders measured with whole n from a contact's first instant do "
        "not see what is measured here.");
    page.paragraph(
        "The reference is dormand_prince54 with a tolerance of 1e-13, which finds each onset by rejecting steps. What "
        "ten times the tolerance changes is its uncertainty. A scheme of another kind, rk4 at small fixed steps "
        "without the correction, stands beside it: as far away as its own error, which must fall with the step.");
    std::vector<Page::Row> cases;
    for (const Result::Case& c : r.cases) {
      std::string checks;
      for (const Result::Check& check : c.checks)
        checks += fmt::format("{}{} (n = {:g})", checks.empty() ? "" : ", ", brief_number(check.error[0]), check.n);
      cases.push_back({c.name, std::to_string(c.grains * (c.phased ? 1 : c.starts)), std::to_string(c.starts),
                       unbroken(fmt::format("{:.3g}", c.contact)), unbroken(fmt::format("{:.3g}", c.end)),
                       fmt::format("{:.1f}", c.collisions), unbroken(brief_number(c.uncertainty[0])),
                       unbroken(checks)});
    }
    if (!cases.empty())
      page.table({"case", "grains", "starts", "contact [s]", "until [s]", "contacts each", "known to", "rk4 beside it"},
                 cases);

    for (std::size_t in = 0; in < r.cases.size(); ++in) {
      const Result::Case& c = r.cases[in];
      page.section("Case " + c.name);
      page.paragraph(sentence(c.words) + "; law " + c.law + ".");
      for (std::size_t m = 0; m < c.measures.size(); ++m) {
        const auto some = entries_of(r, in, m, schemes[0]);
        if (some.empty()) continue;
        std::vector<Real> shown_n;
        for (const Real n : {10.0, cached_displacement, 57.0})
          if (const Real near = entry_at(some, n)->n; std::find(shown_n.begin(), shown_n.end(), near) == shown_n.end())
            shown_n.push_back(near);
        Page::Row head{"error of " + spaced(c.measures[m].name)};
        for (const Real n : shown_n) head.push_back(fmt::format("n = {:g} (gain)", n));
        head.push_back("slope");
        std::vector<Page::Row> rows;
        const auto both = [](const std::string& off, const std::string& on) { return unbroken(off + " \u2192 " + on); };
        for (const SchemeEntry* scheme : schemes) {
          const auto entries = entries_of(r, in, m, scheme);
          rows.push_back({name_of(scheme)});
          for (const Real n : shown_n) {
            const Entry& e = *entry_at(entries, n);
            rows.back().push_back(both(brief_number(e.off), brief_number(e.on) + (e.resolved ? "" : "*")) +
                                  unbroken(" (" + factor(e.gain()) + ")"));
          }
          rows.back().push_back(
              both(two_places(onset_slope(r, in, m, scheme, false)), two_places(onset_slope(r, in, m, scheme, true))));
        }
        page.paragraph(sentence(c.measures[m].words) + ".");
        page.table(head, rows);
      }
      for (std::size_t k = first[in]; k < first[in + 1]; ++k) put(report.figures[k], "");
    }

    if (const Result::Cooling& c = r.cooling; c.grains > 0) {
      page.section("Case cooling");
      page.paragraph(fmt::format(
          "{} smooth spheres of restitution {:g}, volume fraction {:g}, in a periodic box; equilibrated elastic, then "
          "left to cool. Haff's law, E / E0 = (1 + t / tau)^-2 with Enskog's tau = {:.4g} s, is a mean over velocities "
          "without correlations. Collisions are chaos: two runs that differ in their last digit have other collisions "
          "soon, so energies differ by chance too, by what the two runs at n = {:g} differ.",
          c.grains, c.restitution, c.fraction, c.tau, c.references[0].n));
      std::vector<Page::Row> rows;
      for (const auto* list : {&c.references, &c.runs})
        for (std::size_t k = 0; k + 1 < list->size(); k += 2) {
          const Run &off = (*list)[k], &on = (*list)[k + 1];
          const Cooled a = cooled(c, off), b = cooled(c, on);
          const auto percent = [](Real x) { return fmt::format("{:.2g}", 100 * x); };
          rows.push_back({off.scheme->name, fmt::format("{:g}", off.n), percent(a.energy), percent(b.energy),
                          percent(a.rate), percent(b.rate), fmt::format("{:.3f}", cooling_rate(c, off.energy) * c.tau),
                          fmt::format("{:.3f}", cooling_rate(c, on.energy) * c.tau), brief_number(off.residual),
                          brief_number(on.residual)});
        }
      page.table({"scheme", "n", "energy, % off", "with", "rate, % off", "with", "rate over Haff's", "with", "residual",
                  "with"},
                 rows);
      for (std::size_t k = first[r.cases.size()]; k < report.figures.size(); ++k) put(report.figures[k], "");
    }
    page.paragraph(
        "Each figure stands in figures/ as SVG with its data (CSV) and its gnuplot script; onset.csv has every error, "
        "slopes.csv every slope, references.csv what is known of the references.");
  };
  return s;
}

}  // namespace cairn::studies
