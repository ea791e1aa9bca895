// Changes of settings between steps.
#include <algorithm>
#include <array>
#include <utility>

#include "cairn/contact/spring_drift.hpp"
#include "cairn/core/error.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

void World::adopt_laws() {
  const auto pairs = static_cast<std::size_t>(settings_.materials) * settings_.materials;
  with_law(settings_.laws, [&]<class Law>(std::span<const Law> laws) {
    if (laws.size() != pairs)
      throw Error(Exit::bad_input, "a world needs a contact law for each pair of its materials");
    if (std::any_of(laws.begin(), laws.end(), [](const Law& law) { return range_of(law) > 0; }))
      throw Error(Exit::bad_input, "a world has no forces between bodies that do not touch; the law asks for some");
    closed_form_ = !settings_.general_kernel && std::any_of(laws.begin(), laws.end(), has_closed_form<Law>);
    for (RollingResistance& r : settings_.rolling) r.stores = !Law::stiffens;
    list_.slots().onset_speed.used = Law::sees_onset_speed;
  });
  list_.slots().hard_force.used = settings_.hard.has_value();
  if (settings_.hard && settings_.hard->pairs.size() != pairs)
    throw Error(Exit::bad_input, "a world needs a hard contact law for each pair of its materials");
  if (settings_.rolls() && settings_.rolling.size() != pairs)
    throw Error(Exit::bad_input, "a world needs a rolling resistance for each pair of its materials, or none at all");
  set_onset(settings_.onset);
  settings_.inverse_masses.clear();
  if (settings_.loaded_walls.empty()) return;
  for (const Surface& s : settings_.surfaces) settings_.inverse_masses.push_back(settings_.inverse_mass(s));
}

void World::restore_settings(WorldSettings settings) {
  const bool same =
      settings.laws.index() == settings_.laws.index() && settings.hard.has_value() == settings_.hard.has_value() &&
      settings.materials == settings_.materials && settings.surfaces.size() == settings_.surfaces.size() &&
      settings.loaded_walls.size() == settings_.loaded_walls.size() &&
      settings.spring_rows() == settings_.spring_rows() && settings.rotation == settings_.rotation &&
      settings.cell.origin == settings_.cell.origin && settings.cell.length == settings_.cell.length;
  if (!same)
    throw Error(Exit::bad_input,
                "a change during a run keeps the law, the materials, the cell, the walls and whether grains roll");
  settings_ = std::move(settings);
  adopt_laws();
}

void World::change_settings(WorldSettings settings, Real lag_before, Real lag_after) {
  const auto kick = [&](Real h) {
    if (h != 0)
      cairn::combine(state(), state(), std::array<Term, 1>{{{h, &current_rate()}}}, settings_.threads,
                     StatePart::velocities | StatePart::ledger, settings_.simd);
  };
  kick(lag_before);
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
  kick(-lag_after);
  prepared_ = {};
  scanned_ = false;
}

}  // namespace cairn
