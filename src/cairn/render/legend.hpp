// The legend of a picture, drawn beside it: a bar with numbers, or names.
#pragma once
#include "cairn/formats/image.hpp"
#include "cairn/render/picture.hpp"

namespace cairn::render {

void draw_legend(Image& image, const ColourScale& scale);

}  // namespace cairn::render
