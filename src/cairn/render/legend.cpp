#include "cairn/render/legend.hpp"

#include <algorithm>
#include <cstdio>

#include "cairn/render/colours.hpp"
#include "cairn/render/pen.hpp"

namespace cairn::render {
namespace {

void draw_bar(Image& image, const ColourScale& scale) {
  const int x0 = image.width - 118, x1 = x0 + 22, y0 = image.height / 4, y1 = image.height * 3 / 4;
  for (int y = y0; y < y1; ++y) {
    const auto colour = colour_of((y1 - 1 - y) / (y1 - y0 - 1.0));
    for (int x = x0; x < x1; ++x)
      std::copy(colour.begin(), colour.end(), &image.rgb[3 * (static_cast<std::size_t>(y) * image.width + x)]);
  }
  Pen pen(image);
  constexpr Real size = 13;
  for (int k = 0; k <= 4; ++k) {
    const Real y = y1 - k * (y1 - y0) / 4.0;
    pen.line(x1, y, x1 + 6, y, 1.5, Pen::ink);
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", scale.low + k * (scale.high - scale.low) / 4);
    pen.text(x1 + 12, y + size / 2, size, text);
  }
  pen.text(std::min<Real>(x0, image.width - 12 - Pen::width(size, scale.label)), y0 - 24, size, scale.label);
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
