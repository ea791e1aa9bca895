// Groups of contacts that begin and end: no two share a grain, and each contact is in one.
#include "cairn/world/event_groups.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "cairn/core/hash.hpp"

using namespace cairn;

namespace {

// Contacts between so many grains, and some with a wall, as each kind of event.
std::vector<EventContact> events_among(int grains, int contacts, NeighbourList& list) {
  std::uint64_t drawn = 0;
  const auto below = [&](int n) { return static_cast<int>(n * random_uniform(3, 0, drawn++)); };
  for (int k = 0; k < contacts; ++k) {
    const int first = below(grains), second = below(grains);
    if (first != second) list.pairs.push_back({std::min(first, second), std::max(first, second)});
  }
  for (int k = 0; k < contacts / 10; ++k) list.walls.push_back({below(grains), 0});
  std::vector<EventContact> events;
  for (int slot = 0; slot < list.slots(); ++slot)
    events.push_back({.slot = slot, .number = slot, .kind = static_cast<EventKind>(below(4))});
  std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
  return events;
}

}  // namespace

TEST_CASE("groups of events share no grain") {
  // Of many grains few events share one; of few grains nearly all do.
  for (const auto& [grains, contacts] : {std::array{100000, 400}, {2000, 150}, {300, 400}, {100000, 5}, {10, 0}})
    for (const int threads : {1, 2, 3}) {
      INFO(contacts, " contacts of ", grains, " grains, threads ", threads);
      const WorldSettings settings;
      const SlotFields fields;
      const Domain domain;
      Particles particles;
      particles.id.resize(grains);
      std::iota(particles.id.begin(), particles.id.end(), 0);
      NeighbourList list;
      std::vector<EventContact> events = events_among(grains, contacts, list);
      GrainNumbers numbers;
      find_grains({settings, particles, list, fields, domain}, events, numbers);

      std::map<int, int> count;  // of the events of each grain
      for (const EventContact& of : events)
        for (const int i : of.grains)
          if (i >= 0) ++count[i];
      for (const EventContact& of : events)
        for (const int side : {0, 1}) CHECK(of.alone[side] == (of.grains[side] < 0 || count[of.grains[side]] == 1));

      const std::size_t all = events.size();
      const EventGroups groups(events, threads);
      REQUIRE(events.size() == all);
      std::vector<EventGroups::Group> both = groups.by_all();
      both.insert(both.end(), groups.by_one().begin(), groups.by_one().end());
      std::set<int> slots;
      std::map<int, std::size_t> group_of;  // each grain
      for (std::size_t g = 0; g < both.size(); ++g)
        for (int k = both[g].first; k < both[g].last; ++k) {
          CHECK(slots.insert(events[k].slot).second);
          if (k > both[g].first) CHECK(events[k - 1].kind <= events[k].kind);
          for (const int i : events[k].grains)
            if (i >= 0) CHECK(group_of.emplace(i, g).first->second == g);
        }
      CHECK(slots.size() == all);
      if (threads > 1 && contacts > 100) CHECK(both.size() > 1u);
    }
}
