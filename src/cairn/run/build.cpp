#include "cairn/run/build.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include "cairn/core/text.hpp"
#include "cairn/core/threads.hpp"
#include "cairn/run/scheme_choice.hpp"

namespace cairn {

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

Vector rotation_centre(const WallSpec& wall) {
  const auto own = [](const auto& shape) {
    if constexpr (requires { shape.point; })
      return shape.point;
    else
      return Vector{};
  };
  return wall.motion.centre.value_or(std::visit(own, wall.shape));
}

namespace {

Motion motion_of(const WallSpec& w) {
  Motion m;
  m.velocity = w.motion.velocity;
  m.rotation_rate = w.motion.rotation_rate;
  // Where a wall does not rotate, another centre would only round its places differently.
  m.centre = m.rotation_rate != 0 ? rotation_centre(w) : w.motion.centre.value_or(Vector{});
  if (m.rotation_rate != 0) m.axis = unit(w.motion.axis, "wall '" + w.name + "': motion.axis");
  m.amplitude = w.motion.oscillation_amplitude;
  m.frequency = w.motion.oscillation_frequency;
  m.phase = w.motion.oscillation_phase;
  m.ramp = {w.motion.times, w.motion.factors};
  return m;
}

LoadedWall loaded_wall_of(const WallSpec& w, const Scenario& s, int index) {
  const LoadSpec& load = *w.load;
  if (!(load.mass > 0)) throw Error(Exit::bad_input, "wall '" + w.name + "': load.mass must be above zero");
  LoadedWall wall{.wall = index, .mass = load.mass, .load = load.force, .ramp = {load.times, load.factors}};
  wall.damping = load.damping;
  const auto moves = [&](char axis) { return load.axes.empty() || load.axes.find(axis) != std::string::npos; };
  wall.free = {moves('x') && s.dimension > 1 ? 1.0 : 0.0, moves('y') && s.dimension > 2 ? 1.0 : 0.0,
               moves('z') ? 1.0 : 0.0};
  if (load.pressure != 0) {
    const auto* plane = std::get_if<PlaneWall>(&w.shape);
    if (!plane) throw Error(Exit::bad_input, "wall '" + w.name + "': load.pressure needs a plane; expected load.force");
    wall.load += load.pressure * load.area * unit(plane->normal, "wall '" + w.name + "': normal");
  }
  return wall;
}

// Error(bad_input) if a direction is zero: scenarios that come from no file are not checked before.
template <class Shape>
void require_directions(const Shape& shape, const std::string& wall) {
  for (const auto& p : Shape::parameters)
    if (p.direction) unit(shape.*std::get<Vector Shape::*>(p.value), "wall '" + wall + "': " + std::string(p.name));
}

void add_wall(WorldSettings& world, const Scenario& s, const WallSpec& w) {
  const int index = static_cast<int>(world.walls.size()), material = material_index(s, w.material);
  const Motion motion = motion_of(w);
  world.walls.push_back(w.name);
  int loaded = -1;
  if (w.load) {
    loaded = static_cast<int>(world.loaded_walls.size());
    world.loaded_walls.push_back(loaded_wall_of(w, s, index));
  }
  const auto add = [&](const Vector& point, const Vector& direction, const auto& shape) {
    Surface& surface = world.surfaces.emplace_back(Surface{index, material, shape, point, direction, motion});
    surface.turns = rotation_changes(surface);
    surface.absent = !w.present, surface.loaded = loaded;
    if (surface.turns && !shape.has_axis)
      throw Error(Exit::bad_input, "wall '" + w.name + "': a " + std::string(shape.name) +
                                       " can translate and oscillate, but not rotate");
  };
  std::visit(
      [&](const auto& shape) {
        require_directions(shape, w.name);
        shape.surfaces(s.dimension, add);
      },
      w.shape);
}

// The settings of every two materials, the first of several where a pair stands more than once.
class ContactTable {
 public:
  explicit ContactTable(const Scenario& s) : scenario_(s) {
    std::map<std::string_view, int> places;
    for (std::size_t k = 0; k < s.materials.size(); ++k) places.emplace(s.materials[k].name, static_cast<int>(k));
    for (const PairSettings& p : s.pairs) {
      const auto first = places.find(p.first), second = places.find(p.second);
      if (first != places.end() && second != places.end())
        pairs_.emplace(std::minmax({first->second, second->second}), &p.contact);
    }
  }

