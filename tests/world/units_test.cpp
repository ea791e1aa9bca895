// Results do not depend on the units: a case scaled in length, mass and time has the same steps, scaled.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "cairn/run/registry.hpp"
#include "worlds.hpp"

namespace cairn {
namespace {

struct Units {
  Real length, mass, time;
};

// Three spheres thrown onto each other and a plane: they bounce, slide and come to rest.
World thrown(const Units& u) {
  const Real speed = u.length / u.time;
  ContactSettings contact;
  contact["stiffness"] = 2e4 * u.mass / (u.time * u.time), contact["restitution"] = 0.6, contact["friction"] = 0.4;
  WorldSettings s = linear_settings(contact, (u.length / (u.time * u.time)) * Vector{0, 0, -9.81});
  add_plane(s, {}, {0, 0, 1});
  World w(s);
  std::vector<GrainData> grains;
  const auto add = [&](const Vector& x, const Vector& v, Real radius) {
    grains.push_back({.position = u.length * x,
                      .velocity = speed * v,
                      .spin = (1 / u.time) * Vector{3, -7, 2},
                      .radius = radius * u.length,
                      .mass = 8 * radius * radius * radius * u.mass});
  };
  add({0, 0, 0.51}, {1, 0.3, -1}, 0.5), add({1.01, 0.1, 0.45}, {-1, 0.2, 0}, 0.4),
      add({0.5, 0.3, 1.3}, {0, 0, -2}, 0.3);
  w.insert(grains);
  w.begin();
  return w;
}

constexpr Real step = 2e-3;  // about a tenth of the shortest contact
constexpr int steps = 512;
const char* const schemes[] = {"implicit_midpoint",       "newmark", "backward_euler", "bdf2", "gauss2_newton",
                               "velocity_verlet_implicit"};

}  // namespace

TEST_CASE("units: scaled by powers of two a case has the same steps to the bit") {
  const Units one{1, 1, 1}, small{0x1p-30, 0x1p-90, 0x1p-30};
  for (const char* name : schemes) {
    if (std::string(name) == "bdf2") continue;  // its memory is scaled by 1 / h - 1 and another once: not homogeneous
    INFO(std::string(name));
    const SchemeEntry& scheme = scheme_named(name);
    World a = thrown(one), b = thrown(small);
    bool same = true;
    for (int k = 0; k < steps; ++k) {
      scheme.advance(a, step), scheme.advance(b, step * small.time);
      for (int i = 0; i < a.size(); ++i) {
        const Vector x = (1 / small.length) * b.position(i) - a.position(i), v = b.velocity(i) - a.velocity(i);
        same = same && dot(x, x) == 0 && dot(v, v) == 0;
      }
    }
    CHECK(same);
    const Effort &p = a.controller().effort, &q = b.controller().effort;
    CHECK(p.iterations == q.iterations);
    CHECK(p.evaluations == q.evaluations);
    CHECK(p.unsettled == q.unsettled);
  }
}

TEST_CASE("units: nanometres settle as metres do") {
  for (const char* name : schemes) {
    INFO(std::string(name));
    const SchemeEntry& scheme = scheme_named(name);
    const Units nano{1e-9, 1e-24, 1e-6};
    World a = thrown({1, 1, 1}), b = thrown(nano);
    for (int k = 0; k < steps; ++k) scheme.advance(a, step), scheme.advance(b, step * nano.time);
    const Effort &p = a.controller().effort, &q = b.controller().effort;
    INFO("iterations ", p.iterations, " and ", q.iterations, ", unsettled ", p.unsettled, " and ", q.unsettled);
    CHECK(p.unsettled == q.unsettled);
    CHECK(std::fabs(static_cast<Real>(p.iterations - q.iterations)) <= 0.02 * static_cast<Real>(p.iterations));
  }
}

}  // namespace cairn
