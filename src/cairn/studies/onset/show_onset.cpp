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
  s.title = "Contact onsets";
  s.subtitle = fmt::format("A study by Cairn {}: {} schemes with and without the contact-onset correction",
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
  s.head = {"case", "law", "error of", "n", "without", "with", "gain", "slope without", "slope with", "uncertainty"};
  for (std::size_t in = 0; in < r.cases.size(); ++in)
    for (std::size_t m = 0; m < r.cases[in].measures.size(); ++m) {
      const Entry* e = entry_at(entries_of(r, in, m, usual), gain_steps);
      if (!e) continue;
      Page::Row row{r.cases[in].name, r.cases[in].law, spaced(r.cases[in].measures[m].name)};
      for (std::string& cell : with(e, usual)) row.push_back(std::move(cell));
      s.rows.push_back(std::move(row));
    }

  std::vector<std::size_t> first;  // first figure of each case, then of the cooling gas
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
          fmt::format("The scheme is {}. n: steps per contact. without, with: error without and with the correction. "
                      "gain: the first divided by the second. slope: of the error against the step, for n of 14 and "
                      "more. uncertainty: of the reference. *: one of the two errors is below ten times the "
                      "uncertainty.",
                      usual->name));
      page.table(report.head, report.rows);
    }

    if (!r.cases.empty()) {
      page.section("Gains, scheme by scheme");
      page.paragraph(fmt::format(
          "The gain is the error without the correction divided by the error with it, at n = {:g} or the nearest n "
          "that ran. The errors are those of the velocities in the chain and in cases of many grains, and those of the "
          "restitution or the tangential velocity in cases of one impact.",
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
          "Slopes of the same errors against the step, for n of 14 and more: without \u2192 with the correction.");
      by_case([&](std::size_t in, std::size_t m, const SchemeEntry* scheme) {
        return two_places(onset_slope(r, in, m, scheme, false)) + "\u00a0\u2192\u00a0" +
               two_places(onset_slope(r, in, m, scheme, true));
      });
    }

    page.section("How it was measured");
    page.paragraph(
        "Every case runs twice at each step: without and with the correction (run.onset). n is the duration of a "
        "contact divided by the step. In the cases of one impact and in the chain the first contact begins at a random "
        "part of a step, and n is not a whole number. So both ends of the contact lie anywhere within a step, as in "
        "any simulation. Orders measured from the first instant of a contact, with a whole number n, do not show the "
        "error that is measured here.");
    page.paragraph(
        "In all cases except cooling the reference is dormand_prince54 with a tolerance of 1e-13 (in the pile 1e-11); "
        "it rejects and shortens steps until each onset is found. Its uncertainty is the change made by ten times the "
        "tolerance. As a check, rk4 runs with small fixed steps without the correction. Its distance from the "
        "reference is its own error, which must fall with the step.");
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
      page.table({"case", "grains", "starts", "contact duration [s]", "end [s]", "contacts per grain", "uncertainty",
                  "distance of rk4"},
                 cases);

    for (std::size_t in = 0; in < r.cases.size(); ++in) {
      const Result::Case& c = r.cases[in];
      page.section("Case " + c.name);
      page.paragraph(sentence(c.words) + ". Law: " + c.law + ".");
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
          "{} smooth spheres with a restitution of {:g} fill a volume fraction of {:g} of a periodic box. First each "
          "sphere has about four elastic collisions; then the gas cools. Haff's law is E / E0 = (1 + t / tau)^-2, with "
          "Enskog's tau = {:.4g} s. It assumes velocities without correlations. Collisions are chaotic: two runs that "
          "differ in the last digit soon have different collisions. So energies also differ by chance. The two runs at "
          "n = {:g}, without and with the correction, measure by how much. The first of them is the reference of the "
          "table.",
          c.grains, c.restitution, c.fraction, c.tau, c.references[0].n));
      std::vector<Page::Row> rows;
      for (const auto* list : {&c.references, &c.runs})
        for (std::size_t k = 0; k + 1 < list->size(); k += 2) {
          const auto &off = (*list)[k], &on = (*list)[k + 1];
          const Cooled a = cooled(c, off), b = cooled(c, on);
          const auto percent = [](Real x) { return fmt::format("{:.2g}", 100 * x); };
          rows.push_back({off.scheme->name, fmt::format("{:g}", off.n), percent(a.energy), percent(b.energy),
                          percent(a.rate), percent(b.rate), fmt::format("{:.3f}", cooling_rate(c, off.energy) * c.tau),
                          fmt::format("{:.3f}", cooling_rate(c, on.energy) * c.tau), brief_number(off.residual),
                          brief_number(on.residual)});
        }
      page.paragraph(
          "Each pair of columns is without and with the correction: error of the energy, error of the rate of cooling, "
          "rate divided by that of Haff's law, residual of the ledger.");
      page.table({"scheme", "n", "energy [%]", "with", "rate [%]", "with", "rate / Haff's", "with", "residual", "with"},
                 rows);
      for (std::size_t k = first[r.cases.size()]; k < report.figures.size(); ++k) put(report.figures[k], "");
    }
    page.paragraph(
        "The folder figures/ has each figure as SVG, with its data (CSV) and its gnuplot script. onset.csv has every "
        "error, slopes.csv every slope, and references.csv describes the references.");
  };
  return s;
}

}  // namespace cairn::studies
