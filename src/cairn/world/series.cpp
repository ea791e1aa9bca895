// Taylor series of the motion, and directional derivatives of the force, by jets: one pass over contacts per order.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "cairn/world/each_contact.hpp"

namespace cairn {

namespace {

// Whether a contact's series still falls over a step of h: each term from the second order on within the largest before
// it. Where a contact has just begun, is about to end or turns its slip, its motion has a singularity less than a step
// away: beyond it the terms grow, and the more of them a scheme takes, the worse. There the series ends
// (docs/decisions/0009). Small terms also fall beside a `scale` of what they are made of; given one, the first order
// has to as well.
template <int D>
bool falls(const Vec3<Jet<D>>& a, Real h, Real scale = 0) {
  Real largest = scale, power = 1;
  for (int d = 0; d <= D; ++d, power *= h) {
    const Real term = power * norm(Vector{a.x.c[d], a.y.c[d], a.z.c[d]});
    if (d >= (scale > 0 ? 1 : 2) && !(term <= largest)) return false;
    largest = std::max(largest, term);
  }
  return true;
}

// Of its first two terms.
template <int D>
Real first_terms(const Vec3<Jet<D>>& a, Real h) {
  return norm(Vector{a.x.c[0], a.y.c[0], a.z.c[0]}) + h * norm(Vector{a.x.c[1], a.y.c[1], a.z.c[1]});
}

}  // namespace

// Coefficient D of the force from coefficients 0..D of the motion, y and k[0] to k[D - 1]; times `share`, into k[D]. h:
// over which step the series is to fall; 0: none.
template <int D>
void World::series_pass(State& y, std::span<State* const> k, Real h, Real share) {
  using T = Jet<D>;
  const auto coefficient = [&](int d) -> const State& { return d == 0 ? y : *k[d - 1]; };
  const auto jet = [&](bool bond, int row, int i) {
    Vec3<T> a;
    for (int d = 0; d <= D; ++d) {
      const Vector c = bond ? coefficient(d).bond.at(row, i) : coefficient(d).body.at(row, i);
      a.x.c[d] = c.x, a.y.c[d] = c.y, a.z.c[d] = c.z;
    }
    return a;
  };
  const auto motions_of = [&](int i) {
    return Motions<T>{jet(false, row_x, i), jet(false, row_v, i), jet(false, row_w, i)};
  };
  T time(y.time);
  for (int d = 1; d <= D; ++d) time.c[d] = k[d - 1]->time;

  State& out = *k[D];
  fit(out);
  out.books = {};
  out.time = D == 0 ? 1 : 0;
  struct Answer {
    Vector force{}, torque_first{}, torque_second{};
    Books power{};
  };
  std::vector<Answer> answers(list_.slots());
  const auto top = [](const Vec3<T>& a) { return Vector{a.x.c[D], a.y.c[D], a.z.c[D]}; };
  const auto answer = [&](int slot, int i, int j, const auto& law, Meeting<T> m) {
    if (!acts(slot, m.touch)) return;
    const Push<T> p = law.push(m.touch, jet(true, 0, slot));
    const Vec3<T> force = p.ft - p.fn * m.touch.n;
    // A spring at a Coulomb limit that vanishes within the step would turn at any rate; it slips at that of the
    // pair.
    if (!falls(force, h) || !falls(p.xi_rate, h, 2 * first_terms(m.touch.vt, h))) return;
    const Vec3<T> twist = cross(m.touch.n, p.ft);
    const auto torque = [&](Real radius) { return top((T(radius) - m.reduction) * twist); };
    Answer& to = answers[slot];
    to = {top(force), torque(grains_.radius[i]), j < 0 ? Vector{} : torque(grains_.radius[j])};
    out.bond.set(0, slot, share * top(p.xi_rate));
    to.power[external] = share * dot(force, m.wall_velocity).c[D];
    // Powers have singularities of their own, also where the force is clipped and has none.
    if (falls(Vec3<T>{p.power.dashpot, p.power.slip, p.power.clip}, h)) {
      to.power[dashpot] = share * p.power.dashpot.c[D];
      to.power[slip] = share * p.power.slip.c[D];
      to.power[clip] = share * p.power.clip.c[D];
    }
    if (!rolls()) return;
    const Vec3<T> velocity = m.touch.r_eff * m.spin;
    const Roll<T> r = settings_.rolling[law_of(slot)].push(m.touch, velocity, jet(true, row_chi, slot), grip_of(p));
    const Vec3<T> couple = m.touch.r_eff * r.torque;
    if (!falls(couple, h) || !falls(r.rate, h, 2 * first_terms(velocity, h))) return;
    to.torque_first += top(couple), to.torque_second -= top(couple);
    out.bond.set(row_chi, slot, share * top(r.rate));
    if (j < 0) to.power[external] += share * dot(couple, motions_of(i).w - m.spin).c[D];
    if (falls(Vec3<T>{r.power, T(0.0), T(0.0)}, h)) to.power[rolling] = share * r.power.c[D];
  };
  for_blocks(settings_.threads, list_.slots(), contact_block,
             [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
               for (int row = 0; row < out.bond.rows(); ++row)
                 std::fill(out.bond.row(row) + begin, out.bond.row(row) + end, 0.0);
               for (int slot = static_cast<int>(begin); slot < end; ++slot)
                 if (may_touch(y, slot)) each_contact(time, motions_of, answer, slot, slot + 1);
             });
  for (const Answer& a : answers)
    for (int c = 0; c < channels; ++c) out.books[c] += a.power[c];
  for (int i = 0; i < size(); ++i) {
    Vector force{}, torque{};
    for (int e = list_.first[i]; e < list_.first[i + 1]; ++e) {
      const Answer& c = answers[list_.contacts[e] >> 1];
      const bool second = list_.contacts[e] & 1;
      force = second ? force - c.force : force + c.force;
      torque += second ? c.torque_second : c.torque_first;
    }
    const Vector a = grains_.inverse_mass[i] * force + (D == 0 ? settings_.gravity : Vector{});
    out.body.set(row_x, i, share * coefficient(D).body.at(row_v, i));
    out.body.set(row_v, i, share * a);
    out.body.set(row_w, i, (share * grains_.inverse_inertia[i]) * torque);
  }
  ++force_passes_;
}

void World::series(State& y, int order, std::span<State* const> k, Real h) {
  ensure_list(y, travel_of(y));
  if (order > most_series_orders)
    throw Error(Exit::bad_input, "series: at most " + std::to_string(most_series_orders) + " orders");
  if (order >= 1) rates(y, *k[0]);
  [&]<int... D>(std::integer_sequence<int, D...>) {
    ((order >= D + 2 ? series_pass<D + 1>(y, k, h, 1.0 / (D + 2)) : void()), ...);
  }
  (std::make_integer_sequence<int, most_series_orders - 1>());
  if (static_cast<int>(k.size()) <= order) return;
  // One more coefficient of the positions, from that of the velocities.
  State& last = *k[order];
  fit(last);
  cairn::combine(last, *k[order - 1], {{-1.0, k[order - 1]}}, settings_.threads);  // zero
  for (int row = 0; row < 3; ++row)
    for (int i = 0; i < size(); ++i)
      last.body.row(row_x + row)[i] = k[order - 1]->body.row(row_v + row)[i] / (order + 1);
}

void World::tangent(int stage, State& d, State& k) {
  series_pass<1>(*linear_[stage], std::array{&d, &k}, 0, 1);
}

}  // namespace cairn
