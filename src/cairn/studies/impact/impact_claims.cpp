#include "cairn/studies/impact/impact_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "cairn/formats/words.hpp"
#include "cairn/studies/impact/impact_found.hpp"

namespace cairn::studies {
namespace {

// 1: the cheapest; 0: it does not reach the level.
std::size_t rank(const std::vector<Ranked>& all, std::string_view name) {
  for (std::size_t k = 0; k < all.size(); ++k)
    if (is_called(*all[k].scheme, name)) return k + 1;
  return 0;
}

constexpr const char* denied = "does not hold";

// Three or more names with consecutive numbers become one part: "taylor5 to taylor12".
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

class Claims {
 public:
  explicit Claims(const ImpactResult& r) : r_(r), found_(r), last_(found_.last()) {
    for (const Names& names : document_schemes) documents_.insert(documents_.end(), names.begin(), names.end());
    accuracy();
    time_grid();
    costs();
    efficiency();
  }
  const std::vector<Claim>& all() const { return all_; }

 private:
  using Names = std::vector<const char*>;

  // A claim about some schemes. It is judged only if all of them ran, and at the paper's angles and speed; with
  // `impacts` at any angles and speed.
  void add(int figure, const std::string& claimed, const Names& schemes, const std::string& measured,
           const std::string& verdict, bool impacts = false) {
    if (!found_.has(schemes))
      all_.push_back({figure, claimed, "this run lacks schemes that the claim needs", not_measured});
    else if (!impacts && !found_.documents_impacts())
      all_.push_back({figure, claimed, measured + " (angles or speed differ from the paper's)", not_measured});
    else
      all_.push_back({figure, claimed, measured, verdict});
  }
  // A claim about all schemes of the paper. It needs them all; the result is that of all schemes that ran.
  template <class Fails>
  void add_most(int figure, const std::string& claimed, bool steps_ran, Fails&& fails) {
    std::vector<std::string> failing;
    for (const SchemeEntry* s : r_.settings.schemes)
      if (fails(s->name)) failing.emplace_back(s->name);
    const std::size_t count = r_.settings.schemes.size();
    constexpr std::size_t few = 8;
    const std::vector<std::string> parts = in_short(failing);
    add(figure, claimed, documents_,
        !steps_ran        ? "this run lacks numbers of steps that the claim needs"
        : failing.empty() ? fmt::format("all {} schemes", count)
                          : fmt::format("{} of {} schemes{}", count - failing.size(), count,
                                        parts.size() > few ? "" : "; not " + joined(parts, ", ", " and ")),
        !steps_ran                   ? not_measured
        : failing.empty()            ? "holds"
        : 2 * failing.size() < count ? "holds for most"
                                     : denied);
  }

  std::string from(const char* name, std::size_t m, Real level) const {
    return fmt::format("{}: {}", name, found_.below(name, m, level).words(last_));
  }
  template <class F>
  static std::string each(const Names& names, F&& f) {
    std::vector<std::string> parts;
    for (const char* name : names) parts.push_back(f(name));
    return joined(parts, "; ", "; ");
  }

  // The error of every named scheme stays below a level from some n on, with `least` <= n <= `most`.
  void below(int figure, const char* claimed, const Names& names, std::size_t m, Real level, int least, int most) {
    bool kept = true, broken = false;
    for (const char* name : names) {
      const From f = found_.below(name, m, level);
      kept = kept && f.by(most) && last_ > most && (least == 1 || (f.before > 0 && f.n >= least));
      broken = broken || f.not_by(most) || f.by(least - 1);
    }
    add(figure, claimed, names, each(names, [&](const char* name) { return from(name, m, level); }),
        broken ? denied
        : kept ? "holds"
               : not_measured);
  }
  // Whether a claim about all n above `least` can be judged: the run has an n near `least` and larger ones.
  static bool ran_above(const std::vector<int>& steps, int least) {
    return steps.back() > least &&
           std::any_of(steps.begin(), steps.end(), [&](int n) { return n >= least && 4 * n <= 5 * least; });
  }
  // Whether a claim about all n can be judged.
  bool ran_all() const { return r_.settings.steps.front() <= document_from && last_ >= document_to; }

