// Taylor series of the motion, and directional derivatives of the force, by jets: one pass over contacts per order.
#pragma once
#include <array>
#include <span>

#include "cairn/integrate/system.hpp"
#include "cairn/state/state.hpp"
#include "cairn/world/contact_scene.hpp"

namespace cairn {

// Taylor coefficients 2 to `order` of the motion from y, for steps of h [s], into k[1], k[2], ...; k[0] is the rate at
// y. Where k has room for it, one more coefficient of the positions.
void taylor_series(const ContactScene& scene, const State& y, int order, std::span<State* const> k, Real h);

// k = Df d: the derivative of the rate at y along d. With `over` [s], springs of d go no farther than to where the end
// of such a step would return them; that changes d.
void force_derivative(const ContactScene& scene, const State& y, State& d, State& k, Real over);

}  // namespace cairn
