// Hard contacts: bodies that do not overlap. Such a contact has no force; it changes the velocities of its two bodies
// at once, by an impulse. Bodies and contacts stand in plain arrays, so that solvers know neither grains nor walls.
//
// Signs: n points from body i to body j. Body i takes the impulse -normal n + tangential, body j the opposite; normal
// is never negative.
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn::hard {

struct Impulse {
  Real normal = 0;      // [N s]
  Vector tangential{};  // [N s] on i
};

// A body moves along x, y and z with an inverse mass of its own for each: walls move along some axes only, and one of
// prescribed motion has 0 for all.
struct Body {
  Vector v{}, w{};           // [m/s] [rad/s] now
  Vector inverse_mass{};     // [1/kg]
  Real inverse_inertia = 0;  // [1/(kg m^2)]
};

struct Contact {
  int i = 0, j = 0;               // bodies
  Vector n{};                     // [-] unit
  Real lever_i = 0, lever_j = 0;  // [m] from the centre to the contact point
  Vector wall_velocity{};         // [m/s] of the point of j by a prescribed motion
  Real restitution = 0;           // [-] e
  Real friction = 0;              // [-] mu
  Real gap = 0;                   // [m] between the surfaces, negative where they overlap
  Real resting_overlap = 0;       // [m] that contact dynamics leaves, so that bodies at rest remain in contact
  Real slowest = 0;               // [m/s] contact dynamics: an approach at most as fast ends without a rebound
  Vector before{};                // [m/s] relative velocity when the step began

  // Found by the solvers.
  Real normal = 0;      // [N s]
  Vector tangential{};  // [N s] on i

  // [1/kg] Velocity per impulse. That across n is an upper bound where the inverse masses differ along the axes: an
  // iteration may take it.
  Vector inverse_mass{};         // of both bodies together
  Real spin_response = 0;        // across n, by spins alone
  Real normal_response = 0;      // along n
  Real tangential_response = 0;  // across n
};

// Fills the responses.
void prepare(std::span<const Body> bodies, std::span<Contact> contacts);

// [m/s] of the point of i relative to that of j; its part along n is the speed of approach.
inline Vector relative_velocity(std::span<const Body> bodies, const Contact& c) {
  const Body &a = bodies[c.i], &b = bodies[c.j];
  return a.v - b.v - c.wall_velocity + cross(c.lever_i * a.w + c.lever_j * b.w, c.n);
}

inline Vector along_axes(const Vector& a, const Vector& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

// Both bodies of c take the impulse [N s] at the contact point, i as given and j the opposite.
inline void apply(std::span<Body> bodies, const Contact& c, const Vector& impulse) {
  Body &a = bodies[c.i], &b = bodies[c.j];
  a.v += along_axes(a.inverse_mass, impulse);
  b.v -= along_axes(b.inverse_mass, impulse);
  const Vector turn = cross(c.n, impulse);
  a.w += (a.inverse_inertia * c.lever_i) * turn;
  b.w += (b.inverse_inertia * c.lever_j) * turn;
}

// [N s] within Coulomb's limit mu times the normal impulse.
inline Vector within_friction(const Vector& tangential, Real limit) {
  const Real length2 = dot(tangential, tangential);
  return length2 > limit * limit ? (limit / std::sqrt(length2)) * tangential : tangential;
}

// [J] where the work of impulses went. The kinetic energy changes by -(inelastic + slip) + external, exactly: the work
// of an impulse J on a contact is J times the mean of the relative velocities before and after it. Contacts together
// should not gain; below zero, inelastic and slip are an error of the method.
struct Work {
  Real inelastic = 0;  // lost to restitution
  Real slip = 0;       // lost to friction
  Real external = 0;   // done by walls of prescribed motion

  // Adds the work of an impulse that took the relative velocity from `before` to `after`.
  void add(const Contact& c, Real normal, const Vector& tangential, const Vector& before, const Vector& after);
};

// How a solver ended.
struct Outcome {
  int sweeps = 0;         // over all contacts
  Real residual = 0;      // [m/s] violation that is left, as each solver defines it
  bool converged = true;  // the residual is within the tolerance
  Work work;
};

}  // namespace cairn::hard
