// Linear stability of the schemes themselves: each is applied, as it is, to m q'' + c q' + k q = 0. Steps are told as
// h omega [-] with omega = sqrt(k/m), damping as zeta = c / (2 sqrt(km)) [-].
#pragma once
#include <functional>
#include <limits>
#include <vector>

#include "cairn/analysis/toys/one_body.hpp"
#include "cairn/core/error.hpp"
#include "cairn/integrate/scheme.hpp"

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

// The scheme's matrix at any h omega, for one zeta and its numbers, where it takes some. Step control is off: adaptive
// schemes take every step they are asked for.
template <class Scheme>
class Amplifier {
 public:
  explicit Amplifier(Real zeta, const Parameters& parameters = Scheme::claims.usual_parameters())
      : toy_({.stiffness = 1, .damping = 2 * zeta}), parameters_(parameters) {
    constexpr int start = 8;  // longer than any start-up; zeros stay zeros
    for (int k = 0; k < start; ++k) step(1);
  }

  // A step the scheme cannot take (an iteration that does not converge) has no matrix: its entries are NaN.
  Amplification operator()(Real h_omega) {
    Amplification matrix(static_cast<int>(kept().size()));
    try {
      step(h_omega);                                          // schemes that remember go over to this step
      for (int first = 0; first < matrix.size; first += 3) {  // a column in each direction of space
        const auto before = kept();
        for (int k = 0; k < matrix.size; ++k)
          for (int d = 0; d < 3; ++d) value(before[k], d) = k == first + d;
        step(h_omega);
        const auto after = kept();  // schemes may exchange their memories
        for (int k = 0; k < matrix.size; ++k)
          for (int d = 0; d < 3 && first + d < matrix.size; ++d) matrix(k, first + d) = value(after[k], d);
      }
    } catch (const Error&) {
      matrix.entries.assign(matrix.entries.size(), std::numeric_limits<Real>::quiet_NaN());
    }
    return matrix;
  }

  int memories() const { return toy_.body.memories(); }

 private:
  struct SlabPart {
    Slab* slab;
    int first;
  };
  static Real& value(const SlabPart& rows, int direction) { return rows.slab->row(rows.first + direction)[0]; }

  std::vector<SlabPart> kept() {
    std::vector<SlabPart> all;
    const auto keep = [&](State& y) {
      y.body.resize(1);
      for (const int row : {BodyRow::x, BodyRow::v}) all.push_back({&y.body, row});
    };
    keep(toy_.state()), keep(toy_.current_rate());
    for (int i = 0; i < memories(); ++i) keep(toy_.memory(i));
    return all;
  }
  void step(Real h) {
    toy_.controller() = {.tolerance = 1e300};
    advance<Scheme>(toy_, h, parameters_);
  }

  toys::Toy<toys::Oscillator> toy_;
  Parameters parameters_;
};

// The largest magnitude of an eigenvalue; infinite where the matrix is not finite. What no other entry reads and the
// motion does not is left out.
Real spectral_radius(const Amplification& matrix);

// The end of the first interval of h omega from 0 on which the spectral radius stays <= 1 (+1e-9); infinite if it does
// not end below 20; 0 ("weakly unstable") where neither h omega nor h c / m, 2 zeta h omega, reaches 0.1.
Real stability_limit(const std::function<Amplification(Real h_omega)>& matrix, Real zeta = 0);
// The same to a ten-thousandth, ten times sooner; an instability on a shorter interval may escape it.
Real rough_stability_limit(const std::function<Amplification(Real h_omega)>& matrix, Real zeta);

template <class Scheme>
Real spectral_radius(Real h_omega, Real zeta, const Parameters& parameters = Scheme::claims.usual_parameters()) {
  return spectral_radius(Amplifier<Scheme>(zeta, parameters)(h_omega));
}

template <class Scheme>
Real stability_limit(Real zeta, const Parameters& parameters = Scheme::claims.usual_parameters()) {
  Amplifier<Scheme> scheme(zeta, parameters);
  return stability_limit([&](Real h_omega) { return scheme(h_omega); }, zeta);
}

template <class Scheme>
Real rough_stability_limit(Real zeta, const Parameters& parameters = Scheme::claims.usual_parameters()) {
  Amplifier<Scheme> scheme(zeta, parameters);
  return rough_stability_limit([&](Real h_omega) { return scheme(h_omega); }, zeta);
}

}  // namespace cairn
