// A law declares its parameters, and everything else follows: with a law that only this test knows.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cairn/contact/laws/all.hpp"
#include "cairn/scenario/contact_keys.hpp"

namespace cairn {
namespace {

struct Sticky : LinearSpringDashpot {
  using Formula = LinearSpringDashpot;

  static constexpr const char* name = "sticky";
  static constexpr ContactParameter own[] = {
      {.name = "pull_off_force",
       .unit = "N",
       .range = positive,
       .required = true,
       .description = "largest force with which two grains hold each other"},
      {.name = "hold_time", .unit = "s", .range = at_least_0, .needs = "restitution", .description = "time of rest"}};
  static constexpr ContactParameter parameters[] = {{.name = "stiffness",
                                                     .unit = "N/mm",
                                                     .range = positive,
                                                     .required = true,
                                                     .description = "stiffness of the neck"},
                                                    own[0],
                                                    parameter::restitution,
                                                    own[1],
                                                    parameter::friction,
                                                    parameter::attraction};
  static constexpr MaterialParameter material_parameters[] = {
      {{.name = "young", .unit = "Pa", .range = positive, .required = true, .description = "Young's modulus E"},
       &Material::young}};

  static std::optional<ParameterFault> fault(const ContactSettings& c) {
    if (c.choice<Attraction>(parameter::attraction) == Attraction::clipped)
      return ParameterFault{{"attraction"}, "\"clipped\"", "\"allowed\", because the grains pull at each other"};
    return {};
  }
  Real range() const { return 1e-6; }
  static constexpr bool has_memory = true;
};
static_assert(ContactLaw<Sticky>);
static_assert(has_memory<Sticky> && !has_memory<LinearSpringDashpot>);

std::vector<LawEntry> with_sticky() {
  std::vector<LawEntry> laws = law_entries();
  laws.push_back(law_entry_of<Sticky>());
  return laws;
}

std::string fault_of(const ContactSettings& c) {
  try {
    require_settings<Sticky>(c);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST_CASE("a law's own parameter becomes a key with its unit, its law and its words") {
  const std::vector<KeyDoc> all = keys::contact_parameters(with_sticky());
  const auto at = [&](std::string_view name) {
    return std::find_if(all.begin(), all.end(), [&](const auto& key) { return key.key == name; });
  };
  REQUIRE(at("pull_off_force") != all.end());
  const KeyDoc& own = *at("pull_off_force");
  CHECK(own.only == "sticky");
  CHECK(own.fallback == "required by sticky");
  CHECK(own.doc == "largest force with which two grains hold each other");
  CHECK(own.unit == "N");
  CHECK(at("pull_off_force") < at("restitution"));  // as in the law's list
  CHECK(at("hold_time") < at("friction"));
  CHECK(at("friction")->only.empty());
  CHECK(at("damping")->only == "linear kuwabara_kono extended_nonlinear");

  const KeyDoc& stiffness = *at("stiffness");
  CHECK(stiffness.only == "linear kuwabara_kono extended_nonlinear sticky");
  CHECK(stiffness.unit == "N/m");
  CHECK(stiffness.doc.ends_with("; with law sticky stiffness of the neck, in N/mm"));

  for (const KeyDoc& key : keys::material_parameters(with_sticky()))
    if (key.key == "young") CHECK(key.fallback == "required by hertz_mindlin and sticky");
}

TEST_CASE("settings of a law are checked by its declarations") {
  const ContactSettings good{{"stiffness", 1e3}, {"pull_off_force", 2}, {"attraction", Attraction::allowed}};
  CHECK(fault_of(good).empty());
  const auto with = [&](std::string_view name, Setting value) {
    ContactSettings c = good;
    c[name] = value;
    return fault_of(c);
  };
  CHECK(with("pull_off_force", {}) ==
        "law sticky: pull_off_force: missing; expected a number > 0 in N, which law 'sticky' needs");
  CHECK(with("pull_off_force", -1.0) == "law sticky: pull_off_force: found -1; expected a number > 0 in N");
  CHECK(with("pull_of_force", 1.0).starts_with("law sticky: pull_of_force: no such parameter; expected one of "));
  CHECK(with("pull_of_force", 1.0).ends_with("; did you mean 'pull_off_force'?"));
  CHECK(with("hold_time", 1.0) ==
        "law sticky: hold_time: found without restitution; expected hold_time and restitution");
  CHECK(with("attraction", {}) ==
        "law sticky: attraction: found \"clipped\"; expected \"allowed\", because the grains pull at each other");
  CHECK(with("attraction", 2.0) == "law sticky: attraction: found 2; expected 'clipped' or 'allowed'");

  CHECK_THROWS_WITH(require_material<Sticky>(Material{.name = "clay"}),
                    "material 'clay': young: missing; expected a number > 0 in Pa, which law 'sticky' needs");
  CHECK_THROWS_WITH(law_table("linear", {Material{}},
                              [](auto, auto) {
                                return ContactSettings{{"stiffness", 1}, {"damping", 1}, {"restitution", 0.5}};
                              }),
                    "law linear: damping: found beside restitution; expected only one of them");
  CHECK(range_of(Sticky{}) == 1e-6);
  CHECK(range_of(LinearSpringDashpot{}) == 0);
}

}  // namespace
}  // namespace cairn
