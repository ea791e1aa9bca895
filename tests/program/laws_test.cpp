// The contact laws as the program shows them.
#include <doctest/doctest.h>

#include "program/desk.hpp"

namespace cairn {
namespace {

TEST_CASE("laws: one explained") {
  const Desk desk;
  const Outcome list = desk.cairn({"laws"});
  for (const json& law : json::parse(desk.cairn({"laws", "--json"}).out)) {
    const std::string name = law.at("name");
    CAPTURE(name);
    CHECK(("\n" + list.out).find("\n" + name + " ") != std::string::npos);
    const Outcome card = desk.cairn({"laws", name}), machine = desk.cairn({"laws", name, "--json"});
    REQUIRE(card.code == 0);
    REQUIRE(machine.code == 0);
    const json one = json::parse(machine.out);
    CHECK(one.at("summary") == law.at("summary"));
    for (const char* key : {"normal", "tangential", "inverse", "cannot"}) CHECK(one.at(key).size() > 0);
    for (const json& line : one.at("normal")) CHECK(card.out.find("  " + line.get<std::string>()) != std::string::npos);
    CHECK(card.out.find(one.at("reference").get<std::string>()) != std::string::npos);
    for (const json& key : one.at("parameters")) CHECK(key.at("doc").get<std::string>() != "");
  }
  const Outcome linear = desk.cairn({"laws", "linear"});
  CHECK(linear.out.find("F_n = k delta + gamma delta'") != std::string::npos);
  CHECK(linear.out.find("contact.stiffness ") != std::string::npos);
  CHECK(linear.out.find("material.young") == std::string::npos);
  const Outcome hertz = desk.cairn({"laws", "hertz_mindlin"});
  CHECK(hertz.out.find("material.young ") != std::string::npos);
  CHECK(hertz.out.find("contact.stiffness") == std::string::npos);
}

TEST_CASE("laws: what is not there is answered with what might be meant") {
  const Desk desk;
  const auto check = [&](const Words& arguments, std::string_view tells) {
    const Outcome o = desk.cairn(Words{"laws"} + arguments);
    CAPTURE(o.err);
    CHECK(o.code == 2);
    CHECK(o.out.empty());
    CHECK(o.tells(tells));
  };
  check({"liner"}, "there is no law 'liner'; did you mean 'linear'?; expected one of linear, ");
  check({"hertz"}, "did you mean 'hertz_mindlin'?");
  check({"zzzzzzzz"}, "there is no law 'zzzzzzzz'; expected one of linear, ");
  check({""}, "there is no law ''; expected one of linear, ");
  check({"linear", "--jsn"}, "did you mean '--json'?");
}

}  // namespace
}  // namespace cairn
