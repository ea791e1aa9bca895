// Symmetric tensors of second order in space.
#pragma once
#include <array>
#include <string_view>

#include "cairn/core/vec3.hpp"

namespace cairn {

struct SymmetricTensor {
  static constexpr int size = 6;
  static constexpr std::array<std::string_view, size> names{"xx", "yy", "zz", "xy", "yz", "xz"};

  std::array<Real, size> c{};  // in the order of `names`

  Real trace() const { return c[0] + c[1] + c[2]; }
  SymmetricTensor& operator+=(const SymmetricTensor& b) {
    for (int k = 0; k < size; ++k) c[k] += b.c[k];
    return *this;
  }
  friend SymmetricTensor operator*(Real a, const SymmetricTensor& b) {
    SymmetricTensor t = b;
    for (Real& x : t.c) x *= a;
    return t;
  }
};

// The symmetric part of a b.
inline SymmetricTensor symmetric_product(const Vector& a, const Vector& b) {
  return {{a.x * b.x, a.y * b.y, a.z * b.z, 0.5 * (a.x * b.y + a.y * b.x), 0.5 * (a.y * b.z + a.z * b.y),
           0.5 * (a.x * b.z + a.z * b.x)}};
}

// Whether a space of so many dimensions has component k: in 2D xx, zz and xz, in 1D zz.
constexpr bool has_component(int dimension, int k) {
  return dimension == 3 || k == 2 || (dimension == 2 && (k == 0 || k == 5));
}

}  // namespace cairn
