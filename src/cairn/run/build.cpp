#include "cairn/run/build.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "cairn/core/hash.hpp"

namespace cairn {
namespace {

constexpr Real pi = 3.14159265358979323846;

int material_index(const Scenario& s, const std::string& name) {
  if (s.materials.empty()) throw Error(Exit::bad_input, "a scenario needs at least one material");
  if (name.empty()) return 0;
  for (std::size_t i = 0; i < s.materials.size(); ++i)
    if (s.materials[i].name == name) return static_cast<int>(i);
  throw Error(Exit::bad_input, "material '" + name + "' is not defined");
}

Vector unit(const Vector& a, const std::string& what) {
  const Real length = norm(a);
  if (!(length > 0)) throw Error(Exit::bad_input, what + " must not be zero");
  return (1 / length) * a;
}

Motion motion_of(const WallSpec& w) {
  Motion m;
  m.velocity = w.motion.velocity;
  m.center = w.motion.center;
  m.rotation_rate = w.motion.rotation_rate;
  if (m.rotation_rate != 0) m.axis = unit(w.motion.axis, "wall '" + w.name + "': motion.axis");
  m.amplitude = w.motion.oscillation_amplitude;
  m.frequency = w.motion.oscillation_frequency;
  m.phase = w.motion.oscillation_phase;
  return m;
}

void add_wall(WorldSettings& world, const Scenario& s, const WallSpec& w) {
  Surface base;
  base.wall = static_cast<int>(world.walls.size());
  base.material = material_index(s, w.material);
  base.motion = motion_of(w);
  world.walls.push_back(w.name);
  const auto add = [&](Surface surface) {
    const Motion& m = surface.motion;
    // A cylinder about its own axis and a plane across the axis look the same however far they turn.
    const bool along_axis =
        surface.kind != Surface::Kind::box_outside && norm(cross(m.axis, surface.direction)) < 1e-12;
    const Vector off = surface.point - m.center;
    const bool centred = surface.kind == Surface::Kind::plane || norm(off - dot(off, m.axis) * m.axis) < 1e-12;
    surface.turns = m.rotation_rate != 0 && !(along_axis && centred);
    if (surface.turns && surface.kind == Surface::Kind::box_outside)
      throw Error(Exit::bad_input, "wall '" + w.name + "': a solid box can be moved and shaken, but not turned");
    world.surfaces.push_back(surface);
  };
  const auto plane = [&](const Vector& point, const Vector& normal) {
    Surface p = base;
    p.point = point, p.direction = normal;
    add(p);
  };
  switch (w.shape) {
    case WallSpec::Shape::plane:
      plane(w.point, unit(w.normal, "wall '" + w.name + "': normal"));
      break;
    case WallSpec::Shape::box:
      if (w.side == WallSpec::Side::inside) {
        const Vector axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int k = 0; k < 3; ++k) {
          if (k == 1 && s.dimension < 3) continue;
          if (k == 0 && s.dimension < 2) continue;
          plane(w.low, axes[k]);
          plane(w.high, -axes[k]);
        }
      } else {
        Surface box = base;
        box.kind = Surface::Kind::box_outside;
        box.point = 0.5 * (w.low + w.high);
        box.half_size = 0.5 * (w.high - w.low);
        if (s.dimension < 3) box.half_size.y = 1e30;  // endless where the space has no such direction
        if (s.dimension < 2) box.half_size.x = 1e30;
        add(box);
      }
      break;
    case WallSpec::Shape::cylinder: {
      Surface c = base;
      c.direction = unit(w.axis, "wall '" + w.name + "': axis");
      c.point = w.point;
      c.radius = w.radius;
      const bool inside = w.side == WallSpec::Side::inside;
      c.kind = inside ? Surface::Kind::cylinder_inside : Surface::Kind::cylinder_outside;
      c.half_length = inside ? 0 : 0.5 * w.length;
      add(c);
      if (inside && w.length > 0 && w.caps) {
        plane(w.point - 0.5 * w.length * c.direction, c.direction);
        plane(w.point + 0.5 * w.length * c.direction, -c.direction);
      }
      break;
    }
  }
}

// Where a group of grains may stand.
class Region {
 public:
  Region(const Scenario& s, const GrainsSpec& g) : dimension_(s.dimension), low_(g.low), high_(g.high) {
    if (g.axis) {
      cylinder_ = true;
      axis_ = unit(*g.axis, "grains: axis"), center_ = g.center;
      radius_ = g.region_radius, half_ = 0.5 * g.region_length;
      const auto extent = [&](Real a) { return half_ * std::fabs(a) + radius_ * std::sqrt(std::max(0.0, 1 - a * a)); };
      const Vector reach{extent(axis_.x), extent(axis_.y), extent(axis_.z)};
      low_ = center_ - reach, high_ = center_ + reach;
    }
    if (dimension_ < 3) low_.y = high_.y = 0;
    if (dimension_ < 2) low_.x = high_.x = 0;
  }
  // Bounds for the centre of a grain of this radius; a direction the space does not have is a point.
  Vector low(Real r) const { return low_ + inset(r); }
  Vector high(Real r) const { return high_ - inset(r); }
  bool holds(const Vector& x, Real r) const {
    const Vector a = low(r), b = high(r);
    if (x.x < a.x || x.y < a.y || x.z < a.z || x.x > b.x || x.y > b.y || x.z > b.z) return false;
    if (!cylinder_) return true;
    const Vector d = x - center_;
    const Real along = dot(d, axis_);
    return norm(d - along * axis_) + r <= radius_ && (dimension_ < 3 || std::fabs(along) + r <= half_);
  }

