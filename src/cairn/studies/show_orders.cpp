#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "cairn/core/constants.hpp"
#include "cairn/studies/orders.hpp"

namespace cairn::studies {
namespace {

using Verdict = Convergence::Verdict;

const char* words_of(Verdict v) {
  switch (v) {
    case Verdict::agrees:
      return "as claimed";
    case Verdict::approaches:
      return "approaches the claim";
    case Verdict::higher:
      return "higher than claimed";
    case Verdict::lower:
      return "lower than claimed";
    case Verdict::unsettled:
      return "not settled";
    case Verdict::exact:
      return "too exact to measure";
    case Verdict::unknown:
      break;
  }
  return "not measured";
}

bool holds(const OrdersResult::Entry& e) {
  const Verdict v = e.found.verdict(e.claimed);
  return v == Verdict::agrees || v == Verdict::approaches;
}

bool contradicts(Verdict v) {
  return v == Verdict::lower || v == Verdict::higher;
}

std::string number(Real a) {
  return std::isfinite(a) ? fmt::format("{:.2f}", a) : "-";
}
std::string name_of(const OrdersResult::Entry& e) {
  return e.scheme->name;
}

// The errors of a family on one case.
Figure figure_of(const OrdersResult& r, std::size_t which, const Family& family) {
  const OrdersResult::Case& c = r.cases[which];
  std::map<Real, std::map<const SchemeEntry*, Real>> errors;  // by step, then by scheme
  for (const auto& e : r.entries)
    if (e.in == which && std::find(family.schemes.begin(), family.schemes.end(), e.scheme) != family.schemes.end())
      for (const auto& p : e.found.points)
        if (p.error < 10) errors[p.h][e.scheme] = p.error;  // larger errors have lost the motion
  Figure f{c.name + "_" + family.slug, family.name + ": " + c.name, {"step", "s", true}, {"error", "1", true}, {}, {}};
  f.style = Figure::Style::points;
  for (const SchemeEntry* scheme : family.schemes) f.curves.push_back({scheme->name, {}});
  for (const auto& [h, by_scheme] : errors) {
    f.at.push_back(h);
    for (std::size_t k = 0; k < family.schemes.size(); ++k) {
      const auto at = by_scheme.find(family.schemes[k]);
      f.curves[k].y.push_back(at == by_scheme.end() ? std::numeric_limits<Real>::quiet_NaN() : at->second);
    }
  }
  return f;
}

std::vector<ResultTable> tables_of(const OrdersResult& r) {
  ResultTable points{"orders", {{"scheme", "1"}, {"case", "1"}, {"steps", "1"}, {"h", "s"}, {"error", "1"}}, {}};
  ResultTable slopes{"slopes",
                     {{"scheme", "1"},
                      {"case", "1"},
                      {"claimed", "1"},
                      {"measured", "1"},
                      {"limit", "1"},
                      {"coarsest_h", "s"},
                      {"finest_h", "s"},
                      {"verdict", "1"}},
                     {}};
  for (const auto& e : r.entries) {
    const std::string& name = r.cases[e.in].name;
    for (const auto& p : e.found.points)
      points.rows.push_back({name_of(e), name, static_cast<std::int64_t>(p.steps), p.h, p.error});
    const int first = e.found.last - Convergence::window;
    const bool told = std::isfinite(e.found.order);
    slopes.rows.push_back({name_of(e), name, static_cast<std::int64_t>(e.claimed), e.found.order, e.found.limit,
                           told ? e.found.points[first].h : nan, told ? e.found.points[e.found.last - 1].h : nan,
                           words_of(e.found.verdict(e.claimed))});
  }
  ResultTable sliding{"sliding",
                      {{"scheme", "1"},
                       {"case", "1"},
                       {"steps_per_contact", "1"},
                       {"error", "1"},
                       {"claims_to_slide", "1"},
                       {"slides", "1"}},
                      {}};
  for (const auto& e : r.slides)
    for (std::size_t k = 0; k < sliding_steps.size(); ++k)
      sliding.rows.push_back({e.scheme->name, std::string(e.in->name), static_cast<std::int64_t>(sliding_steps[k]),
                              e.found.error[k], static_cast<std::int64_t>(e.scheme->claims.slides),
                              static_cast<std::int64_t>(e.found.keeps())});
  return {points, slopes, sliding};
}

// One scheme over all its slides.
struct OfSliding {
  const SchemeEntry* scheme;
  Real worst = 0;  // [-] error at the coarsest step, with its sign
  bool keeps = true;
};
std::vector<OfSliding> by_scheme(const OrdersResult& r) {
  std::vector<OfSliding> all;
  for (const auto& e : r.slides) {
    if (all.empty() || all.back().scheme != e.scheme) all.push_back({e.scheme});
    OfSliding& of = all.back();
    if (!(e.found.worst() <= std::fabs(of.worst))) of.worst = e.found.error[0];
    of.keeps = of.keeps && e.found.keeps();
  }
  return all;
}

std::string percent(Real a) {
  return fmt::format("{:+.2f} %", 100 * a);
}

std::vector<std::string> sliding_findings(const OrdersResult& r) {
  std::string wrong, refused;
  const OfSliding* most = nullptr;
  int right = 0;
  const std::vector<OfSliding> all = by_scheme(r);
  for (const OfSliding& s : all) {
    const std::string text = s.scheme->name + " (" + percent(s.worst) + ")";
    if (s.scheme->claims.slides != s.keeps)
      wrong += (wrong.empty() ? "" : ", ") + text;
    else if (!s.keeps)
      refused += (refused.empty() ? "" : ", ") + text;
    else if (++right, most == nullptr || std::fabs(s.worst) > std::fabs(most->worst))
      most = &s;
  }
  std::vector<std::string> findings;
  if (right > 0)
    findings.push_back(
        fmt::format("{} of {} schemes slide as they claim: the impulse of friction is within 1 % of Coulomb's mu F_n t "
                    "at {} steps per contact duration, and closer at smaller steps. {} has the largest error of these "
                    "schemes ({}).",
                    right, all.size(), sliding_steps[0], most->scheme->name, percent(most->worst)));
  if (!refused.empty())
    findings.push_back(
        "With these schemes friction is wrong while contacts slide. They do not claim to slide, and runs with friction "
        "refuse them: " +
        refused + ".");
  if (!wrong.empty()) findings.push_back("SLIDING CONTRADICTS THE CLAIM of " + wrong + ".");
  return findings;
}

std::vector<std::string> findings_of(const OrdersResult& r, std::size_t schemes) {
  std::map<Verdict, std::vector<std::string>> told;
  for (const auto& e : r.entries) {
    const Verdict v = e.found.verdict(e.claimed);
    const std::string where = name_of(e) + " on " + r.cases[e.in].name;
    told[v].push_back(v == Verdict::unknown || v == Verdict::exact
                          ? where
                          : fmt::format("{} ({:.2f}, claimed {})", where, e.found.order, e.claimed));
  }
  std::vector<std::string> findings{
      fmt::format("{} of {} slopes of {} {} agree with the claimed orders to within 0.1{}.",
                  told[Verdict::agrees].size(), r.entries.size(), schemes, schemes == 1 ? "scheme" : "schemes",
                  told[Verdict::lower].empty() ? "" : "; SOME ARE LOWER")};
  const auto list = [](const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
    return text;
  };
  if (!told[Verdict::approaches].empty())
    findings.push_back("Slopes that still approach the claim at the finest step that double precision allows: " +
                       list(told[Verdict::approaches]) + ".");
  if (!told[Verdict::lower].empty()) findings.push_back("Lower than claimed: " + list(told[Verdict::lower]) + ".");
  if (!told[Verdict::higher].empty()) findings.push_back("Higher than claimed: " + list(told[Verdict::higher]) + ".");
  if (!told[Verdict::unsettled].empty())
    findings.push_back("Slopes that are not settled before round-off, so neither confirmed nor contradicted: " +
                       list(told[Verdict::unsettled]) + ".");
  if (!told[Verdict::exact].empty())
    findings.push_back("Runs so exact that round-off dominates after a few steps, before a slope can be measured: " +
                       list(told[Verdict::exact]) + ".");
  if (!told[Verdict::unknown].empty())
    findings.push_back("No slope, because too few errors are known: " + list(told[Verdict::unknown]) + ".");
  return findings;
}

}  // namespace

StudyReport show(const OrdersResult& r) {
  Selection schemes;
  for (const auto& e : r.entries)
    if (schemes.empty() || schemes.back() != e.scheme) schemes.push_back(e.scheme);
  StudyReport s;
  s.name = "orders";
  s.title = "Orders of the schemes";
  s.subtitle = fmt::format("A study by Cairn {}: error against step, {} schemes, {} motions", CAIRN_VERSION,
                           schemes.size(), r.cases.size());
  s.findings = findings_of(r, schemes.size());
  const std::vector<OfSliding> slides = by_scheme(r);
  for (const std::string& finding : sliding_findings(r)) s.findings.push_back(finding);
  s.tables = tables_of(r);

  // In the terminal's table one column counts all cases of the engine.
  s.head = {"scheme"};
  for (const auto& c : r.cases)
    if (!c.pair) s.head.push_back(c.name);
  s.head.push_back("in contact");
  s.head.push_back("slides");
  for (const SchemeEntry* scheme : schemes) {
    Page::Row row{scheme->name};
    int pairs = 0, kept = 0;
    for (const auto& e : r.entries) {
      if (e.scheme != scheme) continue;
      if (r.cases[e.in].pair)
        ++pairs, kept += holds(e);
      else
        row.push_back(fmt::format("{} of {}{}", number(e.found.order), e.claimed,
                                  holds(e)                                  ? ""
                                  : contradicts(e.found.verdict(e.claimed)) ? " !"
                                                                            : " ?"));
    }
    row.push_back(fmt::format("{} of {}", kept, pairs));
    for (const OfSliding& of : slides)
      if (of.scheme == scheme)
        row.push_back(percent(of.worst) + (of.keeps == scheme->claims.slides ? of.keeps ? "" : " refused" : " !"));
    s.rows.push_back(row);
  }

  // The page shows one motion without grains and one of the engine; the others are in the tables.
  std::vector<std::pair<std::size_t, std::vector<std::size_t>>> chosen;  // case, its figures
  for (const char* name : {"conservative", "pair_both"})
    for (std::size_t k = 0; k < r.cases.size(); ++k) {
      if (r.cases[k].name != name) continue;
      chosen.push_back({k, {}});
      for (const Family& family : by_family(schemes)) {
        chosen.back().second.push_back(s.figures.size());
        s.figures.push_back(figure_of(r, k, family));
      }
    }

  s.body = [r, chosen, schemes](const StudyReport& report, Page& page, const StudyReport::Put& put) {
    const std::vector<std::string>& findings = report.findings;
    std::size_t kept = 0;
    Real worst = 0;
    bool lower = false;
    for (const auto& e : r.entries) {
      const Verdict v = e.found.verdict(e.claimed);
      lower = lower || v == Verdict::lower;
      if (v != Verdict::agrees) continue;
      ++kept;
      worst = std::max(worst, std::fabs(e.found.order - e.claimed));
    }
    const Page::Card cards[] = {{"Schemes", std::to_string(schemes.size()), "of the catalogue"},
                                {"Slopes as claimed", fmt::format("{} of {}", kept, r.entries.size()), "to within 0.1"},
                                {"Largest difference", fmt::format("{:.3f}", worst), "of such a slope from its claim"}};
    page.cards(cards);
    lower ? page.warning(findings[0]) : page.paragraph(findings[0]);
    for (std::size_t k = 1; k < findings.size(); ++k) page.paragraph(findings[k]);

    page.section("Slopes");
    page.paragraph(
        "The order of a scheme is the slope of its error against the step, on logarithmic axes, for small steps. Each "
        "cell has the measured slope and the claimed order. No sign: they agree to within 0.1. \u2192: the slope "
        "approaches the claim. ?: the study cannot decide, because round-off ends the series before the slope is "
        "settled or because there are too few errors. !: the slope is lower or higher than claimed.");
    for (const bool pair : {false, true}) {
      Page::Row head{"scheme"};
      for (const auto& c : r.cases)
        if (c.pair == pair) head.push_back(c.name);
      std::vector<Page::Row> rows;
      for (const auto& e : r.entries) {
        if (r.cases[e.in].pair != pair) continue;
        if (rows.empty() || rows.back()[0] != name_of(e)) rows.push_back({name_of(e)});
        const Verdict v = e.found.verdict(e.claimed);
        rows.back().push_back(fmt::format("{}\u00a0of\u00a0{}{}", number(e.found.order), e.claimed,
                                          v == Verdict::agrees       ? ""
                                          : v == Verdict::approaches ? "\u00a0\u2192"
                                          : contradicts(v)           ? "\u00a0!"
                                                                     : "\u00a0?"));
      }
      page.table(head, rows);
    }
    page.section("Sliding");
    page.paragraph(fmt::format(
        "Spheres slide on a plane for {} contact durations, with {} to {} steps per contact duration. The table shows "
        "the relative difference between the impulse of friction and Coulomb's mu F_n t, in the columns by case and "
        "steps per contact duration. It includes the first steps, in which the friction spring stretches to its limit. "
        "Sub-steps of the schemes marked refused go back to before the step began; there friction points the wrong "
        "way, and runs with friction refuse these schemes. ! marks a scheme whose sliding contradicts its claim.",
        sliding_contacts, sliding_steps.front(), sliding_steps.back()));
    Page::Row slide_head{"scheme"};
    for (const SlidingCase& c : sliding_cases)
      for (const int steps : sliding_steps) slide_head.push_back(fmt::format("{}, {}", c.name.substr(8), steps));
    slide_head.push_back("");
    std::vector<Page::Row> slide_rows;
    for (const auto& e : r.slides) {
      if (slide_rows.empty() || slide_rows.back()[0] != e.scheme->name) slide_rows.push_back({e.scheme->name});
      for (const Real error : e.found.error) slide_rows.back().push_back(percent(error));
    }
    const std::vector<OfSliding> of_schemes = by_scheme(r);
    for (std::size_t k = 0; k < slide_rows.size(); ++k) {
      const OfSliding& of = of_schemes[k];
      slide_rows[k].push_back(of.keeps != of.scheme->claims.slides ? "!" : of.keeps ? "" : "refused");
    }
    page.table(slide_head, slide_rows);
    page.section("The motions");
    std::vector<Page::Row> cases;
    for (const auto& c : r.cases)
      cases.push_back({c.name, c.words, fmt::format("{:g} s", c.end), fmt::format("{:.1e}", c.floor)});
    for (const SlidingCase& c : sliding_cases) cases.push_back({std::string(c.name), std::string(c.words), "", ""});
    page.table({"case", "motion", "until", "floor"}, cases);
    page.paragraph(
        "The motions that measure orders are smooth. No contact opens or closes, and none changes between stick and "
        "slip, because there every scheme is of first order. The error is the largest error of any coordinate at the "
        "end, with every coordinate scaled to the order of one. Adaptive schemes take fixed steps here. The reference "
        "is Dormand and Prince's method. Its number of steps is doubled until the result no longer improves; the "
        "change made by the last doubling is its uncertainty. The damped oscillator has a closed form instead.");
    page.paragraph(
        "Runs take 1, 2, ..., 8, 11, 16, 23, ... steps (in the end powers of \u221a2), until the error is below the "
        "floor or the run becomes too long. The floor is a hundred times the uncertainty of the reference. The "
        "measured slope is that of the four finest errors above the floor. This rule does not depend on the scheme: it "
        "takes a scheme of order 1 to thousands of steps and a scheme of order 5 to a few dozen.");

    for (const auto& [which, of_case] : chosen) {
      const OrdersResult::Case& c = r.cases[which];
      page.section("Error against step: " + c.name);
      page.paragraph(c.words + ".");
      for (const std::size_t k : of_case) put(report.figures[k], "");
    }
    page.paragraph(
        "The folder figures/ has each figure as SVG, with its data (CSV) and its gnuplot script. orders.csv has every "
        "error, slopes.csv every slope, and sliding.csv every error while spheres slide.");
  };
  return s;
}

}  // namespace cairn::studies
