// Columns of equal grains on a floor, whose equilibrium is known in closed form.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "../worlds.hpp"

namespace cairn {

struct GrainColumn {
  int count = 50;
  Real radius = 0.3, mass = 1, stiffness = 40000, gravity = 9.81;  // [m] [kg] [N/m] or [N/m^1.5] [m/s^2]
  std::string law = "linear";

  // [N] on the contact below grain j, counted from 1.
  Real load(int j) const { return mass * gravity * (count - j + 1); }
  // [m] there at rest.
  Real overlap(int j) const { return law == "linear" ? load(j) / stiffness : std::pow(load(j) / stiffness, 2.0 / 3); }
  // [m] heights at rest.
  std::vector<Real> heights() const {
    std::vector<Real> z;
    Real sunk = 0;
    for (int j = 1; j <= count; ++j) z.push_back((2 * j - 1) * radius - (sunk += overlap(j)));
    return z;
  }
  WorldSettings settings() const {
    WorldSettings s;
    s.laws = law_table(law, {Material{}}, [&](auto, auto) {
      return suited(law, {{"stiffness", stiffness}, {"damping", 0}});
    });
    s.gravity = {0, 0, -gravity};
    add_plane(s, {}, {0, 0, 1});
    return s;
  }
  // With this overlap [m] at every contact.
  World world(Real overlap, int threads = 1) const {
    WorldSettings s = settings();
    s.threads = threads;
    World w(s);
    std::vector<GrainData> grains;
    for (int j = 1; j <= count; ++j) {
      GrainData g;
      g.position = {0, 0, (2 * j - 1) * radius - j * overlap}, g.radius = radius, g.mass = mass;
      grains.push_back(g);
    }
    w.insert(grains);
    return w;
  }
  // [m] the farthest a grain is from its place at rest.
  Real error(const World& w) const {
    const std::vector<Real> z = heights();
    Real most = 0;
    for (int i = 0; i < w.size(); ++i) most = std::max(most, std::fabs(w.position(i).z - z[w.grains().id[i]]));
    return most;
  }
};

}  // namespace cairn
