// The contact-onset correction, in packs of contacts. Compiled once per instruction set (core/simd.hpp).
#include "cairn/contact/kernels/alone.hpp"
#include "cairn/contact/kernels/onset.hpp"
#include "cairn/contact/kernels/packs.hpp"

namespace cairn {
namespace {

void add(LedgerChannels& ledger, const Powers<Real>& p) {
  ledger[Channel::dashpot] += p.dashpot, ledger[Channel::slip] += p.slip, ledger[Channel::clip] += p.clip;
}

using Series = Jet<2, Lanes>;

// A loaded wall moves as the state y and its rate have it, its velocity so far behind.
Pose<Series> pose_of(const Surface& surface, const State& y, const State& rate, Real behind) {
  const Real now = y.time;
  Jet<2> time = now;
  time.c[1] = 1;
  Pose<Jet<2>> p = pose_at(surface, time);
  if (surface.loaded >= 0) {
    Vec3<Jet<2>> by, velocity;
    for (int k = 0; k < 3; ++k) {
      const Real x = y.walls.row(WallRow::x + k)[surface.loaded], a = rate.walls.row(WallRow::v + k)[surface.loaded],
                 v = y.walls.row(WallRow::v + k)[surface.loaded] + behind * a;
      (&by.x)[k].c = {x, v, 0.5 * a}, (&velocity.x)[k].c = {v, a, 0};
    }
    p = moved(p, by, velocity);
  }
  const auto all = [](const Vec3<Jet<2>>& a) {
    const auto series = [](const Jet<2>& b) {
      Series s;
      for (int k = 0; k <= 2; ++k) s.c[k] = b.c[k];
      return s;
    };
    return Vec3<Series>{series(a.x), series(a.y), series(a.z)};
  };
  return {all(p.point), all(p.direction), all(p.centre), all(p.velocity), p.spin};
}

// Its pose at as many times as there are lanes; a loaded wall moves at the velocity that it has now.
Pose<Lanes> pose_of(const Surface& surface, const State& y, const Lanes& time) {
  Real numbers[4][3][lane_count];
  Pose<Real> p{};
  for (int l = 0; l < lane_count; ++l) {
    p = pose_at(surface, time[l]);
    if (surface.loaded >= 0) {
      const Vector v = y.walls.at(WallRow::v, surface.loaded);
      p = moved(p, y.walls.at(WallRow::x, surface.loaded) + (time[l] - y.time) * v, v);
    }
    const Vector* const of[] = {&p.point, &p.direction, &p.centre, &p.velocity};
    for (int k = 0; k < 4; ++k) numbers[k][0][l] = of[k]->x, numbers[k][1][l] = of[k]->y, numbers[k][2][l] = of[k]->z;
  }
  const auto vector = [&](int k) { return Vec3<Lanes>{load(numbers[k][0]), load(numbers[k][1]), load(numbers[k][2])}; };
  return {vector(0), vector(1), vector(2), vector(3), p.spin};
}

// What a contact's beginning or end changes.
struct Change {
  Lanes ago;                            // [s] when it happened
  ForceParts impulse, moment;           // [N s] [N s^2]
  Vec3<Lanes> spring;                   // [m] from now on
  Powers<Lanes> lost{};                 // [J]
  Lanes elastic;                        // [J]
  Vec3<Lanes> chi, chi_rate;            // [m] the spring of rolling from now on, [m/s]
  Vec3<Lanes> torque, angular_impulse;  // [N m] [N m s] of it on the first body
  Lanes rolling_power, rolling_lost;    // [W] [J]
};

// What it would have changed at an earlier time.
struct Past {
  ForceParts impulse, force;  // [N s] [N]
  Vec3<Lanes> spring_rate;    // [m/s]
  Powers<Lanes> power{};      // [W]
};

// What no law knows of is in functions of its own, or each law's code would have it again.
#define CAIRN_APART CAIRN_FLATTEN __attribute__((noinline))

// A pack of contacts of grains with each other, or with one surface, that all began or all ended.
class EventPack {
 public:
  // slots[which[k]] for k < count; the last once more where they fill no pack.
  CAIRN_APART EventPack(const OnsetPass& pass, const ContactTables& t, const Surface* surface, bool begins,
                        const int* slots, const int* which, int count)
      : begins(begins), pass_(pass), t_(t), surface_(surface), which_(which), count_(count) {
    int grains[2][lane_count];
    for (int l = 0; l < lane_count; ++l) {
      const int slot = slots_[l] = slots[which[std::min(l, count - 1)]];
      grains[0][l] = surface ? t.walls[slot - t.pairs.size()].grain : t.pairs[slot].first;
      grains[1][l] = surface ? grains[0][l] : t.pairs[slot].second;
    }
    for (int k = 0; k < 2; ++k) {
      std::copy_n(grains[k], lane_count, grains_[k]);
      radius_[k] = at(k).of(t.grains->radius.data());
      inverse_mass_[k] = at(k).of(t.grains->inverse_mass.data());
      inverse_inertia_[k] = at(k).of(t.grains->inverse_inertia.data());
    }
    r_eff_ = effective_of(radius_[0], radius_[1]);
    m_eff_ = m_eff_of(inverse_mass_[0], surface ? Lanes(t.inverse_mass(*surface)) : inverse_mass_[1]);
    BodyMotion<Series> series[2];
    Vec3<Lanes> acceleration{};  // [m/s^2] of the first body relative to the second
    for (int k = 0; k < bodies(); ++k) {
      motion_[k] = GrainEntries(pass.y->body, load_ints(grains_[k])).motion();
      const GrainEntries rate(pass.current_rate->body, load_ints(grains_[k]));
      const Vec3<Lanes> a = rate.vector(BodyRow::v), alpha = rate.vector(BodyRow::w);
      drifts_at_[k] = motion_[k].v, acceleration = acceleration + side(k) * a;
      motion_[k].v = motion_[k].v + Lanes(pass.behind) * a, motion_[k].w = motion_[k].w + Lanes(pass.behind) * alpha;
      series[k] = {series_of(motion_[k].x, motion_[k].v, 0.5 * a), series_of(motion_[k].v, a, {}),
                   series_of(motion_[k].w, alpha, {})};
    }
    const Pose<Series> pose = surface ? pose_of(*surface, *pass.y, *pass.current_rate, pass.behind) : Pose<Series>{};
    course = geometry_of(series, pose);
    wall_velocity_ = now(course.wall_velocity);
    if (surface && surface->loaded >= 0) {
      const Vector v = pass.y->walls.at(WallRow::v, surface->loaded) +
                       pass.behind * pass.current_rate->walls.at(WallRow::v, surface->loaded);
      wall_velocity_ = wall_velocity_ - Vec3<Lanes>{v.x, v.y, v.z};
    }
    if (surface)
      acceleration = acceleration - Vec3<Lanes>{pose.velocity.x.c[1], pose.velocity.y.c[1], pose.velocity.z.c[1]};
    wall_spin_ = {pose.spin.x, pose.spin.y, pose.spin.z};
    normal_ = now(course.kinematics.n);
    approach_rate = dot(acceleration, normal_);
    spin = motion_[0].w - (surface ? wall_spin_ : motion_[1].w);
    spring = SlabRows<BondRow::count>(pass.y->bond).of(PackSlots{0, slots_}, 0);
  }

