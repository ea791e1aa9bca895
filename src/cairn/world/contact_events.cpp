#include "cairn/world/contact_events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cairn/core/parallel.hpp"
#include "cairn/world/force_jumps.hpp"
#include "cairn/world/loaded_walls.hpp"

namespace cairn {
namespace {

Phase phase_now(const ContactScene& scene, const State& y, int slot) {
  if (!in_contact(scene.overlap(y, slot))) return Phase::open;
  const bool clips =
      with_law(scene.settings.laws, [&](auto laws) { return laws[scene.law(slot)].attraction == Attraction::clipped; });
  if (!clips || !scene.settings.onset) return Phase::pressing;
  Phase now{};
  scene.each_in(
      y,
      [&](int, int, int, const auto& law, const ContactGeometry<Real>& m) {
        const Real fn = law.force(m.kinematics, y.bond.at(BondRow::xi, slot)).fn;
        now = presses(law, m.kinematics, fn) ? Phase::pressing : Phase::clipped;
      },
      slot, slot + 1);
  return now;
}

int step_number(std::int64_t step) {
  return static_cast<int>(step & 0x7fffffff);
}

// A contact has begun. Where no correction has found its onset speed, the present speed is taken; never 0, which stands
// for unknown.
void record_begin(const ContactEvents::Parts& w, int slot) {
  SlotFields& slots = w.list.slots();
  slots.begun[slot] = step_number(w.step);
  if (!slots.onset_speed.used || slots.onset_speed[slot] > 0) return;
  w.scene().each_in(
      w.states.present,
      [&](int, int, int, const auto&, const ContactGeometry<Real>& m) {
        slots.onset_speed[slot] = std::max(std::fabs(m.kinematics.approach), std::numeric_limits<Real>::min());
      },
      slot, slot + 1);
}

// [J] that the ledger counts as stored in the rolling spring of a contact that has ended while its force ran on.
Real left_in_rolling(const ContactScene& scene, const State& y, int slot) {
  Real energy = 0;
  scene.each_in(
      y,
      [&](int, int, int, const auto& law, ContactGeometry<Real> m) {
        m.kinematics.sustained = true;
        const NormalLoad<Real> normal_load = normal_load_of(law.force(m.kinematics, {}));
        if (scene.rolling(slot).stores) energy = scene.rolling_energy(y, slot, m, normal_load);
      },
      slot, slot + 1);
  return energy;
}

// The contacts that have begun, once positions are those of the step's end.
std::vector<int> begun_contacts(const ContactEvents::Parts& w) {
  std::vector<int> slots = w.list.touching();
  const ContactScene scene = w.scene();
  const State& y = w.states.present;
  const int pairs = static_cast<int>(scene.list.pairs.size());
  const std::vector<WallPair>& walls = scene.list.walls;
  const Phase* const phases = scene.slots.phase.values.data() + pairs;
  std::vector<Pose<Real>> poses;  // once each: at a box the surfaces of neighbouring contacts alternate
  for (const Surface& s : w.settings.surfaces) poses.push_back(pose_of(s, y));
  std::vector<char> touches(walls.size(), false);
  for_blocks(
      w.settings.threads, std::ssize(walls), contact_block,
      [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
        constexpr std::ptrdiff_t ahead = 12;  // grains at walls stand anywhere in memory
        for (auto k = begin; k < end; ++k) {
          if (const auto later = k + ahead; later < end && phases[later] == Phase::open)
            prefetch(y.body.positions.entry(walls[later].grain)), prefetch(&scene.grains.radius[walls[later].grain]);
          if (phases[k] != Phase::open) continue;
          const auto& [grain, of] = walls[k];
          const Vector x = y.body.at(BodyRow::x, grain);
          const Real distance = wall_distance(w.settings.surfaces[of], poses[of], w.settings.cell, x);
          touches[k] = distance < scene.grains.radius[grain];
        }
      },
      contact_block);
  for (int k = 0, count = static_cast<int>(walls.size()); k < count; ++k)
    if (touches[k]) slots.push_back(pairs + k);
  return slots;
}

// The closed contacts of the grains that these corrections move, but for some.
std::vector<int> contacts_nearby(const EventParts& w, std::span<const EventContact> corrected,
                                 const SharedCorrections* shared, std::span<const EventContact> but) {
  const ContactScene scene = w.scene();
  std::vector<int> slots, others;
  const auto add_those_of = [&](int i) {
    for (int e = scene.list.first[i]; e < scene.list.first[i + 1]; ++e)
      if (const int slot = scene.list.contacts[e] >> 1; scene.slots.phase[slot] != Phase::open) slots.push_back(slot);
  };
  for (const EventContact& of : corrected)
    for (const int i : of.grains)
      if (i >= 0) add_those_of(i);
  if (shared) std::for_each(shared->copies().begin(), shared->copies().end(), add_those_of);
  for (const EventContact& of : but) others.push_back(of.slot);
  std::sort(slots.begin(), slots.end()), std::sort(others.begin(), others.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  std::erase_if(slots, [&](int slot) { return std::binary_search(others.begin(), others.end(), slot); });
  return slots;
}

// The powers of load and dashpot follow walls that were pushed at the end of a step.
void follow_pushed_walls(const ContactEvents::Parts& w, std::span<const Vector> pushed) {
  const State& y = w.states.present;
  State& rate = w.states.current_rate;
  for (int k = 0; k < y.walls.size(); ++k) {
    const LoadedWall& wall = w.settings.loaded_walls[k];
    const Vector after = y.walls.at(WallRow::v, k), before = after - pushed[k];
    rate.walls.set(WallRow::x, k, w.states.rate_known ? after : rate.walls.at(WallRow::x, k) + pushed[k]);
    rate.ledger[Channel::external] += dot(wall.along_free(load_on(wall, y.time)), pushed[k]);
    rate.ledger[Channel::dashpot] += wall.damping * (dot(after, after) - dot(before, before));
  }
}

// Other ranks learn the accelerations of these grains. Those of copies may be replaced that have no contact here.
void share_accelerations(const ContactEvents::Parts& w, const std::vector<int>& grains) {
  if (!w.domain.apart()) return;
  BodyRows& rate = w.states.current_rate.body;
  w.domain.share_some(rate, grains);
  const Particles& all = w.bodies.grains();
  const auto replaced = [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      if (!w.list.foresees_replaced(i, norm(rate.at(BodyRow::v, i)))) w.list.look_at_slots_of(i);
  };
  replaced(0, all.own_begin()), replaced(all.own_end(), w.bodies.size());
}

}  // namespace

void ContactEvents::find_phases(const Parts& w, bool new_slots_only) {
  const ContactScene scene = w.scene();
  for (int slot = 0; slot < scene.list.slots(); ++slot) {
    if (new_slots_only && !w.list.is_new(slot)) continue;
    const Phase now = phase_now(scene, w.states.present, slot);
    const Phase was = std::exchange(w.list.slots().phase[slot], now);
    if (now != Phase::open && was == Phase::open) record_begin(w, slot);
    if (now == Phase::open && was != Phase::open) relax_springs(w.states.present, slot);
  }
}

void ContactEvents::update_phase(const Parts& w, int slot) {
  const ContactScene scene = w.scene();
  SlotFields& slots = w.list.slots();
  EventFindings& found = found_.mine();
  const Phase now = phase_now(scene, w.states.present, slot), was = std::exchange(slots.phase[slot], now);
  const bool counted = scene.counts(slot);
  if (now == Phase::open) {
    if (slots.onset_speed.used) slots.onset_speed[slot] = 0;
    w.states.relax_memories(slot);
    if (w.settings.onset) relax_ended(w, slot);
    if (was != Phase::open && counted) found.count.add_ended(1, (step_number(w.step) - slots.begun[slot]) & 0x7fffffff);
  } else if (was == Phase::open) {
    found.count.begun += counted;
    record_begin(w, slot);
  }
}

// The spring of a contact that is open now: else it would stretch that of the next contact of its bodies.
void ContactEvents::relax_ended(const Parts& w, int slot) {
  const ContactScene scene = w.scene();
  State& y = w.states.present;
  if (w.settings.rolls() && scene.counts(slot)) found_.mine().booked.left.add(left_in_rolling(scene, y, slot));
  relax_springs(y, slot);
  if (w.states.rate_known) relax_springs(w.states.current_rate, slot);
}

void ContactEvents::gather_count(const Domain& domain) {
  domain.reduce(count_, [](ContactCount& into, const ContactCount& other) { into.add(other); });
  if (!domain.leads()) count_ = {};
}

void ContactEvents::begin_contacts(const Parts& w, Real h, Real behind, const StepEnd& end) {
  slots_are_fixed_ = true;
  begun_ = events_of(w, begun_contacts(w), EventKind::begun);
  if (begun_.empty() && !w.domain.apart()) return;
  find_alone(begun_);
  const EventGroups groups(begun_, w);
  for (std::size_t k = 0; k < begun_.size(); ++k) begun_[k].number = static_cast<int>(k);
  begun_corrections_.resize(begun_.size());
  begun_springs_.resize(begun_.size() * w.states.present.bond.rows());
  found_.start(w.settings.threads);
  const OnsetPass pass{.h = h, .behind = behind, .lag = end.velocity_lag, .position_offset = end.position_offset};
  groups.each(w, [&](const Parts& parts, int first, int last) { begin(parts, first, last, pass); });
  take_findings(w), book_past(w);
}

void ContactEvents::begin(const Parts& w, int first, int last, const OnsetPass& pass) {
  const std::span events = std::span(begun_).subspan(first, last - first);
  Corrections made = correct(w, events, std::span(begun_corrections_).subspan(first, last - first),
                             share(w, events).get(), pass, found_);
  State& y = w.states.present;
  BodyRows& rate = w.states.current_rate.body;  // with velocities that forces may be asked for at (BodyRow)
  for_each_index(w, made.each_moved([&](Corrections::Moved& of) {
    finish_moved(w, of);
    if (rate.has_positions()) rate.set(BodyRow::x, of.grain, rate.at(BodyRow::x, of.grain) + of.v);
  }),
                 // No pass before the step's end may stretch or relax these springs.
                 EachIndex{std::ssize(events), [&](std::ptrdiff_t k) {
                             if (!made.contacts[k].made) return;
                             for (int row = 0, rows = y.bond.rows(); row < rows; ++row)
                               begun_springs_[events[k].number * rows + row] = y.bond.row(row)[events[k].slot];
                             relax_springs(y, events[k].slot);
                           }});
  if (w.domain.apart()) moved_copies_ = std::move(made.copies);
  if (y.walls.size() > 0) pushed_walls_ = std::move(made.walls);
}

void ContactEvents::finish_step(const Parts& w, Real h, const StepEnd& end, bool keeps_forces) {
  const bool early = std::exchange(slots_are_fixed_, false);  // contacts that have begun are corrected
  std::vector<EventContact> events = std::exchange(begun_, {});
  const std::vector<Corrections::Moved> copies = std::exchange(moved_copies_, {});
  const std::vector<Vector> pushed = std::exchange(pushed_walls_, {});
  std::vector<EventContact> late;  // contacts that have begun and are not
  if (w.settings.onset && !early) late = events_of(w, begun_contacts(w), EventKind::begins);
  if (!w.forces.any_changed_phase() && !(w.settings.onset && !early && w.domain.any(!late.empty()))) return;
  found_.start(w.settings.threads);
  w.forces.take_changed_phase(events);
  if (!w.settings.onset) {
    for_each_index(w, update(w, events));
    return take_findings(w);
  }
  events.insert(events.end(), late.begin(), late.end());
  find_alone(events);
  const std::vector<TrialSpring> trial_springs = w.forces.take_trial_springs();
  std::vector<int> accelerated;
  const End of{.end = end,
               .pass = {.h = h,
                        .behind = end.velocity_lag,
                        .lag = end.velocity_lag,
                        .keeps_positions = early,
                        .closing_kick = early ? end.closing_kick : 0,
                        .position_offset = end.position_offset,
                        .trial_springs = trial_springs},
               .copies = copies,
               .pushed = pushed,
               .early = early,
               .keeps_forces = keeps_forces,
               .accelerated = accelerated};
  // Else corrections change the forces of contacts nearby, which groups may share.
  const EventGroups groups = early ? EventGroups(events, w) : EventGroups(events, 1);
  groups.each(w, [&](const Parts& parts, int first, int last) {
    finish(parts, std::span(events).subspan(first, last - first), of);
  });
  share_accelerations(w, accelerated);
  take_findings(w), book_past(w);
  book(w, end.velocity_lag);
}

void ContactEvents::finish(const Parts& w, std::span<const EventContact> events, const End& of) {
  const Real lag = of.pass.lag;
  const SlotField<Phase>& phase = w.list.slots().phase;
  const auto of_kinds = [&](EventKind first, EventKind last) {
    const auto begin =
        std::partition_point(events.begin(), events.end(), [&](const auto& e) { return e.kind < first; });
    return std::span(begin, std::partition_point(begin, events.end(), [&](const auto& e) { return e.kind <= last; }));
  };
  const auto begun = of_kinds(EventKind::begun, EventKind::begun), ended = of_kinds(EventKind::ends, EventKind::ends),
             corrected = of_kinds(EventKind::begins, EventKind::ends);
  const auto was_corrected = [&](const EventContact& event) { return begun_corrections_[event.number].made; };
  const std::ptrdiff_t of_begun = 2 * std::ssize(begun);
  const auto moved = [&](std::ptrdiff_t k) -> const Corrections::Moved& {  // when contacts began
    return k < of_begun ? begun_corrections_[begun[k / 2].number].moved[k % 2] : of.copies[k - of_begun];
  };
  AskedForces before = AskedForces::of_present(w, ended);
  for_each_index(w,
                 EachIndex{std::ssize(begun),
                           [&](std::ptrdiff_t k) {
                             if (was_corrected(begun[k])) restore_spring(w, begun[k]);
                           }},
                 EachIndex{of_begun + std::ssize(of.copies),
                           [&](std::ptrdiff_t k) {
                             if (moved(k).has_grain()) book_kinetic(w, moved(k), lag), book_work(w, moved(k));
                           },
                           [&](std::ptrdiff_t k) {
                             if (moved(k).has_grain()) prefetch_grain(w, moved(k).grain);
                           }},
                 before.each_share([&](std::ptrdiff_t k) { before.find_share(k, found_.mine().booked.before); }));
  book_walls(w, of.pushed, lag);
  const auto shared = share(w, corrected);
  std::vector<EventContact> beside;  // other contacts whose forces corrections change
  if (of.keeps_forces && !of.early) {
    beside = events_of(w, contacts_nearby(w, corrected, shared.get(), ended), EventKind::begins);
    find_alone(beside);
  }
  AskedForces nearby = AskedForces::of_present(w, beside, of.end.closing_kick);
  for_each_index(w, nearby.each_share([&](std::ptrdiff_t k) { nearby.find_share(k, found_.mine().booked.before); }));
  std::vector<Corrections::OfContact> corrections(corrected.size());
  Corrections made = correct(w, corrected, corrections, shared.get(), of.pass, found_);
  follow_pushed_walls(w, made.walls);
  for_each_index(w, made.each_moved([&](Corrections::Moved& body) {
    finish_moved(w, body), book_kinetic(w, body, lag);
    if (w.states.rate_known)
      w.states.current_rate.body.set(BodyRow::x, body.grain, w.states.present.body.at(BodyRow::v, body.grain));
  }));
  book_walls(w, made.walls, lag);

  std::vector<EventContact> acting;  // whose force may act from now on
  acting.reserve(begun.size() + corrected.size());
  std::copy_if(begun.begin(), begun.end(), std::back_inserter(acting), was_corrected);
  for (std::size_t k = 0; k < corrected.size(); ++k)
    if (corrected[k].kind == EventKind::ends || corrections[k].made) acting.push_back(corrected[k]);
  jump(w, ended, -1, lag, of.accelerated, update(w, acting),
       update(w, of_kinds(EventKind::clipped, EventKind::clipped)));
  if (!of.early) for_each_index(w, made.each_moved([&](const Corrections::Moved& body) { book_work(w, body); }));
  jump(w, nearby.contacts(), -1, lag, of.accelerated);
  std::erase_if(acting, [&](const EventContact& event) { return phase[event.slot] == Phase::open; });
  if (!beside.empty()) {
    acting.insert(acting.end(), beside.begin(), beside.end());
    find_alone(acting);
  }
  AskedForces after = AskedForces::final_ones(w, acting);
  const ForceJump join(w, after.contacts(), 1, lag, of.accelerated);
  for_each_index(w, after.each_share([&](std::ptrdiff_t k) {
    after.find_share(k, found_.mine().booked.after);
    for (auto [at, last] = after.share(k); at < last; ++at) join.add_alone(at, found_.mine());
  }));
  join.add_others(found_.mine());
}

template <class... Loops>
void ContactEvents::jump(const Parts& w, std::span<const EventContact> contacts, Real times, Real lag,
                         std::vector<int>& accelerated, const Loops&... beside) {
  const ForceJump jumps(w, contacts, times, lag, accelerated);
  for_each_index(w, EachIndex{std::ssize(contacts), [&](std::ptrdiff_t k) { jumps.add_alone(k, found_.mine()); }},
                 beside...);
  jumps.add_others(found_.mine());
}

void ContactEvents::take_findings(const Parts& w) {
  Real travel = 0;
  found_.each([&](const EventFindings& of) {
    booked_.add(of.booked), count_.add(of.count);
    w.bodies.may_be_outside(of.outside);
    for (const int grain : of.unforeseen) w.list.look_at_slots_of(grain);
    travel = std::max(travel, of.travel);
  });
  w.list.add_displacement(travel);
}

void ContactEvents::finish_moved(const Parts& w, Corrections::Moved& of) {
  of.compare(w.states.present.body);
  EventFindings& mine = found_.mine();
  const Real shift = norm(of.x);
  mine.travel = std::max(mine.travel, shift);
  if (!w.list.foresees_jump(of.grain, norm(of.v), shift)) mine.unforeseen.push_back(of.grain);
}

void ContactEvents::restore_spring(const Parts& w, const EventContact& begun) {
  Slab& bond = w.states.present.bond;
  for (int row = 0, rows = bond.rows(); row < rows; ++row)
    bond.row(row)[begun.slot] = begun_springs_[begun.number * rows + row];
}

std::vector<EventContact> ContactEvents::events_of(const Parts& w, std::span<const int> slots, EventKind kind) {
  std::vector<EventContact> events;
  events.reserve(slots.size());
  const ContactScene scene = w.scene();
  for (const int slot : slots)
    if (!scene.at_wall(slot)) prefetch(&scene.list.pairs[slot]);
  for (const int slot : slots) events.push_back({.slot = slot, .grains = scene.bodies(slot), .kind = kind});
  return events;
}

// Velocities are those of the step's end now.
void ContactEvents::book_kinetic(const Parts& w, const Corrections::Moved& of, Real velocity_lag) {
  const int i = of.grain;
  if (!w.bodies.grains().own(i)) return;
  const BodyRows &y = w.states.present.body, &rate = w.states.current_rate.body;
  const auto before = [&](int row, const Vector& by) { return y.at(row, i) + velocity_lag * rate.at(row, i) - by; };
  found_.mine().booked.gained.add(
      energy_gained(w.bodies.grains(), i, before(BodyRow::v, of.v), of.v, before(BodyRow::w, of.w), of.w));
}

void ContactEvents::book_walls(const Parts& w, std::span<const Vector> pushed, Real velocity_lag) {
  const State &y = w.states.present, &rate = w.states.current_rate;
  for (int k = 0; k < static_cast<int>(pushed.size()) && w.domain.leads(); ++k) {
    const Vector before = y.walls.at(WallRow::v, k) + velocity_lag * rate.walls.at(WallRow::v, k) - pushed[k];
    found_.mine().booked.gained.add(energy_gained(w.settings.loaded_walls[k].mass, before, pushed[k]));
  }
}

// Of the forces in the accelerations on what corrections have shifted.
void ContactEvents::book_work(const Parts& w, const Corrections::Moved& of) {
  const Particles& grains = w.bodies.grains();
  if (grains.own(of.grain) && of.x != Vector{})
    found_.mine().booked.gained.add(-grains.mass[of.grain] *
                                    dot(w.states.current_rate.body.at(BodyRow::v, of.grain), of.x));
}

// To the ledgers of memories.
void ContactEvents::book_past(const Parts& w) {
  for (int m = 0; m < w.states.memories(); ++m) {
    LedgerSums recorded;
    found_.each([&](EventFindings& of) {
      if (!of.past.empty()) recorded.add(of.past[m]);
    });
    w.domain.add(recorded);
    const LedgerChannels more = recorded.value();
    for (int c = 0; c < Channel::count; ++c) w.states.memory(m).ledger[c] += more[c];
  }
}

void ContactEvents::book(const Parts& w, Real velocity_lag) {
  EventSums booked = std::exchange(booked_, EventSums());
  w.domain.add(booked);
  State &y = w.states.present, &rate = w.states.current_rate;
  const LedgerChannels recorded = booked.recorded.value(), power = booked.before.total().power;
  for (int c = 0; c < Channel::count; ++c) y.ledger[c] += recorded[c];
  y.ledger[Channel::rolling] += booked.left.value();
  const ContactSums sums = booked.after.total();
  sums.record_released(y.ledger);
  Real gained = booked.gained.value();
  for (int c = 0; c < Channel::count; ++c) {
    const Real jump = sums.after()[c] - power[c];
    rate.ledger[c] += jump;
    gained += velocity_lag * (c == Channel::external ? -jump : jump);
  }
  y.ledger[Channel::onset] -= gained;
}

std::unique_ptr<SharedCorrections> ContactEvents::share(const Parts& w, std::span<const EventContact> events) {
  return w.domain.apart() ? std::make_unique<SharedCorrections>(w, events) : nullptr;
}

}  // namespace cairn
