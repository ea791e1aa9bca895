// The changes of a scenario while it runs: which of them comes next, when, and the settings of a World after it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/run/scenario.hpp"
#include "cairn/world/settings.hpp"

namespace cairn {

class World;

// A change that has happened.
struct ChangeDone {
  Real time = 0;  // [s]
  std::int64_t step = 0;
};

class Changes {
 public:
  explicit Changes(const Scenario& scenario) : specs_(scenario.changes) {}

  std::size_t size() const { return specs_.size(); }
  const ChangeSpec& spec(std::size_t k) const { return specs_[k]; }
  const std::vector<ChangeDone>& done() const { return done_; }
  // The change that comes next; null: none.
  const ChangeSpec* next() const { return done_.size() < specs_.size() ? &specs_[done_.size()] : nullptr; }
  // The condition of the next change, where it has to hold still.
  const ChangeSpec::Condition* awaited() const;
  void condition_holds(Real time) { held_at_ = time; }
  // [s] when the next change is due; none: its condition has not held.
  std::optional<Real> due() const;
  void record(const ChangeDone& change) { done_.push_back(change), held_at_ = -1; }
  // Changes that have not happened, in words; empty: none.
  std::string missing() const;

  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.vector("changes.done", done_);
    a.value("changes.held_at", held_at_);
  }

 private:
  std::vector<ChangeSpec> specs_;
  std::vector<ChangeDone> done_;
  Real held_at_ = -1;  // [s] when the condition of the next change held; -1: not yet
};

// What moves walls: where their prescribed motions and loads began to count. Everything else of the settings follows
// from the scenario.
struct WallOrigins {
  struct OfSurface {
    Vector point{}, direction{}, centre{};  // [m] [-] [m] as of Surface and Motion
    WallFrame frame{};
    Real start = 0;  // [s]
  };
  std::vector<OfSurface> surfaces;
  std::vector<Real> loads;  // [s] LoadedWall::start

  static WallOrigins of(const WorldSettings& settings);
  void give(WorldSettings& settings) const;
  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.vector("walls.origins", surfaces);
    a.vector("walls.loads", loads);
  }
};

// What `after` may differ in from `now`: step, end, scheme and its numbers, gravity, contact parameters, motion,
// presence and load of walls, which emitters are on, and output intervals. Everything else stays.
void take_changes(Scenario& now, const Scenario& after);

// The settings of a world that has run under `before` until `time` [s], for the scenario `after`. Walls whose motion
// changes go on from where they are.
WorldSettings settings_after(const Scenario& before, const Scenario& after, const WorldSettings& now, Real time);

// After the first `done` changes: makes the scenario what it then is, and gives its settings to a world that has none
// of them yet, with walls that began to move as `walls` says.
void restore_changes(const Changes& changes, std::size_t done, const WallOrigins& walls, Scenario& scenario,
                     World& world);

// Whether the motion of bodies depends on what differs.
bool same_physics(const Scenario& a, const Scenario& b);

// Whether there are frames or pictures at any time of the run.
bool takes_frames(const Scenario& scenario);
bool takes_pictures(const Scenario& scenario);

// "kinetic < 1e-06"
std::string in_words(const ChangeSpec::Condition& condition);
// One line for each: "the gate opens: when kinetic < 1e-06, and 0.02 s more: wall.gate.present = false". A change whose
// own time is before that of the change before happens then, and its line says so. `end` [s] of the run.
std::vector<std::string> in_words(const std::vector<ChangeSpec>& changes, Real end);

}  // namespace cairn
