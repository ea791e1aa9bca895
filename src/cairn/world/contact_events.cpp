#include "cairn/world/contact_events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "cairn/contact/kernels/onset.hpp"
#include "cairn/core/parallel.hpp"
#include "cairn/core/reproducible_sum.hpp"
#include "cairn/state/ledger_sums.hpp"
#include "cairn/world/loaded_walls.hpp"
#include "cairn/world/shared_corrections.hpp"

namespace cairn {
namespace {

// Fewer than these are left to one thread.
constexpr int few_corrections = 128, few_others = 256;
constexpr int corrected_block = 64;  // contacts that a thread corrects at once

template <class F>
void for_each_index(int threads, std::ptrdiff_t count, F&& f) {
  constexpr int block = 16;
  const auto all = [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (auto k = begin; k < end; ++k) f(k);
  };
  for_blocks(threads, count, block, all, few_others);
}

Phase phase_now(const ContactScene& scene, const State& y, int slot) {
  Phase now{};
  scene.each_in(
      y,
      [&](int, int, int, const auto& law, const ContactGeometry<Real>& m) {
        const Real fn = law.force(m.kinematics, y.bond.at(BondRow::xi, slot)).fn;
        now = phase_of(in_contact(m.kinematics.overlap), presses(law, m.kinematics, fn), scene.settings.onset);
      },
      slot, slot + 1);
  return now;
}

int step_number(std::int64_t step) {
  return static_cast<int>(step & 0x7fffffff);
}

// A contact has begun. Where no correction has found its onset speed, the present speed is taken; never 0, which stands
// for unknown.
void record_begin(const ContactEvents::Parts& w, int slot) {
  SlotFields& slots = w.list.slots();
  slots.begun[slot] = step_number(w.step);
  if (!slots.onset_speed.used || slots.onset_speed[slot] > 0) return;
  w.scene().each_in(
      w.states.present,
      [&](int, int, int, const auto&, const ContactGeometry<Real>& m) {
        slots.onset_speed[slot] = std::max(std::fabs(m.kinematics.approach), std::numeric_limits<Real>::min());
      },
      slot, slot + 1);
}

// [J] that the ledger counts as stored in the rolling spring of a contact that has ended while its force ran on.
Real left_in_rolling(const ContactScene& scene, const State& y, int slot) {
  Real energy = 0;
  scene.each_in(
      y,
      [&](int, int, int, const auto& law, ContactGeometry<Real> m) {
        m.kinematics.sustained = true;
        const NormalLoad<Real> normal_load = normal_load_of(law.force(m.kinematics, {}));
        if (scene.rolling(slot).stores) energy = scene.rolling_energy(y, slot, m, normal_load);
      },
      slot, slot + 1);
  return energy;
}

// Fetches early what a correction reads and writes of a grain: grains of corrections stand anywhere in memory.
void fetch_entry(const State& of, int i) {
  const Real* const entry = of.body.entry(i);
  __builtin_prefetch(entry), __builtin_prefetch(entry + BodyRows::stride - 1);
}
void fetch_motion(const ContactEvents::Parts& w, int i) {
  fetch_entry(w.states.present, i), fetch_entry(w.states.current_rate, i);
}
void fetch_constants(const ContactEvents::Parts& w, int i) {
  const Particles& grains = w.bodies.grains();
  __builtin_prefetch(&grains.radius[i]), __builtin_prefetch(&grains.inverse_mass[i]);
  __builtin_prefetch(&grains.inverse_inertia[i]);
}

// Those of slots that are corrected, in an order that does not depend on the list.
std::vector<int> corrected_of(const ContactScene& scene, std::span<const int> changed_phase) {
  std::vector<std::pair<std::array<std::int64_t, 2>, int>> found;  // ids, slot
  for (const int slot : changed_phase)
    if (scene.corrects(slot)) found.emplace_back(scene.ids(slot), slot);
  std::sort(found.begin(), found.end());
  std::vector<int> slots;
  for (const auto& [ids, slot] : found) slots.push_back(slot);
  return slots;
}

// [J] of those of these grains that are of this rank and of loaded walls, at the time of the positions.
ReproducibleSum kinetic_energy(const ContactEvents::Parts& w, std::span<const int> grains, Real velocity_lag) {
  const Particles& all = w.bodies.grains();
  const State &y = w.states.present, &rate = w.states.current_rate;
  std::vector<Real> of(grains.size());
  for_each_index(w.settings.threads, std::ssize(grains), [&](std::ptrdiff_t k) {
    const int i = grains[k];
    const Vector v = y.body.at(BodyRow::v, i) + velocity_lag * rate.body.at(BodyRow::v, i);
    const Vector spin = y.body.at(BodyRow::w, i) + velocity_lag * rate.body.at(BodyRow::w, i);
    of[k] = 0.5 * all.mass[i] * dot(v, v);
    if (all.inverse_inertia[i] > 0) of[k] += 0.5 / all.inverse_inertia[i] * dot(spin, spin);
  });
  ReproducibleSum sum;
  for (std::size_t k = 0; k < grains.size(); ++k)
    if (all.own(grains[k])) sum.add(of[k]);
  for (int k = 0; k < y.walls.size() && w.domain.leads(); ++k) {
    const Vector v = y.walls.at(WallRow::v, k) + velocity_lag * rate.walls.at(WallRow::v, k);
    sum.add(0.5 * w.settings.loaded_walls[k].mass * dot(v, v));
  }
  return sum;
}

int loaded_wall_of(const ContactScene& scene, int slot) {  // -1: none
  return scene.at_wall(slot) ? scene.settings.surfaces[scene.wall_pair(slot).surface].loaded : -1;
}

// Corrected contacts with loaded walls push these back. A wall is not shifted as the grain is: its shift would be
// smaller by the ratio of their masses.
void push_walls(const ContactEvents::Parts& w, std::span<const int> slots, std::span<const Corrected> corrected,
                std::span<State* const> memories, std::span<const CorrectedPast> past) {
  State &y = w.states.present, &rate = w.states.current_rate;
  if (y.walls.size() == 0) return;
  std::vector<ReproducibleVectorSum> impulse(static_cast<std::size_t>(y.walls.size()));
  for (std::size_t k = 0; k < slots.size(); ++k)
    if (const int wall = loaded_wall_of(w.scene(), slots[k]); wall >= 0 && corrected[k].made)
      impulse[wall].add(-corrected[k].impulse);
  for (int k = 0; k < y.walls.size(); ++k) {
    const LoadedWall& wall = w.settings.loaded_walls[k];
    w.domain.add(impulse[k]);
    const Vector before = y.walls.at(WallRow::v, k),
                 after = before + (1 / wall.mass) * wall.along_free(impulse[k].value());
    y.walls.set(WallRow::v, k, after);
    if (w.states.rate_known) rate.walls.set(WallRow::x, k, after);
    rate.ledger[Channel::external] += dot(wall.along_free(load_on(wall, y.time)), after - before);
    rate.ledger[Channel::dashpot] += wall.damping * (dot(after, after) - dot(before, before));
  }
  for (std::size_t m = 0; m < memories.size(); ++m) {
    if (!memories[m]) continue;
    std::vector<ReproducibleVectorSum> impulses(static_cast<std::size_t>(y.walls.size())), forces(impulses.size());
    for (std::size_t k = 0; k < slots.size(); ++k)
      if (const int wall = loaded_wall_of(w.scene(), slots[k]); wall >= 0 && corrected[k].made) {
        const CorrectedPast& of = past[k * memories.size() + m];
        impulses[wall].add(-of.impulse), forces[wall].add(-of.force);
      }
    for (int k = 0; k < y.walls.size(); ++k) {
      const LoadedWall& wall = w.settings.loaded_walls[k];
      w.domain.add(impulses[k]), w.domain.add(forces[k]);
      for (const auto& [row, sum] : {std::pair{WallRow::x, &impulses[k]}, {WallRow::v, &forces[k]}})
        memories[m]->walls.set(row, k, memories[m]->walls.at(row, k) + (1 / wall.mass) * wall.along_free(sum->value()));
    }
  }
}

}  // namespace

// What corrections and ended contacts add to the ledger at the end of a step. A rank sums its own contacts; the domain
// then adds up the ranks.
struct ContactEvents::Booked {
  PartialSums before, after;                      // of the forces that corrections replace, and of those in their place
  ReproducibleSum kinetic_before, kinetic_after;  // [J]
  ReproducibleSum gained;                         // [J] beside kinetic energy, what is recorded included
  ReproducibleSum left;                           // [J] in rolling springs of contacts that have ended
  LedgerSums recorded;

