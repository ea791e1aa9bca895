#include "cairn/analysis/eigenvalues.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace cairn {
namespace {

Eigen::EigenSolver<Eigen::MatrixXd> solved(std::span<const Real> matrix, bool vectors) {
  const auto n = std::lround(std::sqrt(static_cast<double>(matrix.size())));
  return Eigen::EigenSolver<Eigen::MatrixXd>(Eigen::Map<const Eigen::MatrixXd>(matrix.data(), n, n), vectors);
}

}  // namespace

std::vector<std::complex<Real>> eigenvalues(std::span<const Real> matrix) {
  const auto solver = solved(matrix, false);
  if (solver.info() != Eigen::Success) return {};
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

Eigenpair dominant_eigenpair(std::span<const Real> matrix) {
  const auto solver = solved(matrix, true);
  if (solver.info() != Eigen::Success) return {};
  Eigen::Index largest = 0;
  solver.eigenvalues().cwiseAbs().maxCoeff(&largest);
  const Eigen::VectorXcd vector = solver.eigenvectors().col(largest);
  return {solver.eigenvalues()[largest], {vector.begin(), vector.end()}};
}

}  // namespace cairn
