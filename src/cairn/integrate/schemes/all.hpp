// The list of schemes. A new scheme is one file here and one line below: every test, the catalogue and the command
// line pick it up.
#pragma once
#include <tuple>

#include "cairn/integrate/scheme.hpp"
#include "cairn/integrate/schemes/adams_bashforth2.hpp"
#include "cairn/integrate/schemes/central_difference.hpp"
#include "cairn/integrate/schemes/dormand_prince54.hpp"
#include "cairn/integrate/schemes/forest_ruth.hpp"
#include "cairn/integrate/schemes/position_verlet.hpp"
#include "cairn/integrate/schemes/rk4.hpp"
#include "cairn/integrate/schemes/symplectic_euler.hpp"
#include "cairn/integrate/schemes/taylor3.hpp"
#include "cairn/integrate/schemes/velocity_verlet.hpp"
#include "cairn/integrate/schemes/velocity_verlet_predicted.hpp"

namespace cairn {

using Schemes = std::tuple<schemes::SymplecticEuler,          //
                           schemes::CentralDifference,        //
                           schemes::VelocityVerlet,           //
                           schemes::VelocityVerletPredicted,  //
                           schemes::PositionVerlet,           //
                           schemes::ForestRuth,               //
                           schemes::Rk4,                      //
                           schemes::Taylor3,                  //
                           schemes::AdamsBashforth2,          //
                           schemes::DormandPrince54>;

// Calls f(Scheme{}) for each scheme of the list.
template <class F>
void for_each_scheme(F&& f) {
  std::apply([&](auto... scheme) { (f(scheme), ...); }, Schemes{});
}

}  // namespace cairn
