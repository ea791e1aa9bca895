// Systems without grains: one body and perhaps one bond under a law of motion, with the motion verbs by their generic
// definition. What schemes claim is measured on these; the meaning of every verb is World's.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/contact/laws/linear.hpp"
#include "cairn/core/jet.hpp"
#include "cairn/integrate/generic.hpp"
#include "cairn/integrate/scheme.hpp"

namespace cairn::toys {

// What a law of motion answers. A law is ONE template over its scalar:
//   static constexpr int bonds;  // 0 or 1
//   Flow<T> operator()(const T& time, const BodyMotion<T>&, const Vec3<T>& xi) const;
//   Vector settled(const BodyMotion<Real>&, const Vector& xi) const;  // with a bond: xi within its Coulomb limit
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

// Many bodies of unit mass under forces linear in their positions and velocities: a contact network in coordinates
// times the roots of its inertias.
struct LinearBodies {
  using Vectors = std::vector<Vector>;
  int count = 0;
  // Puts the acceleration of every body [m/s^2] into the last.
  std::function<void(const Vectors& x, const Vectors& v, Vectors& a)> acceleration;
  static constexpr int bonds = 0;
};

using MotionLaw = std::variant<Duffing, Oscillator, Rolling, LinearBodies>;

// The algebra verbs of a body, or of LinearBodies, under a law, and what a test wants to know about their use. One
// class for all laws: as a template of its law it made every scheme of the studies be compiled three times.
class OneBody {
 public:
  OneBody(const MotionLaw& law, const BodyMotion<Real>& start, const Vector& spring);

  State& state() { return state_; }
  State& current_rate() { return current_rate_; }
  Scratch::Borrowed borrow(int count) { return scratch_.borrow(count); }
  int memories() const { return static_cast<int>(memory_.size()); }
  State& memory(int i) { return *memory_[i]; }
  State& add_memory(Memory) { return *memory_.emplace_back(std::make_unique<State>()); }
  void remember(State& rate, int depth);
  std::int64_t steps() const { return steps_; }
  Real last_step() const { return last_step_; }
  Controller& controller() { return controller_; }

  void rates(State& y, State& k);
  void series(State& y, int order, std::span<State* const> k, Real);
  void combine(State& out, const State& y, std::span<const Term> terms, unsigned parts);
  Real error(const State& a, const State& b, Real tolerance) const;
  Real inner_product(const State& a, const State& b, unsigned parts = StatePart::velocities) const;
  void linearise(std::span<State* const> stages) { linear_.assign(stages.begin(), stages.end()); }
  void tangent(int stage, State& d, State& k, Real = 0);
  std::string worst(int, const State&) const { return "the body"; }
  void commit(Real h, const StepEnd& = {});

  bool has_bond() const { return has_bond_; }

  std::int64_t evaluations = 0;   // of the law: calls answered from current_rate() left out, those of commit counted
  Real latest = 0, earliest = 0;  // [s] times at which the law was asked

 private:
  void fit(State& k) const;
  // Coefficient `order` of the flow from those up to it of the motion, in jets of `size` orders, which are at least as
  // many; times `share`.
  template <int size>
  void coefficient(int order, State& y, std::span<State* const> k, Real share);
  void flow(State& y, State& k) { coefficient<0>(0, y, std::array{&k}, 1); }
  void linear_coefficient(const LinearBodies& law, const State& of, State& out, Real share) const;

  MotionLaw law_;
  int count_;  // of bodies
  bool has_bond_;
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
class Toy : public Generic<OneBody> {
 public:
  explicit Toy(const MotionLaw& law, const BodyMotion<Real>& start = {}, const Vector& spring = {})
      : Generic<OneBody>(body), body(law, start, spring) {}
  Toy(const Toy&) = delete;
  Toy& operator=(const Toy&) = delete;

  // The drift asks for rates of the spring, which World finds within the force pass that follows: no calls.
  void drift(Real h) {
    const std::int64_t evaluations = body.evaluations;
    Generic<OneBody>::drift(h);
    body.evaluations = evaluations;
  }
  void kick_drift(Real kick_h, Real drift_h, Real /*predict_h*/ = 0, std::optional<Real> extrapolation = {}) {
    this->kick(kick_h);
    drift(drift_h);
    if (extrapolation) this->extrapolate(*extrapolation);
  }

  OneBody body;
};

static_assert(System<Toy>);

// A scheme as it steps toys.
struct ToyScheme {
  std::function<Real(Toy&, Real h)> advance;  // one step of at most h [s]; returns its length
  bool staggered = false;                     // velocities stand half a step behind
};
template <class Scheme>
ToyScheme toy_scheme(const Parameters& parameters = Scheme::claims.usual_parameters()) {
  return {[parameters](Toy& toy, Real h) { return advance<Scheme>(toy, h, parameters); }, is_staggered<Scheme>};
}

}  // namespace cairn::toys
