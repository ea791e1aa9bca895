// Motion that round-off takes: far from the origin the spacing of numbers may be wider than the path of a step.
#pragma once
#include <cstdint>
#include <string>

#include "cairn/world/world.hpp"

namespace cairn {

// A drift x += h v is wrong by up to u / 2, where u [m] is the spacing of numbers at x, and never by more than the path
// h v itself. The path holds log10(h v / u) decimal digits. Returns a message where a block of grains keeps fewer than
// three digits in a direction and `steps` such steps lose more than a millionth of a radius; otherwise nothing. A bed
// at rest near the origin is silent: the motion it can lose is tiny. v is the fastest in the block, with the speed that
// the present acceleration adds within `ahead` [s]: a grain that turns back is slow for an instant only.
std::string round_off_message(World& world, Real h, Real steps, Real ahead);

// The part of it that all ranks make together.
struct RoundOffLook {
  Real h, steps, ahead;  // [s] [-] [s]
};
struct RoundOff {
  Real worst = 0, digits = 0, loss = 0, far = 0;  // [radii] and [m] of loss, [-] digits kept, [m] from the origin
  int axis = 0;
  std::int64_t grain = -1;  // id
  void add(const RoundOff& other);
};
RoundOff worst_round_off(World& world, const RoundOffLook& look);

}  // namespace cairn
