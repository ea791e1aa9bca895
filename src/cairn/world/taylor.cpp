#include "cairn/world/taylor.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/core/parallel.hpp"
#include "cairn/state/ledger_sums.hpp"

namespace cairn {
namespace {

// Whether a contact's series still falls over a step of h: each term from the second order on within the largest before
// it. Where a contact has just begun, is about to end or turns its slip, its motion has a singularity less than a step
// away: beyond it the terms grow, and the more of them a scheme takes, the worse. There the series ends
// (docs/decisions/0009). Small terms also fall beside a `scale` of what they are made of; given one, the first order
// has to as well.
template <int D>
bool falls(const Vec3<Jet<D>>& a, int order, Real h, Real scale = 0) {
  Real largest = scale, power = 1;
  for (int d = 0; d <= order; ++d, power *= h) {
    const Real term = power * norm(Vector{a.x.c[d], a.y.c[d], a.z.c[d]});
    if (d >= (scale > 0 ? 1 : 2) && !(term <= largest)) return false;
    largest = std::max(largest, term);
  }
  return true;
}

// The value of a jet at the end of a step of h, to first order.
template <int D>
Real ahead(const Jet<D>& a, Real h) {
  return a.c[0] + h * a.c[1];
}
template <int D>
Vector ahead(const Vec3<Jet<D>>& a, Real h) {
  return {ahead(a.x, h), ahead(a.y, h), ahead(a.z, h)};
}
template <int D>
ContactKinematics<Real> ahead(const ContactKinematics<Jet<D>>& c, Real h) {
  const Vector n = ahead(c.n, h);
  return {.n = (1 / norm(n)) * n,
          .vt = ahead(c.vt, h),
          .contact_spin = ahead(c.contact_spin, h),
          .overlap = ahead(c.overlap, h),
          .approach = ahead(c.approach, h),
          .r_eff = ahead(c.r_eff, h),
          .m_eff = ahead(c.m_eff, h),
          .sustained = c.sustained,
          .onset_speed = ahead(c.onset_speed, h)};
}

template <int D>
Vector term(const Vec3<Jet<D>>& a, int d) {
  return {a.x.c[d], a.y.c[d], a.z.c[d]};
}

// Whether a spring slips from the start of a step of h, and so little that its series tells of it. It slips where it is
// at its limit, but for round-off, and outgrows it: by itself and by itself cut to the limit. The direction of a trial
// spring that grows by more than its length has its singularity, a spring of length zero, within reach.
template <int D>
bool slips_smoothly(const Vec3<Jet<D>>& spring, const Vec3<Jet<D>>& cut, Real h) {
  constexpr Real round_off = 1e-9;
  const auto differs = [&](int d) { return norm(term(cut, d) - term(spring, d)) > round_off * norm(term(spring, d)); };
  return (differs(0) || differs(1)) && h * norm(term(spring, 1)) <= norm(term(spring, 0));
}

// The even rate of a spring that goes straight.
template <int D>
Vec3<Jet<D>> evenly(const Vec3<Jet<D>>& spring) {
  const Vector rate = term(spring, 1);
  return {rate.x, rate.y, rate.z};
}

// Of its first two terms.
template <int D>
Real first_terms(const Vec3<Jet<D>>& a, Real h) {
  return norm(Vector{a.x.c[0], a.y.c[0], a.z.c[0]}) + h * norm(Vector{a.x.c[1], a.y.c[1], a.z.c[1]});
}

// Coefficient `order` of the force from those before it of the motion, y and k[0] to k[order - 1], in jets of `size`
// orders, which are at least as many; times `share`, into k[order]. h:
// over which step the series is to fall; 0: none. `straight`: of each slot, which of its springs go straight; the first
// order fills it in; null: none does.
//
// A spring within its limit has a series that knows nothing of the limit. Where the step takes the spring beyond, the
// force would follow the trial spring, to a hundred times the limit (docs/decisions/0016). Such a spring goes straight,
// at an even rate, to where the end of the step returns it. Between that rate and the law's it slips: what the law
// would have stored is heat.
template <int size>
void coefficient_pass(int order, const ContactScene& scene, const State& y, std::span<State* const> k, Real h,
                      Real share, std::vector<char>* straight) {
  const WorldSettings& settings = scene.settings;
  const Particles& grains = scene.grains;
  const NeighbourList& list = scene.list;
  constexpr char tangential = 1, rolls_straight = 2;
  using T = Jet<size>;
  const auto coefficient = [&](int d) -> const State& { return d == 0 ? y : *k[d - 1]; };
  const auto jet = [&](bool bond, int row, int i) {
    Vec3<T> a;
    for (int d = 0; d <= order; ++d) {
      const Vector c = bond ? coefficient(d).bond.at(row, i) : coefficient(d).body.at(row, i);
      a.x.c[d] = c.x, a.y.c[d] = c.y, a.z.c[d] = c.z;
    }
    return a;
  };
  const auto motions_of = [&](int i) {
    return BodyMotion<T>{jet(false, BodyRow::x, i), jet(false, BodyRow::v, i), jet(false, BodyRow::w, i)};
  };
  const auto displacement_of = [&](int w) {
    WallDisplacement<T> to;
    for (int d = 0; d <= order; ++d)
      for (int c = 0; c < 3; ++c) {
        (&to.x.x)[c].c[d] = coefficient(d).walls.row(WallRow::x + c)[w];
        (&to.v.x)[c].c[d] = coefficient(d).walls.row(WallRow::v + c)[w];
      }
    return to;
  };
  T time(y.time);
  for (int d = 1; d <= order; ++d) time.c[d] = k[d - 1]->time;

  State& out = *k[order];
  out.resize(grains.size(), list.slots(), settings.spring_rows());
  out.ledger = {};
  out.time = 0;
  struct Answer {
    Vector force{}, torque_first{}, torque_second{};
    LedgerChannels power{};
    Real slip = 0, rolling = 0;  // [W] of springs that go straight, at the start of the step
  };
  std::vector<Answer> answers(list.slots());
  const auto top = [order](const Vec3<T>& a) { return term(a, order); };
  // The spring `a` of a row of bonds leads to `end` at an even rate.
  const auto straighten = [&](Vec3<T>& a, int row, int slot, const Vector& end) {
    const Vector rate = (1 / h) * (end - term(a, 0));
    a.x.c[1] = rate.x, a.y.c[1] = rate.y, a.z.c[1] = rate.z;
    k[0]->bond.set(row, slot, rate);
  };
  const auto answer = [&](int slot, int i, int j, const auto& law, ContactGeometry<T> m) {
    if (!scene.acts(slot, m.kinematics)) return;
    char how = straight ? (*straight)[slot] : 0;
    Vec3<T> xi = jet(true, 0, slot);
    ContactForce<T> p = law.force(m.kinematics, xi);
    if constexpr (size == 1)
      if (h != 0 && value(p.stiffness) > 0 && !slips_smoothly(xi, p.kept * xi, h)) {
        const Vector trial = ahead(xi, h);
        if (const Real kept = law.force(ahead(m.kinematics, h), trial).kept; kept < 1) {
          straighten(xi, 0, slot, kept * trial);
          p = law.force(m.kinematics, xi);
          how |= tangential;
        }
      }
    Answer& to = answers[slot];
    if (how & tangential) {
      if (law.stores_shear()) {  // else all work on the spring is slip already
        const T heat = p.stiffness * dot(xi, p.xi_rate - evenly(xi));
        p.power.slip = p.power.slip + heat;
        to.slip = value(heat);
      }
      p.xi_rate = evenly(xi);
    }
    const Vec3<T> force = p.ft - p.fn * m.kinematics.n;
    // A spring at a Coulomb limit that vanishes within the step would turn at any rate; it slips at that of the
    // pair.
    if (!falls(force, order, h) || !falls(p.xi_rate, order, h, 2 * first_terms(m.kinematics.vt, h))) return;
    const Vec3<T> twist = cross(m.kinematics.n, p.ft);
    const auto torque = [&](Real radius) { return top((T(radius) - m.reduction) * twist); };
    to.force = top(force);
    to.torque_first = torque(grains.radius[i]), to.torque_second = j < 0 ? Vector{} : torque(grains.radius[j]);
    out.bond.set(0, slot, share * top(p.xi_rate));
    to.power[Channel::external] = share * dot(force, m.wall_velocity).c[order];
    // Powers have singularities of their own, also where the force is clipped and has none. Where the contact turns
    // from approach to parting they begin with the second order, which is small beside force times speed.
    const Vec3<T> velocity_there = m.kinematics.vt + m.kinematics.approach * m.kinematics.n;
    const Real most_power = 2 * norm(term(force, 0)) * first_terms(velocity_there, h);
    if (falls(Vec3<T>{p.power.dashpot, p.power.slip, p.power.clip}, order, h, most_power)) {
      to.power[Channel::dashpot] = share * p.power.dashpot.c[order];
      to.power[Channel::slip] = share * p.power.slip.c[order];
      to.power[Channel::clip] = share * p.power.clip.c[order];
    }
    if (straight) (*straight)[slot] = how;
    if (!settings.rolls()) return;
    const Vec3<T> velocity = m.kinematics.r_eff * m.spin;
    const RollingResistance& rolling_law = scene.rolling(slot);
    Vec3<T> chi = jet(true, BondRow::chi, slot);
    RollingResponse<T> r = rolling_law.response(m.kinematics, velocity, chi, normal_load_of(p));
    if constexpr (size == 1)
      if (h != 0 && rolling_law.acts() && value(p.stiffness) > 0 && !slips_smoothly(chi, r.returned, h)) {
        const ContactKinematics<Real> end = ahead(m.kinematics, h);
        const NormalLoad<Real> normal_load = normal_load_of(law.force(end, ahead(xi, h)));
        if (const RollingResponse<Real> there =
                rolling_law.response(end, ahead(velocity, h), ahead(chi, h), normal_load);
            there.beyond) {
          straighten(chi, BondRow::chi, slot, there.returned);
          r = rolling_law.response(m.kinematics, velocity, chi, normal_load_of(p));
          how |= rolls_straight;
        }
      }
    if (how & rolls_straight) {
      if (rolling_law.stores) {
        // The energy is quadratic in the spring: this is its derivative along the difference of the rates.
        const Vec3<T> half = T(0.5) * (r.rate - evenly(chi));
        const T heat = rolling_law.elastic_energy(m.kinematics.n, chi + half, p.stiffness) -
                       rolling_law.elastic_energy(m.kinematics.n, chi - half, p.stiffness);
        r.power = r.power + heat;
        to.rolling = value(heat);
      }
      r.rate = evenly(chi);
    }
    if (straight) (*straight)[slot] = how;
    const Vec3<T> couple = m.kinematics.r_eff * r.torque;
    if (!falls(couple, order, h) || !falls(r.rate, order, h, 2 * first_terms(velocity, h))) return;
    to.torque_first += top(couple), to.torque_second -= top(couple);
    out.bond.set(BondRow::chi, slot, share * top(r.rate));
    if (j < 0) to.power[Channel::external] += share * dot(couple, motions_of(i).w - m.spin).c[order];
    if (falls(Vec3<T>{r.power, T(0.0), T(0.0)}, order, h)) to.power[Channel::rolling] = share * r.power.c[order];
  };
  for_blocks(settings.threads, list.slots(), contact_block,
             [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
               for (int row = 0; row < out.bond.rows(); ++row)
                 std::fill(out.bond.row(row) + begin, out.bond.row(row) + end, 0.0);
               for (int slot = static_cast<int>(begin); slot < end; ++slot)
                 if (scene.may_act(y, slot)) scene.each(time, motions_of, displacement_of, answer, slot, slot + 1);
             });
  LedgerSums power;
  ReproducibleSum slip, rolling;
  for (int slot = 0; slot < list.slots(); ++slot)
    if (const Answer& a = answers[slot]; scene.counts(slot))
      power.add(a.power), slip.add(a.slip), rolling.add(a.rolling);
  scene.domain.add(power);
  out.ledger = power.value();
  if (size == 1 && straight) {
    scene.domain.add(slip), scene.domain.add(rolling);
    k[0]->ledger[Channel::slip] += slip.value(), k[0]->ledger[Channel::rolling] += rolling.value();
  }
  std::vector<ReproducibleVectorSum> on_walls(settings.loaded_walls.size());
  for (int slot = scene.pairs(); slot < list.slots() && !on_walls.empty(); ++slot)
    if (const int w = settings.surfaces[scene.wall_pair(slot).surface].loaded; w >= 0)
      on_walls[w].add(-answers[slot].force);
  out.walls.resize(static_cast<int>(on_walls.size()));
  for (int w = 0; w < out.walls.size(); ++w) {
    const LoadedWall& wall = settings.loaded_walls[w];
    scene.domain.add(on_walls[w]);
    const Vec3<T> v = displacement_of(w).v;
    const T factor = value_and_integral(wall.ramp, time - T(wall.start)).first;
    const Vector load = wall.along_free(wall.load);
    Vector force = wall.along_free(on_walls[w].value()) + factor.c[order] * load - wall.damping * term(v, order);
    out.walls.set(WallRow::x, w, share * coefficient(order).walls.at(WallRow::v, w));
    out.walls.set(WallRow::v, w, (share / wall.mass) * force);
    out.ledger[Channel::external] += share * (factor * dot(Vec3<T>{T(load.x), T(load.y), T(load.z)}, v)).c[order];
    out.ledger[Channel::dashpot] += share * (T(wall.damping) * dot(v, v)).c[order];
  }
  for (int i = 0; i < grains.size(); ++i) {
    Vector force{}, torque{};
    for (int e = list.first[i]; e < list.first[i + 1]; ++e) {
      const Answer& c = answers[list.contacts[e] >> 1];
      const bool second = list.contacts[e] & 1;
      force = second ? force - c.force : force + c.force;
      torque += second ? c.torque_second : c.torque_first;
    }
    const Vector a = grains.inverse_mass[i] * force;
    out.body.set(BodyRow::x, i, share * coefficient(order).body.at(BodyRow::v, i));
    out.body.set(BodyRow::v, i, share * a);
    out.body.set(BodyRow::w, i, (share * grains.inverse_inertia[i]) * torque);
  }
  scene.domain.share(out.body);  // this rank has not all contacts of the grains of others
}

}  // namespace

void taylor_series(const ContactScene& scene, const State& y, int order, std::span<State* const> k, Real h) {
  if (order > most_series_orders)
    throw Error(Exit::bad_input, "series: at most " + std::to_string(most_series_orders) + " orders");
  std::vector<char> straight(scene.list.slots());
  for (int d = 1; d < order; ++d)
    with_jets_of<most_series_orders - 1>(
        d, [&]<int size> { coefficient_pass<size>(d, scene, y, k, h, 1.0 / (d + 1), &straight); });
  if (static_cast<int>(k.size()) <= order) return;
  // One more coefficient of the positions, from that of the velocities.
  State& last = *k[order];
  last.resize(scene.grains.size(), scene.list.slots(), scene.settings.spring_rows());
  combine(last, *k[order - 1], {{-1.0, k[order - 1]}}, scene.settings.threads);  // zero
  for (int row = 0; row < 3; ++row)
    for (int i = 0; i < scene.grains.size(); ++i)
      last.body.row(BodyRow::x + row)[i] = k[order - 1]->body.row(BodyRow::v + row)[i] / (order + 1);
  for (int w = 0; w < last.walls.size(); ++w)
    last.walls.set(WallRow::x, w, (1.0 / (order + 1)) * k[order - 1]->walls.at(WallRow::v, w));
}

void force_derivative(const ContactScene& scene, const State& y, State& d, State& k, Real over) {
  coefficient_pass<1>(1, scene, y, std::array{&d, &k}, over, 1, nullptr);
  if (over != 0) k.ledger = {};  // heat of springs that go straight belongs to a step, not to an instant
}

}  // namespace cairn