  void accuracy() {
    const Names never{"forward_euler", "taylor2"};
    add(2, "FE and TY2 never get below 1 % in e_n for n \u2264 100", never,
        each(never,
             [&](auto s) { return fmt::format("{}: {} at n = {}", s, percent(found_.ard(s, last_, e_n)), last_); }),
        std::any_of(never.begin(), never.end(), [&](auto s) { return found_.below(s, e_n, 1).by(document_to); })
            ? denied
        : last_ >= document_to ? "holds"
                               : not_measured);
    below(2, "PV gets below 1 % in e_n at about 10 steps", {"position_verlet"}, e_n, 1, 8, 12);
    below(2, "BABAB, TY3 and TY4 are below 1 % in e_n above 8 steps", {"omelyan_babab", "taylor3", "taylor4"}, e_n, 1,
          1, 9);
    below(2, "BABABAB and RK are below 1 % in e_n from 6 steps on", {"forest_ruth", "rk4"}, e_n, 1, 1, 6);

    const std::pair<const char*, const char*> partners[] = {
        {"abm2", "adams_bashforth2"}, {"abm3", "adams_bashforth3"}, {"abm4", "adams_bashforth4"}};
    Names both;
    std::vector<std::string> parts;
    bool better = true, always = true;
    for (const auto& [one, other] : partners) {
      const From f = found_.better(one, other, e_n);
      parts.push_back(fmt::format("{}: {}", one, f.words(last_)));
      both.push_back(one), both.push_back(other);
      better = better && f.by(10), always = always && f.first();
    }
    add(2, "each predictor-corrector has a smaller error of e_n than its multistep partner, at every n", both,
        joined(parts, "; ", "; "),
        !ran_all() ? not_measured
        : always   ? "holds"
        : better   ? "holds except at the coarsest steps"
                   : denied);

    add(2, "the error of VE in e_t is more than 10 %", {"verlet"},
        fmt::format("verlet: {} at n = {}, {} at n = {}", percent(found_.ard("verlet", 20, e_t)), 20,
                    percent(found_.ard("verlet", last_, e_t)), last_),
        last_ < document_to ? not_measured
        : found_.ard("verlet", last_, e_t) > 10
            ? "holds"
            : "does not hold for Cairn's verlet: the paper extrapolates the tangential spring from its past lengths, "
              "which the Coulomb limit has shortened; in Cairn the spring is integrated from the velocity");
    khakimov();
    const auto above = [&](std::size_t m, int n) {
      return [this, m, n](auto s) { return !found_.below(s, m, impact_measures[m].model).holds_above(n); };
    };
    const auto ran = [&](int least) { return ran_above(r_.settings.steps, least); };
    add_most(2, "most schemes are below 4 % in e_t for n > 20", ran(20), above(e_t, 20));
    if (all_.back().verdict == "holds for most") all_.back().verdict = "holds";
    below(2, "TY2 has 2 % in e_t at n = 22", {"taylor2"}, e_t, 2, 20, 24);
    if (all_.back().verdict == denied)
      all_.back().verdict +=
          ": in Cairn the tangential spring has the order of the velocities, in the paper that of the positions";
    add_most(3, "the error of \u03b2 is below that of the model, 3.52 %, for n > 15", ran(15), above(beta, 15));
    add_most(3, "the error of \u03c9 is below that of the model, 12 %, for n > 20", ran(20), above(omega, 20));
  }

  void khakimov() {
    const auto errors = [&](const Names& names, std::size_t m) {
      return each(names, [&](auto s) {
        return fmt::format("{}: {} at n = 20, {} at n = {}", s, percent(found_.ard(s, 20, m)),
                           percent(found_.ard(s, last_, m)), last_);
      });
    };
    const Names like_adams{"khakimov_t12", "khakimov_t16", "adams_bashforth4"};
    constexpr Real alike = 2;  // errors of so many times
    bool as_accurate = true;
    for (const char* name : like_adams)
      for (const int n : {20, last_})
        as_accurate = as_accurate && found_.ard(name, n, e_n) < alike * found_.ard("adams_bashforth4", n, e_n);
    add(2, "T12 and T16 are as accurate as AB4 in e_n", like_adams, errors(like_adams, e_n),
        last_ < document_to ? not_measured
        : as_accurate       ? "holds"
                            : "does not hold: the printed derivative leaves out the dashpot, so T12 is of second "
                              "order in e_n and T16 of first order");
    const Names failing{"khakimov_t16"};
    add(2, "the error of T16 in e_t is more than 10 %", failing, errors(failing, e_t),
        last_ < document_to                       ? not_measured
        : found_.ard(failing[0], last_, e_t) > 10 ? "holds"
                                                  : "does not hold for Cairn's khakimov_t16: the paper takes "
                                                    "one derivative for each coordinate, Cairn the derivative of "
                                                    "all forces along the motion");
  }

