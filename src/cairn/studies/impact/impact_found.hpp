// Reads the results of the impact study: from which n on an error stays below a level, and at which cost.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/studies/impact/impact.hpp"

namespace cairn::studies {

// Cairn's names of the paper's schemes, in the groups of its figures: one-step, multistep, predictor-correctors.
inline const std::vector<const char*> document_schemes[] = {
    {"forward_euler", "taylor2", "taylor3", "taylor4", "rk4", "central_difference", "position_verlet", "omelyan_babab",
     "forest_ruth"},
    {"verlet", "adams_bashforth2", "adams_bashforth3", "adams_bashforth4", "adams_bashforth5", "khakimov_d12",
     "khakimov_t12", "khakimov_t16"},
    {"abm2", "abm3", "abm4", "gear3", "gear4"}};

// Whether a scheme has this name of that list, with the default numbers.
inline bool is_called(const SchemeEntry& s, std::string_view name) {
  return s.name == name || (s.usual() && s.claims.name == name);
}

enum ImpactIndex : std::size_t { e_n, e_t, beta, omega };  // of impact_measures

// Where an error falls below a level and stays.
struct From {
  bool known = false;        // measured at all
  int n = 0;                 // 0: it does not
  int before = 0;            // the n measured before it; 0: none, perhaps it does before
  std::vector<int> above{};  // n at which the error is not below

  bool first() const { return n > 0 && before == 0; }
  bool by(int most) const { return n > 0 && n <= most; }
  bool not_by(int least) const { return !above.empty() && above.back() >= least; }
  bool holds_above(int m) const { return n > 0 && !not_by(m + 1); }
  std::string words(int last) const;  // of those measured
  std::string brief() const;
};

// By scheme and n; NaN, null or unknown where the run did not measure it.
class ImpactFound {
 public:
  explicit ImpactFound(const ImpactResult& r) : r_(r) {}

  const SchemeEntry* scheme(std::string_view name) const;
  int last() const { return r_.settings.steps.back(); }
  bool has(const std::vector<const char*>& schemes) const;
  bool documents_impacts() const;                                            // the run has the paper's angles and speed
  Real ard(std::string_view name, int n, std::size_t m) const;               // [%]
  Real dev(std::string_view name, Onset onset, int n, std::size_t m) const;  // [%]
  Real tot(std::string_view name, Onset onset, int n, std::size_t m) const;  // [%]
  From below(std::string_view name, std::size_t m, Real level) const;        // ard
  From grid_below(std::string_view name, Onset onset, std::size_t m, Real level) const;  // dev
  From better(std::string_view name, std::string_view other, std::size_t m) const;       // ard below the other's

 private:
  static From below(const std::vector<std::pair<int, Real>>& errors, Real level);

  const ImpactResult& r_;
};

// Cost of a step relative to forward_euler. integration: the step of an impact alone. shared: the same plus a constant
// cost for the rest of a simulation, such that integration is settings.share of a step of taylor2; added once per step,
// however many times the scheme evaluates the force. bed: measured in a dense bed.
enum class Costing { integration, shared, bed };
inline constexpr Costing costings[] = {Costing::integration, Costing::shared, Costing::bed};
Real step_cost(const ImpactResult& r, const ImpactResult::Cost& c, Costing costing);
const ImpactResult::Cost* cost_of(const ImpactResult& r, const SchemeEntry* scheme);  // null: not measured
std::string words_of(const ImpactResult& r, Costing costing);

struct Ranked {
  const SchemeEntry* scheme;
  From from;
  Real cost;  // [steps of forward_euler] of an impact
};
// The schemes whose error stays below half the model's, the cheapest first.
std::vector<Ranked> ranking(const ImpactResult& r, std::size_t m, Costing costing);
std::string place(const std::vector<Ranked>& all, std::size_t k);

std::string percent(Real a);

}  // namespace cairn::studies
