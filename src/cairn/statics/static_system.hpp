// A World as a system of equations of equilibrium. The unknowns are the positions of its grains, their rotations where
// friction acts, and the positions of walls that move under forces. Everything is at rest, so no dashpot acts, and time
// stands still. Forces are those of the World's own passes.
#pragma once
#include <algorithm>
#include <vector>

#include "cairn/statics/contact_tangent.hpp"
#include "cairn/statics/linear_solver.hpp"
#include "cairn/statics/newton.hpp"
#include "cairn/world/world.hpp"

namespace cairn::statics {

struct Balance {
  Real ratio = 0;           // [-] largest unbalanced force of a grain over the mean contact force
  Real largest = 0;         // [N] that force
  std::int64_t grain = -1;  // its id
  Real mean_force = 0;      // [N] of the closed contacts
  Real mean_ratio = 0;      // [-] mean unbalanced force of a grain over that; no rule of stopping uses it
  int contacts = 0;         // closed
};

// How tangential springs behave while a packing goes to its equilibrium.
enum class Friction {
  follows,  // they follow displacements and slip at the Coulomb limit: the result depends on the path
  held      // they keep their lengths, and grains do not turn: forces balance, torques need not
};

class StaticSystem : public Equations {
 public:
  // Takes a World that has grains, at its present positions; velocities become 0, and so it stays. `dimension`: 1 to 3.
  // Springs follow displacements, and return to their Coulomb limits with each step that is accepted. The grains
  // `held`, ascending ids, stay where they are and do not turn; if there are any, loaded walls stay, too.
  StaticSystem(World& world, int dimension, const LinearSettings& linear = {}, Friction friction = Friction::follows,
               std::vector<std::int64_t> held = {});
  StaticSystem(const StaticSystem&) = delete;
  StaticSystem& operator=(const StaticSystem&) = delete;

  const std::vector<Real>& residual() const override { return residual_; }
  Real unbalance() override;
  LinearSolution solve(Real shift, Real tolerance, std::vector<Real>& du) override;
  bool regularise() override;
  Real largest_shift() override { return tangent().stiffest(); }
  Real longest(std::span<const Real> du) const override;
  void attempt(const std::vector<Real>& du, Real share) override;
  void accept() override;
  bool has_potential() const override { return nodes_.symmetric; }

  // Whether a grain that touches nothing is pulled, and has not left the case.
  bool anything_falls() const { return anything_falls_; }
  // Whether grains that touch nothing are moved like all others, with their weight as a residual.
  void move_by_dynamics(bool does);
  // The share [-] of gravity and of the loads of walls that acts from now on.
  void set_load(Real share);

  Balance balance() const;
  // [N] of the residual: the force on a node, or the torque over its radius, whichever is larger.
  Real unbalanced_force(int node) const;
  const Nodes& nodes() const { return nodes_; }
  World& world() { return world_; }
  const World& world() const { return world_; }
  int threads() const { return world_.settings().threads; }
  const ContactTangent& tangent();  // at the state last accepted
  // Whether a tangent was singular, so that contacts that just touch lent it a stiffness.
  bool regularised() const { return regularised_; }
  // [m] smallest radius.
  Real smallest_radius() const { return smallest_radius_; }
  // [m] The farthest that dynamics may move a body in one step, so that no contact is missed.
  Real longest_move() const { return 0.02 * smallest_radius_; }
  // [m] How far a grain that touches nothing may follow the force on it to the next body; zero for others.
  const Vector& fall(int node) const { return falls_[node]; }
  // Ids of the grains that touch nothing; `falling`: only those that a force pulls.
  std::vector<std::int64_t> loose(bool falling) const;

  // After positions of the World were changed by hand: finds contacts and forces anew, and accepts the state.
  void look_again();
  // Remembers the accepted state, and returns to it.
  void keep();
  void restore();

  bool springs_follow() const { return !nodes_.symmetric && friction_ == Friction::follows; }
  Friction friction() const { return friction_; }
  bool holds(std::int64_t id) const { return std::binary_search(held_.begin(), held_.end(), id); }
  bool holds_any() const { return !held_.empty(); }

 private:
  void number_nodes();
  void follow_order();   // of the World's arrays
  void find_residual();  // finds forces
  void fill_residual();  // from forces
  void find_falls();

  World& world_;
  LinearSettings linear_;
  Friction friction_;
  std::vector<std::int64_t> held_;
  Real load_ = 1;
  Nodes nodes_;
  Scratch::Borrowed scratch_;
  State &accepted_, &step_, &middle_, &rate_, &kept_;
  ContactTangent tangent_;
  TangentOptions options_;
  bool tangent_known_ = false, regularised_ = false;
  std::int64_t rebuilds_ = -1;
  std::vector<Real> residual_;
  std::vector<Vector> falls_;  // [m] of each grain that touches nothing, to where it may go in one step
  std::vector<Vector> began_;  // [m] where each grain was
  std::vector<char> loose_;    // of each grain: it has no equation
  bool any_falls_ = false, anything_falls_ = false, by_dynamics_ = false;
  Real smallest_radius_ = 0, extent_ = 0;  // [m]
};

}  // namespace cairn::statics
