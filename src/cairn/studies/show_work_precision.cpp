#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cairn/analysis/convergence.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/studies/work_precision.hpp"

namespace cairn::studies {
namespace {

using Result = WorkPrecisionResult;
using Entry = Result::Entry;
using Measure = Real (*)(const Entry&);

Real calls_of(const Entry& e) {
  return static_cast<Real>(e.force_calls);
}
Real seconds_of(const Entry& e) {
  return e.seconds;
}

std::string text(std::string_view a) {
  return std::string(a);
}
std::string brief_number(Real a) {
  return std::isfinite(a) ? fmt::format("{:.2g}", a) : "-";
}

struct OfScheme {
  const SchemeEntry* scheme;
  std::vector<const Entry*> entries;  // coarse to fine
};

std::vector<OfScheme> by_scheme(const Result& r) {
  std::vector<OfScheme> all;
  for (const Entry& e : r.entries) {
    if (all.empty() || all.back().scheme != e.scheme) all.push_back({e.scheme, {}});
    all.back().entries.push_back(&e);
  }
  return all;
}

// Slope of the resolved errors against the mean step, over the finer half of the runs; NaN: fewer than three.
Real slope_of(const OfScheme& s) {
  std::vector<Convergence::Point> points;
  for (std::size_t k = s.entries.size() / 2; k < s.entries.size(); ++k)
    if (const Entry* e = s.entries[k]; e->resolved && e->error.position > 0)
      points.push_back({0, e->h, e->error.position});
  return points.size() < 3 ? nan : slope(points, 0, static_cast<int>(points.size()));
}

// The schemes that reach a level of error, and their costs, the cheapest first.
struct Ranked {
  Cost cost;
  const SchemeEntry* scheme;
};
struct Ranking {
  Real level;
  std::vector<Ranked> calls, seconds;
};

std::vector<Ranking> rankings(const Result& r) {
  std::vector<Ranking> all;
  const std::vector<OfScheme> schemes = by_scheme(r);
  for (int digits = 1; digits <= 12; ++digits) {
    Ranking ranking{std::pow(10.0, -digits), {}, {}};
    if (ranking.level < 10 * r.uncertainty.position) break;
    bool asks = false;  // at least one run has an error above the level
    for (const OfScheme& s : schemes) {
      for (const Entry* e : s.entries) asks = asks || e->error.position > ranking.level;
      for (const auto& [list, measure] :
           {std::pair{&ranking.calls, Measure{calls_of}}, std::pair{&ranking.seconds, Measure{seconds_of}}})
        if (const Cost c = cost_at(ranking.level, s.entries, measure); std::isfinite(c.least))
          list->push_back({c, s.scheme});
    }
    for (auto* list : {&ranking.calls, &ranking.seconds})
      std::stable_sort(list->begin(), list->end(),
                       [](const Ranked& a, const Ranked& b) { return a.cost.least < b.cost.least; });
    if (ranking.calls.empty()) break;
    if (asks) all.push_back(std::move(ranking));
  }
  return all;
}

// One curve per scheme of the errors against some abscissa.
Figure figure_of(const std::string& name, const std::string& title, const Axis& x, const std::vector<OfScheme>& schemes,
                 Measure abscissa) {
  std::map<Real, std::vector<Real>> rows;
  for (std::size_t k = 0; k < schemes.size(); ++k)
    for (const Entry* e : schemes[k].entries) {
      const Real a = abscissa(*e);
      if (!(a > 0) || !(e->error.position < 1e3)) continue;
      auto& row = rows.try_emplace(a, schemes.size(), nan).first->second;
      row[k] = e->error.position;
    }
  Figure f{name, title, x, {"error of positions", "radii", true}, {}, {}};
  f.style = Figure::Style::points;
  for (const OfScheme& s : schemes) f.curves.push_back({s.scheme->name, {}});
  for (const auto& [a, row] : rows) {
    f.at.push_back(a);
    for (std::size_t k = 0; k < row.size(); ++k) f.curves[k].y.push_back(row[k]);
  }
  return f;
}

ResultTable table_of(const Result& r) {
  ResultTable t{"work_precision",
                {{"scheme", "1"},
                 {"family", "1"},
                 {"h", "s"},
                 {"steps", "1"},
                 {"force_calls", "1"},
                 {"seconds", "s"},
                 {"error_position", "1"},
                 {"error_velocity", "1"},
                 {"residual", "1"},
                 {"error_position_most", "1"},
                 {"error_velocity_most", "1"},
                 {"tolerance", "1"},
                 {"resolved", "1"}},
                {}};
  for (const Entry& e : r.entries)
    t.rows.push_back({e.scheme->name, text(e.scheme->claims.family), e.h, e.steps, e.force_calls, e.seconds,
                      e.error.position, e.error.velocity, e.residual, e.error.position_most, e.error.velocity_most,
                      e.tolerance, static_cast<std::int64_t>(e.resolved)});
  return t;
}

ResultTable table_of(const std::vector<Ranking>& all) {
  ResultTable t{
      "cheapest", {{"error", "1"}, {"scheme", "1"}, {"force_calls", "1"}, {"seconds", "s"}, {"at_most", "1"}}, {}};
  for (const Ranking& level : all)
    for (const Ranked& by_calls : level.calls) {
      const auto by_seconds = std::find_if(level.seconds.begin(), level.seconds.end(),
                                           [&](const Ranked& o) { return o.scheme == by_calls.scheme; });
      t.rows.push_back({level.level, by_calls.scheme->name, by_calls.cost.least,
                        by_seconds == level.seconds.end() ? nan : by_seconds->cost.least,
                        static_cast<std::int64_t>(by_calls.cost.bound)});
    }
  return t;
}

std::string level_text(Real level) {
  return level >= 1e-3 ? fmt::format("{:g}", level) : fmt::format("{:.0e}", level);
}

std::string place(const std::vector<Ranked>& list, std::size_t k, const char* unit, Real scale) {
  if (k >= list.size()) return "-";
  const Real cost = scale * list[k].cost.least;
  return fmt::format("{} ({}{}{})", list[k].scheme->name, list[k].cost.bound ? "\u2264" : "",
                     cost >= 100 ? fmt::format("{:.0f}", cost) : fmt::format("{:.3g}", cost), unit);
}

std::vector<std::string> findings_of(const Result& r, const std::vector<Ranking>& all) {
  std::vector<std::string> findings;
  const auto winner = [](const auto& list) { return text(list.front().scheme->name); };
  std::string first;
  for (std::size_t from = 0; from < all.size();) {
    std::size_t to = from;  // successive levels with the same cheapest scheme
    while (to + 1 < all.size() && winner(all[to + 1].calls) == winner(all[from].calls)) ++to;
    first += (first.empty() ? "" : "; ") + winner(all[from].calls) + " for an error of " + level_text(all[from].level);
    if (to > from) first += " to " + level_text(all[to].level);
    first += " radii";
    from = to + 1;
  }
  constexpr Real coarsest_level = 0.1;
  const bool all_below = std::all_of(r.entries.begin(), r.entries.end(),
                                     [](const Entry& e) { return e.error.position <= coarsest_level; });
  const bool uncertain = 10 * r.uncertainty.position > coarsest_level;
  findings.push_back(!first.empty() ? "Schemes with the fewest force calls: " + first + "."
                     : uncertain
                         ? fmt::format("The uncertainty of the reference, {:.1g} radii, is too large for any level of "
                                       "error: choose an earlier end.",
                                       r.uncertainty.position)
                     : all_below ? "Every run is below every level of error: too little happens until the end."
                                 : "No scheme reached any level of error.");

  if (!r.refused.empty()) {
    std::string names;
    for (const SchemeEntry* s : r.refused) names += (names.empty() ? "" : ", ") + s->name;
    findings.push_back(
        "Runs of this scenario refuse these schemes, because their friction is wrong while contacts slide: " + names +
        ".");
  }

  Real low = nan, high = nan;
  int count = 0, most_claimed = 0;
  std::string lowest, highest;
  for (const OfScheme& s : by_scheme(r)) {
    if (s.scheme->claims.adaptive) continue;
    const Real p = slope_of(s);
    if (!std::isfinite(p)) continue;
    if (!(p >= low)) low = p, lowest = s.scheme->name;
    if (!(p <= high)) high = p, highest = s.scheme->name;
    ++count, most_claimed = std::max(most_claimed, s.scheme->claims.order);
  }
  if (count > 1 && !all.empty()) {
    std::string slopes = fmt::format(
        "In the finer half of the runs, halving a fixed step divides the error by {:.1f} ({}) to {:.1f} ({}): slopes "
        "of {:.2f} to {:.2f}.",
        std::exp2(low), lowest, std::exp2(high), highest, low, high);
    constexpr Real second_order = 2.5;  // no slope is above
    if (high < second_order && most_claimed > 2)
      slopes +=
          " Contacts begin within steps. There the force has a kink, and with a dashpot a jump. So the order over "
          "whole collisions is one or two, whatever order a scheme has on smooth motions. A scheme of higher order has "
          "only a smaller error at the same step.";
    findings.push_back(slopes);
  }

  std::map<std::string, int> failures;
  for (const Entry& e : r.entries)
    if (!e.failure.empty()) ++failures[e.scheme->name];
  std::string list;
  for (const auto& [name, n] : failures) list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", name, n);
  if (!list.empty()) findings.push_back("Runs without a result (the report gives the reasons): " + list + ".");
  const auto unresolved = std::count_if(r.entries.begin(), r.entries.end(), [](const Entry& e) { return !e.resolved; });
  if (unresolved > 0)
    findings.push_back(
        fmt::format("{} smaller than ten times the uncertainty of the reference. Only this bound is known; the "
                    "uncertainty is {:.1g} radii.",
                    unresolved == 1 ? "1 error is" : fmt::format("{} errors are", unresolved), r.uncertainty.position));
  return findings;
}

}  // namespace

StudyReport show(const Result& r) {
  const std::vector<OfScheme> schemes = by_scheme(r);
  const std::vector<Ranking> levels = rankings(r);
  Selection selection;
  for (const OfScheme& s : schemes) selection.push_back(s.scheme);

  StudyReport s;
  s.name = "work-precision";
  s.title = "Work and precision" + (r.title.empty() ? "" : ": " + r.title);
  s.subtitle = fmt::format("A study by Cairn {}: {} schemes, {} grains to t = {:.4g} s", CAIRN_VERSION, schemes.size(),
                           r.grains, r.end);
  s.findings = findings_of(r, levels);
  s.tables = {table_of(r), table_of(levels)};
  s.head = {"error", "fewest force calls", "second", "least time", "second"};
  for (const Ranking& level : levels)
    s.rows.push_back({level_text(level.level), place(level.calls, 0, "", 1), place(level.calls, 1, "", 1),
                      place(level.seconds, 0, "\u00a0ms", 1e3), place(level.seconds, 1, "\u00a0ms", 1e3)});

  // The overview shows the cheapest scheme of each family at the smallest error that most families reach.
  std::vector<OfScheme> leaders;
  const auto families_at = [](const Ranking& level) {
    std::set<std::string_view> names;
    for (const Ranked& one : level.calls) names.insert(one.scheme->claims.family);
    return names.size();
  };
  const auto level = std::max_element(levels.begin(), levels.end(), [&](const Ranking& a, const Ranking& b) {
    return std::pair(families_at(a), -a.level) < std::pair(families_at(b), -b.level);
  });
  if (level != levels.end()) {
    std::vector<std::string_view> seen;
    for (const Ranked& one : level->calls) {
      if (std::find(seen.begin(), seen.end(), one.scheme->claims.family) != seen.end()) continue;
      seen.push_back(one.scheme->claims.family);
      leaders.push_back(
          *std::find_if(schemes.begin(), schemes.end(), [&](const OfScheme& o) { return o.scheme == one.scheme; }));
    }
  }
  struct View {
    const char *name, *title;
    Axis x;
    Measure abscissa;
  };
  static const View views[] = {{"calls", "Error against force calls", {"force calls", "1", true}, calls_of},
                               {"seconds", "Error against time", {"processor time", "s", true}, seconds_of},
                               {"step", "Error against step", {"step", "s", true}, [](const Entry& e) { return e.h; }}};
  std::size_t overview = 0;
  if (leaders.size() > 1) {
    s.figures.push_back(
        figure_of("overview", "The cheapest scheme of each family", views[0].x, leaders, views[0].abscissa));
    overview = 1;
  }
  const std::vector<Family> families = by_family(selection);
  for (const View& view : views)
    for (const Family& family : families) {
      std::vector<OfScheme> of;
      for (const OfScheme& one : schemes)
        if (std::find(family.schemes.begin(), family.schemes.end(), one.scheme) != family.schemes.end())
          of.push_back(one);
      s.figures.push_back(figure_of(std::string(view.name) + "_" + family.slug, text(view.title) + ": " + family.name,
                                    view.x, of, view.abscissa));
    }

  const std::string overview_level = level == levels.end() ? "" : level_text(level->level);
  s.body = [r, levels, overview, overview_level, count = families.size()](const StudyReport& report, Page& page,
                                                                          const StudyReport::Put& put) {
    std::vector<Page::Card> cards{
        {"Schemes", std::to_string(by_scheme(r).size()), fmt::format("{} runs", r.entries.size())},
        {"Scenario", fmt::format("{} grains", r.grains), fmt::format("to t = {:.4g} s", r.end)}};
    if (r.contact > 0)
      cards.push_back({"Shortest contact", fmt::format("{:.3g} s", r.contact), "head-on, lightest grains"});
    cards.push_back({"Reference", r.reference,
                     fmt::format("tolerance {:.0e}, {} steps", r.reference_tolerance, r.reference_steps)});
    cards.push_back({"Its uncertainty", fmt::format("{:.1g} radii", r.uncertainty.position),
                     fmt::format("velocities {:.1g}", r.uncertainty.velocity)});
    page.cards(cards);

    page.section("Which scheme");
    for (const std::string& finding : report.findings) page.paragraph(finding);
    page.table(report.head, report.rows);
    page.paragraph(
        "For each error of positions, in radii, the table names the two cheapest schemes. A scheme counts if its error "
        "reaches this level and stays below it at every smaller step. Costs are interpolated between runs; \u2264 "
        "marks an upper bound, because no coarser run has an error above the level. Time is processor time of the "
        "steps alone, on one thread of this machine. Force calls are the same on every machine. cheapest.csv has all "
        "schemes.");
    if (overview)
      put(report.figures[0], "The scheme of each family with the fewest force calls for an error of " + overview_level +
                                 " radii. This is the smallest error that the largest number of families reach.");

    page.section("How it was measured");
    page.paragraph(fmt::format(
        "Every scheme runs the scenario with a series of steps, an adaptive scheme with a series of tolerances. At the "
        "end each grain is compared with the same grain of the reference. The error is the root mean square over all "
        "grains. Errors of positions are divided by the mean radius, {:.3g} m; errors of velocities are divided by the "
        "largest root mean square speed, {:.3g} m/s. The residual of the ledger is divided by the energy exchanged.",
        r.length, r.speed));
    std::string checks;
    for (const Result::Check& c : r.checks)
      checks += fmt::format("{}{:.1e} radii at h = {:.2g} s", checks.empty() ? "" : ", ", c.apart.position, c.h);
    page.paragraph(fmt::format(
        "The reference is {} with the tolerance {:.0e}; it rejects and shortens steps until each onset is found. Its "
        "uncertainty is the change made by ten times the tolerance: {:.1e} in positions and {:.1e} in velocities. As a "
        "check a scheme of another kind, {} of fixed step, also runs. Its distance from the reference is {}.",
        r.reference, r.reference_tolerance, r.uncertainty.position, r.uncertainty.velocity,
        r.checks.empty() ? "" : r.checks[0].scheme, checks));

    page.section("Every scheme");
    page.paragraph(
        "slope: of the error of positions against the step, over the finer half of the runs. *: the error is below ten "
        "times the uncertainty of the reference.");
    std::vector<Page::Row> rows;
    for (const OfScheme& one : by_scheme(r)) {
      const auto first =
          std::find_if(one.entries.begin(), one.entries.end(), [](const Entry* e) { return e->failure.empty(); });
      if (first == one.entries.end()) {
        rows.push_back({one.scheme->name, text(one.scheme->claims.family), "-", "-", "-", "-", "-"});
        continue;
      }
      const Entry &coarse = **first, &fine = *one.entries.back();
      const auto shown_error = [](const Entry& e) {
        return !e.failure.empty() ? "no result" : brief_number(e.error.position) + (e.resolved ? "" : " *");
      };
      const Real p = slope_of(one);
      rows.push_back({one.scheme->name, text(one.scheme->claims.family),
                      std::isfinite(p) ? fmt::format("{:.2f}", p) : "-", brief_number(coarse.h), shown_error(coarse),
                      shown_error(fine), brief_number(fine.residual)});
    }
    page.table({"scheme", "family", "slope", "largest step [s]", "error at it", "error at the smallest step",
                "residual at the smallest step"},
               rows);

    for (std::size_t v = 0; v < std::size(views); ++v) {
      page.section(views[v].title);
      for (std::size_t k = 0; k < count; ++k) put(report.figures[overview + v * count + k], "");
    }
    std::vector<Page::Row> failures;
    for (const Entry& e : r.entries)
      if (!e.failure.empty())
        failures.push_back(
            {e.scheme->name,
             e.scheme->claims.adaptive ? "tolerance " + brief_number(e.tolerance) : "step " + brief_number(e.h) + " s",
             e.failure});
    if (!failures.empty()) {
      page.section("Runs without a result");
      page.table({"scheme", "run", "reason"}, failures);
    }
    page.paragraph(
        "The folder figures/ has each figure as SVG, with its data (CSV) and its gnuplot script. work_precision.csv "
        "has every run.");
  };
  return s;
}

}  // namespace cairn::studies
