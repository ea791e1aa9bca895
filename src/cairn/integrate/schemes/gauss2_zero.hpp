// Gauss's collocation method of order 4 by fixed-point iteration; the first guess is none.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/gauss.hpp"

namespace cairn::schemes {

struct Gauss2Zero {
  static constexpr Claims claims{
      .name = "gauss2_zero",
      .aliases = "GauCol",
      .family = "implicit",
      .reference = "Hofmann 2011, 2.7.4; Hairer, Lubich & Wanner 2006, II.1.3, VIII.6",
      .equations =
          "k_i <- 0\n"
          "k_1 <- f(y + h (1/4) k_1 + h (1/4 - sqrt(3)/6) k_2)\n"
          "k_2 <- f(y + h (1/4 + sqrt(3)/6) k_1 + h (1/4) k_2)   repeat both until the stages converge\n"
          "y <- y + (h/2) (k_1 + k_2)",
      .guidance =
          "Use it to repeat studies made with it: of the three first guesses this one needs the most iterations. "
          "Symplectic and of fourth order with any smooth force, dashpots and friction included; the ledger of a "
          "linear contact closes to the tolerance of the iteration. The iteration converges up to h omega = 3.46, and "
          "far below that in few iterations.",
      .order = 4,
      .order_damped = 4,
      .order_spring = 4,
      .order_sliding = 4,
      .force_evaluations = 3,
      .symplectic = true,
      .reversible = true,
      .implicit = true};
  static constexpr gauss::Matrix guess = gauss::zero;
};

}  // namespace cairn::schemes
