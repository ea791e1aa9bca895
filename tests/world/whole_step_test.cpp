// Contacts over whole steps, with springs in closed form, against the general kernel, which follows them by stages.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "cairn/core/hash.hpp"
#include "cairn/run/registry.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

struct Outcome {
  std::vector<Vector> numbers;  // velocities and spins
  Real residual;                // [J]
};

using Start = std::vector<GrainData>;

// Three grains of different sizes that meet obliquely and spin.
const Start meeting{
    {.position = {0, 0, 0}, .velocity = {0.3, 0, 0.1}, .spin = {20, -9, 31}, .radius = 0.01, .mass = 0.01},
    {.position = {0.0301, 0.002, 0}, .velocity = {-0.4, 0.3, 0}, .spin = {-4, 40, 7}, .radius = 0.02, .mass = 0.05},
    {.position = {-0.005, -0.0251, 0.003},
     .velocity = {0, 0.5, -0.1},
     .spin = {12, 3, -25},
     .radius = 0.015,
     .mass = 0.02}};
// Three that touch already, and go on touching.
Start touching() {
  Start grains = meeting;
  grains[1].position = {0.0297, 0.002, 0}, grains[2].position = {-0.005, -0.0241, 0.003};
  for (GrainData& g : grains) g.velocity = 0.1 * g.velocity, g.spin = 0.1 * g.spin;
  return grains;
}

// A grain that meets a surface obliquely and spins.
struct WallMeeting {
  std::string name;
  GrainData grain;
  Surface surface;
  bool loaded = false;
};
std::vector<WallMeeting> wall_meetings() {
  const GrainData falls{.velocity = {0.3, -0.1, -0.4}, .spin = {20, -9, 31}, .radius = 0.01, .mass = 0.01};
  const auto from = [&](const Vector& place) {
    GrainData grain = falls;
    grain.position = place;
    return grain;
  };
  const Motion swings{.velocity = {-0.1, 0.2, 0}, .amplitude = {2e-4, 1e-4, -3e-4}, .frequency = 60, .phase = 0.15};
  const auto turns = [](const Vector& axis, const Vector& centre, Real rate) {
    return Motion{.axis = axis, .centre = centre, .rotation_rate = rate};
  };
  return {{"plane", from({0, 0, 0.0101}), {.shape = PlaneSurface{}, .direction = {0, 0, 1}, .motion = swings}},
          {"loaded plane", from({0, 0, 0.0101}), {.shape = PlaneSurface{}, .direction = {0, 0, 1}, .motion = {}}, true},
          {"disc",
           from({0.02, 0.01, 0.0101}),
           {.shape = PlaneSurface{}, .direction = {0, 0, 1}, .motion = turns({0, 0, 1}, {}, 15)}},
          {"tilting plane",
           from({0.02, 0, 0.0101}),
           {.shape = PlaneSurface{}, .direction = {0, 0, 1}, .motion = turns({0, 1, 0}, {}, -6), .turns = true}},
          {"drum",
           from({0.005, 0, -0.0395}),
           {.shape = InnerCylinder{0.05}, .direction = {0, 1, 0}, .motion = turns({0, 1, 0}, {}, 7)}},
          {"bar",
           from({0.005, 0.003, 0.0297}),
           {.shape = OuterCylinder{0.02}, .direction = {0.6, 0.8, 0}, .motion = swings}},
          {"edge of a box",
           from({0.0364, 0, 0.0278}),
           {.shape = SolidBox{{0.03, 0.03, 0.02}}, .direction = {}, .motion = {.velocity = {0.1, 0.1, 0.2}}}}};
}

// In a time that the steps divide.
Outcome collide(WorldSettings s, const Start& grains, const std::string& scheme, Real end, int steps, bool general) {
  s.general_kernel = general;
  World w(s);
  w.insert(grains);
  w.begin();
  const Real h = end / steps;
  for (int k = 0; k < steps; ++k) scheme_named(scheme).advance(w, h);
  REQUIRE(w.contact_count().begun + w.contacts() >= std::min(2, w.size()));
  Outcome out{{}, w.residual(w.energies())};
  for (const int i : by_id(w))
    for (const int row : {BodyRow::v, BodyRow::w}) out.numbers.push_back(w.state().body.at(row, i));
  return out;
}

