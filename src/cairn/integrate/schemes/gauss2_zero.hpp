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
          "k_2 <- f(y + h (1/4 + sqrt(3)/6) k_1 + h (1/4) k_2)   both again, until the stages rest\n"
          "y <- y + (h/2) (k_1 + k_2)",
      .guidance =
          "To repeat studies made with it: of the three starts the dearest. Symplectic and of fourth order with any "
          "smooth force, dashpots and friction included; the ledger of a linear contact closes to the tolerance of its "
          "iteration. The iteration contracts up to h omega = 3.46, and well below that in few rounds.",
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
