#include "cairn/render/rims.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::render {
namespace {

struct Plate {
  const std::vector<Vector>* corners;
  Vector normal{}, middle{};  // unit, towards the grains; [m]
  Real radius = 0;            // [m] of a ball about the middle that holds the face
  bool seen = false;          // from in front
};

Plate plate_of(const Patch& face, const Vector& eye) {
  Plate plate{&face.corners};
  const std::vector<Vector>& c = face.corners;
  Vector twice_area{};
  for (std::size_t k = 0; k < c.size(); ++k) {
    plate.middle += (1.0 / static_cast<Real>(c.size())) * c[k];
    twice_area += cross(c[k] - c[0], c[(k + 1) % c.size()] - c[0]);
  }
  plate.normal = (1 / std::max(norm(twice_area), 1e-300)) * twice_area;
  for (const Vector& a : c) plate.radius = std::max(plate.radius, norm(a - plate.middle));
  plate.seen = dot(plate.normal, eye - plate.middle) > 0;
  return plate;
}

bool touches(const Plate& plate, const Vector& point, Real tolerance) {
  if (norm(point - plate.middle) > plate.radius + tolerance) return false;
  if (std::fabs(dot(point - plate.middle, plate.normal)) > tolerance) return false;
  const std::vector<Vector>& c = *plate.corners;
  for (std::size_t k = 0; k < c.size(); ++k) {
    const Vector edge = c[(k + 1) % c.size()] - c[k], inwards = cross(plate.normal, edge);
    if (dot(point - c[k], inwards) < -tolerance * norm(edge)) return false;
  }
  return true;
}

// An edge of a plate at which its thickness shows.
struct Strip {
  const Plate* plate;
  Vector from, to;         // [m] counter-clockwise as seen from the grains
  Vector along, outwards;  // unit vectors in the face
};

bool bent(const Vector& a, const Vector& b) {  // two faces with these normals are one round surface
  const Real cosine = dot(a, b);
  return cosine > 0.9 && cosine < 1 - 1e-9;
}

std::vector<Strip> strips_of(const std::vector<Plate>& plates, const Vector& eye, Real near) {
  std::vector<Strip> strips;
  for (const Plate& plate : plates) {
    const std::vector<Vector>& c = *plate.corners;
    const bool round = std::any_of(plates.begin(), plates.end(), [&](const Plate& other) {
      return bent(plate.normal, other.normal) && (touches(other, c[0], near) || touches(other, c[1], near));
    });
    for (std::size_t k = 0; k < c.size(); ++k) {
      const Vector &a = c[k], &b = c[(k + 1) % c.size()], middle = 0.5 * (a + b);
      if (norm(b - a) < near) continue;
      const Vector along = (1 / norm(b - a)) * (b - a), outwards = cross(along, plate.normal);
      if (dot(outwards, eye - middle) <= 0) continue;
      const bool none = std::any_of(plates.begin(), plates.end(), [&](const Plate& other) {
        if (&other == &plate || !touches(other, middle, near)) return false;
        if (bent(other.normal, plate.normal)) return true;
        return plate.seen ? other.seen : other.seen || !round;
      });
      if (!none) strips.push_back({&plate, a, b, along, outwards});
    }
  }
  return strips;
}

}  // namespace

std::vector<Patch> rims(std::span<const Patch> faces, const Vector& eye, Real thickness, Real tolerance) {
  const Real near = 100 * tolerance;
  std::vector<Plate> plates;
  for (const Patch& face : faces) plates.push_back(plate_of(face, eye));
  const std::vector<Strip> strips = strips_of(plates, eye, near);
  std::vector<Patch> patches;
  for (const Strip& strip : strips) {
    // A corner moves away from the grains, and along the edge to where a strip beside it ends.
    const auto moved = [&](const Vector& corner) {
      const Vector &normal = strip.plate->normal, to = corner - thickness * normal;
      for (const Strip& other : strips) {
        if (other.plate == strip.plate || dot(strip.outwards, other.outwards) < 0.9) continue;
        if (norm(other.from - corner) > near && norm(other.to - corner) > near) continue;
        const Real slope = dot(strip.along, other.plate->normal);
        if (std::fabs(slope) < 0.02) continue;
        const Real shift = -thickness * (1 - dot(normal, other.plate->normal)) / slope;
        return to + std::clamp(shift, -3 * thickness, 3 * thickness) * strip.along;
      }
      return to;
    };
    patches.push_back({{strip.to, strip.from, moved(strip.from), moved(strip.to)}, true});
  }
  return patches;
}

}  // namespace cairn::render
