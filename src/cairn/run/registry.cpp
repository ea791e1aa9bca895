#include "cairn/run/registry.hpp"

#include <vector>

#include "cairn/analysis/stability.hpp"
#include "cairn/integrate/schemes/all.hpp"

namespace cairn {

std::span<const SchemeEntry> scheme_catalogue() {
  static const std::vector<SchemeEntry> entries = [] {
    std::vector<SchemeEntry> list;
    for_each_scheme([&](auto scheme) {
      using S = decltype(scheme);
      list.push_back({.claims = S::claims,
                      .staggered = is_staggered<S>,
                      .advance = [](World& world, Real h) { return advance<S>(world, h); },
                      .stability =
                          [](Real zeta) {
                            static const Real undamped = stability_limit<S>(0);  // every run asks for it
                            return zeta == 0 ? undamped : stability_limit<S>(zeta);
                          },
                      .spectral_radius = spectral_radius<S>});
    });
    return list;
  }();
  return entries;
}

const SchemeEntry& scheme_named(const std::string& name) {
  std::string names;
  for (const SchemeEntry& e : scheme_catalogue()) {
    if (e.claims.name == name) return e;
    names += (names.empty() ? "" : ", ") + std::string(e.claims.name);
  }
  throw Error(Exit::bad_input, "run.scheme: '" + name + "' is unknown; there are: " + names);
}

}  // namespace cairn
