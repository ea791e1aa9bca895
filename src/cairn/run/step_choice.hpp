// The step of a run with run.step = "auto": chosen at the start, then followed (docs/step.md). It depends on the
// scenario and the state alone, so bits depend neither on threads nor on a restart.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cairn/core/number_range.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/run/scheme_choice.hpp"

namespace cairn {

inline constexpr Real usual_accuracy = 0.01;  // [-] run.accuracy where it is not given
inline constexpr NumberRange accuracies{1e-6, 0.5};

// What limits the step.
struct StepDemand {
  Real step = 0;       // [s] longest that is allowed; infinite: nothing limits it
  std::string reason;  // "impacts of glass on glass at 2 m/s, 18.4 steps per contact"
};

// What the choice is made from.
struct StepSituation {
  const Scenario& scenario;
  const World& world;  // between steps
  const SchemeEntry& scheme;
  std::vector<GrainData> expected;  // lightest grains that are yet to come
};

class StepChoice {
 public:
  struct Chosen {
    std::int64_t step = 0;  // number of steps done before
    Real time = 0;          // [s]
    Real length = 0;        // [s]
  };

  // [s] the step in use; 0: none was chosen yet.
  Real step() const { return chosen_.empty() ? 0 : chosen_.back().length; }
  // The steps that were in use, in order, and why: reason(k) of chosen()[k].
  const std::vector<Chosen>& chosen() const { return chosen_; }
  const std::string& reason(std::size_t k) const { return reasons_[k]; }
  std::string in_words(std::size_t k) const;  // "1.2e-05 s: limited by ..."

  // The step from now on [s], chosen anew: at the start, or where the scenario has changed.
  Real choose(const StepSituation& now);
  // [s] a bound of it from above, in a thousandth of the time: what impacts allow is left out.
  Real without_impacts(const StepSituation& now);
  // Whether follow() looks before the next step: at multiples of a number of steps.
  static bool due(std::int64_t steps) { return steps % quick_look == 0; }
  // Another step from now on [s], or nothing. Called twice at the same step it does nothing the second time.
  std::optional<Real> follow(const StepSituation& now);

  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.vector("step_choice.chosen", chosen_);
    std::string all;
    for (const std::string& reason : reasons_) all += reason + '\n';
    a.text("step_choice.reasons", all);
    reasons_.clear();
    for (std::size_t at = 0, end; (end = all.find('\n', at)) != std::string::npos; at = end + 1)
      reasons_.push_back(all.substr(at, end - at));
    a.value("step_choice.watch", watch_);
    for (const auto& [name, one] : {std::pair{"impacts", &impacts_}, {"foretold", &foretold_}}) {
      a.text(std::string("step_choice.") + name, one->reason);
      a.value(std::string("step_choice.") + name + ".step", one->step);
    }
    a.value("step_choice.impact_duration", impact_duration_);
  }

 private:
  // Steps between looks at speeds, at the contacts as a whole where something has changed and where nothing has, and at
  // each contact. The last distance doubles while nothing changes, up to `longest_look`.
  static constexpr std::int64_t quick_look = 64, busy_look = 128, calm_look = 512;
  static constexpr std::int64_t full_look = 4096, longest_look = 32768;
  static constexpr std::int64_t patience = 16384;  // steps

  struct Watch {
    std::int64_t looked = -1;           // the number of steps at the last look
    std::int64_t grains = 0;            // when packings were foretold
    std::int64_t contacts = 0;          // closed, at the last full look
    Real covered_speed = 0;             // [m/s] up to which the impacts are accurate
    Real speed = 0;                     // [m/s] of the fastest body when they were measured
    std::int64_t since = 0;             // the number of steps from which on `allowed` counts
    Real allowed = 0;                   // [s] least demand since then
    std::int64_t next = 0;              // the number of steps from which on the next full look is due
    std::int64_t distance = full_look;  // [steps] between the last full look and the next
    Real deepest = 0;                   // [-] overlap over the smaller radius, the largest since the step grew
    Real stiffness = 0, damping = 0;    // [1/s^2] [1/s] bounds by rows at the last full look
  };

  // `in_use` [s] is the step that is followed; 0: a step is chosen anew.
  StepDemand demand(const StepSituation& now, Real in_use, bool measure_impacts);
  void measure_impacts(const StepSituation& now);
  StepDemand foretold_stability(const StepSituation& now);
  StepDemand by_rates(const StepSituation& now, Real stiffness, Real damping, Real mode_damping);
  StepDemand network(const StepSituation& now, Real in_use, Real needed);
  void look_again(const StepSituation& now, bool changed);
  void take(const StepSituation& now, Real length, const std::string& reason);

  std::vector<Chosen> chosen_;
  std::vector<std::string> reasons_;
  Watch watch_;
  StepDemand impacts_, foretold_;
  Real impact_duration_ = 0;  // [s] of the impact that limits the step
  // Results of phase_limit by damping ratio in steps of a grid, for the scheme and accuracy they were computed with.
  struct PhaseLimits {
    const SchemeEntry* scheme = nullptr;
    Real accuracy = 0;
    std::map<int, Real> by_damping;
  } phase_limits_;
};

// The scheme of a scenario that leaves both the scheme and the step to the program: of the default schemes the first
// that allows at least two thirds of the longest step, an implicit one counting an eighth. `step` becomes its choice.
SchemeChoice choose_scheme_and_step(const StepSituation& now, StepChoice& step);

// [s] the longest step of two digits, of the series E24 of preferred numbers, that is not longer: a number that can be
// written down, and that the round-off of a demand hardly ever changes.
Real preferred_step(Real longest);

}  // namespace cairn
