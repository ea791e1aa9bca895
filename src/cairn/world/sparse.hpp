// Sparse linear equations, solved directly.
#pragma once
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

struct SparseEquations {
  struct Entry {
    int row, column;
    Real value;
  };
  std::vector<Entry> entries;  // those of one place are added in their order
  std::vector<Real> right;     // as many as there are unknowns
};

// By LU decomposition; empty where the matrix is singular.
std::vector<Real> solved(const SparseEquations& equations);

// By L D L^T of a symmetric matrix, with one refinement; empty unless every pivot is above `least_pivot` [-] of the
// largest diagonal entry.
std::vector<Real> solved_symmetric(const SparseEquations& equations, Real least_pivot);

}  // namespace cairn
