#include "cairn/run/step_guard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "cairn/core/text.hpp"
#include "cairn/run/network_limits.hpp"

namespace cairn {
namespace {

// Beyond the limit of a scheme of high order growth may be too slow to matter for the life of a contact.
constexpr Real explodes = 1 + 1e-4;

constexpr Real rough = 0.05;  // [-] precision of an eigenvalue, and margin of the step for it

constexpr Real strongest = 100;  // [-] zeta beyond which h c / m alone decides

std::string seconds(Real a) {
  return brief(a) + " s";
}

// A contact alone, along its normal or across it.
struct Oscillator {
  const PairInContact* pair;
  Real stiffness, damping;  // [1/s^2] [1/s] over m_eff
  const char* direction;

  Real zeta() const { return damping / (2 * std::sqrt(stiffness)); }
};

// A thousand materials make a million of these, and each limit takes a search. The fastest of one zeta limits the step:
// where there are many, one is kept for each zeta to a hundredth, and with it the limit to about a hundredth.
std::vector<Oscillator> limiting(std::vector<Oscillator> all) {
  constexpr std::size_t few = 200;
  constexpr Real buckets = 100, least = 1e-6;  // [-] in a factor of e; zeta
  if (all.size() <= few) return all;
  std::map<int, std::size_t> kept;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Real zeta = std::clamp(all[k].zeta(), least, strongest);
    const bool strong = zeta == strongest;
    const auto speed = [&](const Oscillator& o) { return strong ? o.damping : o.stiffness; };
    const auto [at, fresh] = kept.emplace(static_cast<int>(std::lround(buckets * std::log(zeta))), k);
    if (!fresh && speed(all[k]) > speed(all[at->second])) at->second = k;
  }
  std::vector<std::size_t> places;
  for (const auto& [bucket, place] : kept) places.push_back(place);
  std::sort(places.begin(), places.end());
  std::vector<Oscillator> some;
  for (const std::size_t k : places) some.push_back(all[k]);
  return some;
}

// How many grains an emitter inserts until `end` [s], if there is room.
Real emitted(const EmitterSpec& e, Real end) {
  if (!e.times.empty()) return static_cast<Real>(e.times.size());
  const Real most = e.count < 0 ? std::numeric_limits<Real>::infinity() : static_cast<Real>(e.count);
  const Real due = e.every > 0 ? std::floor((end - e.first) / e.every) + 1 : most;
  return std::isfinite(due) ? std::clamp(due, 0.0, most) : 0;
}

}  // namespace

// Adaptive schemes choose the step themselves. Weakly unstable ones have no limit to compare it with.
bool StepGuard::limited() const {
  const Real undamped = scheme_->stability(0);
  return !scheme_->claims.adaptive && undamped > 0 && std::isfinite(undamped);
}

std::string StepGuard::without_dashpots(Real stiffness, Real limit) const {
  const Real undamped = scheme_->stability(0) / std::sqrt(stiffness);
  return undamped > (1 + 1e-6) * limit ? "; without dashpots the limit would be " + seconds(undamped) : "";
}

// A step that holds, and where dashpots limit it a scheme whose limit does not fall with damping.
std::string StepGuard::advice(const Scenario& s, Real stiffness, Real damping, Real limit) const {
  std::string words = "; lower run.step: " + seconds(limit) + " holds";
  const SchemeEntry& implicit = scheme_named("velocity_verlet_implicit");
  if (const Real other = implicit.region->step(stiffness, damping); damping > 0 && s.step <= other)
    words += ", or take run.scheme = \"" + implicit.name + "\", whose limit does not fall with damping and is " +
             seconds(other) + " here";
  return words;
}

