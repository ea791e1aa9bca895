#include "cairn/statics/static_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/core/error.hpp"
#include "cairn/core/parallel.hpp"
#include "cairn/core/reproducible_sum.hpp"

namespace cairn::statics {
namespace {

constexpr Real reach = 0.2;  // [-] of the smallest radius, how far contacts that may come are known
// [-] By so little a spring that slips stays beyond its limit: the tangent then is that of slip. Exactly at the limit
// it would be that of stick, with which Newton's method takes seven times as many iterations.
constexpr Real beyond = 1 + 1e-12;
constexpr Real touching = 1e-6;  // [-] overlap over the radius at which the stiffness of a mere touch is taken

Vector three(const Real* a) {
  return {a[0], a[1], a[2]};
}

}  // namespace

StaticSystem::StaticSystem(World& world, int dimension, const LinearSettings& linear, Friction friction,
                           std::vector<std::int64_t> held)
    : world_(world),
      linear_(linear),
      friction_(friction),
      held_(std::move(held)),
      scratch_(world.borrow(5)),
      accepted_(scratch_[0]),
      step_(scratch_[1]),
      middle_(scratch_[2]),
      rate_(scratch_[3]),
      kept_(scratch_[4]) {
  if (world.size() == 0) throw Error(Exit::bad_input, "a world without grains has no equilibrium");
  nodes_.dimension = dimension;
  linear_.threads = world.settings().threads;
  const std::vector<Real>& radii = world.grains().radius;
  smallest_radius_ = *std::min_element(radii.begin(), radii.end());
  // Nothing has a speed from which the World could see how soon contacts may begin.
  WorldSettings settings = world.settings();
  settings.reach = reach * smallest_radius_;
  world_.restore_settings(std::move(settings));
  world_.set_onset(false);
  State& y = world_.state();
  for (int i = 0; i < world_.size(); ++i) y.body.set(BodyRow::v, i, {}), y.body.set(BodyRow::w, i, {});
  for (int w = 0; w < y.walls.size(); ++w) y.walls.set(WallRow::v, w, {});
  world_.begin();
  for (State* s : {&accepted_, &step_, &middle_, &rate_, &kept_}) world_.combine(*s, y, {}, StatePart::everything);
  const Term nothing{-1, &y};
  world_.combine(step_, y, {&nothing, 1}, StatePart::everything);
  number_nodes();
  loose_.assign(nodes_.grains, 0);
  look_again();
}

void StaticSystem::number_nodes() {
  const Particles& grains = world_.grains();
  const WorldSettings& settings = world_.settings();
  nodes_.grains = grains.size(), nodes_.walls = static_cast<int>(settings.loaded_walls.size());
  const bool friction = rubs(settings);
  nodes_.symmetric = !friction;
  nodes_.rotates = friction && friction_ == Friction::follows && settings.rotation && nodes_.dimension > 1;
  nodes_.row = grains.by_id();
  nodes_.id.resize(grains.size());
  const bool along[3] = {nodes_.dimension > 1, nodes_.dimension > 2, true};
  const bool about[3] = {nodes_.dimension > 2, nodes_.dimension > 1, nodes_.dimension > 2};
  Vector low = world_.position(0), high = low;
  began_.clear();
  for (int k = 0; k < nodes_.grains; ++k) {
    const int i = nodes_.row[k];
    nodes_.id[k] = grains.id[i];
    nodes_.mass.push_back(grains.mass[i]);
    const Real r = grains.radius[i];
    const bool spins = nodes_.rotates && grains.inverse_inertia[i] > 0;
    nodes_.inertia.push_back(spins ? 1 / (grains.inverse_inertia[i] * r * r) : grains.mass[i]);
    std::array<bool, 6>& free = nodes_.free.emplace_back();
    const bool held = holds(grains.id[i]);
    for (int c = 0; c < 3; ++c) free[c] = along[c] && !held, free[3 + c] = spins && about[c] && !held;
    const Vector x = world_.position(i);
    began_.push_back(x);
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  }
  for (const LoadedWall& wall : settings.loaded_walls) {
    nodes_.mass.push_back(wall.mass);
    const bool moves = !holds_any();
    nodes_.free.push_back(
        {moves && wall.free.x != 0, moves && wall.free.y != 0, moves && wall.free.z != 0, false, false, false});
  }
  for (const Surface& s : settings.surfaces) {
    const Vector p = world_.pose(s).point;
    if (!(norm(p) < 1e6)) continue;
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  extent_ = norm(high - low) + 10 * smallest_radius_;
}

// Ids are never given twice and never change while this lives, but the World sorts its grains by where they are.
void StaticSystem::follow_order() {
  if (rebuilds_ == world_.rebuilds()) return;
  rebuilds_ = world_.rebuilds();
  const Particles& grains = world_.grains();
  nodes_.node.resize(grains.size());
  for (int i = 0; i < grains.size(); ++i) {
    const auto at = std::lower_bound(nodes_.id.begin(), nodes_.id.end(), grains.id[i]);
    const int node = static_cast<int>(at - nodes_.id.begin());
    nodes_.node[i] = node, nodes_.row[node] = i;
  }
}

void StaticSystem::find_residual() {
  world_.rates(world_.state(), rate_);
  fill_residual();
}

void StaticSystem::fill_residual() {
  follow_order();
  const Particles& grains = world_.grains();
  const int stride = nodes_.stride();
  residual_.resize(nodes_.unknowns());
  const Vector away = (1 - load_) * world_.settings().gravity;
  for_blocks(threads(), nodes_.grains, 1024, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (auto k = begin; k < end; ++k) {
      const int i = nodes_.row[k];
      Real* const to = &residual_[k * stride];
      const Vector force = grains.mass[i] * (rate_.body.at(BodyRow::v, i) - away);
      const Vector turning =
          nodes_.rotates ? (nodes_.inertia[k] * grains.radius[i]) * rate_.body.at(BodyRow::w, i) : Vector{};
      const Real all[6] = {force.x, force.y, force.z, turning.x, turning.y, turning.z};
      for (int c = 0; c < stride; ++c) to[c] = nodes_.free[k][c] && !loose_[k] ? all[c] : 0;
    }
  });
  for (int w = 0; w < nodes_.walls; ++w) {
    const LoadedWall& wall = world_.settings().loaded_walls[w];
    const Real factor = value_and_integral(wall.ramp, world_.time() - wall.start).first;
    const Vector outside = wall.along_free(factor * wall.load + wall.mass * world_.settings().gravity);
    const Vector force = wall.mass * rate_.walls.at(WallRow::v, w) - (1 - load_) * outside;
    Real* const to = &residual_[(nodes_.grains + w) * stride];
    std::fill_n(to, stride, 0.0);
    const auto& free = nodes_.free[nodes_.grains + w];
    to[0] = free[0] ? force.x : 0, to[1] = free[1] ? force.y : 0, to[2] = free[2] ? force.z : 0;
  }
}

void StaticSystem::move_by_dynamics(bool does) {
  by_dynamics_ = does;
  find_falls();
  fill_residual();
}

void StaticSystem::set_load(Real share) {
  load_ = share;
  fill_residual();
}

void StaticSystem::attempt(const std::vector<Real>& du, Real share) {
  constexpr Real slowly = 0x1p-30;  // [1/s] so that no dashpot counts where springs are asked how they follow
  follow_order();
  const int stride = nodes_.stride();
  for_blocks(threads(), nodes_.grains, 1024, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (auto k = begin; k < end; ++k) {
      const int i = nodes_.row[k];
      const Real* const a = &du[k * stride];
      step_.body.set(BodyRow::v, i, loose_[k] ? falls_[k] : three(a));
      if (nodes_.rotates) step_.body.set(BodyRow::w, i, (1 / world_.grains().radius[i]) * three(a + 3));
    }
  });
  for (int w = 0; w < nodes_.walls; ++w) step_.walls.set(WallRow::v, w, three(&du[(nodes_.grains + w) * stride]));
  State& y = world_.state();
  const Term whole{share, &step_};
  world_.combine(y, accepted_, {&whole, 1}, StatePart::carried);
  if (springs_follow()) {
    // Springs follow the displacement as the law has it, by the rate in its middle.
    const Term half{0.5 * share, &step_}, speed{share * slowly, &step_}, back{1 / slowly, &rate_};
    world_.combine(middle_, accepted_, {}, StatePart::everything);
    world_.combine(middle_, accepted_, {&half, 1}, StatePart::carried);
    world_.combine(middle_, accepted_, {&speed, 1}, StatePart::velocities);  // which has none
    world_.rates(middle_, rate_);
    world_.combine(y, accepted_, {&back, 1}, StatePart::springs);
  }
  find_residual();
}

