// Schemes of hard contacts: kicks and drifts with impulses between them. They are no splittings in the sense of
// splitting.hpp, because an impulse is no kick: it depends on no step. The list is apart from all.hpp: these schemes
// need a system with hard contacts, which no toy has.
#pragma once
#include <tuple>

#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/system.hpp"

namespace cairn {

template <class S>
concept ImpulseSystem = MotionSystem<S> && requires(S& s, Real h) {
  // Velocities jump by the impulses of hard contacts, in a step of h. The second argument [s] is the kick that the step
  // has had, so that the velocities when it began are known.
  s.impulses(h, h);
};

namespace schemes {

struct ImpulseSymplecticEuler {
  static constexpr Claims claims{
      .name = "impulse_symplectic_euler",
      .family = "hard contacts",
      .reference = "M. Kocic, A Pile of Particles (Umea University, 2012)",
      .equations = "v <- v + h a(x)\nx <- x + h v\nimpulses on contacts that overlap and approach",
      .guidance =
          "The simplest scheme of impulses. In gravity it loses m g^2 h^2/2 a grain and step, exactly; "
          "impulse_leapfrog does not.",
      .order = 1,
      .symplectic = true};

  template <ImpulseSystem S>
  static void step(S& s, Real h) {
    s.kick_drift(h, h);
    s.force(0, StageKind::end);
    s.impulses(h, 0);
    s.commit(h, {.trial_spring_weight = 0, .velocity_lag = 0});
  }
};

struct ImpulseLeapfrog {
  static constexpr Claims claims{
      .name = "impulse_leapfrog",
      .family = "hard contacts",
      .reference = "M. Kocic, A Pile of Particles (Umea University, 2012), with a leapfrog in its own right",
      .equations = "v <- v + h/2 a(x)\nx <- x + h v\nv <- v + h/2 a(x)\nimpulses on contacts that overlap and approach",
      .guidance =
          "The default of law \"impulse\": free flight under gravity is exact, and an elastic impact keeps the "
          "energy. An impact is detected up to a step late.",
      .order = 2,
      .symplectic = true,
      .reversible = true};

  template <ImpulseSystem S>
  static void step(S& s, Real h) {
    s.kick_drift(0.5 * h, h);
    s.force(0, StageKind::end, 0.5 * h);
    s.impulses(h, 0);
    s.commit(h);
  }
};

struct MoreauTheta {
  static constexpr Claims claims{
      .name = "moreau_theta",
      .family = "hard contacts",
      .reference =
          "Moreau, in Nonsmooth Mechanics and Applications (Springer, 1988) 1; Jean, Comput. Methods Appl. "
          "Mech. Eng. 177 (1999) 235",
      .equations =
          "x <- x + (1 - theta) h v\nv <- v + h a(x)\nv <- v + M^-1 (impulses of all contacts, solved together)\n"
          "x <- x + theta h v",
      .guidance =
          "The scheme of law \"dynamics\". With theta = 1/2, the default, flight under gravity is exact and the "
          "ledger closes to round-off; a larger theta damps. No contact limits the step.",
      .order = 1,
      .implicit = true,
      .parameters = {{{"theta", 0.5, 0.5, 1, "where in the step contacts are met: 1/2 its middle, 1 its beginning"}}}};

  template <ImpulseSystem S>
  static void step(S& s, Real h, const Parameters& p) {
    const Real theta = p[0];
    s.drift((1 - theta) * h);
    s.force(0, StageKind::stage, h);
    s.impulses(h, h);
    s.drift(theta * h);
    s.commit(h);
  }
};

}  // namespace schemes

using HardSchemes = std::tuple<schemes::ImpulseLeapfrog, schemes::ImpulseSymplecticEuler, schemes::MoreauTheta>;

template <class F>
void for_each_hard_scheme(F&& f) {
  std::apply([&](auto... scheme) { (f(scheme), ...); }, HardSchemes{});
}

}  // namespace cairn