  // A claim that a time-grid error has a certain size.
  void size(int figure, const char* claimed, const char* name, std::size_t m, int n, Real value) {
    constexpr Real about = 0.25;
    const Real dev = found_.dev(name, Onset::sampled, n, m);
    add(figure, claimed, {name}, fmt::format("{}: {}", name, percent(dev)),
        std::isnan(dev)                      ? not_measured
        : std::fabs(dev / value - 1) < about ? "holds"
        : dev < value                        ? "does not hold: the error is smaller"
                                             : "does not hold: the error is larger");
  }

  void time_grid() {
    size(5, "the time-grid error of e_n is 4 % at n = 18", "rk4", e_n, 18, 4);
    const From f = found_.grid_below("rk4", Onset::sampled, e_n, 1);
    const std::vector<int>& steps = r_.settings.grid_steps;
    const bool between = f.n > 70 && f.n <= 80, elsewhere = f.by(70) || f.not_by(80);
    add_most(5, "the time-grid error of e_n is below 1 % only for n > 75, with every scheme",
             elsewhere || (between && f.before >= 70),
             [&](auto s) { return !found_.grid_below(s, Onset::sampled, e_n, 1).by(steps.back()); });
    Claim& c = all_.back();
    if (found_.scheme("rk4")) c.measured = fmt::format("rk4: {}; {}", f.words(steps.back()), c.measured);
    if (c.verdict != not_measured)
      c.verdict = elsewhere ? denied : c.verdict == "holds" ? "holds" : "holds for rk4, not for every scheme";
    const auto ran = [&](int least) { return ran_above(steps, least); };
    const auto above = [&](std::size_t m, int n) {
      return [this, m, n](auto s) {
        return !found_.grid_below(s, Onset::sampled, m, impact_measures[m].model).holds_above(n);
      };
    };
    add_most(5, "the time-grid error of e_t is below 4 % for n > 20", ran(20), above(e_t, 20));
    size(5, "the time-grid error of TY2 in e_t is 3 % at n = 22", "taylor2", e_t, 22, 3);
    add_most(6, "the time-grid error of \u03b2 is below 3.52 % for n > 30", ran(30), above(beta, 30));
    add_most(6, "the time-grid error of \u03c9 is below 12 % for n > 20", ran(20), above(omega, 20));
    size(6, "the time-grid error of PV in \u03b2 is 3 % at n = 25", "position_verlet", beta, 25, 3);
    size(6, "the time-grid error of TY2 in \u03c9 is 9 % at n = 22", "taylor2", omega, 22, 9);
  }

  void costs() {
    const auto extreme = [&](const Names& names, auto&& before) {
      const ImpactResult::Cost* most = nullptr;
      for (const char* name : names)
        if (const ImpactResult::Cost* c = cost_of(r_, found_.scheme(name)); c && (!most || before(c->step, most->step)))
          most = c;
      return most;
    };
    const Names little{"forward_euler", "central_difference", "position_verlet", "verlet", "omelyan_babab", "taylor2",
                       "taylor3"},
        much{"rk4",   "forest_ruth", "abm2",         "abm3",         "abm4",
             "gear3", "gear4",       "khakimov_d12", "khakimov_t12", "khakimov_t16"};
    Names both = little;
    both.insert(both.end(), much.begin(), much.end());
    const ImpactResult::Cost *dearest = extreme(little, std::greater<>()), *cheapest = extreme(much, std::less<>());
    const char* claimed =
        "FE, CD, PV, VE, BABAB, TY2 and TY3 cost little; RK, BABABAB, the predictor-correctors and Khakimov's schemes "
        "cost much";
    if (!dearest || !cheapest) return add(7, claimed, both, "not measured", not_measured);
    add(7, claimed, both,
        fmt::format(
            "the most expensive of the first group: {}, {:.2g} times forward_euler; the cheapest of the second group: "
            "{}, {:.2g} times",
            dearest->scheme->name, step_cost(r_, *dearest, Costing::integration), cheapest->scheme->name,
            step_cost(r_, *cheapest, Costing::integration)),
        dearest->step < cheapest->step ? "holds"
                                       : "does not hold: where the paper has formulas, Cairn needs an iteration for "
                                         "kicks that are implicit in the damping, and Taylor series in time for the "
                                         "derivatives of the force",
        true);
  }

