// The parts of a World, each without the parts that it does not need.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "cairn/core/hash.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

std::vector<GrainData> random_grains(int count, Real size, Real radius) {
  std::vector<GrainData> grains;
  for (int k = 0; k < count; ++k) {
    const auto random = [&](std::uint64_t q) { return random_uniform(11, static_cast<std::uint64_t>(k), q); };
    grains.push_back({.position = {size * random(0), size * random(1), size * random(2)},
                      .velocity = {random(3) - 0.5, random(4) - 0.5, random(5) - 0.5},
                      .radius = radius,
                      .mass = 1});
  }
  return grains;
}

TEST_CASE("parts: bodies fly through a periodic cell without contacts, and images count the periods") {
  WorldSettings s;
  s.cell = PeriodicCell::from({0, 0, 0}, {1, 2, 0});
  const std::vector<GrainData> grains = random_grains(700, 1, 0.01);
  // In long steps each block has grains that leave the cell, in short ones few have.
  for (const auto& [h, steps] : {std::pair{0.25, 40}, {0.0009765625, 512}}) {
    Bodies bodies;
    States states(s.spring_rows());
    State& y = states.present;
    Bodies::check(grains, s);
    bodies.insert(grains, s, y);
    SpareReals spare;
    std::vector<int> reversed(bodies.size());
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    for (int k = 0; k < steps; ++k) {
      bodies.kick_drift({&y.body, nullptr, 0, h, {}, s.cell}, s);
      if (k % 10 == 0) bodies.rearrange(reversed, 1), y.body.rearrange(reversed, spare, 1);  // as a new list does
      bodies.wrap(y, s);
      int outside = 0;
      for (int i = 0; i < bodies.size(); ++i) outside += s.cell.outside(y.body.at(BodyRow::x, i));
      REQUIRE(outside == 0);
    }
    const NeighbourList no_list;
    const SlotFields no_slots;
    const Domain alone;
    const ContactScene scene{s, bodies.grains(), no_list, no_slots, alone};
    bool travelled = false;
    for (int i = 0; i < bodies.size(); ++i) {
      const GrainData& began = grains[bodies.grains().id[i]];
      const Vector flown = began.position + steps * h * began.velocity, at = scene.position(y, i);
      CHECK(norm(at - flown) < 1e-13);
      travelled = travelled || bodies.grains().image[i] != std::array<int, 3>{};
    }
    CHECK(travelled);
  }
}

TEST_CASE("parts: a contact list without a law misses no contact, and what is known of slots follows them") {
  WorldSettings s;
  const std::vector<GrainData> grains = random_grains(300, 1, 0.03);
  Bodies bodies;
  States states(s.spring_rows());
  State& y = states.present;
  Domain alone;
  ContactList list;
  bodies.insert(grains, s, y);
  list.rebuild(0, bodies, states, s, alone);
  list.followed();
  y.resize(bodies.size(), list.neighbours().slots(), s.spring_rows());
  const auto scene = [&] { return ContactScene{s, bodies.grains(), list.neighbours(), list.slots(), alone}; };
  // Each slot of the first list is marked by the ids of its grains. Its spring points from the lower id to the higher.
  const auto mark = [](const std::array<std::int64_t, 2>& ids) { return static_cast<int>(1 + 1000 * ids[0] + ids[1]); };
  const auto lower_first = [&](int slot) {
    return scene().grains.id[scene().bodies(slot)[0]] == scene().ids(slot)[0] ? 1 : -1;
  };
  const int marked = list.neighbours().slots();
  for (int slot = 0; slot < marked; ++slot) {
    const int number = mark(scene().ids(slot));
    list.slots().begun[slot] = number;
    y.bond.set(BondRow::xi, slot, {static_cast<Real>(lower_first(slot) * number), 0, 0});
  }
  constexpr Real h = 2e-4;
  std::size_t missing = 0, idle = 0, actives = 0, begun_or_ended = 0;
  std::set<std::array<std::int64_t, 2>> was_active;
  constexpr int steps = 500;
  for (int k = 0; k < steps; ++k) {
    bodies.kick_drift({&y.body, nullptr, 0, h, {}, s.cell}, s);
    y.time += h;
    list.add_displacement(h * std::sqrt(bodies.scan().speed2));
    list.drifted(h, {});
    list.ensure({y, list.present_displacement(), 0, h}, bodies, states, s, alone);
    const Sweep& sweep = list.find_active({y, false, 0, false}, bodies, states, s);
    for (int b = 0; b < sweep.blocks(); ++b)
      for (int slot = sweep.first_slot(b); slot < sweep.first_slot(b + 1); ++slot) {
        const auto [i, j] = list.neighbours().pairs[slot];
        const Vector d = y.body.at(BodyRow::x, j) - y.body.at(BodyRow::x, i);
        const bool active = slot < sweep.end_of_active(b), touches = norm(d) < 0.06;
        missing += touches && !active, idle += active && !touches, actives += active;
        begun_or_ended += active != (was_active.count(scene().ids(slot)) > 0);
        if (active)
          was_active.insert(scene().ids(slot));
        else
          was_active.erase(scene().ids(slot));
      }
    std::map<std::array<std::int64_t, 2>, int> slots;
    for (int slot = 0; slot < list.neighbours().slots(); ++slot) slots[scene().ids(slot)] = slot;
    const std::vector<std::int64_t>& id = bodies.grains().id;
    for (int i = 0; i < bodies.size(); ++i)
      for (int j = 0; j < i; ++j)
        if (norm(y.body.at(BodyRow::x, i) - y.body.at(BodyRow::x, j)) < 0.06)
          missing += 1 - slots.count({std::min(id[i], id[j]), std::max(id[i], id[j])});
  }
  CHECK(missing == 0);
  CHECK(idle == 0);
  CHECK(actives > 1000);
  CHECK(begun_or_ended > 50);
  CHECK(list.rebuilds() + list.refreshes() > 20);
  CHECK(list.rebuilds() + list.refreshes() < steps / 4);
  int found = 0;
  for (int slot = 0; slot < list.neighbours().slots(); ++slot) {
    const int number = list.slots().begun[slot];
    if (number == 0) continue;  // a slot of a later list
    ++found;
    CHECK(number == mark(scene().ids(slot)));
    CHECK(lower_first(slot) * y.bond.at(BondRow::xi, slot).x == number);
  }
  CHECK(found == marked);  // a stretched spring keeps its slot, however far its grains are apart
}

