// The contacts of a run in words.
#pragma once
#include <string>

#include "cairn/run/contact_summary.hpp"

namespace cairn {

// "a head-on collision of glass with wall of steel at 1 m/s takes 21.3 steps; expected error of its restitution 0.8:
// 1.3 % (onset off, as here), 0.03 % (onset on)"
std::string in_words(const ShortestCollision& shortest, bool onset);

// Whether the contacts of a law are hard. They have no dashpot: the ledger's channel of that name holds the energy that
// restitution takes.
bool is_hard(const std::string& law);

}  // namespace cairn
