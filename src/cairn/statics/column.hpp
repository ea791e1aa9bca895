// A column of equal grains on a floor, along a line: its state of rest is known in closed form, for contacts of force
// k overlap (law linear) or k overlap^1.5 (law kuwabara_kono).
#pragma once
#include <string>
#include <vector>

#include "cairn/world/world.hpp"

namespace cairn::statics {

struct GrainColumn {
  int count = 50;
  Real radius = 0.3, mass = 1, stiffness = 40000, gravity = 9.81;  // [m] [kg] [N/m] or [N/m^1.5] [m/s^2]
  std::string law = "linear";

  static GrainColumn hertz() {
    GrainColumn c;
    c.law = "kuwabara_kono", c.stiffness = 2e6;
    return c;
  }

  // [N] on the contact below grain j, counted from 1; [m] its overlap at rest.
  Real load(int j) const { return mass * gravity * (count - j + 1); }
  Real overlap(int j) const;
  std::vector<Real> heights() const;  // [m] of the grains at rest
  Real elastic_energy() const;        // [J] at rest
  // [N/m] of the linear column: the smallest eigenvalue of its stiffness; [rad/s] its largest frequency.
  Real softest() const;
  Real largest_frequency() const;

  // With this overlap [m] at every contact; or at rest. All raised by `raised` [m].
  World world(Real overlap, Real raised = 0, int threads = 1) const;
  World world_at_rest(Real raised = 0) const;
  // [m] the farthest a grain is from its place at rest.
  Real error(const World& world) const;
};

}  // namespace cairn::statics
