#include "cairn/scenario/contact_keys.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/scenario/quantity.hpp"

namespace cairn::keys {
namespace {

struct Owner {
  string_view law;
  const ContactParameter* parameter;
};
using Owners = std::vector<Owner>;  // of one name

// A new name comes before the next one of its law that is there already.
void add(std::vector<Owners>& all, string_view law, const std::vector<const ContactParameter*>& list) {
  auto next = all.size();
  for (auto p = list.rbegin(); p != list.rend(); ++p) {
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const Owners& o) { return o.front().parameter->name == (*p)->name; });
    if (same != all.end()) {
      same->push_back({law, *p});
      next = static_cast<std::size_t>(same - all.begin());
    } else {
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(next), Owners{{law, *p}});
    }
  }
}

// How a law's declaration differs from the first one: "in N/m^1.5".
std::string difference(const ContactParameter& p, const ContactParameter& first) {
  std::string words;
  if (p.description != first.description) words = p.description;
  if (p.unit == first.unit) return words;
  return words + (words.empty() ? "" : ", ") + (p.unit.empty() ? "without a unit" : "in " + std::string(p.unit));
}

ParameterKey described(const Owners& owners, std::size_t laws) {
  const ContactParameter& first = *owners.front().parameter;
  ParameterKey key{first, "", default_of(first), std::string(first.description)};
  std::vector<std::string> requiring;
  std::vector<std::pair<std::string, std::vector<std::string>>> differences;  // and the laws that share each
  for (const Owner& owner : owners) {
    const std::string law(owner.law);
    if (owners.size() < laws) key.only += (key.only.empty() ? "" : " ") + law;
    if (owner.parameter->required) requiring.push_back(law);
    const std::string words = difference(*owner.parameter, first);
    if (words.empty()) continue;
    const auto same =
        std::find_if(differences.begin(), differences.end(), [&](const auto& d) { return d.first == words; });
    if (same == differences.end())
      differences.push_back({words, {law}});
    else
      same->second.push_back(law);
  }
  for (const auto& [words, names] : differences)
    key.description += "; with law " + joined(names, ", ", " or ") + " " + words;
  if (!requiring.empty()) key.fallback = "required by " + joined(requiring, ", ", " and ");
  return key;
}

std::vector<ParameterKey> described(const std::vector<Owners>& all, std::size_t laws) {
  std::vector<ParameterKey> keys;
  for (const Owners& owners : all) keys.push_back(described(owners, laws));
  return keys;
}

bool is_a_unit(string_view unit) {
  try {
    quantity("1 " + std::string(unit), unit);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void read_contact(Values& values, const Value& v, SettingsOfLaw& to) {
  const ContactParameter& p = *find_parameter(law_entry(*to.law).parameters, v.doc.key);
  const KeyDoc doc = key_doc_of(p);
  const Value own{v.node, v.path, doc};
  if (!p.choices.empty()) {
    (*to.settings)[p.name] = static_cast<Real>(values.choice(own));
    return;
  }
  if (v.node.as<std::string>() != nullptr && !p.unit.empty() && !is_a_unit(p.unit))
    fail(v, "found text; expected a plain number, which for law '" + *to.law + "' is in " + std::string(p.unit));
  (*to.settings)[p.name] = values.number(own);
}

void read_material(Values& values, const Value& v, Material& to) {
  for (const LawEntry& law : law_entries())
    for (const MaterialParameter& p : law.material_parameters)
      if (p.parameter.name == v.doc.key) {
        to.*p.value = values.number({v.node, v.path, key_doc_of(p.parameter)});
        return;
      }
}

// Texts that rows point to; a deque never moves them.
string_view kept(const std::string& text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(text);
}

template <class T>
Key<T> key_of(const ParameterKey& of, void (*read)(Values&, const Value&, T&)) {
  KeyDoc doc = key_doc_of(of.parameter);
  doc.only = kept(of.only), doc.fallback = kept(of.fallback), doc.doc = kept(of.description);
  return {doc, read};
}

}  // namespace

std::string default_of(const ContactParameter& p) {
  if (p.required) return std::string(required);
  if (!p.fallback_text.empty()) return std::string(p.fallback_text);
  if (!p.fallback) return "none";
  if (p.choices.empty()) return to_text(*p.fallback);
  return "\"" + std::string(p.choices[static_cast<std::size_t>(*p.fallback)]) + "\"";
}

std::vector<ParameterKey> contact_parameters(std::span<const LawEntry> laws) {
  std::vector<Owners> all;
  for (const LawEntry& law : laws) {
    std::vector<const ContactParameter*> list;
    for (const ContactParameter& p : law.parameters) list.push_back(&p);
    add(all, law.name, list);
  }
  return described(all, laws.size());
}

std::vector<ParameterKey> material_parameters(std::span<const LawEntry> laws) {
  std::vector<Owners> all;
  for (const LawEntry& law : laws) {
    std::vector<const ContactParameter*> list;
    for (const MaterialParameter& p : law.material_parameters) list.push_back(&p.parameter);
    add(all, law.name, list);
  }
  return described(all, laws.size());
}

const std::vector<Key<SettingsOfLaw>>& contact_keys() {
  static const std::vector<Key<SettingsOfLaw>> rows = [] {
    std::vector<Key<SettingsOfLaw>> list;
    for (const ParameterKey& p : contact_parameters(law_entries())) list.push_back(key_of(p, read_contact));
    return list;
  }();
  return rows;
}

const std::vector<Key<Material>>& material_keys() {
  static const std::vector<Key<Material>> rows = [] {
    std::vector<Key<Material>> list{
        text<&Material::name>({.key = "name", .doc = "name by which grains, walls and pairs refer to the material"}),
        number<&Material::density>({.key = "density", .unit = "kg/m^3", .range = positive, .doc = "mass per volume"})};
    for (ParameterKey p : material_parameters(law_entries())) {
      p.only.clear();  // a material may have it with any law
      for (const LawEntry& law : law_entries())
        for (const MaterialParameter& of : law.material_parameters)
          if (of.parameter.name == p.parameter.name && !of.parameter.required)
            p.fallback = to_text(Material{}.*of.value);
      list.push_back(key_of(p, read_material));
    }
    return list;
  }();
  return rows;
}

KeyDoc key_doc_of(const ContactParameter& p) {
  return {.key = p.name,
          .type = p.choices.empty() ? Type::number : Type::choice,
          .unit = p.unit,
          .range = p.range,
          .choices = p.choices,
          .doc = p.description};
}

}  // namespace cairn::keys
