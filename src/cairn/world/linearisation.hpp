// Derivatives of all forces at given states, as Newton's method needs them (integrate/newton.hpp): along a direction,
// as a sparse matrix, and which contact has most to do with a residual.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cairn/state/state.hpp"
#include "cairn/world/contact_scene.hpp"

namespace cairn {

class Linearisation {
 public:
  // solve() takes no more grains than these. Ranks leave so few to one of them.
  static constexpr int few_grains = 333;

  // From now on derivatives are those at these states. Writes slots.spring_weight.
  void set(std::span<State* const> stages, const ContactScene& scene, SlotFields& slots);

  // k = Df d at the stage, as force_derivative() (taylor.hpp).
  void tangent(int stage, State& d, State& k, Real over, const ContactScene& scene) const;

  // The sum of m v.v + I omega.omega over velocities [J]; with StatePart::springs also that of spring_weight xi.xi. It
  // is reproducible, because the order of the list must not enter the dynamics.
  Real inner_product(const State& a, const State& b, unsigned parts, const ContactScene& scene) const;

  // (1 - Df) out = right, as Newton's method has it, directly; false where there are too many unknowns, or no solution,
  // or grains are spread over ranks.
  bool solve(std::span<const Real> rates, std::span<const Real> speeds, std::span<State* const> right,
             std::span<State* const> out, const ContactScene& scene, std::span<const int> by_id) const;

  // The deepest contact of the grain whose equation is the least fulfilled, in words.
  std::string worst(int stage, const State& residual, const ContactScene& scene) const;

 private:
  std::vector<State*> states_;
};

}  // namespace cairn
