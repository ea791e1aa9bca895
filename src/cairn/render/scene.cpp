#include "cairn/render/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <span>

#include "cairn/geometry/outline.hpp"
#include "cairn/run/region.hpp"

namespace cairn {
namespace {

constexpr Real left_out = 0.01;  // [-] of the grains at either end of each coordinate

void include(View& view, const Vector& a) {
  view.low = {std::min(view.low.x, a.x), std::min(view.low.y, a.y), std::min(view.low.z, a.z)};
  view.high = {std::max(view.high.x, a.x), std::max(view.high.y, a.y), std::max(view.high.z, a.z)};
}
void include(View& view, const View& other) {
  include(view, other.low), include(view, other.high);
}
Vector clamped(const Vector& a, const View& view) {
  return {std::clamp(a.x, view.low.x, view.high.x), std::clamp(a.y, view.low.y, view.high.y),
          std::clamp(a.z, view.low.z, view.high.z)};
}
constexpr View nothing{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};

bool periodic(const World& world, int axis) {
  const Vector& l = world.settings().cell.length;
  return (axis == 0 ? l.x : axis == 1 ? l.y : l.z) > 0;
}

// The grains but for the outermost few.
View grains_view(const World& world) {
  View view = nothing;
  std::vector<int> there;  // a run may end with what is not finite
  there.reserve(static_cast<std::size_t>(world.size()));
  for (int i = 0; i < world.size(); ++i)
    if (std::isfinite(dot(world.state().body.at(BodyRow::x, i), Vector{1, 1, 1}))) there.push_back(i);
  if (there.empty()) return view;
  const auto skipped = static_cast<std::ptrdiff_t>(left_out * static_cast<Real>(there.size()));
  Real* const low[] = {&view.low.x, &view.low.y, &view.low.z};
  Real* const high[] = {&view.high.x, &view.high.y, &view.high.z};
  std::vector<Real> ends(there.size());
  for (int axis = 0; axis < 3; ++axis)
    for (const int sign : {-1, 1}) {
      for (std::size_t k = 0; k < there.size(); ++k)
        ends[k] = sign * world.state().body.row(BodyRow::x + axis)[there[k]] + world.grains().radius[there[k]];
      std::nth_element(ends.begin(), ends.begin() + skipped, ends.end(), std::greater<>());
      *(sign < 0 ? low : high)[axis] = sign * ends[skipped];
    }
  return view;
}

// The wall's motion up to now, as a map of its points.
class Moved {
 public:
  Moved(const World& world, int wall, Real time) : time_(time) {
    const auto& surfaces = world.settings().surfaces;  // in the order of the walls
    const auto at = std::lower_bound(surfaces.begin(), surfaces.end(), wall,
                                     [](const Surface& s, int index) { return s.wall < index; });
    if (at != surfaces.end() && at->wall == wall) carrier_.motion = at->motion;
    carrier_.turns = carrier_.motion.rotation_rate != 0;
  }
  Vector operator()(const Vector& a) const {
    Surface carrier = carrier_;
    carrier.point = a;
    return pose_at(carrier, time_).point;
  }

