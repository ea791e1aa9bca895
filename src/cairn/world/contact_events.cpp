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

namespace cairn {
namespace {

constexpr int few_corrections = 32, few_others = 128;  // left to one thread

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

// Corrected contacts with loaded walls push these back. A wall is not shifted as the grain is: its shift would be
// smaller by the ratio of their masses.
void push_walls(const ContactEvents::Parts& w, std::span<const int> slots, std::span<const Corrected> corrected,
                std::span<State* const> memories, std::span<const CorrectedPast> past) {
  State &y = w.states.present, &rate = w.states.current_rate;
  if (y.walls.size() == 0) return;
  std::vector<ReproducibleVectorSum> impulse(static_cast<std::size_t>(y.walls.size()));
  for (std::size_t k = 0; k < slots.size(); ++k)
    if (const int wall = w.scene().loaded_wall(slots[k]); wall >= 0 && corrected[k].made)
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
}

}  // namespace

// What corrections and ended contacts add to the ledger at the end of a step. A rank sums its own contacts; the domain
// then adds up the ranks.
struct ContactEvents::Booked {
  ForceJumps::Sums before, after;  // of the forces that corrections replace, and of those in their place
  ReproducibleSum gained;          // [J] beside kinetic energy, what is recorded included
  ReproducibleSum left;            // [J] in rolling springs of contacts that have ended
  LedgerSums recorded;

  void add(const Booked& b) {
    before.add(b.before), after.add(b.after);
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
  if (!w.forces.any_changed_phase()) return;
  const std::vector<int> changed = w.forces.take_changed_phase();
  if (!w.settings.onset) return update_phases(w, changed);
  const ContactScene scene = w.scene();
  std::vector<int> corrected;
  std::copy_if(changed.begin(), changed.end(), std::back_inserter(corrected),
               [&](int slot) { return scene.corrects(slot); });
  std::optional<SharedCorrections> shared;
  if (w.domain.apart()) {
    numbers_.resize(static_cast<std::size_t>(w.bodies.size()), -1);
    shared.emplace(w, corrected, numbers_);
  }
  Booked all;
  all.before = jumps_.find(w, corrected, shared ? shared->copies() : std::vector<int>{}, end.velocity_lag);
  correct(w, corrected, shared ? &*shared : nullptr, h, end, all);
  update_phases(w, changed);
  State &y = w.states.present, &rate = w.states.current_rate;
  for (const int slot : changed) {
    if (scene.slots.phase[slot] != Phase::open) continue;
    if (w.settings.rolls() && scene.counts(slot)) all.left.add(left_in_rolling(scene, y, slot));
    relax_springs(y, slot);  // else it would stretch the spring of the next contact of the two bodies
    if (w.states.rate_known) relax_springs(rate, slot);
  }
  all.after = jumps_.make(w, end.velocity_lag);
  book(w, all, end.velocity_lag);
}

void ContactEvents::book(const Parts& w, Booked& all, Real velocity_lag) {
  w.domain.add(all);
  State &y = w.states.present, &rate = w.states.current_rate;
  const LedgerChannels recorded = all.recorded.value(), power = all.before.forces.total().power;
  for (int c = 0; c < Channel::count; ++c) y.ledger[c] += recorded[c];
  y.ledger[Channel::rolling] += all.left.value();
  const ContactSums sums = all.after.forces.total();
  sums.record_released(y.ledger);
  Real gained = all.gained.value();
  for (int c = 0; c < Channel::count; ++c) {
    const Real jump = sums.after()[c] - power[c];
    rate.ledger[c] += jump;
    gained += velocity_lag * (c == Channel::external ? -jump : jump);
  }
  y.ledger[Channel::onset] -= all.after.kinetic.value() - all.before.kinetic.value() + gained;
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
                       .position_offset = end.position_offset,
                       .trial_springs = trial_springs,
                       .memories = memories,
                       .ago = ages};
  const ContactTables t = ContactForces::tables(w.settings, w.bodies, w.list, nullptr);
  const auto correct_wave = [&](const std::vector<int>& wave) {
    const std::ptrdiff_t count = std::ssize(wave), threads = std::max(1, w.settings.threads);
    for_blocks(
        w.settings.threads, count, std::clamp<std::ptrdiff_t>((count + threads - 1) / threads, 1, contact_block),
        [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
          for (auto k = begin; k < end; ++k)
            for (const int i : scene.bodies(slots[wave[k]]))
              if (i >= 0) {
                fetch_entry(pass.y->body, i), fetch_entry(pass.current_rate->body, i);
                fetch_constants(w.bodies.grains(), i);
              }
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

}  // namespace cairn
