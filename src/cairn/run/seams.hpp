// Walls whose faces lie in one plane and meet there: each of them carries a grain on its own.
#pragma once
#include <string>

#include "cairn/world/world.hpp"

namespace cairn {

// Names two such walls, where they meet, how it shows and a remedy; how many more pairs there are. Empty: none.
// `radius` [m]: of the smallest grain, 0 where none is known. Under gravity only faces on which grains would lie count.
//
// A grain on the seam of two solid boxes has two contacts, each with nearly its whole overlap. With the linear law
// 2 k d = m g holds at half the static overlap d_s = m g / k: a slow grain rises by d_s / 2. One that is lifted at once
// swings about that height, and without dashpots the energy of the two springs at d_s, 2 (k d_s^2 / 2) = m g d_s, takes
// it to d = 0: it rises by d_s at most.
//
// They cannot act as one in the contact kernels: the spring of the contact with one box would have to go on in that
// with the other.
std::string seam_message(const WorldSettings& world, Real radius);

}  // namespace cairn
