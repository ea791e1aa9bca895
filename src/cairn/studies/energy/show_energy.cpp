#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cairn/core/constants.hpp"
#include "cairn/studies/energy/energy_view.hpp"

namespace cairn::studies {
namespace {

using Run = EnergyResult::Run;
using Statistic = EnergyResult::Statistic;

std::string or_dash(std::int64_t a) {
  return a > 0 ? std::to_string(a) : "-";
}

struct Spread {
  Real mean = nan, deviation = nan;
  int of = 0, failed = 0;
};
Spread spread_of(const std::vector<PyramidRun>& runs, const std::function<Real(const PyramidRun&)>& value,
                 bool of_failed) {
  Spread s;
  std::vector<Real> values;
  for (const PyramidRun& run : runs) {
    s.failed += run.failed();
    if (run.failed() == of_failed) values.push_back(value(run));
  }
  s.of = static_cast<int>(values.size());
  if (values.empty()) return s;
  s.mean = s.deviation = 0;
  for (const Real v : values) s.mean += v / static_cast<Real>(s.of);
  for (const Real v : values) s.deviation += (v - s.mean) * (v - s.mean) / std::max(1, s.of - 1);
  s.deviation = std::sqrt(s.deviation);
  return s;
}
Spread growths(const Statistic& of) {
  return spread_of(
      of.starts, [](const PyramidRun& run) { return run.growth(); }, false);
}
Spread calls_at_failure(const Statistic& of) {
  return spread_of(
      of.starts, [](const PyramidRun& run) { return static_cast<Real>(run.calls); }, true);
}
const Statistic& statistic(const EnergyResult& r, bool printed, const std::string& scheme, Real step) {
  return *std::find_if(r.statistics.begin(), r.statistics.end(), [&](const Statistic& s) {
    return s.printed == printed && s.scheme->name == scheme && s.step == step;
  });
}
std::string words_of(const Spread& s) {
  return s.of == 0 ? "no run came to its end" : fmt::format("{:.3g} +- {:.2g}", s.mean, s.deviation);
}

// Energies over time; what has exploded leaves the figure.
Curve energy_curve(const std::string& name, const PyramidRun& run, std::size_t outputs, int colour = -1) {
  Curve c{name, {}, colour};
  for (std::size_t k = 0; k < outputs; ++k) {
    const bool there = k < run.energy.size() && std::fabs(run.energy[k]) < 6 * run.energy[0];
    c.y.push_back(there ? run.energy[k] : nan);
  }
  return c;
}
Curve expected_curve(const std::string& name, const PyramidRun& run, std::size_t outputs, int colour) {
  Curve c{name, {}, colour, true};
  for (std::size_t k = 0; k < outputs; ++k) c.y.push_back(k < run.expected.size() ? run.expected[k] : nan);
  return c;
}

std::vector<Real> longest_time(const EnergyResult& r) {
  std::vector<Real> time;
  for (const Run& run : r.comparison)
    if (run.run.time.size() > time.size()) time = run.run.time;
  return time;
}

Figure comparison_figure(const EnergyResult& r, std::size_t in, const char* figure, const std::string& words,
                         const std::vector<std::string>& schemes, bool shortest_only) {
  const PyramidCase& c = r.cases[in];
  Figure f{fmt::format("figure_{}_{}", figure, c.name),
           fmt::format("Figure {}, {}: {}", figure, c.name, words),
           {"time", "s"},
           {"energy", "J"},
           longest_time(r),
           {}};
  int colour = 0;
  for (const std::string& scheme : schemes) {
    for (const Real step : r.settings.steps) {
      if (shortest_only && step != r.settings.steps.back()) continue;
      const Run& run = r.of(in, scheme, step);
      f.curves.push_back(energy_curve(fmt::format("{} {:g} s", scheme, step), run.run, f.at.size(), colour++));
    }
  }
  const Run& finest = r.of(in, schemes.front(), r.settings.steps.back());
  f.curves.push_back(expected_curve("expected", finest.run, f.at.size(), colour));
  return f;
}

Figure laws_figure(const EnergyResult& r) {
  Figure f{"figure_15",     "Figure 15, golden: three laws, taylor3_backward",
           {"time", "s"},   {"energy", "J"},
           longest_time(r), {}};
  int colour = 0;
  for (const Run& run : r.of_laws)
    f.curves.push_back(
        energy_curve(fmt::format("{} {:g} s", r.laws[run.in].name, run.step), run.run, f.at.size(), colour++));
  return f;
}

Figure answer_figure(const EnergyResult& r) {
  Figure f{"answer",        "The same spheres, the same scheme: only the sign of the rate of overlap differs",
           {"time", "s"},   {"energy over that at the start"},
           longest_time(r), {}};
  const auto add = [&](const std::string& name, const PyramidRun& run, int colour) {
    Curve c = energy_curve(name, run, f.at.size(), colour);
    for (Real& a : c.y) a /= run.energy[0];
    f.curves.push_back(std::move(c));
  };
  const auto first = [&](bool printed, Real step) -> const PyramidRun& {
    return statistic(r, printed, "velocity_verlet", step).starts[0];
  };
  add("as printed, 1e-3 s", first(true, 1e-3), 1), add("as printed, 1e-5 s", first(true, 1e-5), 5);
  add("right, 1e-3 s", first(false, 1e-3), 2), add("right, 1e-5 s", first(false, 1e-5), 0);
  return f;
}

Figure catalogue_figure(const EnergyResult& r) {
  Figure f{"catalogue",
           "Error of the energy over cost, golden run of 1 s",
           {"calls of the force per simulated second", "1", true},
           {"error of energy", "J", true},
           {},
           {}};
  f.style = Figure::Style::points;
  std::vector<Real> at;
  for (const Run& run : r.catalogue) at.push_back(static_cast<Real>(run.run.calls));
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());
  f.at = at;
  std::map<std::string, Curve> of;
  std::vector<std::string> order;
  for (const Run& run : r.catalogue) {
    const std::string family(run.scheme->claims.family);
    if (!of.contains(family)) order.push_back(family), of[family] = {family, std::vector<Real>(at.size(), nan)};
    Curve& c = of[family];
    c.marks = true;
    const Real error = run.run.furthest_from(r.reference);
    if (!(error < 1e3)) continue;
    Real& y = c.y[static_cast<std::size_t>(std::lower_bound(at.begin(), at.end(), static_cast<Real>(run.run.calls)) -
                                           at.begin())];
    if (std::isnan(y) || error < y) y = error;  // the best of a family at each cost
  }
  for (const std::string& family : order) f.curves.push_back(of[family]);
  return f;
}

// The thesis's tables beside ours.
ResultTable comparison_table(const EnergyResult& r) {
  ResultTable t{"comparison",
                {{"case", "1"},
                 {"scheme", "1"},
                 {"step", "s"},
                 {"steps", "1"},
                 {"calls", "1"},
                 {"iterations_per_step", "1"},
                 {"mean_step", "s"},
                 {"seconds", "s"},
                 {"energy", "J"},
                 {"growth", "1"},
                 {"expected_energy", "J"},
                 {"ledger_residual", "J"},
                 {"collisions", "1"},
                 {"printed_steps", "1"},
                 {"printed_calls", "1"},
                 {"printed_iterations", "1"},
                 {"printed_seconds", "s"},
                 {"failure", "1"}},
                {}};
  for (const Run& run : r.comparison) {
    const PyramidRun& p = run.run;
    const Printed* doc = printed_of(run.scheme->name, run.step);
    const Real steps = static_cast<Real>(p.steps);
    t.rows.push_back({r.cases[run.in].name, run.scheme->name, run.step, p.steps, p.calls,
                      static_cast<Real>(p.iterations) / steps, p.time.back() / steps, p.seconds, p.energy.back(),
                      p.growth(), p.expected.back(), p.residual.back(), p.collisions,
                      doc ? doc->steps : std::int64_t{0}, doc ? doc->calls : std::int64_t{0}, doc ? doc->iterations : 0,
                      doc ? doc->seconds : 0, p.failure});
  }
  return t;
}

ResultTable energies_table(const EnergyResult& r) {
  ResultTable t{"energies",
                {{"case", "1"},
                 {"scheme", "1"},
                 {"step", "s"},
                 {"time", "s"},
                 {"energy", "J"},
                 {"expected_energy", "J"},
                 {"ledger_residual", "J"}},
                {}};
  for (const Run& run : r.comparison)
    for (std::size_t k = 0; k < run.run.time.size(); ++k)
      t.rows.push_back({r.cases[run.in].name, run.scheme->name, run.step, run.run.time[k], run.run.energy[k],
                        run.run.expected[k], run.run.residual[k]});
  return t;
}

ResultTable statistics_table(const EnergyResult& r) {
  ResultTable t{"starts",
                {{"rate_sign", "1"},
                 {"scheme", "1"},
                 {"step", "s"},
                 {"start", "1"},
                 {"growth", "1"},
                 {"calls", "1"},
                 {"failure", "1"}},
                {}};
  for (const Statistic& s : r.statistics)
    for (std::size_t k = 0; k < s.starts.size(); ++k)
      t.rows.push_back({std::string(s.printed ? "printed" : "right"), s.scheme->name, s.step,
                        static_cast<std::int64_t>(k), s.starts[k].growth(), s.starts[k].calls, s.starts[k].failure});
  return t;
}

ResultTable catalogue_table(const EnergyResult& r) {
  ResultTable t{"catalogue",
                {{"scheme", "1"},
                 {"family", "1"},
                 {"step", "s"},
                 {"calls", "1"},
                 {"seconds", "s"},
                 {"error", "J"},
                 {"failure", "1"}},
                {}};
  for (const Run& run : r.catalogue)
    t.rows.push_back({run.scheme->name, std::string(run.scheme->claims.family), run.step, run.run.calls,
                      run.run.seconds, run.run.furthest_from(r.reference), run.run.failure});
  return t;
}

// Energies of the golden run that a reference outside of Cairn has.
Real furthest_from_golden(const PyramidRun& run) {
  constexpr std::pair<Real, Real> golden[] = {{0.04, 208.9116}, {0.08, 208.2682}, {0.16, 207.553},
                                              {0.40, 198.910},  {0.80, 187.540},  {0.96, 183.440}};  // [s] [J]
  Real most = run.failed() ? nan : 0;
  for (const auto& [time, energy] : golden)
    for (std::size_t k = 0; k < run.time.size(); ++k)
      if (std::fabs(run.time[k] - time) < 1e-6) most = std::max(most, std::fabs(run.energy[k] - energy));
  return most;
}

std::vector<std::string> findings_of(const EnergyResult& r) {
  const auto of = [&](bool printed, Real step) {
    return words_of(growths(statistic(r, printed, "velocity_verlet", step)));
  };
  const Spread right = growths(statistic(r, false, "velocity_verlet", 1e-5)),
               wrong = growths(statistic(r, true, "velocity_verlet", 1e-5));
  std::vector<std::string> all;
  all.push_back(fmt::format(
      "{} With the sign of the rate of overlap that the thesis prints, the energy after {:g} s is {} E_0 at steps of "
      "1e-5 s and {} E_0 at 1e-3 s (the thesis: 1.5 and 3), with velocity_verlet. With the right sign it is {} and {} "
      "E_0 (mean and scatter of {} starts).",
      wrong.mean > 1 && right.mean < 1
          ? "The printed definition necessarily produces the growth of energy, and it reproduces its size."
          : "THE SIGN DOES NOT EXPLAIN THE GROWTH.",
      r.settings.end, of(true, 1e-5), of(true, 1e-3), of(false, 1e-5), of(false, 1e-3), r.settings.starts));
  const Spread calls = calls_at_failure(statistic(r, true, "rkf45_relative", 1e-3));
  all.push_back(
      calls.of == 0
          ? "rkf45_relative does not fail at a smallest step of 1e-3 s."
          : fmt::format(
                "rkf45_relative fails at a smallest step of 1e-3 s in {} of {} starts, after {:.0f} calls of the "
                "force on average (printed: 109): \"{}\"",
                calls.failed, r.settings.starts, calls.mean, [&] {
                  for (const PyramidRun& run : statistic(r, true, "rkf45_relative", 1e-3).starts)
                    if (run.failed()) return run.failure;
                  return std::string();
                }()));
  // Implicit schemes, with the right sign and with the printed one.
  const Real finest = r.settings.steps.back();
  const Run &implicit = r.of(1, "gauss2_previous", finest), &pushed = r.of(2, "gauss2_previous", finest);
  all.push_back(fmt::format(
      "Gauss's method does not dissipate by itself: it keeps quadratic invariants, and follows the sign of the dashpot "
      "as every scheme does: {} with the right sign, {} with the printed one.",
      growth_words(implicit.run), growth_words(pushed.run)));
  std::string worst;
  Real most = 0;
  for (const Run& run : r.comparison)
    if (const Real off = furthest_from_golden(run.run); run.in == 0 && run.step == finest && off > most)
      most = off, worst = run.scheme->name;
  all.push_back(
      fmt::format("On the golden run at {:g} s energies are within {:.2g} J of the reference values from "
                  "outside Cairn; the furthest scheme is {}.",
                  finest, most, worst));
  Real residual = 0;
  std::string where;
  for (const Run& run : r.comparison)
    if (run.in == 0 && run.step == finest && !run.run.failed() && std::fabs(run.run.residual.back()) > residual)
      residual = std::fabs(run.run.residual.back()), where = run.scheme->name;
  all.push_back(
      fmt::format("The ledger of the golden run closes to {:.2g} J at {:g} s ({}), so what is lost is "
                  "physical: dashpots and the clip took it.",
                  residual, finest, where));
  if (r.reference.failed()) all.push_back("THE REFERENCE OF THE CATALOGUE FAILED: " + r.reference.failure);
  Real momentum = 0, angular = 0;
  for (const Run& run : r.thrown)
    momentum = std::max(momentum, run.run.lost_momentum), angular = std::max(angular, run.run.lost_angular);
  all.push_back(
      fmt::format("Thrown onto each other in free space, the spheres keep their linear momentum to {:.1g} m/s "
                  "of one sphere and their angular momentum to {:.1g} of its m r times 1 m/s, with every "
                  "scheme of the thesis.",
                  momentum, angular));
  return all;
}

// "78733 / 49694": the thesis and Cairn.
std::string both(const std::string& printed, const std::string& here) {
  return printed + " / " + here;
}
const Page::Row figure_head{"figure",        "scheme",        "step [s]",         "steps", "calls", "iterations",
                            "mean step [s]", "processor [s]", "energy at the end"};
std::vector<Page::Row> figure_rows(const EnergyResult& r, std::size_t in) {
  std::vector<Page::Row> rows;
  for (const Run& run : r.comparison) {
    if (run.in != in) continue;
    const PyramidRun& p = run.run;
    constexpr Printed none{"-", "", 0, 0, 0, 0, 0, 0};
    const Printed* found = printed_of(run.scheme->name, run.step);
    const Printed& doc = found ? *found : none;
    const Real steps = static_cast<Real>(std::max<std::int64_t>(1, p.steps));
    const auto printed = [](Real a) { return a > 0 ? number(a) : "-"; };
    rows.push_back({doc.figure, run.scheme->name, number(run.step), both(or_dash(doc.steps), std::to_string(p.steps)),
                    both(or_dash(doc.calls), std::to_string(p.calls)),
                    run.scheme->claims.implicit
                        ? both(printed(doc.iterations), number(static_cast<Real>(p.iterations) / steps, 2))
                        : "-",
                    both(printed(doc.mean_step), number(p.time.back() / steps, 2)),
                    both(printed(doc.seconds), number(p.seconds, 2)), growth_words(p)});
  }
  return rows;
}

// Calls of the force a step: what the first guess of Gauss's method saves, and Newton's method costs.
std::vector<Page::Row> gauss_rows(const EnergyResult& r) {
  std::vector<Page::Row> rows;
  for (std::size_t in = 0; in < r.cases.size(); ++in)
    for (const Real step : r.settings.steps) {
      rows.push_back({r.cases[in].name, number(step)});
      for (const char* scheme : {"gauss2_zero", "gauss2_previous", "gauss2_extrapolated", "gauss2_newton"}) {
        const PyramidRun& run = r.of(in, scheme, step).run;
        rows.back().push_back(number(static_cast<Real>(run.calls) / static_cast<Real>(run.steps), 3));
      }
    }
  return rows;
}

}  // namespace

