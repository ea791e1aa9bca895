#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/core/constants.hpp"
#include "cairn/studies/piles/piles_view.hpp"

namespace cairn::studies {
namespace {

Figure over_time(const std::string& name, const std::string& title, const Axis& y, const std::vector<Real>& time) {
  return {name, title, {"time", "s"}, y, time, {}};
}

// The lowest grains of a soft column.
Figure extents_figure(const SoftColumn& c) {
  Figure f = over_time(fmt::format("extents_{:g}{}", c.stiffness, c.damping > 0 ? "" : "_undamped"),
                       fmt::format("Extents of the lowest grains, k = {:g} N/m, {}", c.stiffness,
                                   c.damping > 0 ? "damped" : "without dissipation"),
                       {"extent", "m"}, c.time);
  for (std::size_t k = 0; k < c.extents[0].size(); ++k) {
    Curve curve{k == 0 ? "lowest" : fmt::format("number {}", k + 1), {}};
    for (const auto& at : c.extents) curve.y.push_back(at[k]);
    f.curves.push_back(curve);
  }
  return f;
}

// Courses whose instants differ a little: each value stands at the first instant of the figure that is not earlier.
Figure courses_figure(const std::string& name, const std::string& title, const Axis& y,
                      const std::vector<const Course*>& courses, std::vector<Real> Course::*what) {
  Figure f = over_time(name, title, y, courses[0]->time);
  for (const Course* c : courses) {
    Curve curve{c->name, {}};
    std::size_t k = 0;
    for (const Real t : f.at) {
      while (k + 1 < c->time.size() && c->time[k] < t - 1e-9) ++k;
      curve.y.push_back((c->*what)[k]);
    }
    f.curves.push_back(curve);
  }
  return f;
}

std::vector<const Course*> pointers(const std::vector<Course>& all) {
  std::vector<const Course*> to;
  for (const Course& c : all) to.push_back(&c);
  return to;
}

Figure trajectory_figure(const std::vector<Course>& thrown) {
  Figure f{"trajectory", "One ball in two dimensions, both models from one start",
           {"x", "m"},   {"height", "m"},
           thrown[0].x,  {}};
  for (const Course& c : thrown) {
    Curve curve{c.name, {}};
    for (std::size_t k = 0; k < f.at.size(); ++k) curve.y.push_back(k < c.height.size() ? c.height[k] : nan);
    f.curves.push_back(curve);
  }
  return f;
}

Figure hard_columns_figure(const PilesResult& r, Real step) {
  Figure f{fmt::format("hard_columns_{:g}", step),
           fmt::format("Kinetic energy of the hard column, h = {:g} s", step),
           {"time", "s"},
           {"kinetic energy", "J", true},
           {},
           {}};
  for (const HardColumn& c : r.hard)
    if (c.step == step && c.time.size() > f.at.size()) f.at = c.time;
  for (const HardColumn& c : r.hard) {
    if (c.step != step) continue;
    Curve curve{c.name, c.kinetic};
    curve.y.resize(f.at.size(), nan);
    f.curves.push_back(curve);
  }
  return f;
}

Figure explosion_figure(const PilesResult& r) {
  Figure f{"explosions",
           "Grains at which the column explodes, by simultaneous impulses",
           {"step", "s", true},
           {"grains"},
           {},
           {}};
  f.style = Figure::Style::points;
  Curve engine{"all overlaps", {}}, cured{"neighbours only, sequential and contact dynamics: stands with", {}};
  for (const HardColumn& c : r.hard)
    if (c.name == "simultaneous") {
      f.at.push_back(c.step);
      engine.y.push_back(c.exploded > 0 ? c.exploded : nan);
      int least = 1000;
      for (const char* name : {"neighbours only", "sequential", "dynamics"})
        if (const HardColumn* other = column_of(r, name, c.step))
          least = std::min(least, other->exploded > 0 ? 0 : other->grains);
      cured.y.push_back(least);
    }
  f.curves = {engine, cured};
  return f;
}

Figure jitter_figure(const PilesResult& r) {
  Figure f{"jitter",
           "Speed of grains that should rest, column of eight, h = 0.01 s",
           {"projection factor k_p"},
           {"root mean square speed", "m/s", true},
           {},
           {}};
  f.style = Figure::Style::points;
  Curve simultaneous{"simultaneous", {}}, sequential{"sequential", {}}, dynamics{"contact dynamics", {}};
  for (const Jitter& j : r.jitter) {
    f.at.push_back(j.projection);
    simultaneous.y.push_back(j.simultaneous), sequential.y.push_back(j.sequential), dynamics.y.push_back(j.dynamics);
  }
  f.curves = {simultaneous, sequential, dynamics};
  return f;
}

Figure projection_figure(const PilesResult& r) {
  Figure f{
      "projection", "Grains with which the column explodes, h = 0.01 s", {"projection factor k_p"}, {"grains"}, {}, {}};
  f.style = Figure::Style::points;
  Curve explodes{"simultaneous impulses", {}};
  for (const Jitter& j : r.jitter) {
    f.at.push_back(j.projection);
    explodes.y.push_back(j.exploded > 0 ? j.exploded : nan);
  }
  f.curves = {explodes};
  return f;
}

std::vector<Page::Row> heap_rows(const PilesResult& r) {
  std::vector<Page::Row> rows;
  for (const Heap& h : r.heaps)
    rows.push_back({h.name, h.stiffness > 0 ? fmt::format("{:.3g}", h.stiffness) : "hard",
                    fmt::format("{:.3g}", h.step), h.stiffness > 0 ? fmt::format("{:.3g}", h.limit) : "none",
                    std::to_string(h.grains), fmt::format("{:.4f}", h.height), fmt::format("{:.3f}", h.coordination),
                    fmt::format("{:.1f}", h.angle), fmt::format("{:.3g}", 100 * h.deepest),
                    fmt::format("{:.2g}", h.speed), fmt::format("{:.1f}", h.seconds)});
  return rows;
}
const Page::Row heap_head{"contacts",         "k [N/m]",     "step [s]",          "stable step [s]",
                          "grains",           "height [m]",  "coordination",      "angle [deg]",
                          "deepest [% of r]", "speed [m/s]", "processor time [s]"};

std::vector<Page::Row> column_rows(const PilesResult& r) {
  std::vector<Page::Row> rows;
  for (const HardColumn& c : r.hard)
    rows.push_back({c.name, fmt::format("{:g}", c.step), std::to_string(c.first), fate(c)});
  return rows;
}

ResultTable verdict_table(const std::vector<Page::Row>& rows) {
  ResultTable t{"piles", {{"figure", "1"}, {"document", "1"}, {"cairn", "1"}, {"verdict", "1"}}, {}};
  for (const Page::Row& row : rows) t.rows.emplace_back(row.begin(), row.end());
  return t;
}
ResultTable jitter_table(const PilesResult& r) {
  ResultTable t{
      "jitter",
      {{"projection", "1"}, {"simultaneous", "m/s"}, {"sequential", "m/s"}, {"dynamics", "m/s"}, {"explodes_at", "1"}},
      {}};
  for (const Jitter& j : r.jitter)
    t.rows.push_back({j.projection, j.simultaneous, j.sequential, j.dynamics, std::int64_t{j.exploded}});
  return t;
}
ResultTable heap_table(const PilesResult& r) {
  ResultTable t{"heaps",
                {{"contacts", "1"},
                 {"stiffness", "N/m"},
                 {"step", "s"},
                 {"stable_step", "s"},
                 {"grains", "1"},
                 {"height", "m"},
                 {"coordination", "1"},
                 {"angle", "degrees"},
                 {"deepest", "1"},
                 {"speed", "m/s"},
                 {"seconds", "s"}},
                {}};
  for (const Heap& h : r.heaps)
    t.rows.push_back({h.name, h.stiffness, h.step, h.limit, std::int64_t{h.grains}, h.height, h.coordination, h.angle,
                      h.deepest, h.speed, h.seconds});
  return t;
}

std::vector<std::string> findings_of(const PilesResult& r, const std::vector<Page::Row>& verdicts) {
  std::vector<std::string> all;
  const auto agreeing =
      std::count_if(verdicts.begin(), verdicts.end(), [](const auto& row) { return row[3] == "agrees"; });
  all.push_back(fmt::format("{} of {} figures of the document agree.", agreeing, verdicts.size()));
  int stood = 0, cured = 0;
  for (const HardColumn& c : r.hard)
    if (c.name == "sequential" || c.name == "dynamics") ++cured, stood += c.exploded == 0;
  all.push_back(fmt::format(
      "The column explodes because grains two places apart overlap, and simultaneous impulses then gain energy. "
      "With sequential impulses and with contact dynamics {} of {} columns stand for {:g} s.",
      stood, cured, r.settings.standing));
  if (r.heaps.size() == 2) {
    const Heap &hard = r.heaps[0], &soft = r.heaps[1];
    all.push_back(
        fmt::format("Heap at the same largest overlap: contact dynamics takes steps of {:.3g} s, {:.0f} times the "
                    "{:.2g} s up to which "
                    "springs are stable, and {:.2g} times the processor time of springs at {:.2g} s.",
                    hard.step, hard.step / soft.limit, soft.limit, hard.seconds / soft.seconds, soft.step));
  }
  return all;
}

}  // namespace

StudyReport show(const PilesResult& r) {
  StudyReport s;
  const std::vector<Page::Row> verdicts = verdict_rows(r);
  s.name = "piles";
  s.title = "Piles of soft and hard grains";
  s.subtitle = fmt::format("A study by Cairn {}, after M. Kocic, A Pile of Particles (2012)", CAIRN_VERSION);
  s.findings = findings_of(r, verdicts);
  s.head = {"figure", "document", "Cairn", "verdict"};
  s.rows = verdicts;
  s.tables = {verdict_table(verdicts), jitter_table(r), heap_table(r)};

  std::vector<const Course*> played;
  for (const Billiards& b : r.billiards) played.push_back(&b.course);
  const auto add = [&](const Figure& f) {
    s.figures.push_back(f);
    return s.figures.size() - 1;
  };
  const std::size_t balls = add(courses_figure("one_ball", "Energy of one ball that bounces", {"energy", "J"},
                                               pointers(r.balls), &Course::energy));
  const std::size_t heights =
      add(courses_figure("one_ball_height", "Its height", {"height", "m"}, pointers(r.balls), &Course::height));
  const std::size_t trajectory = add(trajectory_figure(r.thrown));
  add(courses_figure("thrown_energy", "Energy of the thrown ball", {"energy", "J"}, pointers(r.thrown),
                     &Course::energy));
  const std::size_t momentum = add(courses_figure("billiards_momentum", "Momentum of five balls between walls",
                                                  {"momentum", "kg m/s"}, played, &Course::momentum));
  add(courses_figure("billiards_energy", "Their energy", {"energy", "J"}, played, &Course::energy));
  add(courses_figure("billiards_barycentre", "Their barycentre", {"x", "m"}, played, &Course::x));
  add(courses_figure("collisions_grains", "Collisions between balls so far", {"collisions"}, played,
                     &Course::at_grains));
  add(courses_figure("collisions_walls", "Collisions with walls so far", {"collisions"}, played, &Course::at_walls));
  const std::size_t cushion = add(courses_figure("cushion", "Walls of 20 kg keep the momentum", {"momentum", "kg m/s"},
                                                 {&r.cushion.course}, &Course::momentum));
  const std::size_t extents = s.figures.size();
  for (const SoftColumn& c : r.soft) add(extents_figure(c));
  const std::size_t explosions = add(explosion_figure(r));
  for (const Real step : r.settings.explosion_steps) add(hard_columns_figure(r, step));
  const std::size_t jitter = add(jitter_figure(r));
  add(projection_figure(r));

  std::vector<Page::Picture> piles, heaps;
  for (const Pile& p : r.piles) {
    const std::string caption =
        fmt::format("{}: {} grains, t = {:g} s, height {:.2f} m", p.name, p.grains, p.end, p.height);
    piles.push_back({heap_picture(p.balls, caption), caption});
  }
  for (const Heap& h : r.heaps) {
    const std::string caption =
        fmt::format("{}: {} grains, height {:.4f} m, {:.1f} degrees", h.name, h.grains, h.height, h.angle);
    heaps.push_back({heap_picture(h.balls, caption), caption});
  }
  s.body = [=](const StudyReport& report, Page& page, const StudyReport::Put& put) {
    for (const std::string& finding : report.findings) page.paragraph(finding);
    page.table(report.head, report.rows);
    page.section("One ball");
    put(report.figures[balls],
        "Two models, two integrators, with and without loss. What the document calls leapfrog for "
        "springs kicks twice at the same place, which is symplectic Euler; here it is a true one.");
    put(report.figures[heights], "");
    put(report.figures[trajectory], "");
    put(report.figures[trajectory + 1], "");
    page.section("Five balls and two walls");
    for (std::size_t k = momentum; k < cushion; ++k) put(report.figures[k], "");
    put(report.figures[cushion], "A wall of finite mass takes part in the balance; a fixed one swallows momentum.");
    page.section("The column of soft grains");
    for (std::size_t k = extents; k < explosions; ++k) put(report.figures[k], "");
    page.section("The column of hard grains");
    put(report.figures[explosions],
        "With contacts between neighbours only, solved one after the other or together, it "
        "stands to the end of the run.");
    page.table({"impulses", "step [s]", "grains at the start", "fate"}, column_rows(r));
    for (std::size_t k = explosions + 1; k < jitter; ++k) put(report.figures[k], "");
    put(report.figures[jitter],
        "Without projection grains sink through each other. With it the speed of simultaneous impulses hardly depends "
        "on "
        "k_p, because each step turns round the fall of the step before. Contact dynamics rests.");
    put(report.figures[jitter + 1], "The document calls k_p < 0.5 stable, by an estimate of springs.");
    page.section("Piles");
    page.pictures(piles);
    if (!heaps.empty()) {
      page.section("A heap by contact dynamics and by springs");
      page.table(heap_head, heap_rows(r));
      page.pictures(heaps);
    }
  };
  return s;
}

}  // namespace cairn::studies
