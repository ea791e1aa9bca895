// Groups of contacts that begin and end: no two share a grain, and each contact is in one.
#include "cairn/world/event_groups.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cairn/core/hash.hpp"
#include "cairn/world/grain_numbers.hpp"

using namespace cairn;

namespace {

// Contacts between so many grains, every tenth with a wall, as each kind of event.
std::vector<EventContact> events_among(int grains, int contacts) {
  std::uint64_t drawn = 0;
  const auto below = [&](int n) { return static_cast<int>(n * random_uniform(3, 0, drawn++)); };
  std::vector<EventContact> events;
  for (int slot = 0; slot < contacts; ++slot) {
    const int first = below(grains), second = slot % 10 == 0 ? -1 : (first + 1 + below(grains - 1)) % grains;
    events.push_back({.slot = slot, .grains = {first, second}, .kind = static_cast<EventKind>(below(4))});
  }
  return events;
}

void check_groups(int grains, int contacts, int threads) {
  INFO(contacts, " contacts of ", grains, " grains, threads ", threads);
  std::vector<EventContact> events = events_among(grains, contacts);
  find_alone(events);

  std::map<int, int> count;  // of the events of each grain
  for (const EventContact& of : events)
    for (const int i : of.grains) ++count[i];
  for (const EventContact& of : events)
    for (const int side : {0, 1}) CHECK(of.alone[side] == (of.grains[side] < 0 || count[of.grains[side]] == 1));

  const EventGroups groups(events, threads);
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
  CHECK(static_cast<int>(slots.size()) == contacts);
  if (threads > 1 && contacts > 100) CHECK(both.size() > 1u);
}

}  // namespace

TEST_CASE("groups of events share no grain") {
  for (const int threads : {1, 2, 3}) {
    check_groups(100000, 400, threads);  // few events share a grain
    check_groups(2000, 150, threads);
    check_groups(300, 400, threads);  // nearly all do
    check_groups(100000, 5, threads);
    check_groups(10, 0, threads);
  }
}

TEST_CASE("grains are numbered in the order in which they come, however many there are") {
  std::uint64_t drawn = 0;
  std::map<int, int> expected;
  GrainNumbers numbers(10);
  for (int k = 0; k < 5000; ++k) {
    const int grain = static_cast<int>(1e9 * random_uniform(4, 0, drawn++)) % 3000 << k % 3 * 8;
    CHECK(numbers.find(grain) == (expected.contains(grain) ? expected[grain] : -1));
    const int number = expected.emplace(grain, static_cast<int>(expected.size())).first->second;
    CHECK(numbers.number(grain) == number);
  }
  for (const auto& [grain, number] : expected) CHECK(numbers.find(grain) == number);
}
