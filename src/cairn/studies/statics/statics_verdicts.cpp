#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/studies/statics/statics_view.hpp"

namespace cairn::studies {
namespace {

using statics::Method;
using statics::RelaxationOrder;
using statics::Stop;

// Updates until |r| < 1e-6 N, by an independent program.
struct ExpectedCount {
  int grains;
  RelaxationOrder order;
  std::int64_t updates;
};
constexpr ExpectedCount expected_counts[] = {{5, RelaxationOrder::southwell, 816},
                                             {10, RelaxationOrder::southwell, 6263},
                                             {20, RelaxationOrder::southwell, 49189},
                                             {50, RelaxationOrder::southwell, 767565},
                                             {50, RelaxationOrder::gauss_seidel, 910500}};
constexpr Real count_tolerance = 0.02;

// Whole steps of Newton's method on the Hertz column.
struct ExpectedIterations {
  Real overlap;
  int iterations;
};
constexpr ExpectedIterations expected_iterations[] = {{1e-3, 5}, {1e-4, 6}, {1e-5, 7}};

const StaticsResult::NewtonRun& newton_of(const StaticsResult& r, bool hertz, Real overlap, bool search,
                                          bool regularises) {
  return *std::find_if(r.newton.begin(), r.newton.end(), [&](const StaticsResult::NewtonRun& n) {
    return n.hertz == hertz && n.overlap == overlap && n.line_search == search && n.regularises == regularises;
  });
}

}  // namespace

int disagreements(const std::vector<Page::Row>& verdicts) {
  return static_cast<int>(
      std::count_if(verdicts.begin(), verdicts.end(), [](const Page::Row& row) { return row.back() != "agrees"; }));
}

std::string method_name(Method method) {
  return std::string(statics::method_names[static_cast<std::size_t>(method)]);
}

std::string column_name(bool hertz) {
  return hertz ? "Hertz" : "linear";
}

std::vector<Page::Row> statics_verdicts(const StaticsResult& r) {
  std::vector<Page::Row> rows;
  const auto add = [&](const std::string& what, const std::string& expected, const std::string& found, bool agrees) {
    rows.push_back({what, expected, found, agrees ? "agrees" : "differs"});
  };
  for (const bool hertz : {false, true}) {
    for (const Method method : {Method::newton, Method::southwell, Method::gauss_seidel, Method::damped}) {
      const StaticsResult::Solution* const found = r.solution(hertz, method);
      if (found == nullptr) continue;
      const StaticsResult::Solution& s = *found;
      add(fmt::format("{} column by {}", column_name(hertz), method_name(method)),
          fmt::format("error at most {:.1e} m", s.bound),
          fmt::format("{:.1e} m after {}{}", s.error, s.found.iterations, s.found.converged() ? "" : ", not converged"),
          s.found.converged() && s.error <= s.bound);
    }
    const StaticsResult::Solution& s = *r.solution(hertz, Method::newton);
    add(fmt::format("{} column: elastic energy, floor force", column_name(hertz)),
        fmt::format("{:.9f} J, 490.5 N", s.exact_energy), fmt::format("{:.9f} J, {:.9g} N", s.energy, s.floor_force),
        std::fabs(s.energy / s.exact_energy - 1) < 1e-11 && std::fabs(s.floor_force / 490.5 - 1) < 1e-11);
  }
  for (const ExpectedCount& e : expected_counts)
    for (const StaticsResult::Count& c : r.counts) {
      if (c.grains != e.grains || c.order != e.order) continue;
      const Real off = static_cast<Real>(c.linear) / static_cast<Real>(e.updates) - 1;
      add(fmt::format("{}, N = {}: updates", e.order == RelaxationOrder::southwell ? "Southwell" : "Gauss-Seidel",
                      e.grains),
          fmt::format("{} +- 2 %", e.updates), fmt::format("{} ({:+.2f} %)", c.linear, 100 * off),
          std::fabs(off) <= count_tolerance && c.error <= c.bound);
    }
  for (const Real overlap : {1e-3, 1e-4, 1e-5}) {
    const StaticsResult::NewtonRun& n = newton_of(r, false, overlap, false, true);
    add(fmt::format("Newton, linear, from overlaps of {:g} m", overlap), "1 iteration, to 1e-14",
        fmt::format("{} iteration{}, to {:.1e}", n.found.iterations, n.found.iterations == 1 ? "" : "s", n.error),
        n.found.iterations == 1 && n.error <= 1e-14);
  }
  for (const ExpectedIterations& e : expected_iterations) {
    const StaticsResult::NewtonRun& n = newton_of(r, true, e.overlap, false, true);
    add(fmt::format("Newton, Hertz, from overlaps of {:g} m", e.overlap), fmt::format("{} iterations", e.iterations),
        fmt::format("{} iterations, to {:.1e}", n.found.iterations, n.error), n.found.iterations == e.iterations);
  }
  const StaticsResult::NewtonRun &plain = newton_of(r, true, 0, false, false),
                                 &helped = newton_of(r, true, 0, true, true);
  add("Newton, Hertz, from contacts that just touch", "singular: said or regularised, no NaN",
      fmt::format("plain: {}; regularised: {} iterations, to {:.1e}", in_words(plain.found.stop),
                  helped.found.iterations, helped.error),
      plain.found.stop == Stop::singular && helped.found.stop == Stop::residual && helped.error < 1e-12);
  add("Newton, x^3 - 2 x + 2 from 0", "a cycle of 2",
      fmt::format("{}{}", in_words(r.cycle.stop),
                  r.cycle.period > 0 ? fmt::format(", of {}", r.cycle.period) : std::string()),
      r.cycle.stop == Stop::cycle && r.cycle.period == 2);
  add("explicit limit of central differences", "5.00242e-3 s", fmt::format("{:.5e} s", r.limit),
      std::fabs(r.limit / 5.00242e-3 - 1) < 1e-5);
  for (const StaticsResult::Limit& l : r.limits)
    add(fmt::format("central differences at {:g} of it", l.share), l.share < 1 ? "stable" : "overflow",
        l.overflow ? "overflow" : fmt::format("the motion stays within {:.3g} times its start", l.growth),
        l.share < 1 ? !l.overflow && l.growth < 100 : l.overflow);
  for (const char* scheme : {"newmark", "implicit_midpoint"})
    for (const Real factor : {10.0, 100.0})
      if (const StaticsResult::Run* run = r.run(scheme, factor, false))
        add(fmt::format("{}, bilateral, {:g} times the limit", scheme, factor),
            fmt::format("|E/E_0 - 1| < 1e-11 in {} steps", r.settings.bilateral_steps),
            fmt::format("{:.1e}", run->relative), run->failure.empty() && run->relative < 1e-11);
  if (const StaticsResult::Run* run = r.run("newmark", 10, true))
    add("newmark, dropped by 1 cm, 10 times the limit, 2 s", "gained 118 J",
        fmt::format("gained {:.4g} J", run->gained), std::fabs(run->gained - 118) < 1);
  for (const StaticsResult::Run& run : r.runs) {
    if (run.scheme->claims.name != "backward_euler") continue;
    if (!run.opens) {
      add(fmt::format("backward_euler, bilateral, {:g} times the limit", run.factor),
          fmt::format("E/E_0 = {:.8e} after 3 steps: 1/(1 + (omega h)^2) of each mode", run.theory),
          fmt::format("{:.8e}", run.ratio), std::fabs(run.ratio / run.theory - 1) <= 1e-8);
    } else {
      add(fmt::format("backward_euler, dropped, {:g} times the limit", run.factor), "only loses energy",
          fmt::format("{:+.4g} J{}", run.gained, run.in_order ? "" : "; grains have passed through each other"),
          run.failure.empty() && run.gained <= 0);
    }
  }
  return rows;
}

}  // namespace cairn::studies