// Pairs of grains fall together, so slowly nearing each other that no look at them is due. Then something happens to
// one of the two, and they touch much sooner.
TEST_CASE("parts: grains that are hit, struck or moved are looked at in time") {
  constexpr Real radius = 0.03, gap = 1e-4, near = 0.002, h = 2e-4;
  constexpr int count = 80, steps = 100;
  enum { hit, kicked, shifted, kicked_by_another_force, nothing, fates };
  WorldSettings s;
  std::vector<GrainData> grains;
  for (int k = 0; k < count; ++k)
    for (const int side : {0, 1})
      grains.push_back({.position = {0.2 * (k % 10) + side * (2 * radius + gap), 0.2 * (k / 10), 0},
                        .velocity = {side == 0 ? near : 0, 0, 0},
                        .radius = radius,
                        .mass = 1});
  Bodies bodies;
  States states(s.spring_rows());
  State& y = states.present;
  Domain alone;
  ContactList list;
  bodies.insert(grains, s, y);
  BodyRows& rate = states.current_rate.body;
  rate.resize(bodies.size());
  for (int i = 0; i < bodies.size(); ++i) rate.set(BodyRow::v, i, {0, 0, -0.1});
  list.rebuild(0, bodies, states, s, alone);
  list.followed();
  std::set<int> touched;  // pairs
  int missing = 0, idle = 0;
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < bodies.size(); ++i) {
      const auto id = static_cast<int>(bodies.grains().id[i]);
      const auto add = [&](int row, Real to_x) {
        Vector a = y.body.at(row, i);
        a.x += to_x, y.body.set(row, i, a);
      };
      Vector a = rate.at(BodyRow::v, i);
      y.body.set(BodyRow::v, i, y.body.at(BodyRow::v, i) + 0.5 * h * a);
      if (id % 2 == 1 || step != 10 + id / 2 % 50) continue;
      const int fate = id / 2 % fates;
      const auto see = [&](bool foreseen) {
        if (!foreseen) list.look_at_slots_of(i);
      };
      if (fate == hit) rate.set(BodyRow::v, i, {20, 0, -0.1});
      if (fate == kicked) add(BodyRow::v, 0.05), see(list.foresees_jump(i, 0.05, 0));
      if (fate == shifted) add(BodyRow::x, 0.9 * gap), see(list.foresees_jump(i, 0, 0.9 * gap));
      if (fate == shifted) list.add_displacement(0.9 * gap);
      if (fate == kicked_by_another_force) add(BodyRow::v, 0.5 * h * 500), see(list.foresees_replaced(i, 500));
    }
    KickDrift how{&y.body, &rate, 0.5 * h, h, {}, s.cell};
    how.bounds = list.expected(rate, h, h);
    bodies.kick_drift(how, s);
    y.time += h;
    list.add_displacement(h * std::sqrt(bodies.scan().speed2));
    list.drifted(h, bodies.scan().accelerated);
    list.ensure({y, list.present_displacement(), 0, h}, bodies, states, s, alone);
    const Sweep& sweep = list.find_active({y, false, 0, false}, bodies, states, s);
    std::set<int> active;
    for (int b = 0; b < sweep.blocks(); ++b)
      for (int slot = sweep.first_slot(b); slot < sweep.end_of_active(b); ++slot)
        active.insert(static_cast<int>(bodies.grains().id[list.neighbours().pairs[slot].first]) / 2);
    for (int i = 0; i < bodies.size(); ++i)
      for (int j = 0; j < i; ++j)
        if (norm(y.body.at(BodyRow::x, i) - y.body.at(BodyRow::x, j)) < 2 * radius) {
          const int pair = static_cast<int>(bodies.grains().id[i]) / 2;
          touched.insert(pair), missing += !active.contains(pair), active.erase(pair);
        }
    idle += static_cast<int>(active.size());
  }
  CHECK(missing == 0);
  CHECK(idle == 0);
  for (const int fate : {hit, kicked, shifted, kicked_by_another_force})
    CHECK(std::any_of(touched.begin(), touched.end(), [&](int pair) { return pair % fates == fate; }));
  CHECK(list.rebuilds() + list.refreshes() < steps / 4);
}

