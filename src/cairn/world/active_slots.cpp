#include "cairn/world/active_slots.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/parallel.hpp"
#include "cairn/core/prefetch.hpp"

namespace cairn {
namespace {

constexpr int grains_at_once = NeighbourList::largest_group;
constexpr std::size_t few_moves = 16;  // left to one thread
// What a bound on the change of a velocity is shared by: it is so many times what forces, or jumps, may change.
constexpr Real for_jumps = 0.25, for_forces = 1 / (1 - for_jumps);

}  // namespace

void ActiveSlots::update(const Need& need, Slots slots, const Particles& grains, const WorldSettings& settings) {
  if (sweep_threads_ != settings.threads) arrange(slots, grains, settings);
  const bool present = &need.y == &slots.states.present;
  if (present && accelerations_.empty()) expect(slots.states.current_rate.body, grains.size());
  const SlotLook look{.y = &need.y,
                      .grains = &grains,
                      .constants = need.constants,
                      .cell = settings.cell,
                      .pairs = slots.list.pairs.data(),
                      .phases = slots.fields.phase.values.data(),
                      .sustains = settings.onset,
                      .drift = need.drift,
                      .relaxes = need.close,
                      .rolls = settings.rolls(),
                      .skip_until = present ? skip_until_.data() : nullptr,
                      .accelerations = accelerations_.data(),
                      .clock = clock_};
  const int at_once = sweep_.block_of(grains_at_once);  // blocks
  moves_.resize((sweep_.blocks() + at_once - 1) / at_once);
  for_blocks(
      sweep_.threads(), sweep_.blocks(), at_once,
      [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t at) {
        Moves& moves = moves_[at];
        moves.retire.clear(), moves.activate.clear(), moves.touching.clear();
        for (int b = static_cast<int>(begin); b < end; ++b)
          look_at_slots(settings.simd, look, sweep_.first_slot(b), sweep_.end_of_active(b), sweep_.first_slot(b + 1),
                        moves);
        find_exchanges(moves, static_cast<int>(begin), static_cast<int>(end));
        carry_out(moves, slots);
      },
      sweep_.block_of(serial_below));
  std::size_t moves = 0;
  for (const Moves& of : moves_) moves += of.retire.size() + of.activate.size();
  const int threads = moves < few_moves ? 1 : sweep_.threads();
  on_threads(threads, [&](int thread) {  // each those grains that it will sum
    const auto each_change = [&](auto&& what) {
      for (const Moves& of : moves_)
        for (const Sweep::Change& change : of.changes)
          if (threads == 1 || sweep_.thread_of(sweep_.block_of(change.grain)) == thread) what(change);
    };
    each_change([&](const Sweep::Change& of) { sweep_.fetch(of); });
    each_change([&](const Sweep::Change& of) { sweep_.make(of, slots.list); });
  });
}

std::vector<int> ActiveSlots::touching() const {
  std::vector<int> slots;
  for (const SlotMoves& of : moves_) slots.insert(slots.end(), of.touching.begin(), of.touching.end());
  return slots;
}

template <class F>
void ActiveSlots::each_array(Slots slots, F&& f) {
  const auto count = static_cast<std::size_t>(slots.list.slots());
  slots.fields.for_each_field([&](auto& field) {
    if (field.values.size() == count) f(field.values.data());
  });
  slots.states.for_each([&](State& y) {
    if (static_cast<std::size_t>(y.bond.size()) != count) return;
    for (int row = 0; row < y.bond.rows(); ++row) f(y.bond.row(row));
  });
  f(skip_until_.data());
}

// A slot that becomes active takes the place of one of its block that retires. Where no more retire it goes to the end
// of the active ones; where no more become active, those that retire go behind the end.
void ActiveSlots::find_exchanges(Moves& moves, int first_block, int last_block) const {
  moves.exchanges.clear();
  auto retire = moves.retire.cbegin(), activate = moves.activate.cbegin();
  for (int b = first_block; b < last_block; ++b) {
    const int last = sweep_.first_slot(b + 1);
    const auto end_of = [&](auto at, const std::vector<int>& all) { return std::lower_bound(at, all.end(), last); };
    const auto end_retire = end_of(retire, moves.retire), end_activate = end_of(activate, moves.activate);
    while (retire != end_retire && activate != end_activate) moves.exchanges.push_back({*retire++, *activate++, 0});
    int end = sweep_.end_of_active(b);
    for (auto k = end_retire; k != retire;) moves.exchanges.push_back({*--k, --end, -1});
    while (activate != end_activate) moves.exchanges.push_back({*activate++, end++, 1});
    retire = end_retire;
  }
}

// Blocks have slots of their own, and each of these its own entries in the list. What is exchanged stands anywhere in
// memory: all is fetched before the first exchange.
void ActiveSlots::carry_out(Moves& moves, Slots slots) {
  const NeighbourList& list = slots.list;
  const auto each_grain = [&](auto&& what) {
    for (const auto& [slot, with, by] : moves.exchanges)
      for (const int of : {slot, with}) what(list.pairs[of].first), what(list.pairs[of].second);
  };
  each_grain([&](int grain) { prefetch(&list.first[grain]); });
  each_array(slots, [&](const auto* values) {
    for (const auto& [slot, with, by] : moves.exchanges) prefetch(values + slot), prefetch(values + with);
  });
  each_grain([&](int grain) { prefetch(&list.contacts[list.first[grain]]); });
  moves.changes.clear();
  for (const auto& [slot, with, by] : moves.exchanges)
    for (const int side : {0, 1}) {
      moves.changes.push_back(sweep_.change_of(list, slot, side));
      if (by == 0) moves.changes.push_back(sweep_.change_of(list, with, side));
    }
  for (const auto& [slot, with, by] : moves.exchanges) {
    exchange(slots, slot, with);
    for (int& of : moves.touching) of = of == slot ? with : of == with ? slot : of;
    sweep_.add_active(sweep_.block_of(list.pairs[slot].first), by);
  }
}

void ActiveSlots::arrange(Slots slots, const Particles& grains, const WorldSettings& settings) {
  const int threads = settings.threads;
  sweep_.arrange(slots.list, grains, threads, row_length_of(settings.rolls()));
  sweep_threads_ = threads;
  const auto closed = [&](int slot) { return slots.fields.phase[slot] != Phase::open; };
  for_blocks(
      sweep_.threads(), sweep_.blocks(), 1,
      [&](std::ptrdiff_t at, std::ptrdiff_t, std::ptrdiff_t) {
        const int b = static_cast<int>(at), first = sweep_.first_slot(b);
        int low = first, high = sweep_.first_slot(b + 1);
        while (true) {
          while (low < high && closed(low)) ++low;
          while (low < high && !closed(high - 1)) --high;
          if (low == high) break;
          exchange(slots, low, high - 1);
        }
        sweep_.add_active(b, low - first);
      },
      0);
  for_blocks(threads, grains.size(), combine_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    sweep_.find_sources(slots.list, static_cast<int>(begin), static_cast<int>(end));
  });
}

