#include "cairn/world/contact_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "cairn/search/neighbours.hpp"
#include "cairn/world/contact_scene.hpp"
#include "cairn/world/migration.hpp"

namespace cairn {
namespace {

Real least_skin(const Bodies& bodies, const WorldSettings& settings) {  // [m]
  if (settings.skin > 0) return settings.skin;
  return (settings.hard ? 1 : 0.2) * bodies.smallest_radius();  // hard contacts take long steps, and look ahead
}

// [m] Small where grains move little, so that the slots last about as many steps everywhere. Where the fastest move by
// much of the skin in a step, the slots of all would be chosen anew every few steps: there it goes beyond, unless a
// skin is asked for.
Real usual_reach(const SpeedBounds& speeds, Real step, const Bodies& bodies, const WorldSettings& settings) {
  if (settings.reach > 0) return settings.reach;
  constexpr Real steps = 80, thinnest = 0.05, widest = 0.4;  // the last two of the skin
  constexpr Real least_steps = 24, farthest = 0.5;           // the last of a radius
  const Real skin = least_skin(bodies, settings);
  if (settings.hard) return skin;
  const Real closing = 2 * speeds.fastest * step;
  const Real usual = std::clamp(steps * closing, thinnest * skin, widest * skin);
  if (settings.skin > 0) return usual;
  return std::max(usual, std::min(least_steps * closing, farthest * bodies.smallest_radius()));
}

// [m] At least `skin` beyond the least. Unless a skin is asked for, candidates last about `steps`; but where grains
// move by more than a radius in a step the list must not become one of all pairs.
Real usual_skin(const SpeedBounds& speeds, Real steps, Real step, Real skin, const Bodies& bodies,
                const WorldSettings& settings) {
  const Real least = least_skin(bodies, settings);
  if (settings.skin == 0) skin = std::max(skin, steps * speeds.closing * step - least);
  return least + std::min(skin, bodies.smallest_radius());
}

// [m] Largest distance of a grain of y from where it is in `present`, common motion aside.
Real largest_distance(const State& y, const State& present, const Vector& common, int threads) {
  const Vector shift = (y.time - present.time) * common;
  const int n = y.body.size();
  std::vector<Real> most((n + grain_block - 1) / grain_block, 0);
  for_blocks(threads, n, grain_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    for (int i = static_cast<int>(begin); i < end; ++i) {
      const Vector d = y.body.at(BodyRow::x, i) - present.body.at(BodyRow::x, i) - shift;
      most[b] = std::max(most[b], dot(d, d));
    }
  });
  Real of_all = 0;
  for (const Real a : most) of_all = std::max(of_all, a);
  return std::sqrt(of_all);
}

// As ContactList::carry() asks, where there were so many slots.
auto slots_of(int count, const States& states) {
  return [count, &states](int, const State& s) {
    if (&s == &states.current_rate && !states.spring_rates) return false;
    return s.bond.size() == count && s.body.size() == states.present.body.size();
  };
}

}  // namespace

Pose<Real> ContactList::pose_when_built(const Surface& s) const {
  const Pose<Real> pose = pose_at(s, neighbours_.built_time());
  return s.loaded < 0 ? pose : moved(pose, walls_then_[s.loaded], Vector{});
}

// [m] A bound on how much closer any surface has come since the last rebuild, as seen by grains that shift together.
Real ContactList::wall_displacement(const State& y, const WorldSettings& settings) const {
  const Vector shift = neighbours_.shift(y.time);
  Real most = 0;
  for (const Surface& s : settings.surfaces) {
    if (s.motion.still() && s.loaded < 0 && shift == Vector{}) continue;
    const Pose<Real> now = pose_of(s, y);
    const Pose<Real> then = pose_when_built(s);
    const Vector by = now.point - then.point - shift;
    Real moved = closing_part(s, now, by);
    if (s.turns) moved += norm(now.direction - then.direction) * (extent_ + norm(then.point));
    most = std::max(most, moved);
  }
  return most;
}

