// Lines and letters on an image.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "cairn/formats/image.hpp"
#include "cairn/render/letters.hpp"

namespace cairn::render {

// Draws over a finished picture, in pixels.
class Pen {
 public:
  explicit Pen(Image& image) : image_(image) {}

  // hidden(x, y, along) may dim a part; `along` from 0 to 1.
  template <class Strength>
  void line(Real x0, Real y0, Real x1, Real y1, Real thickness, const std::array<std::uint8_t, 3>& colour,
            Strength&& strength) {
    const Real dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy, margin = 0.5 * thickness + 1;
    const auto limit = [](Real a, int size) { return static_cast<int>(std::clamp(a, 0.0, size - 1.0)); };
    const bool flat = std::fabs(dx) > std::fabs(dy);
    const int first =
        flat ? limit(std::min(x0, x1) - margin, image_.width) : limit(std::min(y0, y1) - margin, image_.height);
    const int last =
        flat ? limit(std::max(x0, x1) + margin, image_.width) : limit(std::max(y0, y1) + margin, image_.height);
    const Real slope = flat ? dy / dx : (dy == 0 ? 0 : dx / dy), width = margin * std::sqrt(1 + slope * slope) + 1;
    for (int a = first; a <= last; ++a) {
      const Real middle = flat ? y0 + (a + 0.5 - x0) * slope : x0 + (a + 0.5 - y0) * slope;
      const int size = flat ? image_.height : image_.width;
      if (middle + width < 0 || middle - width > size) continue;
      for (int b = limit(middle - width, size); b <= limit(middle + width, size); ++b) {
        const int x = flat ? a : b, y = flat ? b : a;
        const Real px = x + 0.5 - x0, py = y + 0.5 - y0;
        const Real along = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
        const Real off = std::hypot(px - along * dx, py - along * dy);
        const Real cover = std::clamp(0.5 * thickness + 0.5 - off, 0.0, 1.0);
        if (cover > 0) blend(x, y, colour, cover * strength(x, y, along));
      }
    }
  }
  void line(Real x0, Real y0, Real x1, Real y1, Real thickness, const std::array<std::uint8_t, 3>& colour) {
    line(x0, y0, x1, y1, thickness, colour, [](int, int, Real) { return 1.0; });
  }

  // (x, y): left end of the base line; `height` of a capital. Letters it does not have stay blank.
  void text(Real x, Real y, Real height, const std::string& words) {
    const Real unit = height / 6;
    for (const char c : words) {
      for (const Letter& letter : letters) {
        if (letter.name != c) continue;
        bool pen_down = false;
        Real last_x = 0, last_y = 0;
        for (const char* p = letter.strokes; *p != '\0';) {
          if (*p == ' ') {
            pen_down = false, ++p;
            continue;
          }
          const Real nx = x + unit * (p[0] - '0'), ny = y - unit * (p[1] - '2');
          if (pen_down) line(last_x, last_y, nx, ny, 0.17 * height, ink);
          last_x = nx, last_y = ny, pen_down = true, p += 2;
        }
      }
      x += unit * advance(c);
    }
  }
  static Real width(Real height, const std::string& words) {
    Real sum = 0;
    for (const char c : words) sum += advance(c);
    return sum * height / 6;
  }

  static constexpr std::array<std::uint8_t, 3> ink{60, 64, 72};

 private:
  static Real advance(char c) { return c == ' ' ? 3.5 : 6; }
  void blend(int x, int y, const std::array<std::uint8_t, 3>& colour, Real weight) {
    std::uint8_t* p = &image_.rgb[3 * (static_cast<std::size_t>(y) * image_.width + x)];
    for (int k = 0; k < 3; ++k) p[k] = static_cast<std::uint8_t>(p[k] + weight * (colour[k] - p[k]) + 0.5);
  }

  Image& image_;
};

}  // namespace cairn::render
