#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/studies/statics/statics_view.hpp"

namespace cairn::studies {
namespace {

using statics::Iterate;
using statics::Method;
using statics::RelaxationOrder;

constexpr Real not_there = std::numeric_limits<Real>::quiet_NaN();

// The value of a history at about so many updates.
Figure convergence(const StaticsResult& r, bool hertz) {
  Figure f{hertz ? "convergence_hertz" : "convergence_linear",
           fmt::format("{} column of 50 grains: residual over updates", hertz ? "Hertz" : "Linear"),
           {"updates", "1", true},
           {"length of the residual", "N", true},
           {},
           {}};
  std::vector<Real> at;
  for (int k = 0; k <= 240; ++k) at.push_back(std::floor(std::pow(10.0, k / 38.0)));
  at.erase(std::unique(at.begin(), at.end()), at.end());
  f.at = at;
  for (const Method method : {Method::newton, Method::damped, Method::southwell, Method::gauss_seidel}) {
    const StaticsResult::Solution* const of = r.solution(hertz, method);
    if (of == nullptr) continue;
    const std::vector<Iterate>& rows = of->found.history;
    Curve c{method_name(method), {}};
    std::size_t next = 0;
    for (const Real x : at) {
      while (next + 1 < rows.size() && 1 + static_cast<Real>(rows[next + 1].updates) <= x) ++next;
      c.y.push_back(x <= 1 + static_cast<Real>(rows.back().updates) ? std::max(rows[next].residual, 1e-12) : not_there);
    }
    f.curves.push_back(std::move(c));
  }
  return f;
}

// Gained or lost energy over time.
Figure energy_figure(const StaticsResult& r, bool opens, Real factor) {
  Figure f{fmt::format("{}_{:g}", opens ? "dropped" : "held", factor),
           fmt::format("{} the explicit limit, {}", factor == 1 ? "At" : fmt::format("{:g} times", factor),
                       opens ? "contacts that open: energy gained" : "contacts that hold: energy gained"),
           {"time", "s"},
           {"energy gained", "J"},
           {},
           {}};
  for (const auto& run : r.runs)
    if (run.opens == opens && run.factor == factor && run.time.size() > f.at.size()) f.at = run.time;
  for (const auto& run : r.runs) {
    if (run.opens != opens || run.factor != factor) continue;
    Curve c{std::string(run.scheme->claims.name), run.energy};
    c.y.resize(f.at.size(), not_there);
    f.curves.push_back(std::move(c));
  }
  return f;
}

// All runs in one figure: what is left of the energy there was to lose.
Figure overview(const StaticsResult& r) {
  Figure f{"energy",
           "Energy gained or lost beyond the explicit limit",
           {"step over limit", "1", true},
           {"energy gained or lost", "J", true},
           r.settings.factors,
           {}};
  f.style = Figure::Style::points;
  int colour = 0;
  for (const SchemeEntry* scheme : r.settings.schemes) {
    for (const bool opens : {true, false}) {
      Curve gain{fmt::format("{}, {}, gained", scheme->claims.name, opens ? "open" : "held"), {}, colour};
      Curve loss{fmt::format("{}, {}, lost", scheme->claims.name, opens ? "open" : "held"), {}, colour, true};
      bool gains = false, loses = false;
      for (const Real factor : f.at) {
        const auto* run = r.run(std::string(scheme->claims.name), factor, opens);
        const Real by = run != nullptr && run->failure.empty() ? run->gained : not_there;
        gain.y.push_back(by > 0 ? by : not_there), loss.y.push_back(by < 0 ? -by : not_there);
        gains = gains || by > 0, loses = loses || by < 0;
      }
      if (gains) f.curves.push_back(gain);
      if (loses) f.curves.push_back(loss);
    }
    ++colour;
  }
  return f;
}

ResultTable verdict_table(const std::vector<Page::Row>& rows) {
  ResultTable t{"verdicts", {{"what", "1"}, {"expected", "1"}, {"found", "1"}, {"verdict", "1"}}, {}};
  for (const Page::Row& row : rows) t.rows.push_back({row[0], row[1], row[2], row[3]});
  return t;
}

ResultTable column_table(const StaticsResult& r) {
  ResultTable t{"columns",
                {{"contacts", "1"},
                 {"method", "1"},
                 {"updates", "1"},
                 {"error", "m"},
                 {"error_bound", "m"},
                 {"unbalanced_force_ratio", "1"},
                 {"residual", "N"},
                 {"elastic_energy", "J"},
                 {"seconds", "s"}},
                {}};
  for (const StaticsResult::Solution& s : r.solutions)
    t.rows.push_back({column_name(s.hertz), method_name(s.method), s.found.iterations, s.error, s.bound,
                      s.found.balance.ratio, s.found.history.back().residual, s.energy, s.seconds});
  return t;
}

ResultTable count_table(const StaticsResult& r) {
  ResultTable t{"relaxation",
                {{"grains", "1"},
                 {"order", "1"},
                 {"updates_linear", "1"},
                 {"updates_contacts", "1"},
                 {"error", "m"},
                 {"error_bound", "m"}},
                {}};
  for (const StaticsResult::Count& c : r.counts)
    t.rows.push_back({static_cast<std::int64_t>(c.grains),
                      std::string(c.order == RelaxationOrder::southwell ? "southwell" : "gauss_seidel"), c.linear,
                      c.contacts, c.error, c.bound});
  return t;
}

ResultTable newton_table(const StaticsResult& r) {
  ResultTable t{"newton",
                {{"contacts", "1"},
                 {"overlap", "m"},
                 {"line_search", "1"},
                 {"regularises", "1"},
                 {"iterations", "1"},
                 {"error", "1"},
                 {"stop", "1"}},
                {}};
  for (const StaticsResult::NewtonRun& n : r.newton)
    t.rows.push_back({column_name(n.hertz), n.overlap, static_cast<std::int64_t>(n.line_search),
                      static_cast<std::int64_t>(n.regularises), static_cast<std::int64_t>(n.found.iterations), n.error,
                      in_words(n.found.stop)});
  return t;
}

ResultTable run_table(const StaticsResult& r) {
  ResultTable t{"implicit",
                {{"scheme", "1"},
                 {"contacts", "1"},
                 {"step_over_limit", "1"},
                 {"energy_gained", "J"},
                 {"largest_relative_change", "1"},
                 {"grains_in_order", "1"},
                 {"failure", "1"}},
                {}};
  for (const auto& run : r.runs)
    t.rows.push_back({run.scheme->name, std::string(run.opens ? "open" : "hold"), run.factor,
                      run.failure.empty() ? run.gained : not_there, run.opens ? not_there : run.relative,
                      static_cast<std::int64_t>(run.in_order), run.failure});
  return t;
}

std::vector<std::string> findings_of(const StaticsResult& r, const std::vector<Page::Row>& verdicts) {
  std::vector<std::string> all;
  const int off = disagreements(verdicts);
  std::string which;
  for (const Page::Row& row : verdicts)
    if (row.back() != "agrees") which += (which.empty() ? "" : "; ") + row[0] + ": " + row[2];
  all.push_back(off == 0 ? fmt::format("All {} figures agree.", verdicts.size())
                         : fmt::format("{} of {} figures agree. These differ: {}.",
                                       static_cast<int>(verdicts.size()) - off, verdicts.size(), which));
  if (const auto* held = r.run("newmark", 10, false), *open = r.run("newmark", 10, true); held && open)
    all.push_back(fmt::format(
        "Newmark's method (1/4, 1/2) at ten times the explicit limit keeps the energy of contacts that hold to {:.0e}. "
        "If contacts open it gains {:.4g} J in 2 s: unconditional stability is a theorem of linear systems. The ledger "
        "shows the gain.",
        held->relative, open->gained));
  for (const auto& run : r.runs)
    if (run.scheme->claims.name == "backward_euler" && run.opens && run.gained > 0)
      all.push_back(fmt::format(
          "The implicit Euler method takes energy as long as contacts push apart what overlaps. At {:g} times the "
          "limit "
          "a step is {:.2g} s, and a grain falls {:.2g} m in it, more than its diameter. {} That, and not the method, "
          "makes the {:.3g} J.",
          run.factor, run.factor * r.limit, 0.5 * 9.81 * std::pow(run.factor * r.limit, 2),
          run.in_order ? "No grain has passed through another, though."
                       : "Grains pass through each other, where the contact force has no potential.",
          run.gained));
  const auto& touch = *std::find_if(r.newton.begin(), r.newton.end(),
                                    [](const auto& n) { return n.hertz && n.overlap == 0 && n.line_search; });
  all.push_back(fmt::format(
      "Where Hertz contacts just touch, the tangent stiffness is singular. Cairn says so, takes the stiffness at an "
      "overlap of 1e-6 radii for one iteration, and converges in {}.",
      touch.found.iterations));
  return all;
}

}  // namespace

StudyReport show(const StaticsResult& r) {
  StudyReport s;
  s.name = "statics";
  s.title = "Static equilibrium, and implicit steps beyond the explicit limit";
  s.subtitle = fmt::format(
      "A study by Cairn {}, after lecture notes on discrete elements: columns of 50 grains, r = 0.3 m, m = 1 kg",
      CAIRN_VERSION);
  const std::vector<Page::Row> verdicts = statics_verdicts(r);
  s.findings = findings_of(r, verdicts);
  s.head = {"figure", "expected", "found", "verdict"};
  s.rows = verdicts;
  s.legend =
      "Expected values are closed forms, or come from an independent program. bilateral: contacts that pull as well as "
      "push; dropped: contacts that open, all grains raised by 1 cm, 2 s.";
  s.tables = {verdict_table(verdicts), column_table(r), count_table(r), newton_table(r), run_table(r)};
  s.figures = {overview(r), convergence(r, false), convergence(r, true)};
  for (const Real factor : r.settings.factors)
    if (factor >= 10)
      for (const bool opens : {true, false}) s.figures.push_back(energy_figure(r, opens, factor));

  std::vector<Page::Row> solutions, counts, newton, runs;
  for (const StaticsResult::Solution& a : r.solutions)
    solutions.push_back({column_name(a.hertz), method_name(a.method), std::to_string(a.found.iterations),
                         fmt::format("{:.1e}", a.error), fmt::format("{:.1e}", a.bound),
                         fmt::format("{:.1e}", a.found.balance.ratio), fmt::format("{:.3g}", a.seconds)});
  for (const StaticsResult::Count& c : r.counts)
    counts.push_back({std::to_string(c.grains), c.order == RelaxationOrder::southwell ? "Southwell" : "Gauss-Seidel",
                      std::to_string(c.linear), std::to_string(c.contacts), fmt::format("{:.1e}", c.error),
                      fmt::format("{:.1e}", c.bound)});
  for (const StaticsResult::NewtonRun& n : r.newton)
    newton.push_back({column_name(n.hertz), fmt::format("{:g}", n.overlap), n.line_search ? "yes" : "no",
                      n.regularises ? "yes" : "no", std::to_string(n.found.iterations), fmt::format("{:.1e}", n.error),
                      in_words(n.found.stop)});
  for (const auto& run : r.runs)
    runs.push_back({run.scheme->name, run.opens ? "open" : "hold", fmt::format("{:g}", run.factor),
                    run.failure.empty() ? fmt::format("{:+.4g}", run.gained) : run.failure,
                    run.opens ? "-" : fmt::format("{:.1e}", run.relative), run.in_order ? "yes" : "no"});
  s.body = [=](const StudyReport& report, Page& page, const StudyReport::Put& put) {
    for (const std::string& finding : report.findings) page.paragraph(finding);
    put(report.figures[0],
        "Points joined by lines: energy gained; dotted: energy lost. held: contacts pull as well as push; "
        "open: the column is dropped by 1 cm, 2 s. Round-off of the ledger is about 1e-10 J.");
    page.section("Verdicts");
    page.table(report.head, report.rows);
    page.section("Columns by every method");
    page.paragraph(
        "The residual of K u = f bounds the error: |u - u*| <= |r| / lambda_min, with lambda_min = 4 k sin^2(pi / (2 "
        "(2 N "
        "+ 1))) for the linear column. All methods work on the contacts themselves, which open and close.");
    page.table({"contacts", "method", "updates", "error [m]", "bound [m]", "unbalanced force ratio", "time [s]"},
               solutions);
    put(report.figures[1],
        "Newton's method counts iterations, damped dynamics steps, relaxation updates of one grain; the axis begins at "
        "1 for the start.");
    put(report.figures[2], "The same for Hertz contacts.");
    page.section("Relaxation");
    page.paragraph(
        "The lecture notes print Southwell's relaxation, the largest residual first, under the name of Gauss and "
        "Seidel, "
        "whose method goes round. linear: K u = f, whose contacts pull as well as push, from u = 0; contacts: those of "
        "the engine, which open. Both end at |r| < 1e-6 N.");
    page.table({"grains", "order", "updates, linear", "updates, contacts", "error [m]", "bound [m]"}, counts);
    page.section("Newton's method");
    page.paragraph(
        "From the same overlap at every contact. Without a line search a step from too small an overlap goes too far; "
        "the force is convex, so the next ones come back.");
    page.table({"contacts", "overlap [m]", "line search", "regularises", "iterations", "error", "it ended because"},
               newton);
    page.section("Implicit steps");
    page.table({"scheme", "contacts", "step / limit", "energy gained [J]", "largest |E/E_0 - 1|", "grains in order"},
               runs);
    for (std::size_t k = 3; k < report.figures.size(); ++k)
      put(report.figures[k],
          "Energy that the scheme itself added, by the ledger, or by the exact energy of the linear "
          "column.");
    page.section("Errata of the lecture notes");
    for (const char* text :
         {"3.4.5: Euler's method is stable for h < 2/|lambda| with real lambda, not |lambda|/2.",
          "3.4.4: beta = gamma = 0 is not Euler's method, because the position keeps its term of second order.",
          "3.3: the printed relaxation is Southwell's; and r_p = max |r_j| drops the sign of r_p, which the update "
          "needs.",
          "3.4.1: the reduction to first order has wrong indices: dy_k/dt = f, not dy_(k+1)/dt.",
          "3.4.2: the implicit Euler method evaluates the force at t_(i+1), not at t_i.",
          "3.4.3: v_(-1/2) = v_0 is an error of first order at the start; v_0 - (h/2) a_0 is right."})
      page.paragraph(text);
  };
  return s;
}

}  // namespace cairn::studies
