#include "cairn/run/contact_event_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace cairn {
namespace {

struct Crossing {
  Real after;  // [s]
  Real speed;  // [m/s]
};

// When an overlap <= 0 that grows at `speed` and accelerates by `growth` passes zero within `most` [s], at whose end it
// is `closed`. Where it does not, for other forces have changed within the step, an even motion between both.
Crossing crossing(Real overlap, Real speed, Real growth, Real most, Real closed) {
  if (!(overlap < 0)) return {0, speed};
  const Real root = speed * speed - 2 * growth * overlap;
  Real after = root >= 0 ? -2 * overlap / (speed + std::sqrt(root)) : -1;
  if (!(after >= 0 && after <= most)) after = most * overlap / (overlap - closed);
  return {after, speed + growth * after};
}

// The maximum over [0, h] of the cubic with these values and rates at the ends.
Real highest_of_cubic(Real h, Real a, Real a_rate, Real b, Real b_rate) {
  const Real at_ends = std::max(a, b);
  if (!(h > 0 && a_rate > 0 && b_rate < 0)) return at_ends;
  const Real slope = (b - a) / h;
  const Real c2 = (3 * slope - 2 * a_rate - b_rate) / h, c3 = (a_rate + b_rate - 2 * slope) / (h * h);
  const Real s = a_rate / (std::sqrt(c2 * c2 - 3 * c3 * a_rate) - c2);
  return std::max(at_ends, a + s * (a_rate + s * (c2 + s * c3)));
}

Real normal_force(const ContactView& view) {
  const Real size = norm(view.normal);
  return dot(view.normal, view.to - view.from) > 0 ? -size : size;  // n points from `from` to `to`
}

template <class A>
auto key(const A& a) {
  return std::tuple(a.event.first, a.event.second, a.surface);
}
auto key(const ContactView& a) {
  return std::tuple(a.first, a.second, static_cast<std::int64_t>(a.surface));
}

}  // namespace

ContactEventRecorder::Body ContactEventRecorder::body_of(World& world, int i) {
  const State &now = world.state(), &rate = world.current_rate();
  return {now.body.at(BodyRow::x, i), now.body.at(BodyRow::v, i),
          static_cast<int>(rate.body.size()) == world.size() ? rate.body.at(BodyRow::v, i) : Vector{},
          now.body.at(BodyRow::w, i), world.grains().radius[static_cast<std::size_t>(i)]};
}

std::vector<ContactEventRecorder::Wall> ContactEventRecorder::walls_of(World& world) {
  const Slab &now = world.state().walls, &rate = world.current_rate().walls;
  std::vector<Wall> walls;
  for (int k = 0; k < now.size(); ++k)
    walls.push_back(
        {now.at(WallRow::x, k), now.at(WallRow::v, k), rate.size() == now.size() ? rate.at(WallRow::v, k) : Vector{}});
  return walls;
}

// The geometry of contacts itself, with series in time in place of numbers, so that turning normals and moving walls
// are in it.
ContactEventRecorder::Course ContactEventRecorder::course_of(const World& world, Real time, std::span<const Wall> walls,
                                                             const Body& a, const Body& b, std::int64_t surface) {
  using T = Jet<1>;
  const auto series = [](const Vector& at, const Vector& rate) {
    Vec3<T> s;
    s.x.c = {at.x, rate.x}, s.y.c = {at.y, rate.y}, s.z.c = {at.z, rate.z};
    return s;
  };
  const auto motions = [&](const Body& of) {
    return BodyMotion<T>{series(of.x, of.v), series(of.v, of.a), series(of.w, {})};
  };
  const auto course = [](const ContactKinematics<T>& kinematics) {
    const auto vector = [&](int order) {
      return Vector{kinematics.vt.x.c[order], kinematics.vt.y.c[order], kinematics.vt.z.c[order]};
    };
    return Course{kinematics.overlap.c[0], kinematics.approach.c[0], kinematics.approach.c[1], vector(0), vector(1)};
  };
  const T one = 1.0;
  if (surface >= 0) {
    const Surface& of = world.settings().surfaces[static_cast<std::size_t>(surface)];
    T t = time;
    t.c[1] = 1;
    Pose<T> pose = pose_at(of, t);
    if (of.loaded >= 0) {
      const Wall& wall = walls[static_cast<std::size_t>(of.loaded)];
      pose = moved(pose, series(wall.x, wall.v), series(wall.v, wall.a));
    }
    return course(contact_geometry(motions(a), of, pose, world.settings().cell, T(a.radius), one).kinematics);
  }
  const BodyMotion<T> first = motions(a), second = motions(b);
  const Vector image = world.settings().cell.image(b.x - a.x);
  const Vec3<T> d = second.x - first.x - series(image, {});
  return course(contact_geometry(pair_kinematics(first, second, d, T(a.radius), T(b.radius), one, one)).kinematics);
}

