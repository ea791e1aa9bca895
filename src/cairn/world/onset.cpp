// The contact-onset correction (docs/onset.md). Within a step every contact keeps the phase in which it began: one that
// was open has no force, one that pressed has its force run on smoothly past its end. So schemes see no jump. What that
// is wrong by is one contact's own motion over a part of a step, from or to the event; it is put right here, when the
// step is done.
#include "cairn/contact/kernels/onset.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "cairn/core/parallel.hpp"
#include "cairn/world/each_contact.hpp"

namespace cairn {

namespace {

constexpr int asked_block = 64;  // contacts asked again that a thread takes at once, and that are summed together

// Fewer than these are left to one thread.
constexpr int few_corrections = 128, few_others = 256;
constexpr int corrected_block = 64;  // contacts that a thread corrects at once

template <class F>
void for_each_index(int threads, std::ptrdiff_t count, int few, F&& f) {
  constexpr int block = 16;
  const auto all = [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (auto k = begin; k < end; ++k) f(k);
  };
  for_blocks(threads, count, block, all, few);
}

}  // namespace

// Of contacts that stand there touching, of all or of those that the last rebuild has brought; they have not begun in a
// step.
void World::find_phases(bool all) {
  for (int slot = 0; slot < list_.slots(); ++slot) {
    if (!all && carried_[slot] >= 0) continue;
    phases_[slot] = phase_now(slot);
    if (phases_[slot] != Phase::open) since_[slot] = step_number(), record_onset_speed(slot);
  }
}

// Those of slots that a step has turned.
void World::update_phases(std::span<const int> slots) {
  std::vector<Phase> now(slots.size());
  for_each_index(settings_.threads, std::ssize(slots), few_others,
                 [&](std::ptrdiff_t k) { now[k] = phase_now(slots[k]); });
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const int slot = slots[k];
    const Phase was = std::exchange(phases_[slot], now[k]);
    if (now[k] == Phase::open) {
      if (!onset_speeds_.empty()) onset_speeds_[slot] = 0;
      for (auto& m : memory_) forget_springs(*m, slot);
    }
    if (was == Phase::open && now[k] != Phase::open)
      ++contact_count_.begun, since_[slot] = step_number(), record_onset_speed(slot);
    if (was != Phase::open && now[k] == Phase::open) {
      ++contact_count_.ended;
      const std::int64_t steps = (step_number() - since_[slot]) & 0x7fffffff;
      if (contact_count_.shortest == 0 || steps < contact_count_.shortest) contact_count_.shortest = steps;
    }
  }
}

// Of a contact that has begun: where no correction has found it, that of the present; never 0, which says nothing.
void World::record_onset_speed(int slot) {
  if (onset_speeds_.empty() || onset_speeds_[slot] > 0) return;
  each_contact_now(
      [&](int, int, int, const auto&, const ContactGeometry<Real>& m) {
        onset_speeds_[slot] = std::max(std::fabs(m.kinematics.approach), std::numeric_limits<Real>::min());
      },
      slot, slot + 1);
}

Phase World::phase_now(int slot) const {
  Phase now{};
  each_contact_now(
      [&](int, int, int, const auto& law, const ContactGeometry<Real>& m) {
        const Real fn = law.force(m.kinematics, state_.bond.at(0, slot)).fn;
        now = phase_of(m.kinematics.overlap > 0, presses(law, m.kinematics, fn), settings_.onset);
      },
      slot, slot + 1);
  return now;
}

// Those of slots that are corrected, in an order that does not depend on the list.
std::vector<int> World::corrected_of(std::span<const int> changed_phase) const {
  std::vector<std::pair<std::array<std::int64_t, 2>, int>> found;  // ids, slot
  for (const int slot : changed_phase)
    if (corrects(slot)) found.emplace_back(ids_of(slot), slot);
  std::sort(found.begin(), found.end());
  std::vector<int> slots;
  for (const auto& [ids, slot] : found) slots.push_back(slot);
  return slots;
}

