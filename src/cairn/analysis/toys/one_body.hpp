// Systems without grains: one body and perhaps one bond under a law of motion, with the motion verbs by their generic
// definition. What schemes claim is measured on these; the meaning of every verb is World's.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/contact/laws/linear.hpp"
#include "cairn/core/jet.hpp"
#include "cairn/integrate/generic.hpp"

namespace cairn::toys {

// What a law of motion answers. A law is ONE template over its scalar:
//   static constexpr int bonds;                                           // 0 or 1
//   Flow<T> operator()(const T& time, const BodyMotion<T>&, const Vec3<T>& xi) const;
//   Vector settled(const BodyMotion<Real>&, const Vector& xi) const;         // with a bond: xi within its Coulomb
//   limit
template <class T>
struct Flow {
  Vec3<T> a, alpha;  // [m/s^2] [rad/s^2]
  Vec3<T> xi_rate;   // [m/s]
};

// Smooth and conservative: unit mass in the potential |x|^2 (2 + cubic |x|^2) / 4 - drive t^2 x. Driven, it shows
// whether every stage knows its own time.
struct Duffing {
  Real cubic = 1, drive = 0;
  static constexpr int bonds = 0;

  template <class T>
  Flow<T> operator()(const T& time, const BodyMotion<T>& body, const Vec3<T>&) const {
    const T stiffness = 1.0 + cubic * dot(body.x, body.x);
    return {.a = Vec3<T>{drive * time * time, 0.0, 0.0} - stiffness * body.x, .alpha = {}, .xi_rate = {}};
  }
  Real energy(const BodyMotion<Real>& body) const {  // [J] undriven
    const Real x2 = dot(body.x, body.x);
    return 0.5 * dot(body.v, body.v) + 0.25 * x2 * (2 + cubic * x2);
  }
};

// m q'' + c q' + k q = 0 with m = 1, in each direction; a free body with k = c = 0.
struct Oscillator {
  Real stiffness = 1, damping = 0;
  static constexpr int bonds = 0;

  template <class T>
  Flow<T> operator()(const T&, const BodyMotion<T>& body, const Vec3<T>&) const {
    return {.a = (-stiffness) * body.x - damping * body.v, .alpha = {}, .xi_rate = {}};
  }
  // Underdamped: positions and velocities at `time` in closed form.
  BodyMotion<Real> exact(const BodyMotion<Real>& start, Real time) const {
    const Real lambda = 0.5 * damping, omega = std::sqrt(stiffness - lambda * lambda);
    const Real decay = std::exp(-lambda * time), c = decay * std::cos(omega * time),
               s = decay / omega * std::sin(omega * time);
    return {c * start.x + s * (start.v + lambda * start.x), c * start.v - s * (lambda * start.v + stiffness * start.x),
            start.w};
  }
};

// A sphere of unit radius and mass, pulled to the origin, on an equal sphere that is fixed there. It rolls, twists and
// bounces without leaving; its tangential spring turns with the normal, and where it slides its slip turns.
struct Rolling {
  LinearSpringDashpot contact{.stiffness = 100, .friction = 100};
  Real pull = 10;  // [N/m]
  static constexpr int bonds = 1;

  template <class T>
  static ContactGeometry<T> meeting(const BodyMotion<T>& body) {
    const T one = 1.0, fixed = 0.0;
    return contact_geometry(pair_kinematics(body, BodyMotion<T>{}, -body.x, one, one, T(0.5), fixed));
  }
  template <class T>
  Flow<T> operator()(const T&, const BodyMotion<T>& body, const Vec3<T>& xi) const {
    const ContactGeometry<T> m = meeting(body);
    const ContactForce<T> p = contact.force(m.kinematics, xi);
    const T lever = 1.0 - m.reduction;
    return {.a = p.ft - p.fn * m.kinematics.n - pull * body.x,
            .alpha = (2.5 * lever) * cross(m.kinematics.n, p.ft),
            .xi_rate = p.xi_rate};
  }
  Vector settled(const BodyMotion<Real>& body, const Vector& xi) const {
    const ContactKinematics<Real> c = meeting(body).kinematics;
    const Vector spring = xi - dot(xi, c.n) * c.n;
    const Real length = norm(spring), limit = contact.force(c, xi).limit;
    return length > limit ? (limit / length) * spring : xi;
  }
};

// The algebra verbs of a body under a law, and what a test wants to know about their use.
template <class Law>
class OneBody {
 public:
  OneBody(const Law& law, const BodyMotion<Real>& start, const Vector& spring) : law_(law) {
    fit(state_);
    state_.body.set(BodyRow::x, 0, start.x);
    state_.body.set(BodyRow::v, 0, start.v);
    state_.body.set(BodyRow::w, 0, start.w);
    if (Law::bonds > 0) state_.bond.set(0, 0, spring);
    coefficient<0>(state_, std::array{&current_rate_});
    present_ = true;
  }

