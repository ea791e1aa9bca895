#include "cairn/run/network_limits.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/core/text.hpp"

namespace cairn {
namespace {

// The stiffest loaded wall on its contacts, the grains held: the traces of its own blocks of M^-1 K and M^-1 C.
RayleighQuotients stiffest_wall(const World& world) {
  RayleighQuotients most;
  const WorldSettings& settings = world.settings();
  if (settings.loaded_walls.empty()) return most;
  const std::vector<LiveContact> contacts = world.live_contacts();
  for (const LoadedWall& wall : settings.loaded_walls) {
    RayleighQuotients of{.damping = wall.damping / wall.mass};
    for (int axis = 0; axis < 3; ++axis) {
      if ((&wall.free.x)[axis] == 0) continue;
      for (const LiveContact& c : contacts) {
        if (c.ids[1] != -1 - wall.wall) continue;
        const Real along = (&c.n.x)[axis] * (&c.n.x)[axis];
        const auto add = [&](const ContactRates& r, Real& to) {
          to += (along * r.normal + (1 - along) * r.tangential) / wall.mass;
        };
        add(c.of.stiffness, of.stiffness), add(c.of.damping, of.damping);
      }
    }
    most.stiffness = std::max(most.stiffness, of.stiffness), most.damping = std::max(most.damping, of.damping);
  }
  return most;
}

SharpRate sharp_rate(const ContactNetwork& network, Real stiffness, Real damping, Real precision) {
  const LargestEigenvalue most = largest_eigenvalue(network, stiffness, damping, precision);
  if (!(most.value > 0)) return {};
  return {most.value, most.residual, network.most_strained(stiffness, damping, most.mode)};
}

}  // namespace

// Of the contacts of all ranks; walls with loads are known where one has them all.
// The largest eigenvalue of a positive matrix of two blocks is at most the sum of those of the blocks.
NetworkRates network_bound(const World& world) {
  world.domain().ask(Question::network_bound);
  const auto contacts_of = [&](int grain, std::vector<LiveContact>& to) { world.live_contacts_of(grain, to); };
  NetworkRates most = upper_bounds(world.grains(), contacts_of, world.settings().threads, world.domain());
  const RayleighQuotients wall = stiffest_wall(world);
  most.stiffness += wall.stiffness, most.damping += wall.damping;
  return most;
}

ContactNetwork network_of(const World& world) {
  return {world.grains(), world.live_contacts(), world.settings().loaded_walls, world.settings().threads};
}

SharpRates sharp_rates(const ContactNetwork& network, Real precision) {
  return {sharp_rate(network, 1, 0, precision), sharp_rate(network, 0, 1, precision)};
}

HardestMotion hardest_motion(const ContactNetwork& network, const SchemeEntry& scheme, Real h, Real precision) {
  constexpr Real strongest = 100;  // [-] zeta beyond which h c / m alone decides
  const Real undamped = scheme.stability(0), damped = 2 * strongest * scheme.stability(strongest);
  const Real stiffness = h * h / (undamped * undamped), damping = h / damped;
  const LargestEigenvalue most = largest_eigenvalue(network, stiffness, damping, precision);
  if (!(most.value > 0)) return {};
  return {rayleigh_quotients(network, most.mode), network.most_strained(stiffness, damping, most.mode)};
}

std::string body_in_words(const Scenario& s, const World& world, const ContactNetwork& network,
                          const ContactNetwork::Place& place) {
  if (place.wall >= 0) {
    const LoadedWall& wall = world.settings().loaded_walls[place.wall];
    return "wall '" + world.settings().walls[wall.wall] + "'";
  }
  if (place.grain < 0) return "no grain";
  int count = 0;
  for (const LiveContact& c : network.contacts()) count += c.i == place.grain || c.j == place.grain;
  return "grain " + std::to_string(world.grains().id[place.grain]) + " of '" +
         s.materials[world.grains().material[place.grain]].name + "' with " + std::to_string(count) +
         (count == 1 ? " contact" : " contacts");
}

std::string contact_in_words(const Scenario& s, const World& world, const ContactNetwork& network,
                             const ContactNetwork::Place& place) {
  if (place.contact < 0) return "no contact";
  const LiveContact& c = network.contacts()[place.contact];
  const auto grain = [&](int row) {
    return "grain " + std::to_string(world.grains().id[row]) + " ('" + s.materials[world.grains().material[row]].name +
           "')";
  };
  return "the contact of " + grain(c.i) + " and " +
         (c.j >= 0 ? grain(c.j) : "wall '" + world.settings().walls[-1 - c.ids[1]] + "'") + " at " +
         brief(world.position(c.i) + c.lever_i * c.n) + " m";
}

}  // namespace cairn
