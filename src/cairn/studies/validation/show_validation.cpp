#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "cairn/core/constants.hpp"
#include "cairn/core/text.hpp"
#include "cairn/studies/validation/validation.hpp"

namespace cairn::studies {
namespace {

// Relative amounts in percent, others in the row's unit.
std::string amount(const ValidationRow& row, Real a, const char* sign) {
  if (row.relative) return fmt::format("{}{:.2g} %", a >= 0 ? sign : "", 100 * a);
  return (a >= 0 ? sign : "") + fmt::format("{:.2g}", a) + (row.unit == "1" ? "" : " " + row.unit);
}
std::string with_unit(const ValidationRow& row, Real a) {
  return fmt::format("{:.7g}", a) + (row.unit == "1" ? "" : " " + row.unit);
}
const char* verdict(const ValidationRow& row) {
  return row.holds() ? "yes" : "NO";
}

const Page::Row head{"case", "quantity", "reference", "Cairn", "deviation", "bound", "holds"};

Page::Row shown_row(const ValidationRow& row) {
  return {row.test,
          row.quantity,
          with_unit(row, row.expected),
          with_unit(row, row.found),
          amount(row, row.deviation(), "+"),
          amount(row, row.bound, ""),
          verdict(row)};
}

std::string slug(const std::string& text) {
  std::string out;
  for (const unsigned char c : text)
    if (std::isalnum(c))
      out += static_cast<char>(std::tolower(c));
    else if (!out.empty() && out.back() != '_')
      out += '_';
  return out.substr(0, out.find_last_not_of('_') + 1);
}

// "force [N]"
Axis axis_of(const std::string& words) {
  const std::size_t open = words.find(" [");
  if (open == words.npos || words.back() != ']') return {words};
  return {words.substr(0, open), words.substr(open + 2, words.size() - open - 3)};
}

// The value of a curve between its points; NaN beyond them.
Real value_at(const std::vector<Real>& at, const std::vector<Real>& y, Real x) {
  const auto after = std::lower_bound(at.begin(), at.end(), x);
  if (after == at.end() || (after == at.begin() && *after > x)) return nan;
  const auto k = static_cast<std::size_t>(after - at.begin());
  return *after == x ? y[k] : y[k - 1] + (x - at[k - 1]) / (at[k] - at[k - 1]) * (y[k] - y[k - 1]);
}

// The points and the curve over one common x.
Figure figure_of(const ValidationFigure& from) {
  Figure f{slug(from.test + " " + from.title), from.test + ": " + from.title, axis_of(from.x), axis_of(from.y), {}, {}};
  std::map<Real, Real> points;  // NaN at those of the curve
  for (const Real x : from.expected_x) points.try_emplace(x, nan);
  for (std::size_t k = 0; k < from.found_x.size(); ++k) points[from.found_x[k]] = from.found_y[k];
  Curve reference{"reference", {}}, found{"Cairn", {}};
  reference.colour = 6, found.colour = 0, found.marks = true;
  for (const auto& [x, y] : points) {
    f.at.push_back(x);
    reference.y.push_back(value_at(from.expected_x, from.expected_y, x)), found.y.push_back(y);
  }
  f.curves = {reference, found};
  return f;
}

// The row whose deviation is the largest share of its bound.
const ValidationRow* closest(const ValidationResult& r) {
  const auto share = [](const ValidationRow& row) {
    return row.bound > 0 ? std::fabs(row.deviation()) / row.bound : row.holds() ? 0.0 : 1e300;
  };
  const auto at =
      std::max_element(r.rows.begin(), r.rows.end(), [&](const auto& a, const auto& b) { return share(a) < share(b); });
  return at == r.rows.end() ? nullptr : &*at;
}

std::string words_of(const ValidationRow& row) {
  return fmt::format("{}, {}: Cairn {}, reference {}, deviation {}, bound {}", row.test, row.quantity,
                     with_unit(row, row.found), with_unit(row, row.expected), amount(row, row.deviation(), "+"),
                     amount(row, row.bound, ""));
}

std::vector<std::string> findings_of(const ValidationResult& r) {
  const auto failed = r.failed();
  std::vector<std::string> all;
  if (failed.empty()) {
    all.push_back(fmt::format("All {} comparisons hold.", r.rows.size()));
    if (const ValidationRow* row = closest(r)) all.push_back("Closest to its bound: " + words_of(*row) + ".");
    return all;
  }
  all.push_back(fmt::format("{} OF {} COMPARISONS DO NOT HOLD.", failed.size(), r.rows.size()));
  for (const ValidationRow* row : failed) all.push_back("Outside its bound: " + words_of(*row) + ".");
  return all;
}

std::vector<std::string> tests_of(const ValidationResult& r) {
  std::vector<std::string> all;
  for (const ValidationRow& row : r.rows)
    if (std::find(all.begin(), all.end(), row.test) == all.end()) all.push_back(row.test);
  return all;
}

}  // namespace

StudyReport show(const ValidationResult& r) {
  StudyReport s;
  s.name = "validation";
  s.title = "Validation";
  s.subtitle = fmt::format("A study by Cairn {}: Cairn compared with independent references, {}, scheme {}",
                           CAIRN_VERSION, r.settings.quick ? "quick" : "full", r.settings.scheme->name);
  s.findings = findings_of(r);
  s.head = head;
  for (const ValidationRow& row : r.rows) s.rows.push_back(shown_row(row));
  ResultTable table{"validation",
                    {{"test", "1"},
                     {"quantity", "1"},
                     {"unit", "1"},
                     {"reference", "1"},
                     {"found", "1"},
                     {"deviation", "1"},
                     {"bound", "1"},
                     {"relative", "1"},
                     {"holds", "1"},
                     {"source", "1"}},
                    {}};
  for (const ValidationRow& row : r.rows)
    table.rows.push_back({row.test, row.quantity, row.unit, row.expected, row.found, row.deviation(), row.bound,
                          static_cast<std::int64_t>(row.relative), static_cast<std::int64_t>(row.holds()), row.source});
  s.tables = {table};
  std::vector<std::pair<std::string, std::size_t>> drawn;  // test, figure
  for (const ValidationFigure& f : r.figures) {
    drawn.push_back({f.test, s.figures.size()});
    s.figures.push_back(figure_of(f));
  }
  s.body = [r, drawn](const StudyReport& report, Page& page, const StudyReport::Put& put) {
    const std::size_t failed = r.failed().size();
    const Page::Card cards[] = {
        {"Comparisons", std::to_string(r.rows.size()), fmt::format("in {} cases", tests_of(r).size())},
        {"Outside their bounds", std::to_string(failed), failed == 0 ? "all hold" : "see below"},
        {"Scheme", r.settings.scheme->name, "for the cases of few grains"}};
    page.cards(cards);
    for (const std::string& finding : report.findings) failed > 0 ? page.warning(finding) : page.paragraph(finding);
    page.paragraph(
        "Each reference is a closed form, a paper, or a second method that shares no code with the engine. Each bound "
        "follows from the step, the order of the scheme, and the terms that the reference neglects; see "
        "docs/validation.md. In the figures the points are Cairn's results and the line is the reference.");
    for (const std::string& test : tests_of(r)) {
      page.section(test);
      std::vector<Page::Row> rows;
      for (const ValidationRow& row : r.rows)
        if (row.test == test) {
          Page::Row shown_as = shown_row(row);
          shown_as[0] = row.quantity, shown_as[1] = row.source;
          rows.push_back(shown_as);
        }
      page.table({"quantity", "source", "reference", "Cairn", "deviation", "bound", "holds"}, rows);
      for (const auto& [of, figure] : drawn)
        if (of == test) put(report.figures[figure], "");
    }
    page.paragraph(
        "The folder figures/ has each figure as SVG, with its data (CSV) and its gnuplot script. validation.csv has "
        "every comparison with all digits.");
  };
  return s;
}

std::string markdown_of(const ValidationResult& r) {
  std::string text;
  const auto add = [&](const Page::Row& row) {
    for (const std::string& cell : row) text += "| " + cell + " ";
    text += "|\n";
  };
  Page::Row with_source = head;
  with_source.push_back("source of the reference");
  add(with_source);
  add(Page::Row(with_source.size(), "---"));
  for (const ValidationRow& row : r.rows) {
    Page::Row cells = shown_row(row);
    cells.push_back(row.source);
    add(cells);
  }
  return text;
}

}  // namespace cairn::studies