  State& state() { return state_; }
  State& current_rate() { return current_rate_; }
  Scratch::Borrowed borrow(int count) { return scratch_.borrow(count); }
  int memories() const { return static_cast<int>(memory_.size()); }
  State& memory(int i) { return *memory_[i]; }
  State& add_memory(Memory) { return *memory_.emplace_back(std::make_unique<State>()); }
  void remember(State& rate, int depth) {
    if (memories() < depth) add_memory(Memory::past);
    std::rotate(memory_.begin(), memory_.end() - 1, memory_.end());
    std::swap(memory(0), rate);
    if (&rate == &current_rate_) present_ = false;
  }
  std::int64_t steps() const { return steps_; }
  Real last_step() const { return last_step_; }
  Controller& controller() { return controller_; }

  void rates(State& y, State& k) {
    if (&y == &state_ && present_) {
      if (&k != &current_rate_) cairn::combine(k, current_rate_, {});
      return;
    }
    ++evaluations;
    coefficient<0>(y, std::array{&k});
  }
  void series(State& y, int order, std::span<State* const> k, Real) {
    if (order >= 1) rates(y, *k[0]);
    [&]<int... D>(std::integer_sequence<int, D...>) {
      ((order >= D + 2 ? counted<D + 1>(y, k) : void()), ...);
    }
    (std::make_integer_sequence<int, most_series_orders - 1>());
    if (static_cast<int>(k.size()) <= order) return;
    State& last = *k[order];                                      // of the positions alone, from that of the velocities
    cairn::combine(last, *k[order - 1], {{-1.0, k[order - 1]}});  // zero
    last.body.set(BodyRow::x, 0, (1.0 / (order + 1)) * k[order - 1]->body.at(BodyRow::v, 0));
  }
  void combine(State& out, const State& y, std::span<const Term> terms, unsigned parts) {
    cairn::combine(out, y, terms, 1, parts);
    // Motion verbs write parts of the state and have found its force when a step ends; algebra verbs write it whole.
    if (&out != &state_) return;
    present_ = false;
    if (parts & StatePart::but_positions)
      written_whole_ = (parts & StatePart::but_positions) == StatePart::but_positions;
  }
  Real error(const State& a, const State& b, Real tolerance) const {
    Real most = 0;
    const auto compare = [&](const Slab& p, const Slab& q) {
      for (int row = 0; row < p.rows(); ++row)
        for (int i = 0; i < p.size(); ++i)
          if (const Real e = std::fabs(p.row(row)[i] - q.row(row)[i]) / tolerance; e > most || std::isnan(e)) most = e;
    };
    compare(a.body, b.body), compare(a.bond, b.bond);
    return most;
  }
  Real inner_product(const State& a, const State& b,
                     unsigned parts = StatePart::velocities) const {  // mass 1, inertia 2/5
    const Real moving = dot(a.body.at(BodyRow::v, 0), b.body.at(BodyRow::v, 0)) +
                        0.4 * dot(a.body.at(BodyRow::w, 0), b.body.at(BodyRow::w, 0));
    return Law::bonds > 0 && (parts & StatePart::springs) ? moving + dot(a.bond.at(0, 0), b.bond.at(0, 0)) : moving;
  }
  void linearise(std::span<State* const> stages) { linear_.assign(stages.begin(), stages.end()); }
  void tangent(int stage, State& d, State& k, Real = 0) {
    ++evaluations;
    coefficient<1>(*linear_[stage], std::array{&d, &k}, 1);
  }
  std::string worst(int, const State&) const { return "the body"; }
  void commit(Real h, const StepEnd& = {}) {
    ++steps_;
    last_step_ = h;
    state_.time = clock_ += h;
    if constexpr (Law::bonds > 0) state_.bond.set(0, 0, law_.settled(motions(state_, 0), state_.bond.at(0, 0)));
    if (!written_whole_) return;
    ++evaluations;  // not a call: it serves as the first of the next step
    coefficient<0>(state_, std::array{&current_rate_});
    present_ = true;
  }