// A grain that is hit is soon accelerated a hundred times as much as most others. So each has a bound of its own: one
// for all would have to be that of the hardest hit, and nearly all slots would be looked at much too often.
void ActiveSlots::expect(const BodyRows& rate, int grains) {
  constexpr Real room = 2;               // for accelerations to grow
  accelerations_.assign(grains + 3, 0);  // KickDrift takes four at a time
  const int known = std::min(grains, rate.size());
  std::vector<Real> sums((known + combine_block - 1) / combine_block, 0);
  for_blocks(sweep_threads_, known, combine_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    for (auto i = begin; i < end; ++i) {
      const Real acceleration = norm(rate.at(BodyRow::v, i));
      accelerations_[i] = static_cast<float>(acceleration), sums[b] += acceleration;
    }
  });
  const auto mean = static_cast<float>(std::accumulate(sums.begin(), sums.end(), 0.0) / std::max(1, grains));
  for (float& of : accelerations_) of = static_cast<float>(room * for_forces * kicks_) * std::max(of, mean);
}

AccelerationBounds ActiveSlots::expected(const BodyRows& rate, Real kicks, Real drift) {
  const Real length = std::fabs(drift), times = kicks / length;
  const bool back = drift < 0;
  const bool usual = shortest_ <= length && length <= clock_.drift && times <= kicks_ && (clock_.reverses || !back);
  if (!usual) {
    shortest_ = shortest_ > 0 ? std::min(shortest_, length) : length;
    clock_.drift = std::max(clock_.drift, length), kicks_ = std::max(kicks_, times);
    clock_.reverses = clock_.reverses || back;
    skip_none(static_cast<int>(skip_until_.size()));
  }
  if (accelerations_.empty()) expect(rate, rate.size());
  return {accelerations_.data(), for_forces * kicks_};
}

void ActiveSlots::drifted(const NeighbourList& list, Real drift, std::span<const GrainScan::Accelerated> accelerated) {
  constexpr float room = 4;  // a grain that is hit soon has a larger acceleration
  // These grains stand anywhere in memory.
  for (const auto& of : accelerated) prefetch(&list.first[of.grain]), prefetch(&accelerations_[of.grain]);
  for (const auto& of : accelerated) prefetch(&list.contacts[list.first[of.grain]]);
  for (const auto& [grain, acceleration] : accelerated) {
    accelerations_[grain] = room * static_cast<float>(acceleration);
    look_at_slots_of(list, grain);
  }
  clock_.now += std::fabs(drift);
}

void ActiveSlots::look_at_slots_of(const NeighbourList& list, int grain) {
  for (int e = list.first[grain]; e < list.first[grain + 1]; ++e)
    if (const auto slot = static_cast<std::size_t>(list.contacts[e] >> 1); slot < list.pairs.size())
      skip_until_[slot] = -1;
}

// A shift is as far as the grain would have come by another kick before the next drift.
bool ActiveSlots::foresees_jump(int grain, Real kick, Real shift) const {
  return accelerations_.empty() || kick + shift / shortest_ <= for_jumps * accelerations_[grain] * shortest_;
}

bool ActiveSlots::foresees_replaced(int grain, Real acceleration) const {
  return accelerations_.empty() || for_forces * kicks_ * acceleration <= accelerations_[grain];
}

void ActiveSlots::exchange(Slots slots, int a, int b) {
  if (a == b) return;
  slots.list.exchange(a, b);
  sweep_.exchange(a, b);
  each_array(slots, [&](auto* values) { std::swap(values[a], values[b]); });
}

}  // namespace cairn
