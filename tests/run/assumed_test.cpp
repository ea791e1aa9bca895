// The parameters that a scenario leaves to their defaults are told, and no others.
#include "cairn/run/assumed.hpp"

#include <doctest/doctest.h>

#include "cairn/contact/laws/all.hpp"
#include "cairn/run/summary.hpp"

namespace cairn {
namespace {

std::string assumed(const std::string& law, const ContactSettings& contact, const ContactSettings& pair = {}) {
  Scenario s;
  s.law = law, s.contact = contact;
  s.pairs.push_back({"a", "b", pair});
  return in_words(assumed_parameters(s));
}

TEST_CASE("assumed: restitution and friction left out are named") {
  CHECK(assumed("linear", {{"stiffness", 1e4}}) ==
        "restitution 1, friction 0, rolling_friction 0, twisting_friction 0, attraction clipped");
  CHECK(assumed("linear", {{"stiffness", 1e4}, {"damping", 3}, {"friction", 0.2}}) ==
        "tangential_ratio 2/7, tangential_damping 0 N s/m, rolling_friction 0, twisting_friction 0, "
        "attraction clipped");
  CHECK(assumed("linear", {{"stiffness", 1e4}, {"damping_per_mass", 3}, {"friction", 0}}) ==
        "rolling_friction 0, twisting_friction 0, attraction clipped");
  CHECK(assumed("hertz_mindlin", {{"restitution", 0.5}, {"friction", 0.3}}) ==
        "rolling_friction 0, twisting_friction 0, attraction clipped, tangential total, damping_map realised");
  CHECK(assumed("extended_nonlinear", {{"stiffness", 1e8}, {"restitution", 0.5}}) ==
        "damping_exponent 1, restitution_speed 1 m/s, friction 0, rolling_friction 0, twisting_friction 0, "
        "attraction clipped");
}

TEST_CASE("assumed: what hangs on a parameter that only a pair gives is named too") {
  const std::string words = assumed("linear", {{"stiffness", 1e4}, {"restitution", 1}},
                                    {{"stiffness", 1e4}, {"restitution", 1}, {"rolling_friction", 0.1}});
  CHECK(words.find("rolling_stiffness_ratio 1, rolling_damping 0 N s/m") != std::string::npos);
  CHECK(words.find("twisting_stiffness_ratio") == std::string::npos);
}

TEST_CASE("assumed: a law with every parameter given assumes nothing") {
  for (const LawEntry& law : law_entries()) {
    CAPTURE(std::string(law.name));
    ContactSettings all;
    for (const ContactParameter& p : law.parameters)
      if (p.alternatives.empty() || p.name == "restitution" || p.name == "stiffness" || p.name == "tangential_damping")
        all[p.name] = p.choices.empty() ? 0.5 : 0;
    CHECK(assumed(std::string(law.name), all) == "");
    // And every default there is, is told once it acts.
    for (const ContactParameter& p : law.parameters) {
      if (!p.fallback || !all.has(p.name)) continue;
      ContactSettings without = all;
      without[p.name].reset();
      CHECK(assumed(std::string(law.name), without).starts_with(std::string(p.name) + " "));
    }
  }
}

TEST_CASE("assumed: the value is the one that the law takes") {
  Scenario s;
  s.contact = {{"stiffness", 1e4}, {"friction", 0.3}};
  for (const auto& [name, value] : assumed_parameters(s)) {
    CAPTURE(name);
    const ContactParameter& p = *find_parameter(law_entry("linear").parameters, name);
    if (name == "restitution")
      CHECK(value.value == 1);
    else
      CHECK(value.value == ContactSettings{}.number(p));
  }
}

}  // namespace
}  // namespace cairn
