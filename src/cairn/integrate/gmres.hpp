// Linear equations for the unknowns of implicit schemes by GMRES (Saad & Schultz, SIAM J. Sci. Stat. Comput. 7 (1986)
// 856): no matrix, only products with it.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cairn/integrate/system.hpp"

namespace cairn {

// Vectors of N states, of which velocities, spins and springs count, in the norm of the energy.
template <int N, ImplicitSystem S>
class StageSpace {
 public:
  using Vector = std::array<State*, N>;
  static constexpr int stages = N;
  static constexpr unsigned unknown = StatePart::velocities | StatePart::springs;

  // `zero`: a state whose numbers are all 0.
  StageSpace(S& s, const State& zero) : s_(s), zero_(zero) {}

  // out = a + by b
  void combine(const Vector& out, const Vector& a, Real by, const Vector& b) {
    for (int i = 0; i < N; ++i) {
      const Term term{by, b[i]};
      s_.combine(*out[i], *a[i], {&term, 1}, unknown);
    }
  }
  // out = by a
  void scale(const Vector& out, Real by, const Vector& a) {
    for (int i = 0; i < N; ++i) {
      const Term term{by, a[i]};
      s_.combine(*out[i], zero_, {&term, 1}, unknown);
    }
  }
  Real inner(const Vector& a, const Vector& b) {
    Real all = 0;
    for (int i = 0; i < N; ++i) all += s_.inner_product(*a[i], *b[i], unknown);
    return all;
  }
  Real size(const Vector& a) { return std::sqrt(inner(a, a)); }

  // a = b - a
  void subtract_from(const Vector& b, const Vector& a) {
    for (int i = 0; i < N; ++i) {
      const Term less{-2, a[i]}, there{1, b[i]};
      s_.combine(*a[i], *a[i], std::array{less, there}, unknown);
    }
  }
  Scratch::Borrowed borrow(int count) { return s_.borrow(count); }

 private:
  S& s_;
  const State& zero_;
};

// Solves A change = residual, from change = 0, to `tolerance` of the residual's length `whole`, or as near as it comes.
// apply(in, out): out = A in. Returns the number of products.
template <class Space, class Apply>
int gmres(Space& space, Apply&& apply, const typename Space::Vector& residual, Real whole,
          const typename Space::Vector& change, Real tolerance) {
  using Vector = typename Space::Vector;
  constexpr int N = Space::stages, restart = 80 * N, most_linear = 800 * N;
  const auto columns = space.borrow((restart + 1) * N);
  const auto basis = [&](int column) {
    Vector all;
    for (int i = 0; i < N; ++i) all[i] = &columns[column * N + i];
    return all;
  };
  Real off = whole;
  int total = 0;
  while (off > tolerance * whole && total < most_linear) {
    const Real began = off;
    Vector first = basis(0);
    if (total == 0) {
      space.scale(first, 1 / off, residual);
    } else {
      apply(change, first);
      space.subtract_from(residual, first);
      off = space.size(first);
      if (!(off > tolerance * whole)) return total;
      space.scale(first, 1 / off, first);
    }
    std::vector<std::vector<Real>> column;  // of the triangle that rotations make of the Hessenberg matrix
    std::vector<std::array<Real, 2>> rotation;
    std::vector<Real> right{off};
    int n = 0;
    while (n < restart && total < most_linear && std::fabs(right[n]) > tolerance * whole) {
      const Vector next = basis(n + 1);
      apply(basis(n), next);
      ++total;
      std::vector<Real> h(n + 2);
      const Real length = space.size(next);
      for (int j = 0; j <= n; ++j) {
        h[j] = space.inner(next, basis(j));
        space.combine(next, next, -h[j], basis(j));
      }
      h[n + 1] = space.size(next);
      for (int j = 0; j < n; ++j) {
        const Real up = rotation[j][0] * h[j] + rotation[j][1] * h[j + 1];
        h[j + 1] = rotation[j][0] * h[j + 1] - rotation[j][1] * h[j];
        h[j] = up;
      }
      const bool ends = !(h[n + 1] > 1e-14 * length);  // the solution lies in what there is
      const Real diagonal = std::sqrt(h[n] * h[n] + h[n + 1] * h[n + 1]);
      if (!(diagonal > 0)) break;
      rotation.push_back({h[n] / diagonal, h[n + 1] / diagonal});
      if (!ends) space.scale(next, 1 / h[n + 1], next);
      h[n] = diagonal;
      right.push_back(-rotation[n][1] * right[n]);
      right[n] *= rotation[n][0];
      column.push_back(std::move(h));
      ++n;
      if (ends) break;
    }
    std::vector<Real> share(n);
    for (int j = n - 1; j >= 0; --j) {
      Real rest = right[j];
      for (int l = j + 1; l < n; ++l) rest -= column[l][j] * share[l];
      share[j] = rest / column[j][j];
    }
    for (int j = 0; j < n; ++j) space.combine(change, change, share[j], basis(j));
    off = n > 0 ? std::fabs(right[n]) : off;
    if (!(off < 0.9 * began)) return total;
  }
  return total;
}

}  // namespace cairn
