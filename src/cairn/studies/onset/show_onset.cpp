// The report of the onset study.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/studies/onset/onset_view.hpp"

namespace cairn::studies {

StudyReport show(const OnsetResult& r) {
  using namespace onset_view;
  const Selection schemes = schemes_of(r);
  const SchemeEntry* usual = usual_of(schemes);
  StudyReport s;
  s.name = "onset";
  s.title = "Onsets of contacts";
  s.subtitle = fmt::format("A study of Cairn {}: {} schemes with and without the correction of contact onsets",
                           CAIRN_VERSION, schemes.size());
  s.findings = findings_of(r);
  s.tables = tables_of(r);

  const auto with = [&](const Entry* e, const SchemeEntry* scheme) {
    const Result::Case& c = r.cases[e->in];
    return Page::Row{fmt::format("{:g}", e->n),
                     brief_number(e->off),
                     brief_number(e->on) + (e->resolved ? "" : " *"),
                     factor(e->gain()),
                     two_places(onset_slope(r, e->in, e->measure, scheme, false)),
                     two_places(onset_slope(r, e->in, e->measure, scheme, true)),
                     brief_number(c.uncertainty[e->measure])};
  };
  s.head = {"case", "law", "error of", "n", "without", "with", "gain", "slope", "slope with", "reference"};
  for (std::size_t in = 0; in < r.cases.size(); ++in)
    for (std::size_t m = 0; m < r.cases[in].measures.size(); ++m) {
      const Entry* e = entry_at(entries_of(r, in, m, usual), gain_steps);
      if (!e) continue;
      Page::Row row{r.cases[in].name, r.cases[in].law, spaced(r.cases[in].measures[m].name)};
      for (std::string& cell : with(e, usual)) row.push_back(std::move(cell));
      s.rows.push_back(std::move(row));
    }

  std::vector<std::size_t> first;  // figure of each case, then of the gas that cools
  for (std::size_t in = 0; in < r.cases.size(); ++in) {
    first.push_back(s.figures.size());
    for (Figure& f : figures_of(r, in, schemes)) s.figures.push_back(std::move(f));
  }
  first.push_back(s.figures.size());
  if (r.cooling.grains > 0)
    for (Figure& f : figures_of(r.cooling, schemes)) s.figures.push_back(std::move(f));

  s.body = [r, schemes, usual, first, with](const StudyReport& report, Page& page, const StudyReport::Put& put) {
    std::vector<Page::Card> cards{{"Schemes", std::to_string(schemes.size()), "of fixed step"},
                                  {"Cases", std::to_string(r.cases.size() + (r.cooling.grains > 0 ? 1 : 0)),
                                   fmt::format("{} errors measured", r.entries.size())}};
    for (std::size_t in = 0; in < r.cases.size(); ++in)
      if (const Entry* e = entry_at(entries_of(r, in, r.cases[in].name == "gas" ? 1 : 0, usual), gain_steps);
          e && (r.cases[in].name == "impact" || r.cases[in].name == "gas"))
        cards.push_back(
            {"Gain, " + r.cases[in].name, factor(e->gain()), fmt::format("n = {:g}, {}", e->n, usual->name)});
    page.cards(cards);
    page.section("Gains");
    for (const std::string& finding : report.findings) page.paragraph(finding);
    if (!report.rows.empty()) {
      page.paragraph(
          fmt::format("With {}, n steps per contact. Slopes of the error against the step for n of 14 and "
                      "more; reference: its own uncertainty; * errors below ten times that.",
                      usual->name));
      page.table(report.head, report.rows);
    }

    if (!r.cases.empty()) {
      page.section("Gains, scheme by scheme");
      page.paragraph(fmt::format(
          "Error without over error with the correction at n = {:g}, or the nearest there is; of "
          "velocities where there are many grains, else of one impact's restitution or tangential velocity.",
          gain_steps));
      constexpr std::size_t most = 6;  // columns of a page's width
      const auto by_case = [&](auto&& cell) {
        for (std::size_t from = 0; from < r.cases.size(); from += most) {
          const std::size_t to = std::min(from + most, r.cases.size());
          Page::Row head{"scheme"};
          for (std::size_t in = from; in < to; ++in) head.push_back(r.cases[in].name);
          std::vector<Page::Row> rows;
          for (const SchemeEntry* scheme : schemes) {
            rows.push_back({name_of(scheme)});
            for (std::size_t in = from; in < to; ++in)
              rows.back().push_back(cell(in, shown_measure(r.cases[in]), scheme));
          }
          page.table(head, rows);
        }
      };
      by_case([&](std::size_t in, std::size_t m, const SchemeEntry* scheme) {
        const Entry* e = entry_at(entries_of(r, in, m, scheme), gain_steps);
        return e ? factor(e->gain()) : std::string("-");
      });
      page.paragraph(
          "Slopes of the same errors against the step, without \u2192 with the correction, for n of 14 and more.");
      by_case([&](std::size_t in, std::size_t m, const SchemeEntry* scheme) {
        return two_places(onset_slope(r, in, m, scheme, false)) + "\u00a0\u2192\u00a0" +
               two_places(onset_slope(r, in, m, scheme, true));
      });
    }

    page.section("How it was measured");
    page.paragraph(
        "Every case runs twice at each step, as it is and with the correction (run.onset). One impact and the chain "
        "begin at random parts of a step, and n = contact / h is no whole number: both ends of the contact then lie "
        "anywhere within a step, as in any simulation. Orders measured with whole n from a contact's first instant do "
        "not see what is measured here.");
    page.paragraph(
        "The reference is dormand_prince54 with a tolerance of 1e-13, which finds each onset by rejecting steps. What "
        "ten times the tolerance changes is its uncertainty. A scheme of another kind, rk4 at small fixed steps "
        "without the correction, stands beside it: as far away as its own error, which must fall with the step.");
    std::vector<Page::Row> cases;
    for (const Result::Case& c : r.cases) {
      std::string checks;
      for (const Result::Check& check : c.checks)
        checks += fmt::format("{}{} (n = {:g})", checks.empty() ? "" : ", ", brief_number(check.error[0]), check.n);
      cases.push_back({c.name, std::to_string(c.grains * (c.phased ? 1 : c.starts)), std::to_string(c.starts),
                       unbroken(fmt::format("{:.3g}", c.contact)), unbroken(fmt::format("{:.3g}", c.end)),
                       fmt::format("{:.1f}", c.collisions), unbroken(brief_number(c.uncertainty[0])),
                       unbroken(checks)});
    }
    if (!cases.empty())
      page.table({"case", "grains", "starts", "contact [s]", "until [s]", "contacts each", "known to", "rk4 beside it"},
                 cases);

    for (std::size_t in = 0; in < r.cases.size(); ++in) {
      const Result::Case& c = r.cases[in];
      page.section("Case " + c.name);
      page.paragraph(sentence(c.words) + "; law " + c.law + ".");
      for (std::size_t m = 0; m < c.measures.size(); ++m) {
        const auto some = entries_of(r, in, m, schemes[0]);
        if (some.empty()) continue;
        std::vector<Real> shown_n;
        for (const Real n : {10.0, gain_steps, 57.0})
          if (const Real near = entry_at(some, n)->n; std::find(shown_n.begin(), shown_n.end(), near) == shown_n.end())
            shown_n.push_back(near);
        Page::Row head{"error of " + spaced(c.measures[m].name)};
        for (const Real n : shown_n) head.push_back(fmt::format("n = {:g} (gain)", n));
        head.push_back("slope");
        std::vector<Page::Row> rows;
        const auto both = [](const std::string& off, const std::string& on) { return unbroken(off + " \u2192 " + on); };
        for (const SchemeEntry* scheme : schemes) {
          const auto entries = entries_of(r, in, m, scheme);
          rows.push_back({name_of(scheme)});
          for (const Real n : shown_n) {
            const Entry& e = *entry_at(entries, n);
            rows.back().push_back(both(brief_number(e.off), brief_number(e.on) + (e.resolved ? "" : "*")) +
                                  unbroken(" (" + factor(e.gain()) + ")"));
          }
          rows.back().push_back(
              both(two_places(onset_slope(r, in, m, scheme, false)), two_places(onset_slope(r, in, m, scheme, true))));
        }
        page.paragraph(sentence(c.measures[m].words) + ".");
        page.table(head, rows);
      }
      for (std::size_t k = first[in]; k < first[in + 1]; ++k) put(report.figures[k], "");
    }

    if (const Result::Cooling& c = r.cooling; c.grains > 0) {
      page.section("Case cooling");
      page.paragraph(fmt::format(
          "{} smooth spheres of restitution {:g}, volume fraction {:g}, in a periodic box; equilibrated elastic, then "
          "left to cool. Haff's law, E / E0 = (1 + t / tau)^-2 with Enskog's tau = {:.4g} s, is a mean over velocities "
          "without correlations. Collisions are chaos: two runs that differ in their last digit have other collisions "
          "soon, so energies differ by chance too, by what the two runs at n = {:g} differ.",
          c.grains, c.restitution, c.fraction, c.tau, c.references[0].n));
      std::vector<Page::Row> rows;
      for (const auto* list : {&c.references, &c.runs})
        for (std::size_t k = 0; k + 1 < list->size(); k += 2) {
          const Run &off = (*list)[k], &on = (*list)[k + 1];
          const Cooled a = cooled(c, off), b = cooled(c, on);
          const auto percent = [](Real x) { return fmt::format("{:.2g}", 100 * x); };
          rows.push_back({off.scheme->name, fmt::format("{:g}", off.n), percent(a.energy), percent(b.energy),
                          percent(a.rate), percent(b.rate), fmt::format("{:.3f}", cooling_rate(c, off.energy) * c.tau),
                          fmt::format("{:.3f}", cooling_rate(c, on.energy) * c.tau), brief_number(off.residual),
                          brief_number(on.residual)});
        }
      page.table({"scheme", "n", "energy, % off", "with", "rate, % off", "with", "rate over Haff's", "with", "residual",
                  "with"},
                 rows);
      for (std::size_t k = first[r.cases.size()]; k < report.figures.size(); ++k) put(report.figures[k], "");
    }
    page.paragraph(
        "Each figure stands in figures/ as SVG with its data (CSV) and its gnuplot script; onset.csv has every error, "
        "slopes.csv every slope, references.csv what is known of the references.");
  };
  return s;
}

}  // namespace cairn::studies
