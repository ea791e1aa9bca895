#include "cairn/run/emitters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "cairn/core/hash.hpp"
#include "cairn/core/text.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/grains.hpp"
#include "cairn/run/schedule.hpp"

namespace cairn {
namespace {

constexpr int tries = 100;  // places looked at, per grain and step
constexpr Real infinity = std::numeric_limits<Real>::infinity();

Schedule schedule(const EmitterSpec& e) {
  return {e.first, e.every};
}

bool is_in_the_way(const Emitters::WayLook& look, const PeriodicCell& cell, const Vector& x, Real radius) {
  Vector d = x - look.middle;
  d -= cell.image(d);
  const Real reach = look.largest + radius;
  return !(std::fabs(d.x) > look.half.x + reach || std::fabs(d.y) > look.half.y + reach ||
           std::fabs(d.z) > look.half.z + reach);
}

}  // namespace

Emitters::Emitters(const Scenario& scenario)
    : specs_(scenario.emitters), emitted_(specs_.size(), 0), off_(specs_.size()) {
  for (const EmitterSpec& e : specs_) {
    const Real most = e.every > 0 ? scenario.end / e.every : 0;
    if (most > Schedule::most)
      throw Error(Exit::bad_input, "emitter '" + e.name + "': a grain every " + brief(e.every) + " s makes " +
                                       brief(most) + " grains by run.end = " + brief(scenario.end) +
                                       " s; expected at most " + brief(Schedule::most));
  }
}

void Emitters::prepare(const Scenario& scenario) {
  sources_.clear();
  for (std::size_t k = 0; k < emitted_.size(); ++k) {
    const EmitterSpec& e = specs_[k];
    const std::string name = "emitter '" + e.name + "'";
    const int material = material_index(scenario, e.grain.material);
    sources_.push_back({Region(e.region, scenario.dimension, name), Sizes(e.grain.radius, e.radius_spread, e.sizes),
                        stream_key(scenario.seed, e.seed, emitter_stream, k), material,
                        scenario.materials.at(material).density});
    const Source& s = sources_.back();
    if (e.region.kind != RegionSpec::Kind::none && !s.region.has_room(s.sizes.largest()))
      throw Error(Exit::bad_input, name + ": its region has no room for a grain of radius " +
                                       to_text(s.sizes.largest()) + " m; enlarge the region or use smaller grains");
  }
}

GrainData Emitters::grain(std::size_t k, Real radius) const {
  const GrainSpec& g = specs_[k].grain;
  return {.position = g.position,
          .velocity = g.velocity,
          .spin = g.spin,
          .radius = radius,
          .mass = g.mass.value_or(sphere_mass(sources_[k].density, radius)),
          .material = sources_[k].material};
}

Real Emitters::time_of(std::size_t k, std::int64_t grain) const {
  const EmitterSpec& e = specs_[k];
  if (!e.on) return infinity;
  if (!e.times.empty())
    return grain < std::ssize(e.times) ? off_[k].total + e.times[static_cast<std::size_t>(grain)] : infinity;
  if (e.count >= 0 && grain >= e.count) return infinity;
  return off_[k].total + schedule(e).time(grain);
}

void Emitters::turn(const Scenario& scenario, Real time) {
  for (std::size_t k = 0; k < specs_.size(); ++k) {
    const bool on = scenario.emitters.at(k).on;
    if (on == specs_[k].on) continue;
    if (on)
      off_[k].total += time - off_[k].since;
    else
      off_[k].since = time;
    specs_[k].on = on;
  }
}

void Emitters::restore(const Scenario& scenario) {
  for (std::size_t k = 0; k < specs_.size(); ++k) specs_[k].on = scenario.emitters.at(k).on;
}

Real Emitters::next_after(Real time) const {
  Real next = infinity;
  for (std::size_t k = 0; k < emitted_.size(); ++k) {
    const Real due = time_of(k, emitted_[k] + waiting(k, time));
    if (due > time) next = std::min(next, due);
  }
  return next;
}

std::int64_t Emitters::waiting(std::size_t k, Real time) const {
  const EmitterSpec& e = specs_[k];
  if (!e.on) return 0;
  time -= off_[k].total;
  const auto in_times = std::upper_bound(e.times.begin(), e.times.end(), time) - e.times.begin();
  std::int64_t due =
      e.times.empty() ? schedule(e).due(time, emitted_[k]) : std::max<std::int64_t>(emitted_[k], in_times);
  if (e.times.empty() && e.count >= 0) due = std::min(due, e.count);
  return due - emitted_[k];
}

std::string Emitters::report(Real time) const {
  std::string text;
  for (std::size_t k = 0; k < emitted_.size(); ++k)
    if (const std::int64_t late = waiting(k, time); late > 0)
      text += (text.empty() ? "" : "; ") + std::string("emitter '") + specs_[k].name + "': " + std::to_string(late) +
              " of the " + std::to_string(emitted_[k] + late) + " grains due by t = " + brief(time) +
              " s were not inserted, because there was no room";
  return text;
}

std::vector<GrainData> Emitters::lightest() const {
  std::vector<GrainData> all;
  for (std::size_t k = 0; k < emitted_.size(); ++k) {
    all.resize(all.size() + 2, grain(k, sources_[k].sizes.smallest()));
  }
  return all;
}

Emitters::Balls Emitters::in_the_way(const World& world, const WayLook& look) {
  const Domain& domain = world.domain();
  domain.ask(Question::near_emitter, look);
  Balls all;
  const Particles& grains = world.grains();
  for (int i = grains.own_begin(); i < grains.own_end(); ++i)
    if (const Vector x = world.state().body.at(BodyRow::x, i);
        is_in_the_way(look, world.settings().cell, x, grains.radius[i]))
      all.emplace_back(x, grains.radius[i]);
  domain.collect(all);
  return all;
}

// What stands near where the emitter's grains may appear; grains that have just come stand at the end of `added`.
FreeSpace Emitters::obstacles(std::size_t k, const World& world, std::span<const GrainData> added) const {
  const EmitterSpec& e = specs_[k];
  const Source& s = sources_[k];
  WayLook look{.middle = e.grain.position, .largest = s.sizes.largest()};
  if (e.region.kind != RegionSpec::Kind::none)
    look.middle = 0.5 * (s.region.low(0) + s.region.high(0)), look.half = 0.5 * (s.region.high(0) - s.region.low(0));
  if (e.on_top) look.largest = std::numeric_limits<Real>::max();  // all
  Balls near = in_the_way(world, look);
  for (const GrainData& g : added)
    if (is_in_the_way(look, world.settings().cell, g.position, g.radius)) near.emplace_back(g.position, g.radius);
  Real widest = s.sizes.largest();
  for (const auto& [x, radius] : near) widest = std::max(widest, radius);
  FreeSpace free(world, widest);
  for (const auto& [x, radius] : near) free.add(x, radius);
  return free;
}

// Finds a free place for a grain; whether there was one.
bool Emitters::place(std::size_t k, const World& world, std::span<const GrainData> added, const FreeSpace& free,
                     GrainData& g) const {
  const EmitterSpec& e = specs_[k];
  const Source& s = sources_[k];
  if (e.on_top) {
    // Of equally high ones the first that came, however the arrays are ordered.
    int top = -1;
    for (int i = 0; i < world.size(); ++i)
      if (top < 0 || world.position(i).z > world.position(top).z ||
          (world.position(i).z == world.position(top).z && world.grains().id[i] < world.grains().id[top]))
        top = i;
    if (top < 0 && added.empty()) return false;
    Vector below{}, velocity{};
    Real radius = 0;
    if (top >= 0)
      below = world.position(top), velocity = world.state().body.at(BodyRow::v, top),
      radius = world.grains().radius[top];
    for (std::size_t n = 0; n < added.size(); ++n)
      if ((n == 0 && top < 0) || added[n].position.z > below.z)
        below = added[n].position, velocity = added[n].velocity, radius = added[n].radius;
    g.position = below + Vector{0, 0, radius + g.radius};
    g.velocity = velocity;
    return free.holds(g.position, g.radius * (1 - 1e-9));  // it touches the one below, up to rounding
  }
  if (e.region.kind == RegionSpec::Kind::none) return free.holds(g.position, g.radius);
  const Vector low = s.region.low(g.radius), high = s.region.high(g.radius);
  const auto step = static_cast<std::uint64_t>(world.steps());
  for (std::uint64_t t = 0; t < tries; ++t) {
    const auto between = [&](Real a, Real b, std::uint64_t n) {
      const std::uint64_t counter = 1 + 3 * (step * tries + t) + n;
      return a + (b - a) * random_uniform(s.key, static_cast<std::uint64_t>(emitted_[k]), counter);
    };
    g.position = {between(low.x, high.x, 0), between(low.y, high.y, 1), between(low.z, high.z, 2)};
    if (s.region.holds(g.position, g.radius) && free.holds(g.position, g.radius)) return true;
  }
  return false;
}

void Emitters::emit(World& world, Real early, Real velocity_lag, const std::function<void()>& gather) {
  std::vector<GrainData> added;
  for (std::size_t k = 0; k < emitted_.size(); ++k) {
    std::optional<FreeSpace> free;
    while (time_of(k, emitted_[k]) <= world.time() + early) {
      const Real u = random_uniform(sources_[k].key, static_cast<std::uint64_t>(emitted_[k]), 0);
      GrainData g = grain(k, sources_[k].sizes.radius(u));
      if (specs_[k].on_top) gather();
      if (!free) free.emplace(obstacles(k, world, added));
      if (!place(k, world, added, *free, g)) break;
      free->add(g.position, g.radius);
      added.push_back(g);
      ++emitted_[k];
      if (specs_[k].on_top) break;  // there is always room above the one that has just come
    }
  }
  if (added.empty()) return;
  gather();
  world.insert(added, velocity_lag);
}

}  // namespace cairn
