// The colours of pictures: which number they show, over which range, and what the legend says.
#include "cairn/render/look.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "cairn/render/colours.hpp"
#include "cairn/render/legend.hpp"
#include "cairn/render/letters.hpp"
#include "cairn/render/scene.hpp"
#include "worlds.hpp"

namespace cairn {
namespace {

// Two grains that touch and one apart, of two materials.
World three_grains() {
  WorldSettings settings;
  settings.laws = law_table("linear", {Material{.name = "fine"}, Material{.name = "coarse"}}, [](auto, auto) {
    return ContactSettings{{"stiffness", 1e3}};
  });
  settings.materials = 2, settings.gravity = {0, 0, -9.81};
  World w(settings);
  const GrainData grains[] = {
      {.position = {0, 0, 0}, .velocity = {3, 0, -4}, .radius = 0.1, .mass = 1, .material = 1},
      {.position = {0.29, 0, 0}, .velocity = {0, 1, 0}, .spin = {0, 6, 8}, .radius = 0.2, .mass = 1, .material = 0},
      {.position = {0, 0, 1.9}, .radius = 0.1, .mass = 1, .material = 1}};
  w.insert(grains);
  w.begin();
  return w;
}
Scenario two_materials() {
  Scenario s;
  s.materials = {Material{.name = "fine"}, Material{.name = "coarse"}};
  return s;
}
std::multiset<Real> values(const World& w, const Scenario& s, const Look& look) {
  const Scene scene = scene_of(w, s, look);
  std::multiset<Real> all;
  for (int i = 0; i < scene.balls.size(); ++i) all.insert(scene.balls[i].value);
  return all;
}

TEST_CASE("colours: each choice shows its number") {
  const World w = three_grains();
  Scenario s = two_materials();
  const auto shown = [&](Colouring by) {
    s.colour = by;
    return values(w, s, first_look(w, s));
  };
  CHECK(shown(Colouring::material) == std::multiset<Real>{0, 1, 1});
  CHECK(shown(Colouring::size) == std::multiset<Real>{0.1, 0.1, 0.2});
  CHECK(shown(Colouring::speed) == std::multiset<Real>{0, 1, 5});
  CHECK(shown(Colouring::coordination) == std::multiset<Real>{0, 1, 1});
  CHECK(shown(Colouring::spin) == std::multiset<Real>{0, 0, 10});
  CHECK(shown(Colouring::velocity_x) == std::multiset<Real>{0, 0, 3});
  CHECK(shown(Colouring::velocity_y) == std::multiset<Real>{0, 0, 1});
  CHECK(shown(Colouring::velocity_z) == std::multiset<Real>{-4, 0, 0});
  // 1 kg under gravity, and a contact of 1e3 N/m that is 0.01 m deep, across gravity.
  const auto force = shown(Colouring::force);
  CHECK(*force.begin() == doctest::Approx(9.81));
  CHECK(*force.rbegin() == doctest::Approx(std::hypot(9.81, 10)));
  // That force on a lever of 0.1 m less half the depth, over three times the volume of a ball of 0.1 m.
  const auto pressure = shown(Colouring::pressure);
  CHECK(*pressure.begin() == 0);
  CHECK(*pressure.rbegin() == doctest::Approx(10 * 0.095 / (3 * 4.0 / 3 * pi * 1e-3)));
  CHECK(*shown(Colouring::temperature).begin() == 0);
}

TEST_CASE("colours: by material where grains have several, else by speed") {
  const World w = three_grains();
  Scenario s = two_materials();
  const Look look = first_look(w, s);
  CHECK(look.by == Colouring::material);
  CHECK(look.materials == std::vector{0, 1});
  const ColourScale scale = scale_of(look, s);
  REQUIRE(scale.kinds.size() == 2);
  CHECK(scale.kinds[1].name == "coarse");

  const World one = linear_world({{"stiffness", 1e3}});
  CHECK(first_look(one, s).by == Colouring::speed);  // no grain has a material yet
  EmitterSpec spout;
  spout.grain.radius = 0.1, spout.grain.material = "coarse";
  s.emitters = {spout};
  CHECK(first_look(one, s).by == Colouring::speed);
  CHECK(first_look(one, s).materials == std::vector{1});
  spout.grain.material = "";  // the first
  s.emitters.push_back(spout);
  CHECK(first_look(one, s).by == Colouring::material);
}

TEST_CASE("colours: the range comes from the start, and is the one that was asked for") {
  const World w = three_grains();
  Scenario s = two_materials();
  const auto range = [&](Colouring by) {
    s.colour = by;
    const Look look = first_look(w, s);
    return std::pair(look.low, look.high);
  };
  CHECK(range(Colouring::size) == std::pair(0.1, 0.2));
  CHECK(range(Colouring::speed) == std::pair(0.0, 5.0));  // faster than a fall through a tenth of 2.1 m
  CHECK(range(Colouring::velocity_z) == std::pair(-5.0, 5.0));
  CHECK(range(Colouring::coordination) == std::pair(0.0, 8.0));
  const Real density = 1 / (4.0 / 3 * pi * 1e-3);  // the largest
  CHECK(range(Colouring::pressure).second > density * 9.81 * 2.1);
  CHECK(range(Colouring::pressure).second < 1.5 * density * 9.81 * 2.1);
  s.walls.push_back({.name = "drum",
                     .shape = CylinderWall{.axis = {0, 1, 0}, .radius = 3},
                     .motion = {.axis = {0, 1, 0}, .rotation_rate = 3}});
  CHECK(range(Colouring::speed).second > 9);
  EmitterSpec spout;
  spout.grain.radius = 0.5, spout.radius_spread = 0.2;
  s.emitters = {spout};
  CHECK(range(Colouring::size).second == doctest::Approx(0.6));
  s.colour_range = {{2, 7}};
  CHECK(range(Colouring::speed) == std::pair(2.0, 7.0));
  s.colour = Colouring::velocity_z;
  CHECK(scale_of(first_look(w, s), s).label == "velocity z [m/s]");
}

TEST_CASE("colours: a run that goes on keeps its range, unless it is asked for another") {
  const World w = three_grains();
  Scenario s = two_materials();
  s.colour = Colouring::speed;
  Look look = first_look(w, s);
  look.high = 7;  // of an earlier start
  recolour(look, w, s);
  CHECK(look.high == 7);
  s.colour.reset();
  recolour(look, w, s);
  CHECK(look.by == Colouring::speed);
  CHECK(look.high == 7);
  s.colour = Colouring::size;
  recolour(look, w, s);
  CHECK(look.by == Colouring::size);
  CHECK(look.high == 0.2);
  s.colour_range = {{0, 1}};
  recolour(look, w, s);
  CHECK(look.high == 1);
}

TEST_CASE("legend: has a letter for every name") {
  const auto drawn = [](char c) {
    return c == ' ' || std::any_of(std::begin(render::letters), std::end(render::letters),
                                   [&](const render::Letter& letter) { return letter.name == c; });
  };
  for (const std::string& words : {std::string("abcdefghijklmnopqrstuvwxyz"), std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
                                   std::string("0123456789 .,:-_+=/[]()%")})
    for (const char c : words) CHECK_MESSAGE(drawn(c), c);
  for (std::size_t k = 0; k < std::size(colourings); ++k) {
    const ColouringName name = name_of(static_cast<Colouring>(k));
    for (const char c : std::string(name.quantity) + name.unit) CHECK_MESSAGE(drawn(c), c);
  }
}

TEST_CASE("legend: names have the colours of their grains, and stay in the picture") {
  ColourScale scale{.label = "material"};
  for (int k = 0; k < 40; ++k) scale.kinds.push_back({k, "material number " + std::to_string(k)});
  Image image{1200, 900, std::vector<std::uint8_t>(3 * 1200 * 900, 255)};
  render::draw_legend(image, scale);
  const auto has = [&](int kind) {
    const auto colour = render::colour_of_kind(kind);
    for (std::size_t k = 0; k < image.rgb.size(); k += 3)
      if (std::equal(colour.begin(), colour.end(), &image.rgb[k])) return true;
    return false;
  };
  CHECK(has(0));
  CHECK(has(1));
  CHECK_FALSE(has(8));  // without room
  for (std::size_t row = 0; row < 900; ++row) CHECK(image.rgb[3 * (1200 * row + 1199)] == 255);
}

TEST_CASE("legend: the bar leaves room for the widest number") {
  const std::vector<std::uint8_t> white(3 * 1200 * 900, 255);
  for (const Real high : {1.0, 0.0066, 2.592e-4, -1e-100}) {
    Image image{1200, 900, white};
    render::draw_legend(image, {.low = -6.48e-05, .high = high, .label = "speed [m/s]"});
    CHECK(image.rgb != white);
    for (std::size_t row = 0; row < 900; ++row)
      for (std::size_t column = 1200 - 10; column < 1200; ++column)
        REQUIRE(image.rgb[3 * (1200 * row + column)] == 255);
  }
}

TEST_CASE("scene: walls have a thickness where they end; a solid shows where the view cuts it") {
  World w = linear_world({{"stiffness", 1e3}}, {0, 0, -9.81});
  const GrainData grain{.position = {0, 0, 0.5}, .radius = 0.5, .mass = 1};
  w.insert(std::span(&grain, 1));
  Scenario s;
  const Look look{.view = {{-1, -1, 0}, {1, 1, 1}}};
  const auto sections = [&] {
    std::vector<Patch> all;
    for (const Patch& patch : scene_of(w, s, look).patches)
      if (patch.section) all.push_back(patch);
    return all;
  };
  // A floor: the two edges towards the viewer, who stands at +x, -y. Strips go down by the same thickness.
  s.walls = {{.name = "floor", .shape = PlaneWall{}}};
  const std::vector<Patch> floor = sections();
  REQUIRE(floor.size() == 2);
  for (const Patch& strip : floor) {
    Real low = 1, high = -1;
    for (const Vector& a : strip.corners) low = std::min(low, a.z), high = std::max(high, a.z);
    CHECK(high == doctest::Approx(0).epsilon(1e-4));
    CHECK(low == doctest::Approx(-0.02 * 3));  // of the view's diagonal
  }
  // A box: floor, left and far side are drawn. The floor has strips in front and on the right, each side one in front
  // or on the right and one on top, where the box is open.
  s.walls = {{.name = "box", .shape = BoxWall{.low = {-1, -1, 0}, .high = {1, 1, 1}}}};
  CHECK(sections().size() == 6);
  // A drum has the whole of its rim.
  s.walls = {{.name = "drum", .shape = CylinderWall{.axis = {0, 1, 0}, .radius = 1, .length = 1}}};
  const std::vector<Patch> drum = sections();
  CHECK(std::count_if(drum.begin(), drum.end(), [](const Patch& patch) {
          return std::all_of(patch.corners.begin(), patch.corners.end(),
                             [](const Vector& a) { return std::fabs(a.y + 0.5) < 1e-9; });
        }) == 72);
  // A table that is longer than the view ends with a face of its own.
  s.walls = {
      {.name = "table", .shape = BoxWall{.side = WallSide::outside, .low = {-1, -50, -0.5}, .high = {1, 50, 0}}}};
  const auto towards_viewer = [](const Patch& patch) {
    const auto& c = patch.corners;
    return cross(c[1] - c[0], c[2] - c[1]).y < 0;
  };
  int caps = 0;
  for (const Patch& patch : scene_of(w, s, look).patches)
    if (patch.section && towards_viewer(patch)) {
      ++caps;
      for (const Vector& a : patch.corners) CHECK(a.y == doctest::Approx(-1 - 0.04 * 3));
    }
  CHECK(caps == 1);
  // In two dimensions one sees the section alone, at the grains.
  s.dimension = 2;
  s.walls = {{.name = "floor", .shape = PlaneWall{}}};
  const std::vector<Patch> line = sections();
  REQUIRE(line.size() == 1);
  for (const Vector& a : line[0].corners) CHECK(a.y == 0);
}

}  // namespace
}  // namespace cairn
