// How a spring follows a drift: an explicit Runge-Kutta method over the contact's motion along the drift, whose bodies
// move in straight lines. Shared by the pair kernel and the generic definition of the drift.
#pragma once
#include <span>

#include "cairn/core/vec3.hpp"

namespace cairn {

enum class SpringQuadrature { midpoint, fourth_order };

struct SpringStage {
  int at;            // of the lags
  Real coefficient;  // [drifts] the stage stands at xi + coefficient h k of the stage before
  Real weight;       // [drifts] of its rate in the result
};

struct SpringMethod {
  std::span<const Real> lags;  // [drifts] before the end of the drift: where the method looks at the motion
  std::span<const SpringStage> stages;
};
inline constexpr int most_spring_lags = 3, most_spring_stages = 4;

namespace spring_methods {
inline constexpr Real midpoint_lags[] = {0.5}, fourth_order_lags[] = {1, 0.5, 0};
// Midpoint rule. Rejected: the end-of-step normal every other code uses, first order.
inline constexpr SpringStage midpoint_stages[] = {{0, 0, 0}, {0, 0.5, 1}};
inline constexpr SpringStage fourth_order_stages[] = {
    {0, 0, 1.0 / 6}, {1, 0.5, 1.0 / 3}, {1, 0.5, 1.0 / 3}, {2, 1, 1.0 / 6}};
}  // namespace spring_methods

constexpr SpringMethod spring_method(SpringQuadrature quadrature) {
  using namespace spring_methods;
  if (quadrature == SpringQuadrature::midpoint) return {midpoint_lags, midpoint_stages};
  return {fourth_order_lags, fourth_order_stages};
}

}  // namespace cairn
