// The system of Hofmann's comparison (bachelor's thesis, TU Muenchen 2011): thirteen aluminium spheres, 3 x 3 and 2 x 2
// in its hollows, fall a short way in a box of 1 m. There is no friction and no rotation. The thesis does not print its
// parameters: the golden ones are a reference of ours, the stiff ones give energies of the size that it shows.
#pragma once
#include <string>
#include <vector>

#include "cairn/render/picture.hpp"
#include "cairn/run/registry.hpp"

namespace cairn::studies {

struct PyramidCase {
  std::string name{};                  // "golden"
  Real stiffness = 1e5, damping = 60;  // [N/m] [N s/m] of the linear law; other laws: matched to it (pyramid.cpp)
  std::string law = "linear";
  bool printed_rate = false;  // the thesis's rate of overlap, whose sign is wrong: dashpots push. Linear law only.
  Real gap = 1.35e-3;         // [m] between the spheres, and to the floor
  bool thrown = false;        // without walls and gravity, towards each other: momenta are kept
};

struct PyramidSettings {
  const SchemeEntry* scheme = nullptr;
  Real step = 1e-3;             // [s] adaptive schemes: the smallest
  Real end = 5;                 // [s]
  Real every = 0.04;            // [s] between outputs
  Real adaptive_error = 1e-4;   // [m] per step, or [m/s] per second: epsilon of the thesis
  Real largest_step = 1e-3;     // [s] of adaptive schemes
  Real iteration_error = 1e-4;  // [m/s^2] of the rates of implicit schemes: TOL of the thesis
  bool expects = true;          // follows the expected energy, too
};

struct PyramidRun {
  // At each output, velocities at the time of positions.
  std::vector<Real> time, energy, expected, residual;  // [s] [J] kinetic, gravitational and elastic; ...
  std::int64_t steps = 0, calls = 0, iterations = 0;   // calls of the force, by the thesis's conventions
  std::int64_t collisions = 0;
  Real lost_momentum = 0, lost_angular = 0;  // [-] largest change so far, over m v and m v r of a sphere
  Real seconds = 0;                          // of its thread
  std::string failure;                       // empty: it came to its end
  std::vector<Ball> spheres;                 // at the end, coloured by speed

  bool failed() const { return !failure.empty(); }
  Real growth() const;  // [-] last energy over the first; NaN: failed
  // [J] largest difference of energies at the outputs that both have.
  Real furthest_from(const PyramidRun& other) const;
};

PyramidRun run_pyramid(const PyramidCase& of, const PyramidSettings& settings);

// A picture as bytes of a PNG file.
std::string picture_of(const PyramidRun& run, const std::string& caption, Real fastest);

}  // namespace cairn::studies
