#include "cairn/formats/image.hpp"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cairn/core/error.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

std::string encode_png(const Image& image, bool small) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  if (!small) png.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr))
    throw std::runtime_error(std::string("cannot encode a picture as PNG: ") + png.message);
  bytes.resize(size);
  return bytes;
}

Image decode_png(const std::string& bytes) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  const auto fail = [&] { throw Error(Exit::io, std::string("cannot read a picture: ") + png.message); };
  if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size())) fail();
  png.format = PNG_FORMAT_RGB;
  Image image{static_cast<int>(png.width), static_cast<int>(png.height), {}};
  image.rgb.resize(PNG_IMAGE_SIZE(png));
  if (!png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr)) fail();
  return image;
}

Image shrunk(const Image& image, int width) {
  if (width >= image.width || width < 1) return image;
  const Real scale = static_cast<Real>(image.width) / width;
  Image out{width, std::max(1, static_cast<int>(std::lround(image.height / scale))), {}};
  out.rgb.resize(static_cast<std::size_t>(3) * out.width * out.height);
  const Real rows = static_cast<Real>(image.height) / out.height;
  const auto cover = [](int at, Real low, Real high) { return std::min(high, at + 1.0) - std::max<Real>(low, at); };
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      const Real left = x * scale, right = std::min<Real>((x + 1) * scale, image.width);
      const Real top = y * rows, bottom = std::min<Real>((y + 1) * rows, image.height);
      Real sum[3] = {}, area = 0;
      for (int row = static_cast<int>(top); row < bottom; ++row)
        for (int column = static_cast<int>(left); column < right; ++column) {
          const Real weight = cover(row, top, bottom) * cover(column, left, right);
          const std::uint8_t* from = &image.rgb[3 * (static_cast<std::size_t>(row) * image.width + column)];
          for (int c = 0; c < 3; ++c) sum[c] += weight * from[c];
          area += weight;
        }
      std::uint8_t* to = &out.rgb[3 * (static_cast<std::size_t>(y) * out.width + x)];
      for (int c = 0; c < 3; ++c) to[c] = static_cast<std::uint8_t>(sum[c] / area + 0.5);
    }
  return out;
}

}  // namespace cairn
