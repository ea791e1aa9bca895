#include "cairn/run/static_start.hpp"

#include <map>

#include "cairn/core/error.hpp"
#include "cairn/world/copy_springs.hpp"

namespace cairn {

void require_static(const Scenario& scenario, const World& world) {
  if (world.size() == 0)
    throw Error(Exit::bad_input,
                "the scenario has no grains at its start, so it has no static state; expected [[grain]] or [[grains]]");
  for (const Surface& s : world.settings().surfaces)
    if (!s.motion.still())
      throw Error(Exit::bad_input, "wall '" + scenario.walls[static_cast<std::size_t>(s.wall)].name +
                                       "' moves, so there is no static state; expected walls at rest, "
                                       "without the keys of its motion");
}

std::vector<std::string> left_out_of_static(const Scenario& scenario) {
  std::vector<std::string> all;
  if (!scenario.emitters.empty()) all.push_back("grains of emitters come later: the static state is without them");
  if (!scenario.changes.empty()) all.push_back("changes happen later: the static state is that before the first");
  if (!scenario.removals.empty()) all.push_back("removal regions do not act on the static state");
  return all;
}

std::unique_ptr<Simulation> start_at_rest(const Scenario& scenario, const World& world) {
  Scenario at_rest = scenario;
  at_rest.grain.clear(), at_rest.grains.clear();
  at_rest.overlap_allowed_at_start = true;
  const Particles& grains = world.grains();
  const std::vector<int> order = grains.by_id();
  std::map<std::int64_t, std::int64_t> id_there;
  for (const int i : order) {
    id_there[grains.id[i]] = static_cast<std::int64_t>(id_there.size());
    GrainSpec g;
    g.position = world.state().body.at(BodyRow::x, i);
    g.radius = grains.radius[i], g.mass = grains.mass[i];
    g.material = scenario.materials[static_cast<std::size_t>(grains.material[i])].name;
    at_rest.grain.push_back(g);
  }
  auto simulation = std::make_unique<Simulation>(std::move(at_rest));
  simulation->start();
  World& to = simulation->world();
  for (int w = 0; w < to.state().walls.size(); ++w)
    to.state().walls.set(WallRow::x, w, world.state().walls.at(WallRow::x, w));
  to.begin(!simulation->scheme().splitting);  // so that all contacts have slots

  copy_springs(world, to, [&](std::int64_t id) { return id_there.at(id); });
  to.begin(!simulation->scheme().splitting);
  return simulation;
}

}  // namespace cairn
