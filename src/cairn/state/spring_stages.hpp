// How a spring follows a drift: an explicit Runge-Kutta method over the contact's motion along the drift, whose bodies
// move in straight lines. Shared by the pair kernel and the generic definition of the drift.
#pragma once
#include <span>

#include "cairn/core/vec3.hpp"

namespace cairn {

enum class Along { midpoint, fourth_order };

struct SpringStage {
  Real lag;     // [drifts] before the end of the drift
  Real reach;   // [drifts] the stage stands at xi + reach h k of the stage before
  Real weight;  // [drifts] of its rate in the result
};

inline std::span<const SpringStage> spring_stages(Along along) {
  // Midpoint rule. Rejected: the end-of-step normal every other code uses, first order.
  static constexpr SpringStage midpoint[] = {{0.5, 0, 0}, {0.5, 0.5, 1}};
  static constexpr SpringStage fourth_order[] = {
      {1, 0, 1.0 / 6}, {0.5, 0.5, 1.0 / 3}, {0.5, 0.5, 1.0 / 3}, {0, 1, 1.0 / 6}};
  if (along == Along::midpoint) return midpoint;
  return fourth_order;
}

}  // namespace cairn
