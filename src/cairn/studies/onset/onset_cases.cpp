#include "cairn/studies/onset/onset_cases.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/contact/head_on.hpp"
#include "cairn/core/elementary.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/core/turn.hpp"
#include "cairn/run/registry.hpp"

namespace cairn::studies {
namespace {

constexpr Real radius = 1e-3, density = 2500;  // [m] [kg/m^3]
constexpr std::uint64_t seed = 1;
enum Stream : std::uint64_t { phase_stream = 1, place_stream, size_stream, velocity_stream, spin_stream };

Real mass_of(Real r) {
  return density * (4.0 / 3 * pi) * r * r * r;
}
GrainData grain(const Vector& x, const Vector& v, Real r = radius) {
  return {.position = x, .velocity = v, .radius = r, .mass = mass_of(r)};
}

WorldSettings world(const std::string& law, const ContactSettings& contact, Real young = 0) {
  WorldSettings s;
  Material m;
  m.young = young;
  s.laws = law_table(law, {m}, [&](auto, auto) { return contact; });
  s.gravity = {};
  return s;
}
void add_plane(WorldSettings& s, const Vector& point, const Vector& normal) {
  Surface plane;
  plane.wall = static_cast<int>(s.walls.size());
  plane.point = point, plane.direction = normal;
  s.surfaces.push_back(plane);
  s.walls.push_back("plane" + std::to_string(plane.wall));
}

ContactSettings linear(Real restitution, Real duration, Real friction = 0) {
  ContactSettings c;
  c["restitution"] = restitution, c["duration"] = duration, c["friction"] = friction;
  return c;
}
ContactSettings hertz(std::optional<Real> restitution, Real friction = 0) {
  ContactSettings c;
  c["restitution"] = restitution, c["friction"] = friction;
  return c;
}
Real hertz_duration(const ContactSettings& c, Real young, Real m_eff, Real r_eff, Real speed) {
  Material m;
  m.young = young;
  return head_on(HertzMindlin::from(c, m, m), m_eff, r_eff, speed).duration;
}
// [Pa] that makes a collision last so long [s]: durations fall like E^(-2/5).
Real young_for(const ContactSettings& c, Real duration, Real m_eff, Real r_eff, Real speed) {
  constexpr Real guess = 1e9;
  const Real ratio = hertz_duration(c, guess, m_eff, r_eff, speed) / duration;
  return guess * ratio * ratio * std::sqrt(ratio);
}

Vector gaussian(std::uint64_t stream, std::uint64_t k, std::uint64_t own) {
  Real a[4];
  for (std::uint64_t pair = 0; pair < 2; ++pair) {  // Box & Muller 1958
    const Real r = std::sqrt(-2 * stable_log(1 - random_uniform(stream_key(seed, own, stream, 0), k, 2 * pair)));
    const SinCos turn = sincos_turns(random_uniform(stream_key(seed, own, stream, 0), k, 2 * pair + 1));
    a[2 * pair] = r * turn.cos, a[2 * pair + 1] = r * turn.sin;
  }
  return {a[0], a[1], a[2]};
}

// --- Measures -------------------------------------------------------------------------------------------------------

Real share(Real a, Real of) {
  return (a - of) / of;
}

// Of one grain that left a wall at z = 0, or of the first of two along x.
Measure of_one(std::string name, std::string words, Measure::Of of, Real (*what)(const GrainMotions&)) {
  return {std::move(name), std::move(words), of, 0,
          [what](const GrainMotions& a, const GrainMotions& b, std::vector<Real>& to) {
            to.push_back(share(what(a), what(b)));
          }};
}
Real apart(const GrainMotions& a) {
  return a[1].v.x - a[0].v.x;
}
Real along_wall(const GrainMotions& a) {
  return a[0].v.x;
}
Real spin_of(const GrainMotions& a) {
  return a[0].w.y;
}

Measure positions(Real scale, int look, std::string name, std::string words) {
  return {std::move(name), std::move(words), Measure::Of::median, look,
          [scale](const GrainMotions& a, const GrainMotions& b, std::vector<Real>& to) {
            for (std::size_t i = 0; i < a.size(); ++i) to.push_back(norm(a[i].x - b[i].x) / scale);
          }};
}
Measure velocities(Real scale, int look, std::string name, std::string words) {
  return {std::move(name), std::move(words), Measure::Of::median, look,
          [scale](const GrainMotions& a, const GrainMotions& b, std::vector<Real>& to) {
            for (std::size_t i = 0; i < a.size(); ++i) to.push_back(norm(a[i].v - b[i].v) / scale);
          }};
}
Measure spins(Real scale, int look, std::string name, std::string words) {
  return {std::move(name), std::move(words), Measure::Of::median, look,
          [scale](const GrainMotions& a, const GrainMotions& b, std::vector<Real>& to) {
            for (std::size_t i = 0; i < a.size(); ++i) to.push_back(a[i].radius * norm(a[i].w - b[i].w) / scale);
          }};
}
std::vector<Measure> of_grains(Real speed, bool spinning) {
  std::vector<Measure> all{
      positions(radius, 0, "position", "positions over the mean radius, median over grains"),
      velocities(speed, 0, "velocity", "velocities over the initial root mean square speed, median over grains")};
  if (spinning)
    all.push_back(
        spins(speed, 0, "spin", "radius times spin over the initial root mean square speed, median over grains"));
  return all;
}

// --- One impact, and a chain ----------------------------------------------------------------------------------------

// [m] to fly before the first contact: a step, and a part of one.
Real gap_of(int k, Real h, Real speed) {
  return (1 + random_uniform(seed, phase_stream, static_cast<std::uint64_t>(k))) * speed * h;
}

constexpr Real impact_speed = 1, impact_duration = 5e-5;  // [m/s] [s]

OnsetCase impact(std::string name, std::string words, std::string law, const ContactSettings& c, Real young,
                 Real contact, bool oblique, int phases) {
  OnsetCase a{std::move(name), std::move(words), std::move(law), contact, 2.5 * contact};
  a.phased = true;
  a.starts = phases;
  const WorldSettings s = world(a.law, c, young);
  using Of = Measure::Of;
  if (oblique) {
    a.start = [s](int k, Real h) {
      const Real v = impact_speed * std::sqrt(0.5);  // 45 degrees
      Start b{s, {grain({0, 0, radius + gap_of(k, h, v)}, {v, 0, -v})}};
      add_plane(b.settings, {}, {0, 0, 1});
      return b;
    };
    // The normal motion is that of the head-on case.
    a.measures = {of_one("tangential", "tangential velocity, root mean square over phases", Of::rms, along_wall),
                  of_one("spin", "spin, root mean square over phases", Of::rms, spin_of)};
  } else {
    a.start = [s](int k, Real h) {
      constexpr Real other = 1.5 * radius;
      return Start{s,
                   {grain({}, {0.5 * impact_speed, 0, 0}),
                    grain({radius + other + gap_of(k, h, impact_speed), 0, 0}, {-0.5 * impact_speed, 0, 0}, other)}};
    };
    a.measures = {of_one("restitution", "restitution, root mean square over phases", Of::rms, apart),
                  of_one("restitution_mean", "restitution, mean over phases", Of::mean, apart)};
  }
  return a;
}

OnsetCase chain(int phases) {
  constexpr Real duration = impact_duration, speed = impact_speed;
  OnsetCase a{"chain", "five grains in a row hit a wall; the gaps are so small that contacts overlap in time", "linear",
              duration, 40 * duration};
  a.phased = true;
  a.starts = phases;
  a.start = [s = world("linear", linear(0.8, duration))](int k, Real h) {
    Start b{s, {}};
    add_plane(b.settings, {}, {1, 0, 0});
    Real x = radius + gap_of(k, h, speed);
    for (const Real gap : {0.43, 1.12, 0.27, 0.71, 0.0}) {  // [contacts] to the next
      b.grains.push_back(grain({x, 0, 0}, {-speed, 0, 0}));
      x += 2 * radius + gap * duration * speed;
    }
    return b;
  };
  a.measures = {velocities(speed, 0, "velocity",
                           "velocities over the velocity before the impact, median over grains and phases")};
  return a;
}

// --- Many grains ----------------------------------------------------------------------------------------------------

// Places grains at random in a box, none closer to another than touching; `depth` 0: in the plane y = 0. Periodic:
// images count.
void place(std::vector<GrainData>& grains, const Vector& size, bool periodic, std::uint64_t own) {
  const std::uint64_t key = stream_key(seed, own, place_stream, 0);
  const Vector period = periodic ? size : Vector{};
  const PeriodicCell cell = PeriodicCell::from({}, period);
  std::uint64_t draw = 0;
  for (std::size_t i = 0; i < grains.size(); ++i) {
    GrainData& g = grains[i];
    const auto coordinate = [&](Real length, std::uint64_t which) {
      const Real u = random_uniform(key, draw, which);
      return length == 0 ? 0 : periodic ? u * length : 1.01 * g.radius + u * (length - 2.02 * g.radius);
    };
    for (bool free = false; !free; ++draw) {
      if (draw > 1000000) throw Error(Exit::guard, "study onset: no room for the grains of a case");
      g.position = {coordinate(size.x, 0), coordinate(size.y, 1), coordinate(size.z, 2)};
      free = std::none_of(grains.begin(), grains.begin() + static_cast<std::ptrdiff_t>(i), [&](const GrainData& o) {
        const Vector d = o.position - g.position;
        return norm(d - cell.image(d)) < 1.01 * (o.radius + g.radius);
      });
    }
  }
}

// Grains of radii within a fifth of the mean.
std::vector<GrainData> spread_grains(int count, std::uint64_t own) {
  std::vector<GrainData> all;
  for (int i = 0; i < count; ++i) {
    const Real u = random_uniform(stream_key(seed, own, size_stream, 0), static_cast<std::uint64_t>(i), 0);
    all.push_back(grain({}, {}, radius * (0.8 + 0.4 * u)));
  }
  return all;
}

// Velocities and spins of a gas; `speed` [m/s] their root mean square.
void heat(std::vector<GrainData>& grains, Real speed, bool planar, bool spinning, std::uint64_t own) {
  const Real one = speed / std::sqrt(planar ? 2.0 : 3.0);
  for (std::size_t i = 0; i < grains.size(); ++i) {
    GrainData& g = grains[i];
    g.velocity = one * gaussian(velocity_stream, i, own);
    if (spinning) g.spin = (0.7 * one / g.radius) * gaussian(spin_stream, i, own);
    if (planar) g.velocity.y = 0, g.spin = {0, g.spin.y, 0};
  }
}

constexpr Real gas_speed = 1;  // [m/s] root mean square
constexpr Real gas_restitution = 0.8, gas_friction = 0.4;

OnsetCase billiards(int count, int tables) {
  constexpr Real covered = 0.3;  // of the plane
  const Real side = std::sqrt(count * pi * radius * radius / covered);
  const Real free = side * side / (4 * radius * count * gas_speed);  // [s] about, between two collisions of a grain
  const Real duration = 0.05 * free;
  OnsetCase a{"billiards", "spheres in a plane between four walls, with friction and dashpots", "linear", duration,
              1.5 * free};
  a.starts = tables;
  ContactSettings c = linear(gas_restitution, duration, gas_friction);
  a.start = [s = world("linear", c), count, side](int k, Real) {
    Start b{s, spread_grains(count, static_cast<std::uint64_t>(k))};
    add_plane(b.settings, {}, {1, 0, 0});
    add_plane(b.settings, {side, 0, 0}, {-1, 0, 0});
    add_plane(b.settings, {}, {0, 0, 1});
    add_plane(b.settings, {0, 0, side}, {0, 0, -1});
    place(b.grains, {side, 0, side}, false, static_cast<std::uint64_t>(k));
    heat(b.grains, gas_speed, true, true, static_cast<std::uint64_t>(k));
    return b;
  };
  a.measures = of_grains(gas_speed, true);
  return a;
}

// [1/s] collisions of one sphere in a gas of equal spheres of root mean square speed `speed`, after Enskog.
Real enskog_rate(Real number_density, Real r, Real fraction, Real speed) {
  const Real left = 1 - fraction, g = (1 - 0.5 * fraction) / (left * left * left);
  return 16 * number_density * r * r * g * std::sqrt(pi / 3) * speed;
}

OnsetCase gas(std::string name, std::string words, std::string law, int count) {
  constexpr Real fraction = 0.2;
  const std::uint64_t own = 100;
  Start b{{}, spread_grains(count, own)};
  Real volume = 0;
  for (const GrainData& g : b.grains) volume += 4.0 / 3 * pi * g.radius * g.radius * g.radius;
  const Real side = std::cbrt(volume / fraction);
  const Real free = 1 / enskog_rate(count / (side * side * side), radius, fraction, gas_speed);
  const Real duration = 0.05 * free;
  if (law == "linear") {
    ContactSettings c = linear(gas_restitution, duration, gas_friction);
    c["tangential_damping_per_mass"] = 0.2 / duration;
    b.settings = world(law, c);
  } else {
    const ContactSettings c = hertz(gas_restitution, gas_friction);
    b.settings = world(law, c, young_for(c, duration, 0.5 * mass_of(radius), 0.5 * radius, gas_speed));
  }
  b.settings.cell = PeriodicCell::from({}, {side, side, side});
  place(b.grains, {side, side, side}, true, own);
  heat(b.grains, gas_speed, false, true, own);
  OnsetCase a{std::move(name), std::move(words), std::move(law), duration, 3 * free};
  a.start = [b](int, Real) { return b; };
  a.measures = of_grains(gas_speed, true);
  return a;
}

// Each on its own, so that errors do not grow by chaos.
OnsetCase bounces() {
  constexpr Real duration = 2e-4, speed = 0.2;  // [s] [m/s]
  constexpr int count = 12;
  OnsetCase a{"bounces", "spheres with spin fall on a floor, do not touch each other, and bounce until they roll",
              "linear", duration, 0.12};
  a.looks = 3;
  Start b{world("linear", linear(0.6, duration, 0.3)), {}};
  b.settings.gravity = {0, 0, -9.81};
  add_plane(b.settings, {}, {0, 0, 1});
  for (int i = 0; i < count; ++i) {
    const Real height = radius * (2 + 2 * random_uniform(seed, place_stream, static_cast<std::uint64_t>(i)));
    const std::uint64_t k = static_cast<std::uint64_t>(i);
    GrainData g = grain({0, 3 * radius * i, height}, {0.5 * speed * gaussian(velocity_stream, k, 400).x, 0, 0});
    g.spin = {0, 0.5 * speed / radius * gaussian(spin_stream, k, 400).y, 0};
    b.grains.push_back(g);
  }
  a.start = [b](int, Real) { return b; };
  a.measures = {velocities(speed, 0, "velocity_bouncing", "velocities at 0.04 s over 0.2 m/s, median over grains"),
                positions(radius, 0, "position_bouncing", "positions at 0.04 s over the radius, median over grains"),
                velocities(speed, 2, "velocity_rolling", "velocities at 0.12 s over 0.2 m/s, median over grains"),
                positions(radius, 2, "position_rolling", "positions at 0.12 s over the radius, median over grains")};
  return a;
}

OnsetCase pile(int boxes) {
  constexpr Real duration = 2e-4, height = 2 * radius, spacing = 2.05 * radius;  // [s] [m] [m]
  OnsetCase a{"pile", "five spheres, one above four, fall in a narrow box, bounce and come to rest", "linear", duration,
              0.12};
  a.looks = 6;
  a.starts = boxes;
  a.tolerance = 1e-11;
  a.start = [s = world("linear", linear(0.5, duration, 0.5))](int k, Real) {
    constexpr int base = 2;
    constexpr Real side = base * spacing;
    Start b{s, {}};
    b.settings.gravity = {0, 0, -9.81};
    add_plane(b.settings, {}, {0, 0, 1});
    add_plane(b.settings, {}, {1, 0, 0});
    add_plane(b.settings, {side, 0, 0}, {-1, 0, 0});
    add_plane(b.settings, {}, {0, 1, 0});
    add_plane(b.settings, {0, side, 0}, {0, -1, 0});
    for (int layer = 0; layer < base; ++layer)
      for (int i = 0; i < base - layer; ++i)
        for (int j = 0; j < base - layer; ++j) {
          const Real at = 0.5 * spacing * (1 + layer);
          const Vector v = 0.005 * gaussian(velocity_stream, b.grains.size(), 200 + static_cast<std::uint64_t>(k));
          b.grains.push_back(grain({at + spacing * i, at + spacing * j, height + 1.6 * radius * layer}, v));
        }
    return b;
  };
  constexpr Real speed = 0.14;  // [m/s] of the fall
  a.measures = {
      velocities(speed, 0, "velocity_bouncing", "velocities at 0.02 s over the speed of the fall, median over grains"),
      positions(radius, 0, "position_bouncing", "positions at 0.02 s over the radius, median over grains"),
      positions(radius, 5, "position_at_rest", "positions at 0.12 s over the radius, median over grains")};
  return a;
}

}  // namespace

std::vector<OnsetCase> onset_cases(const CaseSizes& sizes) {
  const Real m_pair = mass_of(radius) * mass_of(1.5 * radius) / (mass_of(radius) + mass_of(1.5 * radius));
  constexpr Real r_pair = 0.6 * radius, young = 1e8;
  const auto lasts = [&](const ContactSettings& c, bool wall) {
    return wall ? hertz_duration(c, young, mass_of(radius), radius, impact_speed * std::sqrt(0.5))
                : hertz_duration(c, young, m_pair, r_pair, impact_speed);
  };
  const ContactSettings damped = hertz(0.8), elastic = hertz({}), rough = hertz(0.8, 0.3);
  return {
      impact("impact", "two spheres collide head-on, e = 0.8", "linear", linear(0.8, impact_duration), 0,
             impact_duration, false, sizes.phases),
      impact("impact_oblique", "a sphere hits a wall at 45 degrees, e = 0.8, mu = 0.3", "linear",
             linear(0.8, impact_duration, 0.3), 0, impact_duration, true, sizes.phases),
      impact("hertz", "two spheres collide head-on, e = 0.8", "hertz_mindlin", damped, young, lasts(damped, false),
             false, sizes.phases),
      impact("hertz_oblique", "a sphere hits a wall at 45 degrees, e = 0.8, mu = 0.3", "hertz_mindlin", rough, young,
             lasts(rough, true), true, sizes.phases),
      impact("hertz_elastic", "two spheres collide head-on, e = 1", "hertz_mindlin", elastic, young,
             lasts(elastic, false), false, sizes.phases),
      chain(std::max(1, sizes.phases / 4)),
      billiards(sizes.billiards, sizes.tables),
      gas("gas", "spheres with spin in a periodic box, friction and dashpots in both directions", "linear", sizes.gas),
      gas("gas_hertz", "the gas with Hertz contacts", "hertz_mindlin", sizes.gas),
      bounces(),
      pile(std::min(3, sizes.tables)),
  };
}

CoolingCase cooling_case(int count, std::uint64_t own) {
  constexpr Real fraction = 0.1, e = 0.9, speed = 1;
  const Real side = std::cbrt(count * (4.0 / 3 * pi) / fraction) * radius;
  const Real rate = enskog_rate(count / (side * side * side), radius, fraction, speed);
  CoolingCase c;
  c.restitution = e, c.fraction = fraction;
  c.tau = 6 / ((1 - e * e) * rate);
  c.contact = 0.03 / rate;
  c.end = 1.5 * c.tau;

  // First elastic, until nothing is left of how the grains were placed.
  Start& b = c.start;
  const auto settings = [&](Real restitution) {
    WorldSettings s = world("linear", linear(restitution, c.contact));
    s.cell = PeriodicCell::from({}, {side, side, side});
    s.rotation = false;
    return s;
  };
  b.grains.assign(static_cast<std::size_t>(count), grain({}, {}));
  place(b.grains, {side, side, side}, true, own);
  heat(b.grains, speed, false, false, own);
  const auto settle_speed = [&] {  // at rest as a whole, and of the speed asked for
    Vector mean{};
    for (const GrainData& g : b.grains) mean += (1.0 / count) * g.velocity;
    Real square = 0;
    for (GrainData& g : b.grains) g.velocity -= mean, square += dot(g.velocity, g.velocity) / count;
    for (GrainData& g : b.grains) g.velocity = (speed / std::sqrt(square)) * g.velocity;
  };
  settle_speed();
  World w(settings(1));
  w.insert(b.grains);
  w.begin();
  const SchemeEntry& scheme = scheme_named("velocity_verlet");
  constexpr Real collisions = 4, per_contact = 20;
  const Real h = c.contact / per_contact;
  for (int k = 0; k < static_cast<int>(collisions / rate / h); ++k) scheme.advance(w, h);
  const std::vector<int> order = w.grains().by_id();
  for (std::size_t i = 0; i < order.size(); ++i)
    b.grains[i].position = w.state().body.at(BodyRow::x, order[i]), b.grains[i].velocity = w.velocity(order[i]);
  settle_speed();
  b.settings = settings(e);
  return c;
}

}  // namespace cairn::studies