StepGuard::Finding StepGuard::first_touch(const Scenario& s, const World& world,
                                          const std::vector<GrainData>& expected) const {
  Finding found;
  if (!limited()) return found;
  const Real turning = world.settings().rotation ? slip_response : 1;
  const std::vector<PairInContact> pairs = world.pairs_in_contact({}, expected);
  std::vector<Oscillator> all;
  const auto add = [&](const PairInContact& p, Real stiffness, Real damping, const char* direction) {
    if (stiffness > 0) all.push_back({&p, stiffness / p.m_eff, damping / p.m_eff, direction});
  };
  for (const PairInContact& p : pairs) {
    add(p, p.of.stiffness.normal, p.of.damping.normal, "along the normal");
    add(p, turning * p.of.stiffness.tangential, turning * p.of.damping.tangential, "tangentially");
  }
  for (const Oscillator& o : limiting(std::move(all))) {
    const PairInContact& p = *o.pair;
    const Real omega = std::sqrt(o.stiffness), zeta = o.zeta();
    const Real limit =
        zeta < strongest ? scheme_->stability(zeta) / omega : scheme_->region->step(o.stiffness, o.damping);
    if (found.limit > 0 && !(limit < found.limit)) continue;
    found.limit = limit, found.stiffness = o.stiffness, found.damping = o.damping;
    found.sure = s.step > limit && scheme_->spectral_radius(s.step * omega, zeta) > explodes;
    if (!found.sure) continue;
    found.message = "run.step = " + seconds(s.step) + " is above the stability limit " + seconds(limit) + " of " +
                    scheme_->name + " on the stiffest pair of materials ('" + s.materials[p.first].name +
                    (p.wall ? "' on a wall of '" : "' and '") + s.materials[p.second].name + "', " + o.direction +
                    ", " + brief(omega) + " rad/s, damping ratio " + brief(zeta) +
                    without_dashpots(o.stiffness, limit) + "): every such contact would be unstable";
    found.advice = advice(s, o.stiffness, o.damping, limit);
  }
  return found;
}

StepGuard::Finding StepGuard::network(const Scenario& s, const World& world, bool sharp,
                                      const std::function<void()>& gather) const {
  Finding found;
  if (!limited()) return found;
  if (!world.settings().loaded_walls.empty()) gather();
  const NetworkRates bound = network_bound(world);
  if (!(bound.stiffness > 0)) return found;
  const auto limit_by = [&](Real stiffness, Real damping) {
    found.stiffness = stiffness, found.damping = damping;
    found.limit = scheme_->region->step(stiffness, damping);
  };
  limit_by(bound.stiffness, bound.damping);
  if (s.step <= found.limit && !(sharp && world.contacts() <= many)) return found;
  gather();
  const ContactNetwork contacts = network_of(world);
  const auto unstable = [&](const RayleighQuotients& of, Real h) {
    const Real omega = std::sqrt(of.stiffness);
    return omega > 0 && scheme_->spectral_radius(h * omega, of.damping / (2 * omega)) > explodes;
  };
  // Within a run a rough look comes first, a tenth as dear.
  if (const Real h = (1 + rough) * s.step; !sharp && !unstable(hardest_motion(contacts, *scheme_, h, rough).of, h))
    return found;
  SharpRates rates;
  for (const Real precision : {1e-2, 1e-3}) {  // the first takes half as long, and is mostly enough
    rates = sharp_rates(contacts, precision);
    limit_by(rates.stiffness.at_most(bound.stiffness), rates.damping.at_most(bound.damping));
    if (!(s.step > found.limit)) return found;
  }
  const HardestMotion hardest = hardest_motion(contacts, *scheme_, s.step);
  found.sure = unstable(hardest.of, s.step);
  found.message =
      "run.step = " + seconds(s.step) + (found.sure ? " is above" : " may be above") + " the stability limit " +
      seconds(found.limit) + " of " + scheme_->name + " on the contact network at t = " + seconds(world.time()) +
      without_dashpots(rates.stiffness.value, found.limit) + ": contacts are unstable, first at " +
      body_in_words(s, world, contacts, hardest.place) + ", by " + contact_in_words(s, world, contacts, hardest.place);
  found.advice = advice(s, found.stiffness, found.damping, found.limit);
  return found;
}