Real distance(const Outcome& a, const Outcome& b) {
  Real sum = 0;
  for (std::size_t k = 0; k < a.numbers.size(); ++k)
    sum += dot(a.numbers[k] - b.numbers[k], a.numbers[k] - b.numbers[k]);
  return std::sqrt(sum);
}

// That many times as many steps bring both kernels, and both sides of the balance, closer by more than `closer`.
void check_order(const WorldSettings& s, const Start& grains, const std::string& scheme, Real end, int coarse,
                 int times = 8, Real closer = 40) {
  Real apart[2], residual[2];
  for (const int fine : {0, 1}) {
    const int steps = fine ? times * coarse : coarse;
    const Outcome closed = collide(s, grains, scheme, end, steps, false);
    const Outcome staged = collide(s, grains, scheme, end, steps, true);
    apart[fine] = distance(closed, staged), residual[fine] = std::fabs(closed.residual);
  }
  INFO("apart ", apart[0], " and ", apart[1], ", residual ", residual[0], " and ", residual[1]);
  CHECK(apart[1] > 0);  // they are two
  CHECK(apart[0] / apart[1] > closer);
  CHECK(residual[0] / residual[1] > closer);
}

}  // namespace

TEST_CASE("both kernels agree to second order, and the ledger closes to second order") {
  for (const Real friction : {0.05, 0.3, 5.0})
    for (const Real tangential_damping : {0.0, 3.0}) {
      INFO("friction ", friction, ", tangential damping ", tangential_damping);
      WorldSettings s = linear_settings({{"stiffness", 2e4},
                                         {"restitution", 0.7},
                                         {"friction", friction},
                                         {"tangential_ratio", 0.8},
                                         {"tangential_damping", tangential_damping}});
      s.onset = true;
      // Beside a dashpot contacts begin to slide within a step, and the asymptotic range is reached later.
      check_order(s, meeting, "velocity_verlet_predicted", 0.02, tangential_damping > 0 ? 8000 : 4000);
    }
}

TEST_CASE("springs that stiffen: both kernels agree to second order while contacts last") {
  for (const Real friction : {0.05, 5.0})
    for (const Real restitution : {1.0, 0.6}) {
      INFO("friction ", friction, ", restitution ", restitution);
      ContactSettings settings{{"friction", friction}};
      if (restitution < 1) settings["restitution"] = restitution;
      WorldSettings s;
      s.laws = law_table("hertz_mindlin", {Material{.name = "glass", .young = 2e6, .poisson = 0.3}},
                         [&](auto, auto) { return settings; });
      s.onset = false;
      check_order(s, touching(), "velocity_verlet_predicted", 2e-3, 200);
    }
}

TEST_CASE("contacts with walls: both kernels agree to second order, and the ledger closes to second order") {
  for (const WallMeeting& m : wall_meetings())
    for (const Real friction : {0.1, 5.0})
      for (const bool damped : {false, true}) {
        INFO(m.name, ", friction ", friction, ", damped ", damped);
        WorldSettings s = linear_settings({{"stiffness", 2e4},
                                           {"restitution", 0.7},
                                           {"friction", friction},
                                           {"tangential_ratio", 0.8},
                                           {"tangential_damping", damped ? 3.0 : 0.0}});
        s.onset = true;
        s.surfaces = {m.surface}, s.walls = {m.name};
        if (m.loaded) {
          s.surfaces[0].loaded = 0;
          s.loaded_walls = {{.wall = 0, .mass = 0.05, .load = {2, -3, 5}, .damping = 3}};
        }
        // Contacts begin to slide within a step, which shifts the ratio either way; first order would give 32.
        check_order(s, {m.grain}, "velocity_verlet_predicted", 4e-3, 1000, 32, 180);
      }
}