TEST_CASE("parts: forces of a contact without a World, and their derivative") {
  constexpr Real k = 1e4, mass = 2, overlap = 0.01;
  WorldSettings s = linear_settings({{"friction", 0.5}, {"stiffness", k}});
  Bodies bodies;
  States states(s.spring_rows());
  ContactList list;
  ContactForces forces;
  Domain alone;
  bodies.insert(std::vector<GrainData>{{.position = {0, 0, 0}, .radius = 0.1, .mass = mass},
                                       {.position = {0.2 - overlap, 0, 0}, .radius = 0.1, .mass = mass}},
                s, states.present);
  list.rebuild(0, bodies, states, s, alone);
  list.followed();
  states.present.resize(2, list.neighbours().slots(), s.spring_rows());
  State rate;
  rate.resize(2, list.neighbours().slots(), s.spring_rows());
  forces.pass({.contacts = {.y = &states.present, .rate = &rate}, .rate = &rate}, s, bodies, list, states, alone);
  for (const int i : {0, 1})
    CHECK(rate.body.at(BodyRow::v, i).x ==
          doctest::Approx((bodies.grains().id[i] == 0 ? -1 : 1) * k * overlap / mass).epsilon(1e-12));

  const ContactScene scene{s, bodies.grains(), list.neighbours(), list.slots(), alone};
  Linearisation linearisation;
  State* const at[] = {&states.present};
  linearisation.set(at, scene, list.slots());
  State closer = states.present, change;
  closer.body = BodyRows();
  closer.resize(2, list.neighbours().slots(), s.spring_rows());
  const int second = bodies.grains().id[1] == 1 ? 1 : 0;
  closer.body.set(BodyRow::x, second, {-1, 0, 0});
  linearisation.tangent(0, closer, change, 0, scene);
  CHECK(change.body.at(BodyRow::v, second).x == doctest::Approx(k / mass).epsilon(1e-12));
  CHECK(change.body.at(BodyRow::v, 1 - second).x == doctest::Approx(-k / mass).epsilon(1e-12));
  CHECK(list.slots().spring_weight[0] == doctest::Approx(2.0 / 7 * k).epsilon(1e-12));
}

TEST_CASE("parts: the balance of a ledger") {
  Ledger ledger;
  ledger.open({.kinetic = 3, .elastic = 2, .slip_held = 0.5});
  CHECK(ledger.initial_energy() == 4.5);
  State y;
  y.ledger = {0.25, 0.5, 0.125, 0.0625, 0.03125, 1};
  // 2.5 J are left, 0.96875 J went into the channels, and 1 J came.
  CHECK(ledger.residual(y, {.kinetic = 2, .elastic = 0.5}) == 2.5 + 0.96875 - 4.5 - 1);
  CHECK(Ledger::channels(y, {.slip_held = 0.25})[Channel::slip] == 0.25);
}

TEST_CASE("parts: a step refuses verbs that would lose the drift of a spring") {
  World w = linear_world({{"stiffness", 1e4}});
  w.insert(std::vector<GrainData>{{.radius = 0.1, .mass = 1}});
  w.begin(false);
  w.kick_drift(1e-3, 1e-3);
  const auto combined = [&](unsigned parts) { w.combine(w.state(), w.state(), {}, parts); };
  CHECK_NOTHROW(combined(StatePart::velocities));
  CHECK_THROWS_AS(combined(StatePart::springs), std::logic_error);
  CHECK_THROWS_AS(combined(StatePart::positions | StatePart::velocities), std::logic_error);
  w.force(0, StageKind::end);
  CHECK_NOTHROW(combined(StatePart::velocities));
  w.commit(1e-3);
}

}  // namespace
