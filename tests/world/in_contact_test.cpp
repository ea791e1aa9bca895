// The claims of every scheme inside a contact of the full engine.
#include <doctest/doctest.h>

#include <string>

#include "cairn/analysis/pair_cases.hpp"
#include "cairn/run/registry.hpp"

using namespace cairn;

TEST_CASE("every scheme keeps its orders inside a contact") {
  for (const PairCase& c : pair_cases) {
    for (const SchemeEntry& scheme : scheme_catalogue()) {
      const int claimed = c.claimed(scheme.claims);
      const Convergence found = pair_convergence(c, scheme.advance, scheme.staggered, 4096 / scheme.claims.calls);
      INFO(std::string(c.name), " ", std::string(scheme.claims.name), ": order ", found.order, ", claimed ", claimed);
      // Springs that drifts turn slowly hide what only the toy's fast twist shows of compositions beyond fourth order.
      const bool slow = claimed > 4 && found.verdict(claimed) == Convergence::Verdict::higher;
      CHECK((found.keeps(claimed) || slow));
    }
  }
}
