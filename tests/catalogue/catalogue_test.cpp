// The names of schemes, and the page that describes them.
#include "cairn/catalogue/catalogue.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "cairn/formats/embedded.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/scenario/scenario_file.hpp"

namespace cairn {
namespace {

TEST_CASE("catalogue: docs/schemes.md is what the program knows") {
  CHECK_MESSAGE(read_file(CAIRN_SOURCE_DIR "/docs/schemes.md") == scheme_page(),
                "make it anew: cairn schemes --markdown > docs/schemes.md");
}

TEST_CASE("catalogue: no name means two of them, and every name finds its own") {
  std::map<std::string_view, int> count;
  for (const SchemeEntry& e : scheme_catalogue()) {
    CAPTURE(e.claims.name);
    for (const std::string_view name : e.names()) {
      CAPTURE(name);
      CHECK_FALSE(name.empty());
      CHECK(++count[name] == 1);
      CHECK(find_scheme(name) == &e);
      CHECK(scheme_named(std::string(name)).claims.name == e.claims.name);
      const std::string toml = "[run]\nstep = 1e-5\nend = 1\nscheme = \"" + std::string(name) +
                               "\"\n[contact]\nstiffness = 1e4\n[[grain]]\nradius = 0.01\nposition = [0, 0, 0]\n";
      CHECK(parse_scenario(toml, "f.toml").scheme == e.name);
    }
  }
  CHECK(find_scheme("") == nullptr);
  CHECK(find_scheme("RK4 ") == nullptr);
}

TEST_CASE("catalogue: other names are separated by single blanks") {
  SchemeEntry entry;
  entry.claims.name = "one", entry.claims.aliases = "ONE O-1";
  CHECK(entry.names() == std::vector<std::string_view>{"one", "ONE", "O-1"});
}

TEST_CASE("catalogue: every family is introduced, and our own scheme is derived") {
  const std::string page = scheme_page(), prose(catalogue_prose()[0].text);
  for (const SchemeEntry& e : scheme_catalogue()) {
    const std::string family(e.claims.family);
    CHECK_MESSAGE(prose.find("\n%% " + family + "\n") != std::string::npos, "src/cairn/catalogue/catalogue.md lacks ",
                  family);
  }
  CHECK(page.find("**Why it is of second order with dashpots.**") > page.find("\n### velocity_verlet_predicted\n"));
  CHECK(page.find("**Why it is of second order with dashpots.**") != std::string::npos);
  CHECK(page.find("%%") == std::string::npos);
}

}  // namespace
}  // namespace cairn