void World::process_events(Real h, Real lag) {
  std::vector<int> changed_phase;  // slots
  for (auto& block : changed_phase_) {
    changed_phase.insert(changed_phase.end(), block.begin(), block.end());
    block.clear();
  }
  if (changed_phase.empty()) return;
  if (!settings_.onset) return update_phases(changed_phase);
  const std::vector<int> corrected = corrected_of(changed_phase);
  for (const int slot : corrected)
    for (const int i : bodies(slot))
      if (i >= 0) ascending_.insert(i);
  const std::vector<int> grains = ascending_.take();
  // Contacts of those grains, before or after.
  for (const int slot : corrected) ascending_.insert(slot);
  for (const auto& block : moved_rows_)
    for (const int slot : block.slots) ascending_.insert(slot);
  const std::vector<int> slots = ascending_.take();
  const auto closed = [&] {
    std::vector<int> of;
    std::copy_if(slots.begin(), slots.end(), std::back_inserter(of),
                 [&](int slot) { return phases_[slot] != Phase::open; });
    return of;
  };
  // [J] kinetic, at the time of the positions.
  const auto moving = [&] {
    std::vector<Real> of(grains.size());
    for_each_index(settings_.threads, std::ssize(grains), few_others, [&](std::ptrdiff_t k) {
      const int i = grains[k];
      const Vector v = state_.body.at(BodyRow::v, i) + lag * current_rate_.body.at(BodyRow::v, i);
      const Vector w = state_.body.at(BodyRow::w, i) + lag * current_rate_.body.at(BodyRow::w, i);
      of[k] = 0.5 * grains_.mass[i] * dot(v, v);
      if (grains_.inverse_inertia[i] > 0) of[k] += 0.5 / grains_.inverse_inertia[i] * dot(w, w);
    });
    return std::accumulate(of.begin(), of.end(), Real(0));
  };
  const LedgerChannels power = ask_again(closed(), false).power;
  const Real kinetic = moving();
  Real gained = correct(corrected, h, lag);  // [J] beside kinetic energy, what was booked included
  update_phases(changed_phase);
  for (const int slot : changed_phase) {
    if (phases_[slot] != Phase::open) continue;
    if (rolls()) state_.ledger[Channel::rolling] += left_in_rolling(slot);
    forget_springs(state_, slot);  // nothing of its spring may stretch that of the next contact of the two
    if (present_) forget_springs(current_rate_, slot);
  }
  const std::vector<int> after = closed();
  const ContactSums sums = ask_again(after, true);
  sums.record_released(state_.ledger);
  for (int c = 0; c < Channel::count; ++c) {
    const Real jump = sums.after()[c] - power[c];
    current_rate_.ledger[c] += jump;
    gained += lag * (c == Channel::external ? -jump : jump);
  }
  renew_forces(slots, after);
  if (present_)
    for (const int i : grains) current_rate_.body.set(BodyRow::x, i, state_.body.at(BodyRow::v, i));
  state_.ledger[Channel::onset] -= moving() - kinetic + gained;
}

// [J] that the ledger counts as stored in the spring of a contact that has ended while its force ran on.
Real World::left_in_rolling(int slot) const {
  Real energy = 0;
  each_contact_now(
      [&](int, int, int, const auto& law, ContactGeometry<Real> m) {
        m.kinematics.sustained = true;
        const NormalLoad<Real> normal_load = normal_load_of(law.force(m.kinematics, {}));
        if (settings_.rolling[law_of(slot)].stores) energy = rolling_energy(slot, m, normal_load);
      },
      slot, slot + 1);
  return energy;
}

// Corrections that share a grain are made one after the other, in the order given, others at the same time: in waves.
// Returns the energy [J] gained beside the kinetic, what is booked here included.
Real World::correct(std::span<const int> slots, Real h, Real lag) {
  std::vector<std::vector<int>> waves;  // of indices of slots
  next_wave_.resize(size());
  for (std::size_t k = 0; k < slots.size(); ++k) {
    std::size_t wave = 0;
    for (const int i : bodies(slots[k]))
      if (i >= 0) wave = std::max<std::size_t>(wave, next_wave_[i]);
    for (const int i : bodies(slots[k]))
      if (i >= 0) next_wave_[i] = static_cast<int>(wave) + 1;
    if (wave == waves.size()) waves.emplace_back();
    waves[wave].push_back(static_cast<int>(k));
  }
  for (const int slot : slots)
    for (const int i : bodies(slot))
      if (i >= 0) next_wave_[i] = 0;
  const std::vector<Real> ago = remembered(h);
  std::vector<State*> memories;
  for (int m = 0; m < World::memories(); ++m)
    memories.push_back(memory(m).body.size() == size() && memory(m).bond.size() == list_.slots() ? &memory(m)
                                                                                                 : nullptr);
  std::vector<Corrected> corrected(slots.size());
  std::vector<LedgerChannels> past(slots.size() * memories.size());
  const OnsetPass pass{&state_, &current_rate_, h, lag, memories, ago};
  const ContactTables t = tables(0);
  for (const std::vector<int>& wave : waves)
    for_blocks(
        settings_.threads, std::ssize(wave), corrected_block,
        [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
          onset_pass(settings_.simd, pass, t, settings_.laws, slots.data(), wave.data() + begin,
                     static_cast<int>(end - begin), corrected.data(), past.data());
        },
        few_corrections);
  Real gained = 0;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const Corrected& of = corrected[k];
    if (!of.made) continue;
    for (int c = 0; c < Channel::count; ++c) state_.ledger[c] += of.recorded[c];
    for (std::size_t m = 0; m < memories.size(); ++m)
      for (int c = 0; c < Channel::count && memories[m]; ++c)
        memories[m]->ledger[c] += past[k * memories.size() + m][c];
    travel_ += of.travel, path_bound_ += of.travel;
    outside_ = outside_ || of.outside;
    gained += of.gained;
    if (!onset_speeds_.empty() && of.onset_speed > 0) onset_speeds_[slots[k]] = of.onset_speed;
  }
  return gained;
}

