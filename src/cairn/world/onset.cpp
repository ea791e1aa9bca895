// The contact-onset correction (docs/onset.md). Within a step every contact keeps the phase in which it began: one that
// was open has no force, one that pressed has its force run on smoothly past its end. So schemes see no jump. What that
// is wrong by is one contact's own motion over a part of a step, from or to the event; it is put right here, when the
// step is done.
#include <algorithm>
#include <cmath>

#include "cairn/contact/alone.hpp"
#include "cairn/world/each_contact.hpp"

namespace cairn {

// What a contact's beginning or end changes.
struct Correction {
  Vector impulse{}, moment{}, spring{};        // [N s] [N s^2] on the first body; [m] the spring from now on
  Real ago = 0;                                // [s] when it happened
  Powers<Real> lost{};                         // [J]
  Real elastic = 0;                            // [J]
  Vector own_force{};                          // [N] on the first body that it had so far
  Vector wall_velocity{};                      // [m/s]
  struct Past {                                // what it would have changed at earlier times
    Vector impulse{}, force{}, spring_rate{};  // [N s] [N] on the first body; [m/s]
    Powers<Real> power{};                      // [W]
  };
  std::vector<Past> past;
};

namespace {

// A contact found began `ago` seconds before the end of the step: from there its own motion is made up for.
template <ContactLaw Law>
Correction beginning(const ContactAlone<Law>& contact, Real h, Real lag, std::span<const Real> past) {
  using Course = typename ContactAlone<Law>::Course;
  Correction to;
  to.ago = contact.began(h);
  Course start;
  start.time = -to.ago;
  Course now = start;
  contact.advance(now, 0);
  to.moment = now.moment, to.spring = now.spring;
  to.elastic = contact.energy(now, now.spring);
  if (lag > 0) now = start, contact.advance(now, -lag);
  to.impulse = now.impulse, to.lost = now.lost;
  for (const Real ago : past) {
    contact.advance(start, -ago);
    const Push<Real> p = contact.push(start);
    to.past.push_back({start.impulse, contact.force(p), p.xi_rate, p.power});
  }
  return to;
}

// A contact whose force has gone beyond its end: what it did since is taken back.
template <ContactLaw Law>
Correction ending(const ContactAlone<Law>& contact, const Vector& spring, Real h, Real lag,
                  std::span<const Real> past) {
  using Course = typename ContactAlone<Law>::Course;
  Correction to;
  Course now;
  now.spring = spring;
  const Course last = contact.ended(now, h);
  to.ago = -last.time;
  to.impulse = last.impulse;
  to.moment = last.moment + to.ago * last.impulse;
  to.own_force = contact.own_force();
  // Since then without its force.
  const auto open = [&](Real time) {
    Course c;
    c.time = time, c.impulse = last.impulse, c.moment = last.moment + (time - last.time) * last.impulse;
    return c;
  };
  // Stored when it ended; what the spring had becomes heat, and while it opens the rest is abandoned as by a clip.
  const Real stored = contact.energy(last, last.spring), normal = contact.energy(last, {});
  to.elastic = contact.energy(open(0), {}) - stored - last.work - last.lost.dashpot - last.lost.slip - last.lost.clip;
  to.lost = last.lost;
  to.lost.slip += stored - normal;
  to.lost.clip += normal - contact.energy(open(-lag), {});
  if (lag > 0) {
    Course then = now;
    contact.advance(then, -lag);
    to.impulse -= then.impulse;
    to.lost = to.lost - then.lost;
  }
  for (const Real ago : past) {
    contact.advance(now, -ago);
    const Push<Real> p = contact.push(now);
    to.past.push_back({last.impulse - now.impulse, -contact.force(p), {}, contact.abandoned(open(-ago)) - p.power});
  }
  return to;
}

}  // namespace

// Of contacts that stand there touching, of all or of those that the last rebuild has brought; they have not begun in a
// step.
void World::find_phases(bool all) {
  const ContactCount count = contact_count_;
  for (int slot = 0; slot < list_.slots(); ++slot)
    if (all || carried_[slot] < 0) phases_[slot] = Phase::open, find_phase(slot);
  contact_count_ = count;
}

// Slots whose phase the last pass found changed, in an order that does not depend on the list.
std::vector<int> World::take_turned() {
  std::vector<int> turned;
  for (auto& block : turned_) {
    turned.insert(turned.end(), block.begin(), block.end());
    block.clear();
  }
  std::sort(turned.begin(), turned.end(), [&](int a, int b) { return ids_of(a) < ids_of(b); });
  return turned;
}

void World::turn_contacts(Real h, Real lag) {
  const std::vector<int> turned = take_turned();
  if (turned.empty()) return;
  if (!settings_.onset) {
    for (const int slot : turned) find_phase(slot);
    return;
  }
  std::vector<int> corrected, grains;  // slots, indices
  for (const int slot : turned) {
    if (phases_[slot] == Phase::clipped) continue;
    corrected.push_back(slot);
    const auto [i, j] = bodies(slot);
    grains.push_back(i);
    if (j >= 0) grains.push_back(j);
  }
  const auto unique = [](std::vector<int>& a) {
    std::sort(a.begin(), a.end());
    a.erase(std::unique(a.begin(), a.end()), a.end());
  };
  unique(grains);
  const auto closed = [&] {  // contacts of those grains
    std::vector<int> slots;
    for (const int i : grains)
      for (int e = list_.first[i]; e < list_.first[i + 1]; ++e)
        if (phases_[list_.contacts[e] >> 1] != Phase::open) slots.push_back(list_.contacts[e] >> 1);
    unique(slots);
    return slots;
  };
  // [J] kinetic, at the time of the positions.
  const auto moving = [&] {
    Real sum = 0;
    for (const int i : grains) {
      const Vector v = state_.body.at(row_v, i) + lag * held_.body.at(row_v, i);
      const Vector w = state_.body.at(row_w, i) + lag * held_.body.at(row_w, i);
      sum += 0.5 * grains_.mass[i] * dot(v, v);
      if (grains_.inverse_inertia[i] > 0) sum += 0.5 / grains_.inverse_inertia[i] * dot(w, w);
    }
    return sum;
  };
  const Books power = ask_again(closed(), false).power;
  const Real kinetic = moving();
  Real gained = 0;  // [J] beside kinetic energy, what was booked included
  const std::vector<Real> past = remembered(h);
  for (const int slot : corrected)
    if (Correction made; find_correction(slot, h, lag, past, made)) gained += apply(slot, made);
  for (const int slot : turned) find_phase(slot);
  const std::vector<int> slots = closed();
  for (const int slot : turned) {
    if (phases_[slot] != Phase::open) continue;
    state_.bond.set(0, slot, {});  // nothing of its spring may stretch that of the next contact of the two
    if (present_) held_.bond.set(0, slot, {});
    for (auto& m : memory_)
      if (slot < m->bond.size()) m->bond.set(0, slot, {});
  }
  const ContactSums after = ask_again(slots, true);
  state_.books[slip] += after.released;
  for (int c = 0; c < channels; ++c) {
    const Real jump = after.after()[c] - power[c];
    held_.books[c] += jump;
    gained += lag * (c == external ? -jump : jump);
  }
  renew_forces(grains, slots);
  if (present_)
    for (const int i : grains) held_.body.set(row_x, i, state_.body.at(row_v, i));
  state_.books[onset] -= moving() - kinetic + gained;
}

// The two bodies of a slot; the second -1 at a wall.
std::array<int, 2> World::bodies(int slot) const {
  const int pairs = static_cast<int>(list_.pairs.size());
  if (slot >= pairs) return {list_.walls[slot - pairs].grain, -1};
  return {list_.pairs[slot].first, list_.pairs[slot].second};
}

void World::find_phase(int slot) {
  const Phase was = phases_[slot];
  each_contact_now(
      [&](int, int, int, const auto& law, const Meeting<Real>& m) {
        const Real fn = law.push(m.touch, state_.bond.at(0, slot)).fn;
        phases_[slot] = phase_of(m.touch.overlap > 0, presses(law, m.touch, fn), settings_.onset);
      },
      slot, slot + 1);
  const int now = static_cast<int>(steps_ & 0x7fffffff);
  if (was == Phase::open && phases_[slot] != Phase::open) ++contact_count_.begun, since_[slot] = now;
  if (was != Phase::open && phases_[slot] == Phase::open) {
    ++contact_count_.ended;
    const std::int64_t steps = (now - since_[slot]) & 0x7fffffff;
    if (contact_count_.shortest == 0 || steps < contact_count_.shortest) contact_count_.shortest = steps;
  }
}

// The forces of these contacts as they are now, as asked_rows_; with the springs returned to their limits, and the
// rates where held_ is the whole rate, if `final`.
ContactSums World::ask_again(std::span<const int> slots, bool final) {
  const ContactPass now{
      .y = &state_, .springs = final ? &state_ : nullptr, .rate = final && present_ ? &held_ : nullptr, .close = final};
  const int pairs = static_cast<int>(list_.pairs.size()), count = static_cast<int>(slots.size());
  const int first_wall = static_cast<int>(std::lower_bound(slots.begin(), slots.end(), pairs) - slots.begin());
  asked_rows_.resize(slots.size());
  ContactTables t = tables(0);
  t.rows = asked_rows_.empty() ? nullptr : asked_rows_.front().data();
  ContactSums sums;
  for (int at = 0; at < first_wall; at += contact_block)
    pair_pass(now, t, settings_.laws, slots.subspan(at, std::min(contact_block, first_wall - at)), at, settings_.simd,
              sums);
  for (int at = first_wall; at < count; ++at)
    wall_pass(now, t, settings_.laws, slots[at] - pairs, slots[at] - pairs + 1, at, sums);
  return sums;
}

// The correction makes the forces of contacts jump, from the rows the pass gave them to those asked again for these
// slots, all those of the grains it moved; and with them the accelerations of these and of what they touch. In the
// order of each grain's contacts, as every sum of forces.
void World::renew_forces(std::span<const int> grains, std::span<const int> slots) {
  static constexpr Row none{};
  struct Jump {
    const Row *from = &none, *to = &none;
  };
  std::vector<Jump> jumps;
  std::vector<int> jumping, changed;  // slots, grains
  const auto jump_of = [&](int slot) -> Jump& {
    int& at = jump_at_[slot];
    if (at >= 0) return jumps[at];
    at = static_cast<int>(jumps.size());
    jumping.push_back(slot);
    for (const int i : bodies(slot))
      if (i >= 0) changed.push_back(i);
    return jumps.emplace_back();
  };
  jump_at_.resize(list_.slots(), -1);
  for (std::size_t k = 0; k < slots.size(); ++k) jump_of(slots[k]).to = &asked_rows_[k];
  for (const auto& block : moved_rows_)
    for (const auto& [slot, row] : block)
      for (const int i : bodies(slot))
        if (std::binary_search(grains.begin(), grains.end(), i)) jump_of(slot).from = &row;
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  const auto vector = [](const Row& row, int first) { return Vector{row[first], row[first + 1], row[first + 2]}; };
  for (const int i : changed)
    for (int e = list_.first[i]; e < list_.first[i + 1]; ++e) {
      const int at = jump_at_[list_.contacts[e] >> 1];
      if (at < 0) continue;
      const Row &from = *jumps[at].from, &to = *jumps[at].to;
      const Real side = list_.contacts[e] & 1 ? -1 : 1, radius = grains_.radius[i];
      const Vector force = side * (vector(to, 0) - vector(from, 0));
      const Vector torque = (radius - to[3]) * vector(to, 4) - (radius - from[3]) * vector(from, 4);
      held_.body.set(row_v, i, held_.body.at(row_v, i) + grains_.inverse_mass[i] * force);
      held_.body.set(row_w, i, held_.body.at(row_w, i) + grains_.inverse_inertia[i] * torque);
    }
  for (const int slot : jumping) jump_at_[slot] = -1;
}

// [s] how long ago the rates belong that schemes remember; beside derivatives there is one, of the present.
std::vector<Real> World::remembered(Real h) const {
  const bool derivatives =
      std::find(memory_kinds_.begin(), memory_kinds_.end(), Memory::derivative) != memory_kinds_.end();
  std::vector<Real> ago;
  for (int m = 0; m < memories(); ++m)
    if (memory_kinds_[m] == Memory::rate) ago.push_back(derivatives ? 0 : (m + 1) * h);
  return ago;
}

// Whether there is one: the pass looked at other velocities than the present ones.
bool World::find_correction(int slot, Real h, Real lag, std::span<const Real> past, Correction& found) {
  const Phase was = phases_[slot];
  Jet<2> time(state_.time);
  time.c[1] = 1;
  const auto motion_of = [&](int k) {
    const auto jets = [&](const Vector& c0, const Vector& c1, const Vector& c2) {
      Vec3<Jet<2>> a;
      a.x.c = {c0.x, c1.x, c2.x}, a.y.c = {c0.y, c1.y, c2.y}, a.z.c = {c0.z, c1.z, c2.z};
      return a;
    };
    const Vector v = state_.body.at(row_v, k), a = held_.body.at(row_v, k);
    const Vector w = state_.body.at(row_w, k), alpha = held_.body.at(row_w, k);
    return Motions<Jet<2>>{jets(state_.body.at(row_x, k), v, 0.5 * a), jets(v, a, {}), jets(w, alpha, {})};
  };
  const Vector spring = state_.bond.at(0, slot);
  bool happened = false;
  each_contact(
      time, motion_of,
      [&](int, int i, int j, const auto& law, const Meeting<Jet<2>>& m) {
        const Real reduction = value(m.reduction);
        const auto yields = [&](int k) {
          const Real lever = grains_.radius[k] - reduction;
          return grains_.inverse_mass[k] + lever * lever * grains_.inverse_inertia[k];
        };
        const ContactAlone contact(law, m.touch, yields(i) + (j < 0 ? 0 : yields(j)), was == Phase::pressing, spring);
        happened = was == Phase::open ? value(m.touch.overlap) > 0 : !contact.holds(spring);
        if (!happened) return;
        found = was == Phase::open ? beginning(contact, h, lag, past) : ending(contact, spring, h, lag, past);
        found.wall_velocity = {value(m.wall_velocity.x), value(m.wall_velocity.y), value(m.wall_velocity.z)};
      },
      slot, slot + 1);
  return happened;
}

// Returns the energy [J] gained beside the kinetic, what is booked here included.
Real World::apply(int slot, const Correction& made) {
  const std::array<int, 2> both = bodies(slot);
  const int i = both[0], j = both[1];
  // The impulse has its moment if part of it acts where the bodies were when it happened, and the rest now: they drift
  // back, are kicked, drift on and are kicked again, which keeps linear and angular momentum to round-off.
  const auto geometry = [&](Real before) {
    struct {
      Vector n;
      Real reduction;
    } g{};
    each_contact(
        state_.time - before, [&](int k) { return motions(state_, k, before); },
        [&](int, int, int, const auto&, const Meeting<Real>& m) {
          g = {m.touch.n, m.reduction};
        },
        slot, slot + 1);
    return g;
  };
  const Vector first = made.ago > 0 ? (1 / made.ago) * made.moment : Vector{}, second = made.impulse - first;
  const auto turn = [&](int k, const auto& at, const Vector& impulse) {
    const Real lever = grains_.radius[k] - at.reduction;
    const Vector w = (grains_.inverse_inertia[k] * lever) * cross(at.n, impulse);
    state_.body.set(row_w, k, state_.body.at(row_w, k) + w);
  };
  Real work = 0;  // [J] of the other forces on what is shifted
  const auto shift = [&](int k, Real side) {
    const Vector by = side * grains_.inverse_mass[k] * made.moment;
    work += dot(grains_.mass[k] * held_.body.at(row_v, k) - side * made.own_force, by);
    state_.body.set(row_x, k, state_.body.at(row_x, k) + by);
    state_.body.set(row_v, k, state_.body.at(row_v, k) + side * grains_.inverse_mass[k] * made.impulse);
    travel_ += norm(by), drifted_ += norm(by);
    outside_ = outside_ || settings_.cell.outside(state_.body.at(row_x, k));
  };
  const auto then = geometry(made.ago);
  shift(i, 1);
  if (j >= 0) shift(j, -1);
  const auto now = geometry(0);
  for (const int k : {i, j}) {
    if (k < 0) continue;
    turn(k, then, first), turn(k, now, second);
  }
  state_.bond.set(0, slot, made.spring);
  give_past(slot, made);
  const Real brought = dot(made.impulse, made.wall_velocity);
  add(state_.books, made.lost);
  state_.books[external] += brought;
  return made.elastic + made.lost.dashpot + made.lost.slip + made.lost.clip - work - brought;
}

// The past the contact would have had, for schemes that look back. Derivatives are left as they are.
void World::give_past(int slot, const Correction& made) {
  if (made.past.empty()) return;
  const auto [i, j] = bodies(slot);
  Meeting<Real> now;
  each_contact_now([&](int, int, int, const auto&, const Meeting<Real>& m) { now = m; }, slot, slot + 1);
  std::size_t next = 0;
  for (int m = 0; m < memories(); ++m) {
    if (memory_kinds_[m] != Memory::rate) continue;
    const Correction::Past& then = made.past[next++];
    if (memory(m).body.size() != size() || memory(m).bond.size() != list_.slots()) continue;
    for (const auto& [k, side] : {std::pair{i, 1.0}, {j, -1.0}}) {
      if (k < 0) continue;
      Slab& body = memory(m).body;
      const Real lever = grains_.radius[k] - now.reduction, im = side * grains_.inverse_mass[k];
      body.set(row_x, k, body.at(row_x, k) + im * then.impulse);
      body.set(row_v, k, body.at(row_v, k) + im * then.force);
      body.set(row_w, k, body.at(row_w, k) + (grains_.inverse_inertia[k] * lever) * cross(now.touch.n, then.force));
    }
    memory(m).bond.set(0, slot, then.spring_rate);
    add(memory(m).books, then.power);
    memory(m).books[external] += dot(then.force, made.wall_velocity);
  }
}

}  // namespace cairn
