#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "cairn/io/words.hpp"
#include "cairn/studies/impact.hpp"

namespace cairn::studies {
namespace {

using Result = ImpactResult;

constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
enum Index : std::size_t { e_n, e_t, beta, omega };  // of impact_measures
constexpr Onset onsets[] = {Onset::sampled, Onset::simulated, Onset::corrected};
constexpr const char* onset_words[] = {"as the document defines it", "in a simulation", "with the onset correction"};

std::string text(std::string_view a) {
  return std::string(a);
}
std::string percent(Real a) {
  return std::isfinite(a) ? fmt::format("{:.3g}\u00a0%", a) : "-";
}
std::string number(Real a) {
  return std::isfinite(a) ? fmt::format("{:.3g}", a) : "-";
}

// Where an error falls below a level and stays.
struct From {
  int n = 0;           // 0: it does not
  bool first = false;  // the coarsest that was measured: perhaps before
  bool known = false;

  std::vector<int> above{};  // n measured at which the error is not below

  bool by(int most) const { return n > 0 && n <= most; }
  bool holds_above(int m) const { return n > 0 && (above.empty() || above.back() <= m); }
  std::string words(int last) const {
    if (!known) return "not measured";
    if (n == 0) return fmt::format("not up to {}", last);
    return fmt::format("{}n = {}", first ? "already at " : "from ", n);
  }
  std::string brief() const { return n == 0 ? "-" : fmt::format("{}{}", first ? "\u2264\u00a0" : "", n); }
};

// What was found, by scheme and n.
class Found {
 public:
  explicit Found(const Result& r) : r_(r) {}

  const SchemeEntry* scheme(std::string_view name) const {
    for (const SchemeEntry* s : r_.settings.schemes)
      if (s->claims.name == name) return s;
    return nullptr;
  }
  int last() const { return r_.settings.steps.back(); }

  Real ard(std::string_view name, int n, std::size_t m) const {
    for (const Result::Accuracy& a : r_.accuracy)
      if (a.scheme->claims.name == name && a.n == n) return a.ard[m];
    return nan;
  }
  const Result::Grid* grid(std::string_view name, Onset onset, int n) const {
    for (const Result::Grid& g : r_.grid)
      if (g.scheme->claims.name == name && g.onset == onset && g.n == n) return &g;
    return nullptr;
  }
  Real dev(std::string_view name, Onset onset, int n, std::size_t m) const {
    const Result::Grid* g = grid(name, onset, n);
    return g ? g->dev[m] : nan;
  }
  From below(std::string_view name, std::size_t m, Real level) const {
    std::vector<std::pair<int, Real>> errors;
    for (const Result::Accuracy& a : r_.accuracy)
      if (a.scheme->claims.name == name) errors.push_back({a.n, a.ard[m]});
    return below(errors, level);
  }
  From grid_below(std::string_view name, Onset onset, std::size_t m, Real level) const {
    std::vector<std::pair<int, Real>> errors;
    for (const Result::Grid& g : r_.grid)
      if (g.scheme->claims.name == name && g.onset == onset) errors.push_back({g.n, g.dev[m]});
    return below(errors, level);
  }
  // From where on every error of `name` is below that of `other`.
  From better(std::string_view name, std::string_view other, std::size_t m) const {
    std::vector<std::pair<int, Real>> ratios;
    for (const Result::Accuracy& a : r_.accuracy)
      if (a.scheme->claims.name == name) ratios.push_back({a.n, a.ard[m] / ard(other, a.n, m)});
    return below(ratios, 1);
  }

 private:
  static From below(const std::vector<std::pair<int, Real>>& errors, Real level) {
    From f;
    f.known = !errors.empty();
    for (const auto& [n, error] : errors)
      if (!(error < level)) f.above.push_back(n);
    for (std::size_t k = errors.size(); k-- > 0 && errors[k].second < level;) f.n = errors[k].first, f.first = k == 0;
    return f;
  }

