#include "cairn/world/shared_corrections.hpp"

#include <algorithm>
#include <numeric>

namespace cairn {

SharedCorrections::SharedCorrections(const EventParts& parts, std::span<const EventContact> events)
    : parts_(parts),
      events_(events),
      left_(events.size()),
      goes_on_here_(!events.empty()),
      turn_(events.size()),
      next_(2 * events.size(), -1),
      numbers_(2 * events.size()) {
  std::iota(left_.begin(), left_.end(), 0);
  chain();
  const ContactScene scene = parts_.scene();
  // Owners know all corrections of a grain. Others learn from them which contacts come before theirs.
  const std::vector<Domain::Link>& links = parts_.domain.links();
  std::vector<Bytes> to(links.size());
  std::vector<int> ranks;
  shared_.resize(links.size());
  for (std::size_t l = 0; l < links.size(); ++l) {
    ranks.push_back(links[l].rank);
    ByteWriter message(to[l]);
    message.add(goes_on_here_);
    for (std::size_t s = 0; s < links[l].sends.size(); ++s) {
      const int i = links[l].sends[s];
      if (numbers_.find(i) < 0) continue;
      const OfGrain& of = of_grain(i);
      shared_[l].sends.push_back(i);
      message.add(static_cast<int>(s));
      message.add(of.count);
      for (int at = of.first; at >= 0; at = next_[at]) message.add(scene.ids(events_[at / 2].slot));
    }
  }
  const std::vector<Bytes> from = parts_.domain.ranks().talk(ranks, to);
  for (std::size_t l = 0; l < links.size(); ++l) {
    ByteReader message(from[l]);
    shared_[l].other_goes_on = message.take<bool>();
    while (!message.empty()) {
      const int i = links[l].receives[message.take<int>()];
      shared_[l].receives.push_back(i);
      copies_.push_back(i);
      int at = of_grain(i).first;
      for (int turn = 0, count = message.take<int>(); turn < count; ++turn) {
        const auto ids = message.take<std::array<std::int64_t, 2>>();
        if (at >= 0 && ids == scene.ids(events_[at / 2].slot)) turn_[at / 2][at % 2] = turn, at = next_[at];
      }
    }
  }
}

SharedCorrections::OfGrain& SharedCorrections::of_grain(int i) {
  const auto number = static_cast<std::size_t>(numbers_.number(i));
  if (number == chains_.size()) chains_.emplace_back();
  return chains_[number];
}

// Those of each grain by ids. Most grains have one alone.
void SharedCorrections::chain() {
  const ContactScene scene = parts_.scene();
  const auto each_grain = [&](int k, auto&& f) {
    const auto& bodies = events_[k].grains;
    for (int side = 0; side < 2; ++side)
      if (bodies[side] >= 0) f(of_grain(bodies[side]), side);
  };
  const auto append = [&](int k) {
    each_grain(k, [&](OfGrain& of, int side) {
      turn_[k][side] = of.done++;
      (of.first < 0 ? of.first : next_[of.last]) = 2 * k + side;
      of.last = 2 * k + side;
    });
  };
  for (const int k : left_) each_grain(k, [](OfGrain& of, int) { ++of.count; });
  std::vector<std::pair<std::array<std::int64_t, 2>, int>> sharing;  // ids; index
  for (const int k : left_) {
    bool alone = true;
    each_grain(k, [&](const OfGrain& of, int) { alone = alone && of.count == 1; });
    if (alone)
      append(k);
    else
      sharing.emplace_back(scene.ids(events_[k].slot), k);
  }
  std::sort(sharing.begin(), sharing.end());
  for (const auto& [ids, k] : sharing) append(k);
  for (const int k : left_) each_grain(k, [](OfGrain& of, int) { of.done = 0; });
}

bool SharedCorrections::goes_on() const {
  return goes_on_here_ ||
         std::any_of(shared_.begin(), shared_.end(), [](const Shared& of) { return of.other_goes_on; });
}

std::vector<int> SharedCorrections::take_ready() {
  std::vector<int> now, later;
  for (const int k : left_) {
    const auto& bodies = events_[k].grains;
    const auto in_turn = [&](int side) { return bodies[side] < 0 || of_grain(bodies[side]).done == turn_[k][side]; };
    const bool ready = in_turn(0) && in_turn(1);
    (ready ? now : later).push_back(k);
  }
  left_ = std::move(later);
  return now;
}

void SharedCorrections::finish_round(std::span<const int> made) {
  for (const int k : made)
    for (const int i : events_[k].grains)
      if (i >= 0) ++of_grain(i).done;
  States& states = parts_.states;
  const int slots = parts_.list.neighbours().slots();
  std::vector<BodyRows*> rows{&states.present.body, &states.current_rate.body};
  for (State* memory : states.whole_memories(slots))
    if (memory) rows.push_back(&memory->body);
  const std::size_t length = 1 + rows.size() * BodyRows::numbers;  // behind a number that tells who goes on
  const auto swaps = [&](const Shared& of) { return goes_on_here_ || of.other_goes_on; };
  const std::vector<Domain::Link>& links = parts_.domain.links();
  std::vector<Ranks::Link> all;
  for (std::size_t l = 0; l < links.size(); ++l) {
    Shared& of = shared_[l];
    if (!swaps(of)) continue;
    of.sent.resize(1 + length * of.sends.size()), of.received.resize(1 + length * of.receives.size());
    Real* to = of.sent.data();
    *to++ = !left_.empty();
    for (const int i : of.sends) {
      *to++ = of_grain(i).done;
      for (const BodyRows* of_state : rows) to = of_state->write(i, to);
    }
    all.push_back({links[l].rank, of.sent, of.received});
  }
  parts_.domain.ranks().swap(all);
  for (Shared& of : shared_) {
    if (!swaps(of)) continue;
    const Real* from = of.received.data();
    of.other_goes_on = *from++ != 0;
    for (const int i : of.receives) {
      of_grain(i).done = static_cast<int>(*from++);
      for (BodyRows* of_state : rows) from = of_state->read(i, from);
    }
  }
  goes_on_here_ = !left_.empty();
}

}  // namespace cairn
