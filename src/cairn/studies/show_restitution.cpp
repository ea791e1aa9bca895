#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cairn/core/constants.hpp"
#include "cairn/core/text.hpp"
#include "cairn/studies/restitution.hpp"

namespace cairn::studies {
namespace {

// One column of the results: in the table, and in JSON.
struct Column {
  Table::Column head;
  Real (*of)(const RestitutionPoint&);
};

std::vector<Column> columns(const RestitutionResult& r) {
  using P = RestitutionPoint;
  std::vector<Column> all{{{"speed", "m/s"}, [](const P& p) { return p.speed; }},
                          {{"restitution", "1"}, [](const P& p) { return p.own.restitution; }},
                          {{"duration", "s"}, [](const P& p) { return p.own.duration; }},
                          {{"overlap", "m"}, [](const P& p) { return p.own.deepest; }}};
  if (r.points.empty()) return all;
  if (r.points[0].closed) {
    all.push_back({{"restitution_closed", "1"}, [](const P& p) { return p.closed->restitution; }});
    all.push_back({{"duration_closed", "s"}, [](const P& p) { return p.closed->duration; }});
    all.push_back({{"overlap_closed", "m"}, [](const P& p) { return p.closed->deepest; }});
  }
  if (r.points[0].realised) {
    all.push_back({{"realised_mean", "1"}, [](const P& p) { return p.realised->mean; }});
    all.push_back({{"realised_lowest", "1"}, [](const P& p) { return p.realised->lowest; }});
    all.push_back({{"realised_highest", "1"}, [](const P& p) { return p.realised->highest; }});
  }
  return all;
}

std::string with_steps(const RestitutionSettings& s) {
  return fmt::format("{} at {} steps per collision, onset {}", s.scheme->claims.name, brief(s.steps),
                     s.onset ? "on" : "off");
}

std::string partner(const CollidingPair::Partner& p) {
  return p.wall ? p.name : fmt::format("{} (radius {} m, {} kg)", p.name, brief(p.radius), brief(p.mass));
}

Real smaller_radius(const CollidingPair& pair) {
  return pair.second.wall ? pair.first.radius : std::min(pair.first.radius, pair.second.radius);
}

// The largest relative difference from the closed form over all speeds at which both are finite; 0 if there are none.
Real largest_difference(const RestitutionResult& r, Real HeadOn::*member) {
  Real largest = 0;
  for (const RestitutionPoint& p : r.points) {
    const Real exact = (*p.closed).*member, difference = std::fabs(p.own.*member / exact - 1);
    if (std::isfinite(difference)) largest = std::max(largest, difference);
  }
  return largest;
}

std::vector<std::string> findings(const RestitutionResult& r) {
  std::vector<std::string> said;
  if (r.points.empty()) return said;
  std::vector<Real> together;  // [m/s]
  for (const RestitutionPoint& p : r.points)
    if (p.own.restitution == 0) together.push_back(p.speed);
  if (!together.empty())
    said.push_back(fmt::format(
        "At {} m/s the two stay together, because attraction is allowed and the dashpot is too strong for a rebound.",
        together.size() == 1 ? brief(together[0]) : brief(together.front()) + " to " + brief(together.back())));
  if (r.points[0].closed)
    said.push_back(fmt::format(
        "Largest relative difference between the integrated law and its closed form: {:.2g} in restitution, "
        "{:.2g} in overlap{}.",
        largest_difference(r, &HeadOn::restitution), largest_difference(r, &HeadOn::deepest),
        std::isnan(r.points[0].closed->duration)
            ? "; the duration of a damped collision has no closed form"
            : fmt::format(", {:.2g} in duration", largest_difference(r, &HeadOn::duration))));
  if (r.settings.scheme == nullptr) return said;
  const RestitutionPoint* worst = nullptr;
  Real least = 0, most = 0;
  for (const RestitutionPoint& p : r.points) {
    if (std::isnan(p.realised->mean)) {
      said.push_back(fmt::format("At {} m/s the collision fails with {}.", brief(p.speed), with_steps(r.settings)));
      return said;
    }
    const Real e = p.own.restitution, off = std::max(e - p.realised->lowest, p.realised->highest - e) / e;
    if (worst == nullptr || off > most) worst = &p, most = off;
    least = &p == r.points.data() ? off : std::min(least, off);
  }
  constexpr Real alike = 0.99;
  said.push_back(fmt::format(
      "With {} the restitution is {:.6f} to {:.6f} instead of {:.6f}: an error of up to {:.2g} %{}.",
      with_steps(r.settings), worst->realised->lowest, worst->realised->highest, worst->own.restitution, 100 * most,
      r.points.size() == 1   ? ""
      : least > alike * most ? " at every speed"
                             : " at " + brief(worst->speed) + " m/s, the largest of all speeds"));
  return said;
}

// Rounded to nine digits: otherwise the round-off of a constant curve would fill its axis.
Real known(Real a) {
  return std::strtod(fmt::format("{:.9g}", a).c_str(), nullptr);
}

Figure figure_of(const RestitutionResult& r, const std::string& name, const std::string& title, Axis y,
                 Real HeadOn::*member) {
  Figure figure{.name = name,
                .title = title,
                .x = {"speed of the impact", "m/s", true},
                .y = std::move(y),
                .at = {},
                .curves = {},
                .style = Figure::Style::points};
  Curve own{"integrated law", {}};
  for (const RestitutionPoint& p : r.points) {
    figure.at.push_back(p.speed);
    own.y.push_back(std::isfinite(p.own.*member) ? known(p.own.*member) : nan);
  }
  figure.curves.push_back(std::move(own));
  return figure;
}

}  // namespace

StudyReport show(const RestitutionResult& r) {
  StudyReport s;
  s.name = "restitution";
  s.title = fmt::format("{} with {}", partner(r.pair.first), partner(r.pair.second));
  s.subtitle = fmt::format("law {}, attraction {}; effective mass {} kg, effective radius {} m", r.pair.law,
                           r.pair.attraction == Attraction::clipped ? "clipped" : "allowed",
                           brief(r.pair.collision.m_eff), brief(r.pair.collision.r_eff));
  s.findings = findings(r);

  const std::vector<Column> all = columns(r);
  ResultTable table{"restitution", {}, {}};
  for (const Column& column : all) table.columns.push_back(column.head);
  for (const RestitutionPoint& p : r.points) {
    auto& row = table.rows.emplace_back();
    for (const Column& column : all) row.emplace_back(column.of(p));
  }
  s.tables.push_back(std::move(table));

  const bool closed = !r.points.empty() && r.points[0].closed, realised = r.settings.scheme != nullptr;
  s.head = {"speed [m/s]", "e", "t_c [s]", "overlap [m]", "overlap / radius"};
  if (closed) s.head.push_back("e in closed form");
  if (realised) s.head.insert(s.head.end(), {"realised", "lowest", "highest"});
  const auto e = [](Real a) { return std::isnan(a) ? "-" : fmt::format("{:.9f}", a); };
  for (const RestitutionPoint& p : r.points) {
    Page::Row row{brief(p.speed), e(p.own.restitution),
                  std::isfinite(p.own.duration) ? fmt::format("{:.8g}", p.own.duration) : "infinite",
                  fmt::format("{:.8g}", p.own.deepest),
                  fmt::format("{:.2g} %", 100 * p.own.deepest / smaller_radius(r.pair))};
    if (closed) row.push_back(e(p.closed->restitution));
    if (realised) row.insert(row.end(), {e(p.realised->mean), e(p.realised->lowest), e(p.realised->highest)});
    s.rows.push_back(std::move(row));
  }
  s.legend =
      "e: restitution, speed after over speed before; t_c: time until the force ends; overlap: the largest overlap, "
      "also\nrelative to the smaller radius";
  if (realised)
    s.legend += fmt::format(
        "\nrealised, lowest, highest: mean, lowest and highest restitution with\n{}, over the instants of a step at "
        "which the contact begins and ends",
        with_steps(r.settings));

  const std::string of = " of " + r.pair.first.name + " with " + r.pair.second.name + ", law " + r.pair.law;
  Figure restitution = figure_of(r, "restitution", "Restitution" + of, {"restitution e"}, &HeadOn::restitution);
  if (closed) {
    Curve curve{"in closed form", {}, -1, true};
    for (const RestitutionPoint& p : r.points) curve.y.push_back(known(p.closed->restitution));
    restitution.curves.push_back(std::move(curve));
  }
  if (realised) {
    const std::string name(r.settings.scheme->claims.name);
    const std::pair<const char*, Real RealisedRestitution::*> parts[] = {{"mean", &RealisedRestitution::mean},
                                                                         {"lowest", &RealisedRestitution::lowest},
                                                                         {"highest", &RealisedRestitution::highest}};
    for (const auto& [what, member] : parts) {
      Curve curve{name + " " + what, {}, 2, member != &RealisedRestitution::mean};
      for (const RestitutionPoint& p : r.points) curve.y.push_back((*p.realised).*member);
      restitution.curves.push_back(std::move(curve));
    }
  }
  s.figures = {std::move(restitution), figure_of(r, "duration", "Duration" + of, {"t_c", "s", true}, &HeadOn::duration),
               figure_of(r, "overlap", "Largest overlap" + of, {"overlap", "m", true}, &HeadOn::deepest)};
  return s;
}

std::string json_of(const RestitutionResult& r) {
  using Json = nlohmann::ordered_json;
  const auto partner_json = [](const CollidingPair::Partner& p) {
    Json j{{"name", p.name}, {"wall", p.wall}};
    if (!p.wall) j["radius"] = p.radius, j["mass"] = p.mass;
    return j;
  };
  Json j{{"version", CAIRN_VERSION},
         {"law", r.pair.law},
         {"attraction", r.pair.attraction == Attraction::clipped ? "clipped" : "allowed"},
         {"first", partner_json(r.pair.first)},
         {"second", partner_json(r.pair.second)},
         {"m_eff", r.pair.collision.m_eff},
         {"r_eff", r.pair.collision.r_eff}};
  if (r.settings.scheme != nullptr) {
    j["scheme"] = r.settings.scheme->claims.name;
    j["steps"] = r.settings.steps;
    j["onset"] = r.settings.onset;
  }
  Json& points = j["points"] = Json::array();
  const std::vector<Column> all = columns(r);
  for (const RestitutionPoint& p : r.points) {
    Json point;
    for (const Column& column : all) point[column.head.name] = column.of(p);
    points.push_back(std::move(point));
  }
  return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cairn::studies
