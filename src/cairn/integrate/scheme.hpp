// From a scheme to a step of any System: the one place that knows the kinds of scheme there are.
#pragma once
#include "cairn/integrate/adams.hpp"
#include "cairn/integrate/gauss.hpp"
#include "cairn/integrate/gear.hpp"
#include "cairn/integrate/runge_kutta.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn {

template <class Scheme>
constexpr bool is_staggered = requires {
  requires Scheme::staggered;
};

template <class Scheme>
constexpr bool is_splitting = requires {
  Scheme::stages;
};

// How springs follow the drifts of a splitting.
template <class Scheme>
constexpr SpringQuadrature spring_quadrature_of =
    Scheme::claims.order_spring > 2 ? SpringQuadrature::fourth_order : SpringQuadrature::midpoint;

// Takes one step of at most h and returns its length; only adaptive schemes take less. `parameters` are in the
// order of Claims::parameters.
template <class Scheme, System S>
Real advance(S& s, Real h, const Parameters& parameters = Scheme::claims.usual_parameters()) {
  if constexpr (is_splitting<Scheme>) {
    splitting_step(s, Scheme::stages, is_staggered<Scheme>, spring_quadrature_of<Scheme>, h);
  } else if constexpr (Scheme::claims.adaptive) {
    return runge_kutta::adaptive_step(s, Scheme::tableau, Scheme::control, h);
  } else if constexpr (requires { Scheme::tableau; }) {
    runge_kutta::step(s, Scheme::tableau, h);
  } else if constexpr (requires { Scheme::moulton; }) {
    adams::bashforth_moulton(s, Scheme::bashforth, Scheme::moulton, h);
  } else if constexpr (requires { Scheme::bashforth; }) {
    adams::bashforth(s, Scheme::bashforth, h);
  } else if constexpr (requires { Scheme::theta; }) {
    gear::step<Scheme>(s, h);
  } else if constexpr (requires { Scheme::guess; }) {
    gauss::step(s, Scheme::guess, h);
  } else if constexpr (Scheme::claims.parameter_count() > 0) {
    Scheme::step(s, h, parameters);
  } else {
    Scheme::step(s, h);
  }
  return h;
}

}  // namespace cairn
