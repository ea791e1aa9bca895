// Each wall shape agrees with its own closest point in the side of the grains, the outline of pictures, how low it
// reaches and how large it is.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "geometry/example_walls.hpp"

using namespace cairn;

namespace {

constexpr Real time_of_look = 1.1;   // [s]
constexpr Real of_polygons = 0.003;  // [m] rings of pictures are polygons within circles of 0.6 m
const Vector view{3, 0.7, 0.7};      // [m] half of its sides
// Turns the axis of the examples along x, the long side of the view.
const Motion turning{.axis = {0, 0, -1}, .centre = {0.3, 0, 0.1}, .rotation_rate = 1};

// A wall, its surfaces and its outline, where its motion has brought them.
struct Seen {
  std::vector<Surface> surfaces;
  Outline outline;
  std::vector<Vector> extent;
  bool encloses, endless;
  std::string_view name;

  // [m] from the solid: negative within it.
  Real distance(const Vector& x) const {
    Real least = 1e300;
    for (const Surface& s : surfaces)
      least = std::min(least, wall_distance(s, pose_at(s, time_of_look), PeriodicCell{}, x));
    return least;
  }
  // [m] along `down`, of the lowest point of all surfaces.
  Real lowest(const Vector& down) const {
    Real most = catches_none;
    for (const Surface& s : surfaces)
      most =
          std::max(most, std::visit([&](const auto& a) { return a.lowest(pose_at(s, time_of_look), down); }, s.shape));
    return most;
  }
};

// [m] How far points go along a direction.
Real farthest(const std::vector<Vector>& points, const Vector& along) {
  Real most = -1e300;
  for (const Vector& a : points) most = std::max(most, dot(a, along));
  return most;
}

template <class Shape>
Seen seen(const Shape& shape, const Motion& motion, bool endless) {
  Seen to;
  to.encloses = shape.encloses(), to.endless = endless, to.name = Shape::name;
  shape.surfaces(3, [&](const Vector& point, const Vector& direction, const auto& surface) {
    Surface s;
    s.shape = surface, s.point = point, s.direction = direction, s.motion = motion, s.turns = rotation_changes(s);
    to.surfaces.push_back(s);
  });
  const auto moved = [motion](const Vector& a) {
    Surface carrier;
    carrier.point = a, carrier.motion = motion, carrier.turns = motion.rotation_rate != 0;
    return pose_at(carrier, time_of_look).point;
  };
  const OutlineFrame frame{
      .moved = moved, .turned = motion.rotation_rate != 0, .low = -view, .high = view, .tolerance = 1e-9};
  shape.draw(to.outline, frame);
  for (const Vector& a : shape.extent(3)) to.extent.push_back(moved(a));
  return to;
}

// All shapes, with the grains on either side, without an end where they may be, at rest and turned where they can.
template <class F>
void for_each_wall(F&& f) {
  const auto look = [&](const auto& shape, bool endless) {
    bool has_axis = true;
    shape.surfaces(3, [&](const Vector&, const Vector&, const auto& s) { has_axis = has_axis && s.has_axis; });
    for (const Motion& motion : {Motion{}, turning}) {
      if (motion.rotation_rate != 0 && !has_axis) continue;
      const Seen wall = seen(shape, motion, endless);
      INFO(std::string(wall.name), ", encloses ", wall.encloses, ", endless ", endless, ", turned ",
           motion.rotation_rate != 0);
      f(wall);
    }
  };
  const auto ends = [&](const auto& shape) {
    look(shape, false);
    for (const auto& p : shape.parameters) {
      if (p.name != "length") continue;
      auto endless = shape;
      endless.*std::get<Real std::decay_t<decltype(shape)>::*>(p.value) = 0;
      look(endless, true);
    }
  };
  const auto sides = [&](auto shape) {
    ends(shape);
    for (const auto& p : shape.parameters)
      if (p.name == "side") {
        shape.*std::get<WallSide decltype(shape)::*>(p.value) = WallSide::outside;
        ends(shape);
      }
  };
  std::apply([&](auto... shape) { (sides(example<decltype(shape)>()), ...); }, WallShapes{});
}

}  // namespace

TEST_CASE("wall shapes: grains are on the side that the outline says") {
  int within = 0, beyond = 0;
  for_each_wall([&](const Seen& wall) {
    CHECK(wall.outline.bounds.empty() == !(wall.encloses || wall.surfaces.front().shape.index() == 0));
    for (std::uint64_t k = 0; k < 300; ++k) {
      const Vector x = 2.0 * random_vector(k, 0);
      if (wall.outline.bounds.empty()) continue;
      Real inside = 1e300;
      for (const HalfSpace& h : wall.outline.bounds) inside = std::min(inside, dot(x - h.point, h.normal));
      if (inside > 0) {
        CHECK(wall.distance(x) > 0);
        ++within;
      } else if (inside < -of_polygons) {
        CHECK(wall.distance(x) < 0);
        ++beyond;
      }
    }
    if (!wall.outline.bounds.empty()) return;
    for (std::uint64_t k = 0; k < 300; ++k) CHECK(wall.distance(100.0 * normalised(random_vector(k, 3))) > 0);
    Vector middle{};
    for (const Outline::Face& face : wall.outline.faces)
      for (const Vector& a : face.corners)
        middle += (1.0 / static_cast<Real>(wall.outline.faces.size() * face.corners.size())) * a;
    CHECK(wall.distance(middle) < -0.1);
  });
  CHECK(within > 100);
  CHECK(beyond > 100);
}