// The common velocity is the one that lets the list last longest: none, or the mean, which flowing grains share, but
// walls do not.
SpeedBounds ContactList::speed_bounds(const State& y, const Particles& grains, const WorldSettings& settings,
                                      const Domain& domain) const {
  const int first = grains.own_begin(), n = grains.own_end() - first, blocks = (n + grain_block - 1) / grain_block;
  std::vector<Vector> sums(blocks);
  for_blocks(settings.threads, n, grain_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    for (auto i = begin; i < end; ++i) sums[b] += y.body.at(BodyRow::v, first + i);
  });
  struct Flow {
    Vector sum{};
    Real grains = 0;
  } flow{.grains = static_cast<Real>(n)};
  for (const Vector& sum : sums) flow.sum += sum;
  // No result depends on the common velocity, so its sum may be any.
  domain.reduce(flow, [](Flow& into, const Flow& other) { into.sum += other.sum, into.grains += other.grains; });
  SpeedBounds still, flowing;
  if (flow.grains == 0) return still;
  flowing.common = (1.0 / flow.grains) * flow.sum;
  if (!std::isfinite(dot(flowing.common, flowing.common))) flowing.common = {};
  std::vector<std::array<Real, 2>> most(blocks, {0, 0});
  for_blocks(settings.threads, n, grain_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    for (auto i = begin; i < end; ++i) {
      const Vector v = y.body.at(BodyRow::v, first + i), relative = v - flowing.common;
      most[b] = {std::max(most[b][0], dot(v, v)), std::max(most[b][1], dot(relative, relative))};
    }
  });
  for (const auto& [of_still, of_flowing] : most) {
    still.fastest = std::max(still.fastest, of_still);
    flowing.fastest = std::max(flowing.fastest, of_flowing);
  }
  still.fastest = std::sqrt(domain.largest(still.fastest));
  flowing.fastest = std::sqrt(domain.largest(flowing.fastest));
  for (SpeedBounds* speeds : {&still, &flowing}) {
    speeds->closing = 2 * speeds->fastest;
    for (const Surface& s : settings.surfaces) {
      const Pose<Real> pose = pose_of(s, y);
      Real speed = closing_part(s, pose, pose.velocity - speeds->common);
      if (s.turns) speed += std::fabs(s.motion.rotation_rate) * (extent_ + norm(pose.point));
      speeds->closing = std::max(speeds->closing, speeds->fastest + speed);
    }
  }
  return flowing.closing < still.closing ? flowing : still;
}

Real ContactList::cached_displacement(const State& y, const WorldSettings& settings) {
  const auto cached = std::exchange(cached_, {});
  return cached.of == &y ? cached.displacement : displacement(y, settings);
}

bool ContactList::ensure(const Need& need, Bodies& bodies, States& states, const WorldSettings& settings,
                         Domain& domain) {
  State& y = need.y;
  const bool built = neighbours_.reference.size() == bodies.size() &&
                     neighbours_.first.size() == static_cast<std::size_t>(bodies.size()) + 1;
  Real walls = 0, grains = domain.largest(need.displacement);
  if (built) {
    walls = wall_displacement(y, settings);
    const Real ahead = 0.5 * need.ahead;  // for each of two bodies
    if (!neighbours_.stale(grains + ahead, walls)) return false;
    grains = domain.largest(displacement(y, settings));  // the bound is coarse
    // Renewed a little early: otherwise this look would soon be taken every step.
    if (!neighbours_.stale(1.25 * grains + ahead, 1.25 * walls)) {
      present_displacement_ = grains;
      return false;
    }
  }
  const SpeedBounds speeds = speed_bounds(y, bodies.grains(), settings, domain);
  // Contacts that may have touched during the drift are listed, because their springs follow it; contacts of the step's
  // beginning stay candidates to its end, wherever their bodies are.
  Real reach = 2 * speeds.fastest * std::fabs(need.drift) + need.ahead,
       skin = speeds.closing * std::max(need.step, std::fabs(need.drift)) + need.ahead;
  if (&y != &states.present) {  // the present state's own contacts stay too, and stages do not renew the slots in turns
    const Real far = domain.largest(largest_distance(y, states.present, speeds.common, settings.threads));
    reach += 4 * far, skin += 4 * far;
  }
  skin = usual_skin(speeds, 40, need.step, skin, bodies, settings);
  reach = std::min(usual_reach(speeds, need.step, bodies, settings) + reach, skin);
  if (built && neighbours_.covers(grains, 1.25 * walls, reach))
    refresh(y, {speeds, skin, reach}, grains, bodies, states, settings);
  else
    rebuild(y, {speeds, skin, reach}, bodies, states, settings, domain, {});
  followed();
  return true;
}

