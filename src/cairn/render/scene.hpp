// What a picture of a World shows: its grains, coloured by speed, and its walls, as far as the view goes.
#pragma once
#include "cairn/render/picture.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

// The part of space that pictures of a run show; kept from picture to picture so that they can be compared.
struct View {
  Vector low{}, high{};  // [m]
};

// Of the grains and emitters there are and the walls about them. A few grains far from all others are left out, and
// walls that go on far above everything are cut.
View first_view(const World& world, const Scenario& scenario);

// Widens the view where grains have left it, unless walls hold it together: what falls out of a container is left out.
void follow(View& view, const World& world, const Scenario& scenario);

// Lives no longer than the world, and shows its grains as they then are.
Scene scene_of(const World& world, const Scenario& scenario, const View& view);

// The scale for the speeds [m/s] of these grains: up to a round number that nearly all stay below, and never so fine
// that rest looks like motion.
ColourScale speed_scale(const World& world, const View& view);

Image picture_of(const World& world, const Scenario& scenario, const View& view);

}  // namespace cairn
