#include "cairn/render/legend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "cairn/render/colours.hpp"
#include "cairn/render/pen.hpp"

namespace cairn::render {
namespace {

void draw_bar(Image& image, const ColourScale& scale) {
  constexpr Real size = 13;
  constexpr int bar = 22, tick = 12, margin = 12, parts = 4;
  Pen pen(image);
  std::array<std::string, parts + 1> numbers;
  Real widest = 72;  // of usual numbers, so that the bars of most pictures stand at the same place
  for (int k = 0; k <= parts; ++k) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", scale.low + k * (scale.high - scale.low) / parts);
    numbers[k] = text;
    widest = std::max(widest, Pen::width(size, numbers[k]));
  }
  const int x1 = image.width - margin - static_cast<int>(std::ceil(widest)) - tick, x0 = x1 - bar;
  const int y0 = image.height / 4, y1 = image.height * 3 / 4;
  for (int y = y0; y < y1; ++y) {
    const auto colour = colour_of((y1 - 1 - y) / (y1 - y0 - 1.0));
    for (int x = x0; x < x1; ++x)
      std::copy(colour.begin(), colour.end(), &image.rgb[3 * (static_cast<std::size_t>(y) * image.width + x)]);
  }
  for (int k = 0; k <= parts; ++k) {
    const Real y = y1 - k * (y1 - y0) / static_cast<Real>(parts);
    pen.line(x1, y, x1 + tick / 2, y, 1.5, Pen::ink);
    pen.text(x1 + tick, y + size / 2, size, numbers[k]);
  }
  pen.text(std::min<Real>(x0, image.width - margin - Pen::width(size, scale.label)), y0 - 24, size, scale.label);
}

// A row to the right of the caption, for names may be long; those without room are counted.
void draw_names(Image& image, const ColourScale& scale) {
  constexpr Real size = 13, disc = 18, gap = 26;
  const Real y = image.height - 28.0, end = image.width - 12.0;
  const auto more = [&](std::size_t drawn) {
    return drawn == scale.kinds.size() ? "" : "and " + std::to_string(scale.kinds.size() - drawn) + " more";
  };
  Pen pen(image);
  Real x = 300;
  pen.text(x, y, size, scale.label);
  x += Pen::width(size, scale.label) + gap;
  for (std::size_t k = 0; k < scale.kinds.size(); ++k) {
    const auto& [number, name] = scale.kinds[k];
    const Real width = disc + 6 + Pen::width(size, name) + gap;
    if (x + width + Pen::width(size, more(k + 1)) > end) return pen.text(x, y, size, more(k));
    pen.line(x + disc / 2, y - size / 2, x + disc / 2, y - size / 2, disc, colour_of_kind(number));
    pen.text(x + disc + 6, y, size, name);
    x += width;
  }
}

}  // namespace

void draw_legend(Image& image, const ColourScale& scale) {
  scale.kinds.empty() ? draw_bar(image, scale) : draw_names(image, scale);
}

}  // namespace cairn::render
