// The keys of [contact], [[pair]] and [[material]]. Those of the laws follow from the parameters that laws declare
// (contact/parameter.hpp).
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/contact/laws/all.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/scenario/key_rows.hpp"

namespace cairn::keys {

constexpr auto laws = std::apply([](auto... law) { return std::array{string_view(decltype(law)::name)...}; },
                                 std::tuple_cat(Laws{}, HardContactLaws{}));

constexpr Key<Scenario> law_keys[] = {
    word<&Scenario::law>({.key = "law", .choices = laws, .doc = "contact law"}),
};

constexpr Key<PairSettings> pair_keys[] = {
    {{.key = "materials", .type = Type::names, .fallback = required, .doc = "the two materials in contact"},
     [](Values& values, const Value& v, PairSettings& to) {
       auto [first, second] = values.two_materials(v);
       to.first = std::move(first), to.second = std::move(second);
     }},
};

// The keys of all parameters of these laws (shared_keys.hpp).
std::vector<KeyDoc> contact_parameters(std::span<const LawEntry> laws);
std::vector<KeyDoc> material_parameters(std::span<const LawEntry> laws);

// The settings that a table gives, and their law.
struct SettingsOfLaw {
  ContactSettings* settings = nullptr;
  const std::string* law = nullptr;
};
const std::vector<Key<SettingsOfLaw>>& contact_keys();
const std::vector<Key<Material>>& material_keys();

// A parameter as its law alone has it, without its default; the default in words.
KeyDoc key_doc_of(const ContactParameter& p);
std::string default_of(const ContactParameter& p);

}  // namespace cairn::keys
