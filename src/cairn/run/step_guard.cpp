#include "cairn/run/step_guard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "cairn/analysis/network_bounds.hpp"
#include "cairn/core/text.hpp"

namespace cairn {
namespace {

// Beyond the limit of a scheme of high order growth may be too slow to matter for the life of a contact.
constexpr Real explodes = 1 + 1e-4;

// [-] of the step that is refused, from where on a step may be unstable: Rayleigh quotients fall short of the
// eigenvalues by less.
constexpr Real near_limit = 0.8;

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

// The stiffest loaded wall on its contacts, the grains held: the traces of its own blocks of M^-1 K and M^-1 C.
struct WallOnContacts {
  Real stiffness = 0, damping = 0;  // [1/s^2] [1/s]
  int axes = 1, wall = -1;          // on how many it moves; which it is
};
WallOnContacts stiffest_wall(const World& world) {
  WallOnContacts most;
  const WorldSettings& settings = world.settings();
  if (settings.loaded_walls.empty()) return most;
  const std::vector<LiveContact> contacts = world.live_contacts();
  for (const LoadedWall& wall : settings.loaded_walls) {
    WallOnContacts of{.damping = wall.damping / wall.mass, .axes = 0, .wall = wall.wall};
    for (int axis = 0; axis < 3; ++axis) {
      if ((&wall.free.x)[axis] == 0) continue;
      ++of.axes;
      for (const LiveContact& c : contacts) {
        if (c.ids[1] != -1 - wall.wall) continue;
        const Real along = (&c.n.x)[axis] * (&c.n.x)[axis];
        const auto add = [&](const ContactRates& r, Real& to) {
          to += (along * r.normal + (1 - along) * r.tangential) / wall.mass;
        };
        add(c.of.stiffness, of.stiffness), add(c.of.damping, of.damping);
      }
    }
    if (of.stiffness > most.stiffness) most = of;
  }
  return most;
}

const char* const advice_on_damping =
    "; lower run.step, raise the restitution, or take run.scheme = \"velocity_verlet_implicit\", whose limit does not "
    "fall with damping";

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

StepGuard::Finding StepGuard::first_touch(const Scenario& s, const World& world,
                                          const std::vector<GrainData>& expected) const {
  Finding found;
  if (!limited()) return found;
  const Real turning = world.settings().rotation ? 3.5 : 1;
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
    found.limit = limit;
    found.sure = s.step > limit && scheme_->spectral_radius(s.step * omega, zeta) > explodes;
    if (!found.sure) continue;
    found.message = "run.step = " + seconds(s.step) + " is above the stability limit " + seconds(limit) + " of " +
                    scheme_->name + " on the stiffest pair of materials ('" + s.materials[p.first].name +
                    (p.wall ? "' on a wall of '" : "' and '") + s.materials[p.second].name + "', " + o.direction +
                    ", " + brief(omega) + " rad/s, damping ratio " + brief(zeta) +
                    without_dashpots(o.stiffness, limit) + "): every such contact would be unstable";
    found.advice = zeta > 0.05 ? advice_on_damping : "; lower run.step";
  }
  return found;
}

StepGuard::Finding StepGuard::network(const Scenario& s, const World& world) const {
  Finding found;
  if (!limited()) return found;
  const auto contacts_of = [&](int grain, std::vector<LiveContact>& to) { world.live_contacts_of(grain, to); };
  NetworkRates most = upper_bounds(world.grains(), contacts_of, world.settings().threads);
  // The largest eigenvalue of a positive matrix of two blocks is at most the sum of those of the blocks.
  const WallOnContacts wall = stiffest_wall(world);
  most.stiffness += wall.stiffness, most.damping += wall.damping;
  if (!(most.stiffness > 0)) return found;
  found.limit = scheme_->region->step(most.stiffness, most.damping);
  if (!(s.step > found.limit)) return found;
  const std::vector<LiveContact> contacts = world.live_contacts();
  const auto where = [&](int grain) {
    int count = 0;
    for (const LiveContact& c : contacts) count += c.i == grain || c.j == grain;
    return "grain " + std::to_string(world.grains().id[grain]) + " of '" +
           s.materials[world.grains().material[grain]].name + "' with " + std::to_string(count) +
           (count == 1 ? " contact" : " contacts");
  };
  // The motion that is tried grows if the scheme is unstable on an oscillator of its stiffness and damping.
  const Real undamped = scheme_->stability(0), damped = 2 * strongest * scheme_->stability(strongest);
  const NetworkRates least =
      rayleigh_quotients(world.grains(), contacts, undamped * undamped / (s.step * s.step), damped / s.step);
  if (const Real alone = wall.stiffness / wall.axes; alone > least.stiffness) {
    found.sure = s.step > scheme_->region->step(alone, wall.damping / wall.axes);
    found.message = "run.step = " + seconds(s.step) + (found.sure ? " is" : " may be") + " too long for wall '" +
                    world.settings().walls[wall.wall] + "' with its load at t = " + seconds(world.time()) +
                    ": on its contacts " + scheme_->name + " is certainly stable up to a step of " +
                    seconds(found.limit);
    found.advice = "; raise its mass or lower run.step";
    return found;
  }
  const Real omega = std::sqrt(least.stiffness);
  found.sure = omega > 0 && scheme_->spectral_radius(s.step * omega, least.damping / (2 * omega)) > explodes;
  const std::string at = " at t = " + seconds(world.time());
  const Real limit = scheme_->region->step(least.stiffness, least.damping);
  if (found.sure) {
    found.message = "run.step = " + seconds(s.step) + " is above the stability limit of " + scheme_->name +
                    " on the contact network" + at + ", " + seconds(limit) + " at most" +
                    without_dashpots(least.stiffness, limit) + ": contacts are unstable, first at " +
                    where(least.grain);
    found.advice = (least.damping > 0 ? advice_on_damping : "; lower run.step") + std::string("; a step below ") +
                   seconds(found.limit) + " is stable on these contacts";
  } else if (s.step > near_limit * limit) {
    found.message = "run.step = " + seconds(s.step) + " may be unstable: " + scheme_->name +
                    " is certainly stable on the contact network" + at + " up to a step of " + seconds(found.limit) +
                    ", and unstable from a step of about " + seconds(limit) + ", dashpots included" +
                    without_dashpots(least.stiffness, limit) + "; most critical: " + where(least.grain);
  }
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
  Real fastest = 0, mass = 0, largest = 0;
  for (int i = 0; i < grains; ++i) {
    const Vector x = world.position(i);
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
    fastest = std::max(fastest, norm(world.velocity(i)));
    mass += world.grains().mass[i], largest = std::max(largest, world.grains().radius[i]);
  }
  const Vector up = g > 0 ? (-1 / g) * s.gravity : Vector{}, size = high - low;
  const Real height = std::fabs(up.x) * size.x + std::fabs(up.y) * size.y + std::fabs(up.z) * size.z;
  const Real width = 2 * largest;
  const Real floor = std::fabs(up.x) * (size.y + width) * (size.z + width) +
                     std::fabs(up.y) * (size.x + width) * (size.z + width) +
                     std::fabs(up.z) * (size.x + width) * (size.y + width);
  const Real weight = floor > 0 ? mass * g * std::min(1.0, width * width / floor) : 0;
  const Real impact = fastest + std::sqrt(2 * g * height);
  const bool few = expected.empty() && grains < coordination;
  const auto look = [&](const ExpectedLoad& load, Real contacts, const std::string& words) {
    const std::vector<PairInContact> pairs = world.pairs_in_contact(load, expected);
    std::vector<Oscillator> all;
    for (const PairInContact& p : pairs) {
      const auto rate = [&](const ContactRates& r) { return std::max(r.normal, 3.5 * r.tangential) / p.m_eff; };
      const Real stiffness = contacts * rate(p.of.stiffness), damping = contacts * rate(p.of.damping);
      if (stiffness > 0) all.push_back({&p, stiffness, damping, ""});
    }
    for (const Oscillator& o : limiting(std::move(all))) {
      const PairInContact& p = *o.pair;
      const Real limit = scheme_->region->step(o.stiffness, o.damping);
      if (found.limit > 0 && !(limit < found.limit)) continue;
      found.limit = limit;
      if (s.step > limit)
        found.message = "run.step = " + seconds(s.step) + " may be unstable once grains are packed: " + words +
                        ", materials '" + s.materials[p.first].name + (p.wall ? "' on a wall of '" : "' and '") +
                        s.materials[p.second].name + "', limit " + scheme_->name + " to steps of about " +
                        seconds(limit) + without_dashpots(o.stiffness, limit);
    }
  };
  if (!few && weight > 0)
    look({.force = weight}, coordination, "six contacts per grain under the weight of a column of grains");
  if (impact > 0) look({.speed = impact}, 1, "impacts at " + brief(impact) + " m/s");
  return found;
}

}  // namespace cairn
