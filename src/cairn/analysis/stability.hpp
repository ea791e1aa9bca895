// Linear stability of the schemes themselves: each is applied, as it is, to m q'' + c q' + k q = 0. Steps are told as
// h omega [-] with omega = sqrt(k/m), damping as zeta = c / (2 sqrt(km)) [-].
#pragma once
#include <functional>
#include <vector>

#include "cairn/analysis/toys/one_body.hpp"

namespace cairn {

// What one step does to everything that persists from step to step: position and velocity, the two rows of the held
// rate, the two of each memory. A scheme that is over its start is this matrix on the oscillator.
struct Amplification {
  int size;
  std::vector<Real> entries;  // row after row

  explicit Amplification(int n) : size(n), entries(static_cast<std::size_t>(n) * n) {}
  Real& operator()(int row, int column) { return entries[static_cast<std::size_t>(row) * size + column]; }
  Real operator()(int row, int column) const { return entries[static_cast<std::size_t>(row) * size + column]; }
};

// The scheme's matrix at any h omega, for one zeta. Step control is off: adaptive schemes take every step they are
// asked for.
class Amplifier {
 public:
  Amplifier(const toys::ToyScheme& scheme, Real zeta);

  // A step the scheme cannot take (an iteration that does not converge) has no matrix: its entries are NaN.
  Amplification operator()(Real h_omega);

  int memories() const { return toy_.body.memories(); }

 private:
  struct BodyPart {
    BodyRows* bodies;
    int first;
  };
  static Real& value(const BodyPart& rows, int direction) { return rows.bodies->row(rows.first + direction)[0]; }

  std::vector<BodyPart> kept();
  void step(Real h);

  toys::ToyScheme scheme_;
  toys::Toy toy_;
};

// The largest magnitude of an eigenvalue; infinite where the matrix is not finite. What no other entry reads and the
// motion does not is left out.
Real spectral_radius(const Amplification& matrix);

// [-] how far one step turns the oscillator too far or too little, by each radian of h omega below pi: the argument of
// the eigenvalue nearest to that of the exact motion, less the exact one. Infinite where the matrix is not finite.
Real phase_error(const Amplification& matrix, Real h_omega, Real zeta);

inline constexpr Real stable_radius_slack = 1e-9;  // [-] of a spectral radius of 1

// The end of the first interval of h omega from 0 on which the spectral radius stays <= 1 (+1e-9); infinite if it does
// not end below 20; 0 ("weakly unstable") where neither h omega nor h c / m, 2 zeta h omega, reaches 0.1.
Real stability_limit(const std::function<Amplification(Real h_omega)>& matrix, Real zeta = 0);
// The same to a ten-thousandth, ten times sooner; an instability on a shorter interval may escape it.
Real rough_stability_limit(const std::function<Amplification(Real h_omega)>& matrix, Real zeta);

Real spectral_radius(const toys::ToyScheme& scheme, Real h_omega, Real zeta);
Real stability_limit(const toys::ToyScheme& scheme, Real zeta);
Real rough_stability_limit(const toys::ToyScheme& scheme, Real zeta);

}  // namespace cairn
