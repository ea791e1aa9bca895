// The renderer against geometry: where a ball's outline lies, what hides what, and what a PNG decodes to.
#include "cairn/render/picture.hpp"

#include <doctest/doctest.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "cairn/render/scene.hpp"
#include "worlds.hpp"

namespace cairn {
namespace {

// Looks along +y from 10 m away; the picture's middle is the origin.
Camera plain_camera() {
  Camera camera;
  camera.eye = {0, -10, 0}, camera.right = {1, 0, 0}, camera.up = {0, 0, 1}, camera.forward = {0, 1, 0};
  camera.focal = 2000, camera.centre_x = 500, camera.centre_y = 450;
  return camera;
}

struct Pixel {
  int r, g, b;
  bool yellow() const { return r > b + 40; }  // a ball of value 1; of value 0: violet, b > g
  bool violet() const { return b > g + 15; }
  friend bool operator==(const Pixel&, const Pixel&) = default;
};
Pixel at(const Image& image, Real x, Real y) {
  const std::uint8_t* p = &image.rgb[3 * (static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x))];
  return {p[0], p[1], p[2]};
}

Image drawn(const Scene& scene) {
  return draw(scene, plain_camera(), {}, "", 1);
}

TEST_CASE("picture: a ball's outline is the cone of its tangents") {
  const Vector centre{1, 0, 0};
  const Real radius = 0.5, distance = std::hypot(1.0, 10.0);
  const Image image = drawn({{{centre, radius, 1}}, {}, {}});
  const Real axis = std::atan2(1.0, 10.0), half = std::asin(radius / distance);
  const Real left = 500 + 2000 * std::tan(axis - half), right = 500 + 2000 * std::tan(axis + half);
  CHECK_FALSE(at(image, left - 1.5, 450).yellow());
  CHECK(at(image, left + 1.5, 450).yellow());
  CHECK(at(image, right - 1.5, 450).yellow());
  CHECK_FALSE(at(image, right + 1.5, 450).yellow());
  // Above the middle the outline in the plane of the eye, the axis z and the ball's centre.
  const Real up = 2000 * std::tan(half) * distance / 10;
  CHECK(at(image, 500 + 2000 * 0.1, 450 - up + 3).yellow());
  CHECK_FALSE(at(image, 500 + 2000 * 0.1, 450 - up - 3).yellow());
  const Camera::Place middle = plain_camera().project(centre);
  CHECK(middle.x == doctest::Approx(700));
  CHECK(middle.y == doctest::Approx(450));
  CHECK(middle.depth == doctest::Approx(10));
}

TEST_CASE("picture: the nearer ball hides the farther, in any order") {
  const Ball near{{0, -2, 0}, 0.3, 1}, far{{0, 2, 0}, 0.8, 0};
  for (const auto& balls : {std::vector{near, far}, std::vector{far, near}}) {
    const Image image = drawn({balls, {}, {}});
    CHECK(at(image, 500, 450).yellow());
    CHECK(at(image, 500 + 2000 * 0.6 / 12, 450).violet());  // beside the near one
  }
  // Of two that are equally near the lower id is seen.
  for (const int first : {0, 1}) {
    const Image both =
        drawn({{{{0, 0, 0}, 0.3, 1.0 - first, first}, {{0, 0, 0}, 0.3, 1.0 * first, 1 - first}}, {}, {}});
    CHECK(at(both, 500, 450).yellow());
  }
  // Spheres that cut each other meet where both surfaces are as near: here in the middle between them.
  const Image cut = drawn({{{{-0.2, 0, 0}, 0.5, 1}, {{0.2, 0, 0}, 0.5, 0}}, {}, {}});
  CHECK(at(cut, 500 - 6, 450).yellow());
  CHECK(at(cut, 500 + 6, 450).violet());
}

TEST_CASE("picture: a patch is seen from in front, and hides what is behind it") {
  const std::vector<Vector> facing{{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};  // towards -y
  const Ball behind{{0, 3, 0}, 0.5, 1};
  CHECK_FALSE(at(drawn({{behind}, {{facing}}, {}}), 500, 450).yellow());
  CHECK(at(drawn({{behind}, {{{facing.rbegin(), facing.rend()}}}, {}}), 500, 450).yellow());
  const Image empty = drawn({}), with = drawn({{}, {{facing}}, {}});
  CHECK(at(with, 500 - 2000 * 0.1 + 2, 450) != at(empty, 500 - 2000 * 0.1 + 2, 450));
  CHECK(at(with, 500 - 2000 * 0.1 - 2, 450) == at(empty, 500 - 2000 * 0.1 - 2, 450));
}

TEST_CASE("picture: the same on any number of threads; balls around and behind the eye are left out") {
  Scene scene;
  scene.balls = {3000, [](int k) {
                   return Ball{{std::sin(1.0 * k), std::cos(2.0 * k), std::sin(3.0 * k)}, 0.05, k / 3000.0};
                 }};
  const Image one = draw(scene, plain_camera(), {}, "t = 1 s", 1),
              three = draw(scene, plain_camera(), {}, "t = 1 s", 3);
  CHECK(one.rgb == three.rgb);
  CHECK(drawn({{{{0, -10, 0}, 1, 1}, {{0, -20, 0}, 1, 1}}, {}, {}}).rgb == drawn({}).rgb);
}

TEST_CASE("picture: a PNG decodes to the same pixels") {
  const Image image = drawn({{{{0, 0, 0}, 1, 0.5}}, {}, {}});
  const std::string bytes = encode_png(image);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()));
  png.format = PNG_FORMAT_RGB;
  CHECK(png.width == 1200);
  CHECK(png.height == 900);
  std::vector<std::uint8_t> rgb(PNG_IMAGE_SIZE(png));
  REQUIRE(png_image_finish_read(&png, nullptr, rgb.data(), 0, nullptr));
  CHECK(rgb == image.rgb);
}

