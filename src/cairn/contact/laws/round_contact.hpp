// What laws of round surfaces have in common: forces that begin as powers of the overlap, and a tangential stiffness
// that grows as its root.
#pragma once
#include <algorithm>
#include <cmath>

#include "cairn/contact/coulomb.hpp"

namespace cairn {

template <class T>
struct RoundForces {
  T elastic{}, viscous{};  // [N] odd and even in the overlap
  T kt{}, gt{};            // [N/m] proportional to the root of the overlap; [N s/m]
  bool damped = false;     // gt is not zero
};

// [m] 0 while open.
template <class T>
T closed(const T& overlap) {
  return select(in_contact(overlap), overlap, T(0.0));
}

// [m] the overlap whose energy is stored, that of a force that runs on past opening included.
template <class T>
T stored(const ContactKinematics<T>& c) {
  return select(c.sustained, abs(c.overlap), closed(c.overlap));
}

// Whether the ledger counts what the tangential spring holds as elastic energy (coulomb.hpp).
inline bool stores_shear(TangentialForm form, Attraction attraction) {
  return form == TangentialForm::conservative && attraction == Attraction::clipped;
}

// forces(overlap) gives them for an overlap that is not zero. `inside` becomes the contact as coulomb() is to see it.
template <class T, class Forces>
LawParts<T> round_parts(const ContactKinematics<T>& c, Forces&& forces, Attraction attraction, TangentialForm form,
                        ContactKinematics<T>& inside) {
  const T zero = 0.0;
  const T size = abs(c.overlap);
  const auto acts = in_contact(c.overlap) || (c.sustained && size > zero);
  // Beyond opening an odd force and even stiffnesses: what a scheme gets wrong where a contact begins then cancels
  // where it ends, as without the correction, and an elastic ball gains no energy.
  const T overlap = select(acts, c.overlap, T(1.0));  // any number but zero: an open contact gives no force
  const RoundForces<T> f = forces(overlap);
  inside = c;
  inside.sustained = c.sustained && acts;
  Tangential<T> tangential{.kt = f.kt,
                           .inverse_kt = T(1.0) / f.kt,
                           .kt_rate = 0.5 * f.kt * c.approach / overlap,
                           .gt = f.gt,
                           .stiffens = true,
                           .damped = f.damped,
                           .stores = stores_shear(form, attraction),
                           .form = form};
  // Even beyond opening: an odd slope would make Coulomb's limit, and with it this force, infinite there.
  if (form == TangentialForm::conservative) tangential.kt_slope = 0.5 * f.kt / abs(overlap);
  return {normal_force(inside, f.elastic, f.viscous, attraction), tangential, acts};
}
template <class T, class Forces>
ContactForce<T> round_contact(const ContactKinematics<T>& c, const Vec3<T>& xi, Forces&& forces, Attraction attraction,
                              Real friction, TangentialForm form) {
  ContactKinematics<T> inside;
  const LawParts<T> parts = round_parts(c, forces, attraction, form, inside);
  ContactForce<T> p = coulomb(inside, xi, parts.normal, parts.tangential, friction);
  p.stiffness = select(parts.acts, parts.tangential.kt, T(0.0));
  return p;
}

// The largest stiffness, in the unit of the two given, of two spheres in an elastic contact whose force is 2/3 of
// `normal` times the overlap: in the normal direction, or in the tangential one with their rotation (7/2 k_t). In the
// conservative form the two are coupled by (d k_t / d overlap) xi, at most that of the longest spring friction bears
// (coulomb.hpp).
inline Real stiffest(Real normal, Real tangential, Real friction, TangentialForm form) {
  const Real slip = slip_response * tangential;
  if (form != TangentialForm::conservative) return std::max(normal, slip);
  const Real room = 1 - friction * friction * 2.0 / 3 * normal / tangential;
  const Real coupling = std::sqrt(slip_response) * friction * 2.0 / 3 * normal / (1 + std::sqrt(std::max(room, 0.0)));
  return 0.5 * (normal + slip) + std::sqrt(0.25 * (normal - slip) * (normal - slip) + coupling * coupling);
}

}  // namespace cairn