  const bool begins;
  ContactGeometry<Series> course;  // under the present accelerations
  Vec3<Lanes> spin, spring;        // [rad/s] of the first body against the second; [m]
  Lanes approach_rate;             // [m/s^2] while the normal does not turn
  Mask made{};                     // which are to be corrected

  Lanes of(const Real* of_slots) const { return PackSlots{0, slots_}.of(of_slots); }
  // The springs of these contacts before they returned to their limits, where they are known.
  Vec3<Lanes> trial_springs(Mask& known) const {
    Real of[3][lane_count] = {}, found[lane_count] = {};
    const auto all = pass_.trial_springs;
    for (int l = 0; l < lane_count; ++l) {
      const auto at = std::lower_bound(all.begin(), all.end(), slots_[l],
                                       [](const TrialSpring& a, int slot) { return a.slot < slot; });
      if (at == all.end() || at->slot != slots_[l]) continue;
      of[0][l] = at->xi.x, of[1][l] = at->xi.y, of[2][l] = at->xi.z, found[l] = 1;
    }
    known = load(found) > 0.0;
    return {load(of[0]), load(of[1]), load(of[2])};
  }
  // [1/kg] the tangential acceleration of the contact point that a force there causes, over the force.
  Lanes effective_inverse_mass() const {
    Lanes sum;
    for (int k = 0; k < bodies(); ++k) {
      const Lanes lever = radius_[k] - value(course.reduction);
      sum = sum + (inverse_mass_[k] + lever * lever * inverse_inertia_[k]);
    }
    if (surface_) sum = sum + Lanes(t_.inverse_mass(*surface_));
    return sum;
  }

