#include "cairn/render/look.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include "cairn/domain/order_statistics.hpp"
#include "cairn/geometry/overlap.hpp"
#include "cairn/render/moved.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/region.hpp"
#include "cairn/run/sizes.hpp"

namespace cairn {

using namespace render;

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

// f(i) for the grains that this rank owns.
template <class F>
void each_grain(const World& world, F&& f) {
  for (int i = world.grains().own_begin(); i < world.grains().own_end(); ++i) f(i);
}

// f(x, radius) for those that are somewhere: a run may end with what is not finite.
template <class F>
void each_there(const World& world, F&& f) {
  each_grain(world, [&](int i) {
    const Vector x = world.state().body.at(BodyRow::x, i);
    if (std::isfinite(dot(x, Vector{1, 1, 1}))) f(x, world.grains().radius[i]);
  });
}

// The view of all grains except the outermost few.
View grains_view(const World& world) {
  std::int64_t there = 0;
  each_there(world, [&](const Vector&, Real) { ++there; });
  world.domain().add(there);
  if (there == 0) return nothing;
  const auto place = there - 1 - static_cast<std::int64_t>(left_out * static_cast<Real>(there));
  const std::array<Real, 6> ends = values_at<6>(world.domain(), place, [&](const auto& take) {
    each_there(world, [&](const Vector& x, Real r) { take({r - x.x, r - x.y, r - x.z, r + x.x, r + x.y, r + x.z}); });
  });
  return {{-ends[0], -ends[1], -ends[2]}, {ends[3], ends[4], ends[5]}};
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
    const Nearest<Real> at = nearest(surface, pose_at(surface, 0.0), PeriodicCell{}, to, Vector{});
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

// [m/s] Of the parts of a wall in the view.
Real speed_of(const WallSpec& wall, const View& view) {
  const WallMotion& motion = wall.motion;
  Real farthest = 0;
  if (const Real length = norm(motion.axis); length > 0)
    for (const Vector& a : box_corners(view.low, view.high))
      farthest = std::max(farthest, norm(cross((1 / length) * motion.axis, a - rotation_centre(wall))));
  return norm(motion.velocity) + std::fabs(motion.rotation_rate) * farthest +
         2 * pi * std::fabs(motion.oscillation_frequency) * norm(motion.oscillation_amplitude);
}

// [m/s] that colours of speed should reach.
Real typical_speed(const World& world, const Scenario& scenario, const View& view) {
  const Vector& g = world.settings().gravity;
  const Vector size = view.high - view.low;
  const Real fall = std::fabs(g.x) * size.x + std::fabs(g.y) * size.y + std::fabs(g.z) * size.z;  // [m^2/s^2]
  Real most = std::sqrt(2 * 0.1 * fall);
  each_grain(world, [&](int i) {
    if (const Real v = norm(world.state().body.at(BodyRow::v, i)); std::isfinite(v)) most = std::max(most, v);
  });
  most = world.domain().largest(most);
  for (const EmitterSpec& e : scenario.emitters) most = std::max(most, norm(e.grain.velocity));
  for (const WallSpec& wall : scenario.walls) most = std::max(most, speed_of(wall, view));
  return most > 0 ? most : 1;
}

// The next of some round numbers.
Real rounded_up(Real most) {
  const Real decade = std::pow(10.0, std::floor(std::log10(most)));
  for (const Real step : {1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 5.0, 6.0, 8.0, 10.0})
    if (most <= step * decade * (1 + 1e-9)) return step * decade;
  return most;
}

// [m] Smallest and largest of the grains there are or may come.
std::array<Real, 2> radii(const World& world, const Scenario& scenario) {
  std::array<Real, 2> range{1e300, 0};
  const auto look = [&](Real low, Real high) { range = {std::min(range[0], low), std::max(range[1], high)}; };
  each_grain(world, [&](int i) { look(world.grains().radius[i], world.grains().radius[i]); });
  world.domain().reduce(range, [](std::array<Real, 2>& into, const std::array<Real, 2>& other) {
    into = {std::min(into[0], other[0]), std::max(into[1], other[1])};
  });
  for (const EmitterSpec& e : scenario.emitters) {
    const Sizes sizes(e.grain.radius, e.radius_spread, e.sizes);
    look(sizes.smallest(), sizes.largest());
  }
  if (!(range[0] <= range[1])) return {0, 1};
  if (range[0] == range[1]) return {0, 2 * range[1]};
  return range;
}

// [Pa] Under a column of grains as tall as the view; without gravity 1.
Real typical_pressure(const World& world, const Scenario& scenario, const View& view) {
  const Vector& g = world.settings().gravity;
  const Vector size = view.high - view.low;
  Real density = 0;
  each_grain(world, [&](int i) {
    density = std::max(density, world.grains().mass[i] / ball_volume(scenario.dimension, world.grains().radius[i]));
  });
  density = world.domain().largest(density);
  if (world.grains_of_all() == 0 && scenario.dimension == 3)
    for (const Material& m : scenario.materials) density = std::max(density, m.density);
  const Real most = density * (std::fabs(g.x) * size.x + std::fabs(g.y) * size.y + std::fabs(g.z) * size.z);
  return most > 0 ? most : 1;
}

std::array<Real, 2> colour_range(Colouring by, const World& world, const Scenario& scenario, const View& view) {
  constexpr Real most_contacts[] = {2, 4, 8};
  switch (by) {
    case Colouring::material:
      return {0, 1};
    case Colouring::size:
      return radii(world, scenario);
    case Colouring::coordination:
      return {0, most_contacts[scenario.dimension - 1]};
    case Colouring::speed:
      return {0, rounded_up(typical_speed(world, scenario, view))};
    case Colouring::spin:  // as if it rolled at that speed
      return {0, rounded_up(typical_speed(world, scenario, view) / radii(world, scenario)[1])};
    case Colouring::velocity_x:
    case Colouring::velocity_y:
    case Colouring::velocity_z: {
      const Real most = rounded_up(typical_speed(world, scenario, view));
      return {-most, most};
    }
    case Colouring::pressure:
      return {0, rounded_up(typical_pressure(world, scenario, view))};
    case Colouring::force: {
      const Real width = 2 * radii(world, scenario)[1];
      return {0, rounded_up(typical_pressure(world, scenario, view) * std::pow(width, scenario.dimension - 1))};
    }
    case Colouring::temperature: {
      const Real fluctuation = 0.1 * typical_speed(world, scenario, view);
      return {0, rounded_up(fluctuation * fluctuation)};
    }
  }
  return {0, 1};
}

std::vector<int> materials_of_grains(const World& world, const Scenario& scenario) {
  std::set<int> own, found;
  each_grain(world, [&](int i) { own.insert(world.grains().material[i]); });
  for (int k = 0; k < world.settings().materials; ++k)
    if (world.domain().any(own.contains(k))) found.insert(k);
  for (const EmitterSpec& e : scenario.emitters) {
    const auto named = [&](const Material& m) { return m.name == e.grain.material; };
    const auto at = std::find_if(scenario.materials.begin(), scenario.materials.end(), named);
    found.insert(at == scenario.materials.end() ? 0 : static_cast<int>(at - scenario.materials.begin()));
  }
  return {found.begin(), found.end()};
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
  if (!(view.low.x <= view.high.x)) view = {};  // no grain yet, and no emitter
  const PeriodicCell& cell = world.settings().cell;
  View whole = view;
  include(whole, cell.origin), include(whole, cell.origin + cell.length);
  if (periodic(world, 0)) view.low.x = whole.low.x, view.high.x = whole.high.x;
  if (periodic(world, 1)) view.low.y = whole.low.y, view.high.y = whole.high.y;
  if (periodic(world, 2)) view.low.z = whole.low.z, view.high.z = whole.high.z;

  Real size = norm(view.high - view.low);
  std::vector<std::vector<Vector>> extents;
  for (std::size_t k = 0; k < scenario.walls.size(); ++k) {
    const Moved moved(world, static_cast<int>(k));
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
  world.domain().ask(Question::view, view);
  int outside = 0;
  each_grain(world, [&](int i) {
    const Vector x = world.state().body.at(BodyRow::x, i);
    outside += !(x == clamped(x, view));
  });
  world.domain().add(outside);
  if (outside > 2 * left_out * world.grains_of_all()) include(view, grains_view(world));
}

Look first_look(const World& world, const Scenario& scenario) {
  world.domain().ask(Question::look);
  Look look{.view = first_view(world, scenario), .materials = materials_of_grains(world, scenario)};
  look.by = scenario.colour.value_or(look.materials.size() > 1 ? Colouring::material : Colouring::speed);
  const auto [low, high] = scenario.colour_range.value_or(colour_range(look.by, world, scenario, look.view));
  look.low = low, look.high = high;
  return look;
}

void recolour(Look& look, const World& world, const Scenario& scenario) {
  if (scenario.colour.value_or(look.by) == look.by && !scenario.colour_range) return;
  const Look now = first_look(world, scenario);
  look.by = now.by, look.low = now.low, look.high = now.high;
}

ColouringName name_of(Colouring by) {
  static constexpr ColouringName names[] = {{"material", ""},      {"radius", "m"},           {"speed", "m/s"},
                                            {"contacts", ""},      {"spin", "rad/s"},         {"velocity x", "m/s"},
                                            {"velocity y", "m/s"}, {"velocity z", "m/s"},     {"force", "N"},
                                            {"pressure", "Pa"},    {"temperature", "m^2/s^2"}};
  static_assert(std::size(names) == std::size(colourings));
  return names[static_cast<std::size_t>(by)];
}

ColourScale scale_of(const Look& look, const Scenario& scenario) {
  const auto [quantity, unit] = name_of(look.by);
  ColourScale scale{look.low, look.high, *unit == '\0' ? quantity : quantity + std::string(" [") + unit + "]"};
  if (look.by == Colouring::material)
    for (const int k : look.materials) scale.kinds.push_back({k, scenario.materials[static_cast<std::size_t>(k)].name});
  return scale;
}

ColourSummary colour_summary(const Look& look, const Scenario& scenario) {
  const ColouringName name = name_of(look.by);
  ColourSummary summary{
      std::string(colourings[static_cast<std::size_t>(look.by)]), name.quantity, name.unit, look.low, look.high, {}};
  for (const ColourScale::Kind& kind : scale_of(look, scenario).kinds) summary.materials.push_back(kind.name);
  return summary;
}

}  // namespace cairn
