#include <doctest/doctest.h>

#include "cairn/core/error.hpp"
#include "cairn/studies/sweep/grid.hpp"

namespace cairn::studies {
namespace {

std::vector<std::string> values(const std::string& setting) {
  return sweep_grid(std::vector{setting}).keys.at(0).values;
}

TEST_CASE("sweep: commas within quotes and brackets belong to a value") {
  using Values = std::vector<std::string>;
  CHECK(values("a.b=1,2, 3") == Values{"1", "2", "3"});
  CHECK(values("a.b=[0, 0, 1],[1, 0, 0]") == Values{"[0, 0, 1]", "[1, 0, 0]"});
  CHECK(values("run.scheme=rk4,newmark(0.25,0.5)") == Values{"rk4", "newmark(0.25,0.5)"});
  CHECK(values(R"(title="a, b",'c, d',"e\", f")") == Values{R"("a, b")", "'c, d'", R"("e\", f")"});
  CHECK(values("wall.0.motion={rate=1,axis=[0,0,1]},{}") == Values{"{rate=1,axis=[0,0,1]}", "{}"});
  CHECK(values("grains.file=a=b.csv") == Values{"a=b.csv"});
}

TEST_CASE("sweep: the last key changes fastest; folders are named after what differs") {
  const SweepGrid grid = sweep_grid(std::vector<std::string>{"a.x=1,2", "run.end=3", "a.y=[0, 1],\"8 mm\",u/v"});
  REQUIRE(grid.points.size() == 6);
  CHECK(grid.points[0].name == "a.x=1,a.y=_0,1_");
  CHECK(grid.points[1].name == "a.x=1,a.y=8mm");
  CHECK(grid.points[2].name == "a.x=1,a.y=u_v");
  CHECK(grid.points[5].overrides == std::vector<std::string>{"a.x=2", "run.end=3", "a.y=u/v"});
  CHECK(sweep_grid(std::vector<std::string>{"a.x=1", "a.y=2"}).points.at(0).name == "a.x=1,a.y=2");
  const std::string longer = "title=" + std::string(300, 'a');
  const std::string name = sweep_grid(std::vector{longer + "," + std::string(299, 'a') + "b"}).points.at(1).name;
  CHECK(name.size() < 200);
}

TEST_CASE("sweep: values become numbers in the unit of their key") {
  const auto numbers = [](const std::string& setting) { return numbers_of(sweep_grid(std::vector{setting}).keys[0]); };
  CHECK(numbers("grains.radius=8 mm,1 cm,0.02").values == std::vector<Real>{0.008, 0.01, 0.02});
  CHECK(numbers("grains.radius=8 mm,1 cm").unit == "m");
  CHECK(numbers("removal.0.point.2=\"1 cm\",2").values == std::vector<Real>{0.01, 2});
  CHECK(numbers("wall.drum.motion.frequency=20 Hz,5").unit == "Hz");
  CHECK(numbers("contact.friction=0.1,0.2").unit == "1");
  CHECK(numbers("run.scheme=rk4,taylor3").values.empty());
  CHECK(numbers("wall.normal=[0, 0, 1],[1, 0, 0]").values.empty());
}

}  // namespace
}  // namespace cairn::studies
