// Ruth's third-order method, the first symplectic one beyond Verlet's.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct Ruth3 {
  static constexpr Claims claims{.name = "ruth3",
                                 .family = "splitting",
                                 .reference = "Ruth, IEEE Trans. Nucl. Sci. 30 (1983) 2669",
                                 .use = "Of historical interest; not symmetric, so not reversible.",
                                 .order = 3,
                                 .order_damped = 1,
                                 .order_spring = 3,
                                 .calls = 3,
                                 .symplectic = true,
                                 .reach = 1.0 / 3};
  static constexpr Stage stages[] = {
      {.kick = 7.0 / 24, .drift = 2.0 / 3}, {.kick = 3.0 / 4, .drift = -2.0 / 3}, {.kick = -1.0 / 24, .drift = 1}};
};

}  // namespace cairn::schemes
