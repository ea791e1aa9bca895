// Guaranteed bounds on the largest eigenvalues of a contact network, M^-1 K [1/s^2] and M^-1 C [1/s], translations and
// rotations included, contacts sticking and dashpots not cut (docs/decisions/0017). Sharp values: contact_network.hpp.
#pragma once
#include <functional>
#include <vector>

#include "cairn/world/world.hpp"

namespace cairn {

struct NetworkRates {
  Real stiffness = 0, damping = 0;  // [1/s^2] [1/s]
  int grain = -1;                   // row of that where it is decided; -1: there are no contacts
};

// Puts the contacts of one grain into `to`, in an order that is the grain's own.
using ContactsOf = std::function<void(int grain, std::vector<LiveContact>& to)>;

// Never below the eigenvalues: by rows, a row a grain, the least of three weights each. Row by row, so that no list of
// all contacts takes memory: each is asked for twice. Where grains are apart, of those of all ranks, each of which
// makes the call; `grain` is then one of this rank, or unknown.
NetworkRates upper_bounds(const Particles& grains, const ContactsOf& contacts_of, int threads = 1,
                          const Domain& domain = {});

}  // namespace cairn
