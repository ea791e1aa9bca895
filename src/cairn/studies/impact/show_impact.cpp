// The report of the impact study.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/studies/impact/impact_view.hpp"

namespace cairn::studies {

using namespace impact_view;

namespace {

constexpr Onset onsets[] = {Onset::sampled, Onset::simulated, Onset::corrected};

std::string text(std::string_view a) {
  return std::string(a);
}
std::string number(Real a) {
  return std::isfinite(a) ? fmt::format("{:.3g}", a) : "-";
}

// n at which all tables of the time-grid error can be read.
int grid_n(const Result& r) {
  const auto& a = r.settings.grid_steps;
  const auto& b = r.settings.simulated_steps;
  const auto in_both = [&](int n) {
    return std::find(a.begin(), a.end(), n) != a.end() && std::find(b.begin(), b.end(), n) != b.end();
  };
  for (const int n : {20, 10, 50})
    if (in_both(n)) return n;
  const auto n = std::find_if(a.begin(), a.end(), in_both);
  return n != a.end() ? *n : a.front();
}

const SchemeEntry* foremost(const Result& r) {
  const ImpactFound found(r);
  for (const char* name : {"velocity_verlet_predicted", "velocity_verlet_implicit", "rk4"})
    if (const SchemeEntry* s = found.scheme(name)) return s;
  return r.settings.schemes.empty() ? nullptr : r.settings.schemes.front();
}

constexpr const char* document = "Kruggel-Emden, Sturm, Wirtz & Scherer, Comput. Chem. Eng. 32 (2008) 2263";

std::string several(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// "4 to 100", where all between ran.
std::string steps_words(const std::vector<int>& steps) {
  const int from = steps.front(), to = steps.back();
  const std::size_t all = static_cast<std::size_t>(to - from) + 1;
  if (all == 1) return std::to_string(from);
  return (steps.size() < all ? fmt::format("{} numbers from ", steps.size()) : "") + fmt::format("{} to {}", from, to);
}

std::vector<std::string> findings_of(const Result& r) {
  const ImpactFound found(r);
  std::vector<std::string> findings;
  const int n = grid_n(r);
  if (const SchemeEntry* s = foremost(r)) {
    const std::string_view name = s->name;
    const auto three = [&](auto&& error) {
      return fmt::format("{} as the document defines it, {} in a simulation, {} with the onset correction",
                         percent(error(Onset::sampled)), percent(error(Onset::simulated)),
                         percent(error(Onset::corrected)));
    };
    findings.push_back(fmt::format(
        "{} with {} steps per impact: where they begin with the contact the restitution is off by {}. Where they do "
        "not, it is off by {} (the largest error over where in a step the contact begins, mean over the angles). That "
        "is against the exact rebound; against the same scheme with steps that begin with the contact, by {}.",
        name, n, percent(found.ard(name, n, e_n)), three([&](Onset onset) { return found.tot(name, onset, n, e_n); }),
        three([&](Onset onset) { return found.dev(name, onset, n, e_n); })));
  }
  for (std::size_t m = 0; m < std::size(impact_measures); ++m) {
    const std::vector<Ranked> alone = ranking(r, m, Costing::integration), bed = ranking(r, m, Costing::bed);
    if (alone.empty()) continue;
    findings.push_back(
        fmt::format("Half the model's error of {}, {:.3g} %, costs least with {}; in a dense bed with {}.",
                    impact_measures[m].words, impact_measures[m].model / 2, place(alone, 0), place(bed, 0)));
  }
  std::size_t kept = 0, judged = 0;
  const std::vector<Claim> claims = claims_of(r);
  for (const Claim& c : claims) {
    judged += c.verdict != not_measured;
    kept += c.verdict.starts_with("holds");
  }
  const std::string left =
      judged < claims.size()
          ? fmt::format("{} need other schemes, steps or angles than this run has; ", claims.size() - judged)
          : "";
  findings.push_back(
      judged > 0 ? fmt::format("{} of {} claims of the document that this run can judge hold, some with a reservation; "
                               "{}the report has them all.",
                               kept, judged, left)
                 : "This run can judge none of the document's claims: they need other schemes, steps or angles.");
  return findings;
}

// Of the table to look at first.
std::string columns_words(int n) {
  std::string levels;
  for (const ImpactMeasure& m : impact_measures)
    levels += fmt::format("{}{} {:.3g} %", levels.empty() ? "" : ", ", m.name, m.model);
  return fmt::format(
      "Columns: e_n to \u03c9, the number of steps per impact, of those run, from which on an error stays below that "
      "of "
      "the document's model against the experiment ({}). Then, at n = {} and in percent, errors of e_n and e_t where "
      "steps begin with the contact; grid, simulated and corrected are how far e_n is from that where a contact begins "
      "within a step: as the document defines it, in a simulation, and there with the onset correction. Cost is the "
      "time of a step of an impact over that of forward_euler.",
      levels, n);
}

void claims_section(const Result& r, Page& page) {
  const std::vector<Claim> claims = claims_of(r);
  page.section("Claims of the document");
  page.paragraph(
      fmt::format("The document is {}. Here its claims in short; with the figures stands what is measured.", document));
  page.paragraph(document_scheme_names());
  std::vector<Page::Row> rows;
  for (const Claim& c : claims) rows.push_back({fmt::format("Fig. {}", c.figure), c.claimed, c.verdict});
  page.table({"figure", "the document", "verdict"}, rows);
  page.paragraph("Nothing that the document prints leads to these; they are shown, not sought:");
  rows.clear();
  for (const Claim& c : not_reproducible(r)) rows.push_back({fmt::format("Fig. {}", c.figure), c.claimed, c.measured});
  page.table({"figure", "the document", "Cairn"}, rows);
}

void grid_comparison(const Result& r, Page& page) {
  const ImpactFound found(r);
  const int n = grid_n(r);
  page.paragraph(fmt::format(
      "At n = {}, in percent: the document's definition \u2192 in a simulation \u2192 with the onset correction.", n));
  std::vector<Page::Row> rows;
  for (const SchemeEntry* s : r.settings.schemes) {
    Page::Row row{s->name};
    for (std::size_t m = 0; m < std::size(impact_measures); ++m) {
      std::string cell;
      for (const Onset onset : onsets)
        cell += (cell.empty() ? "" : " \u2192 ") + number(found.dev(s->name, onset, n, m));
      row.push_back(cell);
    }
    rows.push_back(row);
  }
  page.table({"scheme", "e_n", "e_t", "\u03b2", "\u03c9"}, rows);
}

}  // namespace

StudyReport show(const Result& r) {
  const ImpactFound found(r);
  StudyReport s;
  s.name = "impact";
  s.title = "The oblique impact of a sphere on a wall";
  s.subtitle = fmt::format("The study of {}, by Cairn {}: {}, {}, {} steps per impact", document, CAIRN_VERSION,
                           several(r.settings.schemes.size(), "scheme"), several(r.settings.angles.size(), "angle"),
                           steps_words(r.settings.steps));
  s.findings = findings_of(r);
  s.tables = {accuracy_table(r),
              grid_table(r, Onset::sampled),
              grid_table(r, Onset::simulated),
              grid_table(r, Onset::corrected),
              grid_table(r, Onset::remembered),
              cost_table(r),
              cheapest_table(r)};
  if (r.settings.table) {  // the study's own comes first
    const auto at = s.tables.begin() + 1 + static_cast<int>(*r.settings.table);
    std::rotate(s.tables.begin(), at, at + 1);
  }

  const int n = grid_n(r);
  s.legend = columns_words(n);
  s.head = {"scheme",  "e_n",      "e_t",       "\u03b2",    "\u03c9", "e_n [%]",
            "e_t [%]", "grid [%]", "simulated", "corrected", "cost"};
  for (const SchemeEntry* scheme : r.settings.schemes) {
    const std::string_view name = scheme->name;
    Page::Row row{text(name)};
    for (std::size_t m = 0; m < std::size(impact_measures); ++m)
      row.push_back(found.below(name, m, impact_measures[m].model).brief());
    row.push_back(number(found.ard(name, n, e_n)));
    row.push_back(number(found.ard(name, n, e_t)));
    for (const Onset onset : onsets) row.push_back(number(found.dev(name, onset, n, e_n)));
    const Result::Cost* c = cost_of(r, scheme);
    row.push_back(c ? fmt::format("{:.2g}", step_cost(r, *c, Costing::integration)) : "-");
    s.rows.push_back(row);
  }

  // Sections of figures, each with how many there are.
  struct Group {
    std::string title, words;
    std::vector<int> of;  // figures of the document
    std::size_t begin, end;
  };
  std::vector<Group> groups;
  const std::vector<Panel> panels = panels_of(r.settings.schemes);
  const auto group = [&](const std::string& title, const std::vector<int>& of, const std::string& words, auto&& add) {
    groups.push_back({title, words, of, s.figures.size(), 0});
    add();
    groups.back().end = s.figures.size();
  };
  const auto each = [&](std::size_t from, auto&& figure, bool all = true) {
    for (std::size_t m = from; m < from + 2; ++m)
      for (const Panel& p : panels)
        if (all || p.of_document ||
            std::none_of(panels.begin(), panels.end(), [](const Panel& q) { return q.of_document; }))
          s.figures.push_back(figure(p, m));
  };
  const auto accuracy = [&](const Panel& p, std::size_t m) { return accuracy_figure(r, p, m); };
  const auto grid = [&](const Panel& p, std::size_t m) { return grid_figure(r, p, m, Onset::sampled); };
  const auto mended = [&](const Panel& p, std::size_t m) { return grid_figure(r, p, m, Onset::corrected); };
  group("Accuracy of the restitutions (the document's Fig. 2)", {2},
        "The mean over all angles of the relative error, where the steps begin with the contact; t_f / n is the step.",
        [&] { each(e_n, accuracy); });
  group("Accuracy of rebound angle and spin (Fig. 3)", {3}, "", [&] { each(beta, accuracy); });
  group(
      "Time-grid error of the restitutions (Fig. 5)", {5},
      "Steps seldom begin with a contact. The largest of 20 phases, mean over the angles, relative to the same scheme "
      "where they do.",
      [&] { each(e_n, grid); });
  group("The same with the onset correction", {}, "", [&] { each(e_n, mended); });
  group("Time-grid error of rebound angle and spin (Fig. 6)", {6}, "", [&] { each(beta, grid); });
  group("The same with the onset correction", {}, "", [&] { each(beta, mended); });
  group("Over the phase", {},
        "In a simulation stages and closing kicks feel a contact before the first sample in it, so the error falls not "
        "as in the document, where a sphere moves uniformly up to that sample.",
        [&] {
          for (std::size_t m = 0; m < std::size(impact_measures); ++m)
            for (const Onset onset : onsets) s.figures.push_back(phase_figure(r, m, onset));
        });
  group("Cost (Fig. 7)", {7}, "", [&] {
    for (const Panel& p : panels) s.figures.push_back(cost_figure(r, p));
  });
  const auto efficiency = [&](Costing costing) {
    return [&, costing](const Panel& p, std::size_t m) { return efficiency_figure(r, p, m, costing); };
  };
  group(
      "Error against cost (Figs. 8 and 9)", {8, 9}, "The schemes of the document; cheapest.csv has all schemes.",
      [&] { each(e_n, efficiency(Costing::integration), false), each(beta, efficiency(Costing::integration), false); });
  group("Error against cost, with the rest of a simulation (Figs. 11 and 12)", {11, 12},
        fmt::format("To each step is added what makes integration {:.3g} % of a step of taylor2, once per step however "
                    "often a scheme asks for the force, as the document does.",
                    100 * r.settings.share),
        [&] { each(e_n, efficiency(Costing::shared), false), each(beta, efficiency(Costing::shared), false); });
  group("Error against cost, as measured in a dense bed of Cairn", {},
        fmt::format("A step of each scheme in a crystal of {} spheres, {} contacts. Here every call of the force costs "
                    "contact detection and force again, and integration is {:.0f} % of a step of taylor2.",
                    r.bed_grains, r.bed_contacts, 100 * r.bed_share),
        [&] { each(e_n, efficiency(Costing::bed), false), each(beta, efficiency(Costing::bed), false); });

  s.body = [r, groups, n](const StudyReport& report, Page& page, const StudyReport::Put& put) {
    const ImpactFound found(r);
    std::vector<Page::Card> cards{
        {"Schemes", std::to_string(r.settings.schemes.size()), "of fixed step"},
        {"Impacts", std::to_string(r.settings.angles.size()), fmt::format("angles, {:.3g} m/s", r.settings.speed)}};
    if (const SchemeEntry* f = foremost(r)) {
      const std::string_view name = f->name;
      cards.push_back({"e_n, aligned", percent(found.ard(name, n, e_n)), fmt::format("{}, n = {}", name, n)});
      cards.push_back(
          {"Time-grid error", percent(found.dev(name, Onset::sampled, n, e_n)), "as the document defines it"});
      cards.push_back({"In a simulation", percent(found.dev(name, Onset::simulated, n, e_n)), "without correction"});
      cards.push_back({"Corrected", percent(found.dev(name, Onset::corrected, n, e_n)), "onset = \"on\""});
    }
    page.cards(cards);
    for (const std::string& finding : report.findings) page.paragraph(finding);
    page.table(report.head, report.rows);
    page.paragraph(report.legend);
    claims_section(r, page);
    const std::vector<Claim> claims = claims_of(r);
    for (const Group& g : groups) {
      page.section(g.title);
      if (!g.words.empty()) page.paragraph(g.words);
      std::vector<Page::Row> claimed;
      for (const Claim& c : claims)
        if (std::find(g.of.begin(), g.of.end(), c.figure) != g.of.end())
          claimed.push_back({fmt::format("Fig. {}", c.figure), c.claimed, c.measured, c.verdict});
      if (!claimed.empty()) page.table({"figure", "the document", "Cairn", "verdict"}, claimed);
      if (g.title == "Cost (Fig. 7)") {
        std::vector<Page::Row> rows;
        for (const Result::Cost& c : r.costs)
          rows.push_back({c.scheme->name, fmt::format("{:.3g}", c.passes), fmt::format("{:.3g} \u00b5s", 1e6 * c.step),
                          number(step_cost(r, c, Costing::integration)), number(step_cost(r, c, Costing::shared)),
                          number(step_cost(r, c, Costing::bed))});
        page.table({"scheme", "force passes per step", "time of a step", "over forward_euler",
                    words_of(r, Costing::shared), words_of(r, Costing::bed)},
                   rows);
      }
      if (g.title.starts_with("Over the phase")) grid_comparison(r, page);
      for (std::size_t k = g.begin; k < g.end; ++k) put(report.figures[k], "");
    }
    page.section("How it was measured");
    page.paragraph(
        "One sphere and one plane of the engine, its linear law, each scheme as it stands in the catalogue. Every "
        "angle "
        "has its own stiffness and damping, so that restitution and duration are those of the experiment. The engine's "
        "lever is the radius less the overlap, the document's the radius: the impact runs at a speed so small that the "
        "overlap is a millionth of the radius, which changes no outcome of a linear law. Aligned runs, and those as "
        "the "
        "document defines them, let the contact pull: no force is clipped.");
    page.paragraph(
        "Aligned: exactly n steps of t_f / n from the first instant of contact, then the velocities are read. "
        "Multistep schemes start by steps of rk4, verlet too, Gear's from exact derivatives. central_difference has "
        "the "
        "initial velocity half a step before the contact, and is read half a step before the end; verlet is read as "
        "printed, (x_n - x_{n-2}) / 2h. Time grid: the first sample in contact lies 0.05, 0.10 ... 0.95 and 1 - 1e-12 "
        "of a step after the onset, and there each scheme starts in the same way; position_verlet samples its "
        "positions where they are printed, in the middle of steps. The impact ends at the first step end where the "
        "force would pull and the sphere is on its way out. time_grid_remembered.csv has the other reading: schemes "
        "remember the uniform motion before, as they do in a simulation, and position_verlet is sampled at whole "
        "steps.");
    page.paragraph(
        "Springs and the Coulomb limit are Cairn's own: the limit is part of the force at every state a scheme asks "
        "for, "
        "and the spring returns to it at the end of a step (docs/laws.md). The normal motion does not depend on it; "
        "tangential outcomes do. The last kick of omelyan_babab and forest_ruth is implicit in the damping, as in the "
        "document; their inner kicks take the velocity there is, and so do those of the other compositions.");
    page.paragraph(
        "Each figure stands in figures/ as SVG with its data (CSV) and its gnuplot script. accuracy.csv has every mean "
        "error, time_grid.csv the time-grid errors as the document defines them, time_grid_simulated.csv and "
        "time_grid_corrected.csv those of simulations, costs.csv and cheapest.csv the costs.");
  };
  return s;
}

}  // namespace cairn::studies
