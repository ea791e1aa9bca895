// cairn completion and cairn man: both know every command and option that --help shows, and completion every key.
#include <doctest/doctest.h>

#include <regex>

#include "cairn/run/registry.hpp"
#include "cairn/scenario/key_doc.hpp"
#include "program/desk.hpp"

namespace cairn {
namespace {

Words completed(const Desk& desk, const Words& typed) {
  const Outcome o = desk.cairn(Words{"completion", "words", "--"} + typed);
  CHECK(o.code == 0);
  Words found;
  std::istringstream lines(o.out);
  for (std::string line; std::getline(lines, line);) found.push_back(line.substr(0, line.find('\t')));
  return found;
}

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The options of a command, by its --help.
std::set<std::string> options_of(const std::string& help) {
  std::set<std::string> options;
  static const std::regex option(R"((?:^|\n)  (?:-\w,)?(--[a-z][a-z-]*))");
  for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at) options.insert((*at)[1]);
  return options;
}

Words commands_of(const std::string& help) {
  Words commands;
  const std::size_t begin = help.find("\nSubcommands:");
  if (begin == help.npos) return commands;
  const std::string list = help.substr(begin);
  static const std::regex command(R"(\n  ([a-z][a-z-]*))");
  for (std::sregex_iterator at(list.begin(), list.end(), command), end; at != end; ++at) commands.push_back((*at)[1]);
  return commands;
}

// f(words of the command, its --help), for each command there is.
template <class F>
void each_command(const Desk& desk, const Words& command, F&& f) {
  const Outcome o = desk.cairn(command + Words{"--help"});
  REQUIRE(o.code == 0);
  f(command, o.out);
  for (const std::string& inner : commands_of(o.out)) each_command(desk, command + Words{inner}, f);
}

TEST_CASE("completion: every command and every option") {
  const Desk desk;
  int commands = 0;
  each_command(desk, {}, [&](const Words& command, const std::string& help) {
    ++commands;
    const Words options = completed(desk, command + Words{"--"}), inner = completed(desk, command + Words{""});
    for (const std::string& option : options_of(help)) CHECK_MESSAGE(has(options, option), help, option);
    for (const std::string& name : commands_of(help)) CHECK_MESSAGE(has(inner, name), name);
  });
  CHECK(commands > 15);
  CHECK(completed(desk, {"resu"}) == Words{"resume"});
  CHECK(completed(desk, {"run", "case.toml", "--thr"}) == Words{"--threads"});
}

TEST_CASE("completion: every key, and the values of those that take words") {
  const Desk desk;
  const Words keys = completed(desk, {"run", "case.toml", "--set", ""});
  for (const KeyDoc& doc : scenario_keys()) {
    if (doc.type == KeyDoc::Type::table || doc.type == KeyDoc::Type::tables) continue;
    const std::string key = (doc.section.empty() ? "" : std::string(doc.section) + ".") + std::string(doc.key) + "=";
    CHECK_MESSAGE(has(keys, key), key);
  }
  CHECK(completed(desk, {"run", "--set", "contact.frict"}) == Words{"contact.friction="});
  CHECK(completed(desk, {"run", "--set=contact.frict"}) == Words{"--set=contact.friction="});
  CHECK(has(completed(desk, {"run", "--set", "contact.law=h"}), "contact.law=hertz_mindlin"));
  CHECK(completed(desk, {"run", "--set", "output.report=t"}) == Words{"output.report=true"});
  CHECK(completed(desk, {"run", "--set", "run.scheme=taylor3,rk"}).empty());
  CHECK(has(completed(desk, {"sweep", "case.toml", "--set", "run.scheme=taylor3,rk"}), "run.scheme=taylor3,rk4"));
  CHECK(completed(desk, {"run", "--set", "run.end=1"}).empty());
  CHECK(completed(desk, {"run", ""}).empty());  // the shell's own files

  write(desk / "case.toml", "[[wall]]\nname = \"floor\"\n[[wall]]\nname = \"lid\"\n");
  CHECK(completed(desk, {"run", "case.toml", "--set", "wall.li"}).at(0).starts_with("wall.lid."));
  CHECK(has(completed(desk, {"run", "case.toml", "--set", "wall."}), "wall.floor.motion.rate="));
  CHECK(completed(desk, {"run", "nowhere.toml", "--set", "wall.li"}).empty());
}

TEST_CASE("completion: schemes, laws, families and ready cases") {
  const Desk desk;
  const Words schemes = completed(desk, {"schemes", ""}),
              one = completed(desk, {"study", "orders", "--scheme", "rk4,tayl"});
  for (const SchemeEntry& e : scheme_catalogue()) CHECK(has(schemes, std::string(e.claims.name)));
  CHECK(has(one, "rk4,taylor3"));
  CHECK(has(completed(desk, {"laws", ""}), "kuwabara_kono"));
  CHECK(has(completed(desk, {"restitution", "--law", "hert"}), "hertz_mindlin"));
  CHECK(has(completed(desk, {"schemes", "--family", ""}), "one-step"));
  CHECK(completed(desk, {"new", "pou"}) == Words{"pour"});
  CHECK(has(completed(desk, {"completion", ""}), "fish"));
  const Outcome o = desk.cairn({"completion", "bsh"});
  CHECK(o.code == 2);
  CHECK(o.tells("there is no completion for 'bsh'; expected bash, zsh or fish; did you mean 'bash'?"));
  for (const char* shell : {"bash", "zsh", "fish"})
    CHECK(desk.cairn({"completion", shell}).out ==
          content(CAIRN_SOURCE_DIR "/packaging/completion." + std::string(shell)));
}

TEST_CASE("man: every command with every option, and the exit codes of docs/running.md") {
  const Desk desk;
  std::string page = desk.cairn({"man"}).out;
  page = std::regex_replace(page, std::regex(R"(\\f[BIR]|\\&)"), "");
  page = std::regex_replace(page, std::regex(R"(\\-)"), "-");
  each_command(desk, {}, [&](const Words& command, const std::string& help) {
    std::string name = "cairn";
    for (const std::string& word : command) name += " " + word;
    CAPTURE(name);
    const std::size_t begin = command.empty() ? page.find(".SH OPTIONS") : page.find(".SS " + name + "\n");
    REQUIRE(begin != page.npos);
    const std::string section = page.substr(begin, page.find("\n.S", begin + 1) - begin);
    for (const std::string& option : options_of(help))
      CHECK_MESSAGE(std::regex_search(section, std::regex("\n(-\\w, )?" + option + "[ \n]")), option);
  });
  const std::string running = content(CAIRN_SOURCE_DIR "/docs/running.md");
  const std::string codes = running.substr(running.find("## Exit codes"));
  static const std::regex row(R"(\n\| ([\d, ]+) \| (.*) \|)");
  int rows = 0;
  for (std::sregex_iterator at(codes.begin(), codes.end(), row), end; at != end; ++at, ++rows) {
    const std::string code = (*at)[1], meaning = std::regex_replace((*at)[2].str(), std::regex("`"), "");
    CHECK_MESSAGE(page.find(".B " + code + "\n" + meaning + "\n") != page.npos, code, ": ", meaning);
  }
  CHECK(rows == 10);
}

}  // namespace
}  // namespace cairn
