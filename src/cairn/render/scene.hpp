// The scene of a picture of a World: its grains, coloured as the look says, and its walls, as far as the view goes.
#pragma once
#include "cairn/render/look.hpp"

namespace cairn {

// Lives no longer than the world, and shows its grains as they then are; a rank's own where ranks share them.
Scene scene_of(const World& world, const Scenario& scenario, const Look& look);

// The same without the thickness of walls, which is that seen from the eye of the pictures.
Scene scene_without_rims(const World& world, const Scenario& scenario, const Look& look);

// Rank 0 gets the picture. It shows the grains of all ranks.
Image picture_of(const World& world, const Scenario& scenario, const Look& look);
// The other ranks call this when rank 0 asks them: it chooses the look, follows with the view, or draws.
void take_part_in_picture(Question question, ByteReader& message, const World& world, const Scenario& scenario);

}  // namespace cairn
