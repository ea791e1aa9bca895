#include "cairn/run/scheme_choice.hpp"

#include <algorithm>
#include <limits>

#include "cairn/core/text.hpp"
#include "cairn/run/step_guard.hpp"

namespace cairn {

const SchemeEntry& presumed_scheme(const std::string& name) {
  return scheme_named(name == chosen_by_case ? std::string(default_schemes[0]) : name);
}

SchemeChoice choose_scheme(const Scenario& scenario, const World& world, const std::vector<GrainData>& expected) {
  SchemeChoice choice{&presumed_scheme(std::string(chosen_by_case)), ""};
  for (std::size_t k = 1; k < default_schemes.size(); ++k) {
    const StepGuard guard(*choice.scheme);
    Real limit = std::numeric_limits<Real>::infinity();
    // A packing that is only foretold is no reason for the scheme whose steps cost several times as much.
    const Real foretold = k == 1 ? guard.packed(scenario, world, expected).limit : 0;
    for (const Real of :
         {guard.first_touch(scenario, world, expected).limit, guard.network(scenario, world).limit, foretold})
      if (of > 0) limit = std::min(limit, of);
    if (scenario.step <= limit) return choice;
    const std::string reason = choice.scheme->name + " would be stable up to " + brief(limit) + " s";
    choice.scheme = &scheme_named(std::string(default_schemes[k]));
    choice.reason += (choice.reason.empty() ? "" : ", ") + reason;
  }
  return choice;
}

}  // namespace cairn
