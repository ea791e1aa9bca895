#include "cairn/run/expected_energy.hpp"

#include <cmath>
#include <variant>

#include "cairn/contact/head_on.hpp"
#include "cairn/contact/kernels/pair.hpp"

namespace cairn {

void ExpectedLoss::add(const World& world, std::span<const ContactEvent> begun) {
  const Particles& grains = world.grains();
  const WorldSettings& settings = world.settings();
  for (const ContactEvent& event : begun) {
    const Real speed = event.approach_speed;
    if (!(speed > 0) || !std::isfinite(speed)) continue;
    const int i = grains.index(event.first);
    Real inverse_mass = grains.inverse_mass[i], r_eff = grains.radius[i];
    if (event.second >= 0) {
      const int j = grains.index(event.second);
      inverse_mass += grains.inverse_mass[j], r_eff = r_eff_of(r_eff, grains.radius[j]);
    } else {
      for (const LoadedWall& wall : settings.loaded_walls)
        if (-1 - wall.wall == event.second) inverse_mass += 1 / wall.mass;
    }
    const Real m_eff = 1 / inverse_mass;
    const auto pair = static_cast<std::size_t>(event.first_material * settings.materials + event.second_material);
    const Real e = std::visit([&](const auto& laws) { return head_on(laws[pair], m_eff, r_eff, speed).restitution; },
                              settings.laws);
    value_ += 0.5 * m_eff * speed * speed * (1 - e * e);
  }
}

}  // namespace cairn
