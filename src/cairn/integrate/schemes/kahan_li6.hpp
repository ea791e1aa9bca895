// Kahan and Li's sixth-order composition of nine velocity Verlet steps.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct KahanLi6 {
  static constexpr Claims claims{
      .name = "kahan_li6",
      .family = "splitting",
      .reference = "Kahan & Li, Math. Comput. 66 (1997) 1089",
      .guidance =
          "Like yoshida6, with a smaller error and two more force evaluations; its drifts stay within the step.",
      .order = 6,
      .order_damped = 1,
      .order_spring = 5,
      .order_sliding = 5,
      .force_evaluations = 9,
      .symplectic = true,
      .reversible = true};
  static constexpr auto stages =
      symmetric_composition(std::array{0.39216144400731413927925056, 0.33259913678935943859974864,
                                       -0.70624617255763935980996482, 0.08221359629355080023149045});
};

}  // namespace cairn::schemes
