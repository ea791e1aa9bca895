#include "cairn/world/corrections.hpp"

#include <algorithm>

#include "cairn/core/parallel.hpp"
#include "cairn/world/loaded_walls.hpp"

namespace cairn {
namespace {

constexpr int few_corrections = 4;  // left to one thread

// The grains of each contact, by their numbers; -1 for a wall.
using Numbered = std::vector<std::array<int, 2>>;

Numbered numbered(const ContactScene& scene, std::span<const int> slots, GrainNumbers& numbers) {
  Numbered all = numbers.start(scene, slots);
  for (auto& bodies : all)
    for (int& of : bodies)
      if (of >= 0) of = numbers.count(of);
  return all;
}

// Indices of contacts that can be corrected at the same time.
using Wave = std::vector<int>;

std::vector<Wave> waves_of(const ContactScene& scene, std::span<const int> slots, const Numbered& bodies,
                           const GrainNumbers& numbers) {
  std::vector<Wave> waves(1);
  std::vector<std::pair<std::array<std::int64_t, 2>, int>> sharing;  // ids; index
  const auto alone = [&](int of) { return of < 0 || numbers.counted(of) == 1; };
  for (std::size_t k = 0; k < slots.size(); ++k)
    if (alone(bodies[k][0]) && alone(bodies[k][1]))
      waves[0].push_back(static_cast<int>(k));
    else
      sharing.emplace_back(scene.ids(slots[k]), static_cast<int>(k));
  std::sort(sharing.begin(), sharing.end());
  std::vector<int> done(numbers.grains().size());  // waves of the corrections of each grain so far
  for (const auto& [ids, k] : sharing) {
    int wave = 0;
    for (const int of : bodies[k])
      if (of >= 0) wave = std::max(wave, done[of]);
    for (const int of : bodies[k])
      if (of >= 0) done[of] = wave + 1;
    if (wave == static_cast<int>(waves.size())) waves.emplace_back();
    waves[wave].push_back(k);
  }
  return waves;
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

// What corrections add to the ledgers of memories.
void book_past(const EventParts& w, std::span<const int> slots, std::span<const Corrected> corrected,
               std::span<State* const> memories, std::span<const CorrectedPast> past) {
  for (std::size_t m = 0; m < memories.size(); ++m) {
    if (!memories[m]) continue;
    LedgerSums recorded;
    for (std::size_t k = 0; k < slots.size(); ++k)
      if (corrected[k].made && w.scene().counts(slots[k])) recorded.add(past[k * memories.size() + m].power);
    w.domain.add(recorded);
    const LedgerChannels more = recorded.value();
    for (int c = 0; c < Channel::count; ++c) memories[m]->ledger[c] += more[c];
  }
}

}  // namespace

Corrections correct(const EventParts& w, std::span<const int> slots, SharedCorrections* shared, OnsetPass pass,
                    GrainNumbers& numbers, Findings& found) {
  const ContactScene scene = w.scene();
  const std::vector<Real> ages = w.states.memory_ages(pass.h);
  const std::vector<State*> memories = w.states.whole_memories(scene.list.slots());
  std::vector<Corrected> corrected(slots.size());
  std::vector<CorrectedPast> past(slots.size() * memories.size());
  pass.y = &w.states.present, pass.current_rate = &w.states.current_rate;
  pass.memories = memories, pass.ago = ages;
  const BodyRows& body = w.states.present.body;
  SlotField<Real>& onset_speed = w.list.slots().onset_speed;
  const ContactTables t = ContactForces::tables(w.settings, w.bodies, w.list, nullptr);

  const Numbered bodies = numbered(scene, slots, numbers);
  if (shared)
    for (const int i : shared->copies()) numbers.number(i);
  Corrections made;
  made.moved.resize(numbers.grains().size());
  std::vector<char> known(made.moved.size(), false);  // where they were
  const auto look = [&](std::size_t number) {
    if (std::exchange(known[number], true)) return;
    auto& [i, x, v, turn] = made.moved[number];
    i = numbers.grains()[number];
    x = body.at(BodyRow::x, i), v = body.at(BodyRow::v, i), turn = body.at(BodyRow::w, i);
  };
  const auto each_body = [&](int k, auto&& f) {
    for (const int of : bodies[k])
      if (of >= 0) f(static_cast<std::size_t>(of));
  };
  const auto record = [&](int k) {
    const Corrected& of = corrected[k];
    if (!of.made) return;
    EventFindings& mine = found.mine();
    if (scene.counts(slots[k])) {
      for (int c = 0; c < Channel::count; ++c)
        if (of.recorded[c] != 0) mine.booked.recorded[c].add(of.recorded[c]);
      mine.booked.gained.add(of.gained);
    }
    mine.travel = std::max(mine.travel, of.travel);
    mine.outside = mine.outside || of.outside;
    if (onset_speed.used && of.onset_speed > 0) onset_speed[slots[k]] = of.onset_speed;
  };
  const auto correct_wave = [&](const Wave& wave) {
    const std::ptrdiff_t count = std::ssize(wave), threads = w.settings.threads;
    for_blocks(
        w.settings.threads, count, std::clamp<std::ptrdiff_t>((count + threads - 1) / threads, 1, contact_block),
        [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
          for (auto at = begin; at < end; ++at)
            each_body(wave[at], [&](std::size_t of) { prefetch_grain(w, numbers.grains()[of]); });
          for (auto at = begin; at < end; ++at) each_body(wave[at], look);
          onset_pass(w.settings.simd, pass, t, w.settings.laws, slots.data(), wave.data() + begin,
                     static_cast<int>(end - begin), corrected.data(), past.data());
          for (auto at = begin; at < end; ++at) record(wave[at]);
        },
        few_corrections);
    // No two of a wave move the same grain.
    Real travel = 0;
    found.each([&](EventFindings& of) { travel = std::max(travel, std::exchange(of.travel, 0)); });
    w.list.add_displacement(travel);
  };
  if (shared) {
    for (std::size_t k = 0; k < made.moved.size(); ++k) look(k);  // owners move copies between rounds
    shared->in_rounds(correct_wave);
    for (const int i : shared->copies()) w.bodies.may_be_outside(w.settings.cell.outside(body.at(BodyRow::x, i)));
  } else {
    for (const Wave& wave : waves_of(scene, slots, bodies, numbers)) correct_wave(wave);
  }
  for (std::size_t k = 0; k < slots.size(); ++k)
    if (corrected[k].made) made.slots.push_back(slots[k]);
  made.walls = push_walls(w, slots, corrected, memories, past);
  book_past(w, slots, corrected, memories, past);
  return made;
}

}  // namespace cairn
