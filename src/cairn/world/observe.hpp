// Observations of a World between steps, as functions of its contacts and its state. They change nothing.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "cairn/world/contact_scene.hpp"

namespace cairn {

// Energies of a state [J], those of loaded walls included.
struct Energies {
  Real kinetic = 0, rotational = 0, gravitational = 0, elastic = 0;
  // Parts of `elastic` in springs that do not store (contact/coulomb.hpp): State::ledger counts the whole work done on
  // them as slip or rolling.
  Real slip_held = 0, rolling_held = 0;
  Real mechanical() const { return kinetic + rotational + gravitational + elastic; }
};

struct Momenta {
  // [kg m/s] of grains and loaded walls; of grains: [kg m^2/s] about the origin, [m]
  Vector linear{}, angular{}, barycentre{};
  Real mass = 0;  // [kg] of grains
};

struct WallLoad {
  Vector force{}, torque{};  // [N] [N m] of the grains on the wall, torque about the origin
};

// One closed contact.
struct ContactView {
  std::int64_t first = 0, second = 0;  // ids of the grains; second: -1 - wall for a wall
  Vector from{}, to{};                 // [m] centre of the first; centre of the second (its nearest image), or the
                                       // contact point on the wall
  Vector normal{}, tangential{};       // [N] force on the first grain
  Vector spring{};                     // [m] tangential
  Real overlap = 0;                    // [m]
  Vector torque{};                     // [N m] of rolling and twisting resistance on the first grain
  Real approach = 0;                   // [m/s] d overlap/dt
  int surface = -1;                    // of WorldSettings::surfaces, at a wall
  int first_material = 0, second_material = 0;  // as Particles::material counts them; of the wall
};

// Sums of energies, momenta and loads are reproducible: they depend on no order. They and the extent are of the grains
// of all ranks that share a run, and all of them make the call.
Energies energies_of_grain(const ContactScene& scene, const State& y, int i);  // without its contacts
Energies energies_of(const ContactScene& scene, const State& y);
Momenta momenta_of(const ContactScene& scene, const State& y);
struct ClosedContacts {
  int count = 0;
  Real deepest = 0;  // [-] largest overlap over the smaller radius
};
ClosedContacts closed_of(const ContactScene& scene, const State& y);
struct Extent {  // [m] of spheres, where they are in a periodic cell; without grains low > high
  Vector low, high;
};
Extent extent_of(const ContactScene& scene, const State& y);
std::vector<int> coordination_of(const ContactScene& scene, const State& y);
std::vector<WallLoad> wall_loads_of(const ContactScene& scene, const State& y);
// By ascending ids. Of a contact between ranks one of the two has the view, or with `of_others` both.
std::vector<ContactView> closed_contacts_of(const ContactScene& scene, const State& y, bool of_others = false);

}  // namespace cairn