  // The impulse has its moment if part of it acts where the bodies were when it happened, and the rest now: they drift
  // back, are kicked, drift on and are kicked again, which keeps linear and angular momentum to round-off. Each kick is
  // along the normal of its own instant, so that the normal part has no lever: smooth spheres do not spin.
  CAIRN_APART void apply(const Change& change) {
    const Lanes ago = select(made, change.ago, Lanes(0.0));
    const Mask earlier = ago > 0.0;
    const ForceParts first = where(made && earlier, (1.0 / select(earlier, ago, Lanes(1.0))) * change.moment);
    const ForceParts second = where(made, change.impulse) - first;
    BodyMotion<Lanes> then[2];
    for (int k = 0; k < 2; ++k) then[k] = motion_[k], then[k].x = motion_[k].x - ago * drifts_at_[k];
    const Lanes time = pass_.y->time;
    const ContactGeometry<Lanes> event = geometry_of(then, pose(time - ago));
    const Vec3<Lanes> first_kick = force_on_first(event, first);
    for (int k = 0; k < bodies(); ++k) motion_[k].x = motion_[k].x + (ago * side(k) * inverse_mass_[k]) * first_kick;
    present_ = geometry_of(motion_, pose(time));
    impulse_ = first_kick + force_on_first(present_, second);
    for (int k = 0; k < bodies(); ++k) {
      Vec3<Lanes> turn = angular(k, event, first) + angular(k, present_, second);
      if (begins && t_.rolling) turn = turn + (side(k) * inverse_inertia_[k]) * where_made(change.angular_impulse);
      put(pass_.y->body, BodyRow::x, k, motion_[k].x);
      add_to(*pass_.y, BodyRow::v, k, (side(k) * inverse_mass_[k]) * impulse_), add_to(*pass_.y, BodyRow::w, k, turn);
    }
    put_springs(*pass_.y, change.spring, change.chi);
  }

  // To memory m, after apply().
  CAIRN_APART void give(std::size_t m, const Change& change, const Past& then, CorrectedPast* past) const {
    State* const to = pass_.memories[m];
    if (!to) return;
    const ForceParts forces = where(made, then.force);
    const Vec3<Lanes> impulse = force_on_first(present_, where(made, then.impulse)),
                      force = force_on_first(present_, forces);
    for (int k = 0; k < bodies(); ++k) {
      const Lanes inverse = side(k) * inverse_mass_[k];
      add_to(*to, BodyRow::x, k, inverse * impulse), add_to(*to, BodyRow::v, k, inverse * force);
      add_to(*to, BodyRow::w, k, angular(k, present_, forces));
      if (begins && t_.rolling) add_to(*to, BodyRow::w, k, (side(k) * inverse_inertia_[k]) * where_made(change.torque));
    }
    if (to->bond.size() > 0) put_springs(*to, then.spring_rate, change.chi_rate);
    const Lanes brought = dot(force, wall_velocity_) + dot(change.torque, wall_spin_);
    for_each_made([&](int l) {
      CorrectedPast& to_past = past[which_[l] * pass_.memories.size() + m];
      if (surface_) {
        to_past.impulse = {impulse.x[l], impulse.y[l], impulse.z[l]};
        to_past.force = {force.x[l], force.y[l], force.z[l]};
      }
      LedgerChannels& ledger = to_past.power;
      add(ledger, {then.power.dashpot[l], then.power.slip[l], then.power.clip[l]});
      ledger[Channel::rolling] += change.rolling_power[l], ledger[Channel::external] += brought[l];
    });
  }