  enum class Places { any_first, first_and_second };
  void cheapest(int figure, const char* claimed, std::size_t m, Costing costing, const Names& names,
                Places claimed_places = Places::any_first) {
    const std::vector<Ranked> ranked = ranking(r_, m, costing);
    std::size_t best = 0;
    std::string near;
    const std::string places = each(names, [&](const char* name) {
      const std::size_t k = rank(ranked, name);
      if (k > 0 && (best == 0 || k < best)) best = k, near = name;
      return fmt::format("{}: {}", name, k > 0 ? fmt::format("place {} of {}", k, ranked.size()) : "no place");
    });
    const bool in_order =
        claimed_places == Places::any_first || (rank(ranked, names[0]) == 1 && rank(ranked, names[1]) == 2);
    add(figure, claimed, documents_, place(ranked, 0) + "; " + places,
        !ran_all()              ? not_measured
        : best == 1 && in_order ? "holds"
        : best > 0 && best <= 5 ? "nearly: " + near + " is among the five cheapest"
                                : std::string(denied));
  }

  void efficiency() {
    const Names splittings{"position_verlet", "omelyan_babab"};
    cheapest(8, "TY2 is the cheapest scheme for 2 % in e_t", e_t, Costing::integration, {"taylor2"});
    below(9, "PV and TY3 reach half the model's error in \u03b2 at about 25 steps", {"position_verlet", "taylor3"},
          beta, impact_measures[beta].model / 2, 1, 30);
    if (all_.back().verdict == denied)
      all_.back().verdict += ": at the Coulomb limit TY3 takes the jerk of a sticking contact";
    cheapest(9, "TY2 is a good choice for half the model's error in \u03c9", omega, Costing::integration, {"taylor2"});
    cheapest(11, "with contact detection PV is the cheapest for 2 % in e_t, then BABAB", e_t, Costing::shared,
             splittings, Places::first_and_second);
    cheapest(12, "with contact detection PV or BABAB is the cheapest for half the model's error in \u03b2", beta,
             Costing::shared, splittings);
    cheapest(12, "with contact detection PV or BABAB is the cheapest for half the model's error in \u03c9", omega,
             Costing::shared, splittings);
  }

  static constexpr int document_from = 4, document_to = 100;  // n

  const ImpactResult& r_;
  ImpactFound found_;
  int last_;
  Names documents_;
  std::vector<Claim> all_;
};

}  // namespace

std::string document_scheme_names() {
  std::string words;
  for (const auto& names : document_schemes)
    for (const char* name : names) {
      const std::string_view also = scheme_named(name).claims.aliases;
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", also.substr(0, also.find(' ')), name);
    }
  return "Names of the schemes in the paper and in Cairn: " + words +
         ". The paper prints D12, T12 and T16 for one coordinate, with a division by 1 - (h\u00b2/12) da/dr; T16 "
         "divides by 1 - (h\u00b2/6) da/dr. Cairn solves a linear system with the derivative of all forces instead. In "
         "the normal direction this is the printed division. In the tangential direction the derivative acts along the "
         "motion of the spring and not on each coordinate separately. khakimov_t12(1) replaces the division by the "
         "beginning of its series, 1 + (h\u00b2/12) da/dr; khakimov_d12(1) and khakimov_t16(1) do likewise.";
}

std::vector<Claim> claims_of(const ImpactResult& r) {
  return Claims(r).all();
}

std::vector<Claim> not_reproducible(const ImpactResult& r) {
  const ImpactFound found(r);
  const auto from = [&](const char* name, Real level) {
    return fmt::format("{}: {}", name, found.below(name, e_n, level).words(found.last()));
  };
  const std::vector<Ranked> ranked = ranking(r, e_n, Costing::integration);
  return {{2, "CD gets below 1 % in e_n at about 75 steps", from("central_difference", 1), ""},
          {2, "D12 gets below 1 % in e_n at about 95 steps", from("khakimov_d12", 1), ""},
          {2, "D12 is above 10 % in e_t",
           fmt::format("khakimov_d12: {} at n = 20", percent(found.ard("khakimov_d12", 20, e_t))), ""},
          {8, "TY3 has 0.5 % in e_n at n = 18", from("taylor3", 0.5), ""},
          {8, "TY3 is the cheapest scheme for 0.5 % in e_n, then BABAB",
           fmt::format("{}; then {}", place(ranked, 0), place(ranked, 1)), ""}};
}

}  // namespace cairn::studies
