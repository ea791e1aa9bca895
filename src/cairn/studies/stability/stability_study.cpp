#include "cairn/studies/stability/stability_study.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "cairn/analysis/stability.hpp"
#include "cairn/contact/laws/all.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/studies/stability/network_cases.hpp"
#include "cairn/world/world.hpp"

namespace cairn::studies {
namespace {

constexpr Real gravity = 9.81, stiffness = 40'000, mass = 1,
               radius = 0.3;  // SI; those of the column of the statics study

// Grains on each other in one dimension, at rest under their weight; contacts never open, so the motion is linear.
World column_at_rest(int grains, Real damping) {
  WorldSettings s;
  s.laws = law_table("linear", {Material{}}, [&](auto, auto) {
    ContactSettings contact{{"stiffness", stiffness}, {"attraction", 1}};
    contact["damping"] = damping;
    return contact;
  });
  s.gravity = {0, 0, -gravity};
  s.rotation = false;
  Surface floor;
  floor.point = {0, 0, 0}, floor.direction = {0, 0, 1};
  s.surfaces.push_back(floor);
  s.walls.push_back("floor");
  World world(s);
  std::vector<GrainData> all;
  for (int j = 1; j <= grains; ++j) {
    const Real overlaps = mass * gravity / stiffness * (j * grains - 0.5 * j * (j - 1));  // of all contacts below
    all.push_back({.position = {0, 0, (2 * j - 1) * radius - overlaps}, .radius = radius, .mass = mass});
  }
  world.insert(all);
  return world;
}

// Whether a small motion of the column at rest grows within so many steps of h: a hundredfold, or, of one grain, whose
// amplitude is steady, from the second quarter of the steps to the last.
bool grows(const SchemeEntry& scheme, World world, Real h, std::int64_t steps) {
  constexpr Real a_hundredfold = 100, steady = 1e-3;  // [-]
  std::vector<Real> rest;
  Real amplitude = 0, early = 0, late = 0;  // [m]
  for (int i = 0; i < world.size(); ++i) rest.push_back(world.position(i).z);
  for (int i = 0; i < world.size(); ++i) {
    // A grain moves by a part of its overlap, so that no contact opens before the motion has grown.
    const Real off = 1e-6 * radius * (random_uniform(3, static_cast<std::uint64_t>(i), 0) - 0.5);
    world.state().body.set(BodyRow::x, i, world.position(i) + Vector{0, 0, off});
    amplitude = std::max(amplitude, std::fabs(off));
  }
  try {
    world.begin(!scheme.splitting);
    for (std::int64_t k = 0; k < steps; ++k) {
      scheme.advance(world, h);
      for (int i = 0; i < world.size(); ++i) {
        const Real off = std::fabs(world.position(i).z - rest[static_cast<std::size_t>(i)]);
        if (!(off < a_hundredfold * amplitude)) return true;
        if (4 * k >= steps && 2 * k < steps) early = std::max(early, off);
        if (4 * k >= 3 * steps) late = std::max(late, off);
      }
    }
  } catch (const Error&) {  // an implicit step that no longer converges
    return true;
  }
  return world.size() == 1 && late > (1 + steady) * early && late > steady * amplitude;
}

// Whether the scheme's map depends on the roots lambda of the oscillator alone, each by itself. Then the growth with
// two different real roots is the larger of the growths with either as a double root.
bool treats_alike(const SchemeEntry& scheme) {
  constexpr Real tolerance = 1e-6;  // double roots are found to 1e-7
  // The third is far enough for the last terms of long series to be seen.
  for (const auto& [slow, fast] : {std::pair{0.3, 0.9}, {0.1, 1.2}, {0.8, 2.5}}) {
    const Real omega = std::sqrt(slow * fast), both = scheme.spectral_radius(omega, 0.5 * (slow + fast) / omega);
    const Real either = std::max(scheme.spectral_radius(slow, 1), scheme.spectral_radius(fast, 1));
    if (!(std::fabs(both - either) < tolerance)) return false;
  }
  return true;
}

}  // namespace

StabilitySettings StabilitySettings::quick() {
  return {.schemes = select_schemes(
              "velocity_verlet,velocity_verlet_extrapolated,velocity_verlet_predicted,velocity_verlet_implicit,"
              "central_difference,position_verlet,symplectic_euler,omelyan_babab,forest_ruth,verlet,rk4,heun2,"
              "forward_euler,taylor3,adams_bashforth3,abm4,gear3,newmark"),
          .steps = 5'000};
}

Real closed_limit(const SchemeEntry& scheme, Real zeta) {
  const auto of = [&](Real share) { return 2 * (std::hypot(share * zeta, 1) - share * zeta); };
  if (scheme.name == "central_difference" || scheme.name == "velocity_verlet" || scheme.name == "position_verlet" ||
      scheme.name == "symplectic_euler")
    return of(1);
  if (scheme.name == "velocity_verlet_predicted") return of(2);
  if (scheme.name == "velocity_verlet_extrapolated") return of(4);
  if (scheme.name == "velocity_verlet_implicit") return 2;
  return nan;
}

StabilityResult::Region absolute_stability(const SchemeEntry& scheme) {
  const BoundaryGrid grid;
  // lambda = omega (-zeta +- i sqrt(1 - zeta^2)); a negative zeta drives the oscillator.
  const auto stable = [&](Real modulus, Real argument) {
    return scheme.spectral_radius(modulus, -std::cos(argument)) <= 1 + stable_radius_slack;
  };
  return {&scheme, treats_alike(scheme), stable(grid.farthest, pi), boundary_in_upper_half_plane(stable, grid)};
}

// Stable at 0.95 of the limit stated, growing at 1.1 of that of the scheme's own map, which is no shorter.
bool StabilityResult::Network::holds(const SchemeOnNetwork& of) {
  constexpr Real steady = 2, grown = 10, to_a_thousandth = 0.999;  // [-]; maps are searched to a thousandth
  return of.growth_below < steady && of.growth_above > grown && of.map_limit >= to_a_thousandth * of.limit;
}

StabilityResult study_stability(const StabilitySettings& settings, const ProgressCallback& on_progress) {
  StabilityResult r;
  Selection schemes;
  std::copy_if(settings.schemes.begin(), settings.schemes.end(), std::back_inserter(schemes),
               [](const SchemeEntry* s) { return !s->claims.adaptive; });
  if (schemes.empty()) throw Error(Exit::bad_input, "study stability: expected at least one scheme of fixed step");
  r.omega_max = 2 * std::sqrt(stiffness / mass) * std::cos(pi / (2 * settings.column + 1));
  const Real omega = std::sqrt(stiffness / mass);
  std::size_t done = 0;
  for (const SchemeEntry* scheme : schemes) {
    if (on_progress) on_progress(static_cast<Real>(done++) / static_cast<Real>(schemes.size()), scheme->name);
    const auto steps = static_cast<std::int64_t>(static_cast<Real>(settings.steps) / guess_of_step(*scheme)) + 2000;
    for (const Real zeta : settings.dampings) {
      const Real computed = scheme->stability(zeta);
      StabilityResult::Limit limit{scheme, zeta, closed_limit(*scheme, zeta), computed, nan};
      if (computed > 0 && std::isfinite(computed)) {
        const auto unstable = [&](Real h_omega) {
          return grows(*scheme, column_at_rest(1, 2 * zeta * omega * mass), h_omega / omega, steps);
        };
        Real low = 0.95 * computed, high = 1.05 * computed;
        if (!unstable(low) && unstable(high)) {
          while (high - low > 1e-3 * computed) {
            const Real middle = 0.5 * (low + high);
            (unstable(middle) ? high : low) = middle;
          }
          limit.simulated = 0.5 * (low + high);
        }
      }
      r.limits.push_back(limit);
    }
    if (const Real undamped = scheme->stability(0); undamped > 0 && std::isfinite(undamped)) {
      const Real h = undamped / r.omega_max;
      const auto grows_at = [&](Real share) {
        return grows(*scheme, column_at_rest(settings.column, 0), share * h, std::min<std::int64_t>(steps, 4000));
      };
      r.columns.push_back({scheme, h, grows_at(0.99), grows_at(1.01)});
    }
    r.regions.push_back(absolute_stability(*scheme));
  }
  const Selection proven = schemes_with_proven_limit(schemes);
  for (NetworkCase (*const make)() : {damped_pair, closed_column, settled_packing}) {
    if (proven.empty()) break;
    const NetworkCase network = make();
    if (on_progress) on_progress(1, network.name);
    CaseStability of = case_stability(*network.at_rest, proven, true);
    r.networks.push_back({network.name, of.grains, of.contacts, std::move(of.schemes)});
  }
  return r;
}

}  // namespace cairn::studies
