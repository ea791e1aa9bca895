// Taylor expansions of the motion, positions to N terms, of any order the engine has jets for.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/taylor.hpp"

namespace cairn::schemes {

// Of N = 2, 3, ...; the source abbreviates its own.
inline constexpr std::string_view taylor_names[] = {"taylor2", "taylor3", "taylor4",  "taylor5",  "taylor6", "taylor7",
                                                    "taylor8", "taylor9", "taylor10", "taylor11", "taylor12"};
inline constexpr std::string_view taylor_abbreviations[] = {"TY2", "TY3", "TY4", "", "", "", "", "", "", "", ""};

template <int N>
struct Taylor {
  static_assert(2 <= N && N <= most_series_orders);
  static constexpr Claims claims{
      .name = taylor_names[N - 2],
      .aliases = taylor_abbreviations[N - 2],
      .family = "one-step",
      .reference =
          "Kruggel-Emden et al. 2008 (6)-(8), with 1/24 for the misprinted last coefficient 1/2 4; Corliss & Chang "
          "1982",
      .equations =
          "x <- x + h v + (h^2/2) a + ... + (h^N/N!) d^(N-2)a/dt^(N-2)\n"
          "v <- v + h a + ... + (h^(N-1)/(N-1)!) d^(N-2)a/dt^(N-2)\n"
          "spins, springs and ledger like v; automatic differentiation gives the derivatives of the force law",
      .guidance =
          N == 2 ? "Like forward_euler, with parabolic flight between contacts. Unstable without damping."
          : N == 3
              ? "Second order with dashpots, from one derivative of the acceleration. Weakly unstable without damping."
          : N == 4 ? "Third order with dashpots and springs, without memory: it starts anew at each contact."
                   : "Order N - 1 with dashpots and springs, without memory. A high order pays if forces are smooth "
                     "over long times; contacts are short.",
      .order = N - 1,
      .order_damped = N - 1,
      .order_spring = N - 1,
      .force_evaluations = N - 1};

  template <AlgebraSystem S>
  static void step(S& s, Real h) {
    taylor::step<N>(s, h);
  }
};

}  // namespace cairn::schemes
