// What a run says of its contacts: how many there were, and what its step makes of the shortest.
#include <doctest/doctest.h>

#include <cmath>

#include "program/desk.hpp"

namespace cairn {
namespace {

// A ball of 0.02 m between two walls 0.1 m apart flies 0.06 m between contacts, which last pi sqrt(m/k) = 5.15 ms where
// it is elastic, at 1 m/s: the first begins after 30 ms, the next 60 ms + 5.15 ms later each.
constexpr const char* between_walls = R"(
[run]
scheme = "velocity_verlet"
step = 2.5e-4
[space]
gravity = [0, 0, 0]
[contact]
stiffness = 1000
[[material]]
name = "rubber"
[[wall]]
type = "plane"
point = [0, 0, -0.05]
normal = [0, 0, 1]
[[wall]]
type = "plane"
point = [0, 0, 0.05]
normal = [0, 0, -1]
[[grain]]
position = [0, 0, 0]
velocity = [0, 0, 1]
radius = 0.02
mass = 0.00269
)";

TEST_CASE("run: contacts of a ball between two walls are counted, and told") {
  const Desk desk;
  write(desk / "a.toml", between_walls);
  const Real lasts = 3.14159265358979 * std::sqrt(0.00269 / 1000);
  for (const std::string onset : {"off", "on"}) {
    const int contacts = 7;
    const auto end = [&](int began, Real after) { return std::to_string(0.03 + (began - 1) * (0.06 + lasts) + after); };
    const Words common = set({"run.onset=" + onset});
    const json open = desk.run("open", "a.toml", common + set({"run.end=" + end(contacts, 0.03)}));
    CHECK(open["onset"] == (onset == "on"));
    CHECK(open["contact_count"]["began"] == contacts);
    CHECK(open["contact_count"]["ended"] == contacts);
    CHECK(std::fabs(open["contact_count"]["shortest_steps"].get<Real>() - lasts / 2.5e-4) <= 1);
    const json& collision = open["shortest_collision"];
    CHECK(collision["first"] == "rubber");
    CHECK(collision["second"] == "wall of rubber");
    CHECK(collision["restitution"].get<Real>() == doctest::Approx(1));
    CHECK(collision["steps"].get<Real>() == doctest::Approx(lasts / 2.5e-4).epsilon(1e-4));
    CHECK(collision["measured_at_steps"] == collision["steps"]);
    for (const char* error : {"error_onset_off", "error_onset_on"}) {
      CHECK(collision[error].get<Real>() > 0);
      CHECK(collision[error].get<Real>() < 0.01);
    }
    // In the middle of the last.
    const json closed = desk.run("closed", "a.toml", common + set({"run.end=" + end(contacts, 0.5 * lasts)}));
    CHECK(closed["contact_count"]["began"] == contacts);
    CHECK(closed["contact_count"]["ended"] == contacts - 1);

    // What is printed, and what is known before.
    const Words run = Words{"a.toml"} + common + set({"run.end=" + end(contacts, 0.03), "contact.restitution=0.8"});
    const Outcome told = desk.cairn(Words{"run", "--out", "told"} + run);
    REQUIRE_MESSAGE(told.code == 0, told.err);
    CHECK(told.out.find("contacts: ") != told.out.npos);
    const std::size_t at = told.out.find("a head-on collision of rubber with wall of rubber at 1 m/s takes ");
    REQUIRE(at != told.out.npos);
    const std::string words = told.out.substr(at, told.out.find('\n', at) - at);
    CHECK(words.find("expected error of its restitution 0.8: ") != words.npos);
    CHECK((words.find("(onset off, as here)") != words.npos) == (onset == "off"));
    CHECK((words.find("(onset on, as here)") != words.npos) == (onset == "on"));
    CHECK(content(desk / "told" / "report.html").find(words.substr(1)) != std::string::npos);
    CHECK(desk.cairn(Words{"check"} + run).out.find(words) != std::string::npos);
    const json before = json::parse(desk.cairn(Words{"check", "--json"} + run).out);
    CHECK(before["shortest_collision"] == json::parse(content(desk / "told" / "summary.json"))["shortest_collision"]);
  }
}

TEST_CASE("run: no figure where there is none to give") {
  const Desk desk;
  write(desk / "a.toml", between_walls);
  const auto collision = [&](const Words& changes) {
    const Outcome o = desk.cairn(Words{"check", "a.toml", "--json"} + set({"run.end=0.01"}) + changes);
    REQUIRE_MESSAGE(o.code == 0, o.err);
    return json::parse(o.out)["shortest_collision"];
  };
  CHECK(collision(set({"run.scheme=dormand_prince54"})).is_null());
  CHECK(collision(set({"run.step=3e-3", "guards.step=off"}))["error_onset_off"].is_null());
  const Outcome coarse = desk.cairn(Words{"run", "a.toml", "--out", "out"} + unseen() +
                                    set({"run.end=0.01", "run.step=3e-3", "guards.step=off"}));
  CHECK(coarse.out.find("takes 1.72 steps, too few steps to resolve it") != coarse.out.npos);
}

}  // namespace
}  // namespace cairn