// The two bodies of a slot; the second -1 at a wall.
std::array<int, 2> World::bodies(int slot) const {
  const int pairs = static_cast<int>(list_.pairs.size());
  if (slot >= pairs) return {list_.walls[slot - pairs].grain, -1};
  return {list_.pairs[slot].first, list_.pairs[slot].second};
}

// The forces of these contacts as they are now, as asked_rows_; with the springs returned to their limits, and the
// rates where current_rate_ is the whole rate, if `final`.
ContactSums World::ask_again(std::span<const int> slots, bool final) {
  const ContactPass now{.y = &state_,
                        .springs = final ? &state_ : nullptr,
                        .rate = final && present_ ? &current_rate_ : nullptr,
                        .close = final};
  const int pairs = static_cast<int>(list_.pairs.size()), count = static_cast<int>(slots.size());
  const int first_wall = static_cast<int>(std::lower_bound(slots.begin(), slots.end(), pairs) - slots.begin());
  ContactTables t = tables(0);
  asked_rows_.resize(slots.size() * t.stride());
  t.rows = asked_rows_.data();
  block_sums_.assign((count + asked_block - 1) / asked_block, {});
  for_blocks(
      settings_.threads, count, asked_block,
      [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
        const int first = static_cast<int>(begin), last = static_cast<int>(end);
        const int walls = std::clamp(first_wall, first, last);
        pair_pass(settings_.simd, now, t, settings_.laws, slots.data(), first, walls, first, block_sums_[b]);
        wall_pass(settings_.simd, now, t, settings_.laws, slots.data(), walls, last, walls, block_sums_[b]);
      },
      few_others);
  ContactSums sums;
  for (const ContactSums& of : block_sums_) sums.add(of);
  return sums;
}

// The correction makes the forces of contacts jump, from the rows the pass gave them to those asked again for the ones
// that are closed now, among these slots, all those of the grains it moved; and with them the accelerations of these
// and of what they touch. In the order of each grain's contacts, as every sum of forces.
void World::renew_forces(std::span<const int> slots, std::span<const int> closed) {
  static constexpr Real none[row_length_rolling] = {};
  struct Jump {
    const Real *from = none, *to = none;
  };
  const std::size_t stride = row_stride();
  std::vector<Jump> jumps(slots.size());
  jump_at_.resize(list_.slots(), -1);
  for (std::size_t k = 0; k < slots.size(); ++k) {
    jump_at_[slots[k]] = static_cast<int>(k);
    for (const int i : bodies(slots[k]))
      if (i >= 0) ascending_.insert(i);
  }
  for (const auto& block : moved_rows_)
    for (std::size_t k = 0; k < block.slots.size(); ++k)
      jumps[jump_at_[block.slots[k]]].from = block.rows.data() + k * stride;
  for (std::size_t k = 0; k < closed.size(); ++k) jumps[jump_at_[closed[k]]].to = asked_rows_.data() + k * stride;
  const std::vector<int> changed = ascending_.take();  // grains
  const auto vector = [](const Real* row, int first) { return Vector{row[first], row[first + 1], row[first + 2]}; };
  for_each_index(settings_.threads, std::ssize(changed), few_others, [&](std::ptrdiff_t k) {
    const int i = changed[k];
    for (int e = list_.first[i]; e < list_.first[i + 1]; ++e) {
      const int at = jump_at_[list_.contacts[e] >> 1];
      if (at < 0) continue;
      const Real *from = jumps[at].from, *to = jumps[at].to;
      const Real side = list_.contacts[e] & 1 ? -1 : 1, radius = grains_.radius[i];
      const Vector force = side * (vector(to, 0) - vector(from, 0));
      Vector torque = (radius - to[3]) * vector(to, 4) - (radius - from[3]) * vector(from, 4);
      if (rolls()) torque += side * (vector(to, row_length + 4) - vector(from, row_length + 4));
      current_rate_.body.set(BodyRow::v, i, current_rate_.body.at(BodyRow::v, i) + grains_.inverse_mass[i] * force);
      current_rate_.body.set(BodyRow::w, i, current_rate_.body.at(BodyRow::w, i) + grains_.inverse_inertia[i] * torque);
    }
  });
  for (const int slot : slots) jump_at_[slot] = -1;
}

// [s] how long ago the rates belong that schemes remember.
std::vector<Real> World::remembered(Real h) const {
  std::vector<Real> ago;
  for (int m = 0; m < memories(); ++m)
    ago.push_back((memory_kinds_[m] == Memory::between ? 0.5 : m + (memory_kinds_[m] == Memory::past)) * h);
  return ago;
}

}  // namespace cairn
