// Eigenvalues of real matrices that are not symmetric. They have a file of their own because the method takes ten
// seconds to compile.
#pragma once
#include <complex>
#include <span>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

// The matrix is square and given column by column. The result is empty if the iteration does not converge.
std::vector<std::complex<Real>> eigenvalues(std::span<const Real> matrix);

// The eigenvalue of largest magnitude with an eigenvector. The vector is empty if the iteration does not converge.
struct Eigenpair {
  std::complex<Real> value;
  std::vector<std::complex<Real>> vector;
};
Eigenpair dominant_eigenpair(std::span<const Real> matrix);

}  // namespace cairn