  void add(const Booked& b) {
    before.add(b.before), after.add(b.after);
    kinetic_before.add(b.kinetic_before), kinetic_after.add(b.kinetic_after);
    gained.add(b.gained), left.add(b.left), recorded.add(b.recorded);
  }
};

void ContactEvents::find_phases(const Parts& w, bool new_slots_only) {
  const ContactScene scene = w.scene();
  for (int slot = 0; slot < scene.list.slots(); ++slot) {
    if (new_slots_only && !w.list.is_new(slot)) continue;
    const Phase now = phase_now(scene, w.states.present, slot);
    const Phase was = std::exchange(w.list.slots().phase[slot], now);
    if (now != Phase::open && was == Phase::open) record_begin(w, slot);
    if (now == Phase::open && was != Phase::open) relax_springs(w.states.present, slot);
  }
}

void ContactEvents::update_phases(const Parts& w, std::span<const int> changed) {
  const ContactScene scene = w.scene();
  SlotFields& slots = w.list.slots();
  std::vector<Phase> now(changed.size());
  for_each_index(w.settings.threads, std::ssize(changed),
                 [&](std::ptrdiff_t k) { now[k] = phase_now(scene, w.states.present, changed[k]); });
  for (std::size_t k = 0; k < changed.size(); ++k) {
    const int slot = changed[k];
    const Phase was = std::exchange(slots.phase[slot], now[k]);
    if (now[k] == Phase::open) {
      if (slots.onset_speed.used) slots.onset_speed[slot] = 0;
      w.states.relax_memories(slot);
    }
    const bool counted = scene.counts(slot);
    if (was == Phase::open && now[k] != Phase::open) count_.begun += counted, record_begin(w, slot);
    if (was != Phase::open && now[k] == Phase::open && counted) {
      ++count_.ended;
      const std::int64_t steps = (step_number(w.step) - slots.begun[slot]) & 0x7fffffff;
      if (count_.shortest == 0 || steps < count_.shortest) count_.shortest = steps;
    }
  }
}

void ContactEvents::gather_count(const Domain& domain) {
  domain.reduce(count_, [](ContactCount& into, const ContactCount& other) {
    into.begun += other.begun, into.ended += other.ended;
    if (other.shortest > 0 && (into.shortest == 0 || other.shortest < into.shortest)) into.shortest = other.shortest;
  });
  if (!domain.leads()) count_ = {};
}

void ContactEvents::finish_step(const Parts& w, Real h, const StepEnd& end) {
  const std::vector<int> changed = w.forces.take_changed_phase();
  if (!w.domain.any(!changed.empty())) return;
  if (!w.settings.onset) return update_phases(w, changed);
  const ContactScene scene = w.scene();
  State &y = w.states.present, &rate = w.states.current_rate;
  for (const int slot : changed)
    for (const int i : scene.bodies(slot))
      if (i >= 0) fetch_motion(w, i), fetch_constants(w, i), __builtin_prefetch(&w.bodies.grains().mass[i]);
  const std::vector<int> corrected = corrected_of(scene, changed);
  std::optional<SharedCorrections> shared;
  if (w.domain.apart()) shared.emplace(w, corrected);
  for (const int slot : corrected)
    for (const int i : scene.bodies(slot))
      if (i >= 0) ascending_.insert(i);
  for (const int i : shared ? shared->copies() : std::vector<int>{}) ascending_.insert(i);
  const std::vector<int> grains = ascending_.take();
  // All contacts of those grains, before or after. Of copies, rows are kept whether they are corrected or not.
  std::vector<char> moves(shared ? static_cast<std::size_t>(w.bodies.size()) : 0, false);
  for (const int i : shared ? grains : std::vector<int>{}) moves[i] = true;
  const auto concerned = [&](int slot) {
    if (!shared) return true;
    const auto [first, second] = scene.bodies(slot);
    return moves[first] || (second >= 0 && moves[second]);
  };
  for (const int slot : corrected) ascending_.insert(slot);
  for (const auto& block : w.forces.rows_of_changed())
    for (const int slot : block.slots)
      if (concerned(slot)) ascending_.insert(slot);
  const std::vector<int> slots = ascending_.take();
  for (const int slot : slots) {
    for (const int i : scene.bodies(slot))
      if (i >= 0) fetch_entry(y, i);
    for (int row = 0; row < y.bond.rows(); ++row) __builtin_prefetch(y.bond.row(row) + slot);
  }
  const auto closed = [&] {
    std::vector<int> of;
    std::copy_if(slots.begin(), slots.end(), std::back_inserter(of),
                 [&](int slot) { return scene.slots.phase[slot] != Phase::open; });
    return of;
  };

  Booked all;
  all.before = find_forces(w, closed(), false);
  all.kinetic_before = kinetic_energy(w, grains, end.velocity_lag);
  struct Motion {
    Vector x, v;
  };
  std::vector<Motion> before;
  before.reserve(grains.size());
  for (const int i : grains) before.push_back({y.body.at(BodyRow::x, i), y.body.at(BodyRow::v, i)});
  correct(w, corrected, shared ? &*shared : nullptr, h, end, all);
  update_phases(w, changed);
  for (const int slot : changed) {
    if (scene.slots.phase[slot] != Phase::open) continue;
    if (w.settings.rolls() && scene.counts(slot)) all.left.add(left_in_rolling(scene, y, slot));
    relax_springs(y, slot);  // else it would stretch the spring of the next contact of the two bodies
    if (w.states.rate_known) relax_springs(rate, slot);
  }
  const std::vector<int> after = closed();
  all.after = find_forces(w, after, true);
  w.domain.share_some(rate.body, renew_forces(w, slots, after));
  if (w.states.rate_known)
    for (const int i : grains) rate.body.set(BodyRow::x, i, y.body.at(BodyRow::v, i));
  for (std::size_t k = 0; k < grains.size(); ++k)
    w.list.jumped(grains[k], norm(y.body.at(BodyRow::v, grains[k]) - before[k].v),
                  norm(y.body.at(BodyRow::x, grains[k]) - before[k].x));
  all.kinetic_after = kinetic_energy(w, grains, end.velocity_lag);
  book(w, all, end.velocity_lag);
}

void ContactEvents::book(const Parts& w, Booked& all, Real velocity_lag) {
  w.domain.add(all);
  State &y = w.states.present, &rate = w.states.current_rate;
  const LedgerChannels recorded = all.recorded.value(), power = all.before.total().power;
  for (int c = 0; c < Channel::count; ++c) y.ledger[c] += recorded[c];
  y.ledger[Channel::rolling] += all.left.value();
  const ContactSums sums = all.after.total();
  sums.record_released(y.ledger);
  Real gained = all.gained.value();
  for (int c = 0; c < Channel::count; ++c) {
    const Real jump = sums.after()[c] - power[c];
    rate.ledger[c] += jump;
    gained += velocity_lag * (c == Channel::external ? -jump : jump);
  }
  y.ledger[Channel::onset] -= all.kinetic_after.value() - all.kinetic_before.value() + gained;
}

// Corrections that share a grain are made one after the other, in the order given, others at the same time: in waves,
// of indices of `slots`.
std::vector<std::vector<int>> ContactEvents::waves_of(const ContactScene& scene, std::span<const int> slots) {
  std::vector<std::vector<int>> waves;
  next_wave_.resize(scene.grains.size());
  for (std::size_t k = 0; k < slots.size(); ++k) {
    std::size_t wave = 0;
    for (const int i : scene.bodies(slots[k]))
      if (i >= 0) wave = std::max<std::size_t>(wave, next_wave_[i]);
    for (const int i : scene.bodies(slots[k]))
      if (i >= 0) next_wave_[i] = static_cast<int>(wave) + 1;
    if (wave == waves.size()) waves.emplace_back();
    waves[wave].push_back(static_cast<int>(k));
  }
  for (const int slot : slots)
    for (const int i : scene.bodies(slot))
      if (i >= 0) next_wave_[i] = 0;
  return waves;
}

void ContactEvents::correct(const Parts& w, std::span<const int> slots, SharedCorrections* shared, Real h,
                            const StepEnd& end, Booked& all) {
  const ContactScene scene = w.scene();
  const std::vector<Real> ages = w.states.memory_ages(h);
  const std::vector<State*> memories = w.states.whole_memories(scene.list.slots());
  std::vector<Corrected> corrected(slots.size());
  std::vector<CorrectedPast> past(slots.size() * memories.size());
  const std::vector<TrialSpring> trial_springs = w.forces.take_trial_springs();
  const OnsetPass pass{.y = &w.states.present,
                       .current_rate = &w.states.current_rate,
                       .h = h,
                       .lag = end.velocity_lag,
                       .closing_kick = end.closing_kick,
                       .trial_springs = trial_springs,
                       .memories = memories,
                       .ago = ages};
  const ContactTables t = ContactForces::tables(w.settings, w.bodies, w.list, nullptr);
  const auto correct_wave = [&](const std::vector<int>& wave) {
    for_blocks(
        w.settings.threads, std::ssize(wave), corrected_block,
        [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
          onset_pass(w.settings.simd, pass, t, w.settings.laws, slots.data(), wave.data() + begin,
                     static_cast<int>(end - begin), corrected.data(), past.data());
        },
        few_corrections);
  };
  if (shared)
    shared->in_rounds(correct_wave);
  else
    for (const std::vector<int>& wave : waves_of(scene, slots)) correct_wave(wave);
  SlotField<Real>& onset_speed = w.list.slots().onset_speed;
  std::vector<LedgerSums> recorded_past(memories.size());
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const Corrected& of = corrected[k];
    if (!of.made) continue;
    if (scene.counts(slots[k])) {
      all.recorded.add(of.recorded), all.gained.add(of.gained);
      for (std::size_t m = 0; m < memories.size(); ++m)
        if (memories[m]) recorded_past[m].add(past[k * memories.size() + m].power);
    }
    w.list.add_displacement(of.travel);
    w.bodies.may_be_outside = w.bodies.may_be_outside || of.outside;
    if (onset_speed.used && of.onset_speed > 0) onset_speed[slots[k]] = of.onset_speed;
  }
  for (const int i : shared ? shared->copies() : std::vector<int>{})
    w.bodies.may_be_outside =
        w.bodies.may_be_outside || w.settings.cell.outside(w.states.present.body.at(BodyRow::x, i));
  push_walls(w, slots, corrected, memories, past);
  for (std::size_t m = 0; m < memories.size(); ++m) {
    if (!memories[m]) continue;
    w.domain.add(recorded_past[m]);
    const LedgerChannels more = recorded_past[m].value();
    for (int c = 0; c < Channel::count; ++c) memories[m]->ledger[c] += more[c];
  }
}