 private:
  Surface carrier_;
  Real time_;
};

// The half-spaces whose common part the view shows.
std::vector<HalfSpace> bounds_of(const View& view) {
  return {{view.low, {1, 0, 0}},   {view.low, {0, 1, 0}},   {view.low, {0, 0, 1}},
          {view.high, {-1, 0, 0}}, {view.high, {0, -1, 0}}, {view.high, {0, 0, -1}}};
}

// The part of a convex polygon that lies in all half-spaces or on their planes.
std::vector<Vector> clipped(std::vector<Vector> points, std::span<const HalfSpace> bounds, Real tolerance) {
  for (const HalfSpace& bound : bounds) {
    if (points.empty()) break;
    std::vector<Vector> left;
    const auto add = [&](const Vector& a) {
      if (left.empty() || norm(a - left.back()) > tolerance) left.push_back(a);
    };
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Vector &from = points[k], &to = points[(k + 1) % points.size()];
      const Real s = dot(from - bound.point, bound.normal) + tolerance;
      const Real t = dot(to - bound.point, bound.normal) + tolerance;
      if (s >= 0) add(from);
      if ((s < 0) != (t < 0)) add(from + (s / (s - t)) * (to - from));
    }
    while (left.size() > 1 && norm(left.back() - left.front()) <= tolerance) left.pop_back();
    points = std::move(left);
  }
  return points;
}

// Points that hold a wall; none if it has no end.
std::vector<Vector> extent_of(const WallSpec& wall, int dimension, const Moved& moved) {
  std::vector<Vector> points = std::visit([&](const auto& shape) { return shape.extent(dimension); }, wall.shape);
  for (Vector& a : points) a = moved(a);
  return points;
}

// The points of a wall closest to another point, one of each surface.
std::vector<Vector> closest_points(const WallSpec& wall, int dimension, const Vector& to) {
  std::vector<Vector> points;
  const auto add = [&](const Vector& point, const Vector& direction, const auto& shape) {
    Surface surface;
    surface.shape = shape, surface.point = point, surface.direction = direction;
    const Nearest<Real> at = nearest(surface, pose_at(surface, 0.0), to, Vector{});
    points.push_back(to + at.distance * at.n);
  };
  std::visit([&](const auto& shape) { shape.surfaces(dimension, add); }, wall.shape);
  return points;
}

// The second longest side of what holds these points: a tall box is as large as its floor.
Real middle_side(const std::vector<Vector>& points) {
  View view = nothing;
  for (const Vector& a : points) include(view, a);
  std::array<Real, 3> side{view.high.x - view.low.x, view.high.y - view.low.y, view.high.z - view.low.z};
  std::sort(side.begin(), side.end());
  return side[1];
}

}  // namespace

View first_view(const World& world, const Scenario& scenario) {
  View view = grains_view(world);
  for (const EmitterSpec& e : scenario.emitters) {
    if (e.region.kind != RegionSpec::Kind::none) {
      const Region region(e.region, scenario.dimension, e.name);
      include(view, {region.low(0), region.high(0)});
    } else if (!e.on_top) {
      const Real r = e.grain.radius;
      include(view, {e.grain.position - Vector{r, r, r}, e.grain.position + Vector{r, r, r}});
    }
  }
  if (!(view.low.x <= view.high.x)) view = {};  // nobody yet, and nowhere said
  const PeriodicCell& cell = world.settings().cell;
  View whole = view;
  include(whole, cell.origin), include(whole, cell.origin + cell.length);
  if (periodic(world, 0)) view.low.x = whole.low.x, view.high.x = whole.high.x;
  if (periodic(world, 1)) view.low.y = whole.low.y, view.high.y = whole.high.y;
  if (periodic(world, 2)) view.low.z = whole.low.z, view.high.z = whole.high.z;

  Real size = norm(view.high - view.low);
  std::vector<std::vector<Vector>> extents;
  for (std::size_t k = 0; k < scenario.walls.size(); ++k) {
    const Moved moved(world, static_cast<int>(k), world.time());
    extents.push_back(extent_of(scenario.walls[k], scenario.dimension, moved));
    if (!extents.back().empty()) size = std::max(size, middle_side(extents.back()));
  }
  const Vector& g = world.settings().gravity;
  const auto room = [&](Real gravity) { return gravity < 0 ? size : 10 * size; };  // [m] upwards of the coordinate
  const View limit{view.low - Vector{room(-g.x), room(-g.y), room(-g.z)},
                   view.high + Vector{room(g.x), room(g.y), room(g.z)}};
  const View grains = view;
  for (std::size_t k = 0; k < scenario.walls.size(); ++k) {
    for (const Vector& a : extents[k]) include(view, clamped(a, limit));
    if (!extents[k].empty()) continue;
    const Vector middle = 0.5 * (grains.low + grains.high);
    for (const Vector& foot : closest_points(scenario.walls[k], scenario.dimension, middle))
      if (norm(foot - middle) < 1.5 * size) include(view, foot);
  }
  return view;
}