  CAIRN_APART void record(const Change& change, const Lanes& onset_speed, Corrected* corrected) const {
    const Powers<Lanes>& lost = change.lost;
    const Lanes by_force = dot(impulse_, wall_velocity_), by_rolling = dot(change.angular_impulse, wall_spin_);
    const Lanes gained =
        change.elastic + lost.dashpot + lost.slip + lost.clip + (change.rolling_lost - by_rolling) - by_force;
    for_each_made([&](int l) {
      Corrected& to = corrected[which_[l]];
      to.made = true;
      add(to.recorded, {lost.dashpot[l], lost.slip[l], lost.clip[l]});
      to.recorded[Channel::rolling] = change.rolling_lost[l],
      to.recorded[Channel::external] = by_force[l] + by_rolling[l];
      to.gained = gained[l];
      if (surface_) to.impulse = {impulse_.x[l], impulse_.y[l], impulse_.z[l]};
      if (begins) to.onset_speed = onset_speed[l];
      for (int k = 0; k < bodies(); ++k) {
        const Vec3<Lanes>& x = motion_[k].x;
        to.outside = to.outside || t_.cell.outside({x.x[l], x.y[l], x.z[l]});
      }
    });
  }

  static Vec3<Lanes> now(const Vec3<Series>& a) { return {value(a.x), value(a.y), value(a.z)}; }

 private:
  int bodies() const { return surface_ ? 1 : 2; }
  GatherIndex at(int body) const { return GatherIndex(load_ints(grains_[body])); }
  static Real side(int body) { return body == 0 ? 1 : -1; }

