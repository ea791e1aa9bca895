// The tables of the onset study, as it writes them to CSV files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/studies/onset/onset_view.hpp"

namespace cairn::studies::onset_view {
namespace {

ResultTable errors_table(const Result& r) {
  ResultTable t{"onset",
                {{"case", "1"},
                 {"law", "1"},
                 {"scheme", "1"},
                 {"measure", "1"},
                 {"n", "1"},
                 {"h", "s"},
                 {"error_off", "1"},
                 {"error_on", "1"},
                 {"gain", "1"},
                 {"residual_off", "1"},
                 {"residual_on", "1"},
                 {"uncertainty", "1"},
                 {"resolved", "1"}},
                {}};
  for (const Entry& e : r.entries) {
    const Result::Case& c = r.cases[e.in];
    t.rows.push_back({c.name, c.law, e.scheme->name, c.measures[e.measure].name, e.n, c.contact / e.n, e.off, e.on,
                      e.gain(), e.residual_off, e.residual_on, c.uncertainty[e.measure],
                      static_cast<std::int64_t>(e.resolved)});
  }
  return t;
}

ResultTable slopes_table(const Result& r) {
  ResultTable t{"slopes",
                {{"case", "1"}, {"law", "1"}, {"scheme", "1"}, {"measure", "1"}, {"slope_off", "1"}, {"slope_on", "1"}},
                {}};
  for (std::size_t in = 0; in < r.cases.size(); ++in)
    for (std::size_t m = 0; m < r.cases[in].measures.size(); ++m)
      for (const SchemeEntry* s : schemes_of(r))
        t.rows.push_back({r.cases[in].name, r.cases[in].law, s->name, r.cases[in].measures[m].name,
                          onset_slope(r, in, m, s, false), onset_slope(r, in, m, s, true)});
  return t;
}

ResultTable references_table(const Result& r) {
  ResultTable t{"references",
                {{"case", "1"},
                 {"measure", "1"},
                 {"grains", "1"},
                 {"contact", "s"},
                 {"end", "s"},
                 {"contacts_begun", "1"},
                 {"uncertainty", "1"},
                 {"check_scheme", "1"},
                 {"check_n", "1"},
                 {"check_error", "1"}},
                {}};
  for (const Result::Case& c : r.cases)
    for (std::size_t m = 0; m < c.measures.size(); ++m)
      for (const Result::Check& check : c.checks)
        t.rows.push_back({c.name, c.measures[m].name, c.grains, c.contact, c.end, c.collisions, c.uncertainty[m],
                          check.scheme, check.n, check.error[m]});
  return t;
}

ResultTable cooling_table(const Result::Cooling& c) {
  ResultTable t{"cooling",
                {{"scheme", "1"},
                 {"n", "1"},
                 {"onset", "1"},
                 {"energy_error", "1"},
                 {"rate_error", "1"},
                 {"rate_over_haff", "1"},
                 {"residual", "1"}},
                {}};
  for (const auto* list : {&c.references, &c.runs})
    for (const Run& run : *list) {
      const Cooled e = cooled(c, run);
      t.rows.push_back({run.scheme->name, run.n, text(run.onset ? "on" : "off"), e.energy, e.rate,
                        cooling_rate(c, run.energy) * c.tau, run.residual});
    }
  return t;
}

ResultTable energies_table(const Result::Cooling& c) {
  ResultTable t{
      "cooling_energy", {{"scheme", "1"}, {"n", "1"}, {"onset", "1"}, {"t", "s"}, {"energy", "1"}, {"haff", "1"}}, {}};
  for (const auto* list : {&c.references, &c.runs})
    for (const Run& run : *list)
      for (std::size_t k = 0; k < c.times.size(); ++k)
        t.rows.push_back(
            {run.scheme->name, run.n, text(run.onset ? "on" : "off"), c.times[k], run.energy[k], haff(c, c.times[k])});
  return t;
}

}  // namespace

std::vector<ResultTable> tables_of(const Result& r) {
  std::vector<ResultTable> tables{errors_table(r), slopes_table(r), references_table(r)};
  if (r.cooling.grains > 0) tables.push_back(cooling_table(r.cooling)), tables.push_back(energies_table(r.cooling));
  return tables;
}

}  // namespace cairn::studies::onset_view
