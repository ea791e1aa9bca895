#include "cairn/integrate/equations.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "cairn/core/text.hpp"

namespace cairn {
namespace {

// "h/2" of "1/2", "h", "1.3512071919596578 h".
std::string share_of_step(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return text == "1" ? "h" : text + " h";
  const std::string over = text.substr(0, slash);
  return (over == "1" ? "h" : over + " h") + text.substr(slash);
}

// " + (h/2) a", " - h v"
std::string plus(Real share, const std::string& what) {
  const std::string factor = share_of_step(as_fraction(std::fabs(share)));
  return (share < 0 ? " - " : " + ") + (factor.find('/') == std::string::npos ? factor : "(" + factor + ")") + " " +
         what;
}

// The instant of the velocities beside that of the positions, both in steps and sums of a table's numbers.
std::string instant(Real velocities, Real positions) {
  constexpr Real rounding = 1e-12;
  constexpr std::size_t simple = 4;  // letters: "3/8"
  const Real behind = positions - velocities, size = std::fabs(behind);
  if (size < rounding) return "v at the same time as x";
  std::string steps = as_fraction(size, rounding);
  if (steps.size() > simple) steps = brief(size);
  return "v is " + share_of_step(steps) + (behind > 0 ? " behind x" : " ahead of x");
}

struct Line {
  std::string equation, remark;
};

// Remarks stand below each other.
std::string aligned(const std::vector<Line>& lines) {
  std::size_t width = 0;
  for (const Line& line : lines)
    if (!line.remark.empty()) width = std::max(width, line.equation.size());
  std::string text;
  for (const Line& line : lines) {
    text += line.equation;
    if (!line.remark.empty()) text += std::string(width - line.equation.size() + 3, ' ') + line.remark;
    text += '\n';
  }
  return text;
}

}  // namespace

std::string as_fraction(Real a, Real error) {
  constexpr std::int64_t largest = 2'000'000;
  const Real size = std::fabs(a);
  if (!(size < 1e6)) return to_text(a);
  std::int64_t p0 = 0, q0 = 1, p = 1, q = 0;
  for (Real rest = size;;) {
    const auto whole = static_cast<std::int64_t>(std::floor(rest));
    p0 = std::exchange(p, whole * p + p0);
    q0 = std::exchange(q, whole * q + q0);
    if (q > largest) return to_text(a);
    if (std::fabs(static_cast<Real>(p) / static_cast<Real>(q) - size) <= error) break;
    rest = 1 / (rest - std::floor(rest));
    if (!(rest < 1e9)) return to_text(a);
  }
  const std::string sign = a < 0 ? "-" : "";
  return q == 1 ? sign + std::to_string(p) : sign + std::to_string(p) + "/" + std::to_string(q);
}

std::string splitting_equations(std::span<const Stage> stages, bool staggered, SpringQuadrature quadrature) {
  std::vector<Line> lines;
  Real positions = 0, velocities = 0;  // [steps] the instants they have reached
  if (staggered) {
    lines.push_back({"v <- v - (h/2) a", "only before the first step: v is then half a step behind x"});
    velocities = -0.5;
  }
  std::string springs = quadrature == SpringQuadrature::midpoint ? "springs follow by the midpoint rule"
                                                                 : "springs follow by a fourth-order rule";
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const Stage& stage = stages[k];
    if (stage.implicit)
      lines.push_back({"solve a = a(x, v" + plus(stage.kick, "a") + ")", instant(velocities + stage.kick, positions)});
    if (stage.kick != 0) {
      lines.push_back({"v <- v" + plus(stage.kick, "a"), ""});
      velocities += stage.kick;
    }
    if (stage.drift == 0) continue;
    lines.push_back({"x <- x" + plus(stage.drift, "v"), std::exchange(springs, "")});
    positions += stage.drift;
    const Stage& next = stages[(k + 1) % stages.size()];
    if (next.kick == 0 || next.implicit) continue;
    const std::string by = stage.extrapolate ? "(2 a - a_old)" : "a";
    const std::string seen = stage.predict == 0 ? "v" : "v" + plus(stage.predict, by);
    lines.push_back({"a <- a(x, " + seen + ")",
                     (stage.predict > 0 ? "predicted: " : "") + instant(velocities + stage.predict, positions)});
  }
  const bool extrapolates = std::any_of(stages.begin(), stages.end(), [](const Stage& s) { return s.extrapolate; });
  return aligned(lines) + (extrapolates ? "a_old is a one step earlier; in the first step it is a\n" : "");
}