  template <class T>
  CAIRN_APART ContactGeometry<T> geometry_of(const BodyMotion<T> (&of)[2], const Pose<T>& pose) const {
    if (surface_) return wall_geometry_of(of[0], pose);
    const Vec3<T> straight = of[1].x - of[0].x;
    const Vec3<Lanes> image = t_.cell.image(Vec3<Lanes>{value(straight.x), value(straight.y), value(straight.z)});
    const Vec3<T> d = straight - Vec3<T>{T(image.x), T(image.y), T(image.z)};
    return contact_geometry(pair_kinematics(of[0], of[1], d, T(radius_[0]), T(radius_[1]), T(r_eff_), T(m_eff_)));
  }
  // Not flattened: a series of each shape would take longer to compile than the rest of this file.
  template <class T>
  __attribute__((noinline)) ContactGeometry<T> wall_geometry_of(const BodyMotion<T>& of, const Pose<T>& pose) const {
    return contact_geometry(of, *surface_, pose, t_.cell, T(radius_[0]), T(m_eff_));
  }
  Pose<Lanes> pose(const Lanes& time) const { return surface_ ? pose_of(*surface_, *pass_.y, time) : Pose<Lanes>{}; }
  static Vec3<Series> series_of(const Vec3<Lanes>& c0, const Vec3<Lanes>& c1, const Vec3<Lanes>& c2) {
    Vec3<Series> a;
    a.x.c = {c0.x, c1.x, c2.x}, a.y.c = {c0.y, c1.y, c2.y}, a.z.c = {c0.z, c1.z, c2.z};
    return a;
  }
  Vec3<Lanes> where_made(const Vec3<Lanes>& a) const { return select(made, a, Vec3<Lanes>{}); }
  static ForceParts where(const Mask& which, const ForceParts& a) {
    return {select(which, a.normal, Lanes(0.0)), select(which, a.tangential, Vec3<Lanes>{})};
  }
  // The tangential part in the plane across n, turned there with the normal the shortest way; where two bodies pass
  // through each other in a step there is none, and it is taken across n.
  Vec3<Lanes> tangential(const Vec3<Lanes>& n, const ForceParts& a) const {
    const Vec3<Lanes>& t = a.tangential;
    const Lanes both = 1.0 + dot(n, normal_);
    const Mask near = both > 0.5;
    return t - dot(t, n) * select(near, (1.0 / select(near, both, Lanes(1.0))) * (n + normal_), n);
  }
  // On the first body, as it acts where the two so meet.
  Vec3<Lanes> force_on_first(const ContactGeometry<Lanes>& met, const ForceParts& a) const {
    return tangential(met.kinematics.n, a) - a.normal * met.kinematics.n;
  }
  // [rad/s] of a body, by such an impulse.
  Vec3<Lanes> angular(int k, const ContactGeometry<Lanes>& met, const ForceParts& impulse) const {
    return (inverse_inertia_[k] * (radius_[k] - met.reduction)) *
           cross(met.kinematics.n, tangential(met.kinematics.n, impulse));
  }
  void put(BodyRows& to, int row, int body, const Vec3<Lanes>& a) const {
    for (int l = 0; l < lane_count; ++l) to.set(row, grains_[body][l], {a.x[l], a.y[l], a.z[l]});
  }
  void add_to(State& to, int row, int body, const Vec3<Lanes>& a) const {
    put(to.body, row, body, GrainEntries(to.body, load_ints(grains_[body])).vector(row) + a);
  }
  void put_springs(State& to, const Vec3<Lanes>& xi, const Vec3<Lanes>& chi) const {
    const PackSlots slots{0, slots_};
    const auto put_rows = [&](int first, const Vec3<Lanes>& a) {
      SpringRows(&to, first).put(slots, select(made, a, SlabRows<3>(to.bond, first).of(slots, 0)));
    };
    put_rows(BondRow::xi, xi);
    if (begins && t_.rolling) put_rows(BondRow::chi, chi);
  }
  template <class F>
  void for_each_made(F&& f) const {
    for (int l = 0; l < count_; ++l)
      if (lanes_of(made) >> l & 1) f(l);
  }

