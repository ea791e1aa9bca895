#include "cairn/run/scheme_choice.hpp"

#include <algorithm>
#include <limits>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/run/step_guard.hpp"

namespace cairn {

const SchemeEntry& presumed_scheme(const std::string& name) {
  return scheme_named(name == chosen_by_case ? std::string(default_schemes[0]) : name);
}

void choose_hard_scheme(Scenario& s) {
  if (const LawEntry& law = law_entry(s.law); law.hard() && s.scheme == chosen_by_case) s.scheme = law.hard_scheme;
}

std::optional<SectionFault> hard_contact_fault(const Scenario& s) {
  const LawEntry& law = law_entry(s.law);
  const SchemeEntry& scheme = presumed_scheme(s.scheme);
  const auto quoted = [](std::string_view word) { return "\"" + std::string(word) + "\""; };
  const std::string with_law = " with contact.law = " + quoted(s.law);
  if (law.hard() && (!scheme.hard || scheme.claims.implicit != (law.name == DynamicsContact::name)))
    return SectionFault{"run", {{"scheme"}, quoted(s.scheme) + with_law, quoted(law.hard_scheme)}};
  if (!law.hard() && scheme.hard)
    return SectionFault{"run",
                        {{"scheme"},
                         quoted(s.scheme) + with_law,
                         "a scheme of forces, or contact.law = " +
                             quoted(scheme.claims.implicit ? DynamicsContact::name : ImpulseContact::name)}};
  if (!law.hard()) return {};
  const std::string nothing_lasts = with_law + ", whose contacts have no duration";
  if (s.chooses_step) return SectionFault{"run", {{"step"}, "\"auto\"" + nothing_lasts, "a number in s"}};
  if (s.onset == true) return SectionFault{"run", {{"onset"}, "\"on\"" + nothing_lasts, "\"off\""}};
  for (const auto& [key, on] : {std::pair{"contact_events", s.contact_events},
                                {"expected_energy", s.expected_energy},
                                {"ledger_split", s.ledger_split}})
    if (on) return SectionFault{"output", {{key}, "true" + nothing_lasts, "false"}};
  return {};
}

void require_soft_law(const std::string& law, const std::string& command) {
  if (law_entry(law).hard())
    throw Error(Exit::bad_input, "contact.law: found \"" + law + "\", but " + command +
                                     " needs contacts with a stiffness; expected a soft law, as \"" + Scenario{}.law +
                                     "\"");
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