void ContactEventRecorder::find_grains(const World& world) {
  if (id_ == world.grains().id) return;
  id_ = world.grains().id;
  const std::int64_t most = id_.empty() ? -1 : *std::max_element(id_.begin(), id_.end());
  where_.assign(std::max(where_.size(), static_cast<std::size_t>(most + 1)), -1);
  for (std::size_t i = 0; i < id_.size(); ++i)
    if (id_[i] >= 0) where_[static_cast<std::size_t>(id_[i])] = static_cast<int>(i);  // the others are no grains
}

void ContactEventRecorder::see_removed(const World& world) {
  find_grains(world);
  const auto gone = [&](std::int64_t id) { return id >= 0 && index(id) < 0; };
  const auto ended = [&](const Standing& s) { return gone(s.event.first) || gone(s.event.second); };
  for (const Standing& s : standing_)
    if (ended(s)) ended_.push_back(so_far(s));
  std::erase_if(standing_, ended);
}

void ContactEventRecorder::before_step(World& world) {
  time_ = world.time();
  find_grains(world);
  if (world.whole() && world.domain().leads()) see_removed(world);
  own_begin_ = world.grains().own_begin(), own_end_ = world.grains().own_end();
  before_.clear();
  for (int i = 0; i < world.size(); ++i) before_.push_back(body_of(world, i));
  walls_before_ = walls_of(world);
}

// As ContactScene::counts().
bool ContactEventRecorder::counts(const Standing& contact, const Particles& grains) const {
  const int first = index(contact.event.first);
  if (contact.event.second < 0) return first >= 0 && grains.own(first);
  const int second = index(contact.event.second);
  return first >= 0 && second >= 0 && grains.own(std::min(first, second));
}

void ContactEventRecorder::order() {
  std::sort(standing_.begin(), standing_.end(), [](const Standing& a, const Standing& b) { return key(a) < key(b); });
}

// The list sorts the grains anew at times, and some move to other ranks then. What is remembered of them follows.
void ContactEventRecorder::follow_grains(const World& world) {
  const Particles& grains = world.grains();
  const Domain& domain = world.domain();
  // Rank 0 alone has what stood while it had all grains.
  const bool stays = id_ == grains.id && std::all_of(standing_.begin(), standing_.end(),
                                                     [&](const Standing& s) { return counts(s, grains); });
  if (!domain.any(!stays)) return;
  struct Known {
    std::int64_t id;
    Body body;
  };
  std::vector<Known> known;
  for (int i = own_begin_; i < own_end_; ++i) known.push_back({id_[i], before_[i]});
  find_grains(world);
  if (!world.whole()) {
    Ranks& ranks = domain.ranks();
    const auto count = static_cast<std::size_t>(ranks.count());
    Bytes left;
    ByteWriter message(left);
    message.add(last_), message.add(earlier_);
    std::vector<Standing> stay, leave;
    for (const Standing& s : standing_) (counts(s, grains) ? stay : leave).push_back(s);
    message.vector("standing", leave);
    for (const Known& k : known)
      if (const int i = index(k.id); i < 0 || !grains.own(i)) message.add(k);
    standing_ = std::move(stay);
    const std::vector<Bytes> all = ranks.exchange(std::vector<Bytes>(count, left));
    for (std::size_t r = 0; r < all.size(); ++r) {
      ByteReader from(all[r]);
      const Real last = from.take<Real>(), earlier = from.take<Real>();
      if (r == 0) last_ = last, earlier_ = earlier;  // others may have stood aside
      from.vector("standing", leave);
      for (const Standing& s : leave)
        if (counts(s, grains)) standing_.push_back(s);
      while (!from.empty()) known.push_back(from.take<Known>());
    }
    order();
  }
  const auto earlier = [](const Known& a, const Known& b) { return a.id < b.id; };
  std::sort(known.begin(), known.end(), earlier);
  before_.assign(id_.size(), Body{});
  for (std::size_t i = 0; i < id_.size(); ++i)
    if (const auto at = std::lower_bound(known.begin(), known.end(), Known{id_[i], {}}, earlier);
        at != known.end() && at->id == id_[i])
      before_[i] = at->body;
  if (world.whole()) return;
  // A rank may have copies now of grains that did not move.
  std::vector<Bytes> to(static_cast<std::size_t>(domain.ranks().count()));
  for (const Domain::Link& link : domain.links())
    for (const int i : link.sends) ByteWriter(to[static_cast<std::size_t>(link.rank)]).add(before_[i]);
  const std::vector<Bytes> all = domain.ranks().exchange(std::move(to));
  for (const Domain::Link& link : domain.links()) {
    ByteReader from(all[static_cast<std::size_t>(link.rank)]);
    for (const int i : link.receives) before_[i] = from.take<Body>();
  }
}

