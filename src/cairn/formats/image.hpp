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

// The bytes of a PNG file. `small`: a third smaller, several times slower.
std::string encode_png(const Image& image, bool small = false);
// Error(io) where the bytes are no PNG file.
Image decode_png(const std::string& bytes);

// The same picture in fewer columns, each pixel the mean of those it covers; as it is if it has no more.
Image shrunk(const Image& image, int width);

}  // namespace cairn