void ContactList::rebuild(Real step, Bodies& bodies, States& states, const WorldSettings& settings, Domain& domain,
                          std::span<const std::int64_t> gone) {
  const SpeedBounds speeds = speed_bounds(states.present, bodies.grains(), settings, domain);
  constexpr Real steps = 100;  // where grains come or go every few steps the list must outlast several of them
  const Choice how{speeds, usual_skin(speeds, steps, step, 0, bodies, settings),
                   usual_reach(speeds, step, bodies, settings)};
  rebuild(states.present, how, bodies, states, settings, domain, gone);
}

void ContactList::insert(int first_new, Real step, Bodies& bodies, States& states, const WorldSettings& settings,
                         Domain& domain) {
  State& y = states.present;
  if (domain.apart() || neighbours_.reference.size() != first_new)
    return rebuild(step, bodies, states, settings, domain);
  if (extent_ > 0)
    for (int i = first_new; i < bodies.size(); ++i)
      extent_ = std::max(extent_, norm(y.body.at(BodyRow::x, i)) + bodies.grains().radius[i]);
  std::vector<Pose<Real>> then;
  for (const Surface& s : settings.surfaces) then.push_back(pose_when_built(s));
  const NeighbourList::Newcomers newcomers =
      neighbours_.find_newcomers(first_new, y, bodies.grains(), settings.cell, settings.surfaces, then);
  if (!newcomers.need_slots) {
    neighbours_.add(newcomers, y);
    old_slots_.assign(neighbours_.slots(), 0);  // none is new
    active_.forget();
    return skip_none();
  }
  const SpeedBounds speeds = speed_bounds(y, bodies.grains(), settings, domain);
  const Real reach = std::min(usual_reach(speeds, step, bodies, settings), neighbours_.skin);
  if (!neighbours_.covers(present_displacement_, 1.25 * wall_displacement(y, settings), reach))
    return rebuild(step, bodies, states, settings, domain);
  neighbours_.add(newcomers, y);
  refresh(y, {speeds, neighbours_.skin, reach}, present_displacement_, bodies, states, settings,
          static_cast<int>(newcomers.walls.size()));
}

void ContactList::refresh(Real step, Bodies& bodies, States& states, const WorldSettings& settings,
                          const Domain& domain) {
  const SpeedBounds speeds = speed_bounds(states.present, bodies.grains(), settings, domain);
  const Real reach = std::min(usual_reach(speeds, step, bodies, settings), neighbours_.skin);
  refresh(states.present, {speeds, neighbours_.skin, reach}, domain.largest(displacement(states.present, settings)),
          bodies, states, settings);
}

void ContactList::rebuild(State& y, const Choice& how, Bodies& bodies, States& states, const WorldSettings& settings,
                          Domain& domain, std::span<const std::int64_t> gone) {
  if (domain.apart()) {
    rebuild_apart(y, how, bodies, states, settings, domain);
  } else {
    rebuild_whole(y, how, bodies, states, settings, gone);
  }
  walls_then_.clear();
  for (int w = 0; w < y.walls.size(); ++w) walls_then_.push_back(y.walls.at(WallRow::x, w));
  extent_ = 0;
  if (std::any_of(settings.surfaces.begin(), settings.surfaces.end(), [](const Surface& s) { return s.turns; }))
    for (int i = 0; i < bodies.size(); ++i)
      extent_ = std::max(extent_, norm(y.body.at(BodyRow::x, i)) + bodies.grains().radius[i]);
  extent_ = domain.largest(extent_);
  ++rebuilds_;
}

