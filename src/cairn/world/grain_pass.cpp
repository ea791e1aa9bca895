// The passes over grains: kick and drift, the sums of contact forces, and how far grains have come. Compiled once per
// instruction set (core/simd.hpp).
#include "cairn/world/grain_pass.hpp"

#include <algorithm>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/lanes.hpp"
#include "cairn/world/sweep.hpp"

namespace cairn {
namespace {

const auto several = [](const Real* a) { return load(a); };
const auto one = [](const Real* a) { return *a; };

struct Largest {
  Real value = 0;
  bool all_below = true;  // all are below the limit; a NaN is not, and no largest either
};

// The largest f<T>(i, at) for i in [begin, end). T is a number or lanes; at(row + i) reads a T there. Written by hand,
// because compilers take a maximum with a condition number by number.
template <class F>
Largest largest(int begin, int end, Real limit, F&& f) {
  Lanes most;
  Largest all;
  int i = begin;
  for (; i + lane_count <= end; i += lane_count) {
    const Lanes a = f.template operator()<Lanes>(i, several);
    most = select(most < a, a, most);
    all.all_below = all.all_below && lanes_of(a < limit) == all_lanes;
  }
  for (int l = 0; l < lane_count; ++l) all.value = most[l] > all.value ? most[l] : all.value;
  for (; i < end; ++i) {
    const Real a = f.template operator()<Real>(i, one);
    all.value = a > all.value ? a : all.value;
    all.all_below = all.all_below && a < limit;
  }
  return all;
}

constexpr Real sides[] = {1, -1};  // of the force on the first of two bodies and on the second

// A row has force first and torque second. `force` for lanes that hold numbers of the force, `torque` for the others;
// `first` is the number of the row in the first lane.
Lanes force_or_torque(int first, const Lanes& force, const Lanes& torque) {
  constexpr int forces = row_length / 2;
  if constexpr (lane_count > forces) return select(mask_of(all_lanes << forces & all_lanes), torque, force);
  return first < forces ? force : torque;
}

}  // namespace

CAIRN_FLATTEN void CAIRN_ENTRY(kick_drift_, CAIRN_SIMD)(const KickDrift& to, int begin, int end, GrainScan& scan) {
  Slab& y = *to.body;
  if (to.kick != 0)
    for (int row = BodyRow::v; row < BodyRow::count; ++row) {
      Real* v = y.row(row);
      const Real* a = to.rate->row(row);
      for (int i = begin; i < end; ++i) v[i] = v[i] + to.kick * a[i];
    }
  if (to.drift != 0)
    for (int row = 0; row < 3; ++row) {
      Real* x = y.row(BodyRow::x + row);
      const Real* v = y.row(BodyRow::v + row);
      for (int i = begin; i < end; ++i) x[i] = x[i] + to.drift * v[i];
    }
  const Real *vx = y.row(BodyRow::v), *vy = y.row(BodyRow::v + 1), *vz = y.row(BodyRow::v + 2);
  const auto relative2 = [&]<class T>(int i, auto&& at) {
    const T x = at(vx + i) - T(to.common.x), y = at(vy + i) - T(to.common.y), z = at(vz + i) - T(to.common.z);
    return x * x + y * y + z * z;
  };
  constexpr Real too_fast = 1e200;
  const Largest fastest = largest(begin, end, too_fast, relative2);
  scan.speed2 = fastest.value;
  for (int i = begin; i < end && !fastest.all_below && scan.bad < 0; ++i)
    if (!(relative2.template operator()<Real>(i, one) < too_fast)) scan.bad = i;
  if (to.drift == 0) return;
  const Real *low = &to.cell.origin.x, *length = &to.cell.length.x;
  for (int row = 0; row < 3; ++row) {
    if (!(length[row] > 0)) continue;
    const Real from = low[row], until = low[row] + length[row];
    const Real* x = y.row(BodyRow::x + row);
    bool outside = false;
    int i = begin;
    for (; i + lane_count <= end; i += lane_count) {
      const Lanes at = load(x + i);
      outside = outside || any(at < from || !(at < until));
    }
    for (; i < end; ++i) outside = outside || x[i] < from || !(x[i] < until);
    scan.outside = scan.outside || outside;
  }
}

CAIRN_FLATTEN void CAIRN_ENTRY(gather_, CAIRN_SIMD)(const Gather& from, int begin, int end, Slab& rate) {
  const Real *radius = from.grains->radius.data(), *im = from.grains->inverse_mass.data();
  const Real* ii = from.grains->inverse_inertia.data();
  Real* a[] = {rate.row(BodyRow::v), rate.row(BodyRow::v + 1), rate.row(BodyRow::v + 2)};
  Real* alpha[] = {rate.row(BodyRow::w), rate.row(BodyRow::w + 1), rate.row(BodyRow::w + 2)};
  const Real* g = &from.gravity.x;
  for (int i = begin; i < end; i += lane_count) {
    const int grains = std::min(lane_count, end - i);
    const Real* radii = radius + i;
    Real some[lane_count];
    if (grains < lane_count) {
      std::fill(std::copy_n(radius + i, grains, some), some + lane_count, 0.0);
      radii = some;
    }
    Lanes radius_of[lane_count];
    unrolled<lane_count>([&](int l) { radius_of[l] = radii[l]; });
    Lanes sums[row_length];  // of each grain, part by part; once transposed, of each number of a row
    const auto add_columns = [&]<bool rolls>() {
      constexpr int stride = rolls ? row_length_rolling : row_length;
      constexpr int abreast = Sweep::abreast;
      constexpr int together = std::min(abreast, lane_count);  // grains whose contacts are added in one loop
      unrolled<lane_count / together>([&](auto part_of_lanes) {
        constexpr int first = part_of_lanes * together;
        if (first > 0 && i + first >= end) return;
        const int group = (i + first) / abreast;
        const int* entries =
            from.sources + static_cast<std::ptrdiff_t>(from.first_column[group]) * abreast + (i + first) % abreast;
        for (int k = 0; k < from.columns[group]; ++k, entries += abreast) {
          unrolled<together>([&](auto lane) {
            constexpr int l = first + lane;
            const auto entry = static_cast<unsigned>(entries[lane]);
            const Real* row = from.rows + std::size_t{entry & -8u} * (stride / row_length);
            const Lanes side = sides[entry & 1], lever = radius_of[l] - row[3];
            unrolled<row_length / lane_count>([&](auto at) {
              constexpr int part = at * lane_count;
              Lanes& sum = sums[part + l];
              sum = sum + force_or_torque(part, side, lever) * load(row + part);
              if constexpr (rolls) sum = sum + side * load(row + row_length + part);
            });
          });
        }
      });
    };
    if (from.rolls)
      add_columns.template operator()<true>();
    else
      add_columns.template operator()<false>();
    unrolled<row_length / lane_count>([&](auto at) { transpose(sums + at * lane_count); });
    if (grains == lane_count) {
      for (int k = 0; k < 3; ++k) {
        store(a[k] + i, load(im + i) * sums[k] + g[k]);
        store(alpha[k] + i, load(ii + i) * sums[4 + k]);
      }
    } else {
      for (int l = 0; l < grains; ++l)
        for (int k = 0; k < 3; ++k)
          a[k][i + l] = im[i + l] * sums[k][l] + g[k], alpha[k][i + l] = ii[i + l] * sums[4 + k][l];
    }
  }
}

CAIRN_FLATTEN void CAIRN_ENTRY(grain_rows_, CAIRN_SIMD)(const GrainRows& to, int begin, int end) {
  const Real *radius = to.grains->radius.data(), *inverse_mass = to.grains->inverse_mass.data();
  const Real *body[BodyRow::count], *a[3], predict = to.predict;  // copies, for rows might else be part of them
  for (int k = 0; k < BodyRow::count; ++k) body[k] = to.body->row(k);
  for (int k = 0; k < 3; ++k) a[k] = to.rate->row(BodyRow::v + k);
  const auto columns = [&]<class T>(int i, T* of, auto&& at) {
    unrolled<3>([&](auto k) {
      const T v = at(body[BodyRow::v + k] + i);
      of[GrainRow::x + k] = at(body[BodyRow::x + k] + i), of[GrainRow::v + k] = v;
      of[GrainRow::w + k] = at(body[BodyRow::w + k] + i);
      of[GrainRow::predicted_v + k] = v + T(predict) * at(a[k] + i);
    });
    of[GrainRow::radius] = at(radius + i), of[GrainRow::inverse_mass] = at(inverse_mass + i);
  };
  Real* const rows = to.rows;
  const auto row = [rows](int i) { return rows + static_cast<std::ptrdiff_t>(i) * GrainRow::length; };
  int i = begin;
  for (; i + lane_count <= end; i += lane_count) {
    Lanes column[GrainRow::length];
    columns(i, column, several);
    store_as_rows<GrainRow::length>(column, [&](int l) { return row(i + l); });
  }
  for (; i < end; ++i) {
    Real numbers[GrainRow::length]{};
    columns(i, numbers, one);
    std::copy_n(numbers, GrainRow::length, row(i));
  }
}

CAIRN_FLATTEN void CAIRN_ENTRY(farthest2_, CAIRN_SIMD)(const Travel& of, int begin, int end, Real& farthest2) {
  const auto off2 = [&]<class T>(int i, auto&& at) {
    const auto moved = [&](int row, Real shared) {
      return at(of.body->row(row) + i) - at(of.reference->row(row) + i) - T(shared);
    };
    const Vec3<T> d{moved(0, of.shared.x), moved(1, of.shared.y), moved(2, of.shared.z)}, off = d - of.cell.image(d);
    return dot(off, off);
  };
  farthest2 = largest(begin, end, 0, off2).value;
}

}  // namespace cairn