TEST_CASE("wall shapes: faces of the outline lie on the surface and look at the grains") {
  for_each_wall([&](const Seen& wall) {
    CHECK(!wall.outline.faces.empty());
    for (const auto& edge : wall.outline.edges)
      for (const Vector& a : edge) CHECK(std::fabs(wall.distance(a)) < 1e-12);
    for (const Outline::Face& face : wall.outline.faces) {
      REQUIRE(face.corners.size() >= 3);
      Vector middle{};
      if (face.section) {  // within the solid
        for (const Vector& a : face.corners) middle += (1.0 / static_cast<Real>(face.corners.size())) * a;
        CHECK(wall.distance(middle) < 0);
        continue;
      }
      for (const Vector& a : face.corners) {
        CHECK(std::fabs(wall.distance(a)) < 1e-12);
        middle += (1.0 / static_cast<Real>(face.corners.size())) * a;
      }
      const Vector n = normalised(cross(face.corners[1] - face.corners[0], face.corners[2] - face.corners[1]));
      CHECK(wall.distance(middle + (2 * of_polygons) * n) > 0);
      CHECK(wall.distance(middle - (2 * of_polygons) * n) < 0);
    }
  });
}

TEST_CASE("wall shapes: the outline shows all of the wall that is in view") {
  int looked = 0;
  for_each_wall([&](const Seen& wall) {
    std::vector<Vector> corners;
    for (const Outline::Face& face : wall.outline.faces)
      corners.insert(corners.end(), face.corners.begin(), face.corners.end());
    for (std::uint64_t k = 0; k < 300; ++k) {
      const Surface& s = wall.surfaces[k % wall.surfaces.size()];
      const Vector x = 3.0 * random_vector(k, 15);
      const Nearest<Real> near = nearest(s, pose_at(s, time_of_look), PeriodicCell{}, x, Vector{});
      const Vector on = x + near.distance * near.n;
      if (std::fabs(wall.distance(on)) > 1e-9 || std::fabs(on.x) > view.x || std::fabs(on.y) > view.y ||
          std::fabs(on.z) > view.z)
        continue;
      ++looked;
      for (std::uint64_t way = 0; way < 10; ++way) {
        const Vector d = normalised(random_vector(way, 18));
        CHECK(farthest(corners, d) > dot(on, d) - of_polygons);
      }
    }
  });
  CHECK(looked > 500);
}

TEST_CASE("wall shapes: the lowest point is the lowest, and no fall ends beyond it") {
  int finite = 0;
  for_each_wall([&](const Seen& wall) {
    for (std::uint64_t way = 0; way < 6; ++way) {
      const Vector down = normalised(random_vector(way, 6));
      const Real lowest = wall.lowest(down), far = 100;
      INFO("down ", down.x, " ", down.y, " ", down.z);
      Real found = catches_none;  // [m] along the fall, where the last one ended
      for (std::uint64_t k = 0; k < 400; ++k) {
        const Vector x = 1.5 * random_vector(k, 9);
        if (!(wall.distance(x) > 0)) continue;
        for (Real fallen = 0; fallen < far; fallen += fallen < 4 ? 0.02 : 8)
          if (wall.distance(x + fallen * down) < 0) {
            found = std::max(found, dot(x, down) + fallen);
            break;
          }
      }
      if (lowest == catches_all) {
        CHECK(found > catches_none);
        continue;
      }
      CHECK(found <= lowest + 0.02);
      if (lowest == catches_none) continue;
      ++finite;
      Real touched = catches_none;
      for (std::uint64_t k = 0; k < 3000; ++k)
        for (const Surface& s : wall.surfaces) {
          const Vector x = 2.0 * down + random_vector(k, 21);
          const Nearest<Real> near = nearest(s, pose_at(s, time_of_look), PeriodicCell{}, x, Vector{});
          touched = std::max(touched, dot(x + near.distance * near.n, down));
        }
      CHECK(touched <= lowest + 1e-9);
      CHECK(touched > lowest - 0.02);
    }
  });
  CHECK(finite > 10);
}

TEST_CASE("wall shapes: the extent holds the wall, and no more") {
  int bounded = 0;
  for_each_wall([&](const Seen& wall) {
    if (wall.extent.empty() || wall.endless) return;
    ++bounded;
    for (const Vector& a : wall.extent) CHECK(std::fabs(wall.distance(a)) < 1e-12);
    for (std::uint64_t way = 0; way < 20; ++way) {
      const Vector d = random_vector(way, 12);
      for (const Outline::Face& face : wall.outline.faces)
        CHECK(farthest(face.corners, d) <= farthest(wall.extent, d) + 1e-9);
    }
  });
  CHECK(bounded > 4);
}
