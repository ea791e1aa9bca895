#include "cairn/statics/relaxation.hpp"

#include <doctest/doctest.h>

#include "cairn/statics/damped.hpp"
#include "cairn/statics/column.hpp"

namespace cairn::statics {
TEST_CASE("trial2") {
  for (const int n : {5, 10, 20, 50})
    for (const RelaxationOrder order : {RelaxationOrder::southwell, RelaxationOrder::gauss_seidel}) {
      GrainColumn c;
      c.count = n;
      World w = c.world(1e-9);
      StaticSystem system(w, 1);
      std::vector<Real> f(system.nodes().unknowns(), 0.0);
      for (int k = 0; k < n; ++k) f[3 * k + 2] = -9.81;
      LinearRelaxation linear(system.tangent(), system.nodes(), f);
      RelaxationSettings s;
      s.order = order, s.residual = 1e-6, s.unbalance = 0;
      const RelaxationResult r = relax(linear, s);
      MESSAGE(n, " ", int(order), " linear ", r.updates, " ", in_words(r.stop));
      const RelaxationResult q = relax(system, s);
      MESSAGE(n, " ", int(order), " contacts ", q.updates, " ", in_words(q.stop), " error ", c.error(w));
    }
  for (const std::string law : {"linear", "kuwabara_kono"}) {
    GrainColumn c;
    c.law = law;
    if (law != "linear") c.stiffness = 2e6;
    World w = c.world(1e-4);
    StaticSystem system(w, 1);
    DampedSettings s;
    s.unbalance = 1e-10;
    const DampedResult r = damped_dynamics(system, s);
    MESSAGE(law, " ", in_words(r.stop), " ", r.steps, " h ", r.step, " omega1 ", r.frequency, " error ", c.error(w));
  }
}
}  // namespace cairn::statics
