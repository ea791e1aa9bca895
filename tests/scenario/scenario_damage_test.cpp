// All faults of a scenario file are told, however many and wherever; nothing but errors comes out of damaged files.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "cairn/core/hash.hpp"
#include "cairn/core/text.hpp"
#include "scenario/scenario_checks.hpp"

namespace cairn {
namespace {

TEST_CASE("scenario: all faults of a file are told at once, without those that only follow from others") {
  const std::string text =
      "[run]\nstpe = 1e-4\nend = '1 m'\n[contact]\nstiffness = 1e5\nrestituton = 0.5\n"
      "[[wall]]\ntype = 'plain'\nnormal = [0, 0, 1]\nradius = 3\n[[grain]]\nradius = -1\n";
  check_refused(
      [&] { parse_scenario(text, "f"); },
      "f:2:1: run.stpe: no such key; expected one of scheme, step, accuracy, end, threads, tolerance, smallest_step, "
      "largest_step, seed, onset; did you mean 'step'?\nf:3:7: run.end: found '1 m', which is not a quantity in s; "
      "expected a number > 0 in s\nf:6:1: contact.restituton: no such key; expected one of ~; did you mean "
      "'restitution'?\nf:8:8: wall.0.type: found the text 'plain'; expected 'plane', 'box' or 'cylinder'; did you mean "
      "'plane'?\nf:11:1: grain.0.position: missing; expected 3 numbers [x, y, z] in m (position of the "
      "grain's centre), here or by --set grain.0.position=...\nf:12:10: grain.0.radius: found -1; expected a number > "
      "0 in m");
  // An unknown section hides no other fault. The keys that it was meant to hold are not reported as missing.
  const std::string misspelt =
      "[rnu]\nstep = 1\n[contact]\nstifness = 1\n[[wall]]\ntype = 'plain'\n[[grain]]\nradius = -1\n";
  const std::string told = message_of([&] { parse_scenario(misspelt, "f"); });
  for (const char* fault : {"f:1:2: rnu: no such key", "did you mean 'run'?", "f:4:1: contact.stifness: no such key",
                            "f:6:8: wall.0.type: found the text 'plain'", "f:7:1: grain.0.position: missing",
                            "f:8:10: grain.0.radius: found -1"})
    CHECK_MESSAGE(told.find(fault) != std::string::npos, told);
  CHECK_MESSAGE(std::count(told.begin(), told.end(), '\n') == 4, told);
  // Nor does one that is like no other; what is missing then is missing.
  const std::string strange = message_of([] { parse_scenario("[weather]\nwind = 1\n", "f"); });
  for (const char* fault : {"f:1:2: weather: no such key", "run.step: missing", "contact.stiffness: missing"})
    CHECK_MESSAGE(strange.find(fault) != std::string::npos, strange);
  // Nor does a faulty key of [space], unless it leaves the dimension open.
  for (const char* space : {"gravty = [0, 0, 1]", "gravity = 1", "dimension = 2\nrotation = 1"}) {
    const std::string both = message_of([&] {
      parse_scenario("[space]\n" + std::string(space) + "\n" + smallest + "[[wall]]\ntype = 'plain'\n", "f");
    });
    CHECK_MESSAGE(both.find("wall.0.type: found the text 'plain'") != std::string::npos, both);
    CHECK_MESSAGE(std::count(both.begin(), both.end(), '\n') == 1, both);
  }
  for (const char* space : {"dim = 2", "dimension = 4", "dimension = '2'"}) {
    const std::string one = message_of([&] {
      parse_scenario("[space]\n" + std::string(space) + "\n" + smallest + "[[wall]]\nnormal = [0, 1]\n", "f");
    });
    CHECK_MESSAGE(one.find('\n') == std::string::npos, one);
  }
  // Materials and the space that may stand in it are not taken for missing by what speaks of them.
  for (const char* name : {"[[materail]]\nname = 'glass'\n", "[spcae]\ndimension = 2\n", "material = 1\n"}) {
    const std::string one =
        message_of([&] { parse_scenario(name + smallest + "[[wall]]\nmaterial = 'glass'\nnormal = [0, 1]\n", "f"); });
    CHECK_MESSAGE(one.find('\n') == std::string::npos, one);
  }
}

// Overrides that make a section, or a kind of it, complete but for the key under test.
const std::map<std::string, const char*> around = {
    {"contact", "contact={}"},
    {"contact hertz_mindlin", "contact={law='hertz_mindlin'}"},
    {"contact kuwabara_kono", "contact={law='kuwabara_kono', stiffness=1}"},
    {"contact extended_nonlinear", "contact={law='extended_nonlinear', stiffness=1}"},
    {"contact extended_linear",
     "contact={law='extended_linear', restitution_factor=1, restitution_exponent=1, duration_factor=1, "
     "duration_exponent=1}"},
    {"contact impulse", "contact={law='impulse', restitution=1}"},
    {"pair", "pair=[{materials=['glass', 'glass']}]"},
    {"material", "material=[{name='glass'}, {name='steel'}]"},
    {"wall", "wall=[{type='cylinder', radius=1}]"},
    {"wall plane", "wall=[{}]"},
    {"wall box", "wall=[{type='box', low=[0, 0, 0], high=[1, 1, 1]}]"},
    {"wall.motion", "wall=[{motion={}}]"},
    {"wall.load", "wall=[{load={mass=1}}]"},
    {"change", "change=[{at=0.1, run={step=1e-5}}]"},
    {"grain", "grain=[{position=[0, 0, 0], radius=1}]"},
    {"grains", "grains=[{radius=1, region_radius=1}]"},
    {"grains data", "grains=[{kind='data', file='x'}]"},
    {"grains csv", "grains=[{kind='csv', file='x'}]"},
    {"grains.sizes", "grains=[{region_radius=1, sizes={kind='normal', mean=1, deviation=0.1}}]"},
    {"grains.sizes lognormal", "grains=[{region_radius=1, sizes={kind='lognormal', median=1, deviation=0.1}}]"},
    {"grains.sizes list", "grains=[{region_radius=1, sizes={kind='list', radii=[1], shares=[1]}}]"},
    {"grains.sizes table", "grains=[{region_radius=1, sizes={kind='table', file='x'}}]"},
    {"emitter", "emitter=[{place='top', radius=1}]"},
    {"emitter.sizes", "emitter=[{place='top', sizes={kind='normal', mean=1, deviation=0.1}}]"},
    {"emitter.sizes lognormal", "emitter=[{place='top', sizes={kind='lognormal', median=1, deviation=0.1}}]"},
    {"emitter.sizes list", "emitter=[{place='top', sizes={kind='list', radii=[1], shares=[1]}}]"},
    {"emitter.sizes table", "emitter=[{place='top', sizes={kind='table', file='x'}}]"},
    {"probe", "probe=[{point=[0, 0, 0], normal=[0, 0, 1]}]"},
    {"removal", "removal=[{point=[0, 0, 0], normal=[0, 0, 1]}]"},
};

TEST_CASE("scenario: no number beyond its range, nothing of another type") {
  for (const KeyDoc& doc : scenario_keys()) {
    const std::string section(doc.section), key(doc.key), kind(doc.only.substr(0, doc.only.find(' ')));
    std::vector<std::string> overrides;
    for (const std::string& name : {section + " " + kind, section})
      if (overrides.empty() && around.contains(name)) overrides.push_back(around.at(name));
    std::string path = section.empty() ? key : section + "." + key;
    if (overrides.size() == 1 && section != "contact") path.insert(path.find('.'), ".0");
    if (section == "pair" && around.contains("contact " + kind)) overrides.push_back(around.at("contact " + kind));
    if (kind == "hertz_mindlin") overrides.push_back("material.1.young=1");
    const auto refused = [&](const std::string& value) {
      std::vector<std::string> all = overrides;
      all.push_back(path + "=" + value);
      const std::string found = value == "x" ? "the text 'x'" : value;
      check_refused([&] { with(in_3d, all); },
                    "--set " + path + "=" + value + ": " + path + ": found " + found + "; expected ~");
    };
    const KeyDoc::Range& range = doc.range;
    if (std::isfinite(range.low)) refused(to_text(range.low_allowed ? range.low - 1 : range.low));
    if (std::isfinite(range.high)) refused(to_text(range.high_allowed ? range.high + 1 : range.high));
    if (doc.type == KeyDoc::Type::number) refused("inf");
    refused(doc.type == KeyDoc::Type::text || doc.type == KeyDoc::Type::choice ? "1" : "x");
    if (doc.type == KeyDoc::Type::table || doc.type == KeyDoc::Type::tables) refused("1");
  }
}

TEST_CASE("scenario: bytes that are no text, and depths without end") {
  const auto refused = [](const std::string& text, const std::string& message) {
    check_refused([&] { parse_scenario(text, "f"); }, message);
  };
  refused("", "f:1:1: run.step: missing; ~");
  refused("\n# nothing\n", "f:1:1: run.step: missing; ~");
  refused(std::string(1, '\0'), "f:1:1: found text that is not valid TOML: ~");
  const std::string not_utf8 = "f:6:9: found a byte that is not UTF-8; expected a text file in UTF-8";
  for (const char* bytes : {"\xff", "\x80", "\xc3", "\xc3(", "\xc0\xaf", "\xe0\x80\x80", "\xe2\x82", "\xed\xa0\x80",
                            "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"})
    for (const char* around : {"a = '   ?'", "a = \"   ?\"", "#       ?"}) {
      std::string text = around;
      refused(smallest + text.replace(text.find('?'), 1, bytes), not_utf8);
    }
  // Where toml++ would test U+1100 for a blank, which is undefined.
  const std::string bare = "f:6:~found '\u1100'; expected only ASCII outside quotes and comments";
  for (const char* text : {"a = \u1100", "\u1100 = 1", "a = 1\u1100", "a = true\u1100", "a = 'b'\u1100", "[a]\u1100"})
    refused(smallest + text, bare);
  for (const char* text : {"a = 1'\u1100'", "a = '1''\u1100'", "[a]'\u1100'", "a = [1'\u1100']", "a = [1[\"\u1100\"]]",
                           "a = +\"\u1100\"", "a = 1979-05-27 07\"\u1100\""})
    refused(smallest + text, "f:6:~ inside a key or a value; expected quotes around the whole key or value");
  refused(smallest + "a = 1a=\"\u1100\"", "f:6:7: found = after a number; expected a key that begins with a letter");
  refused(smallest + "a = \"\"\"\\\u1100\"\"\"", "f:6:5: found text of several lines; ~");
  CHECK(parse_scenario("\xef\xbb\xbf" + smallest, "f").end == 1);  // byte order mark
  CHECK(parse_scenario("title = 'ö \u1100 \U0001f600' # \u1100\n" + smallest, "f").title == "ö \u1100 \U0001f600");
  CHECK(parse_scenario("title = \"\\\"ö\\\\\" # 'ö\n" + smallest, "f").title == "\"ö\\");
  refused("title = 'öö' x\n", "f:1:14: found text that is not valid TOML: ~");  // columns count characters
  refused("a = \"\\\"\" \u1100", "f:1:10: found '\u1100'; ~");

  const auto repeated = [](const std::string& what, int times) {
    std::string text;
    for (int k = 0; k < times; ++k) text += what;
    return text;
  };
  for (const int depth : {20, 1000, 50000}) {
    refused("a = " + repeated("[", depth), "f:1:~");
    refused("a = " + repeated("{ a = ", depth), "f:1:~");
    refused("[" + repeated("a.", depth) + "a]", "f:1:19: found a key of too many parts; expected at most 3 parts");
    refused(repeated("a.", depth) + "a = 1", "f:1:18: found a key of too many parts; expected at most 3 parts");
    refused(repeated("a . ", depth) + "a = 1", "f:1:35: found a key of too many parts; expected at most 3 parts");
    refused(repeated("'a'.", depth) + "a = 1",
            "f:1:5: found ' inside a key or a value; expected quotes around the whole key or value");
    refused(repeated("[a]\n", depth), "f:2:1: found text that is not valid TOML: ~");
    refused(repeated("9", depth), "f:1:~");
    refused("run = " + repeated("9", depth), "f:1:~");
    refused(smallest + "x" + repeated("x", depth) + " = 1", "f:6:1: contact.xxx~impulses");
    check_refused([&] { with(smallest, {repeated("a.", depth) + "a=1"}); }, "--set a.~");
    check_refused([&] { with(smallest, {"title=" + repeated("[", depth)}); }, "--set title=~");
  }
}

// Only errors may come out of a file that was damaged.
TEST_CASE("scenario: thousands of damaged files") {
  const std::string pieces[] = {"[",     "]",   "[[", "]]",         "{",    "}",       "\"", "'",      "\"\"\"", "=",
                                ".",     ",",   "#",  "\n",         "\\",   "\\u00e9", "é",  "\u1100", "\xff",   "-",
                                "1e999", "nan", "0x", "1979-05-27", "true", "wall",    "\r", "\t"};
  const std::string good[] = {in_3d, alternatives, smallest};
  for (const std::string& text : good) CHECK_NOTHROW(parse_scenario(text, "f"));
  int accepted = 0, refused = 0;
  for (std::uint64_t n = 0; n < 6000; ++n) {
    std::uint64_t draws = 0;
    const auto below = [&](std::size_t limit) {
      return static_cast<std::size_t>(random_uniform(1, n, draws++) * static_cast<Real>(limit));
    };
    std::string text = good[below(std::size(good))];
    const std::size_t changes = 1 + below(2);
    for (std::size_t k = 0; k < changes; ++k) {
      const std::size_t at = below(text.size()), length = below(std::min<std::size_t>(20, text.size() - at));
      switch (below(5)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, pieces[below(std::size(pieces))]);
          break;
        case 3:
          text.insert(below(text.size()), text.substr(at, length));
          break;
        case 4:
          text.replace(at, length, pieces[below(std::size(pieces))]);
          break;
      }
    }
    try {
      const std::vector<std::string> overrides = {"run.end=2", text.substr(below(text.size()), below(30))};
      parse_scenario(text, "f", std::span(overrides).first(below(3)));
      ++accepted;
    } catch (const Error& e) {
      CHECK(e.code() == Exit::bad_input);
      ++refused;
    }
  }
  CHECK(accepted > 100);
  CHECK(refused > 1000);
}

}  // namespace
}  // namespace cairn