StudyReport show(const EnergyResult& r) {
  StudyReport s;
  s.name = "energy";
  s.title = "The energy of thirteen falling spheres";
  s.subtitle = fmt::format("A study by Cairn {}: {} runs of {:g} s, after Hofmann (2011)", CAIRN_VERSION,
                           r.comparison.size(), r.settings.end);
  s.findings = findings_of(r);
  s.tables = {comparison_table(r), energies_table(r), statistics_table(r), catalogue_table(r)};
  s.head = {"case", "scheme", "step [s]", "steps", "calls", "iterations a step", "energy", "expected", "residual [J]"};
  for (const Run& run : r.comparison) {
    const PyramidRun& p = run.run;
    s.rows.push_back(
        {r.cases[run.in].name, run.scheme->name, number(run.step), std::to_string(p.steps), std::to_string(p.calls),
         run.scheme->claims.implicit ? number(static_cast<Real>(p.iterations) / static_cast<Real>(p.steps), 3) : "-",
         growth_words(p), p.failed() ? "-" : fmt::format("{:.3g} E_0", p.expected.back() / p.energy[0]),
         p.failed() ? "-" : number(p.residual.back(), 2)});
  }
  s.legend =
      "golden: k = 1e5 N/m, gamma = 60 N s/m; stiff: 1.3e7 and 120; printed: stiff, with the sign of the rate of "
      "overlap as the thesis prints it. Steps of rkf45 are the smallest allowed. energy: at the end, over that at the "
      "start; expected: by the restitution of each collision; residual: of the ledger, the numerical error.";
  s.figures.push_back(answer_figure(r));
  const std::size_t first_of_cases = s.figures.size();
  for (std::size_t in = 0; in < r.cases.size(); ++in) {
    s.figures.push_back(comparison_figure(r, in, "6", "taylor3_backward and velocity_verlet",
                                          {"taylor3_backward", "velocity_verlet"}, false));
    s.figures.push_back(
        comparison_figure(r, in, "9", "two controls of the step", {"rkf45_absolute", "rkf45_relative"}, false));
    s.figures.push_back(comparison_figure(r, in, "11", "first guesses of Gauss's method",
                                          {"gauss2_zero", "gauss2_previous", "gauss2_extrapolated"}, false));
    s.figures.push_back(
        comparison_figure(r, in, "13", "Rk45N and GauCo2", {"rkf45_relative", "gauss2_previous"}, false));
    s.figures.push_back(comparison_figure(r, in, "14", "four orders, shortest step",
                                          {"taylor3_backward", "velocity_verlet", "rkf45_relative", "gauss2_previous"},
                                          true));
  }
  const std::size_t after_cases = s.figures.size();
  s.figures.push_back(laws_figure(r)), s.figures.push_back(catalogue_figure(r));
  std::vector<Page::Picture> pictures;
  for (const bool printed : {true, false})
    for (const Real step : {1e-3, 1e-5}) {
      const PyramidRun& run = statistic(r, printed, "velocity_verlet", step).starts[0];
      const std::string caption = fmt::format("{} sign, h = {:g} s, t = {:g} s, {}", printed ? "printed" : "right",
                                              step, run.time.back(), growth_words(run));
      pictures.push_back({picture_of(run, caption, 5), caption});
    }
  s.body = [=](const StudyReport& report, Page& page, const StudyReport::Put& put) {
    page.section("Why the energy grew");
    page.paragraph(report.findings[0]);
    put(report.figures[0],
        "With the printed sign a dashpot pushes approaching spheres together and parting ones apart, "
        "so that each collision rebounds by 1/e instead of e.");
    page.paragraph(
        "The thesis ends with an open question: no explanation was found why even implicit methods increase the "
        "energy. "
        "It defines the overlap as r_i + r_j - |q_i - q_j| and its rate as <v_i - v_j, q_i - q_j> / |q_i - q_j|. The "
        "derivative of the overlap is the negative of that. Whether the author's program had the printed sign cannot "
        "be "
        "known from here. The parameters are not printed either: the stiff case was chosen for energies of the size "
        "that the thesis shows.");
    page.pictures(pictures);
    page.paragraph("The states after the whole time, as in figure 7 of the thesis, coloured by speed.");
    page.section("What was found");
    for (std::size_t k = 1; k < report.findings.size(); ++k) page.paragraph(report.findings[k]);
    page.section("The thesis's comparison");
    page.paragraph(
        "In the tables the figure of the thesis stands first, that of Cairn second. Calls are counted as in the "
        "thesis: six for each "
        "attempted step of an embedded pair and one at the start, two for each iteration of Gauss's method. Tolerances "
        "are 1e-4, embedded steps at most 1e-3 s. Expected energies, dotted, take m_eff v^2 (1 - e^2) / 2 from each "
        "registered collision, with the restitution of the clipped law. They follow the simulated energy while spheres "
        "meet two at a time.");
    const auto order = [](const char* scheme) {
      const Claims& claims = scheme_named(scheme).claims;
      return fmt::format("{}, {} with dashpots", claims.order, claims.order_damped);
    };
    page.table({"figure 4", "calls a step, printed", "order, printed", "order by Cairn's claims"},
               std::vector<Page::Row>{{"Taylor expansion", "1", "2 and 3", order("taylor3_backward")},
                                      {"velocity Verlet", "1", "2", order("velocity_verlet")},
                                      {"Runge-Kutta-Fehlberg, absolute", "6", "4 or 5", order("rkf45_absolute")},
                                      {"Runge-Kutta-Fehlberg, relative", "6", "4 or 5", order("rkf45_relative")},
                                      {"Gauss collocation", "2", "4", order("gauss2_zero")}});
    page.table({"figure", "the thesis", "Cairn, stiff case", "verdict"}, verdict_rows(r));
    std::size_t figure = first_of_cases;
    for (std::size_t in = 0; in < r.cases.size(); ++in) {
      page.section(in == 0   ? "Golden: k = 1e5 N/m, gamma = 60 N s/m"
                   : in == 1 ? "Stiff: k = 1.3e7 N/m, gamma = 120 N s/m"
                             : "Stiff, with the sign as printed");
      page.table(figure_head, figure_rows(r, in));
      for (int k = 0; k < 5; ++k) put(report.figures[figure++], "");
    }
    page.section("First guesses of Gauss's method");
    page.table({"case", "step [s]", "k = 0", "k of the step before", "extrapolated", "Newton's method"}, gauss_rows(r));
    page.paragraph(
        "Calls of the force per step, means over the run. The thesis proposes a linear extrapolation of the last k. "
        "Newton's method solves equations of its own beside: each of its iterations costs derivatives, too.");
    page.section("Three laws");
    put(report.figures[after_cases],
        "The extended non-linear law has the damping exponent 1. The non-linear laws press and rebound like the linear "
        "one in a collision of two spheres at 1 m/s.");
    page.section("All schemes of the catalogue");
    put(report.figures[after_cases + 1],
        "The largest difference of energy from dormand_prince54 with a tolerance of 1e-11 m at 25 instants of the "
        "first "
        "second. At each cost the best of a family; catalogue.csv has all. Contacts begin inside steps, so no scheme "
        "of "
        "fixed step keeps more than second order here.");
  };
  return s;
}

}  // namespace cairn::studies
