// The figures of the onset study.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cairn/studies/onset/onset_view.hpp"

namespace cairn::studies::onset_view {
namespace {

const Axis steps_axis{"steps per contact", "1", true};

// One curve for each name: a line with the correction, a dotted line without it.
struct Line {
  std::string name;
  std::vector<const Entry*> entries;
};
Figure figure_of(const std::string& name, const std::string& title, const std::vector<Line>& lines) {
  constexpr Real lost = 10;  // larger errors have lost the motion
  std::map<Real, std::vector<Real>> rows;
  for (std::size_t k = 0; k < lines.size(); ++k)
    for (const Entry* e : lines[k].entries) {
      auto& row = rows.try_emplace(e->n, 2 * lines.size(), nan).first->second;
      row[2 * k] = e->on < lost ? e->on : nan, row[2 * k + 1] = e->off < lost ? e->off : nan;
    }
  Figure f{name, title, steps_axis, {"error", "1", true}, {}, {}};
  f.style = Figure::Style::points;
  for (std::size_t k = 0; k < lines.size(); ++k)
    for (const bool without : {false, true})
      f.curves.push_back({lines[k].name + (without ? " without" : ""), {}, static_cast<int>(k), without});
  for (const auto& [n, row] : rows) {
    f.at.push_back(n);
    for (std::size_t k = 0; k < row.size(); ++k) f.curves[k].y.push_back(row[k]);
  }
  return f;
}

// Groups small enough for one figure.
std::vector<Selection> groups(const Selection& schemes) {
  constexpr std::size_t most = 8;
  std::vector<Selection> all;
  for (const SchemeEntry* s : schemes) {
    if (all.empty() || all.back().size() == most) all.emplace_back();
    all.back().push_back(s);
  }
  return all;
}

}  // namespace

std::vector<Figure> figures_of(const Result& r, std::size_t in, const Selection& schemes) {
  const Result::Case& c = r.cases[in];
  const std::vector<Selection> parts = groups(schemes);
  std::vector<Figure> all;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::size_t m = shown_measure(c);
    std::vector<Line> lines;
    for (const SchemeEntry* s : parts[k]) lines.push_back({s->name, entries_of(r, in, m, s)});
    all.push_back(figure_of("error_" + c.name + (parts.size() > 1 ? "_" + std::to_string(k + 1) : ""),
                            "Error of " + spaced(c.measures[m].name) + "; dotted: without the correction", lines));
  }
  if (c.measures.size() == 1) return all;
  const SchemeEntry* usual = usual_of(schemes);
  std::vector<Line> lines;
  for (std::size_t m = 0; m < c.measures.size(); ++m)
    lines.push_back({spaced(c.measures[m].name), entries_of(r, in, m, usual)});
  all.push_back(
      figure_of("measures_" + c.name, "Errors of " + usual->name + "; dotted: without the correction", lines));
  return all;
}

std::vector<Figure> figures_of(const Result::Cooling& c, const Selection& schemes) {
  const SchemeEntry* usual = usual_of(schemes);
  Figure energy{"cooling_energy",
                "Energy of the cooling gas, scheme " + usual->name,
                {"t / tau", "1", false},
                {"energy / initial energy", "1", true},
                {},
                {}};
  for (const Real t : c.times) energy.at.push_back(t / c.tau);
  energy.curves.push_back({"Haff's law", {}});
  for (const Real t : c.times) energy.curves[0].y.push_back(haff(c, t));
  energy.curves.push_back({fmt::format("n = {:g}", c.references[0].n), c.references[0].energy});
  int shown = 0;
  for (const Run& run : c.runs)
    if (run.scheme == usual && ++shown <= 4)
      energy.curves.push_back(
          {fmt::format("n = {:g}{}", run.n, run.onset ? "" : " without"), run.energy, 2 + (shown - 1) / 2, !run.onset});

  Figure error{"cooling_error", "Error of the energy of the cooling gas", steps_axis, {"error", "1", true}, {}, {}};
  error.style = Figure::Style::points;
  const std::size_t count = std::min<std::size_t>(schemes.size(), 4);
  Selection few(schemes.begin(), schemes.begin() + static_cast<std::ptrdiff_t>(count));
  if (std::find(few.begin(), few.end(), usual) == few.end()) few.back() = usual;
  std::map<Real, std::vector<Real>> rows;
  for (std::size_t k = 0; k < few.size(); ++k)
    for (const bool onset : {false, true}) {
      error.curves.push_back({few[k]->name + (onset ? "" : " without"), {}, static_cast<int>(k), !onset});
      for (const Run& run : c.runs)
        if (run.scheme == few[k] && run.onset == onset)
          rows.try_emplace(run.n, 2 * few.size() + 1, nan).first->second[2 * k + (onset ? 1 : 0)] =
              cooled(c, run).energy;
    }
  error.curves.push_back({"chance", {}, static_cast<int>(few.size())});
  for (auto& [n, row] : rows) {
    row.back() = cooled(c, c.references[1]).energy;
    error.at.push_back(n);
    for (std::size_t k = 0; k < row.size(); ++k) error.curves[k].y.push_back(row[k]);
  }
  return {energy, error};
}

}  // namespace cairn::studies::onset_view
