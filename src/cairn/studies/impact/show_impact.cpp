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

constexpr const char* paper = "Kruggel-Emden, Sturm, Wirtz & Scherer, Comput. Chem. Eng. 32 (2008) 2263";

std::string several(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// "4 to 100" if every number in between ran, else "17 numbers from 4 to 100".
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
      return fmt::format(
          "{} as the paper defines the start, {} in a simulation, {} in a simulation with the contact-onset correction",
          percent(error(Onset::sampled)), percent(error(Onset::simulated)), percent(error(Onset::corrected)));
    };
    findings.push_back(fmt::format(
        "{} with {} steps per impact: if the steps begin with the contact, the error of the normal restitution is {}. "
        "If the contact begins within a step, the error against the exact rebound is {}. The deviation from the same "
        "scheme with steps that begin with the contact is {}. Each of these errors and deviations is the largest over "
        "the instants in a step at which the contact may begin, as the mean over the angles.",
        name, n, percent(found.ard(name, n, e_n)), three([&](Onset onset) { return found.tot(name, onset, n, e_n); }),
        three([&](Onset onset) { return found.dev(name, onset, n, e_n); })));
  }
  for (std::size_t m = 0; m < std::size(impact_measures); ++m) {
    const std::vector<Ranked> alone = ranking(r, m, Costing::integration), bed = ranking(r, m, Costing::bed);
    if (alone.empty()) continue;
    findings.push_back(
        fmt::format("Cheapest scheme whose error of the {} stays below {:.3g} %, half the error of the paper's model: "
                    "{}; in a dense bed {}.",
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
          ? fmt::format(" {} claims need other schemes, steps or angles than this run has.", claims.size() - judged)
          : "";
  findings.push_back(
      judged > 0
          ? fmt::format("This run can judge {} claims of the paper. Of these, {} hold, some with a reservation.{} "
                        "The report lists all claims.",
                        judged, kept, left)
          : "This run can judge no claim of the paper: they all need other schemes, steps or angles.");
  return findings;
}

// The legend of the main table.
std::string columns_words(int n) {
  std::string levels;
  for (const ImpactMeasure& m : impact_measures)
    levels += fmt::format("{}{} {:.3g} %", levels.empty() ? "" : ", ", m.name, m.model);
  return fmt::format(
      "Columns e_n, e_t, \u03b2 and \u03c9: the number of steps per impact, of those that were run, from which on the "
      "error stays below the error of the paper's model against the experiment ({}). The next five columns are in "
      "percent, at n = {}. e_n [%] and e_t [%]: errors if the steps begin with the contact. grid, simulated and "
      "corrected: deviation of e_n, if the contact begins within a step, from the run whose steps begin with the "
      "contact; grid as the paper defines the start, simulated in a simulation, corrected in a simulation with the "
      "contact-onset correction. cost: time of one step of an impact, relative to forward_euler.",
      levels, n);
}

void claims_section(const Result& r, Page& page) {
  const std::vector<Claim> claims = claims_of(r);
  page.section("Claims of the paper");
  page.paragraph(
      fmt::format("The paper is {}. This table lists its claims in short. The measured values are below, "
                  "beside the figures.",
                  paper));
  page.paragraph(document_scheme_names());
  std::vector<Page::Row> rows;
  for (const Claim& c : claims) rows.push_back({fmt::format("Fig. {}", c.figure), c.claimed, c.verdict});
  page.table({"figure", "the paper", "verdict"}, rows);
  page.paragraph(
      "The following claims cannot be derived from the equations that the paper prints. They have no verdict:");
  rows.clear();
  for (const Claim& c : not_reproducible(r)) rows.push_back({fmt::format("Fig. {}", c.figure), c.claimed, c.measured});
  page.table({"figure", "the paper", "Cairn"}, rows);
}

void grid_comparison(const Result& r, Page& page) {
  const ImpactFound found(r);
  const int n = grid_n(r);
  page.paragraph(fmt::format(
      "Largest time-grid error over the phases at n = {}, in percent: as the paper defines the start \u2192 in a "
      "simulation \u2192 in a simulation with the contact-onset correction.",
      n));
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
  s.subtitle = fmt::format("The study of {}, repeated with Cairn {}: {}, {}, {} steps per impact", paper, CAIRN_VERSION,
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

  // Sections of figures, each with the range of its figures.
  struct Group {
    std::string title, words;
    std::vector<int> of;  // figures of the paper
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
  group("Accuracy of the restitutions (the paper's Fig. 2)", {2},
        "Relative error if the steps begin with the contact, as the mean over all angles. The step is t_f / n.",
        [&] { each(e_n, accuracy); });
  group("Accuracy of rebound angle and spin (Fig. 3)", {3}, "", [&] { each(beta, accuracy); });
  group(
      "Time-grid error of the restitutions (Fig. 5)", {5},
      "Steps seldom begin with a contact. The figures show the relative deviation from the same scheme with steps that "
      "do: the largest value over 20 phases, as the mean over the angles.",
      [&] { each(e_n, grid); });
  group("Time-grid error of the restitutions with the contact-onset correction", {}, "", [&] { each(e_n, mended); });
  group("Time-grid error of rebound angle and spin (Fig. 6)", {6}, "", [&] { each(beta, grid); });
  group("Time-grid error of rebound angle and spin with the contact-onset correction", {}, "",
        [&] { each(beta, mended); });
  group("Time-grid error over the phase", {},
        "The phase is the part of a step between the beginning of the contact and the first sample in contact. In the "
        "paper a sphere moves uniformly up to that sample. In a simulation the stages and the last kick of the step "
        "before that sample already feel the contact, so the error depends on the phase in another way.",
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
  group("Error against cost (Figs. 8 and 9)", {8, 9},
        "These figures show the schemes of the paper. cheapest.csv has all schemes.", [&] {
          each(e_n, efficiency(Costing::integration), false), each(beta, efficiency(Costing::integration), false);
        });
  group(
      "Error against cost within a simulation (Figs. 11 and 12)", {11, 12},
      fmt::format("A constant cost for the rest of the simulation is added to each step. It is chosen so that "
                  "integration is {:.3g} % of a step of taylor2. As in the paper, it is added once per step, even if a "
                  "scheme evaluates the force several times.",
                  100 * r.settings.share),
      [&] { each(e_n, efficiency(Costing::shared), false), each(beta, efficiency(Costing::shared), false); });
  group("Error against cost, measured in a dense bed of Cairn", {},
        fmt::format("The cost of a step is measured in a crystal of {} spheres with {} contacts. Here every force pass "
                    "includes contact detection, and integration is {:.0f} % of a step of taylor2.",
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
          {"Time-grid error", percent(found.dev(name, Onset::sampled, n, e_n)), "as the paper defines the start"});
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
      if (!claimed.empty()) page.table({"figure", "the paper", "Cairn", "verdict"}, claimed);
      if (g.title == "Cost (Fig. 7)") {
        std::vector<Page::Row> rows;
        for (const Result::Cost& c : r.costs)
          rows.push_back({c.scheme->name, fmt::format("{:.3g}", c.passes), fmt::format("{:.3g} \u00b5s", 1e6 * c.step),
                          number(step_cost(r, c, Costing::integration)), number(step_cost(r, c, Costing::shared)),
                          number(step_cost(r, c, Costing::bed))});
        page.table({"scheme", "force passes per step", "time of a step", "relative to forward_euler",
                    "relative, " + words_of(r, Costing::shared), "relative, " + words_of(r, Costing::bed)},
                   rows);
      }
      if (g.title == "Time-grid error over the phase") grid_comparison(r, page);
      for (std::size_t k = g.begin; k < g.end; ++k) put(report.figures[k], "");
    }
    page.section("How it was measured");
    page.paragraph(
        "All runs use the engine: one sphere, one plane, the linear law, and the schemes of the catalogue. Every angle "
        "has its own stiffness and damping, so that restitution and duration are those of the experiment. The lever of "
        "the engine is the radius less the overlap; the lever of the paper is the radius. Therefore the impact runs at "
        "a speed so small that the overlap is a millionth of the radius. With a linear law this does not change the "
        "outcome. In aligned runs, and in runs with the start of the paper, the contact may pull: no force is "
        "clipped.");
    page.paragraph(
        "Aligned runs take exactly n steps of t_f / n from the first instant of contact; then the velocities are read. "
        "Multistep schemes, verlet included, start with steps of rk4; Gear's schemes start from exact derivatives. "
        "central_difference starts with the initial velocity half a step before the contact, and its final velocity is "
        "read half a step before the end. The velocity of verlet is the printed one, (x_n - x_{n-2}) / 2h.");
    page.paragraph(
        "In runs for the time-grid error the first sample in contact lies 0.05, 0.10 ... 0.95 or 1 - 1e-12 of a step "
        "after the onset. With the start of the paper each scheme starts at this sample as in aligned runs, and "
        "position_verlet is sampled where its positions are printed, in the middle of steps. The impact ends at the "
        "first step end at which the force would pull while the sphere moves away. time_grid_remembered.csv has the "
        "other reading of the paper: multistep schemes remember the uniform motion before the contact, as in a "
        "simulation, and position_verlet is sampled at whole steps.");
    page.paragraph(
        "Cairn treats tangential springs and the Coulomb limit in its own way: the limit is part of the force at every "
        "evaluation, and the spring returns to the limit at the end of a step (docs/laws.md). The normal motion does "
        "not depend on this treatment; the tangential outcomes do. The last kick of omelyan_babab and forest_ruth is "
        "implicit in the damping, as in the paper. Their inner kicks, and all kicks of the other compositions, use the "
        "present velocity.");
    page.paragraph(
        "The folder figures/ has each figure as SVG, with its data (CSV) and its gnuplot script. accuracy.csv has "
        "every mean error. time_grid.csv has the time-grid errors as the paper defines the start; "
        "time_grid_simulated.csv and time_grid_corrected.csv have those in simulations. costs.csv and cheapest.csv "
        "have the costs.");
  };
  return s;
}

}  // namespace cairn::studies
