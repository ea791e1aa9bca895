#include "cairn/world/corrections.hpp"

#include <algorithm>

#include "cairn/core/parallel.hpp"
#include "cairn/world/loaded_walls.hpp"

namespace cairn {
namespace {

constexpr int few_corrections = 4;  // left to one thread

// Indices of contacts that can be corrected at the same time.
using Wave = std::vector<int>;

std::vector<Wave> waves_of(const ContactScene& scene, std::span<const EventContact> events) {
  std::vector<Wave> waves(1);
  waves[0].reserve(events.size());
  std::vector<std::pair<BodyIds, int>> sharing;  // ids; index
  std::vector<int> grains;
  for (int k = 0, count = static_cast<int>(events.size()); k < count; ++k) {
    const auto& [first, second] = events[k].alone;
    if (first && second) {
      waves[0].push_back(k);
      continue;
    }
    sharing.emplace_back(scene.ids(events[k].slot), k);
    for (const int i : events[k].grains)
      if (i >= 0) grains.push_back(i);
  }
  std::sort(sharing.begin(), sharing.end());
  std::sort(grains.begin(), grains.end());
  std::vector<int> done(grains.size());  // waves of the corrections of each grain so far
  const auto done_of = [&](int i) -> int& {
    return done[std::lower_bound(grains.begin(), grains.end(), i) - grains.begin()];
  };
  for (const auto& [ids, k] : sharing) {
    int wave = 0;
    for (const int i : events[k].grains)
      if (i >= 0) wave = std::max(wave, done_of(i));
    for (const int i : events[k].grains)
      if (i >= 0) done_of(i) = wave + 1;
    if (wave == static_cast<int>(waves.size())) waves.emplace_back();
    waves[wave].push_back(k);
  }
  return waves;
}

// The grains of these contacts, each once, and copies that owners move, where they are.
void find_bodies(const EventParts& w, std::span<const EventContact> events, const SharedCorrections* shared,
                 Corrections& of) {
  std::vector<std::array<int, 2>> sharing;  // grain, number of the body
  for (int k = 0, count = static_cast<int>(events.size()); k < count; ++k)
    for (const int side : {0, 1}) {
      of.contacts[k].moved[side].grain = events[k].grains[side];
      if (!events[k].alone[side]) sharing.push_back({events[k].grains[side], 2 * k + side});
    }
  std::sort(sharing.begin(), sharing.end());
  for (std::size_t n = 1; n < sharing.size(); ++n)
    if (sharing[n][0] == sharing[n - 1][0]) of.body(sharing[n][1]).grain = -1;
  if (shared) {
    std::vector<int> all;
    for (const EventContact& event : events) all.insert(all.end(), event.grains.begin(), event.grains.end());
    std::sort(all.begin(), all.end());
    for (const int i : shared->copies())
      if (!std::binary_search(all.begin(), all.end(), i)) of.copies.push_back({i, {}, {}, {}});
  }
  const BodyRows& body = w.states.present.body;
  for_each_index(w, of.each_moved([&](const Corrections::Moved& moved) { prefetch_grain(w, moved.grain); }),
                 of.each_moved([&](Corrections::Moved& moved) {
                   auto& [i, x, v, turn] = moved;
                   x = body.at(BodyRow::x, i), v = body.at(BodyRow::v, i), turn = body.at(BodyRow::w, i);
                 }));
}

// Corrected contacts with loaded walls push these back. A wall is not shifted as the grain is: its shift would be
// smaller by the ratio of their masses. Returns by how much [m/s] each is pushed.
std::vector<Vector> push_walls(const EventParts& w, std::span<const int> slots, std::span<const Corrected> corrected,
                               std::span<State* const> memories, std::span<const CorrectedPast> past) {
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

}  // namespace

Corrections correct(const EventParts& w, std::span<const EventContact> events,
                    std::span<Corrections::OfContact> contacts, SharedCorrections* shared, OnsetPass pass,
                    Findings& found) {
  const ContactScene scene = w.scene();
  const std::vector<Real> ages = w.states.memory_ages(pass.h);
  const std::vector<State*> memories = w.states.whole_memories(scene.list.slots());
  std::vector<int> slots;
  slots.reserve(events.size());
  for (const EventContact& of : events) slots.push_back(of.slot);
  std::vector<Corrected> corrected(slots.size());
  std::vector<CorrectedPast> past(slots.size() * memories.size());
  pass.y = &w.states.present, pass.current_rate = &w.states.current_rate;
  pass.memories = memories, pass.ago = ages;
  SlotField<Real>& onset_speed = w.list.slots().onset_speed;
  const ContactTables t = ContactForces::tables(w.settings, w.bodies, w.list, nullptr);

  Corrections made;
  made.contacts = contacts;
  find_bodies(w, events, shared, made);
  const auto record = [&](int k) {
    const Corrected& of = corrected[k];
    made.contacts[k].made = of.made;
    if (!of.made) return;
    EventFindings& mine = found.mine();
    if (scene.counts(slots[k])) {
      for (int c = 0; c < Channel::count; ++c)
        if (of.recorded[c] != 0) mine.booked.recorded[c].add(of.recorded[c]);
      mine.booked.gained.add(of.gained);
      mine.past.resize(memories.size());
      for (std::size_t m = 0; m < memories.size(); ++m)
        if (memories[m]) mine.past[m].add(past[k * memories.size() + m].power);
    }
    mine.outside = mine.outside || of.outside;
    if (onset_speed.used && of.onset_speed > 0) onset_speed[slots[k]] = of.onset_speed;
  };
  const auto correct_wave = [&](const Wave& wave) {
    const std::ptrdiff_t count = std::ssize(wave), threads = w.threads;
    for_blocks(
        w.threads, count, std::clamp<std::ptrdiff_t>((count + threads - 1) / threads, 1, contact_block),
        [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
          onset_pass(w.settings.simd, pass, t, w.settings.laws, slots.data(), wave.data() + begin,
                     static_cast<int>(end - begin), corrected.data(), past.data());
          for (auto at = begin; at < end; ++at) record(wave[at]);
        },
        few_corrections);
  };
  if (shared) {
    shared->in_rounds(correct_wave);
    for (const int i : shared->copies())
      w.bodies.may_be_outside(w.settings.cell.outside(w.states.present.body.at(BodyRow::x, i)));
  } else {
    for (const Wave& wave : waves_of(scene, events)) correct_wave(wave);
  }
  made.walls = push_walls(w, slots, corrected, memories, past);
  return made;
}

}  // namespace cairn
