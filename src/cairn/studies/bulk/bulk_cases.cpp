#include "cairn/studies/bulk/bulk_cases.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/studies/onset/onset_cases.hpp"
#include "cairn/studies/thread_time.hpp"
#include "cairn/studies/validation/beds.hpp"
#include "cairn/studies/validation/bulk.hpp"

namespace cairn::studies {
namespace {

constexpr Real d = bed_diameter;
const Real bed_contact = 20 * bed_step;  // [s]
// Of the chute: half as many steps as with the stiffness of other beds. Overlaps are about a hundredth of d.
constexpr Real soft_stiffness = bed_stiffness / 4;  // [m g / d]
const Real soft_contact = 2 * bed_contact;          // [s]
constexpr Real fastest = 100;  // [-] a grain so many times faster than the case expects has exploded

// A world that a scheme moves by whole collision times.
class Moved {
 public:
  Moved(WorldSettings settings, std::span<const GrainData> grains, const SchemeEntry& scheme, bool onset, Real contact,
        int steps, Real speed)
      : scheme_(scheme),
        world_(with(std::move(settings), onset)),
        h_(contact / steps),
        most_(fastest * speed),
        steps_(steps) {
    world_.insert(grains);
    world_.begin();
  }
  World& world() { return world_; }

  // False where the motion has exploded. Each collision time is looked at, so no number can overflow.
  bool advance(int contacts) {
    for (int c = 0; c < contacts; ++c) {
      for (int k = 0; k < steps_; ++k) scheme_.advance(world_, h_);
      for (int i = 0; i < world_.size(); ++i)
        if (!(norm(world_.velocity(i)) < most_)) return false;
    }
    return true;
  }
  Real energy() {
    const World::Synchronised now(world_, scheme_.staggered ? 0.5 * h_ : 0);
    return world_.energies().mechanical();
  }

 private:
  static WorldSettings with(WorldSettings settings, bool onset) {
    settings.onset = onset;
    return settings;
  }

