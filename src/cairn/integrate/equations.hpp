// What a step of a scheme does, in words of mathematics, from the table the engines read. A scheme with a step of its
// own says it itself (Claims::equations).
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cairn/integrate/scheme.hpp"

namespace cairn {

// "2/3" for a number within `error` of it, by continued fractions; one that is near no fraction with a denominator of
// up to two millions as the shortest decimals that read back as the same bits.
std::string as_fraction(Real a, Real error);
inline std::string as_fraction(Real a) {
  return as_fraction(a, 1e-15 * (a < 0 ? -a : a));
}

// One line per kick, drift and force, with the instant of the velocity the force sees.
std::string splitting_equations(std::span<const Stage> stages, bool staggered, SpringQuadrature quadrature);

// Adams methods by their weights, newest rate first; `moulton` is empty where nothing is corrected.
std::string adams_equations(std::span<const Real> bashforth, std::span<const Real> moulton);

// The Butcher table; `embedded` is empty where there is no second result.
struct ButcherTable {
  std::vector<std::vector<Real>> a;
  std::vector<Real> b, embedded;
};
std::string runge_kutta_equations(const ButcherTable& table);

template <int N>
ButcherTable butcher_table(const Tableau<N>& t) {
  ButcherTable table;
  for (const auto& row : t.a) table.a.emplace_back(row.begin(), row.end());
  table.b.assign(t.b.begin(), t.b.end());
  if (t.embedded != decltype(t.embedded){}) table.embedded.assign(t.embedded.begin(), t.embedded.end());
  return table;
}

// One per line, each ended.
template <class Scheme>
std::string equations() {
  std::string lines;
  if constexpr (requires { Scheme::stages; })
    lines = splitting_equations(Scheme::stages, is_staggered<Scheme>, spring_quadrature_of<Scheme>);
  else if constexpr (requires { Scheme::tableau; })
    lines = runge_kutta_equations(butcher_table(Scheme::tableau));
  else if constexpr (requires { Scheme::moulton; })
    lines = adams_equations(Scheme::bashforth, Scheme::moulton);
  else if constexpr (requires { Scheme::bashforth; })
    lines = adams_equations(Scheme::bashforth, {});
  lines += Scheme::claims.equations;
  if (!lines.empty() && lines.back() != '\n') lines += '\n';
  return lines;
}

}  // namespace cairn
