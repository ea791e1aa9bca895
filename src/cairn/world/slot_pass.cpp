// Which contacts may exert a force. Compiled once per instruction set (core/simd.hpp).
#include "cairn/world/slot_pass.hpp"

#include <bit>

#include "cairn/contact/kernels/packs.hpp"

namespace cairn {
namespace {

constexpr int most_asked = 256;  // slots that are looked at together

// Appends to `moves` those of so many slots that must be active, or those that need not.
void look(const SlotLook& how, int* slots, int count, bool active, std::vector<int>& moves) {
  if (count == 0) return;
  for (int k = count; k % lane_count != 0; ++k) slots[k] = slots[count - 1];
  const SlabRows<3> x(how.y->body), xi(how.y->bond);
  const Real* radius = how.grains->radius.data();
  for (int k = 0; k < count; k += lane_count) {
    const PackSlots of{0, slots + k};
    int ends[2 * lane_count];
    for (int l = 0; l < lane_count; ++l) std::memcpy(ends + 2 * l, how.pairs + of[l], sizeof(Pair));
    Vec3<Lanes> d;
    Lanes reach;
    if (how.grain_rows) {
      GrainColumns first([&](int l) { return how.grain_rows + std::ptrdiff_t{GrainRow::length} * ends[2 * l]; });
      GrainColumns second([&](int l) { return how.grain_rows + std::ptrdiff_t{GrainRow::length} * ends[2 * l + 1]; });
      first.load_four<GrainRow::x>(), second.load_four<GrainRow::x>();
      d = second.vector(GrainRow::x) - first.vector(GrainRow::x);
      reach = first[GrainRow::radius] + second[GrainRow::radius];
    } else {
      Ints i, j;
      take_apart(load_ints(ends), load_ints(ends + lane_count), i, j);
      const GatherIndex first(i), second(j);
      d = x.of(second, 0) - x.of(first, 0), reach = first.of(radius) + second.of(radius);
    }
    const Vec3<Lanes> nearest = d - how.cell.image(d);
    const Lanes gap = sqrt(dot(nearest, nearest)) - reach;
    Mask must = gap < how.margin;
    // Less than the rounding of these numbers, and of positions, might amount to.
    Lanes until = Lanes(1 - 1e-6) * (how.path_bound + 0.5 * gap) - 1e-9 * reach;
    if (how.relaxes) {
      const Vec3<Lanes> spring = xi.of(of, 0);
      Mask stretched = dot(spring, spring) > 0;
      if (how.rolls) {
        const Vec3<Lanes> chi = SlabRows<3>(how.y->bond, BondRow::chi).of(of, 0);
        stretched = stretched || dot(chi, chi) > 0;
      }
      must = must || stretched;
      until = select(stretched, Lanes(-1.0), until);
    }
    if (how.skip_until)  // repeats write the same
      unrolled<lane_count>([&](auto l) { how.skip_until[slots[k + l]] = static_cast<float>(until[l]); });
    unsigned move = (active ? ~lanes_of(must) : lanes_of(must)) & all_lanes;
    if (count - k < lane_count) move &= (1u << (count - k)) - 1;
    for (; move != 0; move &= move - 1) moves.push_back(slots[k + std::countr_zero(move)]);
  }
}

// The same for those of slots [begin, end) that asked(slot, some) has a bit for, `some` at a time.
template <class Asked>
void look_at_asked(const SlotLook& how, int begin, int end, bool active, Asked&& asked, std::vector<int>& moves) {
  int slots[most_asked + 2 * lane_count], count = 0;
  for (int slot = begin; slot < end; slot += lane_count) {
    const int some = std::min(lane_count, end - slot);
    for (unsigned lanes = asked(slot, some); lanes != 0; lanes &= lanes - 1)
      slots[count++] = slot + std::countr_zero(lanes);
    if (count < most_asked) continue;
    look(how, slots, count, active, moves);
    count = 0;
  }
  look(how, slots, count, active, moves);
}

}  // namespace

CAIRN_FLATTEN void CAIRN_ENTRY(look_at_slots_, CAIRN_SIMD)(const SlotLook& how, int first, int middle, int last,
                                                           SlotMoves& moves) {
  const auto open = [&](int slot, int some) {
    if (some == lane_count)
      return lanes_of(mask_of(PackSlots{slot}.phases(how.phases) == static_cast<int>(Phase::open)));
    unsigned lanes = 0;
    for (int l = 0; l < some; ++l) lanes |= static_cast<unsigned>(how.phases[slot + l] == Phase::open) << l;
    return lanes;
  };
  if (how.skip_until) look_at_asked(how, first, middle, true, open, moves.retire);
  const auto now = static_cast<float>(how.path_bound + 0.5 * how.margin);
  const auto due = [&](int slot, int some) {
    if (!how.skip_until) return (1u << some) - 1;
    if (some == lane_count) return lanes_of(mask_of(load_floats(how.skip_until + slot) <= now));
    unsigned lanes = 0;
    for (int l = 0; l < some; ++l) lanes |= static_cast<unsigned>(how.skip_until[slot + l] <= now) << l;
    return lanes;
  };
  look_at_asked(how, middle, last, false, due, moves.activate);
}

}  // namespace cairn
