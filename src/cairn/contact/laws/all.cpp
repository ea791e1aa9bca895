#include "cairn/contact/laws/all.hpp"

#include <optional>
#include <utility>

#include "cairn/core/error.hpp"

namespace cairn {

const std::vector<LawEntry>& law_entries() {
  static const std::vector<LawEntry> entries = [] {
    std::vector<LawEntry> all;
    for_each_law([&](auto law) { all.push_back(law_entry_of<decltype(law)>()); });
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
  law_entry(name);  // an error if there is no such law
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
          require_settings<L>(c);
          checked = c;
        }
        laws.push_back(L::from(c, materials[i], materials[j]));
      }
    table = std::move(laws);
  });
  return table;
}

}  // namespace cairn