std::string adams_equations(std::span<const Real> bashforth, std::span<const Real> moulton) {
  std::vector<Line> lines;
  const auto extrapolate = [&](const std::string& result, std::span<const Real> weights, bool from_predicted,
                               const std::string& remark) {
    std::string sum;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const std::size_t ago = i - (from_predicted ? 1 : 0);
      const std::string sign = weights[i] < 0 ? (sum.empty() ? "-" : " - ") : (sum.empty() ? "" : " + ");
      const std::string size = as_fraction(std::fabs(weights[i]));
      sum += sign + (size.find('/') == std::string::npos ? size : "(" + size + ")") + " ";
      sum += from_predicted && i == 0 ? "f(y_p)" : ago == 0 ? "f_n" : "f_{n-" + std::to_string(ago) + "}";
    }
    lines.push_back({result + " <- y + h (" + sum + ")", remark});
  };
  if (!moulton.empty()) {
    extrapolate("y_p", bashforth, false, "predict");
    extrapolate("y", moulton, true, "correct");
  } else {
    extrapolate("y", bashforth, false, "");
  }
  return aligned(lines) + "until " + std::to_string(bashforth.size()) +
         " rates are known: the classical Runge-Kutta method\n";
}

std::string runge_kutta_equations(const ButcherTable& table) {
  // Rows of cells: c | a, then the weights.
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < table.a.size(); ++i) {
    const std::vector<Real>& a = table.a[i];
    Real sum = 0, sizes = 0;
    for (const Real one : a) sum += one, sizes += std::fabs(one);
    std::vector<std::string> row{as_fraction(sum, 1e-15 * sizes)};  // terms cancel, what they were rounded by does not
    std::size_t last = i;  // an explicit method's triangle, or as far as the row goes
    for (std::size_t j = i; j < a.size(); ++j)
      if (a[j] != 0) last = j + 1;
    for (std::size_t j = 0; j < last; ++j) row.push_back(as_fraction(a[j]));
    rows.push_back(row);
  }
  const auto add_weights = [&](const std::string& name, const std::vector<Real>& weights) {
    std::vector<std::string> row{name};
    for (const Real w : weights) row.push_back(as_fraction(w));
    rows.push_back(row);
  };
  add_weights("b", table.b);
  if (!table.embedded.empty()) add_weights("b'", table.embedded);

  std::vector<std::size_t> widths(table.b.size() + 1);
  for (const auto& row : rows)
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], row[j].size());
  std::string text = "k_i = f(t + c_i h, y + h (a_i1 k_1 + a_i2 k_2 + ...))\ny <- y + h (b_1 k_1 + b_2 k_2 + ...)\n";
  if (!table.embedded.empty()) text += "error: h ((b_1 - b'_1) k_1 + (b_2 - b'_2) k_2 + ...)\n";
  text += '\n';
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line;
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      line += rows[i][j] + std::string(widths[j] - rows[i][j].size(), ' ');
      line += j == 0 ? " |" : "";
      line += j + 1 < rows[i].size() ? (j == 0 ? " " : "  ") : "";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (i == table.a.size()) {
      const std::size_t width = std::accumulate(widths.begin() + 1, widths.end(), 2 * (widths.size() - 2));
      text += std::string(widths[0] + 1, '-') + "+" + std::string(width + 1, '-') + "\n";
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace cairn