  const Result& r_;
};

// --- Costs: what n steps cost, in steps of forward_euler
// ---------------------------------------------------------------

enum class Costing { integration, shared, bed };
constexpr Costing costings[] = {Costing::integration, Costing::shared, Costing::bed};

Real step_cost(const Result& r, const Result::Cost& c, Costing costing) {
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
const Result::Cost* cost_of(const Result& r, const SchemeEntry* scheme) {
  for (const Result::Cost& c : r.costs)
    if (c.scheme == scheme) return &c;
  return nullptr;
}
std::string costing_words(const Result& r, Costing costing) {
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

struct Ranked {
  const SchemeEntry* scheme;
  From from;
  Real cost;
};
// Who stays below half the model's error for the least, the cheapest first.
std::vector<Ranked> ranking(const Result& r, std::size_t m, Costing costing) {
  const Found found(r);
  std::vector<Ranked> all;
  for (const Result::Cost& c : r.costs)
    if (const From f = found.below(c.scheme->claims.name, m, impact_measures[m].model / 2); f.n > 0)
      all.push_back({c.scheme, f, f.n * step_cost(r, c, costing)});
  std::stable_sort(all.begin(), all.end(), [](const Ranked& a, const Ranked& b) { return a.cost < b.cost; });
  return all;
}
std::string place(const std::vector<Ranked>& all, std::size_t k) {
  if (k >= all.size()) return "-";
  return fmt::format("{} ({} steps, cost {:.3g})", all[k].scheme->claims.name, all[k].from.brief(), all[k].cost);
}
// 1: the cheapest; 0: it does not reach the level.
std::size_t rank(const std::vector<Ranked>& all, std::string_view name) {
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].scheme->claims.name == name) return k + 1;
  return 0;
}

// --- Tables
// -----------------------------------------------------------------------------------------------------------

std::vector<Table::Column> columns_of(const std::vector<std::string>& prefixes) {
  std::vector<Table::Column> columns{{"scheme", "1"}, {"n", "1"}};
  for (const std::string& prefix : prefixes)
    for (const ImpactMeasure& m : impact_measures) columns.push_back({prefix + m.name, "%"});
  return columns;
}

ResultTable accuracy_table(const Result& r) {
  ResultTable t{"accuracy", columns_of({"ard_"}), {}};
  for (const Result::Accuracy& a : r.accuracy) {
    std::vector<Table::Cell> row{text(a.scheme->claims.name), static_cast<std::int64_t>(a.n)};
    row.insert(row.end(), a.ard.begin(), a.ard.end());
    t.rows.push_back(std::move(row));
  }
  return t;
}

ResultTable grid_table(const Result& r, Onset onset) {
  static constexpr const char* names[] = {"time_grid", "time_grid_simulated", "time_grid_corrected"};
  ResultTable t{names[static_cast<int>(onset)], columns_of({"dev_", "tot_"}), {}};
  for (const Result::Grid& g : r.grid) {
    if (g.onset != onset) continue;
    std::vector<Table::Cell> row{text(g.scheme->claims.name), static_cast<std::int64_t>(g.n)};
    row.insert(row.end(), g.dev.begin(), g.dev.end());
    row.insert(row.end(), g.tot.begin(), g.tot.end());
    t.rows.push_back(std::move(row));
  }
  return t;
}

ResultTable cost_table(const Result& r) {
  ResultTable t{"costs",
                {{"scheme", "1"},
                 {"force_passes", "1"},
                 {"seconds", "s"},
                 {"cost", "1"},
                 {"cost_shared", "1"},
                 {"bed_seconds_per_grain", "s"},
                 {"cost_bed", "1"}},
                {}};
  for (const Result::Cost& c : r.costs)
    t.rows.push_back({text(c.scheme->claims.name), c.passes, c.step, step_cost(r, c, Costing::integration),
                      step_cost(r, c, Costing::shared), c.bed_step, step_cost(r, c, Costing::bed)});
  return t;
}

ResultTable cheapest_table(const Result& r) {
  ResultTable t{
      "cheapest", {{"outcome", "1"}, {"error", "%"}, {"costs", "1"}, {"scheme", "1"}, {"n", "1"}, {"cost", "1"}}, {}};
  for (std::size_t m = 0; m < std::size(impact_measures); ++m)
    for (const Costing costing : costings)
      for (const Ranked& one : ranking(r, m, costing))
        t.rows.push_back({impact_measures[m].name, impact_measures[m].model / 2, costing_words(r, costing),
                          text(one.scheme->claims.name), static_cast<std::int64_t>(one.from.n), one.cost});
  return t;
}

// --- Claims
// -----------------------------------------------------------------------------------------------------------

struct Claim {
  std::string where, claimed, measured, verdict;
};

std::string holds(bool does, const std::string& otherwise) {
  return does ? "holds" : otherwise;
}

// "taylor5 to taylor12" for so many in a row.
std::vector<std::string> in_short(const std::vector<std::string>& names) {
  const auto number_of = [](const std::string& name) {
    const std::size_t digits = name.find_first_of("0123456789");
    return digits == name.npos ? std::pair(name, -1)
                               : std::pair(name.substr(0, digits), std::stoi(name.substr(digits)));
  };
  std::vector<std::string> parts;
  for (std::size_t k = 0, next; k < names.size(); k = next) {
    const auto [stem, first] = number_of(names[k]);
    for (next = k + 1; next < names.size(); ++next)
      if (number_of(names[next]) != std::pair(stem, first + static_cast<int>(next - k))) break;
    if (first < 0 || next < k + 3) next = k + 1;
    parts.push_back(names[k] + (next > k + 1 ? " to " + names[next - 1] : ""));
  }
  return parts;
}

// "3 of 5 schemes; not a and b"
std::string count_of(const Selection& all, const std::vector<std::string>& not_these) {
  const std::size_t kept = all.size() - not_these.size();
  if (not_these.empty()) return fmt::format("all {} schemes", kept);
  constexpr std::size_t few = 8;
  const std::vector<std::string> parts = in_short(not_these);
  return fmt::format("{} of {} schemes{}", kept, all.size(),
                     parts.size() > few ? "" : "; not " + joined(parts, ", ", " and "));
}
std::string for_most(const Selection& all, const std::vector<std::string>& not_these) {
  return not_these.empty() ? "holds" : 2 * not_these.size() < all.size() ? "holds for most" : "does not hold";
}

std::vector<Claim> claims_of(const Result& r) {
  const Found found(r);
  const int last = found.last();
  std::vector<Claim> all;
  const auto named = [&](std::string_view name, const From& f) { return fmt::format("{}: {}", name, f.words(last)); };
  // A claim about some schemes, judged only if all were measured.
  const auto claim = [&](const std::vector<const char*>& schemes, const std::string& where, const std::string& claimed,
                         const std::string& measured, const std::string& verdict) {
    const bool known = std::all_of(schemes.begin(), schemes.end(), [&](const char* s) { return found.scheme(s); });
    all.push_back(
        {where, claimed, known ? measured : "not among the schemes of this run", known ? verdict : "not measured"});
  };
  const auto join = [](const std::vector<std::string>& parts) { return joined(parts, "; ", "; "); };
  const auto who = [&](auto&& fails) {
    std::vector<std::string> names;
    for (const SchemeEntry* s : r.settings.schemes)
      if (fails(s->claims.name)) names.push_back(text(s->claims.name));
    return names;
  };

  {
    std::vector<std::string> measured;
    bool never = true;
    for (const char* name : {"forward_euler", "taylor2"}) {
      measured.push_back(fmt::format("{}: {} at n = {}", name, percent(found.ard(name, last, e_n)), last));
      never = never && found.below(name, e_n, 1).n == 0;
    }
    claim({"forward_euler", "taylor2"}, "4.1", "FE and TY2 never get below 1 % in e_n for n \u2264 100", join(measured),
          holds(never, "does not hold"));
  }
  {
    const From f = found.below("position_verlet", e_n, 1);
    claim({"position_verlet"}, "4.1", "PV gets below 1 % in e_n at about 10 steps", named("position_verlet", f),
          holds(f.n >= 8 && f.n <= 12, "does not hold"));
  }
  const auto all_by = [&](const std::vector<const char*>& names, int most, const char* claimed) {
    std::vector<std::string> measured;
    bool kept = true;
    for (const char* name : names) {
      const From f = found.below(name, e_n, 1);
      measured.push_back(named(name, f));
      kept = kept && f.by(most);
    }
    claim(names, "4.1", claimed, join(measured), holds(kept, "does not hold"));
  };
  all_by({"omelyan_babab", "taylor3", "taylor4"}, 9, "BABAB, TY3 and TY4 are below 1 % in e_n above 8 steps");
  all_by({"forest_ruth", "rk4"}, 6, "BABABAB and RK already after 6");
  {
    const From two = found.better("abm2", "adams_bashforth2", e_n),
               three = found.better("abm3", "adams_bashforth3", e_n),
               four = found.better("abm4", "adams_bashforth4", e_n);
    claim({"abm2", "abm3", "abm4", "adams_bashforth2", "adams_bashforth3", "adams_bashforth4"}, "4.1",
          "predictor-correctors always improve on their multistep partners (e_n)",
          join({"AB2+AM3 " + two.words(last), "AB3+AM4 " + three.words(last), "AB4+AM5 " + four.words(last)}),
          two.by(10) && three.by(10) && four.by(10)
              ? (two.first && three.first && four.first ? "holds" : "holds but for the coarsest steps")
              : "does not hold");
  }
  {
    const Real at20 = found.ard("verlet", 20, e_t), at_last = found.ard("verlet", last, e_t);
    claim({"verlet"}, "4.1", "VE fails in e_t: more than 10 %",
          fmt::format("verlet: {} at n = 20, {} at n = {}", percent(at20), percent(at_last), last),
          at_last > 10
              ? "holds"
              : "does not hold for Cairn's verlet: the document extrapolates the spring from its past lengths, "
                "which the Coulomb limit has cut; Cairn's spring follows the velocity");
  }
  {
    const auto fails = who([&](auto name) { return !found.below(name, e_t, 4).holds_above(20); });
    claim({}, "4.1", "most schemes are below 4 % in e_t for n > 20", count_of(r.settings.schemes, fails),
          holds(2 * fails.size() < r.settings.schemes.size(), "does not hold"));
  }
  for (const auto& [m, n, name] : {std::tuple{beta, 15, "\u03b2"}, std::tuple{omega, 20, "\u03c9"}}) {
    const auto fails =
        who([&, m = m, n = n](auto s) { return !found.below(s, m, impact_measures[m].model).holds_above(n); });
    claim({}, "4.1", fmt::format("{} is within the model's {} % for n > {}", name, impact_measures[m].model, n),
          count_of(r.settings.schemes, fails), for_most(r.settings.schemes, fails));
  }
  {
    const From f = found.below("taylor2", e_t, 2);
    claim({"taylor2"}, "4.4", "TY2 has 2 % in e_t at n = 22", named("taylor2", f),
          holds(f.n >= 20 && f.n <= 24, "does not hold"));
  }
  {
    const From one = found.below("taylor3", beta, impact_measures[beta].model / 2),
               two = found.below("position_verlet", beta, impact_measures[beta].model / 2);
    claim({"taylor3", "position_verlet"}, "4.4", "PV or TY3 reach half the model's error in \u03b2 at n = 25",
          join({named("position_verlet", two), named("taylor3", one)}),
          two.by(25) && one.by(25) ? "holds"
          : two.by(25)             ? "holds for PV; TY3's jerk is that of a contact that sticks where it slides"
                                   : "does not hold");
  }
  {
    const Real dev = found.dev("rk4", Onset::sampled, 18, e_n);
    claim({"rk4"}, "4.4", "the time-grid error of e_n is 4 % at n = 18", "rk4: " + percent(dev),
          std::isnan(dev) ? "not measured" : holds(dev > 3.5 && dev < 4.5, "does not hold"));
    const From f = found.grid_below("rk4", Onset::sampled, e_n, 1);
    const auto fails = who([&](auto s) { return !found.grid_below(s, Onset::sampled, e_n, 1).by(last); });
    claim({"rk4"}, "4.2", "and below 1 % only for n > 75, for every scheme",
          named("rk4", f) + fmt::format("; at n = {}: ", r.settings.grid_steps.back()) +
              count_of(r.settings.schemes, fails),
          f.n <= 70 || f.n > 80 ? "does not hold"
          : fails.empty()       ? "holds"
                                : "holds for rk4, not for every scheme");
  }
  for (const auto& [m, n, name] :
       {std::tuple{e_t, 20, "e_t"}, std::tuple{beta, 30, "\u03b2"}, std::tuple{omega, 20, "\u03c9"}}) {
    const auto fails = who([&, m = m, n = n](auto s) {
      return !found.grid_below(s, Onset::sampled, m, impact_measures[m].model).holds_above(n);
    });
    claim({}, "4.2",
          fmt::format("the time-grid error of {} is below {} % for n > {}", name, impact_measures[m].model, n),
          count_of(r.settings.schemes, fails), for_most(r.settings.schemes, fails));
  }
  {
    Selection cheap, dear;
    Real most = 0, least = std::numeric_limits<Real>::infinity();
    for (const char* name :
         {"forward_euler", "central_difference", "position_verlet", "verlet", "omelyan_babab", "taylor2", "taylor3"})
      if (const Result::Cost* c = cost_of(r, found.scheme(name)); c && c->step > most)
        most = c->step, cheap = {c->scheme};
    for (const char* name : {"rk4", "forest_ruth", "abm2", "abm3", "abm4", "gear3", "gear4"})
      if (const Result::Cost* c = cost_of(r, found.scheme(name)); c && c->step < least)
        least = c->step, dear = {c->scheme};
    if (!cheap.empty() && !dear.empty())
      all.push_back(
          {"4.3",
           "FE, CD, PV, VE, BABAB, TY2 and TY3 cost little, Runge-Kutta, BABABAB and the "
           "predictor-correctors much",
           fmt::format("the dearest of the first: {}, {:.2g} times forward_euler; the cheapest of the others: "
                       "{}, {:.2g} times",
                       cheap[0]->claims.name, most / r.euler_step, dear[0]->claims.name, least / r.euler_step),
           holds(most < least,
                 "does not hold: the kick that is implicit in the damping is solved by "
                 "iteration in Cairn, the document solves one linear equation")});
  }
  const auto first_of = [&](std::size_t m, Costing costing, const char* where, const char* claimed,
                            const std::vector<const char*>& names) {
    const std::vector<Ranked> ranked = ranking(r, m, costing);
    std::vector<std::string> measured{place(ranked, 0)};
    bool first = false, near = false;
    for (const char* name : names) {
      const std::size_t k = rank(ranked, name);
      measured.push_back(
          fmt::format("{}: {}", name, k > 0 ? fmt::format("place {} of {}", k, ranked.size()) : "no place"));
      first = first || k == 1;
      near = near || (k > 0 && k <= 5);
    }
    claim(names, where, claimed, join(measured),
          first  ? "holds"
          : near ? "nearly: among the first five"
                 : "does not hold");
  };
  first_of(e_t, Costing::integration, "4.4", "TY2 is the most efficient for 2 % in e_t", {"taylor2"});
  first_of(e_t, Costing::shared, "4.4, Fig. 11", "with contact detection PV, then BABAB, for 2 % in e_t",
           {"position_verlet", "omelyan_babab"});
  first_of(beta, Costing::shared, "4.4, Fig. 12", "likewise PV or BABAB for \u03b2",
           {"position_verlet", "omelyan_babab"});
  first_of(omega, Costing::shared, "4.4, Fig. 12", "and for \u03c9", {"position_verlet", "omelyan_babab"});
  return all;
}

// What nothing that the document prints can give.
std::vector<Claim> not_reproducible(const Result& r) {
  const Found found(r);
  const int last = found.last();
  const auto from = [&](const char* name, Real level) { return found.below(name, e_n, level).words(last); };
  const std::vector<Ranked> ranked = ranking(r, e_n, Costing::integration);
  const std::string khakimov = "not measured: Cairn has no scheme of Khakimov";
  return {
      {"4.1", "CD gets below 1 % in e_n at about 75 steps", "central_difference: " + from("central_difference", 1), ""},
      {"4.1", "D12 gets below 1 % in e_n at about 95 steps", khakimov, ""},
      {"4.1", "D12 and T16 are above 10 % in e_t; T16 and T12 are as accurate as AB4 in e_n", khakimov, ""},
      {"4.4", "TY3 has 0.5 % in e_n at n = 18", "taylor3: " + from("taylor3", 0.5), ""},
      {"4.4, Fig. 8", "TY3, then BABAB, are the most efficient for 0.5 % in e_n",
       fmt::format("{}; then {}", place(ranked, 0), place(ranked, 1)), ""}};
}

// --- Figures
// ----------------------------------------------------------------------------------------------------------

struct Panel {
  std::string slug, words;
  Selection schemes;
  bool of_document;
};

// The document's, then the other schemes by families.
std::vector<Panel> panels_of(const Selection& schemes) {
  std::vector<Panel> panels{{"a", "one-step schemes of the document", {}, true},
                            {"b", "multistep schemes of the document", {}, true},
                            {"c", "predictor-correctors of the document", {}, true}};
  static const std::vector<std::string_view> names[] = {
      {"forward_euler", "taylor2", "taylor3", "taylor4", "rk4", "central_difference", "position_verlet",
       "omelyan_babab", "forest_ruth"},
      {"verlet", "adams_bashforth2", "adams_bashforth3", "adams_bashforth4", "adams_bashforth5"},
      {"abm2", "abm3", "abm4", "gear3", "gear4"}};
  Selection others;
  for (const SchemeEntry* s : schemes) {
    std::size_t k = 0;
    while (k < std::size(names) && std::find(names[k].begin(), names[k].end(), s->claims.name) == names[k].end()) ++k;
    (k < std::size(names) ? panels[k].schemes : others).push_back(s);
  }
  for (Family& f : by_family(others, 11))
    panels.push_back({f.slug, "other schemes, " + f.name, std::move(f.schemes), false});
  std::erase_if(panels, [](const Panel& p) { return p.schemes.empty(); });
  return panels;
}

constexpr int model_colour = 15;  // grey and dashed

Axis error_axis(std::size_t m) {
  return {fmt::format("error of {}", impact_measures[m].name), "%", true};
}

// Curves over a common abscissa, from values by scheme.
class Plot {
 public:
  Plot(std::string name, std::string title, Axis x, Axis y) {
    figure_.name = std::move(name), figure_.title = std::move(title);
    figure_.x = std::move(x), figure_.y = std::move(y);
  }
  void curve(std::string name, int colour = -1) { figure_.curves.push_back({std::move(name), {}, colour}); }
  // Of the last curve.
  void point(Real x, Real y) {
    auto& row = rows_[x];
    row.resize(figure_.curves.size(), nan);
    row.back() = std::isfinite(y) && y < 1e4 ? y : nan;
  }
  Figure figure(Real level = nan) && {
    for (auto& [x, row] : rows_) {
      row.resize(figure_.curves.size(), nan);
      figure_.at.push_back(x);
      for (std::size_t k = 0; k < row.size(); ++k) figure_.curves[k].y.push_back(row[k]);
    }
    if (std::isfinite(level))
      figure_.curves.push_back({"model error", std::vector<Real>(figure_.at.size(), level), model_colour});
    return std::move(figure_);
  }

