// Colours of equal perceptual steps, and linear light as bytes of a screen.
#pragma once
#include <array>
#include <cstdint>

#include "cairn/core/vec3.hpp"
#include "cairn/render/float3.hpp"

namespace cairn::render {

float to_srgb(float linear);
// Linear light of a fraction of the colour scale, 0 to 1.
Float3 linear_colour(Real fraction);
// sRGB bytes of a thing of this number among others of its kind: those of the curves in figures, which colour-blind
// readers can tell apart. After nine they repeat.
std::array<std::uint8_t, 3> colour_of_kind(int number);
// As linear light.
Float3 linear_colour_of_kind(int number);

class Palette {
 public:
  Palette() {
    for (int k = 0; k < count; ++k) colours_[k] = linear_colour(k / (count - 1.0));
  }
  const Float3& operator()(Real fraction) const {
    if (!(fraction > 0)) return colours_[0];
    return colours_[static_cast<int>(std::min(fraction, 1.0) * (count - 1) + 0.5)];
  }

 private:
  static constexpr int count = 256;
  std::array<Float3, count> colours_;
};

class ToBytes {
 public:
  ToBytes() {
    for (int k = 0; k < count; ++k)
      bytes_[k] = static_cast<std::uint8_t>(255 * to_srgb(static_cast<float>(k) / (count - 1)) + 0.5f);
  }
  std::uint8_t operator()(float linear) const {
    return bytes_[static_cast<int>(std::clamp(linear, 0.0f, 1.0f) * (count - 1) + 0.5f)];
  }

 private:
  static constexpr int count = 4096;
  std::array<std::uint8_t, count> bytes_;
};

}  // namespace cairn::render