  const ContactSettings& operator()(std::size_t i, std::size_t j) const {
    if (pairs_.empty()) return scenario_.contact;
    const auto at = pairs_.find(std::minmax({static_cast<int>(i), static_cast<int>(j)}));
    return at == pairs_.end() ? scenario_.contact : *at->second;
  }

 private:
  const Scenario& scenario_;
  std::map<std::pair<int, int>, const ContactSettings*> pairs_;
};

bool corrects_onset(const Scenario& s) {
  const bool adaptive = presumed_scheme(s.scheme).claims.adaptive;
  if (adaptive && s.onset == true)
    throw Error(Exit::bad_input, "run.onset = \"on\" needs a scheme of fixed step; the adaptive scheme " + s.scheme +
                                     " finds contact onsets itself by shortening its steps; remove run.onset");
  bool worth = false;
  for_each_law([&](auto law) { worth = worth || (s.law == law.name && law.onset_by_default); });
  return s.onset.value_or(worth && !adaptive);  // no hard law is among them
}

// Benchmarks compare instruction sets: CAIRN_SIMD in the environment names another than the widest.
Simd chosen_simd() {
  const char* chosen = std::getenv("CAIRN_SIMD");
  if (!chosen) return widest_simd();
  const std::string name = chosen;
  for (const auto& [word, simd] : {std::pair{"sse2", Simd::baseline}, {"avx2", Simd::avx2}, {"avx512", Simd::avx512}})
    if (name == word) {
      if (simd <= widest_simd()) return simd;
      throw Error(Exit::bad_input, "CAIRN_SIMD = " + name +
                                       ": this processor has no such instructions, or the program was built "
                                       "without them (docs/performance.md, CAIRN_KERNELS)");
    }
  throw Error(Exit::bad_input, "CAIRN_SIMD = " + name + " in the environment; expected sse2, avx2 or avx512");
}

}  // namespace

std::string friction_fault(const SchemeEntry& scheme, const Scenario& s) {
  if (scheme.claims.slides) return "";
  const ContactTable contact(s);
  bool rubs = false;
  for (std::size_t i = 0; i < s.materials.size(); ++i)
    for (std::size_t j = 0; j < s.materials.size(); ++j) rubs = rubs || contact(i, j).number(parameter::friction) > 0;
  if (!rubs) return "";
  std::string others;
  for (const SchemeEntry& e : scheme_catalogue())
    if (e.claims.slides && e.claims.family == scheme.claims.family && e.claims.order >= scheme.claims.order)
      others += (others.empty() ? "" : ", ") + e.name;
  return "run.scheme = \"" + scheme.name +
         "\" is refused in runs with friction: its stages go back to times before the step began, where friction has "
         "the wrong sign. Sliding contacts feel up to " +
         brief(scheme.sliding_friction) + " mu F_n instead of mu F_n. Expected one of " + others + ", or friction = 0";
}

WorldSettings world_settings(const Scenario& s) {
  WorldSettings world;
  world.materials = static_cast<int>(s.materials.size());
  const ContactTable contact(s);
  world.laws = law_table(s.law, s.materials, contact);
  world.hard = hard_laws(s.law, s.materials.size(), contact);
  if (s.rotation && !world.hard) world.rolling = rolling_table(s.materials.size(), contact);
  world.gravity = s.gravity;
  world.cell = PeriodicCell::from(s.periodic_low, s.periodic_high - s.periodic_low);
  for (const WallSpec& w : s.walls) add_wall(world, s, w);
  world.skin = s.skin;
  world.rotation = s.rotation;
  require_threads(s.threads);
  world.threads = s.threads;
  world.simd = chosen_simd();
  world.onset = corrects_onset(s);
  return world;
}

}  // namespace cairn
