#include "cairn/run/removals.hpp"

#include <algorithm>

#include "cairn/run/schedule.hpp"

namespace cairn {

Removals::Removals(const Scenario& scenario) {
  for (const RemovalSpec& r : scenario.removals) {
    all_.push_back({r, Region(r.region, scenario.dimension, "removal '" + r.name + "'")});
    if (r.every < 1e-6 * scenario.step) all_.back().spec.every = 0;  // nobody could tell it from after each step
  }
}

bool Removals::due(const Removal& r, Real time) {
  return time >= (r.spec.every > 0 ? Schedule{r.spec.from, r.spec.every}.time(r.next) : r.spec.from);
}

bool Removals::holds_any(const World& world, int removal) const {
  world.domain().ask(Question::leaving, removal);
  const Region& region = all_[static_cast<std::size_t>(removal)].region;
  bool any = false;
  for (int i = world.grains().own_begin(); i < world.grains().own_end() && !any; ++i)
    any = region.holds(world.state().body.at(BodyRow::x, i), 0);
  return world.domain().any(any);
}

bool Removals::takes(const World& world, Real early) const {
  for (std::size_t k = 0; k < all_.size(); ++k)
    if (due(all_[k], world.time() + early) && holds_any(world, static_cast<int>(k))) return true;
  return false;
}

void Removals::apply(World& world, Real early, Real velocity_lag) {
  std::vector<Removal*> due;
  const Real now = world.time() + early;
  for (Removal& r : all_) {
    if (!Removals::due(r, now)) continue;
    due.push_back(&r);
    if (r.spec.every > 0) r.next = Schedule{r.spec.from, r.spec.every}.due(now, r.next);
  }
  if (due.empty()) return;
  struct Leaver {
    std::int64_t id;
    Real mass;
    Removal* removal;
  };
  std::vector<Leaver> leavers;
  for (int i = 0; i < world.size(); ++i)
    for (Removal* r : due)
      if (r->region.holds(world.state().body.at(BodyRow::x, i), 0)) {
        leavers.push_back({world.grains().id[i], world.grains().mass[i], r});
        break;
      }
  // In the order of ids, that the sum of masses does not depend on that of the arrays.
  std::sort(leavers.begin(), leavers.end(), [](const Leaver& a, const Leaver& b) { return a.id < b.id; });
  std::vector<std::int64_t> ids;
  for (const Leaver& l : leavers) {
    ids.push_back(l.id);
    ++l.removal->grains;
    l.removal->mass += l.mass;
  }
  world.remove(ids, velocity_lag);
}

}  // namespace cairn
