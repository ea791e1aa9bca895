// The C interface as callers of other languages meet it. tests/python drives it further.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "cairn/facade/cairn.h"

namespace {

// Grains that fall into a box, and more that an emitter brings, so that arrays grow and are re-ordered.
const std::string text =
    "[run]\nscheme = 'rk4'\nstep = 1e-4\nend = 0.2\n[contact]\nstiffness = 2e3\nrestitution = 0.5\nfriction = 0.3\n"
    "[space]\ngravity = [0, 0, -9.81]\n[[material]]\ndensity = 2500\n"
    "[[wall]]\ntype = 'box'\nside = 'inside'\nlow = [-0.05, -0.05, 0]\nhigh = [0.05, 0.05, 0.5]\n"
    "[[grains]]\nkind = 'random'\nlow = [-0.05, -0.05, 0]\nhigh = [0.05, 0.05, 0.05]\nradius = 0.005\ncount = 60\n"
    "[[emitter]]\nposition = [0, 0, 0.2]\nradius = 0.004\nrate = 200\nvelocity = [0, 0, -1]\n[output]\nseries = 1e-2\n";

struct Held {
  cairn_simulation* s = nullptr;
  explicit Held(const std::vector<const char*>& overrides = {}) {
    const cairn_scenario scenario{text.data(), text.size(), "case", overrides.data(), overrides.size()};
    REQUIRE(cairn_simulation_new(&scenario, 0, &s) == CAIRN_OK);
  }
  Held(const Held&) = delete;
  ~Held() { cairn_simulation_free(s); }
};

constexpr double always = std::numeric_limits<double>::infinity();

std::uint64_t hash_of(cairn_simulation* s) {
  cairn_status status{};
  REQUIRE(cairn_look(s, 1, &status) == CAIRN_OK);
  return status.hash;
}

std::vector<char> bytes_of(const cairn_view& view) {
  const char* const from = static_cast<const char*>(view.data);
  std::vector<char> bytes;
  std::size_t row = 0;  // the fields of a row, without what stands between
  for (std::int64_t k = 0; k < view.count; ++k)
    row = std::max(row, view.fields[k].offset + static_cast<std::size_t>(view.fields[k].components) *
                                                    (view.fields[k].type == CAIRN_INT32 ? 4u : 8u));
  for (std::int64_t i = 0; i < view.rows; ++i)
    bytes.insert(bytes.end(), from + static_cast<std::size_t>(i) * view.stride,
                 from + static_cast<std::size_t>(i) * view.stride + row);
  return bytes;
}

}  // namespace

TEST_CASE("kept memory shows what it showed, and changes no bit of the run") {
  Held plain, watched;
  REQUIRE(cairn_advance(plain.s, 2000, always) == CAIRN_OK);
  struct Kept {
    cairn_view view;
    std::vector<char> bytes;
  };
  std::vector<Kept> all;
  std::vector<cairn_memory*> memories;
  for (int round = 0; round < 20; ++round) {
    std::vector<bool> seen(16);
    for (std::int32_t array = 0; array < CAIRN_ARRAYS; ++array) {
      cairn_view view{};
      REQUIRE(cairn_view_of(watched.s, array, &view) == CAIRN_OK);
      if (view.rows == 0) continue;
      all.push_back({view, bytes_of(view)});
      seen[static_cast<std::size_t>(view.block)] = true;
    }
    for (std::size_t block = 0; block < seen.size(); ++block)
      if (seen[block])
        REQUIRE(cairn_keep(watched.s, static_cast<std::int32_t>(block), &memories.emplace_back()) == CAIRN_OK);
    REQUIRE(cairn_advance(watched.s, 100, always) == CAIRN_OK);
  }
  CHECK(hash_of(watched.s) == hash_of(plain.s));
  CHECK(all.size() > 150);
  for (const Kept& kept : all) CHECK(bytes_of(kept.view) == kept.bytes);
  for (cairn_memory* memory : memories) cairn_release(memory);
}

TEST_CASE("errors are codes with texts") {
  cairn_simulation* s = nullptr;
  const std::string bad = "[run]\nstep = 0\n";
  const cairn_scenario scenario{bad.data(), bad.size(), "bad", nullptr, 0};
  CHECK(cairn_simulation_new(&scenario, 0, &s) == CAIRN_BAD_INPUT);
  CHECK(s == nullptr);
  CHECK(std::string(cairn_error()).find("bad:2:8: run.step") != std::string::npos);
  cairn_buffer json{};
  REQUIRE(cairn_validate(&scenario, &json) == CAIRN_OK);
  CHECK(std::string(json.data, json.size).find("\"line\":2,\"column\":8,\"key\":\"run.step\"") != std::string::npos);
  cairn_free(&json);
  CHECK(json.data == nullptr);
  CHECK(cairn_advance(nullptr, 1, always) == CAIRN_MISUSE);
  CHECK(cairn_simulation_resume("nothing", 7, nullptr, 0, 0, &s) == CAIRN_CORRUPT);
  Held held;
  cairn_view view{};
  CHECK(cairn_view_of(held.s, CAIRN_ARRAYS, &view) == CAIRN_MISUSE);
  CHECK(cairn_schemes("rk5", &json) == CAIRN_BAD_INPUT);
  CHECK(cairn_interface() == CAIRN_INTERFACE);
}

