#include "cairn/world/event_groups.hpp"

#include <algorithm>

namespace cairn {

void find_grains(const ContactScene& scene, std::span<EventContact> events, GrainNumbers& numbers) {
  numbers.start(scene.grains.size());
  for (const EventContact& of : events)
    if (!scene.at_wall(of.slot)) prefetch(&scene.list.pairs[of.slot]);
  for (EventContact& of : events) {
    of.grains = scene.bodies(of.slot), of.alone = {true, true};
    for (const int i : of.grains)
      if (i >= 0) prefetch(numbers.place(i));
  }
  std::vector<bool*> first;  // `alone` of the first event of each grain
  first.reserve(2 * events.size());
  for (EventContact& of : events)
    for (int side = 0; side < 2; ++side) {
      if (of.grains[side] < 0) continue;
      const auto number = static_cast<std::size_t>(numbers.number(of.grains[side]));
      if (number == first.size())
        first.push_back(&of.alone[side]);
      else
        of.alone[side] = *first[number] = false;
    }
}

EventGroups::EventGroups(std::vector<EventContact>& events, const EventParts& w)
    : EventGroups(events, w.domain.apart() || w.states.present.walls.size() > 0 ||
                                  !w.states.whole_memories(w.list.neighbours().slots()).empty()
                              ? 1
                              : w.threads) {}

EventGroups::EventGroups(std::vector<EventContact>& events, int threads) {
  constexpr int few = 8;        // left to one thread
  constexpr int most = 64;      // of a group
  constexpr int too_many = 64;  // that share grains, for one thread
  const int count = static_cast<int>(events.size());
  if (threads == 1) {
    by_all_.push_back({0, count}), first_.push_back(0);
    return;
  }
  if (count < few) {
    by_one_.push_back({0, count}), first_.push_back(1);
    return;
  }
  // Those that share grains, then the others: those that have begun apart, for mixed groups would fill fewer packs.
  enum { sharing, begun, changed, parts };
  const auto part_of = [](const EventContact& of) {
    return !of.alone[0] || !of.alone[1] ? sharing : of.kind == EventKind::begun ? begun : changed;
  };
  std::array<int, parts + 1> starts{};
  for (const EventContact& of : events) ++starts[part_of(of) + 1];
  for (int part = 0; part < parts; ++part) starts[part + 1] += starts[part];
  std::vector<EventContact> arranged(events.size());
  for (std::array<int, parts + 1> next = starts; const EventContact& of : events) arranged[next[part_of(of)]++] = of;
  events = std::move(arranged);
  if (starts[begun] > 0) (starts[begun] > too_many ? by_all_ : by_one_).push_back({0, starts[begun]});
  for (int thread = 0; thread < threads; ++thread) {
    for (const int part : {begun, changed}) {
      const auto share = [&](int t) { return starts[part] + (starts[part + 1] - starts[part]) * t / threads; };
      for (int at = share(thread), end = share(thread + 1); at < end; at += most)
        by_one_.push_back({at, std::min(at + most, end)});
    }
    first_.push_back(static_cast<int>(by_one_.size()));
  }
}

}  // namespace cairn
