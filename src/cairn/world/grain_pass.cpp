// The passes over grains: kick and drift, the sums of contact forces, and how far grains have come. Compiled once per
// instruction set (core/simd.hpp).
#include "cairn/world/grain_pass.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/lanes.hpp"
#include "cairn/world/sweep.hpp"

namespace cairn {
namespace {

constexpr Real largest_component = 1e99, too_fast = 1e200;  // [m/s] [m^2/s^2] of velocities that count as finite

// A row has force first and torque second. `force` for lanes that hold numbers of the force, `torque` for the others;
// `first` is the number of the row in the first lane.
Lanes force_or_torque(int first, const Lanes& force, const Lanes& torque) {
  constexpr int forces = row_length / 2;
  if constexpr (lane_count > forces) return select(mask_of(all_lanes << forces & all_lanes), torque, force);
  return first < forces ? force : torque;
}

// Signs for flipped(), of four whole numbers: minus where the lowest bit is set.
class FourSigns {
 public:
  explicit FourSigns(const int* of) {
#ifdef __AVX2__  // which g++ does not find
    bits_ = reinterpret_cast<Bits>(_mm256_cvtepi32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(of))));
#else
    for (int k = 0; k < 4; ++k) bits_[k] = of[k];
#endif
    bits_ <<= 63;
  }
  template <int k>
  Lanes get() const {
#if defined(__AVX2__) && !defined(__AVX512DQ__)  // where g++ would take the number out first
    return reinterpret_cast<Lanes::Part>(__builtin_shufflevector(bits_, bits_, k, k, k, k));
#else
    return std::bit_cast<Real>(bits_[k]);
#endif
  }

 private:
  typedef long long Bits __attribute__((vector_size(32)));
  Bits bits_{};
};

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
    most = most < a ? a : most;
    all_below = all_below && lanes_of(a < limit) == 0b1111;
  }
  Real value() const { return std::max(std::max(most[0], most[1]), std::max(most[2], most[3])); }
};

// Of positions.
struct Extent {
  static constexpr Real far = std::numeric_limits<Real>::infinity();
  Quad low{far, far, far, far}, high{-far, -far, -far, -far};

  void see(const Quad& x) { low = low < x ? low : x, high = x < high ? high : x; }
  bool exceeds(const PeriodicCell& cell) const {
    return cell.outside({low[0], low[1], low[2]}) || cell.outside({high[0], high[1], high[2]});
  }
};

// f<flags...>() with what is known when it runs.
template <bool... known, class F>
void with_flags(F&& f) {
  f.template operator()<known...>();
}
template <bool... known, class F, class... More>
void with_flags(F&& f, bool flag, More... more) {
  if (flag)
    with_flags<known..., true>(f, more...);
  else
    with_flags<known..., false>(f, more...);
}

}  // namespace

