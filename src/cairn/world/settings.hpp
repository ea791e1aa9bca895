// The data of a grain, and the settings of a World: laws, walls and cell. World::change_settings alone changes them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cairn/contact/laws/all.hpp"
#include "cairn/contact/rolling.hpp"
#include "cairn/core/simd.hpp"
#include "cairn/geometry/cell.hpp"
#include "cairn/geometry/shapes/surface.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

struct GrainData {
  Vector position{}, velocity{}, spin{};  // [m] [m/s] [rad/s]
  Real radius = 0;                        // [m]
  Real mass = 0;                          // [kg]
  int material = 0;
};

// A wall of finite mass that moves without turning, under the grains' forces, gravity, a load and a dashpot; its
// displacement and velocity are State::walls.
struct LoadedWall {
  int wall = 0;          // index of its name
  Real mass = 0;         // [kg]
  Vector free{1, 1, 1};  // [-] 1 along the axes on which it moves, else 0
  Vector load{};         // [N]
  Ramp ramp{};           // [-] times the load, by the time since `start`
  Real start = 0;        // [s]
  Real damping = 0;      // [N s/m]
  Vector along_free(const Vector& a) const { return {free.x * a.x, free.y * a.y, free.z * a.z}; }
};

struct WorldSettings {
  LawTable laws;                           // for each pair of materials
  std::vector<RollingResistance> rolling;  // the same; empty: none, and springs have no rows for it
  std::optional<HardLaws> hard;            // contacts are hard: the laws above exert no force (world/hard_contacts.hpp)
  int materials = 1;
  Vector gravity{0, 0, -9.81};  // [m/s^2]
  PeriodicCell cell;
  std::vector<Surface> surfaces;
  std::vector<std::string> walls;        // names
  std::vector<LoadedWall> loaded_walls;  // those that move under forces
  Real skin = 0;                         // [m]; 0: a fifth of the smallest radius there is, all of it for hard contacts
  Real reach = 0;                        // [m] of the list's slots, at most the skin; 0: follows from skin and speeds
  bool rotation = true;                  // false: grains never spin
  // Whether beginning and end of contacts are corrected (docs/onset.md). Only schemes of fixed step may: an adaptive
  // scheme would not see a contact begin, and would step over it. It stays off unless the force of every law jumps
  // where a contact begins. The step times fastest_pair().damping must be below 1: a dashpot faster than a step is not
  // resolved, and must not be taken back.
  bool onset = false;
  std::vector<Real> inverse_masses;  // inverse_mass() of each surface; empty without loaded walls; World fills it
  bool general_kernel = false;  // every contact by the general kernel, for comparisons (contact/kernels/whole_step.hpp)
  int threads = 1;
  Simd simd = widest_simd();  // results do not depend on it

  // [1/kg] against a force along the normal of the surface; 0 where its motion is prescribed.
  Real inverse_mass(const Surface& s) const;
  bool rolls() const { return !rolling.empty(); }
  int spring_rows() const { return rolls() ? BondRow::rolling_count : BondRow::count; }
};

}  // namespace cairn
