// Gauss's collocation method of order 4 by fixed-point iteration; the first guess is the last step's polynomial,
// extended.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/gauss.hpp"

namespace cairn::schemes {

struct Gauss2Extrapolated {
  static constexpr Claims claims{
      .name = "gauss2_extrapolated",
      .family = "implicit",
      .reference = "Hofmann 2011, 2.7.4; Hairer, Lubich & Wanner 2006, II.1.3, VIII.6",
      .equations =
          "k_i <- the line through the k_i of the step before, extrapolated by one step (first step: f(y))\n"
          "k_1 <- f(y + h (1/4) k_1 + h (1/4 - sqrt(3)/6) k_2)\n"
          "k_2 <- f(y + h (1/4 + sqrt(3)/6) k_1 + h (1/4) k_2)   repeat both until the stages converge\n"
          "y <- y + (h/2) (k_1 + k_2)",
      .guidance =
          "The recommended one of the three first guesses: the method of gauss2_zero with the fewest iterations. Few "
          "schemes of fixed step conserve energy so well with dashpots and springs; rk4 needs a third of the force "
          "evaluations.",
      .order = 4,
      .order_damped = 4,
      .order_spring = 4,
      .order_sliding = 4,
      .force_evaluations = 3,
      .memory = 2,
      .symplectic = true,
      .reversible = true,
      .implicit = true};
  static constexpr gauss::Matrix guess = gauss::extrapolated;
};

}  // namespace cairn::schemes
