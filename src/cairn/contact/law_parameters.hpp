// The parameters of a law, and whether settings suit them.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/contact/kinematics.hpp"
#include "cairn/contact/rolling.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"

namespace cairn {

// The parameters of one contact: those of the law, and those of rolling resistance, which works with every law of soft
// contacts. Numbers come before choices.
template <class L>
const std::vector<ContactParameter>& parameters_of() {
  static const std::vector<ContactParameter> all = [] {
    std::vector<ContactParameter> list(std::begin(L::parameters), std::end(L::parameters));
    list.insert(list.end(), std::begin(RollingResistance::parameters), std::end(RollingResistance::parameters));
    std::stable_partition(list.begin(), list.end(), [](const ContactParameter& p) { return p.choices.empty(); });
    return list;
  }();
  return all;
}

// Of a material.
template <class L>
std::span<const MaterialParameter> material_parameters_of() {
  if constexpr (requires { L::material_parameters; })
    return L::material_parameters;
  else
    return {};
}

inline const ContactParameter* find_parameter(std::span<const ContactParameter> list, std::string_view name) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const ContactParameter& p) { return p.name == name; });
  return at == list.end() ? nullptr : &*at;
}

// "a number > 0 in N/m", "'clipped' or 'allowed'".
inline std::string expected_value(const ContactParameter& p) {
  std::string words;
  for (std::size_t k = 0; k < p.choices.size(); ++k)
    words += (k == 0 ? "'" : k + 1 == p.choices.size() ? " or '" : ", '") + std::string(p.choices[k]) + "'";
  if (!words.empty()) return words;
  return "a number" + range_text(p.range) + (p.unit.empty() ? "" : " in " + std::string(p.unit));
}

// Error(bad_input) unless the material has every property that the law needs.
template <class L>
void require_material(const Material& m) {
  for (const MaterialParameter& p : material_parameters_of<L>())
    if (p.parameter.required && !p.parameter.range.contains(m.*p.value))
      throw Error(Exit::bad_input, "material '" + m.name + "': " + std::string(p.parameter.name) +
                                       ": missing; expected " + expected_value(p.parameter) + ", which law '" +
                                       L::name + "' needs");
}

// The first fault of settings whose names and values are those of the law's parameters.
template <class L>
std::optional<ParameterFault> settings_fault(const ContactSettings& c) {
  const std::vector<ContactParameter>& list = parameters_of<L>();
  for (const ContactParameter& p : list)
    if (p.required && !c.has(p.name))
      return ParameterFault{{p.name}, "", expected_value(p) + ", which law '" + std::string(L::name) + "' needs"};
  for (const ContactParameter& p : list)
    if (!p.needs.empty() && c.has(p.name) && !c.has(p.needs)) return missing_partner(p.name, p.needs);
  if constexpr (requires { L::fault(c); })
    if (const auto fault = L::fault(c)) return fault;
  return RollingResistance::fault(c);
}

// A law as those see it who read its settings.
struct LawEntry {
  std::string_view name;
  std::span<const ContactParameter> parameters;
  std::span<const MaterialParameter> material_parameters;
  std::optional<ParameterFault> (*fault)(const ContactSettings&);
  std::string_view hard_scheme{};  // of a hard law (contact/laws/hard.hpp): the scheme where a scenario names none
  bool hard() const { return !hard_scheme.empty(); }
};

// Error(bad_input) unless the law can take the settings: for those that come from no file.
inline void require_settings(const LawEntry& law, const ContactSettings& c) {
  const std::span<const ContactParameter> list = law.parameters;
  const auto refuse = [&law](std::string_view name, const std::string& fault) {
    throw Error(Exit::bad_input, "law " + std::string(law.name) + ": " + std::string(name) + ": " + fault);
  };
  for (const auto& [name, value] : c.values()) {
    if (!value) continue;
    const ContactParameter* p = find_parameter(list, name);
    if (p == nullptr) {
      std::vector<std::string_view> names;
      std::string all;
      for (const ContactParameter& one : list) {
        names.push_back(one.name);
        all += (all.empty() ? "" : ", ") + std::string(one.name);
      }
      refuse(name, "no such parameter; expected one of " + all + suggestion(name, names));
    }
    const bool fits = p->choices.empty() ? std::isfinite(*value) && p->range.contains(*value)
                                         : *value >= 0 && *value < static_cast<Real>(p->choices.size()) &&
                                               *value == std::floor(*value);
    if (!fits) refuse(name, "found " + to_text(*value) + "; expected " + expected_value(*p));
    for (const ContactParameter& other : list)
      if (!p->alternatives.empty() && other.alternatives == p->alternatives && other.name != p->name &&
          c.has(other.name))
        refuse(name, "found beside " + std::string(other.name) + "; expected only one of them");
  }
  if (const auto fault = law.fault(c)) refuse(fault->names.front(), fault->text());
}

template <class L>
LawEntry law_entry_of() {
  return {L::name, parameters_of<L>(), material_parameters_of<L>(), settings_fault<L>};
}

template <class L>
void require_settings(const ContactSettings& c) {
  require_settings(law_entry_of<L>(), c);
}

}  // namespace cairn
