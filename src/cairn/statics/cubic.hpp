// x^3 - 2 x + 2 as equations of equilibrium: from 0 Newton's method goes to 1 and back for ever, unless it searches
// along its steps.
#pragma once
#include <cmath>

#include "cairn/statics/newton.hpp"

namespace cairn::statics {

class Cubic : public Equations {
 public:
  explicit Cubic(Real x) : x_(x), accepted_(x) { attempt({0}, 0); }
  const std::vector<Real>& residual() const override { return residual_; }
  Real unbalance() override { return std::fabs(residual_[0]); }
  LinearSolution solve(Real shift, Real, std::vector<Real>& du) override {
    du = {residual_[0] / (3 * accepted_ * accepted_ - 2 + shift)};
    return {};
  }
  Real largest_shift() override { return 1; }
  Real longest(std::span<const Real> du) const override { return std::fabs(du[0]); }
  void attempt(const std::vector<Real>& du, Real share) override {
    x_ = accepted_ + share * du[0];
    residual_ = {-(x_ * x_ * x_ - 2 * x_ + 2)};
  }
  void accept() override { accepted_ = x_; }
  Real x() const { return x_; }

 private:
  Real x_, accepted_;
  std::vector<Real> residual_;
};

}  // namespace cairn::statics
