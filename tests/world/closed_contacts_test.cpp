// Contacts seen one by one, against closed forms.
#include <doctest/doctest.h>

#include "worlds.hpp"

namespace cairn {
namespace {

TEST_CASE("closed contacts: k times the overlap, between grains, over a periodic border, at a wall") {
  WorldSettings settings = linear_settings({{"stiffness", 1000.0}});
  settings.cell = PeriodicCell::from({0, 0, 0}, {10, 0, 0});
  add_plane(settings, {0, 0, 0}, {0, 0, 1});
  World w(settings);
  const GrainData grains[] = {{.position = {4, 0, 5}, .radius = 0.5, .mass = 1},
                              {.position = {4.75, 0, 5}, .radius = 0.3, .mass = 1},
                              {.position = {9.8, 0, 9}, .radius = 0.5, .mass = 1},
                              {.position = {0.7, 0, 9}, .radius = 0.5, .mass = 1},
                              {.position = {7, 0, 0.4}, .radius = 0.5, .mass = 1}};
  w.insert(grains);
  w.begin();
  const std::vector<ContactView> all = w.closed_contacts();
  REQUIRE(all.size() == 3);
  const auto check = [](const Vector& a, const Vector& b) { CHECK(norm(a - b) < 1e-9); };
  CHECK(all[0].first == 0);
  CHECK(all[0].second == 1);
  CHECK(all[0].overlap == doctest::Approx(0.05));
  check(all[0].normal, {-50, 0, 0});  // on the first
  check(all[0].tangential, {});
  check(all[0].from, {4, 0, 5});
  check(all[0].to, {4.75, 0, 5});
  CHECK(all[1].second == 3);
  check(all[1].normal, {-100, 0, 0});
  check(all[1].to, {10.7, 0, 9});  // the nearest image
  CHECK(all[2].first == 4);
  CHECK(all[2].second == -1);
  check(all[2].normal, {0, 0, 100});
  check(all[2].to, {7, 0, 0});
}

}  // namespace
}  // namespace cairn
