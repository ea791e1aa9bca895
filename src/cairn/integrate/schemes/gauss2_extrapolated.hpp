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
          "k_i <- the line through those of the step before, one step on (the first step: f(y))\n"
          "k_1 <- f(y + h (1/4) k_1 + h (1/4 - sqrt(3)/6) k_2)\n"
          "k_2 <- f(y + h (1/4 + sqrt(3)/6) k_1 + h (1/4) k_2)   both again, until the stages rest\n"
          "y <- y + (h/2) (k_1 + k_2)",
      .guidance =
          "The one of the three to take: as gauss2_zero, in the fewest iterations. Few schemes of fixed step keep "
          "energy so well where dashpots and springs matter; rk4 costs a third of the calls.",
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
