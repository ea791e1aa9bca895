// cairn equilibrium and cairn study statics, as their user meets them.
#include "desk.hpp"

namespace cairn {
namespace {

// A column of ten grains at rest, whose heights and elastic energy are known.
const char* const column_case = R"(
[run]
scheme = "velocity_verlet"
step = 1e-4
end = 0.1
[space]
dimension = 1
gravity = [-9.81]
[contact]
law = "linear"
stiffness = 40000
damping = 0
[[wall]]
name = "floor"
type = "plane"
point = [0]
normal = [1]
[output]
pictures = 0
report = false
)";

std::string column_text(int grains) {
  std::string text = column_case;
  for (int j = 0; j < grains; ++j)
    text += "[[grain]]\nposition = [" + std::to_string(0.3 + 0.6 * j) + "]\nradius = 0.3\nmass = 1\n";
  return text;
}

}  // namespace

TEST_CASE("every method finds the column at rest, and a run from there stays at rest") {
  Desk desk;
  write(desk / "column.toml", column_text(10));
  const Real exact = 9.81 * 9.81 * 10 * 11 * 21 / (12 * 40000.0);
  for (const std::string method : {"newton", "southwell", "gauss_seidel", "damped"}) {
    const Outcome o =
        desk.cairn(words("equilibrium column.toml --json --csv h.csv --force --out at_rest --method " + method));
    REQUIRE(o.code == 0);
    const json j = json::parse(o.out);
    CHECK(j["converged"] == true);
    CHECK(j["method"] == method);
    CHECK(j["unbalanced_force_ratio"].get<Real>() <= 1e-8);
    CHECK(j["elastic_energy"].get<Real>() == doctest::Approx(exact).epsilon(1e-6));
    CHECK(fs::exists(desk / "at_rest/convergence.csv"));
    CHECK(CsvTable(desk / "h.csv").column("unbalanced_force_ratio").back() <= 1e-8);
  }
  REQUIRE(desk.cairn(words("resume at_rest --quiet")).code == 0);
  const CsvTable series(desk / "at_rest/series.csv");
  CHECK(series.column("time").back() == doctest::Approx(0.1));
  for (const Real kinetic : series.column("kinetic")) CHECK(kinetic < 1e-12);
  for (const Real elastic : series.column("elastic")) CHECK(elastic == doctest::Approx(exact).epsilon(1e-6));
}

TEST_CASE("equilibrium.html shows the convergence, its figures and how to go on") {
  Desk desk;
  write(desk / "column.toml", "title = \"twenty grains\"\n" + column_text(20));
  const Outcome o = desk.cairn(words("equilibrium column.toml --method damped --json --out at_rest"));
  REQUIRE(o.code == 0);
  const json j = json::parse(o.out);
  const std::string page = content(desk / "at_rest/equilibrium.html");
  const auto says = [&](const std::string& what) { return page.find(what) != page.npos; };
  CHECK(says("<title>twenty grains</title>"));
  CHECK(says("method damped"));
  CHECK(says("damped: the residual force is within its tolerance, after " + std::to_string(j["iterations"].get<int>()) +
             " steps"));
  CHECK(says("20 grains, 20 contacts; unbalanced force ratio "));
  CHECK(says("within the tolerance"));
  CHECK_FALSE(says("There is no equilibrium"));
  CHECK(says("cairn resume at_rest"));
  // The plot: its numbers are those of the table.
  CHECK(says("Convergence of damped"));
  const std::string begins = "<script type=\"application/json\">";
  const std::size_t at = page.find(begins);
  REQUIRE(at != page.npos);
  const json plot = json::parse(page.substr(at + begins.size(), page.find("</script>", at) - at - begins.size()));
  const CsvTable table(desk / "at_rest/convergence.csv");
  CHECK(plot["names"] == json({"unbalanced_force_ratio", "residual_over_first"}));
  CHECK(plot["columns"][0].back().get<Real>() ==
        doctest::Approx(j["unbalanced_force_ratio"].get<Real>()).epsilon(1e-3));
  CHECK(plot["columns"][1].front() == 1);
  CHECK(table.column("unbalanced_force_ratio").back() ==
        doctest::Approx(j["unbalanced_force_ratio"].get<Real>()).epsilon(1e-6));
  CHECK(table.rows.size() > 10);

  const Outcome few = desk.cairn(words("equilibrium column.toml --method southwell --most 3 --quiet --out few"));
  CHECK(few.code == 3);
  CHECK(content(desk / "few/equilibrium.html")
            .find("There is no equilibrium within the tolerance of 1e-08: the limit of iterations is reached, at") !=
        std::string::npos);
}

TEST_CASE("equilibrium says what it cannot do") {
  Desk desk;
  write(desk / "column.toml", column_text(3));
  const auto refuses = [&](const std::string& command, const std::string& what) {
    const Outcome o = desk.cairn(words(command));
    CHECK(o.code == 2);
    CHECK(o.err.find(what) != std::string::npos);
  };
  refuses("equilibrium column.toml --method newtn", "did you mean 'newton'");
  refuses("equilibrium", "needs a scenario");
  refuses("equilibrium column.toml --set wall.floor.motion.velocity=[1]", "wall 'floor' moves");
  const Outcome few = desk.cairn(words("equilibrium column.toml --method southwell --most 3"));
  CHECK(few.code == 3);
  CHECK(few.err.find("the limit of iterations is reached") != std::string::npos);
  const Outcome away = desk.cairn(words("equilibrium column.toml --set space.gravity=[9.81]"));
  CHECK(away.code == 3);
  CHECK(away.err.find("no equilibrium within the tolerance of 1e-08: the grains fall") != std::string::npos);
  CHECK(away.out.find("3 grains, no contacts\n") != std::string::npos);
  const Outcome above = desk.cairn(words("equilibrium column.toml --set space.gravity=[9.81] --quiet --out above"));
  CHECK(above.code == 3);
  CHECK(content(desk / "above/equilibrium.html").find("none</div><div class=\"note\">no contacts") !=
        std::string::npos);
}

}  // namespace cairn
