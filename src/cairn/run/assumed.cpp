#include "cairn/run/assumed.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cairn/contact/laws/all.hpp"
#include "cairn/core/text.hpp"

namespace cairn {
namespace {

// A parameter, and another without which it has no effect.
constexpr std::pair<std::string_view, std::string_view> hangs_on[] = {{"tangential_ratio", "friction"},
                                                                      {"tangential_damping", "friction"},
                                                                      {"tangential_damping_per_mass", "friction"},
                                                                      {"tangential", "friction"},
                                                                      {"damping_map", "restitution"},
                                                                      {"restitution_speed", "restitution"},
                                                                      {"rolling_stiffness_ratio", "rolling_friction"},
                                                                      {"rolling_damping", "rolling_friction"},
                                                                      {"twisting_stiffness_ratio", "twisting_friction"},
                                                                      {"twisting_damping", "twisting_friction"}};

// Whether [contact] or a [[pair]] gives one of them a value above zero.
bool acts(const Scenario& s, std::string_view name) {
  return s.contact[name].value_or(0) > 0 ||
         std::any_of(s.pairs.begin(), s.pairs.end(), [&](const auto& p) { return p.contact[name].value_or(0) > 0; });
}

std::string text_of(const ContactParameter& p) {
  if (!p.choices.empty()) return std::string(p.choices[static_cast<std::size_t>(*p.fallback)]);
  if (!p.fallback_text.empty()) return std::string(p.fallback_text);
  return to_text(*p.fallback) + (p.unit.empty() ? "" : " " + std::string(p.unit));
}

}  // namespace

std::vector<std::pair<std::string, AssumedValue>> assumed_parameters(const Scenario& s) {
  std::vector<std::pair<std::string, AssumedValue>> all;
  std::vector<std::string_view> settled;  // alternatives of which one is given or assumed
  const auto& parameters = law_entry(s.law).parameters;
  for (const ContactParameter& p : parameters)
    if (s.contact.has(p.name) && !p.alternatives.empty()) settled.push_back(p.alternatives);
  for (const ContactParameter& p : parameters) {
    if (s.contact.has(p.name)) continue;
    if (!p.alternatives.empty() && std::find(settled.begin(), settled.end(), p.alternatives) != settled.end()) continue;
    const auto* on = std::find_if(std::begin(hangs_on), std::end(hangs_on), [&](auto& h) { return h.first == p.name; });
    if (on != std::end(hangs_on) && !acts(s, on->second)) continue;
    if (p.name == parameter::restitution.name)
      all.emplace_back(p.name, AssumedValue{1, "1"});  // no dashpot
    else if (p.fallback)
      all.emplace_back(p.name, AssumedValue{*p.fallback, text_of(p)});
    else
      continue;
    if (!p.alternatives.empty()) settled.push_back(p.alternatives);
  }
  return all;
}

std::string in_words(const std::vector<std::pair<std::string, AssumedValue>>& assumed) {
  std::string words;
  for (const auto& [name, value] : assumed) words += (words.empty() ? "" : ", ") + name + " " + value.text;
  return words;
}

}  // namespace cairn
