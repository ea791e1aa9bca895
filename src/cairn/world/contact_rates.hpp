// Stiffness and damping of contacts as the stability of a step needs them: sticking, with springs and dashpots that no
// limit cuts. They are derivatives of the law's own force; no law states them a second time.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/world/bodies.hpp"
#include "cairn/world/contact_scene.hpp"

namespace cairn {

struct ContactRates {
  Real normal = 0, tangential = 0, rolling = 0, twisting = 0;  // [N/m] or [N s/m]
};

struct ContactStiffness {
  ContactRates stiffness, damping;
  // [N/m] where the normal and the tangential spring are coupled: the largest stiffness, with a sphere's rotation, in
  // units of the translation; 0: they are not.
  Real coupled = 0;
};

// One closed contact of two grains, or of a grain and a wall.
struct LiveContact {
  std::array<std::int64_t, 2> ids{};    // of the grains, ascending; second: -1 - wall for a wall
  int i = 0, j = -1;                    // rows of the grains; j: -1 for a wall
  Vector n{};                           // from the first to the second
  Real lever_i = 0, lever_j = 0;        // [m] of the tangential force
  Real rolling_lever = 0, overlap = 0;  // [m]
  ContactStiffness of{};
};

// The lightest bodies of one pair of materials, in contact.
struct PairInContact {
  int first = 0, second = 0;     // materials
  bool wall = false;             // the second is one
  Real mass = 0, m_eff = 0;      // [kg] of the lighter grain; of the two
  Real radius = 0, overlap = 0;  // [m] of the smaller grain
  ContactStiffness of{};

  // [1/s^2] [1/s] Stiffness or damping over mass, the greater of along and across the contact, where spheres turn, too.
  Real fastest(const ContactRates& rates) const {
    return std::max(rates.normal, slip_response * rates.tangential) / m_eff;
  }
};

// By which overlaps are foretold: the greater of those of an impact at this speed and of a static force.
struct ExpectedLoad {
  Real speed = 0, force = 0;  // [m/s] [N]
};

struct PairRates {
  Real frequency = 0;  // [rad/s]
  Real damping = 0;    // [1/s] of the approach by the dashpot, gamma / m_eff
};

// The closed contacts of one grain, in the order of its list; and all, by the ids of their first grains.
void live_contacts_of(const ContactScene& scene, const State& y, int grain, std::vector<LiveContact>& to);
std::vector<LiveContact> live_contacts_of(const ContactScene& scene, const State& y);

// Two of the lightest grains of each material: theirs are the fastest and shortest contacts.
class LightestGrains {
 public:
  struct Grain {
    Real mass, radius;  // [kg] [m]
    auto operator<=>(const Grain&) const = default;
  };
  explicit LightestGrains(int materials) : of_(static_cast<std::size_t>(materials)) {}
  void look(int material, const Grain& grain);
  const std::vector<Grain>& of(int material) const { return of_[static_cast<std::size_t>(material)]; }  // ascending

 private:
  std::vector<std::vector<Grain>> of_;
};
LightestGrains lightest_of(const ContactScene& scene);  // of all ranks, each of which makes the call

// The largest rates of any two grains, or a grain and a wall, at first touch; 0 where there is none. `expected` are
// grains that will come later.
PairRates fastest_pair_of(const WorldSettings& settings, LightestGrains lightest, Real smallest_radius,
                          std::span<const GrainData> expected);
// The lightest of each pair of materials under this load; without one, at first touch.
std::vector<PairInContact> pairs_in_contact_of(const WorldSettings& settings, LightestGrains lightest,
                                               const ExpectedLoad& load, std::span<const GrainData> expected);

}  // namespace cairn
