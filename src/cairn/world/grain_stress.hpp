// How contacts load the grains and the whole: forces, torques and moments of the contact forces. Divided by a volume a
// moment is a stress, positive in compression (Love, Weber; Bagi, Mech. Mater. 22 (1996) 165). They change nothing.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "cairn/core/reproducible_sum.hpp"
#include "cairn/core/symmetric.hpp"
#include "cairn/world/observe.hpp"

namespace cairn {

// By ascending id. Where ranks share the grains, those of a rank's own are whole.
struct GrainLoads {
  std::vector<Vector> force, torque;    // [N] gravity included; [N m] about the centre
  std::vector<SymmetricTensor> moment;  // [N m] of contact forces: -(centre to contact) x (force on the grain)
};
GrainLoads grain_loads_of(const ContactScene& scene, const State& y);

// [N m] of one contact: that of both grains, or of the grain at a wall.
SymmetricTensor moment_of(const ContactView& contact);

// Of the components.
struct ReproducibleTensorSum {
  std::array<ReproducibleSum, SymmetricTensor::size> sums;

  void add(const SymmetricTensor& t) {
    for (int k = 0; k < SymmetricTensor::size; ++k) sums[k].add(t.c[k]);
  }
  void add(const ReproducibleTensorSum& other) {
    for (int k = 0; k < SymmetricTensor::size; ++k) sums[k].add(other.sums[k]);
  }
  SymmetricTensor value() const {
    SymmetricTensor t;
    for (int k = 0; k < SymmetricTensor::size; ++k) t.c[k] = sums[k].value();
    return t;
  }
};

// Sums over all, those of other ranks too, which depend on no order.
struct Moments {
  SymmetricTensor contact;  // [N m] the moments of all contacts
  SymmetricTensor kinetic;  // [J] m u u, u the velocity against that of the centre of mass
  Real grain_volume = 0;    // [m^3], in 2D [m^2], in 1D [m]: of the grains
  int grains = 0;
  int pairs = 0;     // closed contacts of two grains
  int at_walls = 0;  // and those of a grain with a surface of a wall
};
Moments moments_of(const ContactScene& scene, const State& y, int dimension);

// [m^2/s^2] by ascending id, of a rank's own grains where several ranks share them, all of which call it: the granular
// temperature about each grain, sum m |v - V|^2 / (D sum m) over the grain and those whose surfaces are nearer than the
// mean radius; V is their mean velocity, weighted by mass.
std::vector<Real> temperature_of(const ContactScene& scene, const State& y, int dimension);

}  // namespace cairn
