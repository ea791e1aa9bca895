#include "cairn/statics/neighbourhood.hpp"

#include <algorithm>
#include <utility>

#include "cairn/world/copy_springs.hpp"

namespace cairn::statics {

Neighbourhood::Neighbourhood(const StaticSystem& whole, int node, Real radius) : room_(whole.smallest_radius()) {
  const World& from = whole.world();
  const Particles& grains = from.grains();
  const Nodes& all = whole.nodes();
  const Real largest = *std::max_element(grains.radius.begin(), grains.radius.end());
  const Vector centre = from.state().body.at(BodyRow::x, all.row[node]);
  const Real around = radius + 2 * largest + room_;
  std::vector<GrainData> copies;
  std::vector<std::int64_t> held;  // here
  for (int k = 0; k < all.grains; ++k) {
    const int i = all.row[k];
    const Vector x = from.state().body.at(BodyRow::x, i);
    const Vector straight = x - centre;
    const Real distance = norm(straight - from.settings().cell.image(straight));
    if (distance > around) continue;
    if (distance > radius || whole.holds(all.id[k])) held.push_back(static_cast<std::int64_t>(ids_.size()));
    ids_.push_back(all.id[k]);
    copies.push_back(
        {.position = x, .radius = grains.radius[i], .mass = grains.mass[i], .material = grains.material[i]});
  }
  WorldSettings settings = from.settings();
  settings.threads = 1;
  world_.emplace(std::move(settings));
  world_->insert(copies);
  State& y = world_->state();
  y.time = from.time();
  for (int w = 0; w < y.walls.size(); ++w) y.walls.set(WallRow::x, w, from.state().walls.at(WallRow::x, w));
  world_->set_onset(false);
  world_->begin();
  copy_springs(from, *world_, [&](std::int64_t id) -> std::optional<std::int64_t> {
    const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
    if (at == ids_.end() || *at != id) return {};
    return at - ids_.begin();
  });
  system_.emplace(*world_, all.dimension, LinearSettings{}, whole.friction(), std::move(held));
  began_.resize(ids_.size());
  for (int i = 0; i < world_->size(); ++i) began_[world_->grains().id[i]] = world_->position(i);
}

Real Neighbourhood::farthest() const {
  Real most = 0;
  for (int i = 0; i < world_->size(); ++i)
    most = std::max(most, norm(world_->position(i) - began_[world_->grains().id[i]]));
  return most;
}

void Neighbourhood::give_back(StaticSystem& whole) const {
  World& to = whole.world();
  const Nodes& all = whole.nodes();
  for (int i = 0; i < world_->size(); ++i) {
    const std::int64_t here = world_->grains().id[i];
    if (system_->holds(here)) continue;
    const auto node = std::lower_bound(all.id.begin(), all.id.end(), ids_[here]) - all.id.begin();
    const int there = all.row[node];
    to.state().body.set(BodyRow::x, there, to.state().body.at(BodyRow::x, there) + world_->position(i) - began_[here]);
  }
  whole.look_again();  // so that new contacts are known
  copy_springs(*world_, to, [&](std::int64_t id) -> std::optional<std::int64_t> { return ids_[id]; });
  whole.look_again();
}

}  // namespace cairn::statics