TEST_CASE("after an error in the middle of a step nothing goes on, after one that undid the step all does") {
  const auto with = [](const char* scheme) {
    return std::vector<const char*>{scheme,
                                    "run.step=5e-3",
                                    "run.end=1",
                                    "contact.restitution=0.001",
                                    "guards.step=off",
                                    "guards.travel=off",
                                    "guards.overlap=off",
                                    "guards.residual=off"};
  };
  cairn_buffer bytes{};
  Held broken(with("run.scheme=velocity_verlet_implicit"));
  REQUIRE(cairn_advance(broken.s, 200, always) == CAIRN_GUARD);
  REQUIRE(std::string(cairn_error()).find("implicit dashpots did not converge") != std::string::npos);
  CHECK(cairn_advance(broken.s, 1, always) == CAIRN_GUARD);
  CHECK(std::string(cairn_error()).find("the last step before it was whole") != std::string::npos);
  CHECK(cairn_checkpoint(broken.s, &bytes) == CAIRN_GUARD);
  Held undone(with("run.scheme=gauss2_zero"));
  REQUIRE(cairn_advance(undone.s, 200, always) == CAIRN_GUARD);
  REQUIRE(std::string(cairn_error()).find("did not converge") != std::string::npos);
  CHECK(cairn_checkpoint(undone.s, &bytes) == CAIRN_OK);
  cairn_free(&bytes);
}

TEST_CASE("a checkpoint goes on to the same bits, and a change is part of the scenario") {
  Held whole, half;
  REQUIRE(cairn_advance(whole.s, 1000, always) == CAIRN_OK);
  REQUIRE(cairn_advance(half.s, 333, always) == CAIRN_OK);
  cairn_buffer bytes{};
  REQUIRE(cairn_checkpoint(half.s, &bytes) == CAIRN_OK);
  cairn_simulation* next = nullptr;
  REQUIRE(cairn_simulation_resume(bytes.data, bytes.size, nullptr, 0, 0, &next) == CAIRN_OK);
  REQUIRE(cairn_advance(next, 667, always) == CAIRN_OK);
  CHECK(hash_of(next) == hash_of(whole.s));
  const char* const change = "contact.friction=0.05";
  REQUIRE(cairn_change(next, &change, 1) == CAIRN_OK);
  REQUIRE(cairn_advance(next, 500, always) == CAIRN_OK);
  REQUIRE(cairn_advance(whole.s, 500, always) == CAIRN_OK);
  CHECK(hash_of(next) != hash_of(whole.s));
  cairn_buffer scenario{};
  REQUIRE(cairn_scenario_of(next, &scenario) == CAIRN_OK);
  CHECK(std::string(scenario.data).find("[[change]]") != std::string::npos);
  const char* const fixed = "contact.law='hertz_mindlin'";
  CHECK(cairn_change(next, &fixed, 1) == CAIRN_BAD_INPUT);
  CHECK(std::string(cairn_error()).find("cannot change") != std::string::npos);
  cairn_free(&bytes), cairn_free(&scenario);
  cairn_simulation_free(next);
}

namespace {

template <class Call>
std::string text_of(Call&& call) {
  cairn_buffer buffer{};
  REQUIRE(call(&buffer) == CAIRN_OK);
  const std::string copy(buffer.data, buffer.size);
  cairn_free(&buffer);
  return copy;
}

}  // namespace

TEST_CASE("keys of a scenario's text, as they stand in it") {
  const std::string toml = "[run]\nstep = '5 us'  # short\n[[wall]]\nlow = [0, 1.5]\nmotion = { rate = 2 }\n";
  const cairn_scenario scenario{toml.data(), toml.size(), "case", nullptr, 0};
  CHECK(text_of([&](cairn_buffer* to) { return cairn_keys(&scenario, to); }) ==
        R"([{"key":"run","table":true,"line":1,"column":1},{"key":"run.step","value":"5 us","line":2,"column":8},)"
        R"({"key":"wall.0","table":true,"line":3,"column":1},{"key":"wall.0.low","value":[0,1.5],"line":4,"column":7},)"
        R"({"key":"wall.0.motion","table":true,"line":5,"column":10,"braces":true},)"
        R"({"key":"wall.0.motion.rate","value":2,"line":5,"column":19}])");
  const std::string broken = "[run\n";
  const cairn_scenario no_toml{broken.data(), broken.size(), "case", nullptr, 0};
  cairn_buffer json{};
  CHECK(cairn_keys(&no_toml, &json) == CAIRN_BAD_INPUT);
}

TEST_CASE("tables and the scene change no bit of a run") {
  Held plain, watched;
  REQUIRE(cairn_advance(plain.s, 500, always) == CAIRN_OK);
  std::string scene, series;
  for (int round = 0; round < 5; ++round) {
    REQUIRE(cairn_advance(watched.s, 100, always) == CAIRN_OK);
    scene = text_of([&](cairn_buffer* to) { return cairn_scene(watched.s, to); });
    series = text_of([&](cairn_buffer* to) { return cairn_table(watched.s, "series.csv", to); });
    const std::string grains = text_of([&](cairn_buffer* to) { return cairn_table(watched.s, "final.csv", to); });
    cairn_status status{};
    REQUIRE(cairn_look(watched.s, 0, &status) == CAIRN_OK);
    CHECK(std::count(grains.begin(), grains.end(), '\n') == 3 + status.grains);
  }
  CHECK(hash_of(watched.s) == hash_of(plain.s));
  CHECK(series == text_of([&](cairn_buffer* to) { return cairn_table(plain.s, "series.csv", to); }));
  CHECK(series.starts_with("# cairn "));
  CHECK(std::count(series.begin(), series.end(), '\n') == 3 + 6);  // every 10 ms of 50 ms, and the start
  // A box has six faces, but the top of this one is far above the view.
  std::size_t faces = 0;
  for (std::size_t at = 0; (at = scene.find("\"corners\"", at)) != std::string::npos; ++at) ++faces;
  CHECK(faces == 5);
  CHECK(scene.find("\"by\":\"speed\"") != std::string::npos);
  cairn_buffer csv{};
  CHECK(cairn_table(watched.s, "nothing.csv", &csv) == CAIRN_MISUSE);
}
