#include "cairn/world/event_groups.hpp"

#include <algorithm>
#include <array>

#include "cairn/world/grain_numbers.hpp"

namespace cairn {

void find_alone(std::span<EventContact> events) {
  GrainNumbers numbers(2 * events.size());
  std::vector<bool*> first;  // `alone` of the first event of each grain
  first.reserve(2 * events.size());
  for (EventContact& of : events)
    for (int side = 0; side < 2; ++side) {
      of.alone[side] = true;
      if (of.grains[side] < 0) continue;
      const auto number = static_cast<std::size_t>(numbers.number(of.grains[side]));
      if (number == first.size())
        first.push_back(&of.alone[side]);
      else
        of.alone[side] = *first[number] = false;
    }
}

EventGroups::EventGroups(std::vector<EventContact>& events, const EventParts& w)
    : EventGroups(events, w.domain.apart() || w.states.present.walls.size() > 0 ? 1 : w.threads) {}

EventGroups::EventGroups(std::vector<EventContact>& events, int threads) {
  constexpr int few = 8;        // left to one thread
  constexpr int most = 64;      // of a group
  constexpr int too_many = 64;  // that share grains, for one thread
  const int count = static_cast<int>(events.size());
  const bool together = threads == 1 || count < few;
  // Those that share grains, then the others; of each the kinds ascend.
  constexpr int kinds = 4;
  const auto part_of = [&](const EventContact& of) {
    const bool alone = !together && of.alone[0] && of.alone[1];
    return kinds * alone + static_cast<int>(of.kind);
  };
  std::array<int, 2 * kinds + 1> starts{};
  for (const EventContact& of : events) ++starts[part_of(of) + 1];
  for (int part = 0; part < 2 * kinds; ++part) starts[part + 1] += starts[part];
  std::vector<EventContact> arranged(events.size());
  for (auto next = starts; const EventContact& of : events) arranged[next[part_of(of)]++] = of;
  events = std::move(arranged);
  const int sharing = starts[kinds];
  if (sharing > 0 || together) (sharing > too_many || threads == 1 ? by_all_ : by_one_).push_back({0, sharing});
  // Those that have begun apart from the others: mixed groups would fill fewer packs.
  const std::array<int, 3> ends{sharing, starts[kinds + 1], count};
  for (int thread = 0; thread < threads; ++thread) {
    for (const int part : {0, 1}) {
      const auto share = [&](int t) { return ends[part] + (ends[part + 1] - ends[part]) * t / threads; };
      for (int at = share(thread), end = share(thread + 1); at < end; at += most)
        by_one_.push_back({at, std::min(at + most, end)});
    }
    first_.push_back(static_cast<int>(by_one_.size()));
  }
}

}  // namespace cairn
