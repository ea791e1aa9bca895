#include "cairn/world/force_jumps.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <utility>

#include "cairn/world/loaded_walls.hpp"

namespace cairn {
namespace {

Vector vector_of(const Real* row, int first) {
  return {row[first], row[first + 1], row[first + 2]};
}

}  // namespace

AskedForces::AskedForces(const EventParts& w, std::span<const EventContact> events, const ContactPass& pass)
    : parts_(w), pass_(pass), rows_(events.size() * row_length_of(w.settings.rolls())) {
  const ContactScene scene = w.scene();
  contacts_.reserve(events.size()), slots_.reserve(events.size());
  for (int kind = 0; kind < kinds; ++kind) {
    int at = static_cast<int>(contacts_.size());
    std::copy_if(events.begin(), events.end(), std::back_inserter(contacts_), [&](const EventContact& of) {
      return kind == (scene.at_wall(of.slot) ? at_walls : scene.counts(of.slot) ? between_grains : counted_elsewhere);
    });
    for (const int end = static_cast<int>(contacts_.size()); at < end; at += contacts_at_once)
      shares_.push_back({static_cast<Kind>(kind), at, std::min(end, at + contacts_at_once)});
  }
  const Real* row = rows_.data();
  for (EventContact& of : contacts_)
    slots_.push_back(of.slot), of.row = std::exchange(row, row + row_length_of(w.settings.rolls()));
}

AskedForces AskedForces::of_present(const EventParts& w, std::span<const EventContact> events, Real ago) {
  return {w, events, {.y = &w.states.present, .current_rate = &w.states.current_rate, .predict = -ago}};
}

AskedForces AskedForces::final_ones(const EventParts& w, std::span<const EventContact> events) {
  State& y = w.states.present;
  State* const rate = w.states.rate_known ? &w.states.current_rate : nullptr;
  return {w, events, {.y = &y, .springs = &y, .rate = rate, .close = true}};
}

void AskedForces::find_share(std::ptrdiff_t k, PartialSums& counted) {
  const WorldSettings& settings = parts_.settings;
  const ContactTables t = ContactForces::tables(settings, parts_.bodies, parts_.list, rows_.data());
  const auto [kind, begin, end] = shares_[k];
  PartialSums thrown_away;
  PartialSums& sums = kind == counted_elsewhere ? thrown_away : counted;
  const int* const slots = slots_.data();
  if (kind == at_walls)
    wall_pass(settings.simd, pass_, t, settings.laws, slots, begin, end, begin, sums);
  else
    pair_pass(settings.simd, pass_, t, settings.laws, slots, begin, end, begin, sums);
}

void AskedForces::fetch_share(std::ptrdiff_t k) const {
  for (auto [of, last] = share(k); of < last; ++of)
    for (const int i : contacts_[of].grains)
      if (i >= 0) prefetch_grain(parts_, i);
}

ForceJump::ForceJump(const EventParts& w, std::span<const EventContact> contacts, Real times, Real lag,
                     std::vector<int>& changed)
    : parts_(w), contacts_(contacts), times_(times), lag_(lag) {
  const ContactScene scene = w.scene();
  const Particles& grains = scene.grains;
  // A contact stands among those of a grain by the id of the other one, walls last.
  const auto place_of = [&](int slot, int other) {
    if (other >= 0) return grains.id[other];
    return std::numeric_limits<std::int64_t>::max() / 2 + scene.wall_pair(slot).surface;
  };
  for (int k = 0, count = static_cast<int>(contacts.size()); k < count; ++k)
    for (const int side : {0, 1}) {
      const EventContact& of = contacts[k];
      const int i = of.grains[side];
      if (w.domain.apart() && i >= 0) changed.push_back(i);
      if (!of.alone[side] && grains.own(i))  // the owners of others tell
        others_.push_back({i, place_of(of.slot, of.grains[1 - side]), k, side});
    }
  std::sort(others_.begin(), others_.end());
}

void ForceJump::add(const Side& of, EventFindings& found) const {
  const Particles& grains = parts_.bodies.grains();
  const int i = of.grain;
  const BodyRows& y = parts_.states.present.body;
  BodyRows& rate = parts_.states.current_rate.body;
  const Vector a = rate.at(BodyRow::v, i), alpha = rate.at(BodyRow::w, i);
  if (!parts_.list.foresees_replaced(i, norm(a))) found.unforeseen.push_back(i);
  const Real* const force = contacts_[of.contact].row;
  const Real side = of.side == 0 ? times_ : -times_;
  Vector torque = (times_ * (of.side == 0 ? 1 + force[3] : 1 - force[3])) * vector_of(force, 4);
  if (parts_.settings.rolls()) torque += side * vector_of(force, row_length + 4);
  const Vector more = (side * grains.inverse_mass[i]) * vector_of(force, 0), turn = grains.inverse_inertia[i] * torque;
  if (lag_ != 0)
    found.booked.gained.add(energy_gained(grains, i, y.at(BodyRow::v, i) + lag_ * a, lag_ * more,
                                          y.at(BodyRow::w, i) + lag_ * alpha, lag_ * turn));
  rate.set(BodyRow::v, i, a + more), rate.set(BodyRow::w, i, alpha + turn);
}

void ForceJump::add_alone(std::ptrdiff_t k, EventFindings& found) const {
  const EventContact& of = contacts_[k];
  for (const int side : {0, 1})
    if (const int i = of.grains[side]; i >= 0 && of.alone[side] && parts_.bodies.grains().own(i))
      add({i, 0, static_cast<int>(k), side}, found);
}

void ForceJump::add_others(EventFindings& found) const {
  for (const Side& of : others_) add(of, found);
  accelerate_walls(found);
}

void ForceJump::accelerate_walls(EventFindings& found) const {
  Slab &rate = parts_.states.current_rate.walls, &y = parts_.states.present.walls;
  if (rate.size() == 0) return;
  std::vector<ReproducibleVectorSum> more(static_cast<std::size_t>(rate.size()));
  const ContactScene scene = parts_.scene();
  for (const EventContact& of : contacts_)
    if (const int wall = scene.loaded_wall(of.slot); wall >= 0) more[wall].add(-times_ * vector_of(of.row, 0));
  for (int k = 0; k < rate.size(); ++k) {
    const LoadedWall& wall = parts_.settings.loaded_walls[k];
    parts_.domain.add(more[k]);
    const Vector a = rate.at(WallRow::v, k), da = (1 / wall.mass) * wall.along_free(more[k].value());
    rate.set(WallRow::v, k, a + da);
    if (parts_.domain.leads())
      found.booked.gained.add(energy_gained(wall.mass, y.at(WallRow::v, k) + lag_ * a, lag_ * da));
  }
}

}  // namespace cairn
