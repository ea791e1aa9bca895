#include "cairn/world/shared_corrections.hpp"

#include <algorithm>
#include <numeric>

namespace cairn {

SharedCorrections::SharedCorrections(const ContactEvents::Parts& parts, std::span<const int> slots)
    : parts_(parts),
      slots_(slots),
      left_(slots.size()),
      goes_on_here_(!slots.empty()),
      turn_(slots.size()),
      done_(parts.bodies.size(), 0) {
  std::iota(left_.begin(), left_.end(), 0);
  const ContactScene scene = parts_.scene();
  std::vector<int> place(done_.size(), -1);  // of each grain in of_grain
  std::vector<std::vector<int>> of_grain;    // indices of slots, in order
  for (const int k : left_)
    for (int side = 0; side < 2; ++side)
      if (const int i = scene.bodies(slots_[k])[side]; i >= 0) {
        if (place[i] < 0) place[i] = static_cast<int>(of_grain.size()), of_grain.emplace_back();
        turn_[k][side] = static_cast<int>(of_grain[place[i]].size());
        of_grain[place[i]].push_back(k);
      }
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
      if (place[i] < 0) continue;
      shared_[l].sends.push_back(i);
      message.add(static_cast<int>(s));
      message.add(static_cast<int>(of_grain[place[i]].size()));
      for (const int k : of_grain[place[i]]) message.add(scene.ids(slots_[k]));
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
      std::vector<std::array<std::int64_t, 2>> all(static_cast<std::size_t>(message.take<int>()));
      for (auto& ids : all) ids = message.take<std::array<std::int64_t, 2>>();
      if (place[i] < 0) continue;
      for (const int k : of_grain[place[i]]) {
        const int side = scene.bodies(slots_[k])[0] == i ? 0 : 1;
        turn_[k][side] = static_cast<int>(std::lower_bound(all.begin(), all.end(), scene.ids(slots_[k])) - all.begin());
      }
    }
  }
}

bool SharedCorrections::goes_on() const {
  return goes_on_here_ ||
         std::any_of(shared_.begin(), shared_.end(), [](const Shared& of) { return of.other_goes_on; });
}

std::vector<int> SharedCorrections::take_ready() {
  const ContactScene scene = parts_.scene();
  std::vector<int> now, later;
  for (const int k : left_) {
    const auto bodies = scene.bodies(slots_[k]);
    const bool ready = done_[bodies[0]] == turn_[k][0] && (bodies[1] < 0 || done_[bodies[1]] == turn_[k][1]);
    (ready ? now : later).push_back(k);
  }
  left_ = std::move(later);
  return now;
}

void SharedCorrections::finish_round(std::span<const int> made) {
  for (const int k : made)
    for (const int i : parts_.scene().bodies(slots_[k]))
      if (i >= 0) ++done_[i];
  States& states = parts_.states;
  const int slots = parts_.list.neighbours().slots();
  std::vector<BodyRows*> rows{&states.present.body, &states.current_rate.body};
  for (State* memory : states.whole_memories(slots))
    if (memory) rows.push_back(&memory->body);
  const std::size_t length = 1 + rows.size() * BodyRows::stride;  // behind a number that tells who goes on
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
      *to++ = done_[i];
      for (const BodyRows* of_state : rows) to = std::copy_n(of_state->entry(i), BodyRows::stride, to);
    }
    all.push_back({links[l].rank, of.sent, of.received});
  }
  parts_.domain.ranks().swap(all);
  for (Shared& of : shared_) {
    if (!swaps(of)) continue;
    const Real* from = of.received.data();
    of.other_goes_on = *from++ != 0;
    for (const int i : of.receives) {
      done_[i] = static_cast<int>(*from++);
      for (BodyRows* of_state : rows) std::copy_n(from, BodyRows::stride, of_state->entry(i)), from += BodyRows::stride;
    }
  }
  goes_on_here_ = !left_.empty();
}

}  // namespace cairn
