// The motion verbs, by definition: masked combines of rates. Toys use them; tests hold World's fused verbs against
// them, bit for bit. `Algebra` has the algebra verbs of a System.
#pragma once
#include <algorithm>
#include <optional>
#include <string>

#include "cairn/integrate/system.hpp"

namespace cairn {

template <class Algebra>
class Generic {
 public:
  explicit Generic(Algebra& s) : s_(s) {}

  State& state() { return s_.state(); }
  State& current_rate() { return s_.current_rate(); }
  Scratch::Borrowed borrow(int count) { return s_.borrow(count); }
  int memories() const { return s_.memories(); }
  State& memory(int i) { return s_.memory(i); }
  State& add_memory(Memory kind) { return s_.add_memory(kind); }
  void remember(State& rate, int depth) { s_.remember(rate, depth); }
  std::int64_t steps() const { return s_.steps(); }
  Real last_step() const { return s_.last_step(); }
  Controller& controller() { return s_.controller(); }
  void rates(State& y, State& k) { s_.rates(y, k); }
  void series(State& y, int order, std::span<State* const> k, Real h) { s_.series(y, order, k, h); }
  void combine(State& out, const State& y, std::span<const Term> terms, unsigned parts) {
    s_.combine(out, y, terms, parts);
  }
  Real error(const State& e, const State& y, Real tolerance) { return s_.error(e, y, tolerance); }
  Real inner_product(const State& a, const State& b, unsigned parts = StatePart::velocities) {
    return s_.inner_product(a, b, parts);
  }
  void linearise(std::span<State* const> stages) { s_.linearise(stages); }
  void tangent(int stage, State& d, State& k, Real over = 0) { s_.tangent(stage, d, k, over); }
  std::string worst(int stage, const State& residual) const { return s_.worst(stage, residual); }
  void begin_contacts(Real, Real, const StepEnd&) {}  // commit() does
  void commit(Real h, const StepEnd& end = {}) { s_.commit(h, end); }
  void spring_quadrature(SpringQuadrature quadrature) { quadrature_ = quadrature; }

  void kick(Real h) { combine(state(), state(), h, current_rate(), StatePart::velocities | StatePart::ledger); }

  void drift(Real h) {
    if (h == 0) return;
    const auto scratch = s_.borrow(4);
    State &y = state(), &k = scratch[0], &at = scratch[1], &rate = scratch[2], &end = scratch[3];
    k.resize(y.body.size(), y.bond.size());
    for (int i = 0; i < y.body.size(); ++i) k.body.set(BodyRow::x, i, y.body.at(BodyRow::v, i));
    k.time = 1;
    combine(y, y, h, k, StatePart::positions | StatePart::clock);
    // Springs: their rates at states back along the drift just made.
    s_.combine(end, y, {}, StatePart::everything);
    const SpringMethod method = spring_method(quadrature_);
    for (const SpringStage& stage : method.stages) {
      s_.combine(at, y, {}, StatePart::everything);
      combine(at, y, -(method.lags[stage.at] * h), k, StatePart::positions | StatePart::clock);
      if (stage.coefficient != 0) combine(at, y, stage.coefficient * h, rate, StatePart::springs);
      s_.rates(at, rate);
      if (stage.weight != 0) combine(end, end, stage.weight * h, rate, StatePart::springs);
    }
    s_.combine(y, end, {}, StatePart::springs);
  }

  void kick_drift(Real kick_h, Real drift_h, Real /*predict_h*/ = 0, std::optional<Real> extrapolation = {}) {
    kick(kick_h);
    drift(drift_h);
    if (extrapolation) extrapolate(*extrapolation);
  }

  void extrapolate(Real r) {
    const auto scratch = s_.borrow(1);
    State &now = scratch[0], &ahead = current_rate(), &past = memory(0);
    s_.combine(now, ahead, {}, StatePart::everything);
    if (r != 0) cairn::combine(s_, ahead, now, {{r, &now}, {-r, &past}}, StatePart::velocities);
    s_.combine(past, now, {}, StatePart::everything);
  }

  void force(Real predict, StageKind, Real kick_h = 0) {
    const auto scratch = s_.borrow(1);
    State& at = scratch[0];
    s_.combine(at, state(), {}, StatePart::everything);
    if (predict != 0) combine(at, state(), predict, current_rate(), StatePart::velocities);
    s_.rates(at, current_rate());
    if (kick_h != 0) kick(kick_h);
  }

 private:
  void combine(State& out, const State& y, Real c, const State& k, unsigned parts) {
    const Term term{c, &k};
    s_.combine(out, y, {&term, 1}, parts);
  }

  Algebra& s_;
  SpringQuadrature quadrature_ = SpringQuadrature::midpoint;
};

}  // namespace cairn
