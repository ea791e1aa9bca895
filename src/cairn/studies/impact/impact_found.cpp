#include "cairn/studies/impact/impact_found.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/core/constants.hpp"

namespace cairn::studies {
namespace {}  // namespace

std::string percent(Real a) {
  return std::isfinite(a) ? fmt::format("{:.3g}\u00a0%", a) : "-";
}

std::string From::words(int last) const {
  if (!known) return "not measured";
  if (n == 0) return fmt::format("not reached at n = {}", last);
  return fmt::format("from n = {}{}", n,
                     first()          ? ", the smallest that ran"
                     : before < n - 1 ? fmt::format("; the next smaller n that ran is {}", before)
                                      : "");
}
std::string From::brief() const {
  return n == 0 ? "-" : fmt::format("{}{}", first() ? "\u2264\u00a0" : "", n);
}

const SchemeEntry* ImpactFound::scheme(std::string_view name) const {
  for (const SchemeEntry* s : r_.settings.schemes)
    if (is_called(*s, name)) return s;
  return nullptr;
}

Real ImpactFound::ard(std::string_view name, int n, std::size_t m) const {
  for (const ImpactResult::Accuracy& a : r_.accuracy)
    if (is_called(*a.scheme, name) && a.n == n) return a.ard[m];
  return nan;
}

Real ImpactFound::dev(std::string_view name, Onset onset, int n, std::size_t m) const {
  for (const ImpactResult::Grid& g : r_.grid)
    if (is_called(*g.scheme, name) && g.onset == onset && g.n == n) return g.dev[m];
  return nan;
}

Real ImpactFound::tot(std::string_view name, Onset onset, int n, std::size_t m) const {
  for (const ImpactResult::Grid& g : r_.grid)
    if (is_called(*g.scheme, name) && g.onset == onset && g.n == n) return g.tot[m];
  return nan;
}

bool ImpactFound::has(const std::vector<const char*>& schemes) const {
  return std::all_of(schemes.begin(), schemes.end(), [&](const char* name) { return scheme(name); });
}

bool ImpactFound::documents_impacts() const {
  const ImpactSettings& s = r_.settings;
  return s.angles == impact_angles("mid") && s.speed == ImpactSettings{}.speed;
}

From ImpactFound::below(const std::vector<std::pair<int, Real>>& errors, Real level) {
  From f;
  f.known = !errors.empty();
  for (const auto& [n, error] : errors)
    if (!(error < level)) f.above.push_back(n);
  for (std::size_t k = errors.size(); k-- > 0 && errors[k].second < level;)
    f.n = errors[k].first, f.before = k > 0 ? errors[k - 1].first : 0;
  return f;
}

From ImpactFound::below(std::string_view name, std::size_t m, Real level) const {
  std::vector<std::pair<int, Real>> errors;
  for (const ImpactResult::Accuracy& a : r_.accuracy)
    if (is_called(*a.scheme, name)) errors.push_back({a.n, a.ard[m]});
  return below(errors, level);
}

From ImpactFound::grid_below(std::string_view name, Onset onset, std::size_t m, Real level) const {
  std::vector<std::pair<int, Real>> errors;
  for (const ImpactResult::Grid& g : r_.grid)
    if (is_called(*g.scheme, name) && g.onset == onset) errors.push_back({g.n, g.dev[m]});
  return below(errors, level);
}

From ImpactFound::better(std::string_view name, std::string_view other, std::size_t m) const {
  std::vector<std::pair<int, Real>> ratios;
  for (const ImpactResult::Accuracy& a : r_.accuracy)
    if (is_called(*a.scheme, name)) ratios.push_back({a.n, a.ard[m] / ard(other, a.n, m)});
  return below(ratios, 1);
}

Real step_cost(const ImpactResult& r, const ImpactResult::Cost& c, Costing costing) {
  const Real rest = r.taylor2_step * (1 - r.settings.share) / r.settings.share;
  switch (costing) {
    case Costing::integration:
      return c.step / r.euler_step;
    case Costing::shared:
      return (c.step + rest) / (r.euler_step + rest);
    case Costing::bed:
      return c.bed_step / r.euler_bed_step;
  }
  return nan;
}

const ImpactResult::Cost* cost_of(const ImpactResult& r, const SchemeEntry* scheme) {
  for (const ImpactResult::Cost& c : r.costs)
    if (c.scheme == scheme) return &c;
  return nullptr;
}

std::string words_of(const ImpactResult& r, Costing costing) {
  switch (costing) {
    case Costing::integration:
      return "integration alone";
    case Costing::shared:
      return fmt::format("integration {:.3g} % of a step of taylor2", 100 * r.settings.share);
    case Costing::bed:
      return "in a dense bed of Cairn";
  }
  return {};
}

std::vector<Ranked> ranking(const ImpactResult& r, std::size_t m, Costing costing) {
  const ImpactFound found(r);
  std::vector<Ranked> all;
  for (const ImpactResult::Cost& c : r.costs)
    if (const From f = found.below(c.scheme->name, m, impact_measures[m].model / 2); f.n > 0)
      all.push_back({c.scheme, f, f.n * step_cost(r, c, costing)});
  std::stable_sort(all.begin(), all.end(), [](const Ranked& a, const Ranked& b) { return a.cost < b.cost; });
  return all;
}

std::string place(const std::vector<Ranked>& all, std::size_t k) {
  if (k >= all.size()) return "-";
  return fmt::format("{} ({} steps, cost {:.3g})", all[k].scheme->name, all[k].from.brief(), all[k].cost);
}
}  // namespace cairn::studies
