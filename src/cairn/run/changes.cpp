#include "cairn/run/changes.hpp"

#include <algorithm>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/scheme_choice.hpp"

namespace cairn {

const ChangeSpec::Condition* Changes::awaited() const {
  const ChangeSpec* const change = next();
  return change && change->when && held_at_ < 0 ? &*change->when : nullptr;
}

std::optional<Real> Changes::due() const {
  const ChangeSpec* const change = next();
  if (!change || awaited()) return {};
  const Real before = done_.empty() ? 0 : done_.back().time;
  return (change->when ? held_at_ : change->at.value_or(before)) + change->wait;
}

std::string Changes::missing() const {
  std::string text;
  for (std::size_t k = done_.size(); k < specs_.size(); ++k)
    text += (text.empty() ? "change '" : ", '") + specs_[k].name + "'";
  if (text.empty()) return text;
  text += " did not happen";
  if (const auto* condition = awaited())
    return text + ": " + in_words(*condition) + " never held when it was looked at";
  return text + ": the run ended before t = " + brief(*due()) + " s";
}

bool takes_frames(const Scenario& scenario) {
  const auto some = [](const Scenario& s) { return s.frames_every > 0; };
  return some(scenario) || std::ranges::any_of(scenario.changes, [&](const ChangeSpec& c) { return some(*c.after); });
}

bool takes_pictures(const Scenario& scenario) {
  const auto some = [](const Scenario& s) { return s.pictures_every.value_or(s.end) > 0; };
  return some(scenario) || std::ranges::any_of(scenario.changes, [&](const ChangeSpec& c) { return some(*c.after); });
}

std::string in_words(const ChangeSpec::Condition& condition) {
  return condition.column + (condition.below ? " < " : " > ") + brief(condition.value);
}

std::vector<std::string> in_words(const std::vector<ChangeSpec>& changes, Real end) {
  std::vector<std::string> lines;
  Real before = 0;    // [s] at which the change before happens at the earliest
  bool known = true;  // and not later
  for (const ChangeSpec& change : changes) {
    const Real due = change.at.value_or(before) + change.wait;
    std::string words = change.name + ": ";
    if (due < before) {
      words += "at t = " + brief(before) + " s" + (known ? "" : " or later") + ", not at " + brief(due) +
               " s, because it waits for the change before";
    } else {
      if (change.when)
        words += "when " + in_words(*change.when);
      else if (change.at)
        words += "at t = " + brief(*change.at) + " s";
      else
        words += lines.empty() ? "at the start" : "after the change before";
      if (change.wait > 0) words += ", and " + brief(change.wait) + " s more";
      if (change.at && !known) words += ", or later, once the change before has happened";
    }
    std::string settings;
    for (const std::string& s : change.settings) settings += (settings.empty() ? "" : ", ") + s;
    before = std::max(before, due), known = known && !change.when;
    lines.push_back(words + ": " + settings + (before > end ? " (after the end of the run)" : ""));
  }
  return lines;
}

WallOrigins WallOrigins::of(const WorldSettings& settings) {
  WallOrigins origins;
  for (const Surface& s : settings.surfaces)
    origins.surfaces.push_back({s.point, s.direction, s.motion.centre, s.frame, s.motion.start});
  for (const LoadedWall& w : settings.loaded_walls) origins.loads.push_back(w.start);
  return origins;
}

void WallOrigins::give(WorldSettings& settings) const {
  if (surfaces.size() != settings.surfaces.size() || loads.size() != settings.loaded_walls.size())
    throw Error(Exit::bad_input, "the walls of the scenario are not those of the checkpoint");
  for (std::size_t k = 0; k < surfaces.size(); ++k) {
    Surface& s = settings.surfaces[k];
    s.point = surfaces[k].point, s.direction = surfaces[k].direction;
    s.motion.centre = surfaces[k].centre, s.motion.start = surfaces[k].start, s.frame = surfaces[k].frame;
    s.turns = rotation_changes(s);
  }
  for (std::size_t k = 0; k < loads.size(); ++k) settings.loaded_walls[k].start = loads[k];
}

void take_changes(Scenario& now, const Scenario& after) {
  if (!after.chooses_step) now.step = after.step;  // else it goes on until another is chosen
  now.chooses_step = after.chooses_step, now.accuracy = after.accuracy;
  now.end = after.end, now.tolerance = after.tolerance;
  if (after.scheme != chosen_by_case) now.scheme = after.scheme;
  now.smallest_step = after.smallest_step, now.largest_step = after.largest_step;
  now.gravity = after.gravity, now.contact = after.contact, now.pairs = after.pairs;
  for (std::size_t k = 0; k < now.walls.size(); ++k) {
    const WallSpec& wall = after.walls.at(k);
    now.walls[k].motion = wall.motion, now.walls[k].present = wall.present, now.walls[k].load = wall.load;
  }
  for (std::size_t k = 0; k < now.emitters.size(); ++k) now.emitters[k].on = after.emitters.at(k).on;
  now.series_every = after.series_every, now.frames_every = after.frames_every;
  now.pictures_every = after.pictures_every, now.checkpoint_every = after.checkpoint_every;
}

WorldSettings settings_after(const Scenario& before, const Scenario& after, const WorldSettings& now, Real time) {
  WorldSettings next = world_settings(after);
  next.threads = now.threads, next.simd = now.simd, next.reach = now.reach, next.general_kernel = now.general_kernel;
  if (next.surfaces.size() != now.surfaces.size() || next.loaded_walls.size() != now.loaded_walls.size())
    throw Error(Exit::bad_input, "a change during a run keeps the walls and which of them have a load");
  for (std::size_t k = 0; k < next.surfaces.size(); ++k) {
    const WallSpec &old_wall = before.walls[now.surfaces[k].wall], &wall = after.walls[now.surfaces[k].wall];
    Motion motion = next.surfaces[k].motion;
    const bool absent = next.surfaces[k].absent;
    next.surfaces[k] = now.surfaces[k];
    next.surfaces[k].absent = absent;
    if (wall.motion == old_wall.motion) continue;
    // An axis that the change does not mention has moved with the wall.
    if (wall.motion.centre == old_wall.motion.centre)
      motion.centre = wall.motion.centre || wall.motion.rotation_rate == 0
                          ? pose_at(now.surfaces[k], time).centre
                          : place_on(now.surfaces[k], rotation_centre(wall), time);
    change_motion(next.surfaces[k], motion, time);
  }
  for (std::size_t k = 0; k < next.loaded_walls.size(); ++k) {
    const int wall = now.loaded_walls[k].wall;
    next.loaded_walls[k].start = after.walls[wall].load == before.walls[wall].load ? now.loaded_walls[k].start : time;
  }
  return next;
}

void restore_changes(const Changes& changes, std::size_t done, const WallOrigins& walls, Scenario& scenario,
                     World& world) {
  if (done == 0) return;
  take_changes(scenario, *changes.spec(done - 1).after);
  WorldSettings settings = world_settings(scenario);
  walls.give(settings);
  settings.onset = world.settings().onset;
  world.restore_settings(std::move(settings));
}

bool same_physics(const Scenario& a, const Scenario& b) {
  const auto same_walls = [](const WallSpec& p, const WallSpec& q) {
    return p.motion == q.motion && p.present == q.present && p.load == q.load;
  };
  const auto same_pairs = [](const PairSettings& p, const PairSettings& q) { return p.contact == q.contact; };
  return a.step == b.step && a.chooses_step == b.chooses_step && a.accuracy == b.accuracy && a.scheme == b.scheme &&
         a.tolerance == b.tolerance && a.gravity == b.gravity && a.smallest_step == b.smallest_step &&
         a.largest_step == b.largest_step && a.contact == b.contact &&
         std::ranges::equal(a.pairs, b.pairs, same_pairs) && std::ranges::equal(a.walls, b.walls, same_walls);
}

}  // namespace cairn
