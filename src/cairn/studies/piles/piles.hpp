// The study of piles: the laboratory of document "A Pile of Particles" (M. Kocic, Umea University, 2012) with soft and
// hard contacts. Its figures stand beside Cairn's; what it found unstable is measured, explained and cured.
#pragma once
#include <string>
#include <vector>

#include "cairn/render/picture.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

struct PilesSettings {
  std::vector<Real> explosion_steps{0.02, 0.01, 0.005, 0.0025};  // [s]
  std::vector<Real> projections{0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
  Real standing = 60;      // [s] that the cured columns grow and stand
  Real pile_3d_end = 70;   // [s] of the ready case pile_3d
  int heap_grains = 3000;  // poured onto the table where soft and hard heaps are compared
  Real heap_end = 3.5;     // [s]

  static PilesSettings quick();
};

// A run over time, with velocities at the time of positions.
struct Course {
  std::string name;
  std::vector<Real> time;                 // [s]
  std::vector<Real> energy, kinetic;      // [J] mechanical; of translation and rotation
  std::vector<Real> momentum;             // [kg m/s] along x
  std::vector<Real> x, height;            // [m] barycentre
  std::vector<Real> at_grains, at_walls;  // [-] collisions so far
};

// The column of soft grains, table 3.2-1.
struct SoftColumn {
  Real stiffness = 0, damping = 0;         // [N/m] [N s/m]
  Real height = 0, bottom = 0;             // [m] at the end: of the pile, and extent of the lowest grain
  Real half_time = 0;                      // [s] when the lowest grain is first compressed to a half; NaN: never
  int half_emitted = 0;                    // grains emitted by then
  std::vector<Real> time;                  // [s]
  std::vector<std::vector<Real>> extents;  // [m] of the lowest grains, from below
};

// The column of hard grains, by one more each second.
struct HardColumn {
  std::string name;
  Real step = 0;                    // [s]
  int first = 1;                    // grains at the start
  int exploded = 0;                 // grains when it did; 0: it stood to the end
  int grains = 0;                   // at the end
  Real height = 0;                  // [m] of its top at the end
  std::vector<Real> time, kinetic;  // [s] [J]
};

struct Jitter {
  Real projection = 0;                                  // [-] k_p
  Real simultaneous = 0, sequential = 0, dynamics = 0;  // [m/s] root mean square speed in a resting column of 8
  int exploded = 0;  // grains with which a growing column explodes by simultaneous impulses; 0: not with 60
};

struct Billiards {
  Course course;
  Real momentum_error = 0;  // [kg m/s] largest change in a step in which no wall is touched
  Real energy = 0;          // [J] at the end
};

// A heap on a table with rims, after pouring.
struct Heap {
  std::string name;
  Real stiffness = 0;        // [N/m]; 0: hard
  Real step = 0, limit = 0;  // [s] its own; stable step of the packing, of soft contacts
  int grains = 0;
  Real height = 0;         // [m]
  Real coordination = 0;   // [-]
  Real angle = 0;          // [degrees]
  Real deepest = 0;        // [-] overlap over the smaller radius, at rest
  Real largest_force = 0;  // [N]
  Real speed = 0;          // [m/s] root mean square, at the end
  Real seconds = 0;        // of its thread
  std::vector<Ball> balls;
};

struct Pile {
  std::string name;
  int grains = 0;
  Real height = 0, deepest = 0;  // [m]; [-] overlap over the smaller radius
  Real residual = 0;             // [-] of the energy exchanged
  Real end = 0;                  // [s]
  std::vector<Ball> balls;
};

struct PilesResult {
  PilesSettings settings;
  std::vector<Course> balls;   // one ball: both models, both integrators, with and without loss
  std::vector<Course> thrown;  // one ball in 2D from one start, both models
  std::vector<SoftColumn> soft;
  std::vector<HardColumn> hard;
  std::vector<Jitter> jitter;
  std::vector<Billiards> billiards;
  Billiards cushion;  // with a wall of finite mass
  std::vector<Pile> piles;
  std::vector<Heap> heaps;  // hard, soft
};

PilesResult study_piles(const PilesSettings& settings, const ProgressCallback& on_progress = {});
StudyReport show(const PilesResult& result);

// The parts of the study.
std::vector<Course> single_balls();
std::vector<Course> thrown_balls();
SoftColumn soft_column(Real stiffness, bool damped);
HardColumn hard_column(const std::string& method, Real step, int first, Real end, Real projection = 0.1);
// The same by a loop of its own, with contacts between neighbours only, or between all that overlap.
HardColumn column_by_hand(bool neighbours_only, Real step, int first, Real end);
Jitter jitter_at(Real projection);
Billiards billiards(const std::string& law, bool lossy, bool cushion = false);
Pile ready_pile(const std::string& name, Real end);
Heap hard_heap(const PilesSettings& settings);
Heap soft_heap(const PilesSettings& settings,
               const Heap& hard);  // its largest overlap at rest is that of the hard one, within a tenth if found

std::string heap_picture(const std::vector<Ball>& balls, const std::string& caption);

}  // namespace cairn::studies
