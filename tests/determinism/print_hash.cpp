// Prints the state hash of the crowded box under each law and a few schemes; built by compilers.sh with every compiler
// and optimisation level.
#include <cstdio>

#include "cairn/run/registry.hpp"
#include "scene.hpp"

int main() {
  using namespace cairn;
  for_each_law([](auto law) {
    for (const char* scheme :
         {"velocity_verlet_predicted", "forest_ruth", "rk4", "taylor4", "gear4", "dormand_prince54"}) {
      World w = crowded_box(decltype(law)::name, 1);
      const SchemeEntry& entry = scheme_named(scheme);
      for (int k = 0; k < 15; ++k) entry.advance(w, 1e-4);
      std::printf("%s %s %016llx\n", decltype(law)::name, scheme, static_cast<unsigned long long>(w.hash()));
    }
  });
}