// The forces of these contacts as they are now, as rows_. If `final`, springs return to their limits, and the rates of
// springs are found where current_rate is a whole rate.
PartialSums ContactEvents::find_forces(const Parts& w, std::span<const int> slots, bool final) {
  States& s = w.states;
  return w.forces.some({.y = &s.present,
                        .springs = final ? &s.present : nullptr,
                        .rate = final && s.rate_known ? &s.current_rate : nullptr,
                        .close = final},
                       slots, rows_, w.settings, w.bodies, w.list);
}

// The correction makes the forces of `slots`, all contacts of the grains it moved, jump: from the rows that the pass
// found to those just found for the ones that are closed now. With them the accelerations jump, of these grains and of
// all that they touch. In the order of each grain's contacts, as every sum of forces. Returns those grains.
std::vector<int> ContactEvents::renew_forces(const Parts& w, std::span<const int> slots, std::span<const int> closed) {
  static constexpr Real none[row_length_rolling] = {};
  struct Jump {
    const Real *from = none, *to = none;
  };
  const ContactScene scene = w.scene();
  const std::size_t stride = ContactForces::row_stride(w.settings);
  std::vector<Jump> jumps(slots.size());
  jump_at_.resize(scene.list.slots());
  for (std::size_t k = 0; k < slots.size(); ++k) jump_at_[slots[k]] = static_cast<int>(k);
  for (const auto& block : w.forces.rows_of_changed())
    for (std::size_t k = 0; k < block.slots.size(); ++k)
      if (const auto at = static_cast<std::size_t>(jump_at_[block.slots[k]]);
          at < slots.size() && slots[at] == block.slots[k])  // else of a copy that is not corrected
        jumps[at].from = block.rows.data() + k * stride;
  for (std::size_t k = 0; k < closed.size(); ++k) jumps[jump_at_[closed[k]]].to = rows_.data() + k * stride;

  if (const int walls = w.states.present.walls.size(); walls > 0) {
    std::vector<ReproducibleVectorSum> more(static_cast<std::size_t>(walls));
    for (std::size_t k = 0; k < slots.size(); ++k)
      if (const int wall = loaded_wall_of(scene, slots[k]); wall >= 0)
        for (const auto& [row, sign] : {std::pair{jumps[k].from, 1}, {jumps[k].to, -1}})
          more[wall].add({sign * row[0], sign * row[1], sign * row[2]});
    Slab& rate = w.states.current_rate.walls;
    for (int k = 0; k < walls; ++k) {
      const LoadedWall& wall = w.settings.loaded_walls[k];
      w.domain.add(more[k]);
      rate.set(WallRow::v, k, rate.at(WallRow::v, k) + (1 / wall.mass) * wall.along_free(more[k].value()));
    }
  }

  first_jump_.resize(w.bodies.size(), -1);
  for (const int slot : slots)
    for (const int i : scene.bodies(slot))
      if (i >= 0) fetch_entry(w.states.current_rate, i), __builtin_prefetch(&first_jump_[i]);
  // The jumps of each grain, as chains: entry 2 k + side is that of jump k for its first or second body.
  std::vector<int> changed, next(2 * slots.size());  // grains; entries
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const auto bodies = scene.bodies(slots[k]);
    for (int side = 0; side < 2; ++side) {
      const int i = bodies[side], entry = static_cast<int>(2 * k) + side;
      if (i < 0) continue;
      if (first_jump_[i] < 0) {
        changed.push_back(i);
        fetch_constants(w, i);
        const Vector a = w.states.current_rate.body.at(BodyRow::v, i);
        replaced_acceleration_ = std::max(replaced_acceleration_, norm(a));
      }
      next[entry] = std::exchange(first_jump_[i], entry);
    }
  }
  // Where a contact stands among those of a grain: by the id of the other one, walls last.
  const auto place_of = [&](int entry) {
    const auto bodies = scene.bodies(slots[entry / 2]);
    const int other = bodies[1 - entry % 2];
    if (other >= 0) return scene.grains.id[other];
    return std::numeric_limits<std::int64_t>::max() / 2 + scene.wall_pair(slots[entry / 2]).surface;
  };
  const auto vector = [](const Real* row, int first) { return Vector{row[first], row[first + 1], row[first + 2]}; };
  BodyRows& rate = w.states.current_rate.body;
  for_each_index(w.settings.threads, std::ssize(changed), [&](std::ptrdiff_t k) {
    const int i = changed[k];
    if (!scene.grains.own(i)) {  // its owner tells
      first_jump_[i] = -1;
      return;
    }
    Vector a = rate.at(BodyRow::v, i), alpha = rate.at(BodyRow::w, i);
    const Real radius = scene.grains.radius[i];
    const auto add = [&](int entry) {
      const auto [from, to] = jumps[entry / 2];
      const Real side = entry % 2 ? -1 : 1;
      const Vector force = side * (vector(to, 0) - vector(from, 0));
      Vector torque = (radius - to[3]) * vector(to, 4) - (radius - from[3]) * vector(from, 4);
      if (w.settings.rolls()) torque += side * (vector(to, row_length + 4) - vector(from, row_length + 4));
      a += scene.grains.inverse_mass[i] * force;
      alpha += scene.grains.inverse_inertia[i] * torque;
    };
    const int first = std::exchange(first_jump_[i], -1);
    if (next[first] < 0) {
      add(first);
    } else {
      static thread_local std::vector<std::pair<std::int64_t, int>> ordered;
      ordered.clear();
      for (int entry = first; entry >= 0; entry = next[entry]) ordered.emplace_back(place_of(entry), entry);
      std::sort(ordered.begin(), ordered.end());
      for (const auto& [place, entry] : ordered) add(entry);
    }
    rate.set(BodyRow::v, i, a), rate.set(BodyRow::w, i, alpha);
  });
  return changed;
}

}  // namespace cairn
