#include "cairn/world/sparse.hpp"

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace cairn {
namespace {

using Matrix = Eigen::SparseMatrix<Real>;
using EigenVector = Eigen::VectorXd;

Matrix matrix_of(const SparseEquations& equations) {
  const auto n = static_cast<Eigen::Index>(equations.right.size());
  std::vector<Eigen::Triplet<Real, int>> entries;
  entries.reserve(equations.entries.size());
  for (const auto& e : equations.entries) entries.emplace_back(e.row, e.column, e.value);
  Matrix matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

EigenVector right_of(const SparseEquations& equations) {
  return Eigen::Map<const EigenVector>(equations.right.data(), static_cast<Eigen::Index>(equations.right.size()));
}

}  // namespace

std::vector<Real> solved(const SparseEquations& equations) {
  constexpr Eigen::Index few = 36;  // of so few equations the order in which to eliminate takes longest to find
  const Matrix matrix = matrix_of(equations);
  const auto solved_by = [&](const auto& factors, bool regular) -> std::vector<Real> {
    if (!regular) return {};
    const EigenVector u = factors.solve(right_of(equations));
    return {u.begin(), u.end()};
  };
  if (matrix.rows() <= few) {
    const Eigen::FullPivLU<Eigen::MatrixXd> factors{Eigen::MatrixXd(matrix)};
    return solved_by(factors, factors.isInvertible());
  }
  const Eigen::SparseLU<Matrix> factors(matrix);
  return solved_by(factors, factors.info() == Eigen::Success);
}

std::vector<Real> solved_symmetric(const SparseEquations& equations, Real least_pivot) {
  const Matrix matrix = matrix_of(equations);
  const Eigen::SimplicialLDLT<Matrix> factors(matrix);
  if (factors.info() != Eigen::Success) return {};
  const EigenVector d = factors.vectorD();
  if (!(d.minCoeff() > least_pivot * matrix.diagonal().maxCoeff())) return {};
  const EigenVector right = right_of(equations);
  EigenVector u = factors.solve(right);
  const EigenVector off = right - matrix * u;
  u += factors.solve(off);
  return {u.begin(), u.end()};
}

}  // namespace cairn
