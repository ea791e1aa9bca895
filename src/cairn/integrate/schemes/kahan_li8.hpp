// Kahan and Li's eighth-order composition of seventeen velocity Verlet steps.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct KahanLi8 {
  static constexpr Claims claims{.name = "kahan_li8",
                                 .family = "splitting",
                                 .reference = "Kahan & Li, Math. Comput. 66 (1997) 1089",
                                 .use =
                                     "Eighth order on smooth elastic forces, the reference of last resort. Springs "
                                     "follow its drifts to fourth order only.",
                                 .order = 8,
                                 .order_damped = 1,
                                 .order_spring = 4,
                                 .calls = 17,
                                 .symplectic = true,
                                 .reversible = true};
  static constexpr auto stages = symmetric_composition(
      std::array{0.13020248308889008087881763, 0.56116298177510838456196441, -0.38947496264484728640807860,
                 0.15884190655515560089621075, -0.39590389413323757733623154, 0.18453964097831570709183254,
                 0.25837438768632204729397911, 0.29501172360931029887096624});
};

}  // namespace cairn::schemes
