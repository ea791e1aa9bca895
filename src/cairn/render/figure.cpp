#include "cairn/render/figure.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/table.hpp"

namespace cairn {
namespace {

std::size_t colour_number(const Figure& figure, std::size_t k) {
  return figure.curves[k].colour < 0 ? k : static_cast<std::size_t>(figure.curves[k].colour);
}

// In gnuplot's single quotes.
std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c == '\n' ? ' ' : c;
  }
  return out + "'";
}

bool in_plane(const Figure& figure) {
  return figure.style == Figure::Style::plane;
}

// Two columns of each curve, x and y; the shorter ones end in NaN.
void write_plane_csv(const std::string& path, const Figure& figure) {
  std::vector<Table::Column> columns;
  std::size_t longest = 0;
  for (const Curve& curve : figure.curves) {
    columns.push_back({Table::name_of(curve.name + ": " + figure.x.label), figure.x.unit});
    columns.push_back({Table::name_of(curve.name + ": " + figure.y.label), figure.y.unit});
    longest = std::max(longest, curve.x.size());
  }
  Table table = Table::create(path, CAIRN_VERSION, columns);
  for (std::size_t k = 0; k < longest; ++k) {
    std::vector<Table::Cell> row;
    for (const Curve& curve : figure.curves)
      for (const std::vector<Real>* values : {&curve.x, &curve.y})
        row.push_back(k < values->size() ? (*values)[k] : nan);
    table.row(row);
  }
  table.close();
}

void write_csv(const std::string& path, const Figure& figure) {
  if (in_plane(figure)) return write_plane_csv(path, figure);
  std::vector<Table::Column> columns{{figure.x.label, figure.x.unit}};
  for (const Curve& curve : figure.curves) columns.push_back({Table::name_of(curve.name), figure.y.unit});
  Table table = Table::create(path, CAIRN_VERSION, columns);
  std::vector<Table::Cell> row(columns.size());
  for (std::size_t k = 0; k < figure.at.size(); ++k) {
    row[0] = figure.at[k];
    for (std::size_t c = 0; c < figure.curves.size(); ++c) row[c + 1] = figure.curves[c].y[k];
    table.row(row);
  }
  table.close();
}

// At least as wide as high, or the numbers below would not fit.
std::string plane_ranges(const Figure& figure) {
  constexpr Real margin = 0.03;
  struct Span {
    Real low = std::numeric_limits<Real>::infinity(), high = -low;
    void hold(const std::vector<Real>& values) {
      for (const Real a : values)
        if (std::isfinite(a)) low = std::min(low, a), high = std::max(high, a);
    }
    Real size() const { return high - low; }
    void widen(Real by) { low -= by, high += by; }
  } x, y;
  for (const Curve& curve : figure.curves) x.hold(curve.x), y.hold(curve.y);
  if (!(x.size() >= 0 && y.size() >= 0)) return "";
  x.widen(margin * x.size()), y.widen(margin * y.size());
  if (x.size() < y.size()) x.widen(0.5 * (y.size() - x.size()));
  const auto range = [](const char* axis, const Span& of) {
    return std::string("set ") + axis + "range [" + to_text(of.low) + ":" + to_text(of.high) + "]\n";
  };
  return range("x", x) + range("y", y);
}

