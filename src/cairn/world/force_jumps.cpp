#include "cairn/world/force_jumps.hpp"

#include <algorithm>
#include <compare>
#include <limits>

#include "cairn/world/loaded_walls.hpp"

namespace cairn {
namespace {

Vector vector_of(const Real* row, int first) {
  return {row[first], row[first + 1], row[first + 2]};
}

}  // namespace

AskedForces::AskedForces(const EventParts& w, std::span<const int> slots, const ContactPass& pass)
    : parts_(w), pass_(pass) {
  const ContactScene scene = w.scene();
  contacts_.slots.reserve(slots.size());
  contacts_.rows.resize(slots.size() * row_length_of(w.settings.rolls()));
  for (int kind = 0; kind < kinds; ++kind) {
    int at = static_cast<int>(contacts_.slots.size());
    std::copy_if(slots.begin(), slots.end(), std::back_inserter(contacts_.slots), [&](int slot) {
      return kind == (scene.at_wall(slot) ? at_walls : scene.counts(slot) ? between_grains : counted_elsewhere);
    });
    for (const int end = static_cast<int>(contacts_.slots.size()); at < end; at += contacts_at_once)
      shares_.push_back({static_cast<Kind>(kind), at, std::min(end, at + contacts_at_once)});
  }
}

AskedForces AskedForces::of_present(const EventParts& w, std::span<const int> slots, Real ago) {
  return {w, slots, {.y = &w.states.present, .current_rate = &w.states.current_rate, .predict = -ago}};
}

AskedForces AskedForces::final_ones(const EventParts& w, std::span<const int> slots) {
  State& y = w.states.present;
  State* const rate = w.states.rate_known ? &w.states.current_rate : nullptr;
  return {w, slots, {.y = &y, .springs = &y, .rate = rate, .close = true}};
}

void AskedForces::find_share(std::ptrdiff_t k, PartialSums& counted) {
  const WorldSettings& settings = parts_.settings;
  const ContactTables t = ContactForces::tables(settings, parts_.bodies, parts_.list, contacts_.rows.data());
  const auto [kind, begin, end] = shares_[k];
  PartialSums thrown_away;
  PartialSums& sums = kind == counted_elsewhere ? thrown_away : counted;
  const int* const slots = contacts_.slots.data();
  if (kind == at_walls)
    wall_pass(settings.simd, pass_, t, settings.laws, slots, begin, end, begin, sums);
  else
    pair_pass(settings.simd, pass_, t, settings.laws, slots, begin, end, begin, sums);
}

void AskedForces::fetch_share(std::ptrdiff_t k) const {
  const ContactScene scene = parts_.scene();
  for (auto [of, last] = share(k); of < last; ++of)
    for (const int i : scene.bodies(contacts_.slots[of]))
      if (i >= 0) prefetch_grain(parts_, i);
}

ForceJump::ForceJump(const EventParts& w, const ContactRows& contacts, Real times, Real lag, GrainNumbers& numbers,
                     std::vector<int>& changed)
    : parts_(w), contacts_(contacts), times_(times), lag_(lag), stride_(row_length_of(w.settings.rolls())) {
  const ContactScene scene = w.scene();
  const Particles& grains = scene.grains;
  const std::vector<int>& slots = contacts.slots;
  alone_ = numbers.start(scene, slots);
  for (const auto& bodies : alone_)
    for (const int i : bodies) {
      if (i < 0) continue;
      if (w.domain.apart()) changed.push_back(i);
      numbers.count(i);
    }
  // A contact stands among those of a grain by the id of the other one, walls last.
  const auto place_of = [&](int slot, int other) {
    if (other >= 0) return grains.id[other];
    return std::numeric_limits<std::int64_t>::max() / 2 + scene.wall_pair(slot).surface;
  };
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const auto bodies = alone_[k];
    for (int side = 0; side < 2; ++side) {
      const int i = bodies[side];
      if (i < 0 || (grains.own(i) && numbers.counted(numbers.find(i)) == 1)) continue;
      alone_[k][side] = -1;
      if (grains.own(i))  // the owners of others tell
        others_.push_back({i, place_of(slots[k], bodies[1 - side]), static_cast<int>(k), side});
    }
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
  const Real* const force = row(of.contact);
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
  for (int side = 0; side < 2; ++side)
    if (alone_[k][side] >= 0) add({alone_[k][side], 0, static_cast<int>(k), side}, found);
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
  for (std::size_t k = 0; k < contacts_.slots.size(); ++k)
    if (const int wall = scene.loaded_wall(contacts_.slots[k]); wall >= 0)
      more[wall].add(-times_ * vector_of(row(static_cast<std::ptrdiff_t>(k)), 0));
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
