// Prints the state hash of the crowded box under each law and a scheme of every engine; built by compilers.sh with
// every compiler and optimisation level.
#include <cstdio>

#include "cairn/integrate/scheme.hpp"
#include "cairn/integrate/schemes/abm3.hpp"
#include "cairn/integrate/schemes/dormand_prince54.hpp"
#include "cairn/integrate/schemes/forest_ruth.hpp"
#include "cairn/integrate/schemes/gear4.hpp"
#include "cairn/integrate/schemes/rk4.hpp"
#include "cairn/integrate/schemes/taylor.hpp"
#include "cairn/integrate/schemes/velocity_verlet_predicted.hpp"
#include "scene.hpp"

namespace {

using namespace cairn;

template <class... Schemes>
void print(const char* law) {
  const auto one = [&]<class Scheme>(Scheme) {
    for (const bool onset : {false, true}) {
      if (onset && Scheme::claims.adaptive) continue;
      World w = crowded_box(law, 1, widest_simd(), onset, false, 0.35);
      for (int k = 0; k < 15; ++k) advance<Scheme>(w, 1e-4);
      std::printf("%s %s %d %016llx\n", law, Scheme::claims.name.data(), onset,
                  static_cast<unsigned long long>(w.hash()));
    }
  };
  (one(Schemes{}), ...);
}

}  // namespace

int main() {
  using namespace cairn::schemes;
  for_each_law([](auto law) {
    using Law = decltype(law);
    if (!std::is_same_v<Law, typename FormulaOf<Law>::type>) return;  // the same formula again
    print<VelocityVerletPredicted, ForestRuth, Rk4, Taylor<4>, Abm3, Gear4, DormandPrince54>(decltype(law)::name);
  });
}
