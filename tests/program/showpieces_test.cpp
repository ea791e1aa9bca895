// The first scenarios that users see obey docs/step.md: contacts last twenty steps or more, overlaps stay below 5 %,
// and nothing warns. Whole runs where they are short, else the part with the fastest impacts.
#include <doctest/doctest.h>

#include "program/desk.hpp"

namespace cairn {
namespace {

TEST_CASE("showpieces: contacts are resolved, overlaps are small and nothing warns") {
  struct Case {
    const char *name, *end;
  };
  for (const auto& [name, end] : {Case{"starter", "1"}, {"pyramid", "1"}, {"pour", "0.15"}, {"vibrated", "0.25"}}) {
    CAPTURE(name);
    const Desk desk;
    const json summary = desk.run("out", scenario(name), set({std::string("run.end=") + end}));
    REQUIRE(!summary.at("contact_pairs").empty());
    for (const json& pair : summary.at("contact_pairs")) CHECK(pair.at("steps") >= 20);
    CHECK(summary.at("shortest_collision").at("steps") >= 20);
    CHECK(summary.at("largest_overlap").at("fraction") < 0.05);
    for (const auto& [guard, told] : summary.at("guards").items()) {
      CAPTURE(guard);
      CHECK(told.at("message") == "");
    }
    const Outcome check = desk.cairn(Words{"check", scenario(name), "--json"} + unseen());
    REQUIRE_MESSAGE(check.code == 0, check.err);
    CHECK(json::parse(check.out).at("warnings").empty());
    CHECK(!desk.cairn(Words{"run", scenario(name), "--stop-after", "1", "--out", "short"} + unseen())
               .tells("whole number of steps"));
  }
}

}  // namespace
}  // namespace cairn
