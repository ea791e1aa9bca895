#include "cairn/analysis/toys/one_body.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace cairn::toys {

OneBody::OneBody(const MotionLaw& law, const BodyMotion<Real>& start, const Vector& spring)
    : law_(law),
      count_(std::holds_alternative<LinearBodies>(law) ? std::get<LinearBodies>(law).count : 1),
      has_bond_(std::visit([](const auto& l) { return l.bonds > 0; }, law)) {
  fit(state_);
  state_.body.set(BodyRow::x, 0, start.x);
  state_.body.set(BodyRow::v, 0, start.v);
  state_.body.set(BodyRow::w, 0, start.w);
  if (has_bond_) state_.bond.set(0, 0, spring);
  flow(state_, current_rate_);
  present_ = true;
}

void OneBody::remember(State& rate, int depth) {
  if (memories() < depth) add_memory(Memory::past);
  std::rotate(memory_.begin(), memory_.end() - 1, memory_.end());
  std::swap(memory(0), rate);
  if (&rate == &current_rate_) present_ = false;
}

void OneBody::rates(State& y, State& k) {
  if (&y == &state_ && present_) {
    if (&k != &current_rate_) cairn::combine(k, current_rate_, {});
    return;
  }
  ++evaluations;
  flow(y, k);
}

void OneBody::series(State& y, int order, std::span<State* const> k, Real) {
  if (order >= 1) rates(y, *k[0]);
  for (int d = 1; d < order; ++d) {
    ++evaluations;
    with_jets_of<most_series_orders - 1>(d, [&]<int size> { coefficient<size>(d, y, k, 1.0 / (d + 1)); });
  }
  if (static_cast<int>(k.size()) <= order) return;
  State& last = *k[order];                                      // of the positions alone, from that of the velocities
  cairn::combine(last, *k[order - 1], {{-1.0, k[order - 1]}});  // zero
  for (int i = 0; i < count_; ++i)
    last.body.set(BodyRow::x, i, (1.0 / (order + 1)) * k[order - 1]->body.at(BodyRow::v, i));
}

void OneBody::combine(State& out, const State& y, std::span<const Term> terms, unsigned parts) {
  cairn::combine(out, y, terms, 1, parts);
  // Motion verbs write parts of the state and have found its force when a step ends; algebra verbs write it whole.
  if (&out != &state_) return;
  present_ = false;
  if (parts & StatePart::but_positions) written_whole_ = (parts & StatePart::but_positions) == StatePart::but_positions;
}

Real OneBody::error(const State& a, const State& b, Real tolerance) const {
  Real most = 0;
  const auto compare = [&](const auto& p, const auto& q) {
    for (int row = 0; row < p.rows(); ++row)
      for (int i = 0; i < p.size(); ++i)
        if (const Real e = std::fabs(p.row(row)[i] - q.row(row)[i]) / tolerance; e > most || std::isnan(e)) most = e;
  };
  compare(a.body, b.body), compare(a.bond, b.bond);
  return most;
}

Real OneBody::inner_product(const State& a, const State& b, unsigned parts) const {  // mass 1, inertia 2/5
  Real moving = 0;
  for (int i = 0; i < count_; ++i)
    moving += dot(a.body.at(BodyRow::v, i), b.body.at(BodyRow::v, i)) +
              0.4 * dot(a.body.at(BodyRow::w, i), b.body.at(BodyRow::w, i));
  return has_bond_ && (parts & StatePart::springs) ? moving + dot(a.bond.at(0, 0), b.bond.at(0, 0)) : moving;
}

void OneBody::tangent(int stage, State& d, State& k, Real) {
  ++evaluations;
  coefficient<1>(1, *linear_[stage], std::array{&d, &k}, 1);
}

void OneBody::commit(Real h, const StepEnd&) {
  ++steps_;
  last_step_ = h;
  state_.time = clock_ += h;
  if (const auto* rolling = std::get_if<Rolling>(&law_))
    state_.bond.set(0, 0, rolling->settled(motions(state_, 0), state_.bond.at(0, 0)));
  if (!written_whole_) return;
  ++evaluations;  // not a call: it serves as the first of the next step
  flow(state_, current_rate_);
  present_ = true;
}

void OneBody::fit(State& k) const {
  k.body.resize(count_);
  if (has_bond_) k.bond.resize(1);
}

void OneBody::linear_coefficient(const LinearBodies& law, const State& of, State& out, Real share) const {
  std::vector<Vector> x(count_), v(count_), a(count_);
  for (int i = 0; i < count_; ++i) x[i] = of.body.at(BodyRow::x, i), v[i] = of.body.at(BodyRow::v, i);
  law.acceleration(x, v, a);
  for (int i = 0; i < count_; ++i) {
    out.body.set(BodyRow::x, i, share * v[i]), out.body.set(BodyRow::v, i, share * a[i]);
    out.body.set(BodyRow::w, i, {});
  }
}

template <int size>
void OneBody::coefficient(int order, State& y, std::span<State* const> k, Real share) {
  using T = Jet<size>;
  earliest = std::min(earliest, y.time), latest = std::max(latest, y.time);
  State& out = *k[order];
  if (const auto* bodies = std::get_if<LinearBodies>(&law_)) {  // its derivatives are itself
    fit(out);
    out.time = order == 0 ? 1 : 0;
    return linear_coefficient(*bodies, order == 0 ? y : *k[order - 1], out, share);
  }
  const auto jet = [&](bool bond, int row) {
    Vec3<T> a;
    for (int d = 0; d <= order; ++d) {
      const State& from = d == 0 ? y : *k[d - 1];
      const Vector c = bond ? from.bond.at(row, 0) : from.body.at(row, 0);
      a.x.c[d] = c.x, a.y.c[d] = c.y, a.z.c[d] = c.z;
    }
    return a;
  };
  T time = y.time;
  for (int d = 1; d <= order; ++d) time.c[d] = k[d - 1]->time;
  const BodyMotion<T> body{jet(false, BodyRow::x), jet(false, BodyRow::v), jet(false, BodyRow::w)};
  const Vec3<T> spring = has_bond_ ? jet(true, 0) : Vec3<T>{};
  const Flow<T> flow = std::visit(
      [&](const auto& law) -> Flow<T> {
        if constexpr (std::is_same_v<std::decay_t<decltype(law)>, LinearBodies>)
          return {};
        else
          return law(time, body, spring);
      },
      law_);
  fit(out);
  out.time = order == 0 ? 1 : 0;
  const auto set = [&](auto& slab, int row, const Vec3<T>& a) {
    slab.set(row, 0, share * Vector{a.x.c[order], a.y.c[order], a.z.c[order]});
  };
  set(out.body, BodyRow::x, body.v), set(out.body, BodyRow::v, flow.a), set(out.body, BodyRow::w, flow.alpha);
  if (has_bond_) set(out.bond, 0, flow.xi_rate);
}

}  // namespace cairn::toys
