#include "cairn/world/hard_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "cairn/hard/dynamics.hpp"
#include "cairn/hard/impulses.hpp"
#include "cairn/hard/projection.hpp"

namespace cairn {
namespace {

constexpr int most_sweeps = 2000, most_projections = 100;
constexpr Real near = 0.1;              // [-] of the smaller radius: gap of contacts that impulses may close
constexpr Real resting_overlap = 1e-4;  // [-] of the smaller radius
constexpr Real projected = 1e-3;        // [-] of the smallest radius: deeper overlaps are projected once more

// f(slot) for all slots, ordered by the lower id and then by the other, walls after grains.
template <class F>
void each_slot_by_ids(const ContactScene& scene, F&& f) {
  const NeighbourList& list = scene.list;
  for (const int i : scene.grains.by_id())
    for (int e = list.first[i]; e < list.first[i + 1]; ++e) {
      const int slot = list.contacts[e] >> 1;
      const auto [first, second] = scene.bodies(slot);
      if (second < 0 || scene.grains.id[first == i ? second : first] > scene.grains.id[i]) f(slot);
    }
}

}  // namespace

// An impulse elsewhere may drive any two bodies together, so their own speeds of approach do not matter.
Real HardContacts::ahead(const ContactScene& scene, const State& y, Real h) {
  if (scene.settings.hard->method != HardMethod::dynamics) return 0;
  Real fastest = 0;
  for (int i = 0; i < scene.grains.size(); ++i) fastest = std::max(fastest, norm(y.body.at(BodyRow::v, i)));
  return 2 * h * fastest;
}

struct HardContacts::Workspace {
  std::vector<hard::Body> bodies;  // grains by index, then loaded walls, then one for all other walls
  std::vector<hard::Contact> contacts;
  std::vector<int> slots;  // of the contacts
  std::vector<hard::Overlap> overlaps;
  std::vector<hard::Place> places;
  std::vector<int> group;          // of each body: another body of it, or itself
  std::vector<Real> acceleration;  // [m/s^2] by the load of a group's walls, at the body that leads the group