void ContactEventRecorder::after_step(World& world) {
  const Real now = world.time();
  follow_grains(world);
  const std::vector<ContactView> closed = world.closed_contacts();
  std::vector<Standing> standing, ended;
  begun_.clear();
  standing.reserve(closed.size());
  auto before = standing_.begin();
  for (const ContactView& view : closed) {
    for (; before != standing_.end() && key(*before) < key(view); ++before) ended.push_back(*before);
    if (before != standing_.end() && key(*before) == key(view)) {
      standing.push_back(*before++);
      go_on(standing.back(), view, now);
    } else {
      standing.push_back(new_contact(world, view, now));
      begun_.push_back({standing.back().event, standing.back().surface});
    }
  }
  ended.insert(ended.end(), before, standing_.end());
  for (const Standing& contact : ended) {
    const ContactEvent event = end(world, contact, now);
    if (world.whole())
      ended_.push_back(event);
    else
      uncollected_.push_back({world.steps(), event});
  }
  standing_ = std::move(standing);
  earlier_ = std::exchange(last_, now);
}

void ContactEventRecorder::collect(const Domain& domain) {
  if (!domain.apart()) return;
  collect_ended(domain);
  domain.collect(standing_);
  order();
}

void ContactEventRecorder::collect_ended(const Domain& domain) {
  if (!domain.apart()) return;
  domain.collect(uncollected_);
  // Contacts of the same two bodies are counted by one rank, and stand in their order.
  std::stable_sort(uncollected_.begin(), uncollected_.end(), [](const Ended& a, const Ended& b) {
    return std::tuple(a.step, a.event.first, a.event.second) < std::tuple(b.step, b.event.first, b.event.second);
  });
  for (const Ended& e : uncollected_) ended_.push_back(e.event);
  uncollected_.clear();
}

ContactEventRecorder::Standing ContactEventRecorder::new_contact(const World& world, const ContactView& view,
                                                                 Real now) const {
  const Body &a = before_[static_cast<std::size_t>(index(view.first))],
             &b = before_[static_cast<std::size_t>(index(view.second))];
  const Course free = course_of(world, time_, walls_before_, a, b, view.surface);
  const Crossing at = crossing(free.overlap, free.approach, free.growth, now - time_, view.overlap);
  const Real force = normal_force(view);
  Standing contact;
  contact.event = {.first = view.first,
                   .second = view.second,
                   .began = time_ + at.after,
                   .peak_force = force,
                   .peak_force_time = now,
                   .peak_overlap = highest_of_cubic(now - time_ - at.after, std::max(free.overlap, 0.0), at.speed,
                                                    view.overlap, view.approach),
                   .peak_tangential_force = norm(view.tangential),
                   .approach_speed = at.speed,
                   .approach_slip = free.slip + at.after * free.slip_growth,
                   .first_material = view.first_material,
                   .second_material = view.second_material};
  contact.surface = view.surface;
  contact.overlap = view.overlap, contact.approach = view.approach, contact.force = force;
  contact.looks = 1;
  return contact;
}

