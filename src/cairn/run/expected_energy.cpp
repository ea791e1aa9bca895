#include "cairn/run/expected_energy.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <variant>
#include <vector>

#include "cairn/contact/head_on.hpp"
#include "cairn/contact/kernels/pair.hpp"

namespace cairn {

void ExpectedLoss::add(const World& world, std::span<const BegunContact> begun) {
  struct Loss {
    std::int64_t first, second;
    Real energy;  // [J]
  };
  std::vector<Loss> losses;
  const Particles& grains = world.grains();
  const WorldSettings& settings = world.settings();
  for (const auto& [event, surface] : begun) {
    const Real speed = event.approach_speed;
    if (!(speed > 0) || !std::isfinite(speed)) continue;
    const int i = grains.index(event.first);
    Real other = 0, r_eff = grains.radius[i];  // [1/kg], [m]
    if (event.second >= 0) {
      const int j = grains.index(event.second);
      other = grains.inverse_mass[j], r_eff = effective_of(r_eff, grains.radius[j]);
    } else {
      other = settings.inverse_mass(settings.surfaces[static_cast<std::size_t>(surface)]);
    }
    const Real m_eff = m_eff_of(grains.inverse_mass[i], other);
    const auto pair = static_cast<std::size_t>(event.first_material * settings.materials + event.second_material);
    const Real e = std::visit([&](const auto& laws) { return head_on(laws[pair], m_eff, r_eff, speed).restitution; },
                              settings.laws);
    losses.push_back({event.first, event.second, 0.5 * m_eff * speed * speed * (1 - e * e)});
  }
  if (!world.whole() && world.domain().any(!losses.empty())) {
    Ranks& ranks = world.domain().ranks();
    std::vector<Bytes> to(static_cast<std::size_t>(ranks.count()));
    for (const Loss& loss : losses) ByteWriter(to[0]).add(loss);
    losses.clear();
    for (const Bytes& from : ranks.exchange(std::move(to)))
      for (ByteReader message(from); !message.empty();) losses.push_back(message.take<Loss>());
    std::stable_sort(losses.begin(), losses.end(), [](const Loss& a, const Loss& b) {
      return std::tie(a.first, a.second) < std::tie(b.first, b.second);
    });
  }
  for (const Loss& loss : losses) value_ += loss.energy;
}

}  // namespace cairn
