// The list of schemes. A new scheme is one file here and one line below: every test, the catalogue and the command
// line pick it up.
#pragma once
#include <tuple>

#include "cairn/integrate/scheme.hpp"
#include "cairn/integrate/schemes/abm2.hpp"
#include "cairn/integrate/schemes/abm3.hpp"
#include "cairn/integrate/schemes/abm4.hpp"
#include "cairn/integrate/schemes/adams_bashforth2.hpp"
#include "cairn/integrate/schemes/adams_bashforth3.hpp"
#include "cairn/integrate/schemes/adams_bashforth4.hpp"
#include "cairn/integrate/schemes/adams_bashforth5.hpp"
#include "cairn/integrate/schemes/backward_euler.hpp"
#include "cairn/integrate/schemes/bdf2.hpp"
#include "cairn/integrate/schemes/blanes_moan4.hpp"
#include "cairn/integrate/schemes/bogacki_shampine32.hpp"
#include "cairn/integrate/schemes/central_difference.hpp"
#include "cairn/integrate/schemes/dormand_prince54.hpp"
#include "cairn/integrate/schemes/forest_ruth.hpp"
#include "cairn/integrate/schemes/forward_euler.hpp"
#include "cairn/integrate/schemes/gauss2_extrapolated.hpp"
#include "cairn/integrate/schemes/gauss2_newton.hpp"
#include "cairn/integrate/schemes/gauss2_previous.hpp"
#include "cairn/integrate/schemes/gauss2_zero.hpp"
#include "cairn/integrate/schemes/gear3.hpp"
#include "cairn/integrate/schemes/gear4.hpp"
#include "cairn/integrate/schemes/heun2.hpp"
#include "cairn/integrate/schemes/implicit_midpoint.hpp"
#include "cairn/integrate/schemes/kahan_li6.hpp"
#include "cairn/integrate/schemes/khakimov.hpp"
#include "cairn/integrate/schemes/midpoint2.hpp"
#include "cairn/integrate/schemes/newmark.hpp"
#include "cairn/integrate/schemes/omelyan_babab.hpp"
#include "cairn/integrate/schemes/pefrl4.hpp"
#include "cairn/integrate/schemes/position_verlet.hpp"
#include "cairn/integrate/schemes/rk4.hpp"
#include "cairn/integrate/schemes/rkf45.hpp"
#include "cairn/integrate/schemes/ssp3.hpp"
#include "cairn/integrate/schemes/suzuki4.hpp"
#include "cairn/integrate/schemes/symplectic_euler.hpp"
#include "cairn/integrate/schemes/taylor.hpp"
#include "cairn/integrate/schemes/taylor3_backward.hpp"
#include "cairn/integrate/schemes/trapezoidal.hpp"
#include "cairn/integrate/schemes/velocity_verlet.hpp"
#include "cairn/integrate/schemes/velocity_verlet_extrapolated.hpp"
#include "cairn/integrate/schemes/velocity_verlet_implicit.hpp"
#include "cairn/integrate/schemes/velocity_verlet_predicted.hpp"
#include "cairn/integrate/schemes/verlet.hpp"
#include "cairn/integrate/schemes/yoshida6.hpp"

namespace cairn {

using Schemes = std::tuple<schemes::ForwardEuler,                //
                           schemes::Heun2,                       //
                           schemes::Midpoint2,                   //
                           schemes::Ssp3,                        //
                           schemes::Rk4,                         //
                           schemes::Taylor<2>,                   //
                           schemes::Taylor<3>,                   //
                           schemes::Taylor<4>,                   //
                           schemes::Taylor<5>,                   //
                           schemes::Taylor<6>,                   //
                           schemes::Taylor<7>,                   //
                           schemes::Taylor<8>,                   //
                           schemes::Taylor<9>,                   //
                           schemes::Taylor<10>,                  //
                           schemes::Taylor<11>,                  //
                           schemes::Taylor<12>,                  //
                           schemes::SymplecticEuler,             //
                           schemes::CentralDifference,           //
                           schemes::VelocityVerlet,              //
                           schemes::VelocityVerletExtrapolated,  //
                           schemes::VelocityVerletPredicted,     //
                           schemes::VelocityVerletImplicit,      //
                           schemes::PositionVerlet,              //
                           schemes::OmelyanBabab,                //
                           schemes::ForestRuth,                  //
                           schemes::Suzuki4,                     //
                           schemes::Pefrl4,                      //
                           schemes::BlanesMoan4,                 //
                           schemes::Yoshida6,                    //
                           schemes::KahanLi6,                    //
                           schemes::Verlet,                      //
                           schemes::Taylor3Backward,             //
                           schemes::AdamsBashforth2,             //
                           schemes::AdamsBashforth3,             //
                           schemes::AdamsBashforth4,             //
                           schemes::AdamsBashforth5,             //
                           schemes::Abm2,                        //
                           schemes::Abm3,                        //
                           schemes::Abm4,                        //
                           schemes::Gear3,                       //
                           schemes::Gear4,                       //
                           schemes::KhakimovD12,                 //
                           schemes::KhakimovT12,                 //
                           schemes::KhakimovT16,                 //
                           schemes::Gauss2Zero,                  //
                           schemes::Gauss2Previous,              //
                           schemes::Gauss2Extrapolated,          //
                           schemes::Gauss2Newton,                //
                           schemes::ImplicitMidpoint,            //
                           schemes::Trapezoidal,                 //
                           schemes::BackwardEuler,               //
                           schemes::Bdf2,                        //
                           schemes::Newmark,                     //
                           schemes::HhtAlpha,                    //
                           schemes::GeneralizedAlpha,            //
                           schemes::Rkf45Absolute,               //
                           schemes::Rkf45Relative,               //
                           schemes::BogackiShampine32,           //
                           schemes::DormandPrince54>;

// Calls f(Scheme{}) for each scheme of the list.
template <class F>
void for_each_scheme(F&& f) {
  std::apply([&](auto... scheme) { (f(scheme), ...); }, Schemes{});
}

}  // namespace cairn
