// What the program says of its laws, and that nothing in it points nowhere.
#include "cairn/catalogue/law_catalogue.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cairn/contact/laws/all.hpp"
#include "cairn/scenario/key_doc.hpp"

namespace cairn {
namespace {

std::set<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  return {std::istream_iterator<std::string>(in), {}};
}

TEST_CASE("laws: each tells the keys it reads, as the table of keys has them") {
  for_each_law([](auto law) {
    using L = decltype(law);
    const std::string name = L::name;
    CAPTURE(name);
    std::set<std::string> expected, materials;
    for (const MaterialParameter& p : material_parameters_of<L>()) materials.insert(std::string(p.parameter.name));
    for (const KeyDoc& key : scenario_keys()) {
      const bool of_contact =
          key.section == "contact" && key.key != "law" && (key.only.empty() || words_of(key.only).count(name));
      const bool of_material = key.section == "material" && materials.count(std::string(key.key));
      if (of_contact || of_material) expected.insert(std::string(key.section) + "." + std::string(key.key));
    }
    const auto told = nlohmann::json::parse(law_json(name));
    std::set<std::string> keys;
    for (const auto& key : told.at("parameters")) {
      keys.insert(key.at("key"));
      CHECK(law_card(name).find("\n" + key.at("key").get<std::string>() + " ") != std::string::npos);
    }
    CHECK(keys == expected);
    CHECK(told.at("parameters").size() == expected.size());
    for (const std::string& key : materials) CHECK(expected.count("material." + key) == 1);
  });
}

TEST_CASE("laws: a key of one law alone names one there is") {
  std::set<std::string> names;
  for (const LawEntry& law : law_entries()) names.insert(std::string(law.name));
  for (const KeyDoc& key : scenario_keys())
    if (key.section == "contact")
      for (const std::string& name : words_of(key.only))
        CHECK_MESSAGE(names.count(name) == 1, key.key, " is for ", name);
}

TEST_CASE("laws: no line of a card is too long for a terminal") {
  for_each_law([](auto law) {
    std::istringstream lines(law_card(law.name));
    for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 120, line);
  });
}

}  // namespace
}  // namespace cairn