  const SchemeEntry& scheme_;
  World world_;
  Real h_, most_;  // [s] [m/s]
  int steps_;
};

// The values of a run that may explode.
template <class Run>
BulkRun guarded(std::size_t measures, Run&& run) {
  BulkRun r;
  const Real before = thread_seconds();
  try {
    r = run();
  } catch (const Error&) {  // positions that are not finite, or a solve that does not converge
  }
  r.values.resize(measures, nan);
  r.seconds = thread_seconds() - before;
  return r;
}

int contacts_in(Real bed_times, Real contact = bed_contact) {
  return static_cast<int>(std::lround(bed_times * bed_time / contact));
}

// A layer begins at rest and flows down a rough base, periodic along the flow. Boxes of random heights make the base
// rough. The slope is so steep that the flow still gains speed: a steady one fluctuates by more, and for longer.
BulkCase chute(const BulkSizes& sizes) {
  constexpr Real slope = 34 * pi / 180, bump = 1.3 * d, layer = 6 * d;
  const int bumps = static_cast<int>(sizes.chute * d / bump);
  const Real width = bumps * bump;
  const int count = grains_that_fill(width, layer), measure = contacts_in(sizes.measuring, soft_contact);
  BulkCase c{"chute",
             "a layer of six diameters gains speed down a rough chute at 34 degrees, periodic along the flow",
             soft_contact,
             {{"velocity", "m/s", "mean velocity of the grains along the chute, mean over the time"},
              {"height", "m", "twice the mean height of the grains, mean over the time"}},
             static_cast<Real>(2 * measure * count),
             {}};
  c.run = [=](const SchemeEntry& scheme, bool onset, int steps, std::uint64_t start) {
    WorldSettings s = bed_settings({}, soft_stiffness);
    s.gravity = bed_gravity * Vector{std::sin(slope), 0, -std::cos(slope)};
    s.cell = PeriodicCell::from({}, {width, 0, 0});
    add_plane(s, {}, {0, 0, 1});
    for (int k = 0; k < bumps; ++k) {
      const Vector half{0.3 * d, d, 0.2 * d * (1 + random_uniform(1, 0, static_cast<std::uint64_t>(k)))};
      Surface box;
      box.point = {(k + 0.5) * bump, 0, 0}, box.shape = SolidBox{half};
      s.surfaces.push_back(box);
    }
    return guarded(2, [&] {
      const auto grains = loose_bed(count, width, 0.5 * d, start);
      Moved run(std::move(s), grains, scheme, onset, soft_contact, steps, 10 * bed_speed);
      BulkRun r;
      if (!run.advance(measure)) return r;
      Real velocity = 0, height = 0;
      for (int k = 0; k < measure; ++k) {
        if (!run.advance(1)) return r;
        const World& w = run.world();
        for (int i = 0; i < w.size(); ++i) velocity += w.velocity(i).x, height += 2 * w.position(i).z;
      }
      r.values = {velocity / (measure * count), height / (measure * count)};
      r.simulated = run.world().time();
      return r;
    });
  };
  return c;
}

// A drum turns about the axis y; the grains' centre of mass stands beside the axis by the angle of the surface.
BulkCase drum(const BulkSizes& sizes) {
  constexpr Real rate = 0.1, filling = 0.3;  // [1/bed_time] [-]
  const Real radius = 0.5 * sizes.diameters * d;
  const int count = static_cast<int>(filling * sizes.diameters * sizes.diameters), settle = contacts_in(sizes.settling),
            measure = contacts_in(sizes.turning);
  BulkCase c{"drum",
             "grains in a slowly turning drum",
             bed_contact,
             {{"angle", "deg", "angle of the centre of mass from the vertical, mean over the time"}},
             static_cast<Real>((settle + measure) * count),
             {}};
  c.run = [=](const SchemeEntry& scheme, bool onset, int steps, std::uint64_t start) {
    WorldSettings s = bed_settings({});
    Surface wall;
    wall.shape = InnerCylinder{radius}, wall.direction = {0, 1, 0};
    wall.motion.axis = {0, 1, 0}, wall.motion.rotation_rate = rate / bed_time;
    s.surfaces = {wall}, s.walls = {"drum"};
    std::uint64_t drawn = 0;
    const auto random = [&](Real low, Real high) { return low + (high - low) * random_uniform(start, 1, drawn++); };
    std::vector<Real> radii(static_cast<std::size_t>(count));
    for (Real& r : radii) r = 0.5 * d * random(1 - bed_spread, 1 + bed_spread);
    const auto grains = scattered(s, radii, bed_density, [&] {
      return Vector{random(-radius, radius), 0, random(-radius, radius)};
    });
    return guarded(1, [&] {
      Moved run(std::move(s), grains, scheme, onset, bed_contact, steps, 10 * bed_speed);
      BulkRun r;
      if (!run.advance(settle)) return r;
      Real angle = 0;
      for (int k = 0; k < measure; ++k) {
        if (!run.advance(1)) return r;
        const Vector at = run.world().momenta().barycentre;
        angle += std::fabs(std::atan2(at.x, -at.z)) * 180 / pi;
      }
      r.values = {angle / measure};
      r.simulated = run.world().time();
      return r;
    });
  };
  return c;
}

// Grains fall through a slot in the floor, periodic sideways. The rate is that between the first and the last grain
// that count; their times are interpolated, so that no step rounds them.
BulkCase hopper(const BulkSizes& sizes) {
  constexpr Real opening = 6 * d, line = -d, lost = -3 * d;
  constexpr Real first = 0.15, last = 0.6;  // [-] of the grains
  constexpr int too_long = 200;             // [bed_time]
  const Real width = sizes.diameters * d;
  const int count = grains_that_fill(width, sizes.diameters * d);
  BulkCase c{"hopper",
             "grains fall through a slot of six diameters in a floor",
             bed_contact,
             {{"rate", "kg/s", "mass that falls through the slot over time, from 15 to 60 % of the grains"}},
             static_cast<Real>(contacts_in(15) * count),
             {}};
  c.run = [=](const SchemeEntry& scheme, bool onset, int steps, std::uint64_t start) {
    WorldSettings s = bed_settings({});
    s.cell = PeriodicCell::from({}, {width, 0, 0});
    s.walls = {"floor"};
    Surface slab;  // repeated with the cell
    slab.point = {0, 0, -0.5 * d}, slab.shape = SolidBox{{0.5 * (width - opening), d, 0.5 * d}};
    s.surfaces.push_back(slab);
    return guarded(1, [&] {
      const auto grains = loose_bed(count, width, 0, start);
      Moved run(std::move(s), grains, scheme, onset, bed_contact, steps, 10 * bed_speed);
      World& w = run.world();
      BulkRun r;
      std::vector<std::pair<Real, Real>> passed;  // [s] [kg]
      std::vector<char> counted(grains.size());
      for (int k = 0; static_cast<Real>(passed.size()) < last * count; ++k) {
        if (k > contacts_in(too_long) || !run.advance(1)) return r;
        std::vector<std::int64_t> gone;
        for (int i = 0; i < w.size(); ++i) {
          const std::int64_t id = w.grains().id[i];
          char& seen = counted[static_cast<std::size_t>(id)];
          const Real z = w.position(i).z;
          if (z < line && seen == 0)
            seen = 1, passed.emplace_back(w.time() - (z - line) / w.velocity(i).z, w.grains().mass[i]);
          if (z < lost) gone.push_back(id);
        }
        if (!gone.empty()) w.remove(gone);
      }
      std::sort(passed.begin(), passed.end());
      const auto from = static_cast<std::size_t>(first * count);
      Real mass = 0;
      for (std::size_t k = from + 1; k < passed.size(); ++k) mass += passed[k].second;
      r.values = {mass / (passed.back().first - passed[from].first)};
      r.simulated = w.time();
      return r;
    });
  };
  return c;
}

// The cooling gas of the study of onsets.
BulkCase cooling(const BulkSizes& sizes) {
  const CoolingCase sample = cooling_case(sizes.gas, 0);
  const int contacts = static_cast<int>(sizes.cooling * sample.tau / sample.contact), gas = sizes.gas;
  BulkCase c{"cooling",
             "a gas of smooth spheres cools by its collisions, restitution 0.9",
             sample.contact,
             {{"rate", "1/s", "(sqrt(E_0 / E) - 1) / t at the end, Haff's 1 / tau"}},
             static_cast<Real>(contacts * gas),
             {}};
  c.run = [=](const SchemeEntry& scheme, bool onset, int steps, std::uint64_t start) {
    const CoolingCase gas_case = cooling_case(gas, start);
    constexpr Real speed = 1;  // [m/s] of the grains at the start
    return guarded(1, [&] {
      Moved run(gas_case.start.settings, gas_case.start.grains, scheme, onset, gas_case.contact, steps, speed);
      BulkRun r;
      const Real before = run.world().energies().mechanical();
      if (!run.advance(contacts)) return r;
      r.values = {(std::sqrt(before / run.energy()) - 1) / run.world().time()};
      r.simulated = run.world().time();
      return r;
    });
  };
  return c;
}

}  // namespace

std::vector<BulkCase> bulk_cases(const BulkSizes& sizes) {
  return {chute(sizes), drum(sizes), hopper(sizes), cooling(sizes)};
}

}  // namespace cairn::studies
