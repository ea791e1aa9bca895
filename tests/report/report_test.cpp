// The words of a report against runs whose energies are known, and the contacts it lists.
#include "cairn/report/report.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "cairn/output/run_folder.hpp"
#include "cairn/render/figure.hpp"
#include "cairn/run/contact_summary.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "fresh_folder.hpp"

namespace cairn {
namespace {

constexpr const char* space = R"(
[run]
scheme = "velocity_verlet"
step = 1e-4
end = 0.01
[contact]
stiffness = 1e4
[[material]]
name = "glass"
density = 2500
[output]
pictures = 0
)";

struct Told {
  FreshFolder folder;
  std::string report;
  bool says(const std::string& words) const { return report.find(words) != report.npos; }
};

Told report_of_text(const std::string& text) {
  Told told;
  Simulation simulation(parse_scenario(text, "a.toml", {}));
  simulation.start();
  RunFolder run = RunFolder::create(FolderLock::make(told.folder / "out"), {"a.toml", text, {}}, simulation);
  while (!simulation.over()) run.observe(simulation.advance());
  run.finish();
  told.report = read_file(told.folder / "out/report.html");
  return told;
}

Told report_of(const std::string& scenario) {
  return report_of_text(space + scenario);
}

constexpr const char* thrown = R"(
[[grain]]
position = [0, 0, 0]
velocity = [2, 0, 0]
radius = 0.01
mass = 1
)";
constexpr const char* spout = R"(
[[emitter]]
name = "spout"
position = [0, 0, -5]
radius = 0.01
mass = 1
every = 1e-3
count = 3
)";

TEST_CASE("report: what began empty began with no energy, wherever its grains came") {
  const Told told = report_of(spout);
  CHECK(told.says("The run began without grains; new grains added "));
  CHECK_FALSE(told.says(" J of energy"));
  CHECK_FALSE(told.says("moving walls"));
  CHECK_FALSE(told.says("added -"));
}

TEST_CASE("report: energy that a change brings is not ascribed to walls alone") {
  const std::string scene = std::string("[space]\ngravity = [0, 0, -10]\n") + thrown + R"(
[[wall]]
name = "ceiling"
normal = [0, 0, -1]
point = [0, 0, 1]
motion = { velocity = [1, 0, 0] }
)";
  CHECK(report_of(scene).says("no energy was added from outside"));
  // The grain has left the origin by then, so that its gravitational energy jumps.
  CHECK(report_of(scene + "[[change]]\nat = 5e-3\nspace.gravity = [0, 0, 10]\n")
            .says("moving walls and changes of the scenario "));
  CHECK(report_of(scene + "[[change]]\nat = 5e-3\nrun.step = 5e-5\n").says("no energy was added from outside"));
}

TEST_CASE("report: changes that happened, with their times") {
  const std::string changes =
      "[[change]]\nname = \"tilt\"\nat = 5e-3\nspace.gravity = [1, 0, -9]\nrun.step = 5e-5\n"
      "[[change]]\nname = \"fast\"\nwhen = \"kinetic > 1 J\"\nlook = 1\nrun.step = 1e-4\n"
      "[[change]]\nname = \"late\"\nat = 1\nrun.step = 5e-5\n";
  const Told told = report_of(thrown + changes);
  CHECK(told.says("<h2>Changes</h2>"));
  CHECK(told.says("<td>0.005 s</td><td>tilt</td><td></td><td>space.gravity = [1, 0, -9]; run.step = 5e-05</td>"));
  CHECK(told.says("<td>0.005 s</td><td>fast</td><td>kinetic &gt; 1</td><td>run.step = 1e-04</td>"));
  CHECK_FALSE(told.says("<td>late</td>"));
  CHECK_FALSE(report_of(thrown).says("<h2>Changes</h2>"));
}

TEST_CASE("report: an elastic run lost nothing to dashpots") {
  const Told told = report_of(std::string("[space]\ngravity = [0, 0, 0]\n") + thrown);
  CHECK(
      told.says("The run began with 2 J of energy and no energy was added from outside. Shares of the total of 2 J: "
                "all is kinetic energy."));
  CHECK_FALSE(told.says("was dissipated by"));
  CHECK_FALSE(told.says("Gravitational energy counts"));
}

TEST_CASE("report: each energy has its colour, whichever others there are") {
  const Told slow = report_of(thrown), spinning = report_of(thrown + std::string("spin = [9, 0, 0]\n"));
  const std::string colour = curve_colour(2);
  for (const Told* told : {&slow, &spinning}) {
    const std::string script = read_file(told->folder / "out/figures/energy.gp");
    CHECK(script.find("lc rgb '" + colour + "' title 'gravitational'") != script.npos);
  }
  CHECK(spinning.says("\"rotational\""));
  CHECK_FALSE(slow.says("\"rotational\""));
}