 private:
  Vector inset(Real r) const { return {dimension_ >= 2 ? r : 0, dimension_ == 3 ? r : 0, r}; }
  int dimension_;
  Vector low_, high_;
  bool cylinder_ = false;
  Vector axis_{}, center_{};
  Real radius_ = 0, half_ = 0;
};

struct Maker {
  const Scenario& scenario;
  const GrainsSpec& spec;
  std::vector<GrainData>& out;

  Real random(std::uint64_t grain, std::uint64_t k) const {
    return random_uniform(scenario.seed * 0x9e3779b97f4a7c15u + spec.seed, grain, k);
  }
  GrainData grain(std::uint64_t k) const {
    GrainSpec g;
    g.material = spec.material;
    g.velocity = spec.velocity;
    g.radius = spec.radius * (1 + spec.radius_spread * (2 * random(k, 0) - 1));
    return grain_data(scenario, g);
  }

  void lattice() const {
    const Region region(scenario, spec);
    const Real largest = spec.radius * (1 + spec.radius_spread);
    const Real spacing = spec.spacing > 0 ? spec.spacing : 2.02 * largest + 2 * spec.jitter;
    const Vector low = region.low(largest + spec.jitter), high = region.high(largest + spec.jitter);
    const auto places = [&](Real a, Real b) {
      return b < a - 1e-12 ? 0 : static_cast<int>((b - a) / spacing * (1 + 1e-12)) + 1;
    };
    const int nx = scenario.dimension >= 2 ? places(low.x, high.x) : 1;
    const int ny = scenario.dimension == 3 ? places(low.y, high.y) : 1;
    const int nz = places(low.z, high.z);
    std::int64_t made = 0;
    for (int c = 0; c < nz; ++c)
      for (int b = 0; b < ny; ++b)
        for (int a = 0; a < nx; ++a) {
          if (spec.count >= 0 && made == spec.count) return;
          GrainData g = grain(made);
          const auto shake = [&](std::uint64_t k) { return spec.jitter * (2 * random(made, k) - 1); };
          g.position = low + Vector{a * spacing, b * spacing, c * spacing};
          if (scenario.dimension >= 2) g.position.x += shake(1);
          if (scenario.dimension == 3) g.position.y += shake(2);
          g.position.z += shake(3);
          if (!region.holds(g.position, g.radius)) continue;
          out.push_back(g);
          ++made;
        }
  }