void follow(View& view, const World& world, const Scenario& scenario) {
  for (const WallSpec& wall : scenario.walls)
    if (std::visit([](const auto& shape) { return shape.encloses(); }, wall.shape)) return;
  const int n = world.size();
  int outside = 0;
  for (int i = 0; i < n; ++i) {
    const Vector x = world.state().body.at(BodyRow::x, i);
    outside += !(x == clamped(x, view));
  }
  if (outside > 2 * left_out * n) include(view, grains_view(world));
}

Scene scene_of(const World& world, const Scenario& scenario, const View& view) {
  Scene scene;
  scene.balls = {world.size(), [&world](int i) {
                   const BodyRows& body = world.state().body;
                   return Ball{body.at(BodyRow::x, i), world.grains().radius[i], norm(body.at(BodyRow::v, i))};
                 }};

  const Real size = norm(view.high - view.low), tolerance = 1e-6 * size;
  // The view, but of periodic directions one period.
  const PeriodicCell& cell = world.settings().cell;
  View shown = view;
  Vector margin = 0.04 * size * Vector{1, 1, 1};
  const auto whole_period = [&](int axis, Real& low, Real& high, Real& more, Real from, Real length) {
    if (periodic(world, axis)) low = from, high = from + length, more = 0;
  };
  whole_period(0, shown.low.x, shown.high.x, margin.x, cell.origin.x, cell.length.x);
  whole_period(1, shown.low.y, shown.high.y, margin.y, cell.origin.y, cell.length.y);
  whole_period(2, shown.low.z, shown.high.z, margin.z, cell.origin.z, cell.length.z);
  const View wide{shown.low - margin, shown.high + margin};  // walls without an end end here

  std::vector<Outline> outlines(scenario.walls.size());
  std::vector<HalfSpace> bounds;
  for (std::size_t k = 0; k < outlines.size(); ++k) {
    const Moved moved(world, static_cast<int>(k), world.time());
    const OutlineFrame frame{.dimension = scenario.dimension,
                             .moved = moved,
                             .turned = norm(moved({1, 0, 0}) - moved({}) - Vector{1, 0, 0}) > 1e-9,
                             .low = wide.low,
                             .high = wide.high,
                             .tolerance = tolerance};
    std::visit([&](const auto& shape) { shape.draw(outlines[k], frame); }, scenario.walls[k].shape);
    bounds.insert(bounds.end(), outlines[k].bounds.begin(), outlines[k].bounds.end());
  }
  const std::vector<HalfSpace> shown_bounds = bounds_of(shown);
  const auto in_view = [&](std::vector<Vector> points) { return clipped(std::move(points), shown_bounds, tolerance); };
  const auto free = [&](std::vector<Vector> points) { return clipped(std::move(points), bounds, tolerance); };
  const auto outline = [&](const std::vector<Vector>& points, Line::Stroke stroke = Line::Stroke::plain) {
    for (std::size_t k = 0; k < points.size(); ++k)
      scene.lines.push_back({points[k], points[(k + 1) % points.size()], stroke});
  };
  const auto free_line = [&](const Vector& a, const Vector& b, Line::Stroke stroke = Line::Stroke::plain) {
    if (const auto ends = free({a, b}); ends.size() > 1) scene.lines.push_back({ends[0], ends[1], stroke});
  };
  const auto free_ring = [&](const std::vector<Vector>& points, Line::Stroke stroke = Line::Stroke::plain) {
    for (std::size_t k = 0; k < points.size(); ++k) free_line(points[k], points[(k + 1) % points.size()], stroke);
  };

  for (const Outline& of : outlines) {
    const auto seen = [&](std::vector<Vector> points) {
      return of.ends_with_view ? in_view(std::move(points)) : points;
    };
    for (const auto& [from, to] : of.edges)
      if (const auto ends = seen({from, to}); ends.size() > 1) free_line(ends[0], ends[1]);
    for (const Outline::Face& face : of.faces) {
      std::vector<Vector> points = free(seen(face.corners));
      if (face.bordered) outline(points);
      if (scenario.dimension == 3 && points.size() > 2) scene.patches.push_back({std::move(points)});
    }
  }

  // The faces of the periodic cell.
  const auto c = box_corners(wide.low, wide.high);
  for (int axis = 0; axis < 3; ++axis) {
    if (!periodic(world, axis)) continue;
    const int bit = 1 << axis, u = axis == 0 ? 2 : 1, v = axis == 2 ? 2 : 4;
    for (const int side : {0, bit})
      outline(free({c[side], c[side | u], c[side | u | v], c[side | v]}), Line::Stroke::faint);
  }

  // Where grains are taken away.
  for (const RemovalSpec& removal : scenario.removals) {
    if (world.time() < removal.from) continue;
    const RegionSpec& r = removal.region;
    if (r.kind == RegionSpec::Kind::half_space) {
      outline(free(cut({r.point, (1 / norm(r.normal)) * r.normal}, shown.low, shown.high)), Line::Stroke::dashed);
    } else if (r.kind == RegionSpec::Kind::box) {
      const auto b = box_corners(r.low, r.high);
      for (int k = 0; k < 8; ++k)
        for (const int bit : {1, 2, 4})
          if (const auto ends = in_view({b[k], b[k | bit]}); ends.size() > 1)
            free_line(ends[0], ends[1], Line::Stroke::dashed);
    } else if (r.kind == RegionSpec::Kind::cylinder) {
      const Vector axis = (1 / norm(r.axis)) * r.axis;
      for (const Real side : {-0.5, 0.5})
        free_ring(in_view(ring(r.centre + side * r.length * axis, axis, r.radius)), Line::Stroke::dashed);
    }
  }
  return scene;
}