TEST_CASE("report: mass flow, and its mean from the first grain to the last") {
  // A row of grains of 1 kg, 1 cm apart, passes a plane at 10 m/s: a thousand a second.
  std::string scenario =
      "[space]\ngravity = [0, 0, 0]\n[[removal]]\nname = \"sink\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n";
  for (int k = 0; k < 5; ++k)
    scenario += "[[grain]]\nposition = [0, 0, " + std::to_string(0.025 + 0.01 * k) +
                "]\nvelocity = [0, 0, -10]\nradius = 0.004\nmass = 1\n";
  const Told told = report_of(scenario);
  CHECK(told.says("\"Mass flow\""));
  CHECK(told.says("sink: 1000 kg/s from t = 0.0025 s to 0.0065 s, "));
  CHECK(told.says(", 5 kg in all."));
  CHECK(told.says("nothing touched"));
  CHECK_FALSE(report_of(thrown).says("Mass flow"));
}

TEST_CASE("report: the largest overlap, and whose it was") {
  // Elastic, head-on: v sqrt(m_eff / k) = 0.2 sqrt(0.05 / 1e4) m, after 1 ms and a quarter of a period.
  const Told told = report_of(R"(
[space]
gravity = [0, 0, 0]
[[grain]]
position = [0, 0, 0]
velocity = [0.2, 0, 0]
radius = 0.01
mass = 0.1
[[grain]]
position = [0.0202, 0, 0]
radius = 0.01
mass = 0.1
)");
  CHECK(told.says("4.5\u00a0%"));
  CHECK(told.says("of the smaller radius, grain 0 and grain 1, t = 0.0045 s"));
}

TEST_CASE("report: hard contacts lose energy to inelastic collisions, not to dashpots") {
  // A ball of 2 J hits another one of the same mass with e = 0.5: it loses (1 - e^2)/2 of its energy.
  for (const std::string law : {"impulse", "dynamics"}) {
    const Told told =
        report_of_text("[run]\nstep = 1e-3\nend = 0.1\n[space]\ngravity = [0, 0, 0]\n[contact]\nlaw = \"" + law +
                       "\"\nrestitution = 0.5\n[[material]]\nname = \"glass\"\ndensity = 2500\n"
                       "[output]\npictures = 0\nseries = 1e-3\n" +
                       thrown + "[[grain]]\nposition = [0.1, 0, 0]\nradius = 0.01\nmass = 1\n");
    CAPTURE(law);
    CHECK(told.says("38\u00a0% was dissipated by inelastic collisions and 62\u00a0% is kinetic energy"));
    CHECK_FALSE(told.says("was dissipated by dashpots"));
    CHECK(told.says("\"inelastic\""));
    CHECK(told.says(law == "impulse" ? "impulse_leapfrog" : "moreau_theta"));
    CHECK(told.says("Order on smooth forces"));
    for (const char* row : {"Order with dashpots", "Order with turning friction springs", "Order while sliding",
                            "Stability limit of h omega", "Gershgorin"})
      CHECK_FALSE(told.says(row));
    const std::string series = read_file(told.folder / "out/series.csv");
    for (const char* column : {"collisions", "wall_collisions", "sweeps", "solver_residual"})
      CHECK(series.find(column) != series.npos);
  }
}

TEST_CASE("contacts: of grains that have not come yet") {
  const std::string text = space + std::string("[[wall]]\ntype = \"plane\"\npoint = [0, 0, -6]\nnormal = [0, 0, 1]\n") +
                           spout + "first = 1\n";
  Simulation simulation(parse_scenario(text, "a.toml", {}));
  simulation.start();
  REQUIRE(simulation.world().size() == 0);
  const auto contacts =
      contact_summary(simulation.world(), simulation.scenario(), simulation.emitters().lightest()).shortest;
  REQUIRE(contacts.size() == 2);
  CHECK(contacts[0].second == "glass");
  CHECK(contacts[1].second == "wall of glass");
  // t_c = pi sqrt(m_eff / k), undamped; m_eff is half a grain's mass against a whole.
  CHECK(contacts[0].duration == doctest::Approx(3.14159265 * std::sqrt(0.5 / 1e4)).epsilon(1e-3));
  CHECK(contacts[1].duration == doctest::Approx(3.14159265 * std::sqrt(1 / 1e4)).epsilon(1e-3));
  CHECK(contact_summary(simulation.world(), simulation.scenario(), {}).shortest.empty());
}

}  // namespace
}  // namespace cairn