// Springs return to their limits, and end with their contacts.
void StaticSystem::accept() {
  State& y = world_.state();
  if (springs_follow()) {
    const ContactScene scene = world_.scene();
    for_blocks(threads(), scene.list.slots(), 256, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
      for (int slot = static_cast<int>(begin); slot < end; ++slot) {
        bool closed = false;
        if (scene.may_act(y, slot))
          scene.each_in(
              y,
              [&](int, int, int, const auto& law, const ContactGeometry<Real>& m) {
                if (!in_contact(m.kinematics.overlap)) return;
                closed = true;
                const Vector xi = y.bond.at(BondRow::xi, slot);
                const ContactForce<Real> p = law.force(m.kinematics, xi);
                if (p.kept < 1) y.bond.set(BondRow::xi, slot, (beyond * p.kept) * xi);
                if (!scene.settings.rolls()) return;
                const Vector chi = y.bond.at(BondRow::chi, slot);
                y.bond.set(BondRow::chi, slot,
                           scene.rolling(slot).response(m.kinematics, Vector{}, chi, normal_load_of(p)).returned);
              },
              slot, slot + 1);
        if (!closed) relax_springs(y, slot);
      }
    });
  }
  world_.combine(accepted_, y, {}, StatePart::everything);
  tangent_known_ = false;
  options_ = {};
  const std::vector<char> before = loose_;
  find_falls();
  if (loose_ != before) fill_residual();
}

