// Gauss's collocation method of order 4 by fixed-point iteration; the first guess is the k_i of the step before.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/gauss.hpp"

namespace cairn::schemes {

struct Gauss2Previous {
  static constexpr Claims claims{
      .name = "gauss2_previous",
      .aliases = "GauCo2",
      .family = "implicit",
      .reference = "Hofmann 2011, 2.7.4; Hairer, Lubich & Wanner 2006, II.1.3, VIII.6",
      .equations =
          "k_i <- the k_i of the step before (first step: f(y))\n"
          "k_1 <- f(y + h (1/4) k_1 + h (1/4 - sqrt(3)/6) k_2)\n"
          "k_2 <- f(y + h (1/4 + sqrt(3)/6) k_1 + h (1/4) k_2)   repeat both until the stages converge\n"
          "y <- y + (h/2) (k_1 + k_2)",
      .guidance = "Use it to repeat studies made with it: the method of gauss2_zero with fewer iterations.",
      .order = 4,
      .order_damped = 4,
      .order_spring = 4,
      .order_sliding = 4,
      .force_evaluations = 3,
      .memory = 2,
      .symplectic = true,
      .reversible = true,
      .implicit = true};
  static constexpr gauss::Matrix guess = gauss::previous;
};

}  // namespace cairn::schemes
