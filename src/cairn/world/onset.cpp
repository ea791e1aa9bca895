// The contact-onset correction (docs/onset.md). Within a step every contact keeps the phase in which it began: one that
// was open has no force, one that pressed has its force run on smoothly past its end. So schemes see no jump. What that
// is wrong by is one contact's own motion over a part of a step, from or to the event; it is put right here, when the
// step is done.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cairn/contact/alone.hpp"
#include "cairn/core/parallel.hpp"
#include "cairn/world/each_contact.hpp"

namespace cairn {

// Of the springs of rolling and twisting, where a contact begins.
struct BegunRolling {
  Vector chi{}, rate{};        // [m] the spring from now on, [m/s]
  Vector torque{}, impulse{};  // [N m] [N m s] on the first body
  Real power = 0, lost = 0;    // [W] [J]
};

// What a contact's beginning or end changes.
struct Correction {
  Vector impulse{}, moment{}, spring{};        // [N s] [N s^2] on the first body; [m] the spring from now on
  Real ago = 0;                                // [s] when it happened
  Powers<Real> lost{};                         // [J]
  Real elastic = 0;                            // [J]
  Vector own_force{};                          // [N] on the first body that it had so far
  Vector wall_velocity{}, wall_spin{};         // [m/s] [rad/s]
  struct Past {                                // what it would have changed at earlier times
    Vector impulse{}, force{}, spring_rate{};  // [N s] [N] on the first body; [m/s]
    Powers<Real> power{};                      // [W]
  };
  std::vector<Past> past;
  Real onset_speed = 0;  // [m/s] of a contact that began
  std::optional<BegunRolling> begun_rolling{};
  Real work = 0, travel = 0;  // [J] of the other forces on what is shifted; [m]
  bool outside = false;       // a body has left the periodic cell
};

namespace {

// A contact found began `ago` seconds before the end of the step: from there its own motion is made up for.
template <ContactLaw Law>
Correction beginning(const ContactAlone<Law>& contact, Real h, Real lag, std::span<const Real> past) {
  using Course = typename ContactAlone<Law>::Course;
  Correction to;
  to.ago = contact.began(h);
  to.onset_speed = contact.onset_speed();
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

constexpr int asked_block = 64;  // contacts asked again that a thread takes at once, and that are summed together

// Fewer than these are left to one thread: a correction takes a microsecond, others of these things a tenth of it.
constexpr int few_corrections = 32, few_others = 256;

template <class F>
void for_each_index(int threads, std::ptrdiff_t count, int few, F&& f) {
  constexpr int block = 16;
  const auto all = [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (auto k = begin; k < end; ++k) f(k);
  };
  for_blocks(threads, count, block, all, few);
}

}  // namespace

// Of contacts that stand there touching, of all or of those that the last rebuild has brought; they have not begun in a
// step.
void World::find_phases(bool all) {
  for (int slot = 0; slot < list_.slots(); ++slot) {
    if (!all && carried_[slot] >= 0) continue;
    phases_[slot] = phase_now(slot);
    if (phases_[slot] != Phase::open) since_[slot] = step_number(), note_onset_speed(slot);
  }
}

// Those of slots that a step has turned.
void World::turn_phases(std::span<const int> slots) {
  std::vector<Phase> now(slots.size());
  for_each_index(settings_.threads, std::ssize(slots), few_others,
                 [&](std::ptrdiff_t k) { now[k] = phase_now(slots[k]); });
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const int slot = slots[k];
    const Phase was = std::exchange(phases_[slot], now[k]);
    if (now[k] == Phase::open) {
      if (!onset_speeds_.empty()) onset_speeds_[slot] = 0;
      for (auto& m : memory_) forget_springs(*m, slot);
    }
    if (was == Phase::open && now[k] != Phase::open)
      ++contact_count_.begun, since_[slot] = step_number(), note_onset_speed(slot);
    if (was != Phase::open && now[k] == Phase::open) {
      ++contact_count_.ended;
      const std::int64_t steps = (step_number() - since_[slot]) & 0x7fffffff;
      if (contact_count_.shortest == 0 || steps < contact_count_.shortest) contact_count_.shortest = steps;
    }
  }
}

// Of a contact that has begun: where no correction has found it, that of the present; never 0, which says nothing.
void World::note_onset_speed(int slot) {
  if (onset_speeds_.empty() || onset_speeds_[slot] > 0) return;
  each_contact_now(
      [&](int, int, int, const auto&, const Meeting<Real>& m) {
        onset_speeds_[slot] = std::max(std::fabs(m.touch.approach), std::numeric_limits<Real>::min());
      },
      slot, slot + 1);
}

Phase World::phase_now(int slot) const {
  Phase now{};
  each_contact_now(
      [&](int, int, int, const auto& law, const Meeting<Real>& m) {
        const Real fn = law.push(m.touch, state_.bond.at(0, slot)).fn;
        now = phase_of(m.touch.overlap > 0, presses(law, m.touch, fn), settings_.onset);
      },
      slot, slot + 1);
  return now;
}

// Those of slots that are corrected, in an order that does not depend on the list.
std::vector<int> World::corrected_of(std::span<const int> turned) const {
  std::vector<std::pair<std::array<std::int64_t, 2>, int>> found;  // ids, slot
  for (const int slot : turned)
    if (corrects(slot)) found.emplace_back(ids_of(slot), slot);
  std::sort(found.begin(), found.end());
  std::vector<int> slots;
  for (const auto& [ids, slot] : found) slots.push_back(slot);
  return slots;
}

void World::turn_contacts(Real h, Real lag) {
  std::vector<int> turned;  // slots
  for (auto& block : turned_) {
    turned.insert(turned.end(), block.begin(), block.end());
    block.clear();
  }
  if (turned.empty()) return;
  if (!settings_.onset) return turn_phases(turned);
  const std::vector<int> corrected = corrected_of(turned);
  for (const int slot : corrected)
    for (const int i : bodies(slot))
      if (i >= 0) ascending_.insert(i);
  const std::vector<int> grains = ascending_.take();
  // Contacts of those grains, before or after.
  for (const int slot : corrected) ascending_.insert(slot);
  for (const auto& block : moved_rows_)
    for (const int slot : block.slots) ascending_.insert(slot);
  const std::vector<int> slots = ascending_.take();
  const auto closed = [&] {
    std::vector<int> of;
    std::copy_if(slots.begin(), slots.end(), std::back_inserter(of),
                 [&](int slot) { return phases_[slot] != Phase::open; });
    return of;
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
  Real gained = correct(corrected, h, lag);  // [J] beside kinetic energy, what was booked included
  turn_phases(turned);
  for (const int slot : turned) {
    if (phases_[slot] != Phase::open) continue;
    if (rolls()) state_.books[rolling] += left_in_rolling(slot);
    forget_springs(state_, slot);  // nothing of its spring may stretch that of the next contact of the two
    if (present_) forget_springs(held_, slot);
  }
  const std::vector<int> after = closed();
  const ContactSums sums = ask_again(after, true);
  sums.book_released(state_.books);
  for (int c = 0; c < channels; ++c) {
    const Real jump = sums.after()[c] - power[c];
    held_.books[c] += jump;
    gained += lag * (c == external ? -jump : jump);
  }
  renew_forces(slots, after);
  if (present_)
    for (const int i : grains) held_.body.set(row_x, i, state_.body.at(row_v, i));
  state_.books[onset] -= moving() - kinetic + gained;
}

// [J] in the spring of a contact that has ended while its force ran on.
Real World::left_in_rolling(int slot) const {
  Real energy = 0;
  each_contact_now(
      [&](int, int, int, const auto& law, Meeting<Real> m) {
        m.touch.sustained = true;
        energy = rolling_energy(slot, m, grip_of(law.push(m.touch, {})));
      },
      slot, slot + 1);
  return energy;
}

// Corrections that share a grain are made one after the other, in the order given, others at the same time: in waves.
// Returns the energy [J] gained beside the kinetic, what is booked here included.
Real World::correct(std::span<const int> slots, Real h, Real lag) {
  const std::vector<Real> past = remembered(h);
  std::vector<std::optional<Correction>> made(slots.size());
  std::vector<std::vector<int>> waves;
  next_wave_.resize(size());
  for (std::size_t k = 0; k < slots.size(); ++k) {
    std::size_t wave = 0;
    for (const int i : bodies(slots[k]))
      if (i >= 0) wave = std::max<std::size_t>(wave, next_wave_[i]);
    for (const int i : bodies(slots[k]))
      if (i >= 0) next_wave_[i] = static_cast<int>(wave) + 1;
    if (wave == waves.size()) waves.emplace_back();
    waves[wave].push_back(static_cast<int>(k));
  }
  for (const int slot : slots)
    for (const int i : bodies(slot))
      if (i >= 0) next_wave_[i] = 0;
  for (const auto& wave : waves)
    for_each_index(settings_.threads, std::ssize(wave), few_corrections, [&](std::ptrdiff_t at) {
      const int k = wave[at];
      made[k] = find_correction(slots[k], h, lag, past);
      if (made[k]) apply(slots[k], *made[k]);
    });
  Real gained = 0;
  for (const auto& one : made)
    if (one) gained += book(*one);
  for (std::size_t k = 0; k < slots.size() && !onset_speeds_.empty(); ++k)
    if (made[k] && made[k]->onset_speed > 0) onset_speeds_[slots[k]] = made[k]->onset_speed;
  return gained;
}

// The two bodies of a slot; the second -1 at a wall.
std::array<int, 2> World::bodies(int slot) const {
  const int pairs = static_cast<int>(list_.pairs.size());
  if (slot >= pairs) return {list_.walls[slot - pairs].grain, -1};
  return {list_.pairs[slot].first, list_.pairs[slot].second};
}

// The forces of these contacts as they are now, as asked_rows_; with the springs returned to their limits, and the
// rates where held_ is the whole rate, if `final`.
ContactSums World::ask_again(std::span<const int> slots, bool final) {
  const ContactPass now{
      .y = &state_, .springs = final ? &state_ : nullptr, .rate = final && present_ ? &held_ : nullptr, .close = final};
  const int pairs = static_cast<int>(list_.pairs.size()), count = static_cast<int>(slots.size());
  const int first_wall = static_cast<int>(std::lower_bound(slots.begin(), slots.end(), pairs) - slots.begin());
  ContactTables t = tables(0);
  asked_rows_.resize(slots.size() * t.stride());
  t.rows = asked_rows_.data();
  block_sums_.assign((count + asked_block - 1) / asked_block, {});
  for_blocks(
      settings_.threads, count, asked_block,
      [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
        const int first = static_cast<int>(begin), last = static_cast<int>(end);
        const int walls = std::clamp(first_wall, first, last);
        pair_pass(now, t, settings_.laws, slots.subspan(first, walls - first), first, settings_.simd, block_sums_[b]);
        wall_pass(now, t, settings_.laws, slots.subspan(walls, last - walls), walls, settings_.simd, block_sums_[b]);
      },
      few_others);
  ContactSums sums;
  for (const ContactSums& of : block_sums_) sums.add(of);
  return sums;
}

// The correction makes the forces of contacts jump, from the rows the pass gave them to those asked again for the ones
// that are closed now, among these slots, all those of the grains it moved; and with them the accelerations of these
// and of what they touch. In the order of each grain's contacts, as every sum of forces.
void World::renew_forces(std::span<const int> slots, std::span<const int> closed) {
  static constexpr Real none[row_length_rolling] = {};
  struct Jump {
    const Real *from = none, *to = none;
  };
  const std::size_t stride = row_stride();
  std::vector<Jump> jumps(slots.size());
  jump_at_.resize(list_.slots(), -1);
  for (std::size_t k = 0; k < slots.size(); ++k) {
    jump_at_[slots[k]] = static_cast<int>(k);
    for (const int i : bodies(slots[k]))
      if (i >= 0) ascending_.insert(i);
  }
  for (const auto& block : moved_rows_)
    for (std::size_t k = 0; k < block.slots.size(); ++k)
      jumps[jump_at_[block.slots[k]]].from = block.rows.data() + k * stride;
  for (std::size_t k = 0; k < closed.size(); ++k) jumps[jump_at_[closed[k]]].to = asked_rows_.data() + k * stride;
  const std::vector<int> changed = ascending_.take();  // grains
  const auto vector = [](const Real* row, int first) { return Vector{row[first], row[first + 1], row[first + 2]}; };
  for_each_index(settings_.threads, std::ssize(changed), few_others, [&](std::ptrdiff_t k) {
    const int i = changed[k];
    for (int e = list_.first[i]; e < list_.first[i + 1]; ++e) {
      const int at = jump_at_[list_.contacts[e] >> 1];
      if (at < 0) continue;
      const Real *from = jumps[at].from, *to = jumps[at].to;
      const Real side = list_.contacts[e] & 1 ? -1 : 1, radius = grains_.radius[i];
      const Vector force = side * (vector(to, 0) - vector(from, 0));
      Vector torque = (radius - to[3]) * vector(to, 4) - (radius - from[3]) * vector(from, 4);
      if (rolls()) torque += side * (vector(to, row_length + 4) - vector(from, row_length + 4));
      held_.body.set(row_v, i, held_.body.at(row_v, i) + grains_.inverse_mass[i] * force);
      held_.body.set(row_w, i, held_.body.at(row_w, i) + grains_.inverse_inertia[i] * torque);
    }
  });
  for (const int slot : slots) jump_at_[slot] = -1;
}

// [s] how long ago the rates belong that schemes remember.
std::vector<Real> World::remembered(Real h) const {
  std::vector<Real> ago;
  for (int m = 0; m < memories(); ++m)
    ago.push_back((memory_kinds_[m] == Memory::between ? 0.5 : m + (memory_kinds_[m] == Memory::past)) * h);
  return ago;
}

// None where the pass looked at other velocities than the present ones.
std::optional<Correction> World::find_correction(int slot, Real h, Real lag, std::span<const Real> past) const {
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
  std::optional<Correction> found;
  each_contact(
      time, motion_of,
      [&](int, int i, int j, const auto& law, const Meeting<Jet<2>>& m) {
        const auto now = [](const Vec3<Jet<2>>& a) { return Vector{value(a.x), value(a.y), value(a.z)}; };
        const Real reduction = value(m.reduction);
        const auto yields = [&](int k) {
          const Real lever = grains_.radius[k] - reduction;
          return grains_.inverse_mass[k] + lever * lever * grains_.inverse_inertia[k];
        };
        const ContactAlone contact(law, m.touch, yields(i) + (j < 0 ? 0 : yields(j)), was == Phase::pressing, spring);
        if (was == Phase::open ? !(value(m.touch.overlap) > 0) : contact.holds(spring)) return;
        found = was == Phase::open ? beginning(contact, h, lag, past) : ending(contact, spring, h, lag, past);
        found->wall_velocity = now(m.wall_velocity);
        if (j < 0) found->wall_spin = state_.body.at(row_w, i) - now(m.spin);
        if (!rolls() || was != Phase::open) return;
        // What they have rolled since, and what torque that made, to first order: as of now.
        Touch<Real> present{};
        present.n = now(m.touch.n);
        present.overlap = value(m.touch.overlap), present.approach = value(m.touch.approach);
        present.m_eff = value(m.touch.m_eff), present.r_eff = value(m.touch.r_eff);
        present.onset_speed = found->onset_speed;
        const RollingResistance& resistance = settings_.rolling[law_of(slot)];
        const Grip<Real> grip = grip_of(law.push(present, {}));
        BegunRolling& to = found->begun_rolling.emplace();
        to.rate = present.r_eff * now(m.spin);
        to.chi = found->ago * to.rate;
        const Roll<Real> roll = resistance.push(present, to.rate, to.chi, grip);
        to.torque = present.r_eff * roll.torque, to.power = roll.power;
        to.impulse = (found->ago - lag) * to.torque, to.lost = (found->ago - lag) * to.power;
        found->elastic += resistance.elastic_energy(present.n, to.chi, grip.stiffness);
      },
      slot, slot + 1);
  return found;
}

// Moves the two bodies and the spring; the rest is left to book(), for others are applied at the same time.
void World::apply(int slot, Correction& made) {
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
  const auto shift = [&](int k, Real side) {
    const Vector by = side * grains_.inverse_mass[k] * made.moment;
    made.work += dot(grains_.mass[k] * held_.body.at(row_v, k) - side * made.own_force, by);
    state_.body.set(row_x, k, state_.body.at(row_x, k) + by);
    state_.body.set(row_v, k, state_.body.at(row_v, k) + side * grains_.inverse_mass[k] * made.impulse);
    made.travel += norm(by);
    made.outside = made.outside || settings_.cell.outside(state_.body.at(row_x, k));
  };
  const auto then = geometry(made.ago);
  shift(i, 1);
  if (j >= 0) shift(j, -1);
  const auto now = geometry(0);
  for (const int k : {i, j}) {
    if (k < 0) continue;
    turn(k, then, first), turn(k, now, second);
  }
  state_.bond.set(row_xi, slot, made.spring);
  if (made.begun_rolling) {
    state_.bond.set(row_chi, slot, made.begun_rolling->chi);
    for (const auto& [k, side] : {std::pair{i, 1.0}, {j, -1.0}})
      if (k >= 0)
        state_.body.set(row_w, k,
                        state_.body.at(row_w, k) + side * grains_.inverse_inertia[k] * made.begun_rolling->impulse);
  }
  give_past(slot, made);
}

// Returns the energy [J] gained beside the kinetic, what is booked here included.
Real World::book(const Correction& made) {
  const Real brought = dot(made.impulse, made.wall_velocity);
  add(state_.books, made.lost);
  state_.books[external] += brought;
  each_past(made, [&](State& memory, const Correction::Past& then) {
    add(memory.books, then.power);
    memory.books[external] += dot(then.force, made.wall_velocity);
    if (!made.begun_rolling) return;
    memory.books[rolling] += made.begun_rolling->power;
    memory.books[external] += dot(made.begun_rolling->torque, made.wall_spin);
  });
  travel_ += made.travel, drifted_ += made.travel;
  outside_ = outside_ || made.outside;
  Real rolled = 0;
  if (made.begun_rolling) {
    rolled = made.begun_rolling->lost - dot(made.begun_rolling->impulse, made.wall_spin);
    state_.books[rolling] += made.begun_rolling->lost;
    state_.books[external] += dot(made.begun_rolling->impulse, made.wall_spin);
  }
  return made.elastic + made.lost.dashpot + made.lost.slip + made.lost.clip + rolled - made.work - brought;
}

// The past the contact would have had, for schemes that look back.
template <class F>
void World::each_past(const Correction& made, F&& f) {
  if (made.past.empty()) return;
  for (int m = 0; m < memories(); ++m)
    if (memory(m).body.size() == size() && memory(m).bond.size() == list_.slots()) f(memory(m), made.past[m]);
}

void World::give_past(int slot, const Correction& made) {
  if (made.past.empty()) return;
  const std::array<int, 2> both = bodies(slot);
  const int i = both[0], j = both[1];
  Meeting<Real> now;
  each_contact_now([&](int, int, int, const auto&, const Meeting<Real>& m) { now = m; }, slot, slot + 1);
  each_past(made, [&](State& memory, const Correction::Past& then) {
    for (const auto& [k, side] : {std::pair{i, 1.0}, {j, -1.0}}) {
      if (k < 0) continue;
      Slab& body = memory.body;
      const Real lever = grains_.radius[k] - now.reduction, im = side * grains_.inverse_mass[k];
      body.set(row_x, k, body.at(row_x, k) + im * then.impulse);
      body.set(row_v, k, body.at(row_v, k) + im * then.force);
      body.set(row_w, k, body.at(row_w, k) + (grains_.inverse_inertia[k] * lever) * cross(now.touch.n, then.force));
    }
    memory.bond.set(row_xi, slot, then.spring_rate);
    if (!made.begun_rolling) return;
    memory.bond.set(row_chi, slot, made.begun_rolling->rate);
    for (const auto& [k, side] : {std::pair{i, 1.0}, {j, -1.0}})
      if (k >= 0)
        memory.body.set(row_w, k,
                        memory.body.at(row_w, k) + side * grains_.inverse_inertia[k] * made.begun_rolling->torque);
  });
}

}  // namespace cairn
