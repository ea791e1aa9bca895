#include "cairn/run/grains.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "cairn/core/constants.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/core/text.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/free_space.hpp"
#include "cairn/run/region.hpp"
#include "cairn/run/sizes.hpp"

namespace cairn {
namespace {

constexpr Real most_places = 1e9;  // of a lattice

std::string name_of_grains(std::size_t section) {
  return "grains." + std::to_string(section);
}

struct Maker {
  const Scenario& scenario;
  const WorldSettings& world;
  const GrainsSpec& spec;
  std::vector<GrainData>& out;
  std::uint64_t key;  // of its random numbers
  std::string name;   // of its section
  Region region{spec.region, scenario.dimension, name};
  Sizes sizes{spec.radius, spec.radius_spread, spec.sizes};

  Real random(std::uint64_t grain, std::uint64_t k) const { return random_uniform(key, grain, k); }
  GrainData grain(std::uint64_t k) const {
    GrainSpec g;
    g.material = spec.material;
    g.velocity = spec.velocity;
    g.radius = sizes.radius(random(k, 0));
    return grain_data(scenario, g);
  }

  // Of the places of a lattice in the box about its region.
  struct Lattice {
    Vector low{};      // [m]
    Real spacing = 0;  // [m]
    Real nx = 1, ny = 1, nz = 1;
    Real places() const { return nx * ny * nz; }
  };
  Lattice places() const {
    const Real largest = sizes.largest();
    const Vector low = region.low(largest + spec.jitter), high = region.high(largest + spec.jitter);
    Lattice l{.low = low, .spacing = spec.spacing > 0 ? spec.spacing : 2.02 * largest + 2 * spec.jitter};
    const auto places = [&](Real a, Real b) {
      return b < a - 1e-12 ? 0 : std::floor((b - a) / l.spacing * (1 + 1e-12)) + 1;
    };
    if (scenario.dimension >= 2) l.nx = places(low.x, high.x);
    if (scenario.dimension == 3) l.ny = places(low.y, high.y);
    l.nz = places(low.z, high.z);
    if (!(l.places() <= most_places))
      throw Error(Exit::bad_input, name + ": the lattice has " + brief(l.places()) + " places; expected at most " +
                                       brief(most_places) + "; enlarge the spacing or reduce the region");
    return l;
  }

  void lattice() const {
    const auto [low, spacing, nx, ny, nz] = places();
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
    if (made == 0 || made < spec.count) refuse_lattice(made);
  }

  [[noreturn]] void refuse_lattice(std::int64_t made) const {
    throw Error(Exit::bad_input,
                name + ": only " + std::to_string(made) +
                    (spec.count < 0 ? " grains of the lattice fit; enlarge the region or reduce the radius"
                                    : " of " + std::to_string(spec.count) +
                                          " grains of the lattice fit; enlarge the region, reduce the spacing or "
                                          "lower the count"));
  }

  // Random sequential addition: each grain tries places until one is free.
  void scattered() const {
    constexpr int tries = 2000;
    Real largest = sizes.largest();
    for (const GrainData& g : out) largest = std::max(largest, g.radius);
    FreeSpace free(world.cell, world.surfaces, 0, largest);
    for (const GrainData& g : out) free.add(g.position, g.radius);
    const std::size_t first = out.size();
    for (std::int64_t made = 0; made < spec.count; ++made) {
      GrainData g = grain(made);
      const Vector low = region.low(g.radius), high = region.high(g.radius);
      bool placed = false;
      for (int t = 0; t < tries && !placed; ++t) {
        const auto between = [&](Real a, Real b, std::uint64_t k) { return a + (b - a) * random(made, 4 + 3 * t + k); };
        g.position = {between(low.x, high.x, 0), between(low.y, high.y, 1), between(low.z, high.z, 2)};
        placed = region.holds(g.position, g.radius) && free.holds(g.position, g.radius);
      }
      if (!placed)
        throw Error(Exit::bad_input, name + ": only " + std::to_string(out.size() - first) + " of " +
                                         std::to_string(spec.count) +
                                         " random grains fit without overlap; enlarge the region or lower the count");
      free.add(g.position, g.radius);
      out.push_back(g);
    }
  }
};

}  // namespace

Real sphere_mass(Real density, Real radius) {
  return density * (4.0 / 3 * pi) * radius * radius * radius;
}

GrainData grain_data(const Scenario& s, const GrainSpec& spec) {
  GrainData g;
  g.position = spec.position, g.velocity = spec.velocity, g.spin = spec.spin;
  g.radius = spec.radius;
  g.material = material_index(s, spec.material);
  g.mass = spec.mass.value_or(sphere_mass(s.materials.at(g.material).density, spec.radius));
  return g;
}

Real expected_grains(const Scenario& s, std::size_t section, const WorldSettings& world) {
  const GrainsSpec& g = s.grains[section];
  if (g.kind != GrainsSpec::Kind::lattice)
    return static_cast<Real>(std::max<std::int64_t>(g.count, std::ssize(g.list)));
  std::vector<GrainData> none;
  const Maker maker{s, world, g, none, 0, name_of_grains(section)};
  const Real places = maker.places().places();
  if (places == 0 || places < static_cast<Real>(g.count)) maker.refuse_lattice(static_cast<std::int64_t>(places));
  if (g.count >= 0) return static_cast<Real>(g.count);
  // A cylinder that lies along an axis of coordinates has this share of the box about it.
  return g.region.kind == RegionSpec::Kind::cylinder && s.dimension > 1 ? pi / 4 * places : places;
}

std::vector<GrainData> initial_grains(const Scenario& s, const WorldSettings& world) {
  std::vector<GrainData> out;
  std::size_t listed = s.grain.size();
  for (const GrainsSpec& g : s.grains) listed += g.list.size();
  out.reserve(listed);
  for (const GrainSpec& g : s.grain) out.push_back(grain_data(s, g));
  for (std::size_t k = 0; k < s.grains.size(); ++k) {
    const GrainsSpec& g = s.grains[k];
    const std::uint64_t key = stream_key(s.seed, g.seed, grains_stream, k);
    switch (g.kind) {
      case GrainsSpec::Kind::lattice:
        Maker{s, world, g, out, key, name_of_grains(k)}.lattice();
        break;
      case GrainsSpec::Kind::random:
        Maker{s, world, g, out, key, name_of_grains(k)}.scattered();
        break;
      case GrainsSpec::Kind::data:
      case GrainsSpec::Kind::csv:
        for (const GrainSpec& one : g.list) out.push_back(grain_data(s, one));
        break;
    }
  }
  return out;
}

}  // namespace cairn
