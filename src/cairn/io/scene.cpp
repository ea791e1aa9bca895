#include "cairn/io/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

#include "cairn/run/region.hpp"

namespace cairn {
namespace {

constexpr Real pi = 3.14159265358979323846;
constexpr Real left_out = 0.01;  // [-] of the grains at either end of each coordinate

using Spec = WallSpec;

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
  for (int i = 0; i < world.size(); ++i)
    if (std::isfinite(dot(world.state().body.at(row_x, i), Vector{1, 1, 1}))) there.push_back(i);
  if (there.empty()) return view;
  const auto skipped = static_cast<std::ptrdiff_t>(left_out * static_cast<Real>(there.size()));
  Real* const low[] = {&view.low.x, &view.low.y, &view.low.z};
  Real* const high[] = {&view.high.x, &view.high.y, &view.high.z};
  std::vector<Real> ends(there.size());
  for (int axis = 0; axis < 3; ++axis)
    for (const int sign : {-1, 1}) {
      for (std::size_t k = 0; k < there.size(); ++k)
        ends[k] = sign * world.state().body.row(row_x + axis)[there[k]] + world.grains().radius[there[k]];
      std::nth_element(ends.begin(), ends.begin() + skipped, ends.end(), std::greater<>());
      *(sign < 0 ? low : high)[axis] = sign * ends[skipped];
    }
  return view;
}

// The wall's motion up to now, as a map of its points.
class Moved {
 public:
  Moved(const World& world, int wall, Real time) : time_(time) {
    for (const Surface& s : world.settings().surfaces)
      if (s.wall == wall) carrier_.motion = s.motion;
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

// The corners of a box, the first coordinate running fastest.
std::array<Vector, 8> corners(const Vector& low, const Vector& high) {
  std::array<Vector, 8> all;
  for (int k = 0; k < 8; ++k) all[k] = {k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z};
  return all;
}

Vector perpendicular(const Vector& a) {
  const Vector other = std::fabs(a.x) < 0.7 * norm(a) ? Vector{1, 0, 0} : Vector{0, 1, 0};
  const Vector p = cross(a, other);
  return (1 / norm(p)) * p;
}

// A ring about a cylinder's axis, `along` from its middle.
std::vector<Vector> ring(const Spec& wall, Real along) {
  constexpr int count = 72;
  const Vector axis = (1 / norm(wall.axis)) * wall.axis, u = perpendicular(axis), v = cross(axis, u);
  std::vector<Vector> points;
  for (int k = 0; k < count; ++k) {
    const Real a = 2 * pi * k / count;
    points.push_back(wall.point + along * axis + wall.radius * (std::cos(a) * u + std::sin(a) * v));
  }
  return points;
}

// Where a plane cuts a box, counter-clockwise about `normal`.
std::vector<Vector> cut(const Vector& point, const Vector& normal, const View& view) {
  const auto c = corners(view.low, view.high);
  std::vector<Vector> points;
  for (int a = 0; a < 8; ++a)
    for (const int bit : {1, 2, 4}) {
      if (a & bit) continue;
      const Vector &from = c[a], &to = c[a | bit];
      const Real s = dot(from - point, normal), t = dot(to - point, normal);
      if ((s < 0) != (t < 0)) points.push_back(from + (s / (s - t)) * (to - from));
    }
  if (points.size() < 3) return {};
  Vector middle{};
  for (const Vector& p : points) middle += (1.0 / static_cast<Real>(points.size())) * p;
  const Vector u = perpendicular(normal), v = cross((1 / norm(normal)) * normal, u);
  const auto angle = [&](const Vector& p) { return std::atan2(dot(p - middle, v), dot(p - middle, u)); };
  std::sort(points.begin(), points.end(), [&](const Vector& a, const Vector& b) { return angle(a) < angle(b); });
  return points;
}

// Half the length of a cylinder as far as it is shown.
Real half_length(const Spec& wall, const View& view) {
  if (wall.length > 0) return 0.5 * wall.length;
  return 0.5 * norm(view.high - view.low);
}

std::vector<Vector> finite_points(const Spec& wall, const World& world, int index) {
  const Moved moved(world, index, world.time());
  std::vector<Vector> points;
  if (wall.shape == Spec::Shape::box) {
    for (const Vector& a : corners(wall.low, wall.high)) points.push_back(moved(a));
  } else if (wall.shape == Spec::Shape::cylinder) {
    for (const Real side : {-0.5, 0.5})
      for (const Vector& a : ring(wall, side * wall.length)) points.push_back(moved(a));
  }
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

bool holds(const WallSpec& wall) {
  return wall.shape != Spec::Shape::plane && wall.side == Spec::Side::inside;
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
  for (std::size_t k = 0; k < scenario.walls.size(); ++k)
    if (const auto points = finite_points(scenario.walls[k], world, static_cast<int>(k)); !points.empty())
      size = std::max(size, middle_side(points));
  const Vector& g = world.settings().gravity;
  const auto reach = [&](Real gravity) { return gravity < 0 ? size : 10 * size; };  // [m] upwards of the coordinate
  const View limit{view.low - Vector{reach(-g.x), reach(-g.y), reach(-g.z)},
                   view.high + Vector{reach(g.x), reach(g.y), reach(g.z)}};
  const View grains = view;
  for (std::size_t k = 0; k < scenario.walls.size(); ++k) {
    const WallSpec& wall = scenario.walls[k];
    for (const Vector& a : finite_points(wall, world, static_cast<int>(k))) include(view, clamped(a, limit));
    if (wall.shape != Spec::Shape::plane) continue;
    const Vector middle = 0.5 * (grains.low + grains.high), n = (1 / norm(wall.normal)) * wall.normal;
    const Vector foot = middle - dot(middle - wall.point, n) * n;
    if (norm(foot - middle) < 1.5 * size) include(view, foot);
  }
  return view;
}

void follow(View& view, const World& world, const Scenario& scenario) {
  for (const WallSpec& wall : scenario.walls)
    if (holds(wall)) return;
  const int n = world.size();
  int outside = 0;
  for (int i = 0; i < n; ++i) {
    const Vector x = world.state().body.at(row_x, i);
    outside += !(x == clamped(x, view));
  }
  if (outside > 2 * left_out * n) include(view, grains_view(world));
}

Scene scene_of(const World& world, const Scenario& scenario, const View& view) {
  Scene scene;
  for (int i = 0; i < world.size(); ++i)
    scene.balls.push_back(
        {world.state().body.at(row_x, i), world.grains().radius[i], norm(world.state().body.at(row_v, i))});

  const auto outline = [&](const std::vector<Vector>& points) {
    for (std::size_t k = 0; k < points.size(); ++k) scene.lines.push_back({points[k], points[(k + 1) % points.size()]});
  };
  for (std::size_t index = 0; index < scenario.walls.size(); ++index) {
    const WallSpec& wall = scenario.walls[index];
    const Moved moved(world, static_cast<int>(index), world.time());
    const auto moved_all = [&](std::vector<Vector> points) {
      for (Vector& a : points) a = moved(a);
      return points;
    };
    // Corners counter-clockwise as seen from the grains inside; from outside the other way round.
    const auto face = [&](std::vector<Vector> points) {
      if (wall.side == Spec::Side::outside) std::reverse(points.begin(), points.end());
      scene.patches.push_back({std::move(points)});
    };
    switch (wall.shape) {
      case Spec::Shape::plane: {
        // A little beyond the grains, but not beyond a period.
        const Real more = 0.08 * norm(view.high - view.low);
        const auto beyond = [&](int axis) { return periodic(world, axis) ? 1e-6 * more : more; };
        const Vector margin{beyond(0), beyond(1), beyond(2)};
        const Vector normal = moved(wall.point + wall.normal) - moved(wall.point);
        const auto points = cut(moved(wall.point), normal, {view.low - margin, view.high + margin});
        if (points.empty()) break;
        scene.patches.push_back({points});
        outline(points);
        break;
      }
      case Spec::Shape::box: {
        // Sides cut where the view ends, and nothing drawn there.
        const auto whole = corners(wall.low, wall.high);
        const bool turned = norm(moved({1, 0, 0}) - moved({}) - Vector{1, 0, 0}) > 1e-9;
        std::array<Vector, 8> c;
        for (int k = 0; k < 8; ++k) {
          c[k] = moved(whole[k]);
          if (!turned) c[k] = clamped(c[k], view);
        }
        const auto is_cut = [&](int k, int bit) {
          const Vector a = moved(whole[k]);
          const Real tolerance = 1e-6 * norm(view.high - view.low);
          return !turned && std::fabs(bit == 1 ? a.x - c[k].x : bit == 2 ? a.y - c[k].y : a.z - c[k].z) > tolerance;
        };
        for (int k = 0; k < 8; ++k)
          for (const int bit : {1, 2, 4}) {
            const int others[] = {bit == 1 ? 2 : 1, bit == 4 ? 2 : 4};
            if (!(k & bit) && !is_cut(k, others[0]) && !is_cut(k, others[1])) scene.lines.push_back({c[k], c[k | bit]});
          }
        if (scenario.dimension < 3) break;
        static constexpr int faces[6][4] = {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1},
                                            {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}};
        for (int f = 0; f < 6; ++f)
          if (!is_cut(faces[f][0], 1 << f / 2)) face({c[faces[f][0]], c[faces[f][1]], c[faces[f][2]], c[faces[f][3]]});
        break;
      }
      case Spec::Shape::cylinder: {
        const Real half = half_length(wall, view);
        const auto low = moved_all(ring(wall, -half)), high = moved_all(ring(wall, half));
        outline(low);
        outline(high);
        if (scenario.dimension < 3) break;
        for (std::size_t k = 0; k < low.size(); ++k) {
          const std::size_t next = (k + 1) % low.size();
          face({low[k], high[k], high[next], low[next]});
        }
        if (wall.length > 0 && (wall.caps || wall.side == Spec::Side::outside)) {
          face(low);
          face({high.rbegin(), high.rend()});
        }
        break;
      }
    }
  }
  const PeriodicCell& cell = world.settings().cell;
  if (cell.any()) {
    const auto c = corners(view.low, view.high);
    for (int k = 0; k < 8; ++k)
      for (const int bit : {1, 2, 4})
        if (!(k & bit) && periodic(world, bit == 4 ? 2 : bit - 1)) scene.lines.push_back({c[k], c[k | bit]});
  }
  return scene;
}

ColourScale speed_scale(const World& world, const View& view) {
  std::vector<Real> speeds;
  for (int i = 0; i < world.size(); ++i)
    if (const Real v = norm(world.state().body.at(row_v, i)); std::isfinite(v)) speeds.push_back(v);
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