  // Random sequential addition: each grain tries places until one is free.
  void scattered() const {
    const Region region(scenario, spec);
    const Real largest = spec.radius * (1 + spec.radius_spread), cell = 2 * largest;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> cells;
    const auto index = [&](Real a) { return static_cast<std::int64_t>(std::floor(a / cell)); };
    const auto key = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
      return mix(mix(mix(static_cast<std::uint64_t>(a)) ^ static_cast<std::uint64_t>(b)) ^
                 static_cast<std::uint64_t>(c));
    };
    constexpr int tries = 2000;
    const std::size_t first = out.size();
    for (std::int64_t made = 0; made < spec.count; ++made) {
      GrainData g = grain(made);
      const Vector low = region.low(g.radius), high = region.high(g.radius);
      bool placed = false;
      for (int t = 0; t < tries && !placed; ++t) {
        const auto between = [&](Real a, Real b, std::uint64_t k) { return a + (b - a) * random(made, 4 + 3 * t + k); };
        g.position = {between(low.x, high.x, 0), between(low.y, high.y, 1), between(low.z, high.z, 2)};
        if (!region.holds(g.position, g.radius)) continue;
        placed = true;
        const std::int64_t a = index(g.position.x), b = index(g.position.y), c = index(g.position.z);
        for (int n = 0; n < 27 && placed; ++n)
          if (const auto at = cells.find(key(a + n % 3 - 1, b + n / 3 % 3 - 1, c + n / 9 - 1)); at != cells.end())
            for (std::size_t other : at->second)
              if (norm(out[other].position - g.position) < out[other].radius + g.radius) placed = false;
      }
      if (!placed)
        throw Error(Exit::bad_input, "grains: only " + std::to_string(out.size() - first) + " of " +
                                         std::to_string(spec.count) +
                                         " random grains fit without overlap; enlarge the region or lower the count");
      cells[key(index(g.position.x), index(g.position.y), index(g.position.z))].push_back(out.size());
      out.push_back(g);
    }
  }
};

}  // namespace

GrainData grain_data(const Scenario& s, const GrainSpec& spec) {
  GrainData g;
  g.position = spec.position, g.velocity = spec.velocity, g.spin = spec.spin;
  g.radius = spec.radius;
  g.material = material_index(s, spec.material);
  g.mass =
      spec.mass.value_or(s.materials.at(g.material).density * (4.0 / 3 * pi) * spec.radius * spec.radius * spec.radius);
  return g;
}

WorldSettings world_settings(const Scenario& s) {
  WorldSettings world;
  world.materials = static_cast<int>(s.materials.size());
  world.laws = law_table(s.law, s.materials, [&](std::size_t i, std::size_t j) -> const ContactSettings& {
    for (const PairSettings& p : s.pairs)
      if ((p.first == s.materials[i].name && p.second == s.materials[j].name) ||
          (p.first == s.materials[j].name && p.second == s.materials[i].name))
        return p.contact;
    return s.contact;
  });
  world.gravity = s.gravity;
  world.cell = PeriodicCell::from(s.periodic_low, s.periodic_high - s.periodic_low);
  for (const WallSpec& w : s.walls) add_wall(world, s, w);
  world.skin = s.skin;
  world.rotation = s.rotation;
  world.threads = s.threads;
  return world;
}

std::vector<GrainData> initial_grains(const Scenario& s) {
  std::vector<GrainData> out;
  for (const GrainSpec& g : s.grain) out.push_back(grain_data(s, g));
  for (const GrainsSpec& g : s.grains) {
    const Maker maker{s, g, out};
    switch (g.kind) {
      case GrainsSpec::Kind::lattice:
        maker.lattice();
        break;
      case GrainsSpec::Kind::random:
        maker.scattered();
        break;
      case GrainsSpec::Kind::data:
        for (const GrainSpec& one : g.list) out.push_back(grain_data(s, one));
        break;
    }
  }
  return out;
}

}  // namespace cairn
