#include "cairn/studies/restitution.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/contact_summary.hpp"
#include "cairn/run/emitters.hpp"
#include "cairn/run/grains.hpp"

namespace cairn::studies {
namespace {

using Partner = CollidingPair::Partner;

template <class Named>
int named(const std::vector<Named>& all, const std::string& name, const std::string& what) {
  std::vector<std::string> names;
  for (const Named& one : all) {
    if (one.name == name) return static_cast<int>(names.size());
    names.push_back(one.name);
  }
  throw Error(Exit::bad_input, "--pair: there is no " + what + " " + quoted_bytes(name) + suggestion(name, names) +
                                   (names.empty() ? "" : "; there are: " + joined(names, ", ", ", ")));
}

Partner grain_of(const Scenario& s, int material) {
  return {s.materials[static_cast<std::size_t>(material)].name, false, material};
}

Partner wall_of(const Scenario& s, const WallSpec& wall) {
  return {"wall " + wall.name, true, material_index(s, wall.material)};
}

std::pair<Partner, Partner> partners(const Scenario& s, const std::string& names) {
  const std::size_t comma = names.find(',');
  const std::string first = names.substr(0, comma), second = comma == names.npos ? "" : names.substr(comma + 1);
  if (first.empty() || second.empty())
    throw Error(Exit::bad_input, "--pair: found " + quoted_bytes(names) +
                                     ", expected A,B, two materials, or A,wall:NAME, a material and a wall");
  const Partner a = grain_of(s, named(s.materials, first, "material"));
  const std::string of_walls = "wall:";
  if (second.starts_with(of_walls)) {
    const std::string name = second.substr(of_walls.size());
    return {a, wall_of(s, s.walls[static_cast<std::size_t>(named(s.walls, name, "wall"))])};
  }
  bool taken = false;
  for (const Material& m : s.materials) taken = taken || m.name == second;
  if (second == "wall" && !taken) return {a, {"wall of " + a.name, true, a.material}};
  return {a, grain_of(s, named(s.materials, second, "material"))};
}

// In the order of cairn check: grains with grains, then with walls.
std::pair<Partner, Partner> first_partners(const Scenario& s, const LightestGrains& lightest, bool radii_given) {
  const int materials = static_cast<int>(s.materials.size());
  for (int i = 0; i < materials; ++i) {
    if (lightest.of(i).empty()) continue;
    for (int j = i; j < materials; ++j)
      if (lightest.of(j).size() >= (i == j ? 2u : 1u)) return {grain_of(s, i), grain_of(s, j)};
    if (!s.walls.empty()) return {grain_of(s, i), wall_of(s, s.walls[0])};
  }
  if (radii_given) return {grain_of(s, 0), grain_of(s, 0)};
  throw Error(
      Exit::bad_input,
      "the scenario has no two grains, and no grain and wall, that can touch; set the pair with --pair and --radius");
}

}  // namespace

CollidingPair colliding_pair(const Scenario& s, const std::string& names, std::span<const Real> radii) {
  const WorldSettings world = world_settings(s);
  LightestGrains lightest(world.materials);
  if (radii.empty()) {  // placing grains at random takes its time
    for (const GrainData& g : initial_grains(s, world)) lightest.look(g.material, {g.mass, g.radius});
    Emitters emitters(s);
    emitters.prepare(s);
    for (const GrainData& g : emitters.lightest()) lightest.look(g.material, {g.mass, g.radius});
  }
  CollidingPair pair;
  pair.law = s.law, pair.onset = world.onset;
  std::tie(pair.first, pair.second) = names.empty() ? first_partners(s, lightest, !radii.empty()) : partners(s, names);
  Partner &a = pair.first, &b = pair.second;
  if (b.wall && radii.size() > 1)
    throw Error(Exit::bad_input, "--radius: found two radii, expected one, that of the grain");
  const auto measure = [&](Partner& p, std::size_t which) {
    if (p.wall) return;
    if (!radii.empty()) {
      p.radius = radii[std::min(which, radii.size() - 1)];
      p.mass = sphere_mass(s.materials[static_cast<std::size_t>(p.material)].density, p.radius);
      return;
    }
    const auto& grains = lightest.of(p.material);
    // One grain of a material stands for both of a pair, if there is no second.
    const std::size_t rank = which == 1 && a.material == b.material && grains.size() > 1;
    if (grains.empty())
      throw Error(Exit::bad_input,
                  "there are no grains of material " + quoted_bytes(p.name) + "; give their radius by --radius");
    p.mass = grains[rank].mass, p.radius = grains[rank].radius;
  };
  measure(a, 0), measure(b, 1);
  std::visit(
      [&](const auto& laws) {
        const auto& law = laws[static_cast<std::size_t>(a.material * world.materials + b.material)];
        pair.collision.law = std::vector{law};
        pair.attraction = law.attraction;
      },
      world.laws);
  pair.collision.m_eff = b.wall ? a.mass : effective_of(a.mass, b.mass);
  pair.collision.r_eff = b.wall ? a.radius : effective_of(a.radius, b.radius);
  return pair;
}

RestitutionResult restitution_over_speed(const CollidingPair& pair, const RestitutionSettings& settings) {
  if (settings.scheme != nullptr && settings.scheme->claims.adaptive)
    throw Error(Exit::bad_input, "scheme " + std::string(settings.scheme->claims.name) +
                                     " chooses its own steps; expected one of fixed step");
  RestitutionResult result{pair, settings, {}};
  for (const Real speed : settings.speeds) {
    Collision c = pair.collision;
    c.speed = speed;
    RestitutionPoint point{speed, head_on(c), {}, {}};
    std::visit(
        [&](const auto& laws) {
          if constexpr (requires { laws[0].closed_form(c.m_eff, c.r_eff, speed); })
            point.closed = laws[0].closed_form(c.m_eff, c.r_eff, speed);
        },
        c.law);
    if (settings.scheme != nullptr)
      point.realised = realised_restitution(c, *settings.scheme, settings.steps, settings.onset);
    result.points.push_back(std::move(point));
  }
  return result;
}

}  // namespace cairn::studies