void StaticSystem::look_again() {
  State& y = world_.state();
  world_.combine(y, y, {}, StatePart::positions);
  find_residual();
  accept();
}

void StaticSystem::keep() {
  world_.combine(kept_, accepted_, {}, StatePart::everything);
}

void StaticSystem::restore() {
  world_.combine(world_.state(), kept_, {}, StatePart::everything);
  find_residual();
  world_.combine(accepted_, world_.state(), {}, StatePart::everything);
  tangent_known_ = false;
  options_ = {};
  find_falls();
  fill_residual();
}

// Grains that touch nothing have no equation. They follow the force on them to the next body, as far as contacts are
// known; those that have left the case stay.
void StaticSystem::find_falls() {
  follow_order();
  const ContactScene scene = world_.scene();
  const State& y = world_.state();
  const Particles& grains = scene.grains;
  falls_.assign(nodes_.grains, Vector{});
  loose_.assign(nodes_.grains, 0);
  std::vector<char> falling(nodes_.grains, 0);
  for_blocks(threads(), nodes_.grains, 256, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (auto k = begin; k < end; ++k) {
      const int i = nodes_.row[k];
      if (holds(nodes_.id[k])) continue;
      const Vector pull = rate_.body.at(BodyRow::v, i) - (1 - load_) * scene.settings.gravity;
      bool touches = false;
      Real room = reach * smallest_radius_;
      const Real strength = norm(pull);
      const Vector along = strength > 0 ? (1 / strength) * pull : Vector{};
      for (int e = scene.list.first[i]; e < scene.list.first[i + 1] && !touches; ++e) {
        const int slot = scene.list.contacts[e] >> 1;
        const bool second = scene.list.contacts[e] & 1;
        if (!scene.at_wall(slot)) {  // most are far
          const Vector straight =
              y.body.at(BodyRow::x, scene.bodies(slot)[1]) - y.body.at(BodyRow::x, scene.bodies(slot)[0]);
          const Vector d = straight - scene.settings.cell.image(straight);
          const Real reach = 2 * grains.radius[i] + grains.radius[scene.bodies(slot)[second ? 0 : 1]];
          if (dot(d, d) > reach * reach) continue;
        }
        scene.each_in(
            y,
            [&](int, int, int, const auto&, const ContactGeometry<Real>& m) {
              const Real overlap = m.kinematics.overlap;
              if (overlap > -touching * grains.radius[i]) touches = true;
              const Real towards = (second ? -1 : 1) * dot(m.kinematics.n, along);
              if (towards > 0) room = std::min(room, -overlap / towards);
            },
            slot, slot + 1);
      }
      if (touches || strength == 0) continue;
      const bool left = norm(world_.position(i) - began_[k]) > 2 * extent_;
      loose_[k] = left || !by_dynamics_, falling[k] = !left;
      if (left || by_dynamics_) continue;
      // A little farther than to the touch, so that a contact exists.
      falls_[k] = (room + 0.1 * touching * grains.radius[i]) * along;
    }
  });
  anything_falls_ = std::find(falling.begin(), falling.end(), 1) != falling.end();
  any_falls_ = std::any_of(falls_.begin(), falls_.end(), [](const Vector& fall) { return fall != Vector{}; });
}

std::vector<std::int64_t> StaticSystem::loose(bool falling) const {
  std::vector<std::int64_t> ids;
  const std::vector<int> coordination = world_.coordination();
  for (int k = 0; k < nodes_.grains; ++k)
    if (coordination[nodes_.row[k]] == 0 && !holds(nodes_.id[k]) &&
        (!falling || rate_.body.at(BodyRow::v, nodes_.row[k]) != Vector{}))
      ids.push_back(nodes_.id[k]);
  return ids;
}

