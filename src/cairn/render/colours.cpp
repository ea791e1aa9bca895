#include "cairn/render/colours.hpp"

#include <cstdlib>

#include "cairn/core/constants.hpp"
#include "cairn/render/figure.hpp"

namespace cairn::render {
namespace {

// From Oklab (B. Ottosson, 2020), whose distances follow the eye's; linear light.
Float3 from_oklab(float lightness, float a, float b) {
  const auto cube = [](float c) { return c * c * c; };
  const float l = cube(lightness + 0.3963377774f * a + 0.2158037573f * b);
  const float m = cube(lightness - 0.1055613458f * a - 0.0638541728f * b);
  const float s = cube(lightness - 0.0894841775f * a - 1.2914855480f * b);
  return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
          -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
          -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

}  // namespace

float to_srgb(float linear) {
  const float a = std::clamp(linear, 0.0f, 1.0f);
  return a <= 0.0031308f ? 12.92f * a : 1.055f * std::pow(a, 1 / 2.4f) - 0.055f;
}

// Lightness and hue change evenly; where the screen cannot show the chroma it is lowered.
Float3 linear_colour(Real fraction) {
  const auto s = static_cast<float>(std::clamp(fraction, 0.0, 1.0));
  const float lightness = 0.30f + 0.61f * s;
  const float hue = static_cast<float>(pi / 180) * (300 - 195 * s);
  const auto at = [&](float chroma) { return from_oklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue)); };
  float low = 0, high = 0.15f - 0.045f * std::sin(static_cast<float>(pi) * s);
  for (int k = 0; k < 12; ++k) {
    const float middle = 0.5f * (low + high);
    const Float3 c = at(middle);
    (std::min({c.x, c.y, c.z}) < 0 || std::max({c.x, c.y, c.z}) > 1 ? high : low) = middle;
  }
  return at(low);
}

std::array<std::uint8_t, 3> colour_of_kind(int number) {
  const long hex = std::strtol(curve_colour(static_cast<std::size_t>(number)) + 1, nullptr, 16);  // "#0072b2"
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8 & 255),
          static_cast<std::uint8_t>(hex & 255)};
}

Float3 linear_colour_of_kind(int number) {
  const auto linear = [](std::uint8_t byte) {
    const float a = static_cast<float>(byte) / 255;
    return a <= 0.04045f ? a / 12.92f : std::pow((a + 0.055f) / 1.055f, 2.4f);
  };
  const auto c = colour_of_kind(number);
  return {linear(c[0]), linear(c[1]), linear(c[2])};
}

}  // namespace cairn::render
