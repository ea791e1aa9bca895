// The thickness of walls, which shows where their faces end: without it grains that rest on them seem to float.
#pragma once
#include <span>
#include <vector>

#include "cairn/render/picture.hpp"

namespace cairn::render {

// Strips along the edges of faces, as if each face were a plate of this thickness, mitred where strips meet. Faces that
// are seen from behind are not drawn. So an edge between a face that is drawn and one that is not has the strip of the
// former; where both are drawn, or neither, there is none, but round walls have the whole of their rim.
std::vector<Patch> rims(std::span<const Patch> faces, const Vector& eye, Real thickness, Real tolerance);

}  // namespace cairn::render