 private:
  Figure figure_;
  std::map<Real, std::vector<Real>> rows_;
};

Figure accuracy_figure(const Result& r, const Panel& panel, std::size_t m) {
  Plot plot(fmt::format("{}_{}_{}", m < beta ? "fig2" : "fig3", impact_measures[m].name, panel.slug),
            fmt::format("Error of {}: {}", impact_measures[m].words, panel.words), {"steps per impact", "1"},
            error_axis(m));
  for (const SchemeEntry* s : panel.schemes) {
    plot.curve(text(s->claims.name));
    for (const Result::Accuracy& a : r.accuracy)
      if (a.scheme == s) plot.point(a.n, a.ard[m]);
  }
  return std::move(plot).figure(impact_measures[m].model);
}

Figure grid_figure(const Result& r, const Panel& panel, std::size_t m, Onset onset) {
  Plot plot(fmt::format("{}_{}_{}{}", m < beta ? "fig5" : "fig6", impact_measures[m].name, panel.slug,
                        onset == Onset::corrected ? "_corrected" : ""),
            fmt::format("Time-grid error of {}{}: {}", impact_measures[m].words,
                        onset == Onset::corrected ? ", corrected" : "", panel.words),
            {"steps per impact", "1"}, error_axis(m));
  for (const SchemeEntry* s : panel.schemes) {
    plot.curve(text(s->claims.name));
    for (const Result::Grid& g : r.grid)
      if (g.scheme == s && g.onset == onset) plot.point(g.n, g.dev[m]);
  }
  return std::move(plot).figure(impact_measures[m].model);
}

Figure phase_figure(const Result& r, std::size_t m, Onset onset) {
  static constexpr const char* names[] = {"phase", "phase_simulated", "phase_corrected"};
  Plot plot(fmt::format("{}_{}", names[static_cast<int>(onset)], impact_measures[m].name),
            fmt::format("Time-grid error of {} at n = {} over the phase, {}", impact_measures[m].words,
                        r.settings.phase_steps, onset_words[static_cast<int>(onset)]),
            {"first sample after the onset", "steps"}, error_axis(m));
  const SchemeEntry* before = nullptr;
  for (const Result::Phase& p : r.phases) {
    if (p.onset != onset) continue;
    if (p.scheme != before) plot.curve(text(p.scheme->claims.name));
    before = p.scheme;
    plot.point(p.phase, p.dev[m]);
  }
  return std::move(plot).figure(impact_measures[m].model);
}

Figure cost_figure(const Result& r, const Panel& panel) {
  Plot plot("fig7_" + panel.slug, "Cost of an impact: " + panel.words, {"steps per impact", "1"},
            {"time", "steps of forward_euler", true});
  for (const SchemeEntry* s : panel.schemes) {
    plot.curve(text(s->claims.name));
    if (const Result::Cost* c = cost_of(r, s))
      for (std::size_t k = 0; k < c->run.size(); ++k) plot.point(r.cost_steps[k], c->run[k] / r.euler_step);
  }
  return std::move(plot).figure();
}

Figure efficiency_figure(const Result& r, const Panel& panel, std::size_t m, Costing costing) {
  static constexpr const char* names[2][3] = {{"fig8", "fig11", "bed8"}, {"fig9", "fig12", "bed9"}};
  Plot plot(
      fmt::format("{}_{}_{}", names[m < beta ? 0 : 1][static_cast<int>(costing)], impact_measures[m].name, panel.slug),
      fmt::format("Error of {} against cost, {}: {}", impact_measures[m].words, costing_words(r, costing), panel.words),
      {"cost", "steps of forward_euler", true}, error_axis(m));
  static constexpr int some[] = {4,  5,  6,  7,  8,  9,  10, 12, 14, 16, 18, 20,
                                 22, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100};
  for (const SchemeEntry* s : panel.schemes) {
    const Result::Cost* c = cost_of(r, s);
    if (!c) continue;
    plot.curve(text(s->claims.name));
    for (const Result::Accuracy& a : r.accuracy)
      if (a.scheme == s && std::find(std::begin(some), std::end(some), a.n) != std::end(some))
        plot.point(a.n * step_cost(r, *c, costing), a.ard[m]);
  }
  return std::move(plot).figure(impact_measures[m].model);
}

// --- What is said
// -----------------------------------------------------------------------------------------------------

// n at which all tables of the time-grid error can be read.
int grid_n(const Result& r) {
  const auto& a = r.settings.grid_steps;
  const auto& b = r.settings.simulated_steps;
  const auto in_both = [&](int n) {
    return std::find(a.begin(), a.end(), n) != a.end() && std::find(b.begin(), b.end(), n) != b.end();
  };
  for (const int n : {20, 10, 50})
    if (in_both(n)) return n;
  const auto n = std::find_if(a.begin(), a.end(), in_both);
  return n != a.end() ? *n : a.front();
}

const SchemeEntry* foremost(const Result& r) {
  const Found found(r);
  for (const char* name : {"velocity_verlet_predicted", "velocity_verlet_implicit", "rk4"})
    if (const SchemeEntry* s = found.scheme(name)) return s;
  return r.settings.schemes.empty() ? nullptr : r.settings.schemes.front();
}

std::vector<std::string> findings_of(const Result& r) {
  const Found found(r);
  std::vector<std::string> said;
  const int n = grid_n(r);
  if (const SchemeEntry* s = foremost(r)) {
    const std::string_view name = s->claims.name;
    const Result::Grid *plain = found.grid(name, Onset::simulated, n), *mended = found.grid(name, Onset::corrected, n),
                       *defined = found.grid(name, Onset::sampled, n);
    const Real aligned = found.ard(name, n, e_n);
    if (plain && defined && mended)
      said.push_back(fmt::format(
          "{} with {} steps per impact: where they begin with the contact the restitution is off by {}. Where they do "
          "not, by up to {} more as the document defines it, {} in a simulation, {} with the onset correction.",
          name, n, percent(aligned), percent(defined->dev[e_n]), percent(plain->dev[e_n]), percent(mended->dev[e_n])));
  }
  for (std::size_t m = 0; m < std::size(impact_measures); ++m) {
    const std::vector<Ranked> alone = ranking(r, m, Costing::integration), bed = ranking(r, m, Costing::bed);
    if (alone.empty()) continue;
    said.push_back(fmt::format("Half the model's error of {}, {:.3g} %, costs least with {}; in a dense bed with {}.",
                               impact_measures[m].words, impact_measures[m].model / 2, place(alone, 0), place(bed, 0)));
  }
  std::size_t kept = 0, judged = 0;
  for (const Claim& c : claims_of(r)) {
    judged += c.verdict != "not measured";
    kept += c.verdict.starts_with("holds");
  }
  if (judged > 0)
    said.push_back(
        fmt::format("{} of {} claims of the document that this run can judge hold, some with a reservation; "
                    "the report has them all.",
                    kept, judged));
  return said;
}

void claims_section(const Result& r, Page& page) {
  page.section("What the document claims, and what is found");
  std::vector<Page::Row> rows;
  for (const Claim& c : claims_of(r)) rows.push_back({c.where, c.claimed, c.measured, c.verdict});
  page.table({"section", "the document", "Cairn", "verdict"}, rows);
  page.paragraph("Nothing that the document prints leads to these; they are shown, not sought:");
  rows.clear();
  for (const Claim& c : not_reproducible(r)) rows.push_back({c.where, c.claimed, c.measured});
  page.table({"section", "the document", "Cairn"}, rows);
}

void grid_comparison(const Result& r, Page& page) {
  const Found found(r);
  const int n = grid_n(r);
  page.paragraph(fmt::format(
      "At n = {}, in percent: the document's definition \u2192 in a simulation \u2192 with the onset correction.", n));
  std::vector<Page::Row> rows;
  for (const SchemeEntry* s : r.settings.schemes) {
    Page::Row row{text(s->claims.name)};
    for (std::size_t m = 0; m < std::size(impact_measures); ++m) {
      std::string cell;
      for (const Onset onset : onsets)
        cell += (cell.empty() ? "" : " \u2192 ") + number(found.dev(s->claims.name, onset, n, m));
      row.push_back(cell);
    }
    rows.push_back(row);
  }
  page.table({"scheme", "e_n", "e_t", "\u03b2", "\u03c9"}, rows);
}

}  // namespace

Shown show(const Result& r) {
  const Found found(r);
  const std::vector<int>& steps = r.settings.steps;
  Shown s;
  s.name = "impact";
  s.title = "The oblique impact of a sphere on a wall";
  s.subtitle = fmt::format("A study of Cairn {}: {} schemes, {} angles, {} to {} steps per impact", CAIRN_VERSION,
                           r.settings.schemes.size(), r.settings.angles.size(), steps.front(), steps.back());
  s.findings = findings_of(r);
  s.tables = {accuracy_table(r),
              grid_table(r, Onset::sampled),
              grid_table(r, Onset::simulated),
              grid_table(r, Onset::corrected),
              cost_table(r),
              cheapest_table(r)};
  if (r.settings.table) {  // the study's own comes first
    const auto at = s.tables.begin() + 1 + static_cast<int>(*r.settings.table);
    std::rotate(s.tables.begin(), at, at + 1);
  }

  const int n = grid_n(r);
  s.head = {"scheme", "e_n < 1 %",     "e_t < 4 %", "\u03b2 < 3.52 %", "\u03c9 < 12 %", fmt::format("e_n at {}", n),
            "e_t",    "time grid e_n", "simulated", "corrected",       "cost"};
  for (const SchemeEntry* scheme : r.settings.schemes) {
    const std::string_view name = scheme->claims.name;
    Page::Row row{text(name)};
    for (std::size_t m = 0; m < std::size(impact_measures); ++m)
      row.push_back(found.below(name, m, impact_measures[m].model).brief());
    row.push_back(percent(found.ard(name, n, e_n)));
    row.push_back(percent(found.ard(name, n, e_t)));
    for (const Onset onset : onsets) row.push_back(percent(found.dev(name, onset, n, e_n)));
    const Result::Cost* c = cost_of(r, scheme);
    row.push_back(c ? fmt::format("{:.2g}", step_cost(r, *c, Costing::integration)) : "-");
    s.rows.push_back(row);
  }

  // Sections of figures, each with how many there are.
  struct Group {
    std::string title, words;
    std::size_t begin, end;
  };
  std::vector<Group> groups;
  const std::vector<Panel> panels = panels_of(r.settings.schemes);
  const auto group = [&](const std::string& title, const std::string& words, auto&& add) {
    groups.push_back({title, words, s.figures.size(), 0});
    add();
    groups.back().end = s.figures.size();
  };
  const auto each = [&](std::size_t from, auto&& figure, bool all = true) {
    for (std::size_t m = from; m < from + 2; ++m)
      for (const Panel& p : panels)
        if (all || p.of_document ||
            std::none_of(panels.begin(), panels.end(), [](const Panel& q) { return q.of_document; }))
          s.figures.push_back(figure(p, m));
  };
  const auto accuracy = [&](const Panel& p, std::size_t m) { return accuracy_figure(r, p, m); };
  const auto grid = [&](const Panel& p, std::size_t m) { return grid_figure(r, p, m, Onset::sampled); };
  const auto mended = [&](const Panel& p, std::size_t m) { return grid_figure(r, p, m, Onset::corrected); };
  group("Accuracy of the restitutions (the document's Fig. 2)",
        "The mean over all angles of the relative error, where the steps begin with the contact; t_f / n is the step.",
        [&] { each(e_n, accuracy); });
  group("Accuracy of rebound angle and spin (Fig. 3)", "", [&] { each(beta, accuracy); });
  group(
      "Time-grid error of the restitutions (Fig. 5)",
      "Steps seldom begin with a contact. The largest of 20 phases, mean over the angles, relative to the same scheme "
      "where they do.",
      [&] { each(e_n, grid); });
  group("The same with the onset correction", "", [&] { each(e_n, mended); });
  group("Time-grid error of rebound angle and spin (Fig. 6)", "", [&] { each(beta, grid); });
  group("The same with the onset correction", "", [&] { each(beta, mended); });
  group("Over the phase",
        "In a simulation stages and closing kicks feel a contact before the first sample in it, so the error falls not "
        "as in the document, where a sphere moves uniformly up to that sample.",
        [&] {
          for (std::size_t m = 0; m < std::size(impact_measures); ++m)
            for (const Onset onset : onsets) s.figures.push_back(phase_figure(r, m, onset));
        });
  group("Cost (Fig. 7)", "", [&] {
    for (const Panel& p : panels) s.figures.push_back(cost_figure(r, p));
  });
  const auto efficiency = [&](Costing costing) {
    return [&, costing](const Panel& p, std::size_t m) { return efficiency_figure(r, p, m, costing); };
  };
  group("Error against cost (Figs. 8 and 9)", "Of the schemes of the document; cheapest.csv has all.", [&] {
    each(e_n, efficiency(Costing::integration), false), each(beta, efficiency(Costing::integration), false);
  });
  group("Error against cost, with the rest of a simulation (Figs. 11 and 12)",
        fmt::format("To each step is added what makes integration {:.3g} % of a step of taylor2, once per step however "
                    "often a scheme asks for the force, as the document does.",
                    100 * r.settings.share),
        [&] { each(e_n, efficiency(Costing::shared), false), each(beta, efficiency(Costing::shared), false); });
  group("Error against cost, as measured in a dense bed of Cairn",
        fmt::format("A step of each scheme in a crystal of {} spheres, {} contacts. Here every call of the force costs "
                    "contact detection and force again, and integration is {:.0f} % of a step of taylor2.",
                    r.bed_grains, r.bed_contacts, 100 * r.bed_share),
        [&] { each(e_n, efficiency(Costing::bed), false), each(beta, efficiency(Costing::bed), false); });

  s.body = [r, groups, n](const Shown& shown, Page& page, const Shown::Put& put) {
    const Found found(r);
    std::vector<Page::Card> cards{
        {"Schemes", std::to_string(r.settings.schemes.size()), "of fixed step"},
        {"Impacts", std::to_string(r.settings.angles.size()), fmt::format("angles, {:.3g} m/s", r.settings.speed)}};
    if (const SchemeEntry* f = foremost(r)) {
      const std::string_view name = f->claims.name;
      cards.push_back({"e_n, aligned", percent(found.ard(name, n, e_n)), fmt::format("{}, n = {}", name, n)});
      cards.push_back(
          {"Time-grid error", percent(found.dev(name, Onset::sampled, n, e_n)), "as the document defines it"});
      cards.push_back({"In a simulation", percent(found.dev(name, Onset::simulated, n, e_n)), "without correction"});
      cards.push_back({"Corrected", percent(found.dev(name, Onset::corrected, n, e_n)), "onset = \"on\""});
    }
    page.cards(cards);
    for (const std::string& finding : shown.findings) page.paragraph(finding);
    page.table(shown.head, shown.rows);
    page.paragraph(fmt::format(
        "The first columns say from how many steps per impact on an error stays below that of the document's model "
        "against the experiment; then errors at n = {}; cost is the time of a step of an impact over that of "
        "forward_euler. Schemes that choose their own steps are left out.",
        n));
    claims_section(r, page);
    for (const Group& g : groups) {
      page.section(g.title);
      if (!g.words.empty()) page.paragraph(g.words);
      if (g.title == "Cost (Fig. 7)") {
        std::vector<Page::Row> rows;
        for (const Result::Cost& c : r.costs)
          rows.push_back({text(c.scheme->claims.name), fmt::format("{:.3g}", c.passes),
                          fmt::format("{:.3g} \u00b5s", 1e6 * c.step), number(step_cost(r, c, Costing::integration)),
                          number(step_cost(r, c, Costing::shared)), number(step_cost(r, c, Costing::bed))});
        page.table({"scheme", "force passes per step", "time of a step", "over forward_euler",
                    costing_words(r, Costing::shared), costing_words(r, Costing::bed)},
                   rows);
      }
      if (g.title.starts_with("Over the phase")) grid_comparison(r, page);
      for (std::size_t k = g.begin; k < g.end; ++k) put(shown.figures[k], "");
    }
    page.section("How it was measured");
    page.paragraph(
        "One sphere and one plane of the engine, its linear law, each scheme as it stands in the catalogue. Every "
        "angle "
        "has its own stiffness and damping, so that restitution and duration are those of the experiment. The engine's "
        "lever is the radius less the overlap, the document's the radius: the impact runs at a speed so small that the "
        "overlap is a millionth of the radius, which changes no outcome of a linear law. Aligned runs, and those as "
        "the "
        "document defines them, let the contact pull: no force is clipped.");
    page.paragraph(
        "Aligned: exactly n steps of t_f / n from the first instant of contact, then the velocities are read. "
        "Multistep "
        "schemes start by steps of rk4, Gear's from exact derivatives. Staggered velocities (central_difference, "
        "verlet) "
        "are the initial ones half a step before the contact, and are read half a step before the end. Time grid: the "
        "first sample in contact lies 0.05, 0.10 ... 0.95 and 1 - 1e-12 of a step after the onset; the impact ends at "
        "the first step end where the force would pull and the sphere is on its way out.");
    page.paragraph(
        "Springs and the Coulomb limit are Cairn's own: the limit is part of the force at every state a scheme asks "
        "for, "
        "and the spring returns to it at the end of a step (docs/laws.md). The normal motion does not depend on it; "
        "tangential outcomes do. The last kick of omelyan_babab and forest_ruth is implicit in the damping, as in the "
        "document; their inner kicks take the velocity there is, and so do those of the other compositions.");
    page.paragraph(
        "Each figure stands in figures/ as SVG with its data (CSV) and its gnuplot script. accuracy.csv has every mean "
        "error, time_grid.csv the time-grid errors as the document defines them, time_grid_simulated.csv and "
        "time_grid_corrected.csv those of simulations, costs.csv and cheapest.csv the costs.");
  };
  return s;
}

}  // namespace cairn::studies