Balance StaticSystem::balance() const {
  Balance of;
  const ContactScene scene = world_.scene();
  const State& y = world_.state();
  constexpr int block = 1024;
  const int slots = scene.list.slots();
  std::vector<ReproducibleSum> sums((slots + block - 1) / block);
  std::vector<int> counts(sums.size(), 0);
  for_blocks(threads(), slots, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t at) {
    for (int slot = static_cast<int>(begin); slot < end; ++slot) {
      if (!scene.may_act(y, slot)) continue;
      scene.each_in(
          y,
          [&](int, int, int, const auto& law, const ContactGeometry<Real>& m) {
            if (!in_contact(m.kinematics.overlap)) return;
            const ContactForce<Real> p = law.force(m.kinematics, y.bond.at(BondRow::xi, slot));
            sums[at].add(norm(p.ft - p.fn * m.kinematics.n)), ++counts[at];
          },
          slot, slot + 1);
    }
  });
  ReproducibleSum all;
  for (std::size_t b = 0; b < sums.size(); ++b) all.add(sums[b]), of.contacts += counts[b];
  if (of.contacts > 0) of.mean_force = all.value() / of.contacts;
  ReproducibleSum unbalanced;
  for (int k = 0; k < nodes_.count(); ++k) {
    const Real force = unbalanced_force(k);
    if (k < nodes_.grains && std::isfinite(force)) unbalanced.add(norm(three(&residual_[k * nodes_.stride()])));
    if (force > of.largest || std::isnan(force)) of.largest = force, of.grain = k < nodes_.grains ? nodes_.id[k] : -1;
  }
  if (of.mean_force > 0) of.mean_ratio = unbalanced.value() / nodes_.grains / of.mean_force;
  of.ratio = of.largest == 0     ? 0
             : of.mean_force > 0 ? of.largest / of.mean_force
                                 : std::numeric_limits<Real>::infinity();
  return of;
}

Real StaticSystem::unbalanced_force(int node) const {
  const Real* const r = &residual_[node * nodes_.stride()];
  return nodes_.stride() > 3 ? std::max(norm(three(r)), norm(three(r + 3))) : norm(three(r));
}

Real StaticSystem::unbalance() {
  const Real ratio = balance().ratio;
  return any_falls_ ? std::max(ratio, 1.0) : ratio;
}

const ContactTangent& StaticSystem::tangent() {
  if (!tangent_known_) tangent_.assemble(world_.scene(), accepted_, nodes_, options_);
  tangent_known_ = true;
  return tangent_;
}

LinearSolution StaticSystem::solve(Real shift, Real tolerance, std::vector<Real>& du) {
  // With friction, contacts change between stick and slip, and a more accurate solution gains nothing.
  constexpr Real enough = 0.03;
  linear_.tolerance = nodes_.symmetric ? tolerance : std::max(tolerance, enough);
  // A body that a force pulls and nothing holds, but for contacts that just touch.
  if (shift == 0 && options_.floor == 0) {
    const std::vector<Real> own = tangent().diagonal(threads());
    const int stride = nodes_.stride();
    for (int k = 0; k < nodes_.count(); ++k) {
      const auto held = [&](int c) { return own[(k * stride + c) * stride + c] != 0; };
      const bool pulled = norm(three(&residual_[k * stride])) > 0;
      if (pulled && !held(0) && !held(1) && !held(2)) return {.singular = true};
    }
  }
  const LinearSolution of = solve_linear(tangent(), nodes_, residual_, shift, linear_, du);
  // A grain that hardly anything keeps from turning takes part of its own step.
  constexpr Real farthest_turn = 0.3;  // [rad]
  if (!nodes_.rotates) return of;
  for (int k = 0; k < nodes_.grains; ++k) {
    Real* const a = &du[k * nodes_.stride()];
    const Real most = farthest_turn * world_.grains().radius[nodes_.row[k]], turn = norm(three(a + 3));
    for (int c = 0; c < 6 && turn > most; ++c) a[c] *= most / turn;
  }
  return of;
}

bool StaticSystem::regularise() {
  if (options_.floor > 0) return false;
  options_.floor = touching;
  regularised_ = true;
  tangent_known_ = false;
  return true;
}

Real StaticSystem::longest(std::span<const Real> du) const {
  const std::size_t stride = nodes_.stride();
  Real most = 0;
  for (std::size_t at = 0; at + 2 < du.size(); at += stride) {
    const Real length = norm(three(&du[at]));
    if (!(length <= most)) most = length;
  }
  return most;
}

}  // namespace cairn::statics
