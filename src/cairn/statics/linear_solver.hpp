// Linear equations (K + shift M) du = f with the tangent stiffness: directly where there are few unknowns, else by
// conjugate gradients, or where friction makes the tangent asymmetric by BiCGSTAB, both preconditioned by the blocks of
// single bodies.
#pragma once
#include <span>
#include <vector>

#include "cairn/statics/contact_tangent.hpp"
#include "cairn/statics/newton.hpp"

namespace cairn::statics {

enum class LinearMethod { automatic, direct, iterative };

struct LinearSettings {
  LinearMethod method = LinearMethod::automatic;
  Real tolerance = 1e-3;  // [-] of the residual of iterative methods
  int most_iterations = 800;
  int threads = 1;
};

LinearSolution solve_linear(const ContactTangent& tangent, const Nodes& nodes, std::span<const Real> right, Real shift,
                            const LinearSettings& settings, std::vector<Real>& solution);

}  // namespace cairn::statics