  const OnsetPass& pass_;
  const ContactTables& t_;
  const Surface* surface_;
  const int* which_;
  int count_, slots_[lane_count], grains_[2][lane_count];
  Lanes radius_[2], inverse_mass_[2], inverse_inertia_[2], r_eff_, m_eff_;
  BodyMotion<Lanes> motion_[2];  // at the end of the step
  Vec3<Lanes> drifts_at_[2];     // [m/s] velocities of the state: with them a drift keeps the angular momentum
  Vec3<Lanes> wall_velocity_, wall_spin_, normal_;
  ContactGeometry<Lanes> present_;  // after apply()
  Vec3<Lanes> impulse_;             // [N s] on the first body
};

// A contact found began some time before the end of the step: from there its own motion is made up for. give(m, past)
// is called for every memory, after apply().
template <class Alone, class Apply, class Give>
inline void find_begun(const OnsetPass& pass, const Alone& contact, Change& to, Apply&& apply, Give&& give) {
  using Course = typename Alone::Course;
  to.ago = contact.began(pass.h);
  Course start = contact.exact({});
  start.time = -to.ago;
  Course now = start;
  contact.advance(now, 0.0);
  Lanes offset_energy{};
  if (pass.position_offset != 0) {
    const Lanes fn = contact.force(now).fn - contact.force(start).fn;
    now = contact.of_scheme(now, fn), offset_energy = contact.energy_of_offset(fn);
  }
  to.moment = now.moment, to.spring = now.spring;
  to.elastic = contact.energy(now, now.spring) - offset_energy;
  to.impulse = now.impulse, to.lost = now.lost;
  if (pass.lag > 0) {
    const Course to_come = contact.kick_to_come(now);
    to.impulse = to.impulse - to_come.impulse, to.lost = to.lost - to_come.lost;
  }
  apply();
  for (std::size_t m = 0; m < pass.memories.size(); ++m) {
    contact.advance(start, -pass.ago[m]);
    const ContactForce<Lanes> p = contact.force(start);
    give(m, Past{start.impulse, contact.parts(p), p.xi_rate, p.power});
  }
}

// A contact whose force has gone beyond its end: what it did since is taken back. Friction does not run on smoothly,
// and a spring at its limit does not tell how it came there, so that friction cannot be followed back. Where the course
// of the step is known it is followed again from the beginning.
template <class Alone, class Apply, class Give>
inline void find_ended(const OnsetPass& pass, const Alone& contact, const EventPack& events, Change& to, Apply&& apply,
                       Give&& give) {
  using Course = typename Alone::Course;
  Course now;
  now.spring = events.spring;
  Course last = contact.ended(contact.exact(now), pass.h);
  const Vec3<Lanes> back = last.impulse.tangential;
  Mask followed{};
  typename Alone::Friction friction;
  if constexpr (Alone::follows_friction)
    if (pass.closing_kick > 0) {
      const Vec3<Lanes> trial = events.trial_springs(followed);
      if (any(followed)) friction = contact.friction_again(now, last, trial, pass.h, pass.closing_kick);
    }
  last.impulse.tangential = select(followed, friction.impulse, last.impulse.tangential);
  last.moment.tangential = select(followed, Vec3<Lanes>{}, last.moment.tangential);  // as if it acted at the end
  to.impulse = last.impulse;
  if (!pass.keeps_positions) {
    to.ago = -last.time, to.moment = last.moment + to.ago * last.impulse;
    to.moment.normal = to.moment.normal + contact.moment_of_others();
  }
  // Since then without its force.
  const auto open = [&](const Lanes& time) {
    Course c;
    c.time = time, c.impulse = last.impulse, c.moment = to.moment + time * last.impulse;
    return c;
  };
  to.elastic =
      contact.energy_left(open(0.0)) - contact.energy(now, now.spring) + contact.energy_of_offset(contact.own_normal());
  // The spring of a contact that has ended becomes heat, and while it opens the rest is abandoned as by a clip.
  const Lanes normal = contact.energy(last, {});
  to.lost = last.lost;
  to.lost.slip = to.lost.slip + (contact.energy(last, last.spring) - normal) +
                 select(followed, contact.work(back) - contact.work(friction.impulse), Lanes(0.0));
  if (contact.clips()) to.lost.clip = to.lost.clip + (normal - contact.energy_left(open(0.0)));
  if (pass.lag > 0) {
    const Course to_come = contact.kick_to_come();
    to.impulse = to.impulse + to_come.impulse;
    to.lost = to.lost + (to_come.lost - Lanes(pass.lag) * contact.abandoned(open(0.0)));
  }
  apply();
  for (std::size_t m = 0; m < pass.memories.size(); ++m) {
    contact.advance(now, -pass.ago[m]);
    const ContactForce<Lanes> p = contact.force(now);
    ForceParts force = contact.parts(p);
    if (pass.ago[m] == pass.h) force.tangential = select(followed, friction.first, force.tangential);
    give(m, Past{last.impulse - now.impulse, Lanes(-1.0) * force, {}, contact.abandoned(open(-pass.ago[m])) - p.power});
  }
}

// What two bodies have rolled since, and what torque that made, to first order: as of now.
template <class Law>
inline void begin_rolling(const OnsetPass& pass, const Law& law, const RollingResistance& resistance,
                          const EventPack& events, const Lanes& onset_speed, Change& to) {
  const ContactKinematics<Series>& now = events.course.kinematics;
  ContactKinematics<Lanes> present{};
  present.n = EventPack::now(now.n);
  present.overlap = value(now.overlap), present.approach = value(now.approach);
  present.m_eff = value(now.m_eff), present.r_eff = value(now.r_eff);
  present.onset_speed = onset_speed;
  const NormalLoad<Lanes> normal_load = normal_load_of(law.force(present, {}));
  to.chi_rate = present.r_eff * events.spin;
  to.chi = to.ago * to.chi_rate;
  const RollingResponse<Lanes> roll = resistance.response(present, to.chi_rate, to.chi, normal_load);
  to.torque = present.r_eff * roll.torque, to.rolling_power = roll.power;
  to.angular_impulse = (to.ago - pass.lag) * to.torque, to.rolling_lost = (to.ago - pass.lag) * to.rolling_power;
  if (resistance.stores) to.elastic = to.elastic + resistance.elastic_energy(present.n, to.chi, normal_load.stiffness);
}

template <class Law>
__attribute__((noinline)) void correct(const OnsetPass& pass, const ContactTables& t, const Law& law,
                                       const RollingResistance* rolling, EventPack& events, Corrected* corrected,
                                       CorrectedPast* past) {
  if constexpr (Law::sees_onset_speed) events.course.kinematics.onset_speed = Series(events.of(t.onset_speeds));
  const ContactAlone<Law> contact(law, events.course.kinematics, events.effective_inverse_mass(), !events.begins,
                                  events.spring, events.approach_rate, pass.position_offset, pass.lag);
  events.made = events.begins ? in_contact(value(events.course.kinematics.overlap)) : !contact.holds();
  if (!any(events.made)) return;
  Change change;
  const auto give = [&](std::size_t m, const Past& then) { events.give(m, change, then, past); };
  if (events.begins) {
    const auto apply = [&] {
      if (rolling) begin_rolling(pass, law, *rolling, events, contact.onset_speed(), change);
      events.apply(change);
    };
    find_begun(pass, contact, change, apply, give);
  } else {
    find_ended(
        pass, contact, events, change, [&] { events.apply(change); }, give);
  }
  events.record(change, contact.onset_speed(), corrected);
}

// Packs are of one law and one surface, and of contacts that all began or all ended.
template <class Law>
inline void correct_all(const OnsetPass& pass, const ContactTables& t, std::span<const Law> laws, const int* slots,
                        const int* which, int count, Corrected* corrected, CorrectedPast* past) {
  struct Kind {
    int surface, law;
    bool begins;
    bool operator==(const Kind&) const = default;
  };
  const auto kind_of = [&](int slot) {
    const bool begins = t.phases[slot] == Phase::open;
    const auto material = [&](int grain) { return t.materials == 1 ? 0 : t.grains->material[grain]; };
    const int pairs = static_cast<int>(t.pairs.size());
    if (slot < pairs)
      return Kind{-1, material(t.pairs[slot].first) * t.materials + material(t.pairs[slot].second), begins};
    const WallPair& wall = t.walls[slot - pairs];
    return Kind{wall.surface, material(wall.grain) * t.materials + t.surfaces[wall.surface].material, begins};
  };
  int left[contact_block], same[contact_block];
  std::copy_n(which, count, left);
  while (count > 0) {
    const Kind kind = kind_of(slots[left[0]]);
    int others = 0, alike = 0;
    for (int k = 0; k < count; ++k)
      if (kind_of(slots[left[k]]) == kind)
        same[alike++] = left[k];
      else
        left[others++] = left[k];
    count = others;
    for (int k = 0; k < alike; k += lane_count) {
      EventPack events(pass, t, kind.surface < 0 ? nullptr : &t.surfaces[kind.surface], kind.begins, slots, same + k,
                       std::min(lane_count, alike - k));
      correct(pass, t, laws[kind.law], t.rolling ? t.rolling + kind.law : nullptr, events, corrected, past);
    }
  }
}

}  // namespace

void CAIRN_ENTRY(onset_pass_, CAIRN_SIMD)(const OnsetPass& pass, const ContactTables& t, const LawTable& laws,
                                          const int* slots, const int* which, int count, Corrected* corrected,
                                          CorrectedPast* past) {
  std::visit([&](const auto& table) { correct_all(pass, t, std::span(table), slots, which, count, corrected, past); },
             laws);
}

}  // namespace cairn
