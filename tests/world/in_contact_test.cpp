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
      // Slopes of one scatter where slip ends a series: it needs steps to tell 1 from 1.1.
      const bool solves = scheme.claims.family == "implicit";
      const int most = c.sliding && !solves ? 16384 : 4096;
      const Convergence found =
          pair_convergence(c, scheme.advance, scheme.staggered, most / scheme.claims.force_evaluations);
      INFO(std::string(c.name), " ", std::string(scheme.claims.name), ": order ", found.order, ", claimed ", claimed);
      // Springs that drifts turn slowly hide what only the toy's fast twist shows of compositions beyond fourth order.
      const bool slow = claimed > 4 && found.verdict(claimed) == Convergence::Verdict::higher;
      CHECK((found.keeps(claimed) || slow));
    }
  }
}

TEST_CASE("each term more of its Taylor series brings the pair closer to its motion") {
  // What slopes cannot tell of high orders: three steps leave each an error of its own, above round-off to the last.
  for (const PairCase& c : pair_cases) {
    if (c.sliding) continue;  // a limit in reach is where series end
    Real before = 1;
    for (const char* name : {"taylor2", "taylor3", "taylor4", "taylor5", "taylor6", "taylor7", "taylor8", "taylor9",
                             "taylor10", "taylor11", "taylor12"}) {
      const Real error = distance(run_pair(c, scheme_named(name).advance, false, 3), pair_reference(c).outcome);
      INFO(std::string(c.name), " ", std::string(name), ": ", error, " after ", before);
      CHECK(error < before);
      before = error;
    }
    CHECK(before < 1e-7);
  }
}
