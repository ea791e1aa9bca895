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

// Whether it is due; moves on past the time.
bool Removals::take(Removal& r, Real time) const {
  if (!(r.spec.every > 0)) return time >= r.spec.from;
  const Schedule schedule{r.spec.from, r.spec.every};
  const bool now = schedule.time(r.next) <= time;
  if (now) r.next = schedule.due(time, r.next);
  return now;
}

void Removals::apply(World& world, Real early, Real velocity_lag) {
  std::vector<Removal*> due;
  for (Removal& r : all_)
    if (take(r, world.time() + early)) due.push_back(&r);
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
