#include "cairn/scenario/contact_keys.hpp"

#include "cairn/core/error.hpp"
#include "cairn/scenario/quantity.hpp"
#include "cairn/scenario/shared_keys.hpp"

namespace cairn::keys {
namespace {

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

// The keys of the lists of parameters that laws have.
template <class Parameters>
std::vector<KeyDoc> keys_of(std::span<const LawEntry> laws, Parameters&& parameters) {
  std::vector<KeyOwner> owners;
  for (const LawEntry& law : laws) {
    KeyOwner& owner = owners.emplace_back(KeyOwner{law.name, {}});
    parameters(law, [&](const ContactParameter& p) {
      owner.keys.push_back(key_doc_of(p));
      owner.keys.back().fallback = kept(default_of(p));
    });
  }
  return shared_keys(owners, "law");
}

}  // namespace

std::string default_of(const ContactParameter& p) {
  if (p.required) return std::string(required);
  if (!p.fallback_text.empty()) return std::string(p.fallback_text);
  if (!p.fallback) return "none";
  if (p.choices.empty()) return to_text(*p.fallback);
  return "\"" + std::string(p.choices[static_cast<std::size_t>(*p.fallback)]) + "\"";
}

std::vector<KeyDoc> contact_parameters(std::span<const LawEntry> laws) {
  return keys_of(laws, [](const LawEntry& law, auto&& add) {
    for (const ContactParameter& p : law.parameters) add(p);
  });
}

std::vector<KeyDoc> material_parameters(std::span<const LawEntry> laws) {
  return keys_of(laws, [](const LawEntry& law, auto&& add) {
    for (const MaterialParameter& p : law.material_parameters) add(p.parameter);
  });
}

const std::vector<Key<SettingsOfLaw>>& contact_keys() {
  static const std::vector<Key<SettingsOfLaw>> rows = [] {
    std::vector<Key<SettingsOfLaw>> list;
    for (KeyDoc doc : contact_parameters(law_entries())) {
      doc.may_change = true;
      list.push_back({doc, read_contact});
    }
    return list;
  }();
  return rows;
}

const std::vector<Key<Material>>& material_keys() {
  static const std::vector<Key<Material>> rows = [] {
    std::vector<Key<Material>> list{
        text<&Material::name>({.key = "name", .doc = "name by which grains, walls and pairs refer to the material"}),
        number<&Material::density>({.key = "density", .unit = "kg/m^3", .range = positive, .doc = "mass per volume"})};
    for (KeyDoc doc : material_parameters(law_entries())) {
      doc.only = "";  // a material may have it with any law
      for (const LawEntry& law : law_entries())
        for (const MaterialParameter& of : law.material_parameters)
          if (of.parameter.name == doc.key && !of.parameter.required)
            doc.fallback = kept(to_text(Material{}.*of.value));
      list.push_back({doc, read_material});
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
          .alternatives = p.alternatives,
          .doc = p.description};
}

}  // namespace cairn::keys