void ContactList::rebuild_whole(State& y, const Choice& how, Bodies& bodies, States& states,
                                const WorldSettings& settings, std::span<const std::int64_t> gone) {
  forget_order(states);
  const int before = bodies.size(),
            listed = static_cast<int>(neighbours_.first.empty() ? 0 : neighbours_.first.size() - 1);
  const int threads = settings.threads;
  std::vector<int> order, place(before);  // where each grain stands in the old list; -1: it is new
  std::iota(place.begin(), place.begin() + std::min(before, listed), 0);
  std::fill(place.begin() + std::min(before, listed), place.end(), -1);
  const auto rearrange = [&] {
    SpareReals spare;
    states.for_each([&](State& s) {
      if (s.body.size() == bodies.size()) s.body.rearrange(order, spare, threads);
    });
    bodies.rearrange(order, threads);
    const std::vector<int> then = std::move(place);
    place.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[i] = then[order[i]];
  };
  if (!gone.empty()) {
    for (int i = 0; i < before; ++i)
      if (!std::binary_search(gone.begin(), gone.end(), bodies.grains().id[i])) order.push_back(i);
    rearrange();
  }
  NeighbourSearch search;
  if (!search.order(spheres_of(y, bodies.grains()), settings.cell, how.skin, threads, order)) rearrange();
  order = std::vector<int>();
  const int old_count = neighbours_.slots();
  const auto find = [&](std::vector<int>& first, std::vector<int>& partners) {
    search.candidates(spheres_of(y, bodies.grains()), settings.cell, how.skin, threads, first, partners);
  };
  neighbours_.build(
      find, y, bodies.grains(), settings.cell, settings.surfaces, how.skin, how.reach, threads, place,
      [&](int slot) { return lives(slot, states); }, old_slots_);
  place = std::vector<int>();
  carry(y, how.speeds.common, states, settings, slots_of(old_count, states));
}

// Grains go to the ranks that own them now, before the list knows them no more.
void ContactList::rebuild_apart(State& y, const Choice& how, Bodies& bodies, States& states,
                                const WorldSettings& settings, Domain& domain) {
  neighbours_.forget_candidates();
  active_.forget();
  Migration migration(y, how.skin, domain, bodies, states, neighbours_, slots_, settings);
  forget_order(states);
  const std::vector<int> place = migration.arrange(y, how.skin);
  const auto find = [&](std::vector<int>& first, std::vector<int>& partners) {
    migration.find_candidates(y, how.skin, first, partners);
  };
  neighbours_.build(
      find, y, bodies.grains(), settings.cell, settings.surfaces, how.skin, how.reach, settings.threads, place,
      [&](int slot) { return lives(slot, states); }, old_slots_);
  carry(y, how.speeds.common, states, settings, [&](int k, const State&) { return migration.follows_slots(k); });
  migration.finish(neighbours_, slots_);
}

void ContactList::refresh(State& y, const Choice& how, Real displacement, const Bodies& bodies, States& states,
                          const WorldSettings& settings, int new_walls) {
  forget_order(states);
  const int old_count = neighbours_.slots() - new_walls;
  neighbours_.refresh(
      y, bodies.grains(), settings.cell, how.reach, displacement, settings.threads,
      [&](int slot) { return lives(slot, states); }, old_slots_, new_walls);
  carry(y, how.speeds.common, states, settings, slots_of(old_count, states));
  ++refreshes_;
}

// Frees what the renewal makes anew, so that both never stand in memory together.
void ContactList::forget_order(States& states) {
  states.scratch.release();
  neighbours_.contacts = std::vector<int>();
  active_.forget();
}

// Everything known of slots follows them, when the list has just been renewed at the positions of y.
template <class Follows>
void ContactList::carry(const State& y, const Vector& common, States& states, const WorldSettings& settings,
                        Follows&& follows) {
  const int threads = settings.threads, count = neighbours_.slots();
  std::vector<int> exchanged;
  for (int slot = 0; slot < count; ++slot)
    if (old_slots_[slot] >= 0 && (old_slots_[slot] & 1)) exchanged.push_back(slot);
  for (int& slot : old_slots_) slot >>= 1;
  SpareReals spare;
  int k = 0;
  states.for_each([&](State& s) {
    if (!follows(k++, s)) return;
    s.bond.rearrange(old_slots_, spare, threads);
    for (const int slot : exchanged) exchange_bodies(s, slot);
  });
  slots_.for_each_field([&]<class T>(SlotField<T>& field) {
    if (!field.used) return;
    const std::vector<T> old = std::move(field.values);
    field.values.resize(count);
    for_blocks(threads, count, combine_block, [&](auto begin, auto end, auto) {
      for (auto slot = begin; slot < end; ++slot)
        field.values[slot] = old_slots_[slot] >= 0 ? old[old_slots_[slot]] : T{};
    });
  });
  skip_none();
  neighbours_.common = common;
  cached_ = {};
  present_displacement_ = &y == &states.present ? 0 : displacement(states.present, settings);
}

}  // namespace cairn