CAIRN_FLATTEN void CAIRN_ENTRY(kick_drift_, CAIRN_SIMD)(const KickDrift& to, int begin, int end, GrainScan& scan) {
  constexpr std::ptrdiff_t one = VectorRows<1>::stride, both = VectorRows<2>::stride;  // numbers of a grain
  constexpr int spin = BodyRows::spin_place;
  Real *const positions = to.body->positions.entry(0), *const velocities = to.body->velocities.entry(0);
  Real* const accelerations = to.rate ? to.rate->velocities.entry(0) : nullptr;
  Real* const asked = to.rate ? to.rate->positions.entry(0) : nullptr;  // velocities forces are asked for at
  Real* const past = to.past ? to.past->velocities.entry(0) : nullptr;
  const Real kick = to.kick, drift = to.drift, predict = to.predict, extrapolation = to.extrapolation;
  const Real* const radius = to.constants ? to.constants->radius.data() : nullptr;
  const Real* const inverse_mass = to.constants ? to.constants->inverse_mass.data() : nullptr;
  const Quad common = quad_of(to.common);
  const float* const bounds = to.bounds.of_grain;
  const Real scale2 = to.bounds.scale * to.bounds.scale;
  Extent extent;
  Largest fastest;
  // Accelerations `a`, which stand at `now`, move to `then`; their extrapolation takes their place and is returned.
  const auto extrapolated = [&](const Quad& a, Real* now, Real* then) {
    const Quad ahead = a + extrapolation * a - extrapolation * load_quad(then);
    store_quad(then, a), store_quad(now, ahead);
    return ahead;
  };
  const auto move_all =
      [&]<bool predicts, bool constants, bool kicks, bool drifts, bool has_rate, bool extrapolates>() {
        const auto move = [&](int i, Quad& relative, Quad& acceleration) {
          Real *const at = positions + one * i, *const y = velocities + both * i;
          Quad v = load_quad(y);
          if constexpr (has_rate && (kicks || predicts || drifts)) {
            Real* const k = accelerations + both * i;
            Quad a = acceleration = load_quad(k);
            if constexpr (kicks) {
              v = v + kick * a;
              store_quad(y, v);
              store_quad(y + spin, load_quad(y + spin) + kick * load_quad(k + spin));
            }
            if constexpr (extrapolates) {
              Real* const then = past + both * i;
              a = extrapolated(a, k, then);
              extrapolated(load_quad(k + spin), k + spin, then + spin);
            }
            if constexpr (predicts) store_quad(asked + one * i, v + predict * a);
          }
          if constexpr (drifts) {
            const Quad x = load_quad(at) + drift * v;
            store_quad(at, x);
            extent.see(x);
          }
          if constexpr (constants)
            at[BodyRows::radius_place] = radius[i], y[BodyRows::inverse_mass_place] = inverse_mass[i];
          relative = v - common;
        };
        const auto move_some = [&](int first, int count) {
          Quad relative[4]{}, accelerations[4]{};
          unrolled<4>([&](int l) {
            if (l < count) move(first + l, relative[l], accelerations[l]);
          });
          fastest.see(squares(relative), too_fast);
          if constexpr (has_rate && drifts)
            if (bounds) {
              const Quad length2 = scale2 * squares(accelerations);
              const Quad most = load_quad(bounds + first);
              if (unsigned beyond = lanes_of(length2 > most * most)) [[unlikely]]
                for (; beyond != 0; beyond &= beyond - 1) {
                  const int l = std::countr_zero(beyond);
                  scan.accelerated.push_back({first + l, std::sqrt(length2[l])});
                }
            }
        };
        int i = begin;
        for (; i + 4 <= end; i += 4) move_some(i, 4);
        if (i < end) move_some(i, end - i);
      };
  if (past != nullptr)
    with_flags(
        [&]<bool... flags>() { move_all.template operator()<flags..., true, true, true, true>(); }, predict != 0,
        to.constants != nullptr);
  else
    with_flags(
        [&]<bool... flags>() { move_all.template operator()<flags..., false>(); }, predict != 0,
        to.constants != nullptr, kick != 0, drift != 0, accelerations != nullptr);
  scan.speed2 = fastest.value();
  for (int i = begin; i < end && !fastest.all_below && scan.bad < 0; ++i) {
    const Vector v = to.body->at(BodyRow::v, i) - to.common;
    if (!(dot(v, v) < too_fast)) scan.bad = i;
  }
  if (drift != 0) scan.outside = scan.outside || extent.exceeds(to.cell);
}