void ContactEventRecorder::go_on(Standing& contact, const ContactView& view, Real now) const {
  ContactEvent& e = contact.event;
  e.peak_overlap = std::max(
      e.peak_overlap, highest_of_cubic(now - last_, contact.overlap, contact.approach, view.overlap, view.approach));
  e.peak_tangential_force = std::max(e.peak_tangential_force, norm(view.tangential));
  const auto peak = [&](Real force, Real time) {
    if (force > e.peak_force) e.peak_force = force, e.peak_force_time = time;
  };
  const Real force = normal_force(view), middle = contact.force;
  if (contact.looks > 1 && middle >= contact.earlier && middle >= force) {
    // The vertex of the parabola, by the rate and the curvature at its middle.
    const Real before = last_ - earlier_, after = now - last_;
    const Real rise = (middle - contact.earlier) / before, fall = (force - middle) / after;
    const Real curvature = (fall - rise) / (before + after);
    const Real rate = (rise * after + fall * before) / (before + after);
    if (curvature < 0) peak(middle - rate * rate / (4 * curvature), last_ - rate / (2 * curvature));
  }
  peak(force, now);
  contact.overlap = view.overlap, contact.approach = view.approach;
  contact.earlier = std::exchange(contact.force, force);
  ++contact.looks;
}

// Seen from the step's end, at which the contact is open, the motion runs back into it.
ContactEvent ContactEventRecorder::end(World& world, Standing contact, Real now) const {
  ContactEvent& e = contact.event;
  const Body a = body_of(world, index(e.first)), b = body_of(world, index(e.second));
  const Course free = course_of(world, now, walls_of(world), a, b, contact.surface);
  const Crossing at = crossing(free.overlap, -free.approach, free.growth, now - last_, contact.overlap);
  e.duration = now - at.after - e.began;
  e.peak_overlap = std::max(e.peak_overlap,
                            highest_of_cubic(now - at.after - last_, contact.overlap, contact.approach, 0, -at.speed));
  e.separation_speed = at.speed;
  e.separation_slip = free.slip - at.after * free.slip_growth;
  e.parted = 1;
  return e;
}

std::vector<ContactEvent> ContactEventRecorder::take() {
  return std::exchange(ended_, {});
}

void ContactEventRecorder::forget_ended() {
  ended_.clear(), uncollected_.clear();
}

ContactEvent ContactEventRecorder::so_far(const Standing& contact) const {
  ContactEvent event = contact.event;
  event.duration = last_ - event.began;
  event.separation_speed = std::numeric_limits<Real>::quiet_NaN();
  return event;
}

ContactEventRecorder::Some ContactEventRecorder::standing_of(const World& world, StandingLook look) const {
  world.domain().ask(Question::standing_contacts, look);
  Some some{{}, std::ssize(standing_)};
  for (auto s = std::partition_point(standing_.begin(), standing_.end(),
                                     [&](const Standing& a) { return a.event.first < look.from; });
       s != standing_.end() && s->event.first < look.to; ++s)
    some.here.push_back(*s);
  if (world.whole()) return some;
  world.domain().add(some.all);
  world.domain().collect(some.here);
  std::sort(some.here.begin(), some.here.end(), [](const Standing& a, const Standing& b) { return key(a) < key(b); });
  return some;
}

void ContactEventRecorder::each_piece(const World& world,
                                      const std::function<void(const std::vector<Standing>&)>& take) const {
  constexpr std::int64_t piece = 1 << 13;
  StandingLook look;
  for (; look.from < world.next_id(); look.from = look.to) {
    look.to = look.from + piece;
    take(standing_of(world, look).here);
  }
}

void ContactEventRecorder::each_standing(const World& world,
                                         const std::function<void(const ContactEvent&)>& take) const {
  each_piece(world, [&](const std::vector<Standing>& some) {
    for (const Standing& s : some) take(so_far(s));
  });
}

std::vector<ContactEvent> ContactEventRecorder::standing(const World& world) const {
  std::vector<ContactEvent> all;
  each_standing(world, [&](const ContactEvent& event) { all.push_back(event); });
  return all;
}

SavedSection ContactEventRecorder::saved_standing(const World& world) const {
  SavedSection section{.element = sizeof(Standing), .size = 0, .write = {}};
  section.size = sizeof(Standing) * static_cast<std::uint64_t>(standing_of(world, {}).all);
  section.write = [this, &world](const std::function<void(std::string_view)>& put) {
    each_piece(world, [&](const std::vector<Standing>& some) {
      put({reinterpret_cast<const char*>(some.data()), some.size() * sizeof(Standing)});
    });
  };
  return section;
}

}  // namespace cairn
