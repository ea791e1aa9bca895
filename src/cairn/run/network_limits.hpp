// The largest eigenvalues of the present contact network, which limit the step, and where they come from.
#pragma once
#include <string>

#include "cairn/analysis/contact_network.hpp"
#include "cairn/analysis/network_bounds.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/scenario.hpp"

namespace cairn {

// Never below the eigenvalues; 0 without contacts. Loaded walls are added as blocks of their own.
NetworkRates network_bound(const World& world);

// All closed contacts with their grains and the loaded walls.
ContactNetwork network_of(const World& world);

// A largest eigenvalue [1/s^2] or [1/s], its residual in the same unit, and the place of its motion.
struct SharpRate {
  Real value = 0, residual = 0;
  ContactNetwork::Place place;
  // No eigenvalue is expected above, and none of the network is above `bound`.
  Real at_most(Real bound) const { return std::min(value + residual, bound); }
};
struct SharpRates {
  SharpRate stiffness, damping;
};
// `precision` [-] is that of largest_eigenvalue().
SharpRates sharp_rates(const ContactNetwork& network, Real precision = 1e-3);

// The motion that the scheme finds hardest at a step of h [s]: that of the largest eigenvalue of K and C, weighted as
// its limits without dashpots and with dashpots alone weigh them. With one force evaluation per step the scheme is
// unstable on the network if it is on an oscillator of these two quotients.
struct HardestMotion {
  RayleighQuotients of;
  ContactNetwork::Place place;
};
HardestMotion hardest_motion(const ContactNetwork& network, const SchemeEntry& scheme, Real h, Real precision = 1e-3);

// "grain 12 of 'sand' with 7 contacts"; "wall 'lid'".
std::string body_in_words(const Scenario& s, const World& world, const ContactNetwork& network,
                          const ContactNetwork::Place& place);
// "contact of grain 12 ('sand') and grain 40 ('sand') at (0.1, 0.2, 0.3) m"
std::string contact_in_words(const Scenario& s, const World& world, const ContactNetwork& network,
                             const ContactNetwork::Place& place);

}  // namespace cairn