CAIRN_FLATTEN void CAIRN_ENTRY(gather_, CAIRN_SIMD)(const Gather& asked, int begin, int end, GrainScan& scan) {
  constexpr int abreast = Sweep::abreast, parts = row_length / lane_count;
  const Gather from = asked;  // a copy, for what is stored below might else be part of it
  const Real* const inverse_mass = from.grains->inverse_mass.data();
  const Real* const inverse_inertia = from.grains->inverse_inertia.data();
  // Nothing is added to torques: not zero either, which would change the sign of a zero.
  const Real gravity_numbers[row_length] = {from.gravity.x, from.gravity.y, from.gravity.z, 0, -0.0, -0.0, -0.0, -0.0};
  Lanes gravity[parts];
  Mask vectors[parts];  // not the fourth numbers
  unrolled<parts>([&](auto at) {
    gravity[at] = load(gravity_numbers + at * lane_count);
    vectors[at] = mask_of(0b01110111u >> (at * lane_count) & all_lanes);
  });
  static_assert(VectorRows<2>::stride == row_length);  // a row becomes both accelerations
  Real* const rates = from.rate->velocities.entry(0);
  Real* const velocities = from.kicked ? from.kicked->velocities.entry(0) : nullptr;
  Mask slow = every_lane();
  const auto gather_all = [&]<bool equal_radii, bool rolls, bool kicks>() {
    const auto sum_group = [&](int first, Lanes(&sums)[parts][abreast]) {
      const int group = first / abreast;
      const int* entries = from.sources + static_cast<std::ptrdiff_t>(from.first_column[group]) * abreast;
      const int* const last = entries + static_cast<std::ptrdiff_t>(from.columns[group]) * abreast;
      for (; entries < last; entries += abreast) {
        const FourSigns signs(entries);
        unrolled<abreast>([&](auto l) {
          const Real* const row = from.rows + (static_cast<unsigned>(entries[l]) & -8u);
          const Lanes side = signs.get<l>();
          Lanes lever = 1.0;  // over the mean of both
          if constexpr (!equal_radii) lever = lever + flipped(row[3], side);
          unrolled<parts>([&](auto at) {
            constexpr int part = at * lane_count;
            const Lanes of = load(row + part);
            sums[at][l] = sums[at][l] + force_or_torque(part, flipped(of, side), equal_radii ? of : lever * of);
            if constexpr (rolls) sums[at][l] = sums[at][l] + flipped(load(row + row_length + part), side);
          });
        });
      }
    };
    const auto accelerate = [&](std::ptrdiff_t i, const Lanes(&sums)[parts][abreast], auto l) {
      Real* const rate = rates + row_length * i;
      Real* const moved = kicks ? velocities + row_length * i : nullptr;
      const Lanes mass = inverse_mass[i], inertia = inverse_inertia[i];
      unrolled<parts>([&](auto at) {
        constexpr int part = at * lane_count;
        const Lanes sum = force_or_torque(part, mass, inertia) * sums[at][l] + gravity[at];
        const Lanes a = equal_radii ? sum : select(vectors[at], sum, Lanes(0.0));
        store(rate + part, a);
        if constexpr (kicks) {
          const Lanes v = load(moved + part) + from.kick * a;
          store(moved + part, v);
          if constexpr (part < row_length / 2) slow = slow && abs(v) < largest_component;
        }
      });
    };
    int first = begin;
    for (; first + abreast <= end; first += abreast) {
      Lanes sums[parts][abreast];
      sum_group(first, sums);
      unrolled<abreast>([&](auto l) { accelerate(first + l, sums, l); });
    }
    if (first == end) return;
    Lanes sums[parts][abreast];
    sum_group(first, sums);
    unrolled<abreast>([&](auto l) {
      if (first + l < end) accelerate(first + l, sums, l);
    });
  };
  with_flags(
      [&]<bool... flags>() { gather_all.template operator()<flags...>(); }, from.equal_radii, from.rolls,
      from.kicked != nullptr);
  if (lanes_of(slow) == all_lanes) return;
  for (int i = begin; i < end && scan.bad < 0; ++i)
    if (const Vector v = from.kicked->at(BodyRow::v, i); !(dot(v, v) < too_fast)) scan.bad = i;
}

CAIRN_FLATTEN void CAIRN_ENTRY(farthest2_, CAIRN_SIMD)(const Travel& of, int begin, int end, Real& farthest2) {
  const Quad length = quad_of(of.cell.length), inverse = quad_of(of.cell.inverse);
  const Quad shared = quad_of(of.shared);
  const auto off = [&](int i) {
    const Quad d = load_quad(of.body->positions.entry(i)) - load_quad(of.reference->entry(i)) - shared;
    constexpr Real shift = 0x1.8p52;  // as nearest_integer()
    return d - length * ((d * inverse + shift) - shift);
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
