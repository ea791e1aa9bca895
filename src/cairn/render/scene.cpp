#include "cairn/render/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <span>

#include "cairn/geometry/outline.hpp"
#include "cairn/geometry/overlap.hpp"
#include "cairn/render/moved.hpp"
#include "cairn/render/rims.hpp"
#include "cairn/world/grain_stress.hpp"

namespace cairn {

using namespace render;

namespace {

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

// What the colour of each grain shows.
std::function<Real(int)> values_of(const World& world, int dimension, Colouring by) {
  const BodyRows& body = world.state().body;
  const auto row = [&body](int number) { return [&body, number](int i) { return body.row(number)[i]; }; };
  const auto of_ids = [&world](const std::vector<Real>& by_id) {
    std::vector<Real> values(by_id.size());
    std::size_t k = 0;
    for (const int i : world.grains().by_id()) values[static_cast<std::size_t>(i)] = by_id[k++];
    return [values](int i) { return values[static_cast<std::size_t>(i)]; };
  };
  switch (by) {
    case Colouring::material:
      return [&world](int i) { return static_cast<Real>(world.grains().material[i]); };
    case Colouring::size:
      return [&world](int i) { return world.grains().radius[i]; };
    case Colouring::speed:
      return [&body](int i) { return norm(body.at(BodyRow::v, i)); };
    case Colouring::coordination:
      return [touching = world.coordination()](int i) { return static_cast<Real>(touching[i]); };
    case Colouring::spin:
      return [&body](int i) { return norm(body.at(BodyRow::w, i)); };
    case Colouring::velocity_x:
      return row(BodyRow::v);
    case Colouring::velocity_y:
      return row(BodyRow::v + 1);
    case Colouring::velocity_z:
      return row(BodyRow::v + 2);
    case Colouring::force: {
      std::vector<Real> all;
      for (const Vector& force : grain_loads_of(world.scene(), world.state()).force) all.push_back(norm(force));
      return of_ids(all);
    }
    case Colouring::pressure: {
      std::vector<Real> all;
      const GrainLoads loads = grain_loads_of(world.scene(), world.state());
      for (const int i : world.grains().by_id())
        all.push_back(loads.moment[all.size()].trace() /
                      (dimension * ball_volume(dimension, world.grains().radius[i])));
      return of_ids(all);
    }
    case Colouring::temperature:
      return of_ids(temperature_of(world.scene(), world.state(), dimension));
  }
  return {};
}

// [m] in a view of this size
Real tolerance_of(Real size) {
  return 1e-6 * size;
}

Camera camera_of(const View& view, int dimension) {
  return camera_around(view.low, view.high, dimension < 3 ? Vector{0, -1, 0} : Vector{0.5, -1, 0.42});
}

}  // namespace

Scene scene_without_rims(const World& world, const Scenario& scenario, const Look& look) {
  const View& view = look.view;
  Scene scene;
  const Particles& grains = world.grains();
  scene.balls = {
      grains.own_end() - grains.own_begin(), [&world, value = values_of(world, scenario.dimension, look.by)](int k) {
        const int i = world.grains().own_begin() + k;
        return Ball{world.state().body.at(BodyRow::x, i), world.grains().radius[i], value(i), world.grains().id[i]};
      }};

  const Real size = norm(view.high - view.low), tolerance = tolerance_of(size);
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
  View wide{shown.low - margin, shown.high + margin};                     // walls without an end end here
  if (scenario.dimension < 3) wide.low.y = 0, wide.high.y = 1e-3 * size;  // in two dimensions one sees their section

  std::vector<Outline> outlines(scenario.walls.size());
  std::vector<HalfSpace> bounds;
  for (std::size_t k = 0; k < outlines.size(); ++k) {
    const Moved moved(world, static_cast<int>(k));
    if (moved.absent()) continue;
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
      if (points.size() > 2) scene.patches.push_back({std::move(points), face.section});
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

Scene scene_of(const World& world, const Scenario& scenario, const Look& look) {
  Scene scene = scene_without_rims(world, scenario, look);
  const Real size = norm(look.view.high - look.view.low), thickness = 0.02 * size;
  for (Patch& rim : rims(scene.patches, camera_of(look.view, scenario.dimension).eye, thickness, tolerance_of(size)))
    scene.patches.push_back(std::move(rim));
  return scene;
}

Image picture_of(const World& world, const Scenario& scenario, const Look& look) {
  world.domain().ask(Question::picture, look.view, look.by);
  char caption[64];
  std::snprintf(caption, sizeof caption, "t = %.4g s", world.time());
  return draw(scene_of(world, scenario, look), camera_of(look.view, scenario.dimension), scale_of(look, scenario),
              caption, world.settings().threads, world.domain());
}

void take_part_in_picture(Question question, ByteReader& message, const World& world, const Scenario& scenario) {
  if (question == Question::look) {
    first_look(world, scenario);
    return;
  }
  auto view = message.take<View>();
  if (question == Question::view)
    follow(view, world, scenario);
  else
    picture_of(world, scenario, {.view = view, .by = message.take<Colouring>()});
}

}  // namespace cairn
