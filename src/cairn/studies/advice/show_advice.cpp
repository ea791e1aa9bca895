#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/core/constants.hpp"
#include "cairn/studies/advice/advice.hpp"

namespace cairn::studies {
namespace {

std::string percent(Real a) {
  return std::isnan(a) ? "-" : fmt::format("{:.2g} %", 100 * a);
}
std::string seconds(Real a) {
  return std::isfinite(a) ? fmt::format("{:.3g} s", a) : "any";
}

std::string recommendation(const Advice& a) {
  const Advice::Option& best = a.options.front();
  std::string words = fmt::format("Recommended: run.scheme = \"{}\", run.step = {:.3g}", best.scheme->name, best.step);
  if (!std::isnan(best.steps_per_contact))
    words += fmt::format(", {:.3g} steps in the shortest contact", best.steps_per_contact);
  words += fmt::format("; {:.3g} s of wall time per simulated second. Limited by {}.", best.cost, best.limit);
  if (a.impacts.empty()) words += " No impact is expected, so the accuracy of collisions does not limit the step.";
  if (!std::isnan(best.error.restitution))
    words += fmt::format(" Expected errors of a collision: restitution {}, tangential response {}.",
                         percent(best.error.restitution), percent(best.error.tangential));
  return words;
}

std::string standing(const Advice& a) {
  const Advice::Option &own = a.own, &best = a.options.front();
  std::string words =
      fmt::format("The scenario's own setting is {} with a step of {:.3g} s", own.scheme->name, own.step);
  if (std::isfinite(own.stable)) words += fmt::format(", {:.2g} % of its stable step", 100 * own.step / own.stable);
  const Real error = std::max(own.error.restitution, own.error.tangential);
  if (!std::isnan(error))
    words += fmt::format("; expected errors: restitution {}, tangential response {}", percent(own.error.restitution),
                         percent(own.error.tangential));
  words += fmt::format("; {:.3g} s per simulated second, {:.2g} times the recommended price.", own.cost,
                       own.cost / best.cost);
  if (own.step > own.stable) words += " ITS STEP IS UNSTABLE.";
  if (!(error <= a.accuracy) && !a.impacts.empty() && !std::isnan(error))
    words += fmt::format(" It does not keep {}.", percent(a.accuracy));
  return words;
}

// `noise`: what twice the step of the reference changes.
std::string verdict(Real error, Real noise, Real accuracy) {
  return error <= accuracy    ? "within " + percent(accuracy)
         : error <= 2 * noise ? "not to be told from the reference's own " + percent(noise)
                              : "NOT WITHIN " + percent(accuracy);
}

// The verdicts are about what the accuracy promises, restitution and tangential response of each collision. The states
// at the end depend on all collisions before.
std::vector<std::string> measured_findings(const Advice& a) {
  std::vector<std::string> all;
  if (a.measured.empty()) return all;
  const Advice::Measured& doubled = a.measured.back();
  for (std::size_t k = 0; k + 1 < a.measured.size(); ++k) {
    const Advice::Measured& m = a.measured[k];
    const std::string restitution =
        m.collisions == 0 ? "no two met alone, so nothing is measured"
                          : fmt::format("{}; without weights {}",
                                        verdict(m.restitution, doubled.restitution, a.accuracy), percent(m.unweighted));
    const std::string tangential =
        m.alike == 0 ? "None of these slips and begins at the reference's angle, so no tangential response is measured."
                     : fmt::format(
                           "Tangential response of {} of these, which slip and begin at the reference's angle, "
                           "{}: {}.",
                           m.alike, percent(m.tangential), verdict(m.tangential, doubled.tangential, a.accuracy));
    all.push_back(
        fmt::format("Measured over {:.3g} s, {}: restitution of {} collisions {}: {}. {} At the end, after all "
                    "collisions: dissipated energy {}, kinetic energy {} (of the energy exchanged), centre of mass {} "
                    "(of its path).",
                    a.window, m.setting, m.collisions, percent(m.restitution), restitution, tangential,
                    percent(m.dissipated), percent(m.kinetic), percent(m.centre)));
  }
  all.push_back(
      fmt::format("The reference takes an eighth of the advised step; twice its step changes the restitutions by {}, "
                  "the tangential response by {}, dissipated energy by {}, kinetic energy by {}, centre of mass by {}.",
                  percent(doubled.restitution), percent(doubled.tangential), percent(doubled.dissipated),
                  percent(doubled.kinetic), percent(doubled.centre)));
  return all;
}

Figure figure_of(const Advice& a) {
  Figure f{.name = "error_over_cost",
           .title = "Error of a collision over the price",
           .x = {"wall time per simulated second", "s", true},
           .y = {"error", "%", true},
           .at = {},
           .curves = {},
           .style = Figure::Style::points};
  for (const Advice::Curve& c : a.curves) f.at.insert(f.at.end(), c.cost.begin(), c.cost.end());
  std::sort(f.at.begin(), f.at.end());
  f.at.erase(std::unique(f.at.begin(), f.at.end()), f.at.end());
  for (const Advice::Curve& c : a.curves) {
    Curve curve{c.scheme->name, std::vector<Real>(f.at.size(), nan)};
    for (std::size_t k = 0; k < c.cost.size(); ++k)
      curve.y[static_cast<std::size_t>(std::lower_bound(f.at.begin(), f.at.end(), c.cost[k]) - f.at.begin())] =
          100 * c.error[k];
    f.curves.push_back(std::move(curve));
  }
  return f;
}

}  // namespace

StudyReport show(const Advice& a) {
  StudyReport s;
  s.name = "advise";
  s.title = "Advice on scheme and step";
  s.subtitle = fmt::format("By Cairn {}, for {}, accuracy {}", CAIRN_VERSION, a.scenario, percent(a.accuracy));
  s.findings = {recommendation(a), standing(a)};
  for (const std::string& finding : measured_findings(a)) s.findings.push_back(finding);
  std::string left_out;
  for (const std::string& one : a.left_out) left_out += (left_out.empty() ? "" : ", ") + one;
  if (!left_out.empty()) s.findings.push_back("Left out: " + left_out + ".");
  s.head = {"scheme",      "onset",      "stable step", "accurate step", "step",      "per contact",
            "restitution", "tangential", "s per s",     "ratio",         "limited by"};
  ResultTable table{"advice",
                    {{"scheme", "1"},
                     {"onset", "1"},
                     {"stable_step", "s"},
                     {"accurate_step", "s"},
                     {"step", "s"},
                     {"steps_per_contact", "1"},
                     {"restitution_error", "1"},
                     {"tangential_error", "1"},
                     {"seconds_per_second", "1"},
                     {"ratio", "1"},
                     {"limited_by", "1"},
                     {"own", "1"}},
                    {}};
  const Real best = a.options.front().cost;
  const auto add = [&](const Advice::Option& o, bool own) {
    s.rows.push_back({o.scheme->name + (own ? " (own)" : ""), o.onset ? "on" : "off", seconds(o.stable),
                      own ? "-" : seconds(o.accurate), seconds(o.step),
                      std::isnan(o.steps_per_contact) ? "-" : fmt::format("{:.3g}", o.steps_per_contact),
                      percent(o.error.restitution), percent(o.error.tangential), fmt::format("{:.3g}", o.cost),
                      fmt::format("{:.2f}", o.cost / best), o.limit});
    table.rows.push_back({o.scheme->name, std::string(o.onset ? "on" : "off"), o.stable, own ? nan : o.accurate, o.step,
                          o.steps_per_contact, o.error.restitution, o.error.tangential, o.cost, o.cost / best, o.limit,
                          static_cast<std::int64_t>(own)});
  };
  for (const Advice::Option& o : a.options) add(o, false);
  add(a.own, true);
  s.legend =
      "step: the shorter of the accurate step and 0.8 of the stable step. per contact: steps in the shortest contact. "
      "restitution, tangential: errors of that collision at this step, root mean square over the places of its onset "
      "within a step; "
      "tangential is the change of the tangential velocity. s per s: wall time per simulated second on this machine, "
      "without pictures.";
  ResultTable impacts{
      "impacts", {{"first", "1"}, {"second", "1"}, {"speed", "m/s"}, {"duration", "s"}, {"restitution", "1"}}, {}};
  for (const ExpectedImpact& i : a.impacts)
    impacts.rows.push_back({i.first, i.second, i.collision.speed, i.duration, i.restitution});
  s.tables = {table, impacts};
  if (!a.measured.empty()) {
    ResultTable measured{"measured",
                         {{"setting", "1"},
                          {"collisions", "1"},
                          {"restitution", "1"},
                          {"unweighted", "1"},
                          {"alike", "1"},
                          {"tangential", "1"},
                          {"dissipated", "1"},
                          {"kinetic", "1"},
                          {"centre", "1"}},
                         {}};
    for (const Advice::Measured& m : a.measured)
      measured.rows.push_back({m.setting, static_cast<std::int64_t>(m.collisions), m.restitution, m.unweighted,
                               static_cast<std::int64_t>(m.alike), m.tangential, m.dissipated, m.kinetic, m.centre});
    s.tables.push_back(measured);
  }
  if (!a.impacts.empty()) s.figures.push_back(figure_of(a));
  s.body = [a](const StudyReport& report, Page& page, const StudyReport::Put& put) {
    for (const std::string& finding : report.findings) page.paragraph(finding);
    page.section("Schemes");
    page.table(report.head, report.rows);
    page.paragraph(report.legend);
    for (const Figure& figure : report.figures)
      put(figure,
          "The larger of the errors of restitution and tangential response of the shortest expected impact, at 5 "
          "to 40 steps per contact. Below and left is better.");
    page.section("Expected impacts");
    std::vector<Page::Row> rows;
    for (const ExpectedImpact& i : a.impacts)
      rows.push_back({i.first + " on " + i.second, fmt::format("{:.3g} m/s", i.collision.speed),
                      fmt::format("{:.3g} s", i.duration), fmt::format("{:.3g}", i.restitution)});
    page.table({"materials", "speed", "duration", "restitution"}, rows);
  };
  return s;
}

}  // namespace cairn::studies
