// Guards look whether a run must stop or its user must be warned (docs/running.md).
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cairn/run/emitters.hpp"
#include "cairn/run/energy_balance.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/run/step_guard.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

struct GuardReport {
  std::string name;
  std::string action;   // "refuse", "warn" or "off"
  std::string message;  // empty: nothing to report
};

// The largest overlap of a run so far.
struct LargestOverlap {
  Real fraction = 0;                        // [-] of the smaller radius; 0: nothing has touched
  Real time = 0;                            // [s] end of the step that found it
  std::array<std::int64_t, 2> ids{-1, -1};  // second: -1 - wall for a wall

  static const char* advice(bool hard) {
    return hard ? ": an impact is met too late; lower run.step or set guards.overlap = \"warn\""
                : ": contacts are too soft for this motion; raise the stiffness or set guards.overlap = \"warn\"";
  }
};
// "grain 161 and wall 'box'", of ids as LargestOverlap has them.
std::string bodies_in_words(const World& world, const std::array<std::int64_t, 2>& ids);

// A guard set to refuse throws Error(guard) where its limit is passed; its message is kept for the summary, the first
// of each kind (of overlaps the largest).
class Guards {
 public:
  // A run between steps.
  struct Run {
    World& world;
    const Scenario& scenario;
    const SchemeEntry& scheme;
    const Emitters& emitters;
    const EnergyBalance& balance;
    std::function<void()> gather;  // this rank gets all grains
  };

  Guards() = default;  // none
  // `hard`: contacts are hard. `iterates`: a scheme of the run may not converge in a step.
  Guards(const Scenario& scenario, bool hard, bool iterates);

  const std::vector<GuardReport>& reports() const { return reports_; }
  const LargestOverlap& largest_overlap() const { return largest_overlap_; }
  Real step_limit() const { return step_limit_; }  // [s] as Simulation::step_limit()
  // Replaces the message of a guard that is not one of [guards].
  void set(const std::string& name, const std::string& message) { at(name).message = message; }

  // Before the first forces. Onsets that cannot be corrected are not.
  void look_at_dashpots(const Run& run);
  void look_at_seams(const Run& run);
  // With the first forces.
  void look_at_first_overlap(const Run& run);
  // The step, at the start and after changes. `packed` may be found before grains are apart.
  static StepGuard::Finding packed(const Run& run);
  void look_at_step(const Run& run, const StepGuard::Finding& packed);
  // After a change: a wall that comes may stand in grains, which it would throw.
  void look_at_new_walls(const Run& run, const Scenario& before) const;

  void after_step(const Run& run);
  // Whether observe() is due after this step.
  static bool observes_after(std::int64_t step);
  // Right after the balance was measured; velocities at the time of the positions.
  void observe(const Run& run);
  void look_at_iterations(const Run& run);

  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.value("step_limit", step_limit_);
    a.value("largest_overlap", largest_overlap_);
    for (GuardReport& g : reports_)  // that of iterations follows from the world's effort; not all runs have it
      if (g.name != "iteration") a.text("guard." + g.name, g.message);
  }

 private:
  GuardReport& at(const std::string& name);  // of those there are
  void report(const std::string& name, const std::string& message);
  [[noreturn]] void refuse(const Run& run, const std::string& name, const std::string& message,
                           const std::string& advice);
  void judge(const Run& run, const StepGuard::Finding& found, const std::string& beside = "");
  void guard_finite(const Run& run);
  bool find_overlap(World& world);
  void guard_overlap(const Run& run);
  void guard_residual(const Run& run);
  void guard_travel(const Run& run);
  void guard_round_off(const Run& run);

  std::vector<GuardReport> reports_;
  LargestOverlap largest_overlap_;
  Real step_limit_ = 0;  // [s]
};

}  // namespace cairn