std::string script(const Figure& figure) {
  // Of the key, which the figure grows with.
  constexpr std::size_t most_rows = 24;
  const std::size_t rows = std::min(most_rows, figure.curves.size());
  const std::size_t columns = 1 + (std::max<std::size_t>(1, figure.curves.size()) - 1) / most_rows;
  std::string text = "# gnuplot " + figure.name + ".gp draws " + figure.name + ".svg from " + figure.name +
                     ".csv\n"
                     "reset\n"
                     "set terminal svg size " +
                     std::to_string(900 + 280 * (columns - 1)) + "," +
                     std::to_string(std::max<std::size_t>(460, 110 + 22 * rows)) +
                     " dynamic noenhanced font 'Helvetica,14' background 'white'\n"
                     "set output " +
                     in_quotes(figure.name + ".svg") +
                     "\n"
                     "set datafile separator comma\n" +
                     // A missing x would be skipped, and the line go on.
                     (in_plane(figure) ? "" : "set datafile missing 'nan'\n") +
                     "set key outside right top noautotitle maxrows " + std::to_string(most_rows) +
                     "\n"
                     "set grid lc rgb '#dddddd'\n"
                     "set border 3 lc rgb '#666666'\n"
                     "set tics nomirror\n"
                     "set title " +
                     in_quotes(figure.title) + "\nset xlabel " + in_quotes(axis_title(figure.x)) + "\nset ylabel " +
                     in_quotes(axis_title(figure.y)) + "\n";
  if (figure.x.logarithmic) text += "set logscale x\nset format x '%g'\n";
  if (figure.y.logarithmic) text += "set logscale y\nset format y '%g'\n";
  if (in_plane(figure))
    text += "set size ratio -1\n" + plane_ranges(figure);
  else if (!figure.x.logarithmic)
    text += "set autoscale xfix\n";
  text += "set key autotitle columnheader\nplot";
  const std::size_t n = figure.curves.size();
  for (std::size_t k = 0; k < n; ++k) {
    // Stacked areas are drawn from the whole sum down, each over the ones behind it.
    const std::size_t c = figure.style == Figure::Style::stacked ? n - 1 - k : k;
    const std::string x = in_plane(figure) ? std::to_string(2 * c + 1) : "1";
    std::string value = "$" + std::to_string(in_plane(figure) ? 2 * c + 2 : c + 2);
    if (figure.style == Figure::Style::stacked)
      for (std::size_t below = c; below-- > 0;) value = "$" + std::to_string(below + 2) + "+" + value;
    const char* with = figure.curves[c].marks                   ? "points pt 7 ps 0.6"
                       : figure.curves[c].dotted                ? "lines lw 2"
                       : figure.style == Figure::Style::points  ? "linespoints lw 2 pt 7 ps 0.5"
                       : figure.style == Figure::Style::stacked ? "filledcurves y=0"
                                                                : "lines lw 2";
    // Where colours come again, dashes tell curves apart.
    const std::string dashes = figure.style == Figure::Style::stacked || figure.curves[c].marks ? ""
                               : figure.curves[c].dotted
                                   ? " dt 3"
                                   : " dt " + std::to_string(1 + colour_number(figure, c) / curve_colour_count % 5);
    text += std::string(k > 0 ? "," : "") + " \\\n  " + in_quotes(figure.name + ".csv") + " using " + x + ":(" + value +
            ") with " + with + dashes + " lc rgb '" + curve_colour(figure, c) + "' title " +
            in_quotes(figure.curves[c].name);
  }
  return text + "\nunset output\n";
}

// A point at least: gnuplot ends where there is none, and would leave the figures after it undrawn.
bool has_points(const Figure& figure) {
  const auto shown = [](Real value, const Axis& axis) {
    return std::isfinite(value) && (!axis.logarithmic || value > 0);
  };
  for (const Curve& curve : figure.curves) {
    const std::vector<Real>& x = in_plane(figure) ? curve.x : figure.at;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (shown(x[k], figure.x) && shown(curve.y[k], figure.y)) return true;
  }
  return false;
}

// Runs gnuplot on the scripts, in `folder`; false if it is not there or fails.
bool run_gnuplot(const std::string& folder, std::span<const Figure> figures) {
  std::vector<std::string> words{"gnuplot"};
  for (const Figure& figure : figures)
    if (has_points(figure)) words.push_back(figure.name + ".gp");
  if (words.size() == 1) return true;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", stream == STDIN_FILENO ? 0 : 1, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return false;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

const char* curve_colour(const Figure& figure, std::size_t k) {
  return curve_colour(colour_number(figure, k));
}

std::vector<Curve> highest(std::vector<Curve> curves, std::size_t most) {
  if (curves.size() <= most) return curves;
  std::vector<std::pair<Real, std::size_t>> order;  // descending: less the peak, place
  for (std::size_t k = 0; k < curves.size(); ++k) {
    Real peak = -std::numeric_limits<Real>::infinity();
    for (const Real a : curves[k].y) peak = a > peak ? a : peak;
    order.emplace_back(-peak, k);
  }
  std::sort(order.begin(), order.end());
  order.resize(most);
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Curve> kept;
  for (const auto& [peak, k] : order) kept.push_back(std::move(curves[k]));
  return kept;
}

std::string axis_title(const Axis& axis) {
  return axis.unit == "1" ? axis.label : axis.label + " [" + axis.unit + "]";
}

bool write_figures(const std::string& folder, std::span<const Figure> figures) {
  make_folder(folder);
  for (const Figure& figure : figures) {
    std::error_code ignored;
    std::filesystem::remove(folder + "/" + figure.name + ".svg", ignored);  // never one of other data
    write_csv(folder + "/" + figure.name + ".csv", figure);
    write_file_atomically(folder + "/" + figure.name + ".gp", script(figure));
  }
  return figures.empty() || run_gnuplot(folder, figures);
}

}  // namespace cairn
