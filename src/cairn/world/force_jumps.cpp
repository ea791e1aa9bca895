#include "cairn/world/force_jumps.hpp"

#include <algorithm>
#include <limits>

#include "cairn/core/threads.hpp"
#include "cairn/world/loaded_walls.hpp"

namespace cairn {
namespace {

constexpr std::size_t few = 32;  // corrections, left to one thread
constexpr Real no_force[row_length_rolling] = {};

Vector vector_of(const Real* row, int first) {
  return {row[first], row[first + 1], row[first + 2]};
}

}  // namespace

template <class F>
void ForceJumps::each_part(F&& f) {
  on_threads(static_cast<int>(parts_.size()), [&](int thread) { f(parts_[thread]); });
}

ForceJumps::Sums ForceJumps::find(const EventParts& w, std::span<const int> corrected, std::span<const int> copies,
                                  Real velocity_lag) {
  const int blocks = static_cast<int>(w.forces.rows_of_changed().size());
  const int threads = corrected.size() + copies.size() < few ? 1 : std::clamp(w.settings.threads, 1, blocks);
  parts_.resize(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t)
    parts_[t].first_block = blocks * t / threads, parts_[t].end_block = blocks * (t + 1) / threads;
  if (w.domain.apart()) {
    moves_.assign(static_cast<std::size_t>(w.bodies.size()), false);
    for (const int slot : corrected)
      for (const int i : w.scene().bodies(slot))
        if (i >= 0) moves_[i] = true;
    for (const int i : copies) moves_[i] = true;
  }
  first_link_.resize(static_cast<std::size_t>(w.bodies.size()), -1);
  each_part([&](Part& part) {
    collect(w, corrected, copies, part);
    ask(w, false, part);
    add_kinetic(w, velocity_lag, part);
  });
  return total(w, velocity_lag);
}

ForceJumps::Sums ForceJumps::make(const EventParts& w, Real velocity_lag) {
  each_part([&](Part& part) { ask(w, true, part); });
  push_walls(w);
  each_part([&](Part& part) {
    renew(w, part);
    compare(w, part);
    add_kinetic(w, velocity_lag, part);
  });
  std::vector<int> changed;
  for (const Part& part : parts_) {
    changed.insert(changed.end(), part.changed.begin(), part.changed.end());
    for (std::size_t k = 0; k < part.changed.size(); ++k) w.list.replaced(part.changed[k], part.replaced[k]);
    for (const Moved& of : part.moved) w.list.jumped(of.grain, of.kick, of.shift);
  }
  if (w.domain.apart()) {  // accelerations of copies may be replaced that have no contact here
    const auto replaced = [&](int begin, int end) {
      for (int i = begin; i < end; ++i) w.list.replaced(i, norm(w.states.current_rate.body.at(BodyRow::v, i)));
    };
    const Particles& grains = w.bodies.grains();
    replaced(0, grains.own_begin()), replaced(grains.own_end(), w.bodies.size());
  }
  w.domain.share_some(w.states.current_rate.body, changed);
  return total(w, velocity_lag);
}

void ForceJumps::collect(const EventParts& w, std::span<const int> corrected, std::span<const int> copies,
                         Part& part) const {
  const ContactScene scene = w.scene();
  const State& y = w.states.present;
  const auto moves = [&](int i) { return w.domain.apart() ? moves_[i] != 0 : w.forces.has_changed(i); };
  part.moved.clear();
  for (std::vector<Jump>& of : part.jumps) of.clear();
  const auto add = [&](int slot, const std::array<int, 2>& bodies, const Real* row) {
    const Kind kind = scene.at_wall(slot) ? at_walls : scene.counts(slot) ? between_grains : counted_elsewhere;
    part.jumps[kind].push_back({slot, bodies, row, no_force});
    for (const int i : bodies)
      if (i >= 0) fetch_entry(y.body, i);
    for (int row_of = 0; row_of < y.bond.rows(); ++row_of) __builtin_prefetch(y.bond.row(row_of) + slot);
  };
  const auto add_moved = [&](int i, std::span<const int> contacts, auto&& row_of) {
    fetch_constants(scene.grains, i);
    part.moved.push_back({i, y.body.at(BodyRow::x, i), y.body.at(BodyRow::v, i)});
    for (std::size_t e = 0; e < contacts.size(); ++e) {
      const int slot = contacts[e] >> 1;
      if (scene.slots.phase[slot] == Phase::open) continue;  // it has no force
      const auto bodies = scene.bodies(slot);
      if (bodies[0] != i && moves(bodies[0])) continue;  // the other grain has it
      add(slot, bodies, row_of(e, slot));
    }
  };
  const std::ptrdiff_t stride = ContactForces::row_stride(w.settings);
  for (int b = part.first_block; b < part.end_block; ++b) {
    const ContactRows& of = w.forces.rows_of_changed()[b];
    for (const int contact : of.contacts)
      if (!scene.at_wall(contact >> 1)) __builtin_prefetch(&scene.list.pairs[contact >> 1]);
    for (std::size_t k = 0; k < of.grains.size(); ++k) {
      const int i = of.grains[k], first = of.first[k];
      if (!moves(i)) continue;
      add_moved(i, std::span(of.contacts).subspan(first, of.first[k + 1] - first),
                [&](std::size_t e, int) { return of.rows.data() + stride * (first + static_cast<std::ptrdiff_t>(e)); });
    }
  }
  for (const int i : copies) {
    const int first = scene.list.first[i];
    if (part.has(i))
      add_moved(i, std::span(scene.list.contacts).subspan(first, scene.list.first[i + 1] - first),
                [&](std::size_t, int slot) { return w.forces.row_of_copy(slot, w.settings); });
  }
  for (const int slot : corrected)
    if (const auto bodies = scene.bodies(slot); part.has(bodies[0]) && scene.slots.phase[slot] == Phase::open)
      add(slot, bodies, no_force);
}

// The forces of contacts that are closed, as they are now. If `final`, springs return to their limits, and the rates of
// springs are found where current_rate is a whole rate.
void ForceJumps::ask(const EventParts& w, bool final, Part& part) {
  const SlotField<Phase>& phase = w.list.slots().phase;
  const std::size_t stride = ContactForces::row_stride(w.settings);
  part.slots.clear(), part.forces = {}, part.elsewhere = {};
  int end[kinds];  // of each kind, among the slots
  for (int kind = 0; kind < kinds; ++kind) {
    for (const Jump& of : part.jumps[kind])
      if (phase[of.slot] != Phase::open) part.slots.push_back(of.slot);
    end[kind] = static_cast<int>(part.slots.size());
  }
  part.rows.resize(part.slots.size() * stride);
  State& y = w.states.present;
  const ContactPass pass{.y = &y,
                         .springs = final ? &y : nullptr,
                         .rate = final && w.states.rate_known ? &w.states.current_rate : nullptr,
                         .close = final};
  const ContactTables t = ContactForces::tables(w.settings, w.bodies, w.list, part.rows.data());
  for (int kind = 0, at = 0; kind < kinds; ++kind)
    for (int next; at < end[kind]; at = next) {
      next = std::min(at + contact_block, end[kind]);
      const int* const slots = part.slots.data();
      if (kind == at_walls)
        wall_pass(w.settings.simd, pass, t, w.settings.laws, slots, at, next, at, part.forces);
      else
        pair_pass(w.settings.simd, pass, t, w.settings.laws, slots, at, next, at,
                  kind == counted_elsewhere ? part.elsewhere : part.forces);
    }
  const Real* row = part.rows.data();
  if (!final) return;
  for (std::vector<Jump>& jumps : part.jumps)
    for (Jump& of : jumps)
      if (phase[of.slot] != Phase::open) of.to = row, row += stride;
}

void ForceJumps::push_walls(const EventParts& w) const {
  Slab& rate = w.states.current_rate.walls;
  if (rate.size() == 0) return;
  std::vector<ReproducibleVectorSum> more(static_cast<std::size_t>(rate.size()));
  for (const Part& part : parts_)
    for (const Jump& of : part.jumps[at_walls])
      if (const int wall = w.scene().loaded_wall(of.slot); wall >= 0)
        more[wall].add(vector_of(of.from, 0)), more[wall].add(-vector_of(of.to, 0));
  for (int k = 0; k < rate.size(); ++k) {
    const LoadedWall& wall = w.settings.loaded_walls[k];
    w.domain.add(more[k]);
    rate.set(WallRow::v, k, rate.at(WallRow::v, k) + (1 / wall.mass) * wall.along_free(more[k].value()));
  }
}

// In the order of each grain's contacts, as every sum of forces.
void ForceJumps::renew(const EventParts& w, Part& part) {
  const ContactScene scene = w.scene();
  const Particles& grains = scene.grains;
  BodyRows& rate = w.states.current_rate.body;
  part.changed.clear(), part.links.clear(), part.replaced.clear();
  const auto each_side = [&](auto&& f) {
    for (const Part& of : parts_)
      for (const std::vector<Jump>& jumps : of.jumps)
        for (const Jump& jump : jumps)
          for (int side = 0; side < 2; ++side)
            if (part.has(jump.bodies[side])) f(jump, side, jump.bodies[side]);
  };
  each_side([&](const Jump& jump, int side, int i) {
    if (first_link_[i] < 0) {
      part.changed.push_back(i);
      fetch_entry(rate, i), fetch_constants(grains, i), __builtin_prefetch(&grains.id[i]);
    }
    part.links.push_back({&jump, side, std::exchange(first_link_[i], static_cast<int>(part.links.size()))});
  });
  // Where a contact stands among those of a grain: by the id of the other one, walls last.
  const auto place_of = [&](const Link& of) {
    const int other = of.jump->bodies[1 - of.side];
    if (other >= 0) return grains.id[other];
    return std::numeric_limits<std::int64_t>::max() / 2 + scene.wall_pair(of.jump->slot).surface;
  };
  std::vector<std::pair<std::int64_t, int>> ordered;
  for (const int i : part.changed) {
    Vector a = rate.at(BodyRow::v, i), alpha = rate.at(BodyRow::w, i);
    part.replaced.push_back(norm(a));
    const int first = std::exchange(first_link_[i], -1);
    if (!grains.own(i)) continue;  // its owner tells
    const auto add = [&](const Link& of) {
      const auto [from, to] = std::pair{of.jump->from, of.jump->to};
      const Real side = of.side ? -1 : 1;
      const Vector force = side * (vector_of(to, 0) - vector_of(from, 0));
      Vector torque = (grains.radius[i] - to[3]) * vector_of(to, 4) - (grains.radius[i] - from[3]) * vector_of(from, 4);
      if (w.settings.rolls()) torque += side * (vector_of(to, row_length + 4) - vector_of(from, row_length + 4));
      a += grains.inverse_mass[i] * force;
      alpha += grains.inverse_inertia[i] * torque;
    };
    if (part.links[first].next < 0) {
      add(part.links[first]);
    } else {
      ordered.clear();
      for (int at = first; at >= 0; at = part.links[at].next) ordered.emplace_back(place_of(part.links[at]), at);
      std::sort(ordered.begin(), ordered.end());
      for (const auto& [place, at] : ordered) add(part.links[at]);
    }
    rate.set(BodyRow::v, i, a), rate.set(BodyRow::w, i, alpha);
  }
}

// How the corrections have moved grains.
void ForceJumps::compare(const EventParts& w, Part& part) {
  const BodyRows& body = w.states.present.body;
  for (Moved& of : part.moved) {
    const Vector v = body.at(BodyRow::v, of.grain);
    of.kick = norm(v - of.v), of.shift = norm(body.at(BodyRow::x, of.grain) - of.x);
    if (w.states.rate_known) w.states.current_rate.body.set(BodyRow::x, of.grain, v);
  }
}

void ForceJumps::add_kinetic(const EventParts& w, Real velocity_lag, Part& part) {
  const Particles& grains = w.bodies.grains();
  const BodyRows &body = w.states.present.body, &rate = w.states.current_rate.body;
  part.kinetic = ReproducibleSum();
  for (const Moved& of : part.moved) {
    const int i = of.grain;
    if (!grains.own(i)) continue;
    const Vector v = body.at(BodyRow::v, i) + velocity_lag * rate.at(BodyRow::v, i);
    const Vector spin = body.at(BodyRow::w, i) + velocity_lag * rate.at(BodyRow::w, i);
    Real energy = 0.5 * grains.mass[i] * dot(v, v);
    if (grains.inverse_inertia[i] > 0) energy += 0.5 / grains.inverse_inertia[i] * dot(spin, spin);
    part.kinetic.add(energy);
  }
}

ForceJumps::Sums ForceJumps::total(const EventParts& w, Real velocity_lag) const {
  Sums all;
  for (const Part& part : parts_) all.forces.add(part.forces), all.kinetic.add(part.kinetic);
  const Slab &y = w.states.present.walls, &rate = w.states.current_rate.walls;
  for (int k = 0; k < y.size() && w.domain.leads(); ++k) {
    const Vector v = y.at(WallRow::v, k) + velocity_lag * rate.at(WallRow::v, k);
    all.kinetic.add(0.5 * w.settings.loaded_walls[k].mass * dot(v, v));
  }
  return all;
}

}  // namespace cairn