TEST_CASE("picture: colours grow lighter with the value") {
  Real last = -1;
  for (int k = 0; k <= 50; ++k) {
    const auto c = colour_of(k / 50.0);
    const Real luminance = 0.2126 * std::pow(c[0] / 255.0, 2.2) + 0.7152 * std::pow(c[1] / 255.0, 2.2) +
                           0.0722 * std::pow(c[2] / 255.0, 2.2);
    CHECK(luminance > last);
    last = luminance;
  }
}

TEST_CASE("picture: the camera sees the whole box, as large as fits") {
  for (const Vector& size : {Vector{1, 1, 1}, Vector{1e-3, 1e-3, 50e-3}, Vector{9e3, 1, 1}, Vector{0, 0, 2}}) {
    const Vector low{5, -3, 1}, high = low + size;
    const Camera camera = camera_around(low, high, {0.5, -1, 0.42});
    Real left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    for (int k = 0; k < 8; ++k) {
      const auto p = camera.project({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
      left = std::min(left, p.x), right = std::max(right, p.x), top = std::min(top, p.y),
      bottom = std::max(bottom, p.y);
    }
    CHECK(left > 0);
    CHECK(right < camera.width - 130);  // the colour bar's
    CHECK(top > 0);
    CHECK(bottom < camera.height);
    CHECK((right - left > 900 || bottom - top > 700));
  }
}

TEST_CASE("view: of grains and what holds them; a few far away are left out, grains that leave are followed") {
  World w = linear_world({{"stiffness", 1e3}});
  std::vector<GrainData> grains;
  for (int k = 0; k < 200; ++k)
    grains.push_back({.position = {0.1 * (k % 10), 0.1 * (k / 10 % 10), 0.1 * (k / 100)}, .radius = 0.04, .mass = 1});
  grains.push_back({.position = {1e4, 0, 0}, .radius = 0.04, .mass = 1});
  w.insert(grains);
  w.begin();
  Scenario scenario;
  View view = first_view(w, scenario);
  CHECK(view.low.x == doctest::Approx(-0.04));
  CHECK(view.high.x == doctest::Approx(0.94));
  CHECK(view.high.z == doctest::Approx(0.14));
  const View before = view;
  follow(view, w, scenario);
  CHECK(view.high == before.high);
  for (int i = 0; i < 100; ++i) w.state().body.row(BodyRow::x + 2)[i] += 3;
  follow(view, w, scenario);
  CHECK(view.high.z > 3);

  // A tall box is cut above the grains; its floor is seen.
  scenario.walls.push_back({.name = "box", .shape = BoxWall{.low = {-0.5, -0.5, -0.5}, .high = {1.5, 1.5, 100}}});
  WorldSettings with_box = linear_settings({{"stiffness", 1e3}}, {0, 0, -9.81});
  World boxed(with_box);
  boxed.insert(std::span(grains).first(200));
  const View held = first_view(boxed, scenario);
  CHECK(held.low == Vector{-0.5, -0.5, -0.5});
  CHECK(held.high.x == 1.5);
  CHECK(held.high.z < 5);
}

WallSpec plane(const Vector& point, const Vector& normal) {
  return {.shape = PlaneWall{point, normal}};
}

Real area(const Patch& patch) {
  Vector sum{};
  for (std::size_t k = 0; k < patch.corners.size(); ++k)
    sum += 0.5 * cross(patch.corners[k], patch.corners[(k + 1) % patch.corners.size()]);
  return norm(sum);
}

std::vector<Patch> faces_of(const Scene& scene) {
  std::vector<Patch> faces;
  std::copy_if(scene.patches.begin(), scene.patches.end(), std::back_inserter(faces),
               [](const Patch& patch) { return !patch.section; });
  return faces;
}

TEST_CASE("scene: planes end where they meet, and at a period; removals are dashed") {
  WorldSettings settings = linear_settings({{"stiffness", 1e3}}, {0, 0, -9.81});
  settings.cell = PeriodicCell::from({0, 0, 0}, {0, 2, 0});
  World w(settings);
  const GrainData grains[] = {{.position = {-2, 1, 4}, .radius = 0.5, .mass = 1},
                              {.position = {2, 1, 4}, .radius = 0.5, .mass = 1}};
  w.insert(grains);
  Scenario scenario;
  scenario.walls = {plane({0, 0, 0}, {1, 0, 1}), plane({0, 0, 0}, {-1, 0, 1}), plane({-3, 0, 0}, {1, 0, 0}),
                    plane({3, 0, 0}, {-1, 0, 0}), plane({0, 0, -7}, {0, 0, 1})};
  scenario.removals = {
      {.name = "slot", .region = {.kind = RegionSpec::Kind::half_space, .point = {0, 0, 1}, .normal = {0, 0, 1}}}};
  const Look look{.view = {{-3, 0, 0}, {3, 2, 6}}};
  const Scene scene = scene_of(w, scenario, look);
  const std::vector<Patch> faces = faces_of(scene);
  const auto free = [&](const Vector& a) {
    Real least = a.y < 1 ? a.y : 2 - a.y;
    for (const WallSpec& wall : scenario.walls) {
      const auto& [point, normal] = std::get<PlaneWall>(wall.shape);
      least = std::min(least, dot(a - point, normal));
    }
    return least > -1e-4;
  };
  REQUIRE(faces.size() == 4);  // no grain reaches the lowest plane
  for (const Patch& patch : faces)
    for (const Vector& a : patch.corners) CHECK_MESSAGE(free(a), a.x, " ", a.y, " ", a.z);
  // From the tip to the sides: (0, 0) to (3, 3), two deep.
  for (const int slope : {0, 1}) CHECK(area(faces[slope]) == doctest::Approx(2 * 3 * std::sqrt(2.0)));
  int dashed = 0, faint = 0;
  for (const Line& line : scene.lines) {
    CHECK(free(line.from));
    CHECK(free(line.to));
    faint += line.stroke == Line::Stroke::faint;
    if (line.stroke != Line::Stroke::dashed) continue;
    ++dashed;
    for (const Vector& a : {line.from, line.to}) {
      CHECK(a.z == doctest::Approx(1));
      CHECK(std::fabs(a.x) == doctest::Approx(1));
    }
  }
  CHECK(dashed == 4);
  CHECK(faint == 10);  // two faces with five sides

  scenario.removals[0].from = 1;  // not yet
  CHECK(scene_of(w, scenario, look).lines.size() == scene.lines.size() - 4);
}

TEST_CASE("scene: a floor fills the pipe that stands on it") {
  World w = linear_world({{"stiffness", 1e3}}, {0, 0, -9.81});
  const GrainData grain{.position = {0, 0, 2}, .radius = 0.5, .mass = 1};
  w.insert(std::span(&grain, 1));
  Scenario scenario;
  scenario.walls = {plane({0, 0, 1}, {0, 0, 1}), {.shape = CylinderWall{.radius = 1}}};
  const std::vector<Patch> faces = faces_of(scene_of(w, scenario, {.view = {{-1, -1, 0}, {1, 1, 4}}}));
  REQUIRE(faces.size() == 73);
  CHECK(area(faces[0]) == doctest::Approx(3.14159265).epsilon(2e-3));
  for (const Patch& patch : faces)
    for (const Vector& a : patch.corners) {
      CHECK(a.z > 1 - 1e-4);
      CHECK(std::hypot(a.x, a.y) < 1 + 1e-4);
    }
}

}  // namespace
}  // namespace cairn
