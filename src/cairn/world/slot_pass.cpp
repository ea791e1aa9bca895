// Which contacts may exert a force. Compiled once per instruction set (core/simd.hpp).
#include "cairn/world/slot_pass.hpp"

#include <bit>
#include <cstring>

#include "cairn/contact/kernels/packs.hpp"
#include "cairn/core/prefetch.hpp"

namespace cairn {
namespace {

// [s] Until then two grains whose surfaces are `gap` apart, and approach each other at such a rate, cannot touch. The
// straight line that they would fly on comes no closer than approach t; each of the two may deviate from its line by
// half of its acceleration times t (t + drift), both by a t (t + drift). The result is a little too early, for
// rounding.
Lanes time_of_touch(const SkipClock& clock, const Lanes& gap, const Lanes& approach, const Lanes& a) {
  const Lanes zero = 0.0, b = approach + a * clock.drift;
  const Lanes root = sqrt(select(gap > zero, b * b + (4.0 * a) * gap, b * b));
  const Lanes t = select(b > zero, (2.0 * gap) / (b + root), (0.5 / a) * (root - b));
  return (1 - 2e-7) * (clock.now + (1 - 1e-6) * select(gap > zero && t > zero, t, zero));
}

// Appends to `moves` those of so many slots that must be active, or those that need not; to `touching` as SlotMoves has
// it.
CAIRN_FLATTEN __attribute__((noinline)) void look(const SlotLook& how, int* slots, int count, bool active,
                                                  std::vector<int>& moves, std::vector<int>& touching) {
  if (count == 0) return;
  for (int k = count; k % lane_count != 0; ++k) slots[k] = slots[count - 1];
  const SlabRows<3> xi(how.y->bond);
  const Real* radius = how.grains->radius.data();
  for (int k = 0; k < count; ++k)  // grains stand anywhere
    for (const int i : {how.pairs[slots[k]].first, how.pairs[slots[k]].second}) {
      prefetch(how.y->body.positions.entry(i)), prefetch(how.y->body.velocities.entry(i));
      if (how.skip_until) prefetch(&how.accelerations[i]);
    }
  for (int k = 0; k < count; k += lane_count) {
    const PackSlots of{0, slots + k};
    const auto first = [&](int l) { return how.pairs[of[l]].first; };
    const auto second = [&](int l) { return how.pairs[of[l]].second; };
    const GrainEntries entries_i(how.y->body, [&](int l) { return GrainEntries::offset_of(first(l)); }),
        entries_j(how.y->body, [&](int l) { return GrainEntries::offset_of(second(l)); });
    const GrainEntries::Columns i = entries_i.at(BodyRow::x), j = entries_j.at(BodyRow::x);
    const Vec3<Lanes> d = j.vector() - i.vector();
    Lanes reach = i.fourth() + j.fourth();
    if (!how.constants) {
      const Grains grains(how.pairs, of);
      reach = GatherIndex(grains.first).of(radius) + GatherIndex(grains.second).of(radius);
    }
    const Vec3<Lanes> nearest = d - how.cell.image(d);
    const Lanes distance = sqrt(dot(nearest, nearest)), gap = distance - reach;
    const Lanes clear = gap - 1e-9 * reach;  // by more than rounding
    Lanes approach = 0.0, until = -1.0;
    if (how.skip_until || how.drift != 0) {
      const Vec3<Lanes> relative = GrainEntries::difference(entries_i, entries_j, BodyRow::v).vector();
      approach = dot(relative, nearest) / distance;
    }
    if (how.skip_until) {
      Real mean[lane_count];
      unrolled<lane_count>(
          [&](auto l) { mean[l] = 0.5f * (how.accelerations[first(l)] + how.accelerations[second(l)]); });
      until = time_of_touch(how.clock, clear, how.clock.reverses ? abs(approach) : approach, load(mean));
    }
    const unsigned valid = count - k < lane_count ? (1u << (count - k)) - 1 : all_lanes;
    const auto append = [&](unsigned which, std::vector<int>& to) {
      for (which &= valid; which != 0; which &= which - 1) to.push_back(slots[k + std::countr_zero(which)]);
    };
    Mask must;
    if (how.sustains) {
      const Mask open = mask_of(of.phases(how.phases) == static_cast<int>(Phase::open));
      append(lanes_of(gap < 0.0 && open), touching);
      must = !open;
    } else {
      // The gap has grown by at most this much: along a straight way a distance is convex.
      const Lanes grown = -how.drift * approach;
      must = gap < 0.0 || (grown > 0.0 && clear < grown);
      const Vec3<Lanes> spring = xi.of(of, 0);
      Mask stretched = dot(spring, spring) > 0;
      if (how.rolls) {
        const Vec3<Lanes> chi = SlabRows<3>(how.y->bond, BondRow::chi).of(of, 0);
        stretched = stretched || dot(chi, chi) > 0;
      }
      if (how.relaxes) must = must || stretched;
      until = select(stretched, Lanes(-1.0), until);
    }
    if (how.skip_until)  // repeats write the same
      unrolled<lane_count>([&](auto l) { how.skip_until[slots[k + l]] = static_cast<float>(until[l]); });
    append((active ? ~lanes_of(must) : lanes_of(must)) & all_lanes, moves);
  }
}

// Slots that are looked at together.
class Asked {
 public:
  Asked(const SlotLook& how, bool active, std::vector<int>& moves, std::vector<int>& touching)
      : how_(how), active_(active), moves_(moves), touching_(touching) {}
  ~Asked() { look(how_, slots_, count_, active_, moves_, touching_); }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  void add(int slot) { slots_[count_++] = slot, look_if_full(); }
  // Those of slots [slot, slot + 8) whose time has come.
  void add_due(int slot, float now) {
    count_ += list_at_most(how_.skip_until + slot, now, slot, slots_ + count_);
    look_if_full();
  }

 private:
  static constexpr int most = 256;
  void look_if_full() {
    if (count_ < most) return;
    look(how_, slots_, count_, active_, moves_, touching_);
    count_ = 0;
  }
  const SlotLook& how_;
  const bool active_;
  std::vector<int>&moves_, &touching_;
  int slots_[most + 16], count_ = 0;  // with room for what comes at a time, and for a last pack
};

}  // namespace

CAIRN_FLATTEN void CAIRN_ENTRY(look_at_slots_, CAIRN_SIMD)(const SlotLook& how, int first, int middle, int last,
                                                           SlotMoves& moves) {
  if (how.skip_until) {
    Asked open(how, true, moves.retire, moves.touching);  // few are
    for (const Phase *begin = how.phases, *at = begin + first, *last = begin + middle;
         at < last && (at = static_cast<const Phase*>(std::memchr(at, static_cast<int>(Phase::open), last - at)));)
      open.add(static_cast<int>(at++ - begin));
  }
  int slot = middle;
  if (!how.skip_until && how.sustains) {
    for (; slot < last; ++slot)
      if (how.phases[slot] != Phase::open) moves.activate.push_back(slot);
    return;
  }
  Asked due(how, false, moves.activate, moves.touching);
  if (!how.skip_until) {
    for (; slot < last; ++slot) due.add(slot);
    return;
  }
  const auto now = static_cast<float>((1 + 1e-7) * how.clock.now);
  for (; slot + 8 <= last; slot += 8) due.add_due(slot, now);
  for (; slot < last; ++slot)
    if (how.skip_until[slot] <= now) due.add(slot);
}

}  // namespace cairn
