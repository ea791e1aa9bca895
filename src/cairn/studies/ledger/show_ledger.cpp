#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/core/constants.hpp"
#include "cairn/studies/ledger/ledger.hpp"

namespace cairn::studies {
namespace {

// "2.01", "exact" where the residual is round-off at any step, "-" where too few errors stand above it.
std::string order_words(const Convergence& c) {
  if (!std::isnan(c.order)) return fmt::format("{:.2f}", c.order);
  return !c.points.empty() && c.points.back().error <= c.floor ? "exact" : "-";
}

int claimed_of(const LedgerResult::InContact& c) {
  const LedgerCase& of = ledger_cases()[c.in];
  int order = std::min(c.scheme->claims.order, c.scheme->claims.*of.order);
  if (of.contact.has("damping") || of.law != "linear") order = std::min(order, c.scheme->claims.order_damped);
  return order;
}

const LedgerResult::InContact* found_of(const LedgerResult& r, const char* scheme, std::size_t in) {
  for (const LedgerResult::InContact& c : r.contacts)
    if (c.in == in && c.scheme->name == scheme) return &c;
  return nullptr;
}

std::vector<std::string> findings_of(const LedgerResult& r) {
  std::vector<std::string> all;
  std::string lower;
  int below = 0, exact = 0, measured = 0;
  for (const LedgerResult::InContact& c : r.contacts) {
    const std::string words = order_words(c.found);
    exact += words == "exact";
    if (std::isnan(c.found.order)) continue;
    ++measured;
    const bool falls_short = c.found.order < claimed_of(c) - 0.3 && c.found.points.back().error > 1e-11;
    if (!falls_short) continue;
    ++below;
    if (below <= 6)
      lower += fmt::format("{}{} in {} ({} for {})", lower.empty() ? "" : ", ", c.scheme->name,
                           ledger_cases()[c.in].name, words, claimed_of(c));
  }
  all.push_back(
      fmt::format("In contact the residual falls at least as fast as the scheme's claimed order in {} of {} cases; in "
                  "{} more it is "
                  "round-off at every step, or soon. {}",
                  measured - below, measured, exact,
                  below == 0 ? "" : fmt::format("Below: {}{}.", lower, below > 6 ? ", ..." : "")));
  std::string examples;
  for (const char* scheme : {"symplectic_euler", "velocity_verlet", "rkf45_relative", "gauss2_extrapolated"}) {
    const auto *elastic = found_of(r, scheme, 0), *damped = found_of(r, scheme, 1), *head_on = found_of(r, scheme, 2);
    if (elastic && damped && head_on)
      examples += fmt::format("{}{} {}, {} and {}", examples.empty() ? "" : ", ", scheme, order_words(elastic->found),
                              order_words(damped->found), order_words(head_on->found));
  }
  if (!examples.empty())
    all.push_back(
        "Orders of the residual on the linear law, without a dashpot, with one, and with one head-on: " + examples +
        ". Gauss's method keeps quadratic invariants, and the ledger of a head-on linear contact is one.");
  std::string packings;
  for (const LedgerResult::Packing& p : r.packings)
    packings += fmt::format("{}{} {:.1f} ({:.1g} at {} steps)", packings.empty() ? "" : ", ", p.scheme->name, p.order,
                            p.residual.back(), r.settings.per_collision.back());
  all.push_back("In packings with friction the onset of slip inside steps leaves second order at most: orders " +
                packings + ", residuals over the energy released.");
  std::string forms;
  for (const LedgerResult::Form& f : r.forms) {
    const auto [low, high] = std::minmax_element(f.gain.begin(), f.gain.end());
    forms += fmt::format("{}{} {:+.2g} to {:+.2g} %", forms.empty() ? "" : ", ", f.name, 100 * *low, 100 * *high);
  }
  all.push_back(
      "One Hertz-Mindlin collision with restitution 1 that only sticks should keep its energy. The forms of the "
      "tangential force change it, over angles of 15 to 75 degrees, by: " +
      forms + fmt::format(". The ledger closes in all of them, to {:.1g}: it books the work of the form as slip.", [&] {
        Real most = 0;
        for (const LedgerResult::Form& f : r.forms) most = std::max(most, f.residual);
        return most;
      }()));
  return all;
}

ResultTable contacts_table(const LedgerResult& r) {
  ResultTable t{"contacts",
                {{"scheme", "1"},
                 {"case", "1"},
                 {"claimed_order", "1"},
                 {"order", "1"},
                 {"steps", "1"},
                 {"step", "s"},
                 {"residual", "1"}},
                {}};
  for (const LedgerResult::InContact& c : r.contacts)
    for (const Convergence::Point& p : c.found.points)
      t.rows.push_back({c.scheme->name, ledger_cases()[c.in].name, static_cast<std::int64_t>(claimed_of(c)),
                        c.found.order, static_cast<std::int64_t>(p.steps), p.h, p.error});
  return t;
}

ResultTable packings_table(const LedgerResult& r) {
  ResultTable t{"packings", {{"scheme", "1"}, {"steps_per_collision", "1"}, {"residual", "1"}, {"order", "1"}}, {}};
  for (const LedgerResult::Packing& p : r.packings)
    for (std::size_t k = 0; k < p.residual.size(); ++k)
      t.rows.push_back(
          {p.scheme->name, static_cast<std::int64_t>(r.settings.per_collision[k]), p.residual[k], p.order});
  return t;
}

ResultTable forms_table(const LedgerResult& r) {
  ResultTable t{"forms", {{"form", "1"}, {"angle", "deg"}, {"gain", "1"}}, {}};
  for (const LedgerResult::Form& f : r.forms)
    for (std::size_t k = 0; k < r.angles.size(); ++k) t.rows.push_back({f.name, r.angles[k], f.gain[k]});
  return t;
}

Figure packings_figure(const LedgerResult& r) {
  Figure f{"packings",
           "Residual of packings",
           {"steps in a collision", "1", true},
           {"residual over the energy released", "1", true},
           {},
           {}};
  f.style = Figure::Style::points;
  for (const int n : r.settings.per_collision) f.at.push_back(n);
  for (const LedgerResult::Packing& p : r.packings) f.curves.push_back({p.scheme->name, p.residual});
  return f;
}

Figure contact_figure(const LedgerResult& r, std::size_t in) {
  const LedgerCase& of = ledger_cases()[in];
  Figure f{of.name,
           "Residual in contact: " + of.words,
           {"steps", "1", true},
           {"residual over the energy at the start", "1", true},
           {},
           {}};
  f.style = Figure::Style::points;
  for (const LedgerResult::InContact& c : r.contacts)
    if (c.in == in)
      for (const Convergence::Point& p : c.found.points) f.at.push_back(p.steps);
  std::sort(f.at.begin(), f.at.end());
  f.at.erase(std::unique(f.at.begin(), f.at.end()), f.at.end());
  for (const LedgerResult::InContact& c : r.contacts) {
    const auto& shown = r.settings.in_packings;
    if (c.in != in || std::find(shown.begin(), shown.end(), c.scheme) == shown.end()) continue;
    Curve curve{c.scheme->name, std::vector<Real>(f.at.size(), nan)};
    for (const Convergence::Point& p : c.found.points)
      if (p.error > 0)
        curve.y[static_cast<std::size_t>(std::lower_bound(f.at.begin(), f.at.end(), p.steps) - f.at.begin())] = p.error;
    f.curves.push_back(std::move(curve));
  }
  return f;
}

Figure forms_figure(const LedgerResult& r) {
  Figure f{"forms",
           "Energy gained in a collision that should keep it",
           {"angle from the normal", "deg"},
           {"energy gained", "%"},
           r.angles,
           {}};
  f.style = Figure::Style::points;
  for (const LedgerResult::Form& form : r.forms) {
    Curve c{form.name, form.gain};
    for (Real& a : c.y) a *= 100;
    f.curves.push_back(std::move(c));
  }
  return f;
}

}  // namespace

StudyReport show(const LedgerResult& r) {
  StudyReport s;
  s.name = "ledger";
  s.title = "The energy ledger as an instrument";
  s.subtitle = fmt::format("A study by Cairn {}: {} schemes in contact, {} in packings", CAIRN_VERSION,
                           r.settings.schemes.size(), r.packings.size());
  s.findings = findings_of(r);
  s.tables = {contacts_table(r), packings_table(r), forms_table(r)};
  s.head = {"scheme"};
  for (const LedgerCase& c : ledger_cases()) s.head.push_back(c.name);
  for (const LedgerResult::InContact& c : r.contacts) {
    if (c.in == 0) s.rows.push_back({c.scheme->name});
    s.rows.back().push_back(fmt::format("{} ({})", order_words(c.found), claimed_of(c)));
  }
  s.legend =
      "Order of the residual in contact, and in parentheses the order that the scheme claims for such a motion. exact: "
      "round-off. -: fewer than four errors above round-off.";
  for (std::size_t in = 0; in < ledger_cases().size(); ++in) s.figures.push_back(contact_figure(r, in));
  s.figures.push_back(packings_figure(r)), s.figures.push_back(forms_figure(r));
  s.body = [](const StudyReport& report, Page& page, const StudyReport::Put& put) {
    for (const std::string& finding : report.findings) page.paragraph(finding);
    page.section("In contact");
    page.paragraph(
        "Two spheres press on each other at an angle, from within a contact to before its end. The residual is the "
        "numerical error of the energy alone: what dashpots and friction take is booked apart.");
    page.table(report.head, report.rows);
    page.paragraph(report.legend);
    for (std::size_t in = 0; in < ledger_cases().size(); ++in) put(report.figures[in], "");
    page.section("In packings");
    put(report.figures[ledger_cases().size()],
        "Forty grains with friction fall into a box and come to rest, contact onsets corrected. The residual does not "
        "see "
        "errors of the trajectory.");
    page.section("Forms of the tangential force");
    put(report.figures[ledger_cases().size() + 1],
        "Hertz-Mindlin, restitution 1, friction so large that contacts only stick. total: F_t = k_t xi, as most codes "
        "have it. conservative: the same with the normal force that its potential asks for. incremental: dF_t = k_t "
        "dxi.");
  };
  return s;
}

}  // namespace cairn::studies
