// Insertion and removal of grains between steps.
#include <algorithm>
#include <numeric>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/core/reproducible_sum.hpp"
#include "cairn/world/world.hpp"

namespace cairn {
namespace {

// f(i) for each grain of these ids, ascending.
template <class F>
void for_each_of(const Particles& grains, std::span<const std::int64_t> ids, F&& f) {
  for (int i = 0; i < grains.size(); ++i)
    if (std::binary_search(ids.begin(), ids.end(), grains.id[i])) f(i);
}

// [J] of grains without their contacts.
struct OwnEnergy {
  Real gravitational = 0, motion = 0;
};
OwnEnergy own_energy(const ContactScene& scene, const State& y, std::span<const std::int64_t> ids) {
  ReproducibleSum gravitational, motion;
  for_each_of(scene.grains, ids, [&](int i) {
    const Energies own = energies_of_grain(scene, y, i);
    gravitational.add(own.gravitational), motion.add(own.kinetic + own.rotational);
  });
  return {gravitational.value(), motion.value()};
}

}  // namespace

void World::insert(std::span<const GrainData> added, Real velocity_lag) {
  if (added.empty()) return;
  if (added.size() > BodyRows::most - size())
    throw Error(Exit::bad_input, "found more than " + std::to_string(BodyRows::most) +
                                     " grains, which is the most that a process holds");
  Bodies::check(added, settings_);
  const int before = size();
  const bool few = added.size() <= 16;  // else a look at all grains for each that comes takes long
  const bool alone = begun_ && few && touch_nothing(added);
  const Snapshot old = begun_ && !alone ? snapshot(velocity_lag) : Snapshot{};
  const Real smallest = bodies_.smallest_radius();
  bodies_.insert(added, settings_, state());
  if (begun_) {
    states_.for_each([&](State& y) {
      if (y.body.size() == before) y.body.resize(size());
    });
    current_rate().body.resize(size());
  }
  bodies_.may_be_outside(settings_.cell.any());
  bodies_.wrap(state(), settings_);
  if (!begun_) return;
  std::vector<std::int64_t> ids(grains().id.begin() + before, grains().id.end());
  const OwnEnergy inflow = own_energy(scene(), state(), ids);
  ledger_.add_gravitational_inflow(inflow.gravitational);
  // The skin follows the smallest grain.
  if (few && bodies_.smallest_radius() == smallest)
    list_.insert(before, usual_step(), bodies_, states_, settings_, domain_);
  else
    list_.rebuild(usual_step(), bodies_, states_, settings_, domain_);
  forces_.list_renewed();
  events_.find_phases(parts(), true);
  list_.followed();
  if (!alone) return record_jump(old, with_touching(ids), velocity_lag, ids);
  state().ledger[Channel::external] += inflow.motion + inflow.gravitational;
  fall_freely(ids, velocity_lag);
}

void World::remove(std::span<const std::int64_t> ids, Real velocity_lag) {
  if (ids.empty()) return;
  std::vector<std::int64_t> gone(ids.begin(), ids.end()), present = grains().id;
  std::sort(gone.begin(), gone.end()), std::sort(present.begin(), present.end());
  if (std::adjacent_find(gone.begin(), gone.end()) != gone.end() ||
      !std::includes(present.begin(), present.end(), gone.begin(), gone.end()))
    throw Error(Exit::bad_input, "remove: each id must belong to a grain and appear once");
  // Velocities behind positions would have to be brought to their time.
  const bool alone = begun_ && velocity_lag == 0 && touch_nothing(gone);
  const Snapshot old = begun_ && !alone ? snapshot(velocity_lag) : Snapshot{};
  const OwnEnergy outflow = begun_ ? own_energy(scene(), state(), gone) : OwnEnergy{};
  ledger_.add_gravitational_inflow(-outflow.gravitational);
  std::vector<std::int64_t> left;  // of those touched
  if (!alone) {
    const std::vector<std::int64_t> touched = with_touching(gone);
    std::set_difference(touched.begin(), touched.end(), gone.begin(), gone.end(), std::back_inserter(left));
  }
  list_.rebuild(usual_step(), bodies_, states_, settings_, domain_, gone);
  list_.followed();
  forces_.list_renewed();
  if (alone)
    state().ledger[Channel::external] -= outflow.motion + outflow.gravitational;
  else if (begun_)
    record_jump(old, left, velocity_lag);
}

// Whether these, which have not come yet, touch no grain and no wall, not even by round-off: then no force jumps.
bool World::touch_nothing(std::span<const GrainData> added) const {
  constexpr Real almost = 1 + 1e-9;
  if (settings_.hard) return false;
  const State& y = states_.present;
  const auto touch = [&](const GrainData& g, const Vector& x, Real radius) {
    const Vector straight = x - g.position, d = straight - settings_.cell.image(straight);
    const Real reach = almost * (g.radius + radius);
    return dot(d, d) < reach * reach;
  };
  for (std::size_t k = 0; k < added.size(); ++k) {
    const GrainData& g = added[k];
    for (std::size_t l = 0; l < k; ++l)
      if (touch(g, added[l].position, added[l].radius)) return false;
    for (int i = 0; i < size(); ++i)
      if (touch(g, y.body.at(BodyRow::x, i), grains().radius[i])) return false;
    for (const Surface& s : settings_.surfaces)
      if (!s.absent && wall_distance(s, pose_of(s, y), settings_.cell, g.position) < almost * g.radius) return false;
  }
  return true;
}

// Whether these, ids ascending, touch no grain and no wall.
bool World::touch_nothing(std::span<const std::int64_t> ids) const {
  if (settings_.hard) return false;
  const ContactScene of = scene();
  for (int slot = 0; slot < of.list.slots(); ++slot) {
    const auto [i, j] = of.bodies(slot);
    const auto gone = [&](int body) {
      return body >= 0 && std::binary_search(ids.begin(), ids.end(), grains().id[body]);
    };
    if (!gone(i) && !gone(j)) continue;
    if (list_.lives(slot, states_) || in_contact(of.overlap(states_.present, slot))) return false;
  }
  return true;
}

// What schemes remember of a grain: the rates of the present and of the past.
std::vector<World::Remembered> World::remembered_rates() {
  std::vector<Remembered> all{{&current_rate(), 0, states_.spring_rates}};
  const std::vector<Real> ages = states_.memory_ages(clock_.step);
  const std::vector<State*> memories = states_.whole_memories(list().slots());
  for (std::size_t m = 0; m < memories.size(); ++m)
    if (memories[m]) all.push_back({memories[m], ages[m], memories[m]->bond.size() > 0});
  return all;
}

void World::Remembered::restart(int i, const Vector& v, const Vector& a, const Vector& alpha) const {
  BodyRows& of = rate->body;
  if (of.has_positions()) of.set(BodyRow::x, i, v - age * a);
  of.set(BodyRow::v, i, a), of.set(BodyRow::w, i, alpha);
}

// These have just come, ids ascending, and touch nothing: they have never known another force than gravity.
void World::fall_freely(std::span<const std::int64_t> ids, Real velocity_lag) {
  const std::vector<Remembered> remembered = remembered_rates();
  for_each_of(grains(), ids, [&](int i) {
    const Vector v = state().body.at(BodyRow::v, i);
    for (const Remembered& to : remembered) to.restart(i, v, settings_.gravity, {});
    state().body.set(BodyRow::v, i, v - velocity_lag * settings_.gravity);
  });
}

// These grains and all that touch them; in ascending order, as `ids`.
std::vector<std::int64_t> World::with_touching(std::span<const std::int64_t> ids) const {
  std::vector<std::int64_t> all(ids.begin(), ids.end());
  std::vector<char> listed(size());
  for (int i = 0; i < size(); ++i) listed[i] = std::binary_search(ids.begin(), ids.end(), grains().id[i]);
  const ContactScene of = scene();
  for (int slot = 0; slot < static_cast<int>(of.list.pairs.size()); ++slot) {
    const auto [i, j] = of.list.pairs[slot];
    if (listed[i] == listed[j] || !in_contact(of.overlap(state(), slot))) continue;
    all.push_back(grains().id[listed[i] ? j : i]);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Real World::residual_at(Real velocity_lag) {
  const Synchronised now(*this, velocity_lag);
  return residual();
}

World::Snapshot World::snapshot(Real velocity_lag) {
  LedgerChannels power = current_rate().ledger;
  if (!states_.rate_known) {
    State now;  // no scratch, which would stay: schemes of motion verbs have none
    rates(state(), now);
    power = now.ledger;
  }
  return {residual_at(velocity_lag), power};
}

// Finds the accelerations of the touched grains, ids ascending, from all their contacts. Their forces have jumped, so
// the rates that schemes remember of them start again with the present one. Powers change by the jump alone, because
// those remembered may belong to other velocities. Velocities of inserted grains step back to where the others are.
// The energy that came or went is external work.
void World::record_jump(const Snapshot& before, std::span<const std::int64_t> touched, Real velocity_lag,
                        std::span<const std::int64_t> inserted) {
  const bool rate_known = std::exchange(states_.rate_known, false);
  State fresh;
  rates(state(), fresh);
  if (states_.spring_rates) current_rate().resize(size(), list().slots(), settings_.spring_rows());
  const std::vector<Remembered> remembered = remembered_rates();
  const auto take = [&](const Remembered& to, int i) {
    to.restart(i, fresh.body.at(BodyRow::x, i), fresh.body.at(BodyRow::v, i), fresh.body.at(BodyRow::w, i));
    for (int e = list().first[i]; e < list().first[i + 1] && to.springs; ++e)
      for (int row = 0; row < to.rate->bond.rows(); ++row)
        to.rate->bond.row(row)[list().contacts[e] >> 1] = fresh.bond.row(row)[list().contacts[e] >> 1];
  };
  for_each_of(grains(), touched, [&](int i) {
    for (const Remembered& to : remembered) take(to, i);
  });
  for (const Remembered& to : remembered)
    for (int c = 0; c < Channel::count; ++c) to.rate->ledger[c] += fresh.ledger[c] - before.power[c];
  if (velocity_lag != 0)
    for_each_of(grains(), inserted, [&](int i) {
      for (const int row : {BodyRow::v, BodyRow::w})
        state().body.set(row, i, state().body.at(row, i) - velocity_lag * fresh.body.at(row, i));
    });
  states_.rate_known = rate_known;
  state().ledger[Channel::external] += residual_at(velocity_lag) - before.residual;
}

}  // namespace cairn
