// Contacts in packs, one a lane: what the passes over those between grains and those with walls have in common. For
// files compiled once per instruction set.
#pragma once
#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/lanes.hpp"

namespace cairn {
inline namespace CAIRN_SIMD {

// The slots of a pack: in a row or, mostly ascending, listed.
struct PackSlots {
  std::ptrdiff_t first;
  const int* listed = nullptr;

  std::ptrdiff_t operator[](int lane) const { return listed ? listed[lane] : first + lane; }
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
  bool all(const Phase* phases, Phase phase) const {
    Phase of[lane_count], wanted[lane_count];
    for (int l = 0; l < lane_count; ++l) of[l] = phases[(*this)[l]], wanted[l] = phase;
    return std::memcmp(of, wanted, sizeof of) == 0;
  }
};

// The grains of a pack. Slots mostly follow their first grain in memory, whatever its id: near ones share it or have
// its neighbours, so that its numbers stand close together.
struct Grains {
  Ints first, second;

  Grains(const Pair* pairs, const PackSlots& slots) {
    int ends[2 * lane_count];
    if (slots.listed)
      for (int l = 0; l < lane_count; ++l) std::memcpy(ends + 2 * l, pairs + slots.listed[l], sizeof(Pair));
    const int* from = slots.listed ? ends : &pairs[slots.first].first;
    take_apart(load_ints(from), load_ints(from + lane_count), first, second);
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

// What BodyRows has of some grains, one grain a lane.
class GrainEntries {
 public:
  // [Reals] from the velocities of the first grain to those of another; positions stand half as far apart.
  static unsigned offset_of(int grain) { return VectorRows<2>::stride * static_cast<unsigned>(grain); }

  // Those of lane l begin at offset(l).
  template <class Offset>
  requires std::invocable<Offset, int> GrainEntries(const BodyRows& of, Offset&& offset)
      : GrainEntries(of.positions.entry(0), of.velocities.entry(0), offset) {}
  template <class Offset>
  requires std::invocable<Offset, int> GrainEntries(const Real* positions, const Real* velocities, Offset&& offset)
      : positions_(positions), velocities_(velocities) {
    unrolled<lane_count>([&](auto l) { offset_[l] = offset(l); });
  }
  GrainEntries(const BodyRows& of, const Ints& grains)
      : GrainEntries(of, [&](int l) { return offset_of(grains[l]); }) {}

  // A vector, and its fourth number.
  struct Columns {
    Lanes column[4];

    Vec3<Lanes> vector() const { return {column[0], column[1], column[2]}; }
    const Lanes& fourth() const { return column[3]; }
  };
  Columns at(int row) const {
    Columns c;
    columns_of_quads([&](auto l) { return load_quad(place(l, row)); }, c.column);
    return c;
  }
  // The vectors of `a` less those of `b`, subtracted before they are transposed.
  static Columns difference(const GrainEntries& a, const GrainEntries& b, int row) {
    Columns c;
    columns_of_quads([&](auto l) { return load_quad(a.place(l, row)) - load_quad(b.place(l, row)); }, c.column);
    return c;
  }
  // The sums of both, fourth numbers too.
  static Columns sum(const GrainEntries& a, const GrainEntries& b, int row) {
    Columns c;
    columns_of_quads([&](auto l) { return load_quad(a.place(l, row)) + load_quad(b.place(l, row)); }, c.column);
    return c;
  }
  // [m] Where World keeps them.
  Lanes radii() const {
    Lanes::Part r;
    unrolled<lane_count>([&](int l) { r[l] = place(l, BodyRow::x)[BodyRows::radius_place]; });
    return r;
  }
  // The same grains in another BodyRows.
  GrainEntries in(const Real* positions, const Real* velocities) const {
    return {positions, velocities, [&](int l) { return offset_[l]; }};
  }
  Vec3<Lanes> vector(int row) const { return at(row).vector(); }
  BodyMotion<Lanes> motion() const { return {vector(BodyRow::x), vector(BodyRow::v), vector(BodyRow::w)}; }

 private:
  // In bytes, as the processor scales an index.
  const Real* place(int l, int row) const {
    const std::size_t offset = offset_[l];
    const char* const from = reinterpret_cast<const char*>(row < BodyRow::v ? positions_ : velocities_);
    const std::size_t scale = sizeof(Real) / (row < BodyRow::v ? 2 : 1);
    return reinterpret_cast<const Real*>(from + scale * offset) + (row == BodyRow::w ? BodyRows::spin_place : 0);
  }

  const Real *positions_, *velocities_;
  unsigned offset_[lane_count];
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

// Contacts to compute: so many slots from `first` on or, if there is a list, those listed; and where their rows begin.
struct SlotSelection {
  int count, first;
  const int *slots, *rows;

  int slot(int k) const { return slots ? slots[k] : first + k; }
};

// A pack of them; `valid` are those that are not repeats.
struct Pack {
  PackSlots slots;
  const int* rows;
  unsigned valid;

  void put_rows(Lanes* of, Real* to) const {
    store_as_rows<row_length>(of, [&](int l) { return to + rows[l]; });
  }
};

// What does not fill a pack is listed, the last again and again: repeats write the same.
class Packs {
 public:
  explicit Packs(const SlotSelection& of) : of_(of) {
    for (int l = 0; l < lane_count; ++l) {
      const int k = std::min(of.count / lane_count * lane_count + l, of.count - 1);
      last_slots_[l] = of.slot(k), last_rows_[l] = of.rows[k];
    }
  }
  int count() const { return (of_.count + lane_count - 1) / lane_count; }
  Pack operator[](int p) const {
    const int at = p * lane_count, left = of_.count - at;
    if (left < lane_count) return {{0, last_slots_}, last_rows_, (1u << left) - 1};
    return {of_.slots ? PackSlots{0, of_.slots + at} : PackSlots{of_.first + at}, of_.rows + at, all_lanes};
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
  // Those whose phase would now be another, and springs, as the drift left them, of those that press no more.
  void record_phase_changes(const ContactTables& t, const Lanes& overlap, const Mask& presses, const PackSlots& slots,
                            unsigned valid, const Vec3<Lanes>& trial) const {
    const bool sustains = t.sustains;
    const unsigned closed = lanes_of(in_contact(overlap)), press = sustains ? closed & lanes_of(presses) : closed;
    const unsigned which = valid & ((lanes_of(open) ^ (~closed & all_lanes)) | (lanes_of(pressing) ^ press));
    if (which == 0 || !t.changed_phase) return;
    const unsigned ended = which & lanes_of(pressing);
    for (int l = 0; l < lane_count; ++l)
      if (which >> l & 1) {
        const int slot = static_cast<int>(slots[l]);
        t.changed_phase->push_back(slot);
        if (t.trials && (ended >> l & 1)) t.trials->push_back({slot, {trial.x[l], trial.y[l], trial.z[l]}});
      }
  }
};

constexpr int batch_packs = 64 / lane_count;  // that a pass takes at once

// Reproducible sums of `count` terms of each contact that share their bins: ReproducibleSum::add(), lane by lane. They
// do not notice a NaN; the energies do.
template <int count>
class LaneSums {
  static constexpr int folds = PartialSums::folds;
  static_assert(folds == 2 && 2 * pass_contacts <= Bins::exact_terms);  // a contact may have a zero beside its term
  typedef unsigned long long Multiples __attribute__((vector_size(8 * lane_count)));  // modulo 2^64

 public:
  explicit LaneSums(std::array<ReproducibleSum*, count> to) : to_(to) { start(to[0]->top()); }

  // Comes before terms whose absolute values are at most `largest`; one of them has that value.
  void make_room(const Lanes& largest) {
    if (any(!(largest < Lanes(limit_)))) raise(Lanes(largest));  // a copy, or each `largest` would go to memory
  }
  // One term of each contact of the packs; term_of(k) is that of pack k.
  template <class TermOf>
  void add(int which, int packs, TermOf&& term_of) {
    terms_[which] += packs;
    const Lanes::Part shift = Lanes::all(shift_[0]), low_shift = Lanes::all(shift_[1]);
    Multiples sums[folds] = {sums_[which][0], sums_[which][1]};
    for (int k = 0; k < packs; ++k) {
      const Lanes::Part term = term_of(k).part, high = term + shift;
      sums[0] += reinterpret_cast<Multiples>(high);
      sums[1] += reinterpret_cast<Multiples>((term - (high - shift)) + low_shift);
    }
    for (int f = 0; f < folds; ++f) sums_[which][f] = sums[f];
  }
  void add(int which, const Lanes& term) {
    add(which, 1, [&](int) -> const Lanes& { return term; });
  }
  void hand_over() const {
    for (int k = 0; k < count; ++k) {
      to_[k]->raise(top_);
      if (terms_[k] == 0) continue;
      std::uint64_t sums[folds] = {};
      for (int f = 0; f < folds; ++f)
        for (int l = 0; l < lane_count; ++l) sums[f] += sums_[k][f][l];
      to_[k]->add_shifted(top_, sums, lane_count * terms_[k]);
    }
  }

 private:
  void start(int top) {
    top_ = top, limit_ = Bins::limit(top);
    for (int f = 0; f < folds; ++f) shift_[f] = Bins::shift(top - f);
    std::memset(sums_, 0, sizeof sums_);
    for (int& terms : terms_) terms = 0;
  }
  __attribute__((noinline)) void raise(const Lanes& largest) {
    int top = top_;
    bool finite = true;
    for (int l = 0; l < lane_count; ++l) {
      const int lane_top = Bins::of(largest[l]);
      if (lane_top > top) top = lane_top;
      finite = finite && largest[l] < Bins::limit(lane_top);
    }
    hand_over();
    start(top);
    for (int k = 0; k < count && !finite; ++k) to_[k]->add_not_finite();
  }

  Multiples sums_[count][folds];
  Real limit_, shift_[folds];
  int terms_[count];  // of each lane
  int top_;
  std::array<ReproducibleSum*, count> to_;
};

inline void record_deepest(const Lanes& depth, const PackSlots& slots, const ContactTables& t, PartialSums& sums) {
  for (int l = 0; l < lane_count; ++l)
    if (depth[l] >= sums.deepest) sums.record_depth(depth[l], ids_of(slots[l], t.pairs, t.walls, t.grains->id));
}
// The division is saved where no depth is of interest.
inline void record_depths(const Lanes& overlap, const Lanes& ri, const Lanes& rj, const PackSlots& slots,
                          const ContactTables& t, PartialSums& sums) {
  const Lanes radius = smaller(ri, rj);
  if (any(overlap > shallow_depth * radius)) record_deepest(overlap / radius, slots, t, sums);
}

// Lanes without a contact have no part in sums.
inline void mask_sums(unsigned valid, LedgerTerms<Lanes>& of) {
  if (valid == all_lanes) return;
  for (Lanes* term : {&of.power.dashpot, &of.power.slip, &of.power.clip, &of.slip_cut, &of.released})
    *term = select(mask_of(valid), *term, Lanes(0.0));
}

// Sums of what contacts do.
class Tally {
 public:
  explicit Tally(PartialSums& to)
      : powers_({&to.power[Channel::dashpot], &to.power[Channel::slip], &to.power[Channel::clip], &to.slip_cut,
                 &to.power[Channel::external]}),
        released_({&to.released}) {}

  // So many packs; of(k) are the masked terms of one.
  template <class TermsOf>
  void add(int packs, TermsOf&& of) {
    const Lanes zero = 0.0;
    Lanes dashpot, slip, clip, released;  // largest absolute values
    for (int k = 0; k < packs; ++k) {
      const LedgerTerms<Lanes>& terms = of(k);
      dashpot = larger(abs(terms.power.dashpot), dashpot), clip = larger(abs(terms.power.clip), clip);
      slip = larger(larger(abs(terms.power.slip), abs(terms.slip_cut)), slip);
      released = larger(abs(terms.released), released);
    }
    powers_.make_room(larger(dashpot, larger(slip, clip)));
    powers_.add(0, packs, [&](int k) -> const Lanes& { return of(k).power.dashpot; });
    if (any(slip > zero)) {
      powers_.add(1, packs, [&](int k) -> const Lanes& { return of(k).power.slip; });
      powers_.add(3, packs, [&](int k) -> const Lanes& { return of(k).slip_cut; });
    }
    if (any(clip > zero)) powers_.add(2, packs, [&](int k) -> const Lanes& { return of(k).power.clip; });
    if (any(released > zero)) {
      released_.make_room(released);
      released_.add(0, packs, [&](int k) -> const Lanes& { return of(k).released; });
    }
  }
  // [W] of so many packs.
  template <class PowerOf>
  void add_dashpot(int packs, PowerOf&& of) {
    make_room(packs, of), powers_.add(0, packs, of);
  }
  template <class PowerOf>
  void add_slip(int packs, PowerOf&& of) {  // of springs at their limits
    make_room(packs, of), powers_.add(1, packs, of), powers_.add(3, packs, of);
  }
  // Of one pack.
  void add_released(const Lanes& energy) { released_.make_room(energy), released_.add(0, energy); }  // [J] not negative
  void add_brought(const Pack& pack, const Lanes& power) {                                           // [W] by walls
    const Lanes brought = select(mask_of(pack.valid), power, Lanes(0.0));
    powers_.make_room(abs(brought)), powers_.add(4, brought);
  }
  void hand_over() const { powers_.hand_over(), released_.hand_over(); }

 private:
  template <class PowerOf>
  void make_room(int packs, PowerOf&& of) {
    Lanes largest = 0.0;
    for (int k = 0; k < packs; ++k) largest = larger(abs(of(k)), largest);
    powers_.make_room(largest);
  }

  LaneSums<5> powers_;
  LaneSums<1> released_;
};

}  // namespace CAIRN_SIMD
}  // namespace cairn