StepGuard::Finding StepGuard::packed(const Scenario& s, const World& world,
                                     const std::vector<GrainData>& expected) const {
  Finding found;
  if (!limited()) return found;
  constexpr Real coordination = 6;  // a bound by rows: motions of packings with up to twelve contacts stay below it
  const int grains = world.size();
  // Grains fall as far as they stand above each other, and in the end carry the column above them.
  const Real g = norm(s.gravity);
  Vector low = grains > 0 ? world.position(0) : Vector{}, high = low;
  Real fastest = 0, mass = 0, largest = 0, squares = 0;
  for (int i = 0; i < grains; ++i) {
    const Vector x = world.position(i);
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
    fastest = std::max(fastest, norm(world.velocity(i)));
    const Real radius = world.grains().radius[i];
    mass += world.grains().mass[i], largest = std::max(largest, radius), squares += radius * radius;
  }
  const Vector up = g > 0 ? (-1 / g) * s.gravity : Vector{}, size = high - low;
  const Real height = std::fabs(up.x) * size.x + std::fabs(up.y) * size.y + std::fabs(up.z) * size.z;
  const Real width = 2 * largest;
  const Real floor = std::fabs(up.x) * (size.y + width) * (size.z + width) +
                     std::fabs(up.y) * (size.x + width) * (size.z + width) +
                     std::fabs(up.z) * (size.x + width) * (size.y + width);
  Real weight = floor > 0 ? mass * g * std::min(1.0, width * width / floor) : 0;
  // Grains of emitters are taken to pile up as high as wide.
  Real coming = 0, heaviest = 0;
  for (const EmitterSpec& e : s.emitters) coming += emitted(e, s.end);
  for (const GrainData& of : expected) heaviest = std::max(heaviest, of.mass);
  weight = std::max(weight, heaviest * g * std::cbrt(coming));
  const Real impact = fastest + std::sqrt(2 * g * height);
  const bool few = grains + coming < coordination;
  // `contacts(p)`: how many times as stiff as one contact the motion is.
  const auto look = [&](const ExpectedLoad& load, auto&& contacts, const std::string& words) {
    const std::vector<PairInContact> pairs = world.pairs_in_contact(load, expected);
    std::vector<Oscillator> all;
    for (const PairInContact& p : pairs) {
      const Real times = contacts(p);
      const Real stiffness = times * p.fastest(p.of.stiffness), damping = times * p.fastest(p.of.damping);
      if (stiffness > 0) all.push_back({&p, stiffness, damping, ""});
    }
    for (const Oscillator& o : limiting(std::move(all))) {
      const PairInContact& p = *o.pair;
      const Real limit = scheme_->region->step(o.stiffness, o.damping);
      if (found.limit > 0 && !(limit < found.limit)) continue;
      found.limit = limit, found.stiffness = o.stiffness, found.damping = o.damping;
      if (s.step > limit)
        found.message = "run.step = " + seconds(s.step) + " may be unstable once grains are packed: " + words +
                        ", materials '" + s.materials[p.first].name + (p.wall ? "' on a wall of '" : "' and '") +
                        s.materials[p.second].name + "', limit " + scheme_->name + " to steps of about " +
                        seconds(limit) + without_dashpots(o.stiffness, limit);
    }
  };
  if (!few && weight > 0)
    look(
        {.force = weight}, [&](const auto&) { return coordination; },
        "six contacts per grain under the weight of a column of grains");
  if (impact > 0)
    look(
        {.speed = impact}, [](const auto&) { return 1; }, "impacts at " + brief(impact) + " m/s");
  // A loaded wall moves against all grains of a layer at once.
  const Real face = std::max(
      {(size.x + width) * (size.y + width), (size.y + width) * (size.z + width), (size.z + width) * (size.x + width)});
  const Real of_all = static_cast<Real>(grains), beside = squares > 0 ? face * of_all / (4 * squares) : 1;
  const Real layer = std::max({1.0, std::min(beside, of_all), std::pow(coming, 2.0 / 3)});
  for (const LoadedWall& wall : world.settings().loaded_walls)
    look(
        {.force = (norm(wall.load) + wall.mass * g) / layer},
        [&](const PairInContact& p) { return p.wall ? 1 + layer * p.m_eff / wall.mass : 0; },
        "a layer of " + brief(std::round(layer)) + " grains at the loaded wall '" +
            world.settings().walls[static_cast<std::size_t>(wall.wall)] + "' of " + brief(wall.mass) + " kg");
  return found;
}

Real StepGuard::numerical_damping(const World& world, Real h, const std::vector<GrainData>& expected) const {
  constexpr Real least = 1e-4;  // below, what is lost hardly shows
  const Real angle = h * world.fastest_pair(expected).frequency;
  if (scheme_->claims.adaptive || !(angle > 0)) return 0;
  const Real damping = -std::log(scheme_->spectral_radius(angle, 0)) / angle;
  return damping > least ? damping : 0;
}

}  // namespace cairn
