#include "cairn/catalogue/law_catalogue.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "cairn/contact/laws/all.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/scenario/contact_keys.hpp"
#include "cairn/scenario/key_doc.hpp"

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

struct LawCard {
  std::string_view name, summary, reference;
  LawWords words;
  bool closed_form;  // of restitution and overlap
  bool hard() const { return law_entry(name).hard(); }
};

template <class L>
constexpr bool has_closed_form = requires(const L& law) {
  law.closed_form(1.0, 1.0, 1.0);
};

template <class L>
LawCard entry_of() {
  return {L::name, L::summary, L::reference, L::words, has_closed_form<L>};
}

std::vector<LawCard> all_laws() {
  std::vector<LawCard> all;
  for_each_law([&](auto law) { all.push_back(entry_of<decltype(law)>()); });
  for_each_hard_law([&](auto law) { all.push_back(entry_of<decltype(law)>()); });
  return all;
}

LawCard law_named(const std::string& name) {
  std::vector<std::string_view> names;
  for (const LawCard& law : all_laws()) {
    if (law.name == name) return law;
    names.push_back(law.name);
  }
  throw Error(Exit::bad_input, "there is no law " + quoted_bytes(name) + suggestion(name, names) +
                                   "; expected one of " + joined(names, ", ", ", "));
}

std::vector<std::string_view> parts(std::string_view text, char between) {
  std::vector<std::string_view> all;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(between, begin), text.size());
    all.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

// A key that the law reads, as the law alone has it.
struct Row {
  std::string path;
  std::string_view unit;
  std::string fallback, doc;
  std::span<const std::string_view> choices;
};

// Those of [contact], then those of the materials.
std::vector<Row> parameters(const LawCard& card) {
  const LawEntry& law = law_entry(card.name);
  std::vector<Row> all;
  const auto add = [&](const KeyDoc& key, const ContactParameter& p, std::string fallback) {
    all.push_back({std::string(key.section) + "." + std::string(key.key), p.unit, std::move(fallback),
                   std::string(p.description), p.choices});
  };
  for (const KeyDoc& key : scenario_keys())
    if (key.section == "contact")
      if (const ContactParameter* p = find_parameter(law.parameters, key.key)) add(key, *p, keys::default_of(*p));
  for (const MaterialParameter& of : law.material_parameters)
    for (const KeyDoc& key : scenario_keys())
      if (key.section == "material" && key.key == of.parameter.name)
        add(key, of.parameter, of.parameter.required ? "required" : std::string(key.fallback));
  return all;
}

// What holds for every law (contact/coulomb.hpp).
constexpr std::string_view every_normal =
    "attraction clipped (default): the force is max(F_n, 0); attraction allowed: the force is F_n";
constexpr std::string_view every_tangential =
    "F_t = -(k_t xi + gamma_t v_t), shortened to mu |F_n| if it is longer; the spring xi follows the motion and is at "
    "most mu |F_n| / k_t long";

}  // namespace

std::string law_list() {
  std::string list;
  for (const LawCard& law : all_laws()) list += fmt::format("{:<20}{}\n", law.name, law.summary);
  return list + "\ncairn laws NAME explains one law.\n";
}

std::string law_list_json() {
  Json list = Json::array();
  for (const LawCard& law : all_laws()) list.push_back({{"name", law.name}, {"summary", law.summary}});
  return list.dump(2) + "\n";
}

void require_law(const std::string& name) {
  law_named(name);
}

std::string law_card(const std::string& name) {
  const LawCard law = law_named(name);
  std::string card = wrapped(law.summary, std::string(law.name) + ": ") + "\n";
  const auto formula = [&](std::string_view text, std::string_view of_every) {
    for (const std::string_view line : parts(text, '\n')) card += "  " + std::string(line) + "\n";
    card += (law.hard() ? "" : wrapped(of_every, "  ")) + "\n";
  };
  formula(law.words.normal, every_normal);
  formula(law.words.tangential, every_tangential);

  const std::vector<Row> keys = parameters(law);
  std::size_t width = 0, units = 0, defaults = 0;
  for (const Row& key : keys) {
    width = std::max(width, key.path.size());
    units = std::max(units, key.unit.size());
    defaults = std::max(defaults, key.fallback.size());
  }
  card += fmt::format("{:<{}}  {:<{}}  default\n", "Parameters", width, "unit", units);
  for (const Row& key : keys)
    card += wrapped(key.doc + (key.choices.empty() ? "" : ": " + joined(key.choices, ", ", " or ")),
                    fmt::format("{:<{}}  {:<{}}  {:<{}}  ", key.path, width, key.unit, units, key.fallback, defaults));
  card += "A [[pair]] sets the contact parameters of two materials.\n";

  const auto list = [&](const char* heading, std::string_view text) {
    card += std::string("\n") + heading + "\n";
    for (const std::string_view line : parts(text, '\n')) card += wrapped(line, "- ");
  };
  if (!law.hard()) list("Damping for a restitution e:", law.words.inverse);
  card += "\n" + wrapped(law.words.guidance, "");
  list("Limits:", law.words.limits);
  card += fmt::format("\n{:<26} {}\n", "origin", law.reference);
  if (law.hard()) return card + fmt::format("{:<26} {}\n", "scheme", law_entry(name).hard_scheme);
  return card + fmt::format("{:<26} cairn restitution --law {} ...{}\n", "realised restitution", law.name,
                            law.closed_form ? ", with its closed form" : "");
}

std::string law_json(const std::string& name) {
  const LawCard law = law_named(name);
  Json keys = Json::array();
  for (const Row& key : parameters(law)) {
    Json j{{"key", key.path}, {"unit", key.unit}, {"default", key.fallback}, {"doc", key.doc}};
    if (!key.choices.empty()) j["choices"] = key.choices;
    keys.push_back(std::move(j));
  }
  const Json j{{"name", law.name},
               {"summary", law.summary},
               {"normal", parts(law.words.normal, '\n')},
               {"tangential", parts(law.words.tangential, '\n')},
               {"parameters", keys},
               {"inverse", parts(law.words.inverse, '\n')},
               {"closed_form", law.closed_form},
               {"use", law.words.guidance},
               {"cannot", parts(law.words.limits, '\n')},
               {"reference", law.reference}};
  return j.dump(2) + "\n";
}

}  // namespace cairn
