#include "cairn/statics/newton.hpp"

#include <doctest/doctest.h>

#include "cairn/statics/static_system.hpp"
#include "cairn/statics/column.hpp"

namespace cairn::statics {

TEST_CASE("try") {
  for (const std::string law : {"linear", "kuwabara_kono"})
    for (const Real overlap : {1e-3, 1e-4, 1e-5, 0.0})
      for (const bool search : {false, true}) {
        GrainColumn c;
        c.law = law;
        if (law != "linear") c.stiffness = 2e6;
        World w = c.world(overlap);
        StaticSystem system(w, 1);
        NewtonSettings s;
        s.unbalance = 1e-11;
        s.line_search = search;
        const NewtonResult r = newton(system, s);
        MESSAGE(law, " ", overlap, " search ", search, ": ", in_words(r.stop), " after ", r.iterations, " regularised ",
                r.regularised, " error ", c.error(w));
        for (const Iterate& i : r.history)
          MESSAGE("   ", i.unbalance, " ", i.residual, " ", i.displacement, " ", i.share, " ", i.shift);
      }
}

}  // namespace cairn::statics
