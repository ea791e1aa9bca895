#include "cairn/world/contact_events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cairn/core/parallel.hpp"
#include "cairn/world/force_jumps.hpp"
#include "cairn/world/loaded_walls.hpp"

namespace cairn {
namespace {

constexpr int few_corrections = 32;  // left to one thread

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

// The contacts that have begun, once positions are those of the step's end.
std::vector<int> begun_contacts(const ContactEvents::Parts& w) {
  std::vector<int> slots = w.list.touching();
  const ContactScene scene = w.scene();
  const State& y = w.states.present;
  const int pairs = static_cast<int>(scene.list.pairs.size());
  const std::vector<WallPair>& walls = scene.list.walls;
  std::vector<char> touches(walls.size(), false);
  for_blocks(
      w.settings.threads, std::ssize(walls), contact_block,
      [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
        int surface = -1;
        Pose<Real> pose;
        for (auto k = begin; k < end; ++k) {
          if (scene.slots.phase[pairs + static_cast<int>(k)] != Phase::open) continue;
          const auto& [grain, of] = walls[k];
          const Surface& s = w.settings.surfaces[of];
          if (std::exchange(surface, of) != of) pose = pose_of(s, y);
          const Real distance = wall_distance(s, pose, w.settings.cell, y.body.at(BodyRow::x, grain));
          touches[k] = distance < scene.grains.radius[grain];
        }
      },
      contact_block);
  for (std::size_t k = 0; k < walls.size(); ++k)
    if (touches[k]) slots.push_back(pairs + static_cast<int>(k));
  return slots;
}

// The closed contacts of these grains, but for some.
std::vector<int> contacts_nearby(const ContactEvents::Parts& w, std::span<const int> grains, std::vector<int> but) {
  const ContactScene scene = w.scene();
  std::vector<int> slots;
  for (const int i : grains)
    for (int e = scene.list.first[i]; e < scene.list.first[i + 1]; ++e)
      if (const int slot = scene.list.contacts[e] >> 1; scene.slots.phase[slot] != Phase::open) slots.push_back(slot);
  std::sort(slots.begin(), slots.end()), std::sort(but.begin(), but.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  std::erase_if(slots, [&](int slot) { return std::binary_search(but.begin(), but.end(), slot); });
  return slots;
}

// Corrected contacts with loaded walls push these back. A wall is not shifted as the grain is: its shift would be
// smaller by the ratio of their masses. Returns by how much [m/s] each is pushed.
std::vector<Vector> push_walls(const ContactEvents::Parts& w, std::span<const int> slots,
                               std::span<const Corrected> corrected, std::span<State* const> memories,
                               std::span<const CorrectedPast> past) {
  State& y = w.states.present;
  std::vector<Vector> pushed(static_cast<std::size_t>(y.walls.size()));
  if (pushed.empty()) return pushed;
  std::vector<ReproducibleVectorSum> impulse(pushed.size());
  for (std::size_t k = 0; k < slots.size(); ++k)
    if (const int wall = w.scene().loaded_wall(slots[k]); wall >= 0 && corrected[k].made)
      impulse[wall].add(-corrected[k].impulse);
  for (int k = 0; k < y.walls.size(); ++k) {
    const LoadedWall& wall = w.settings.loaded_walls[k];
    w.domain.add(impulse[k]);
    pushed[k] = (1 / wall.mass) * wall.along_free(impulse[k].value());
    y.walls.set(WallRow::v, k, y.walls.at(WallRow::v, k) + pushed[k]);
  }
  for (std::size_t m = 0; m < memories.size(); ++m) {
    if (!memories[m]) continue;
    std::vector<ReproducibleVectorSum> impulses(static_cast<std::size_t>(y.walls.size())), forces(impulses.size());
    for (std::size_t k = 0; k < slots.size(); ++k)
      if (const int wall = w.scene().loaded_wall(slots[k]); wall >= 0 && corrected[k].made) {
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
  return pushed;
}

// The powers of load and dashpot follow walls that were pushed at the end of a step.
void follow_pushed_walls(const ContactEvents::Parts& w, std::span<const Vector> pushed) {
  const State& y = w.states.present;
  State& rate = w.states.current_rate;
  for (int k = 0; k < y.walls.size(); ++k) {
    const LoadedWall& wall = w.settings.loaded_walls[k];
    const Vector after = y.walls.at(WallRow::v, k), before = after - pushed[k];
    if (w.states.rate_known) rate.walls.set(WallRow::x, k, after);
    rate.ledger[Channel::external] += dot(wall.along_free(load_on(wall, y.time)), pushed[k]);
    rate.ledger[Channel::dashpot] += wall.damping * (dot(after, after) - dot(before, before));
  }
}

// Those of some contacts that pressed when the step began.
ContactRows pressing_of(const ContactEvents::Parts& w, const ContactRows& some) {
  const SlotFields& slots = w.list.slots();
  const std::ptrdiff_t stride = ContactForces::row_stride(w.settings);
  ContactRows of;
  for (std::size_t k = 0; k < some.slots.size(); ++k) {
    if (slots.phase[some.slots[k]] != Phase::pressing) continue;
    const Real* const row = some.rows.data() + stride * static_cast<std::ptrdiff_t>(k);
    of.slots.push_back(some.slots[k]), of.rows.insert(of.rows.end(), row, row + stride);
  }
  return of;
}

// Other ranks learn the accelerations of these grains. Those of copies may be replaced that have no contact here.
void share_accelerations(const ContactEvents::Parts& w, const std::vector<int>& grains) {
  if (!w.domain.apart()) return;
  BodyRows& rate = w.states.current_rate.body;
  w.domain.share_some(rate, grains);
  const Particles& all = w.bodies.grains();
  const auto replaced = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) w.list.replaced(i, norm(rate.at(BodyRow::v, i)));
  };
  replaced(0, all.own_begin()), replaced(all.own_end(), w.bodies.size());
}

}  // namespace

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
  for_each_index(w, std::ssize(changed),
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

void ContactEvents::begin_contacts(const Parts& w, Real h, Real behind, const StepEnd& end) {
  slots_are_fixed_ = true;
  const std::vector<int> slots = begun_contacts(w);
  if (slots.empty() && !w.domain.apart()) return;
  const auto shared = share(w, slots);
  begun_ = correct(w, slots, shared.get(),
                   {.h = h, .behind = behind, .lag = end.velocity_lag, .position_offset = end.position_offset});
  Slab& bond = w.states.present.bond;  // no pass before the step's end may stretch or relax these springs
  begun_springs_.clear();
  for (const int slot : begun_.slots) {
    for (int row = 0; row < bond.rows(); ++row) begun_springs_.push_back(bond.row(row)[slot]);
    relax_springs(w.states.present, slot);
  }
  BodyRows& rate = w.states.current_rate.body;  // with velocities that forces may be asked for at (BodyRow)
  for_each_index(w, std::ssize(begun_.moved), [&](std::ptrdiff_t k) {
    const auto& of = begun_.moved[k];
    rate.set(BodyRow::x, of.grain, rate.at(BodyRow::x, of.grain) + of.v);
  });
}

void ContactEvents::finish_step(const Parts& w, Real h, const StepEnd& end, bool keeps_forces) {
  const bool onset = w.settings.onset;
  const bool early = std::exchange(slots_are_fixed_, false);  // contacts that have begun are corrected
  const Motion begun = std::exchange(begun_, Motion());
  std::vector<int> corrected;
  if (onset && !early) corrected = begun_contacts(w);
  if (!w.forces.any_changed_phase() && !(onset && !early && w.domain.any(!corrected.empty()))) return;
  const ContactRows changed = w.forces.take_changed_phase();
  if (!onset) return update_phases(w, changed.slots);
  const Real lag = end.velocity_lag;
  restore_springs(w, begun.slots);
  book_kinetic(w, begun, lag), book_work(w, begun);
  const ContactRows ended = pressing_of(w, changed);
  corrected.insert(corrected.end(), ended.slots.begin(), ended.slots.end());
  const auto shared = share(w, corrected);
  const AskedForces before = ask_forces(w, ended.slots);
  AskedForces nearby;  // of other contacts that corrections change
  if (keeps_forces && !early)
    nearby = ask_forces(w, contacts_nearby(w, grains_of(w, corrected, shared.get()), ended.slots), end.closing_kick);
  booked_.before.add(before.sums), booked_.before.add(nearby.sums);
  const std::vector<TrialSpring> trial_springs = w.forces.take_trial_springs();
  const Motion motion = correct(w, corrected, shared.get(),
                                {.h = h,
                                 .lag = lag,
                                 .keeps_positions = early,
                                 .closing_kick = early ? end.closing_kick : 0,
                                 .position_offset = end.position_offset,
                                 .trial_springs = trial_springs});
  follow_pushed_walls(w, motion.walls);
  book_kinetic(w, motion, lag);
  std::vector<int> accelerated;
  add_to_accelerations(w, ended, -1, lag, accelerated, booked_.gained);
  book_work(w, motion);
  add_to_accelerations(w, nearby.contacts, -1, lag, accelerated, booked_.gained);

  std::vector<int> asked = begun.slots;
  asked.insert(asked.end(), ended.slots.begin(), ended.slots.end());
  const SlotField<Phase>& phase = w.list.slots().phase;
  if (!early)
    std::copy_if(motion.slots.begin(), motion.slots.end(), std::back_inserter(asked),
                 [&](int slot) { return phase[slot] == Phase::open; });
  // Contacts that were open in this step have begun, and are known; or would not touch, were not others corrected.
  std::vector<int> changing = asked;
  std::copy_if(changed.slots.begin(), changed.slots.end(), std::back_inserter(changing),
               [&](int slot) { return phase[slot] == Phase::clipped; });
  update_phases(w, changing);
  relax_ended(w, changing);
  std::erase_if(asked, [&](int slot) { return phase[slot] == Phase::open; });
  asked.insert(asked.end(), nearby.contacts.slots.begin(), nearby.contacts.slots.end());
  const AskedForces after = ask_final_forces(w, std::move(asked));
  booked_.after.add(after.sums);
  add_to_accelerations(w, after.contacts, 1, lag, accelerated, booked_.gained);
  share_accelerations(w, accelerated);
  if (w.states.rate_known)
    for (const auto& of : motion.moved)
      w.states.current_rate.body.set(BodyRow::x, of.grain, w.states.present.body.at(BodyRow::v, of.grain));
  book(w, lag);
  booked_ = Booked();
}

void ContactEvents::restore_springs(const Parts& w, std::span<const int> begun) {
  Slab& bond = w.states.present.bond;
  for (std::size_t k = 0; k < begun.size(); ++k)
    for (int row = 0, rows = bond.rows(); row < rows; ++row) bond.row(row)[begun[k]] = begun_springs_[k * rows + row];
}

// The springs of contacts that are open now: else they would stretch those of the next contacts of their bodies.
void ContactEvents::relax_ended(const Parts& w, std::span<const int> slots) {
  const ContactScene scene = w.scene();
  State& y = w.states.present;
  for (const int slot : slots) {
    if (scene.slots.phase[slot] != Phase::open) continue;
    if (w.settings.rolls() && scene.counts(slot)) booked_.left.add(left_in_rolling(scene, y, slot));
    relax_springs(y, slot);
    if (w.states.rate_known) relax_springs(w.states.current_rate, slot);
  }
}

// Velocities are those of the step's end now.
void ContactEvents::book_kinetic(const Parts& w, const Motion& of, Real velocity_lag) {
  const Particles& grains = w.bodies.grains();
  const State &y = w.states.present, &rate = w.states.current_rate;
  const auto velocity = [&](const auto& body, const auto& of_rate, int row, int i) {
    return body.at(row, i) + velocity_lag * of_rate.at(row, i);
  };
  std::vector<Real> energies(of.moved.size());
  for_each_index(w, std::ssize(of.moved), [&](std::ptrdiff_t k) {
    const auto& [i, x, v, turn] = of.moved[k];
    if (!grains.own(i)) return;
    energies[k] = energy_gained(grains.mass[i], velocity(y.body, rate.body, BodyRow::v, i) - v, v);
    if (const Real inverse = grains.inverse_inertia[i]; inverse > 0)
      energies[k] += energy_gained(1 / inverse, velocity(y.body, rate.body, BodyRow::w, i) - turn, turn);
  });
  for (const Real energy : energies) booked_.gained.add(energy);
  for (int k = 0; k < static_cast<int>(of.walls.size()) && w.domain.leads(); ++k) {
    const Vector before = velocity(y.walls, rate.walls, WallRow::v, k) - of.walls[k];
    booked_.gained.add(energy_gained(w.settings.loaded_walls[k].mass, before, of.walls[k]));
  }
}

// Of the forces in the accelerations on what corrections have shifted.
void ContactEvents::book_work(const Parts& w, const Motion& of) {
  const Particles& grains = w.bodies.grains();
  for (const auto& [i, x, v, turn] : of.moved)
    if (grains.own(i) && x != Vector{})
      booked_.gained.add(-grains.mass[i] * dot(w.states.current_rate.body.at(BodyRow::v, i), x));
}

void ContactEvents::book(const Parts& w, Real velocity_lag) {
  w.domain.add(booked_);
  State &y = w.states.present, &rate = w.states.current_rate;
  const LedgerChannels recorded = booked_.recorded.value(), power = booked_.before.total().power;
  for (int c = 0; c < Channel::count; ++c) y.ledger[c] += recorded[c];
  y.ledger[Channel::rolling] += booked_.left.value();
  const ContactSums sums = booked_.after.total();
  sums.record_released(y.ledger);
  Real gained = booked_.gained.value();
  for (int c = 0; c < Channel::count; ++c) {
    const Real jump = sums.after()[c] - power[c];
    rate.ledger[c] += jump;
    gained += velocity_lag * (c == Channel::external ? -jump : jump);
  }
  y.ledger[Channel::onset] -= gained;
}

// Corrections that share a grain are made one after the other, in the order of ids, others at the same time: in waves,
// of indices of `slots`.
std::vector<std::vector<int>> ContactEvents::waves_of(const ContactScene& scene, std::span<const int> slots) {
  corrections_.resize(scene.grains.size());
  const auto each_grain = [&](int slot, auto&& f) {
    for (const int i : scene.bodies(slot))
      if (i >= 0) f(corrections_[i]);
  };
  for (const int slot : slots) each_grain(slot, [](int& of) { ++of; });
  std::vector<std::vector<int>> waves(1);
  std::vector<std::pair<std::array<std::int64_t, 2>, int>> sharing;  // ids; index
  for (std::size_t k = 0; k < slots.size(); ++k) {
    int most = 0;
    each_grain(slots[k], [&](int of) { most = std::max(most, of); });
    if (most == 1)
      waves[0].push_back(static_cast<int>(k));
    else
      sharing.emplace_back(scene.ids(slots[k]), static_cast<int>(k));
  }
  for (const int slot : slots) each_grain(slot, [](int& of) { of = 0; });
  std::sort(sharing.begin(), sharing.end());
  for (const auto& [ids, k] : sharing) {
    int wave = 0;  // the first after those of its grains so far
    each_grain(slots[k], [&](int of) { wave = std::max(wave, of); });
    each_grain(slots[k], [&](int& of) { of = wave + 1; });
    if (wave == static_cast<int>(waves.size())) waves.emplace_back();
    waves[wave].push_back(k);
  }
  for (const auto& [ids, k] : sharing) each_grain(slots[k], [](int& of) { of = 0; });
  return waves;
}

// The grains that corrections of these contacts, or of other ranks, move.
std::vector<int> ContactEvents::grains_of(const Parts& w, std::span<const int> slots, const SharedCorrections* shared) {
  corrections_.resize(static_cast<std::size_t>(w.bodies.size()));
  std::vector<int> grains;
  const auto add = [&](int i) {
    if (i >= 0 && std::exchange(corrections_[i], 1) == 0) grains.push_back(i);
  };
  for (const int slot : slots)
    for (const int i : w.scene().bodies(slot)) add(i);
  if (shared) std::for_each(shared->copies().begin(), shared->copies().end(), add);
  for (const int i : grains) corrections_[i] = 0;
  return grains;
}

std::unique_ptr<SharedCorrections> ContactEvents::share(const Parts& w, std::span<const int> slots) {
  if (!w.domain.apart()) return nullptr;
  numbers_.resize(static_cast<std::size_t>(w.bodies.size()), -1);
  return std::make_unique<SharedCorrections>(w, slots, numbers_);
}

ContactEvents::Motion ContactEvents::correct(const Parts& w, std::span<const int> slots, SharedCorrections* shared,
                                             OnsetPass pass) {
  const ContactScene scene = w.scene();
  const std::vector<Real> ages = w.states.memory_ages(pass.h);
  const std::vector<State*> memories = w.states.whole_memories(scene.list.slots());
  std::vector<Corrected> corrected(slots.size());
  std::vector<CorrectedPast> past(slots.size() * memories.size());
  pass.y = &w.states.present, pass.current_rate = &w.states.current_rate;
  pass.memories = memories, pass.ago = ages;
  const BodyRows& body = w.states.present.body;
  Motion motion;
  for (const int i : grains_of(w, slots, shared)) motion.moved.push_back({i, {}, {}, {}});
  for_each_index(w, std::ssize(motion.moved), [&](std::ptrdiff_t k) {
    auto& [i, x, v, turn] = motion.moved[k];
    fetch_entry(pass.current_rate->body, i), fetch_constants(w.bodies.grains(), i);
    x = body.at(BodyRow::x, i), v = body.at(BodyRow::v, i), turn = body.at(BodyRow::w, i);
  });
  const ContactTables t = ContactForces::tables(w.settings, w.bodies, w.list, nullptr);
  const auto correct_wave = [&](const std::vector<int>& wave) {
    const std::ptrdiff_t count = std::ssize(wave), threads = std::max(1, w.settings.threads);
    for_blocks(
        w.settings.threads, count, std::clamp<std::ptrdiff_t>((count + threads - 1) / threads, 1, contact_block),
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
    motion.slots.push_back(slots[k]);
    if (scene.counts(slots[k])) {
      for (int c = 0; c < Channel::count; ++c)
        if (of.recorded[c] != 0) booked_.recorded[c].add(of.recorded[c]);
      booked_.gained.add(of.gained);
      for (std::size_t m = 0; m < memories.size(); ++m)
        if (memories[m]) recorded_past[m].add(past[k * memories.size() + m].power);
    }
    w.list.add_displacement(of.travel);
    w.bodies.may_be_outside = w.bodies.may_be_outside || of.outside;
    if (onset_speed.used && of.onset_speed > 0) onset_speed[slots[k]] = of.onset_speed;
  }
  for (const int i : shared ? shared->copies() : std::vector<int>{})
    w.bodies.may_be_outside = w.bodies.may_be_outside || w.settings.cell.outside(body.at(BodyRow::x, i));
  motion.walls = push_walls(w, slots, corrected, memories, past);
  for (std::size_t m = 0; m < memories.size(); ++m) {
    if (!memories[m]) continue;
    w.domain.add(recorded_past[m]);
    const LedgerChannels more = recorded_past[m].value();
    for (int c = 0; c < Channel::count; ++c) memories[m]->ledger[c] += more[c];
  }
  for_each_index(w, std::ssize(motion.moved), [&](std::ptrdiff_t k) {
    auto& [i, x, v, turn] = motion.moved[k];
    x = body.at(BodyRow::x, i) - x, v = body.at(BodyRow::v, i) - v, turn = body.at(BodyRow::w, i) - turn;
  });
  for (const auto& of : motion.moved) w.list.jumped(of.grain, norm(of.v), norm(of.x));
  return motion;
}

}  // namespace cairn