ColourScale speed_scale(const World& world, const View& view) {
  std::vector<Real> speeds;
  speeds.reserve(static_cast<std::size_t>(world.size()));
  for (int i = 0; i < world.size(); ++i)
    if (const Real v = norm(world.state().body.at(BodyRow::v, i)); std::isfinite(v)) speeds.push_back(v);
  Real most = 0;
  if (!speeds.empty()) {
    const auto at = speeds.begin() + static_cast<std::ptrdiff_t>(0.98 * static_cast<Real>(speeds.size() - 1) + 0.5);
    std::nth_element(speeds.begin(), at, speeds.end());
    most = *at;
  }
  const Real fall = std::sqrt(2 * norm(world.settings().gravity) * norm(view.high - view.low));
  most = std::max(most, 0.01 * fall);
  if (!(most > 0)) most = 1;
  const Real decade = std::pow(10.0, std::floor(std::log10(most)));
  for (const Real step : {1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 5.0, 6.0, 8.0, 10.0})
    if (most <= step * decade * (1 + 1e-9)) return {0, step * decade, "speed [m/s]"};
  return {0, most, "speed [m/s]"};
}

Image picture_of(const World& world, const Scenario& scenario, const View& view) {
  const bool flat = scenario.dimension < 3;
  const Camera camera = camera_around(view.low, view.high, flat ? Vector{0, -1, 0} : Vector{0.5, -1, 0.42});
  char caption[64];
  std::snprintf(caption, sizeof caption, "t = %.4g s", world.time());
  return draw(scene_of(world, scenario, view), camera, speed_scale(world, view), caption, world.settings().threads);
}

}  // namespace cairn
