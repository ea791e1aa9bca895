// The passes over blocks of grains that a step of World is made of, beside those over contacts.
#pragma once
#include <vector>

#include "cairn/core/simd.hpp"
#include "cairn/geometry/cell.hpp"
#include "cairn/state/particles.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

inline constexpr int grain_block = 512;  // grains that a thread takes at once

// [m/s^2] Bounds for each grain, with room for three numbers more: times `scale` its acceleration is expected to be no
// larger. Null: nothing is expected.
struct AccelerationBounds {
  const float* of_grain = nullptr;
  Real scale = 0;  // [-]
};

// v += kick a, then x += drift v; and on the way, for the force that follows, what BodyRow keeps in free places: the
// constants of grains, and with a rate the velocities v + predict a.
struct KickDrift {
  BodyRows* body;
  BodyRows* rate;    // null: no kick, no prediction
  Real kick, drift;  // [s]
  Vector common;     // [m/s] that speeds are relative to
  PeriodicCell cell;
  Real predict = 0;                      // [s]
  const Particles* constants = nullptr;  // null: they are not wanted
  // With a kick, a drift and a past: the accelerations a become a + extrapolation (a - past), the past becomes a.
  BodyRows* past = nullptr;
  Real extrapolation = 0;  // [-]
  AccelerationBounds bounds = {};
};

// What a pass sees of the grains on its way.
struct GrainScan {
  struct Accelerated {
    int grain;
    Real acceleration;  // [m/s^2] times the scale of the bounds
  };
  Real speed2 = 0;                       // [m^2/s^2] of the fastest, relative
  int bad = -1;                          // the first whose velocity is not finite
  bool outside = false;                  // some grain has left the periodic cell
  std::vector<Accelerated> accelerated;  // grains beyond their bounds, where these are given

  void clear() { speed2 = 0, bad = -1, outside = false, accelerated.clear(); }
};

// Accelerations from the rows of contacts (contact/kernels/pair.hpp).
struct Gather {
  const Particles* grains;
  const Real* rows;
  const int *first_column, *columns, *sources;  // as of Sweep
  Vector gravity;                               // [m/s^2]
  bool equal_radii;                             // of all grains
  bool rolls;                                   // rows are those with rolling
  BodyRows* rate;                               // where accelerations go
  BodyRows* kicked;                             // whose velocities are kicked by `kick` of them; null: none
  Real kick;                                    // [s]
};

// How far grains are from where a list was made.
struct Travel {
  const BodyRows* body;
  const VectorRows<1>* reference;  // [m] positions
  Vector shared;                   // [m] what all have moved
  PeriodicCell cell;
};

CAIRN_KERNEL(kick_drift, const KickDrift& to, int begin, int end, GrainScan& scan)

// Each grain sums its rows in the order of its contacts; `begin` is a multiple of Sweep::abreast. Of the scan `bad`
// alone is found, where a state is kicked.
CAIRN_KERNEL(gather, const Gather& from, int begin, int end, GrainScan& scan)

// [m^2] square of the largest distance.
CAIRN_KERNEL(farthest2, const Travel& of, int begin, int end, Real& far2)

}  // namespace cairn