  void find(const Parts& w, const Step& step);
  void find_slowest(const Parts& w, Real kicked);
};

HardContacts::HardContacts() : work_(std::make_unique<Workspace>()) {}
HardContacts::HardContacts(HardContacts&&) noexcept = default;
HardContacts& HardContacts::operator=(HardContacts&&) noexcept = default;
HardContacts::~HardContacts() = default;

void HardContacts::Workspace::find(const Parts& w, const Step& step) {
  const ContactScene& scene = w.scene;
  const State& y = w.states.present;
  const State& rate = w.states.current_rate;
  const int grains = scene.grains.size(), walls = y.walls.size(), fixed = grains + walls;
  const bool dynamics = w.settings.hard->method == HardMethod::dynamics;
  bodies.assign(fixed + 1, {});
  for (int i = 0; i < grains; ++i) {
    const Real m = scene.grains.inverse_mass[i];
    bodies[i] = {y.body.at(BodyRow::v, i), y.body.at(BodyRow::w, i), {m, m, m}, scene.grains.inverse_inertia[i]};
  }
  for (int k = 0; k < walls; ++k) {
    const LoadedWall& wall = w.settings.loaded_walls[k];
    bodies[grains + k] = {y.walls.at(WallRow::v, k), {}, (1 / wall.mass) * wall.free, 0};
  }
  // [m/s] gained since the step began.
  const auto gained = [&](int body) {
    if (step.kicked == 0 || body == fixed) return Vector{};
    return step.kicked * (body < grains ? rate.body.at(BodyRow::v, body) : rate.walls.at(WallRow::v, body - grains));
  };

  const Real far = ahead(scene, y, step.h);
  contacts.clear(), slots.clear(), overlaps.clear();
  const auto add = [&](int slot, int first, int second, const auto&, const ContactGeometry<Real>& m) {
    const Particles& g = scene.grains;
    const HardLaw& law = w.settings.hard->pairs[scene.law(slot)];
    const bool swapped = second >= 0 && g.id[second] < g.id[first];
    const Real radius = second < 0 ? g.radius[first] : std::min(g.radius[first], g.radius[second]);
    const Real overlap = m.kinematics.overlap;
    hard::Contact c;
    c.i = swapped ? second : first;
    if (second >= 0)
      c.j = swapped ? first : second;
    else if (const int loaded = w.settings.surfaces[scene.wall_pair(slot).surface].loaded; loaded >= 0)
      c.j = grains + loaded;
    else
      c.j = fixed;
    c.n = swapped ? -m.kinematics.n : m.kinematics.n;
    c.lever_i = g.radius[c.i] - m.reduction;
    c.lever_j = second < 0 ? 0 : g.radius[c.j] - m.reduction;
    c.wall_velocity = m.wall_velocity;
    c.restitution = law.restitution, c.friction = law.friction;
    c.gap = -overlap, c.resting_overlap = resting_overlap * radius;
    c.before = relative_velocity(bodies, c) - gained(c.i) + gained(c.j);
    if (c.gap <= 0 || (dynamics && c.gap < near * radius + far)) {
      if (const Vector force = w.slots.hard_force[slot]; dynamics && !(force == Vector{})) {
        c.normal = std::max(0.0, -step.h * dot(force, c.n));
        c.tangential = hard::within_friction(step.h * (force - dot(force, c.n) * c.n), c.friction * c.normal);
      }
      contacts.push_back(c), slots.push_back(slot);
    }
    if (law.projection == 0 || !(c.gap < near * radius)) return;
    hard::Overlap o{.i = c.i,
                    .j = c.j,
                    .line = c.n,
                    .touching = overlap,
                    .at_wall = second < 0,
                    .factor = law.projection,
                    .allowed = dynamics ? 2 * c.resting_overlap : 0};
    if (second >= 0) {
      o.touching = g.radius[first] + g.radius[second];
      o.line = (o.touching - overlap) * c.n;
    }
    overlaps.push_back(o);
  };
  each_slot_by_ids(scene, [&](int slot) { scene.each_in(y, add, slot, slot + 1); });
  hard::prepare(bodies, contacts);
  if (dynamics) find_slowest(w, step.kicked);
}

// Twice the speed that gravity brings in a step, and the load of a wall to all bodies through which it may press: they
// move together, so a slower rebound between any two of them, or on a fixed wall, would come back within the step.
void HardContacts::Workspace::find_slowest(const Parts& w, Real kicked) {
  const Vector& gravity = w.settings.gravity;
  group.resize(bodies.size());
  std::iota(group.begin(), group.end(), 0);
  const auto group_of = [&](int body) {
    while (group[body] != body) body = group[body] = group[group[body]];
    return body;
  };
  const int fixed = static_cast<int>(bodies.size()) - 1, walls = w.states.present.walls.size();
  if (walls > 0)
    for (const hard::Contact& c : contacts)
      if (c.j != fixed) group[group_of(c.i)] = group_of(c.j);
  acceleration.assign(bodies.size(), 0);
  for (int k = 0; k < walls; ++k) {
    const Vector all = w.states.current_rate.walls.at(WallRow::v, k);
    Real& pushed = acceleration[group_of(fixed - walls + k)];
    pushed = std::max(pushed, norm(all - w.settings.loaded_walls[k].along_free(gravity)));
  }
  for (hard::Contact& c : contacts) c.slowest = 2 * kicked * (norm(gravity) + acceleration[group_of(c.i)]);
}

void HardContacts::project(const Parts& w) {
  farthest_shift_ = 0;
  if (work_->overlaps.empty()) return;
  work_->places.assign(work_->bodies.size(), {});
  for (std::size_t b = 0; b < work_->bodies.size(); ++b) work_->places[b].inverse_mass = work_->bodies[b].inverse_mass;
  if (w.settings.hard->method == HardMethod::simultaneous) {
    hard::simultaneous_projection(work_->places, work_->overlaps);
  } else {
    const std::vector<Real>& radii = w.scene.grains.radius;
    hard::sequential_projection(work_->places, work_->overlaps,
                                projected * *std::min_element(radii.begin(), radii.end()), most_projections);
  }
  State& y = w.states.present;
  const int grains = w.scene.grains.size();
  for (int i = 0; i < grains; ++i) {
    const Vector shift = work_->places[i].shift;
    if (shift == Vector{}) continue;
    y.body.set(BodyRow::x, i, y.body.at(BodyRow::x, i) + shift);
    farthest_shift_ = std::max(farthest_shift_, norm(shift));
  }
  for (int k = 0; k < y.walls.size(); ++k)
    y.walls.set(WallRow::x, k, y.walls.at(WallRow::x, k) + work_->places[grains + k].shift);
}

void HardContacts::write_back(const Parts& w, const Step& step) {
  State& y = w.states.present;
  const int grains = w.scene.grains.size();
  for (int i = 0; i < grains; ++i)
    y.body.set(BodyRow::v, i, work_->bodies[i].v), y.body.set(BodyRow::w, i, work_->bodies[i].w);
  for (int k = 0; k < y.walls.size(); ++k) y.walls.set(WallRow::v, k, work_->bodies[grains + k].v);
  for (std::size_t k = 0; k < work_->contacts.size(); ++k)
    if (work_->contacts[k].normal > 0 && w.slots.hard_force[work_->slots[k]] == Vector{})
      ++(w.scene.at_wall(work_->slots[k]) ? collisions_.walls : collisions_.grains);
  std::fill(w.slots.hard_force.values.begin(), w.slots.hard_force.values.end(), Vector{});
  for (std::size_t k = 0; k < work_->contacts.size(); ++k) {
    const hard::Contact& c = work_->contacts[k];
    w.slots.hard_force[work_->slots[k]] = (1 / step.h) * (c.tangential - c.normal * c.n);
  }
}

void HardContacts::resolve(const Parts& w, const Step& step) {
  work_->find(w, step);
  const auto solve = [&] {
    switch (w.settings.hard->method) {
      case HardMethod::simultaneous:
        return hard::simultaneous_impulses(work_->bodies, work_->contacts);
      case HardMethod::sequential:
        return hard::sequential_impulses(work_->bodies, work_->contacts, step.tolerance, most_sweeps);
      case HardMethod::dynamics:
        break;
    }
    return hard::contact_dynamics(work_->bodies, work_->contacts,
                                  {.until_next = step.h, .tolerance = step.tolerance, .most_sweeps = most_sweeps});
  };
  const hard::Outcome outcome = solve();
  sweeps_ = outcome.sweeps, residual_ = outcome.residual, converged_ = outcome.converged;
  write_back(w, step);
  project(w);
  LedgerChannels& ledger = w.states.present.ledger;
  // What all contacts of a step together gain is no loss: the residual shows it.
  ledger[Channel::dashpot] += std::max(0.0, outcome.work.inelastic);
  ledger[Channel::slip] += std::max(0.0, outcome.work.slip);
  ledger[Channel::external] += outcome.work.external;
}

}  // namespace cairn
