// A picture in memory, and as a PNG file.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace cairn {

struct Image {
  int width = 0, height = 0;      // [pixels]
  std::vector<std::uint8_t> rgb;  // rows from the top; red, green, blue of each pixel, sRGB
};

// The bytes of a PNG file.
std::string encode_png(const Image& image);

}  // namespace cairn
