// A plot as data: what reports and studies show. Beside each other it becomes NAME.csv, NAME.gp (a gnuplot script that
// runs from its own folder) and NAME.svg, and in a page (render/page.hpp) a chart.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

struct Axis {
  std::string label;
  std::string unit = "1";    // "1": a number without
  bool logarithmic = false;  // values that are not above zero are left out
};

struct Curve {
  std::string name;       // also its column
  std::vector<Real> y;    // as many as the figure's x; NaN where there is none
  int colour = -1;        // number of a curve_colour; -1: that of its place in the figure
  bool dotted = false;    // a line without points, for comparison
  bool marks = false;     // points without a line
  std::vector<Real> x{};  // in a plane: of its points, as many as y; NaN in both where the pen is lifted
};

// Those with the largest values, in their order, where there are more than `most`.
std::vector<Curve> highest(std::vector<Curve> curves, std::size_t most);

struct Figure {
  enum class Style {
    lines,
    points,   // joined by lines
    stacked,  // areas on top of each other
    plane     // curves that may turn back and close, each with its own x; the axes have one scale
  };
  std::string name;  // of its files
  std::string title;
  Axis x, y;
  std::vector<Real> at;  // the x of every curve; empty in a plane
  std::vector<Curve> curves;
  Style style = Style::lines;
};

// "#rrggbb": told apart by colour-blind readers too (the first six of Okabe & Ito's).
inline constexpr std::size_t curve_colour_count = 9;
const char* curve_colour(std::size_t number);
const char* curve_colour(const Figure& figure, std::size_t k);  // of its k-th curve

// "label [unit]", or the label alone.
std::string axis_title(const Axis& axis);

// Writes the files of all figures into `folder`; false if there is no gnuplot, and so no SVG. A figure without a point
// that its axes can show has none either.
bool write_figures(const std::string& folder, std::span<const Figure> figures);

}  // namespace cairn