  std::int64_t evaluations = 0;   // of the law: calls answered from current_rate() left out, those of commit counted
  Real latest = 0, earliest = 0;  // [s] times at which the law was asked

 private:
  static void fit(State& k) {
    k.body.resize(1);
    if (Law::bonds > 0) k.bond.resize(1);
  }
  template <int D>
  void counted(State& y, std::span<State* const> k) {
    ++evaluations;
    coefficient<D>(y, k);
  }

  // Coefficient D of the flow from coefficients 0..D of the motion, times `share`: by default coefficient D + 1 of the
  // motion.
  template <int D>
  void coefficient(State& y, std::span<State* const> k, Real share = 1.0 / (D + 1)) {
    using T = Jet<D>;
    const auto jet = [&](bool bond, int row) {
      Vec3<T> a;
      for (int d = 0; d <= D; ++d) {
        const State& from = d == 0 ? y : *k[d - 1];
        const Vector c = bond ? from.bond.at(row, 0) : from.body.at(row, 0);
        a.x.c[d] = c.x, a.y.c[d] = c.y, a.z.c[d] = c.z;
      }
      return a;
    };
    T time = y.time;
    for (int d = 1; d <= D; ++d) time.c[d] = k[d - 1]->time;
    const BodyMotion<T> body{jet(false, BodyRow::x), jet(false, BodyRow::v), jet(false, BodyRow::w)};
    const Flow<T> flow = law_(time, body, Law::bonds > 0 ? jet(true, 0) : Vec3<T>{});
    earliest = std::min(earliest, y.time), latest = std::max(latest, y.time);

    State& out = *k[D];
    fit(out);
    out.time = D == 0 ? 1 : 0;
    const auto set = [&](Slab& slab, int row, const Vec3<T>& a) {
      slab.set(row, 0, share * Vector{a.x.c[D], a.y.c[D], a.z.c[D]});
    };
    set(out.body, BodyRow::x, body.v), set(out.body, BodyRow::v, flow.a), set(out.body, BodyRow::w, flow.alpha);
    if (Law::bonds > 0) set(out.bond, 0, flow.xi_rate);
  }

  Law law_;
  State state_, current_rate_;
  Scratch scratch_;
  std::vector<std::unique_ptr<State>> memory_;
  std::vector<State*> linear_;
  Controller controller_;
  std::int64_t steps_ = 0;
  Real clock_ = 0;        // [s] the sum of the steps committed
  Real last_step_ = 0;    // [s]
  bool present_ = false;  // current_rate_ is the full rate of state_
  bool written_whole_ = false;
};

// A toy: the body with the motion verbs.
template <class Law>
class Toy : public Generic<OneBody<Law>> {
 public:
  explicit Toy(const Law& law, const BodyMotion<Real>& start = {}, const Vector& spring = {})
      : Generic<OneBody<Law>>(body), body(law, start, spring) {}
  Toy(const Toy&) = delete;
  Toy& operator=(const Toy&) = delete;

  // The drift asks for rates of the spring, which World finds within the force pass that follows: no calls.
  void drift(Real h) {
    const std::int64_t evaluations = body.evaluations;
    Generic<OneBody<Law>>::drift(h);
    body.evaluations = evaluations;
  }
  void kick_drift(Real kick_h, Real drift_h) {
    this->kick(kick_h);
    drift(drift_h);
  }

  OneBody<Law> body;
};

static_assert(System<Toy<Rolling>>);

}  // namespace cairn::toys
