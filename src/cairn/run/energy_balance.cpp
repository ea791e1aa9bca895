#include "cairn/run/energy_balance.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cairn {
namespace {

// [J] the largest kinetic energy of the grains as anyone sees it who moves with a wall, or stands still: what friction
// and collisions with that wall may exchange. So a grain that begins to slide on a belt is measured by what it will
// take from the belt, as in the frame in which the belt stands.
Real kinetic_beside_walls(const World& world, Real kinetic) {
  Real most = kinetic;
  std::optional<Momenta> momenta;
  for (const Surface& s : world.settings().surfaces) {
    const Vector v = world.pose(s).velocity;
    if (v == Vector{}) continue;
    if (!momenta) momenta = world.momenta();
    most = std::max(most, kinetic - dot(v, momenta->linear) + 0.5 * momenta->mass * dot(v, v));
  }
  return most;
}

}  // namespace

Real EnergyBalance::throughput(const World& world) const {
  LedgerChannels ledger = world.state().ledger;
  ledger[Channel::external] -= world.gravitational_inflow();  // what is left does not depend on the origin
  ledger[Channel::onset] = 0;                                 // an error, as the residual is
  Real sum = exchanged_;
  for (Real a : ledger) sum += std::fabs(a);
  return sum;
}

void EnergyBalance::measure(const World& world) {
  const Energies e = world.energies();
  constexpr Real rounded = 1e-12;  // [-] of its parts: no fall
  const Real inflow = world.gravitational_inflow(), fallen = e.gravitational - first_gravitational_ - inflow;
  const Real parts = std::fabs(e.gravitational) + std::fabs(first_gravitational_) + std::fabs(inflow);
  const Real exchanged_in_fall = std::fabs(fallen) > rounded * parts ? std::fabs(fallen) : 0;
  exchanged_ =
      std::max(exchanged_, kinetic_beside_walls(world, e.kinetic) + e.rotational + e.elastic + exchanged_in_fall);
  residual_ = world.residual(e);
}

}  // namespace cairn
