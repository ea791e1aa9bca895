// The cases of the study of contact onsets: one impact, a chain, and many grains.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cairn/world/world.hpp"

namespace cairn::studies {

struct Start {
  WorldSettings settings;
  std::vector<GrainData> grains;
};

struct Moving {
  Vector x, v, w;  // [m] [m/s] [rad/s]
  Real radius;     // [m]
};
using GrainMotions = std::vector<Moving>;  // by id

// One number for the distance of outcomes from the reference.
struct Measure {
  enum class Of { rms, mean, median };  // of all deviations; mean: its magnitude
  std::string name, words;
  Of of;
  int look;  // at which of the case's instants
  // Appends the deviations of an outcome from the reference [-].
  std::function<void(const GrainMotions& outcome, const GrainMotions& reference, std::vector<Real>& to)> deviations;
};

struct OnsetCase {
  std::string name, words, law;
  Real contact;         // [s] that a contact lasts: n = contact / h
  Real end;             // [s]
  int looks = 1;        // instants at equal distances, the last at the end
  bool phased = false;  // one motion from starts that differ in where in a step it meets its first contact
  int starts = 1;
  Real tolerance = 1e-13;                       // of the reference; larger in a case that chaos limits anyway
  std::function<Start(int k, Real h)> start{};  // the k-th; only phased ones depend on the step h [s]
  std::vector<Measure> measures{};
};

struct CaseSizes {
  int phases;          // of one impact, and of the chain
  int billiards, gas;  // grains
  int tables;          // of billiards
};
std::vector<OnsetCase> onset_cases(const CaseSizes& sizes);

// Homogeneous cooling of a gas of smooth inelastic spheres. Its mean energy follows Haff's law
// E / E_0 = (1 + t / tau)^-2 (Haff, J. Fluid Mech. 134 (1983) 401) with 1 / tau = (1 - e^2) omega_E / 6, omega_E
// Enskog's rate of collisions of one sphere, 4 n d^2 g sqrt(pi T / m), and Carnahan and Starling's g = (1 - phi / 2) /
// (1 - phi)^3.
struct CoolingCase {
  Start start;
  Real contact, end, tau;      // [s]
  Real restitution, fraction;  // [-] e, volume fraction phi
};
CoolingCase cooling_case(int grains, std::uint64_t seed);

}  // namespace cairn::studies
