// Contacts in packs of eight: what the passes over those between grains and those with walls have in common. For files
// compiled once per instruction set.
#pragma once
#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/lanes.hpp"

namespace cairn {
inline namespace CAIRN_SIMD {

// Eight slots: in a row or, mostly ascending, listed.
struct PackSlots {
  int first;
  const int* listed = nullptr;

  int operator[](int lane) const { return listed ? listed[lane] : first + lane; }
  Lanes of(const Real* row) const { return listed ? GatherIndex(load_ints(listed)).of(row) : load(row + first); }
  void put(Real* row, const Lanes& a) const {
    if (listed)
      GatherIndex(load_ints(listed)).put(row, a);
    else
      store(row + first, a);
  }
  Ints phases(const Phase* phases) const {
    unsigned char of[lane_count];
    if (listed)
      for (int l = 0; l < lane_count; ++l) of[l] = static_cast<unsigned char>(phases[listed[l]]);
    return load_bytes(listed ? of : reinterpret_cast<const unsigned char*>(phases + first));
  }
};

// Rows of a slab, found once.
template <int count>
struct SlabRows {
  const Real* row[count];

  explicit SlabRows(const Slab& slab, int first = 0) {
    for (int k = 0; k < count; ++k) row[k] = slab.row(first + k);
  }
  template <class P>
  Vec3<Lanes> of(const P& places, int first) const {
    return {places.of(row[first]), places.of(row[first + 1]), places.of(row[first + 2])};
  }
};

// Where springs, or their rates, go; nowhere without a state.
struct SpringRows {
  Real* row[3] = {};

  explicit SpringRows(State* to, int first = BondRow::xi) {
    for (int k = 0; to && k < 3; ++k) row[k] = to->bond.row(first + k);
  }
  void put(const PackSlots& slots, const Vec3<Lanes>& a) const {
    if (row[0]) slots.put(row[0], a.x), slots.put(row[1], a.y), slots.put(row[2], a.z);
  }
};

// Contacts to compute: slots in a row from `first` on with their rows in a row from `first_row` on, then listed ones
// with theirs. If there are any of those, the ones in a row fill packs.
struct SlotSelection {
  int first = 0, first_row = 0, in_row = 0;
  int listed = 0;
  int *slots = nullptr, *rows = nullptr;

  int count() const { return in_row + listed; }
  int slot(int k) const { return k < in_row ? first + k : slots[k - in_row]; }
  int row(int k) const { return k < in_row ? first_row + k : rows[k - in_row]; }
};

// Eight of them: their slots, the rows they go to, in a row or listed, and which of them are not repeats.
struct Pack {
  PackSlots slots;
  int first_row;
  const int* rows;
  unsigned valid;

  void put_rows(Lanes* of, Real* to, int stride) const {
    transpose(of);
    for (int l = 0; l < lane_count; ++l)
      store(to + static_cast<std::ptrdiff_t>(rows ? rows[l] : first_row + l) * stride, of[l]);
  }
};

// What does not fill a pack is listed, the last again and again: repeats write the same.
class Packs {
 public:
  explicit Packs(const SlotSelection& of) : of_(of) {
    for (int l = 0; l < lane_count; ++l) {
      const int k = std::min(of.count() / lane_count * lane_count + l, of.count() - 1);
      last_slots_[l] = of.slot(k), last_rows_[l] = of.row(k);
    }
  }
  int count() const { return (of_.count() + lane_count - 1) / lane_count; }
  Pack operator[](int p) const {
    const int at = p * lane_count, left = of_.count() - at, listed = at - of_.in_row;
    if (left < lane_count) return {{0, last_slots_}, 0, last_rows_, (1u << left) - 1};
    if (listed >= 0) return {{0, of_.slots + listed}, 0, of_.rows + listed, all_lanes};
    return {{of_.first + at}, of_.first_row + at, nullptr, all_lanes};
  }

 private:
  SlotSelection of_;
  int last_slots_[lane_count], last_rows_[lane_count];
};

// What contacts were when the step began.
struct PhaseMask {
  Mask open, pressing;

  PhaseMask() = default;
  PhaseMask(const PackSlots& slots, const Phase* of) {
    const Ints phases = slots.phases(of);
    open = mask_of(phases == static_cast<int>(Phase::open));
    pressing = mask_of(phases == static_cast<int>(Phase::pressing));
  }
  // As the law is to see it: where contacts keep their phases an open one stays so, whatever its overlap.
  ContactKinematics<Lanes> keep(bool sustains, ContactKinematics<Lanes> kinematics) const {
    if (!sustains) return kinematics;
    kinematics.overlap = select(open, Lanes(0.0), kinematics.overlap);
    kinematics.sustained = pressing;
    return kinematics;
  }
  // The same for a law that may see how fast the contact began.
  template <class Law>
  ContactKinematics<Lanes> seen(bool sustains, ContactKinematics<Lanes> kinematics,
                                [[maybe_unused]] const PackSlots& slots,
                                [[maybe_unused]] const Real* onset_speeds) const {
    if constexpr (Law::sees_onset_speed) kinematics.onset_speed = slots.of(onset_speeds);
    return keep(sustains, kinematics);
  }
  // Those whose phase would now be another.
  void record_phase_changes(bool sustains, const Lanes& overlap, const Mask& presses, const Pack& pack,
                            std::vector<int>* changed_phase) const {
    const unsigned closed = lanes_of(in_contact(overlap)), press = sustains ? closed & lanes_of(presses) : closed;
    const unsigned which = pack.valid & ((lanes_of(open) ^ (~closed & all_lanes)) | (lanes_of(pressing) ^ press));
    if (which == 0 || !changed_phase) return;
    for (int l = 0; l < lane_count; ++l)
      if (which >> l & 1) changed_phase->push_back(pack.slots[l]);
  }
};

inline void sum(const Pack& pack, Lanes& to, const Lanes& a) {
  to = to + (pack.valid == all_lanes ? a : select(mask_of(pack.valid), a, Lanes(0.0)));
}

// Sums of what contacts do, lane by lane.
class Tally {
 public:
  void add(const Pack& pack, const ContactResult<Lanes>& o) {
    sum(pack, power_.dashpot, o.power.dashpot), sum(pack, power_.slip, o.power.slip);
    sum(pack, power_.clip, o.power.clip), sum(pack, slip_cut_, o.slip_cut), sum(pack, released_, o.released);
  }
  void add_brought(const Pack& pack, const Lanes& power) { sum(pack, brought_, power); }  // [W] by walls
  void hand_over(ContactSums& sums) const {
    for (int l = 0; l < lane_count; ++l) {
      cairn::add(sums.power, {power_.dashpot[l], power_.slip[l], power_.clip[l]});
      sums.slip_cut += slip_cut_[l], sums.released += released_[l], sums.power[Channel::external] += brought_[l];
    }
  }

 private:
  Powers<Lanes> power_{};
  Lanes slip_cut_, released_, brought_;
};

}  // namespace CAIRN_SIMD
}  // namespace cairn
