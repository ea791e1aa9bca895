#include "cairn/world/sparse.hpp"

#include <Eigen/SparseLU>

namespace cairn {

std::vector<Real> solved(const SparseEquations& equations) {
  const auto n = static_cast<Eigen::Index>(equations.right.size());
  std::vector<Eigen::Triplet<Real, int>> entries;
  entries.reserve(equations.entries.size());
  for (const auto& e : equations.entries) entries.emplace_back(e.row, e.column, e.value);
  Eigen::SparseMatrix<Real> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<Real>> lu(matrix);
  if (lu.info() != Eigen::Success) return {};
  std::vector<Real> solution(equations.right.size());
  Eigen::Map<Eigen::VectorXd>(solution.data(), n) =
      lu.solve(Eigen::Map<const Eigen::VectorXd>(equations.right.data(), n));
  return solution;
}

}  // namespace cairn
