// Changes of settings between steps.
#include <algorithm>
#include <utility>

#include "cairn/contact/spring_drift.hpp"
#include "cairn/core/error.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

namespace {

void require_whole(const WorldSettings& s) {
  const auto pairs = static_cast<std::size_t>(s.materials) * s.materials;
  with_law(s.laws, [&]<class Law>(std::span<const Law> laws) {
    if (laws.size() != pairs)
      throw Error(Exit::bad_input, "a world needs a contact law for each pair of its materials");
    if (std::any_of(laws.begin(), laws.end(), [](const Law& law) { return range_of(law) > 0; }))
      throw Error(Exit::bad_input, "a world has no forces between bodies that do not touch; the law asks for some");
  });
  if (s.hard && s.hard->pairs.size() != pairs)
    throw Error(Exit::bad_input, "a world needs a hard contact law for each pair of its materials");
  if (s.rolls() && s.rolling.size() != pairs)
    throw Error(Exit::bad_input, "a world needs a rolling resistance for each pair of its materials, or none at all");
  if (s.threads < 1) throw Error(Exit::bad_input, "a world needs a thread at least");
}

void require_allowed(const WorldSettings& change, const WorldSettings& now) {
  const bool same = change.laws.index() == now.laws.index() && change.hard.has_value() == now.hard.has_value() &&
                    change.materials == now.materials && change.surfaces.size() == now.surfaces.size() &&
                    change.loaded_walls.size() == now.loaded_walls.size() &&
                    change.spring_rows() == now.spring_rows() && change.rotation == now.rotation &&
                    change.cell.origin == now.cell.origin && change.cell.length == now.cell.length;
  if (!same)
    throw Error(Exit::bad_input,
                "a change during a run keeps the law, the materials, the cell, the walls and whether grains roll");
  require_whole(change);
}

}  // namespace

void World::adopt_laws() {
  require_whole(settings_);
  with_law(settings_.laws, [&]<class Law>(std::span<const Law> laws) {
    closed_form_ = !settings_.general_kernel && std::any_of(laws.begin(), laws.end(), has_closed_form<Law>);
    for (RollingResistance& r : settings_.rolling) r.stores = !Law::stiffens;
    list_.slots().onset_speed.used = Law::sees_onset_speed;
  });
  list_.slots().hard_force.used = settings_.hard.has_value();
  set_onset(settings_.onset);
  settings_.inverse_masses.clear();
  if (settings_.loaded_walls.empty()) return;
  for (const Surface& s : settings_.surfaces) settings_.inverse_masses.push_back(settings_.inverse_mass(s));
}

void World::restore_settings(WorldSettings settings) {
  require_allowed(settings, settings_);
  settings_ = std::move(settings);
  adopt_laws();
}

void World::change_settings(WorldSettings settings, Real lag_before, Real lag_after) {
  require_allowed(settings, settings_);  // before anything has changed
  if (lag_before != 0) shift_velocities(lag_before);
  const Energies then = energies();
  const Real residual_then = residual(then);
  restore_settings(std::move(settings));
  rebuild();
  states_.forget_memories();
  events_.find_phases(parts(), false);
  finish_evaluation();
  const Energies now = energies();
  state().ledger[Channel::external] += residual(now) - residual_then;
  ledger_.add_gravitational_inflow(now.gravitational - then.gravitational);
  if (lag_after != 0) shift_velocities(-lag_after);
  prepared_ = {};
  scanned_ = false;
}

}  // namespace cairn
