#include "cairn/world/copy_springs.hpp"

#include <array>
#include <map>

namespace cairn {

void copy_springs(const World& from, World& to,
                  const std::function<std::optional<std::int64_t>(std::int64_t)>& id_there) {
  struct Source {
    int slot;
    std::int64_t first;  // id there of the body from which its springs point
  };
  std::map<std::array<std::int64_t, 2>, Source> sources;  // by the ids there
  const ContactScene here = from.scene(), there = to.scene();
  for (int slot = 0; slot < here.list.slots(); ++slot) {
    std::array<std::int64_t, 2> ids = here.ids(slot);
    bool exists = true;
    const auto translated = [&](std::int64_t id) {
      if (id < 0) return id;  // a surface
      const std::optional<std::int64_t> found = id_there(id);
      exists = exists && found.has_value();
      return found.value_or(0);
    };
    for (std::int64_t& id : ids) id = translated(id);
    if (exists) sources[ids] = {slot, translated(here.grains.id[here.bodies(slot)[0]])};
  }
  State& y = to.state();
  for (int slot = 0; slot < there.list.slots(); ++slot) {
    const auto found = sources.find(there.ids(slot));
    if (found == sources.end()) continue;
    const bool exchanged = there.grains.id[there.bodies(slot)[0]] != found->second.first;
    for (int row = 0; row < y.bond.rows(); row += 3)
      y.bond.set(row, slot, spring_of(from.state(), row, found->second.slot, exchanged));
  }
}

}  // namespace cairn
