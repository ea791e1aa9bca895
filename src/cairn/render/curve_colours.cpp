// The colours of curves and of materials, which colour-blind readers can tell apart.
#include <array>

#include "cairn/render/figure.hpp"

namespace cairn {
namespace {

constexpr std::array<const char*, curve_colour_count> curve_colours{
    "#0072b2", "#e69f00", "#009e73", "#56b4e9", "#d55e00", "#cc79a7", "#8c8c8c", "#c9b400", "#7a5195"};

}  // namespace

const char* curve_colour(std::size_t number) {
  return curve_colours[number % curve_colours.size()];
}

}  // namespace cairn
