// The passes over blocks of grains that a step of World is made of, beside those over contacts.
#pragma once
#include "cairn/core/simd.hpp"
#include "cairn/geometry/cell.hpp"
#include "cairn/state/particles.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

inline constexpr int grain_block = 512;  // grains that a thread takes at once

// v += kick a, then x += drift v.
struct KickDrift {
  Slab* body;
  const Slab* rate;
  Real kick, drift;  // [s]
  Vector common;     // [m/s] that speeds are relative to
  PeriodicCell cell;
};

// What a pass sees of the grains on its way.
struct GrainScan {
  Real speed2 = 0;       // [m^2/s^2] of the fastest, relative
  int bad = -1;          // the first whose velocity is not finite
  bool outside = false;  // some grain has left the periodic cell
};

// Accelerations from the rows of contacts (contact/kernels/pair.hpp).
struct Gather {
  const Particles* grains;
  const Real* rows;
  const int *first_column, *columns, *sources;  // as of Sweep
  Vector gravity;                               // [m/s^2]
  bool rolls;                                   // rows are those with rolling
};

// Rows of numbers for contacts (contact/kernels/pair.hpp), with velocities `predict` seconds on.
struct GrainRows {
  const Particles* grains;
  const Slab *body, *rate;
  Real predict;  // [s]
  Real* rows;
};

// How far grains are from where a list was made.
struct Travel {
  const Slab *body, *reference;  // [m] positions in the first rows of each
  Vector shared;                 // [m] what all have moved
  PeriodicCell cell;
};

CAIRN_KERNEL(kick_drift, const KickDrift& to, int begin, int end, GrainScan& scan)

// Each grain sums its rows in the order of its contacts; `begin` is a multiple of eight.
CAIRN_KERNEL(gather, const Gather& from, int begin, int end, Slab& rate)

CAIRN_KERNEL(grain_rows, const GrainRows& to, int begin, int end)

// [m^2] square of the largest distance.
CAIRN_KERNEL(farthest2, const Travel& of, int begin, int end, Real& far2)

}  // namespace cairn
