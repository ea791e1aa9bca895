// The passes over grains: kick and drift, the sums of contact forces, and how far grains have come. Compiled once per
// instruction set (core/simd.hpp).
#include "cairn/world/grain_pass.hpp"

#include <algorithm>
#include <limits>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/lanes.hpp"
#include "cairn/world/sweep.hpp"

namespace cairn {
namespace {

constexpr Real sides[] = {1, -1};  // of the force on the first of two bodies and on the second
constexpr Real too_fast = 1e200;   // [m^2/s^2]

// A row has force first and torque second. `force` for lanes that hold numbers of the force, `torque` for the others;
// `first` is the number of the row in the first lane.
Lanes force_or_torque(int first, const Lanes& force, const Lanes& torque) {
  constexpr int forces = row_length / 2;
  if constexpr (lane_count > forces) return select(mask_of(all_lanes << forces & all_lanes), torque, force);
  return first < forces ? force : torque;
}

Quad quad_of(const Vector& a) {
  return Quad{a.x, a.y, a.z, 0};
}

// [..] squares of four vectors, one a lane.
Quad squares(Quad (&a)[4]) {
  transpose(a);
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

// The largest of the numbers seen; whether all are below a limit: a NaN is not, and no largest either.
struct Largest {
  Quad most{};
  bool all_below = true;

  void see(const Quad& a, Real limit) {
    const auto below = a < limit;
    most = most < a ? a : most;
    all_below = all_below && (below[0] & below[1] & below[2] & below[3]);
  }
  Real value() const { return std::max(std::max(most[0], most[1]), std::max(most[2], most[3])); }
};

// The periodic cell as seen by a vector and its fourth number: never outside where it is not periodic.
struct CellBounds {
  Quad low, high, length, inverse;

  explicit CellBounds(const PeriodicCell& cell) : length(quad_of(cell.length)), inverse(quad_of(cell.inverse)) {
    constexpr Real far = std::numeric_limits<Real>::infinity();
    const auto one = [&](int k, Real from, Real period) {
      low[k] = period > 0 ? from : -far, high[k] = period > 0 ? from + period : far;
    };
    one(0, cell.origin.x, cell.length.x), one(1, cell.origin.y, cell.length.y), one(2, cell.origin.z, cell.length.z);
    one(3, 0, 0);
  }
  Quad image(const Quad& d) const {
    constexpr Real shift = 0x1.8p52;  // as nearest_integer()
    return length * ((d * inverse + shift) - shift);
  }
};

}  // namespace

CAIRN_FLATTEN void CAIRN_ENTRY(kick_drift_, CAIRN_SIMD)(const KickDrift& to, int begin, int end, GrainScan& scan) {
  Real* const body = to.body->entry(0);
  Real* const rate = to.rate ? to.rate->entry(0) : nullptr;
  const Real kick = to.kick, drift = to.drift, predict = to.predict;
  const Real* const radius = to.constants ? to.constants->radius.data() : nullptr;
  const Real* const inverse_mass = to.constants ? to.constants->inverse_mass.data() : nullptr;
  const Quad common = quad_of(to.common);
  const CellBounds cell(to.cell);
  const bool periodic = to.cell.any();
  decltype(common < common) outside{};
  Largest fastest;
  const auto one = [&](int i) {
    Real* const y = body + std::ptrdiff_t{BodyRows::stride} * i;
    Quad v = load_quad(y + BodyRow::v_place);
    if (kick != 0 || predict != 0) {
      Real* const k = rate + std::ptrdiff_t{BodyRows::stride} * i;
      const Quad a = load_quad(k + BodyRow::v_place);
      if (kick != 0) {
        v = v + kick * a;
        store_quad(y + BodyRow::v_place, v);
        store_quad(y + BodyRow::w_place,
                   load_quad(y + BodyRow::w_place) + kick * load_quad(k + BodyRow::w_place));
      }
      if (predict != 0) store_quad(k + BodyRow::x_place, v + predict * a);
    }
    if (drift != 0) {
      const Quad x = load_quad(y + BodyRow::x_place) + drift * v;
      store_quad(y + BodyRow::x_place, x);
      if (periodic) outside |= (x < cell.low) | ~(x < cell.high);
    }
    if (radius) y[BodyRow::radius_place] = radius[i], y[BodyRow::inverse_mass_place] = inverse_mass[i];
    return v - common;
  };
  int i = begin;
  for (; i + 4 <= end; i += 4) {
    Quad v[4] = {one(i), one(i + 1), one(i + 2), one(i + 3)};
    fastest.see(squares(v), too_fast);
  }
  for (; i < end; ++i) {
    Quad v[4] = {one(i)};
    fastest.see(squares(v), too_fast);
  }
  scan.speed2 = fastest.value();
  for (i = begin; i < end && !fastest.all_below && scan.bad < 0; ++i) {
    const Vector v = to.body->at(BodyRow::v, i) - to.common;
    if (!(dot(v, v) < too_fast)) scan.bad = i;
  }
  scan.outside = scan.outside || outside[0] || outside[1] || outside[2];
}

CAIRN_FLATTEN void CAIRN_ENTRY(gather_, CAIRN_SIMD)(const Gather& from, int begin, int end, GrainScan& scan) {
  constexpr int abreast = Sweep::abreast, parts = row_length / lane_count;
  static_assert(BodyRow::w_place == BodyRow::v_place + row_length / 2);  // a row becomes both accelerations
  const Real *radius = from.grains->radius.data(), *im = from.grains->inverse_mass.data();
  const Real* ii = from.grains->inverse_inertia.data();
  Real* const rate = from.rate->entry(0) + BodyRow::v_place;
  Real* const kicked = from.kicked ? from.kicked->entry(0) + BodyRow::v_place : nullptr;
  const Real kick = from.kick;
  // Nothing is added to torques: not zero either, which would change the sign of a zero.
  Real gravity_numbers[row_length] = {from.gravity.x, from.gravity.y, from.gravity.z, 0, -0.0, -0.0, -0.0, -0.0};
  Lanes gravity[parts];
  Mask vectors[parts];  // not the fourth numbers
  unrolled<parts>([&](auto at) {
    gravity[at] = load(gravity_numbers + at * lane_count);
    vectors[at] = mask_of(0b01110111u >> (at * lane_count) & all_lanes);
  });
  bool all_slow = true;
  for (int first = begin; first < end; first += abreast) {
    Lanes sums[parts][abreast];
    Lanes radius_of[abreast];
    const int grains = std::min(abreast, end - first);
    unrolled<abreast>([&](int l) { radius_of[l] = radius[first + std::min(l, grains - 1)]; });
    const int group = first / abreast;
    const auto add_columns = [&]<bool rolls>() {
      constexpr int stride = rolls ? row_length_rolling : row_length;
      const int* entries = from.sources + static_cast<std::ptrdiff_t>(from.first_column[group]) * abreast;
      for (int k = 0; k < from.columns[group]; ++k, entries += abreast)
        unrolled<abreast>([&](auto l) {
          const auto entry = static_cast<unsigned>(entries[l]);
          const Real* row = from.rows + std::size_t{entry & -8u} * (stride / row_length);
          const Lanes side = sides[entry & 1], lever = radius_of[l] - row[3];
          unrolled<parts>([&](auto at) {
            constexpr int part = at * lane_count;
            Lanes& sum = sums[at][l];
            sum = sum + force_or_torque(part, side, lever) * load(row + part);
            if constexpr (rolls) sum = sum + side * load(row + row_length + part);
          });
        });
    };
    if (from.rolls)
      add_columns.template operator()<true>();
    else
      add_columns.template operator()<false>();
    unrolled<abreast>([&](auto l) {
      if (l >= grains) return;
      const int i = first + l;
      const std::ptrdiff_t place = std::ptrdiff_t{BodyRows::stride} * i;
      const Lanes mass = im[i], inertia = ii[i];
      unrolled<parts>([&](auto at) {
        constexpr int part = at * lane_count;
        const Lanes sum = force_or_torque(part, mass, inertia) * sums[at][l] + gravity[at];
        const Lanes a = select(vectors[at], sum, Lanes(0.0));
        store(rate + place + part, a);
        if (!kicked) return;
        const Lanes v = load(kicked + place + part) + kick * a;
        store(kicked + place + part, v);
        if (part < row_length / 2) all_slow = all_slow && lanes_of(abs(v) < 1e100) == all_lanes;
      });
    });
  }
  for (int i = begin; i < end && !all_slow && scan.bad < 0; ++i) {
    const Vector v = from.kicked->at(BodyRow::v, i);
    if (!(dot(v, v) < too_fast)) scan.bad = i;
  }
}

CAIRN_FLATTEN void CAIRN_ENTRY(farthest2_, CAIRN_SIMD)(const Travel& of, int begin, int end, Real& farthest2) {
  const CellBounds cell(of.cell);
  const Quad shared = quad_of(of.shared);
  const auto off = [&](int i) {
    const Quad d = load_quad(of.body->entry(i) + BodyRow::x_place) - load_quad(of.reference->entry(i)) - shared;
    return d - cell.image(d);
  };
  Largest farthest;
  int i = begin;
  for (; i + 4 <= end; i += 4) {
    Quad d[4] = {off(i), off(i + 1), off(i + 2), off(i + 3)};
    farthest.see(squares(d), 0);
  }
  for (; i < end; ++i) {
    Quad d[4] = {off(i)};
    farthest.see(squares(d), 0);
  }
  farthest2 = farthest.value();
}

}  // namespace cairn
