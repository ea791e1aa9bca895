#include "cairn/contact/laws/all.hpp"

#include <optional>
#include <utility>

#include "cairn/core/error.hpp"

namespace cairn {
namespace {

// Hard laws know no rolling resistance.
template <class L>
LawEntry hard_entry_of() {
  return {
      L::name,
      L::parameters,
      {},
      [](const ContactSettings& c) -> std::optional<ParameterFault> {
        for (const ContactParameter& p : L::parameters)
          if (p.required && !c.has(p.name))
            return ParameterFault{{p.name}, "", expected_value(p) + ", which law '" + std::string(L::name) + "' needs"};
        return {};
      },
      L::scheme};
}

}  // namespace

const std::vector<LawEntry>& law_entries() {
  static const std::vector<LawEntry> entries = [] {
    std::vector<LawEntry> all;
    for_each_law([&](auto law) { all.push_back(law_entry_of<decltype(law)>()); });
    for_each_hard_law([&](auto law) { all.push_back(hard_entry_of<decltype(law)>()); });
    return all;
  }();
  return entries;
}

std::string law_names() {
  std::string names;
  for (const LawEntry& law : law_entries()) names += (names.empty() ? "" : ", ") + std::string(law.name);
  return names;
}

const LawEntry& law_entry(std::string_view name) {
  for (const LawEntry& law : law_entries())
    if (law.name == name) return law;
  throw Error(Exit::bad_input, "contact law '" + std::string(name) + "' is unknown; expected one of " + law_names());
}

LawTable law_table(const std::string& name, const std::vector<Material>& materials, const SettingsOfPair& settings) {
  LawTable table;
  if (law_entry(name).hard()) {
    for (std::size_t i = 0; i < materials.size(); ++i)
      for (std::size_t j = 0; j < materials.size(); ++j) require_settings(law_entry(name), settings(i, j));
    // A stiffness of 0 would make the length of a spring at the Coulomb limit indefinite.
    LinearSpringDashpot none;
    none.stiffness = 1e-200;
    return std::vector<LinearSpringDashpot>(materials.size() * materials.size(), none);
  }
  for_each_law([&](auto law) {
    using L = decltype(law);
    if (name != L::name) return;
    for (const Material& m : materials) require_material<L>(m);
    std::vector<typename FormulaOf<L>::type> laws;
    std::optional<ContactSettings> checked;  // most pairs have the settings of the pair before
    for (std::size_t i = 0; i < materials.size(); ++i)
      for (std::size_t j = 0; j < materials.size(); ++j) {
        const ContactSettings c = settings(i, j);
        if (checked != c) {
          require_settings(law_entry(name), c);
          checked = c;
        }
        laws.push_back(L::from(c, materials[i], materials[j]));
      }
    table = std::move(laws);
  });
  return table;
}

std::optional<HardLaws> hard_laws(const std::string& name, std::size_t materials, const SettingsOfPair& settings) {
  if (!law_entry(name).hard()) return {};
  HardLaws laws;
  for (std::size_t i = 0; i < materials; ++i)
    for (std::size_t j = 0; j < materials; ++j) {
      const ContactSettings c = settings(i, j);
      const auto method =
          name == DynamicsContact::name ? HardMethod::dynamics : c.choice<HardMethod>(parameter::impulses);
      if (!laws.pairs.empty() && method != laws.method)
        throw Error(Exit::bad_input, "law " + name + ": impulses: expected the same for all pairs of materials");
      laws.method = method;
      laws.pairs.push_back({*c["restitution"], c.number(parameter::friction), c.number(parameter::projection)});
    }
  return laws;
}

}  // namespace cairn
