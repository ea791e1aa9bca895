// The step control of adaptive schemes.
#include <doctest/doctest.h>

#include <cmath>

#include "cairn/analysis/toys/toy_cases.hpp"
#include "cairn/integrate/schemes/all.hpp"
#include "cairn/run/registry.hpp"
#include "integrate/order_conditions.hpp"

using namespace cairn;
using namespace cairn::toys;

namespace {

template <class F>
void for_each_adaptive(F&& f) {
  for_each_scheme([&](auto scheme) {
    if constexpr (decltype(scheme)::claims.adaptive) {
      INFO(std::string(scheme.claims.name));
      f(scheme);
    }
  });
}

bool same_bits(const State& a, const State& b) {
  const auto same = [](const auto& p, const auto& q) {
    if (p.size() != q.size()) return false;
    for (int row = 0; row < p.rows(); ++row)
      for (int i = 0; i < p.size(); ++i)
        if (std::bit_cast<std::uint64_t>(p.row(row)[i]) != std::bit_cast<std::uint64_t>(q.row(row)[i])) return false;
    return true;
  };
  return same(a.body, b.body) && same(a.bond, b.bond) && a.ledger == b.ledger && a.time == b.time;
}

}  // namespace

TEST_CASE("a rejected step leaves no trace, and a rejection of the smallest step ends the run") {
  for_each_adaptive([](auto scheme) {
    using S = decltype(scheme);
    const Case c = spring_case();
    Toy toy(c.law, c.start);
    toy.controller() = {.step = 0.3, .smallest = 0.299, .tolerance = 1e-9};
    for (int k = 0; k < 3; ++k) runge_kutta::step(toy, schemes::Rk4::tableau, 0.01);
    const State state = toy.state(), held = toy.current_rate();
    Exit code = Exit::ok;
    try {
      advance<S>(toy, 1);
    } catch (const Error& e) {
      code = e.code();
    }
    CHECK(code == Exit::guard);
    CHECK(toy.controller().rejected == 2);  // the one it began with and the smallest
    CHECK(toy.controller().accepted == 0);
    CHECK(toy.steps() == 3);
    CHECK(same_bits(toy.state(), state));
    CHECK(same_bits(toy.current_rate(), held));

    // Allowed smaller steps it goes on as if it had tried the accepted one at once.
    toy.controller() = {.step = 0.3, .tolerance = 1e-9};
    const Real taken = advance<S>(toy, 1);
    CHECK(toy.controller().rejected > 0);
    CHECK(toy.controller().accepted == 1);
    Toy other(c.law, c.start);
    for (int k = 0; k < 3; ++k) runge_kutta::step(other, schemes::Rk4::tableau, 0.01);
    other.controller() = {.step = taken, .tolerance = 1e-9};
    CHECK(advance<S>(other, 1) == taken);
    CHECK(other.controller().rejected == 0);
    CHECK(same_bits(toy.state(), other.state()));
    CHECK(same_bits(toy.current_rate(), other.current_rate()));
  });
}

TEST_CASE("adaptive schemes meet their tolerance and take no more steps than their order asks for") {
  for_each_adaptive([](auto scheme) {
    using S = decltype(scheme);
    if constexpr (!std::is_same_v<decltype(S::control), const runge_kutta::PiControl>) return;  // of a source: below
    const Oscillator law{.stiffness = 1, .damping = 0};
    const BodyMotion<Real> start = damped_case().start;
    const Real end = 20;
    Real steps_before = 0, error_before = 0;
    for (const Real tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      Toy toy(law, start);
      toy.controller().tolerance = tolerance;
      Real time = 0;
      while (time < end) time += advance<S>(toy, end - time);
      const Controller& c = toy.controller();
      const Real steps = static_cast<Real>(c.accepted);
      const Real error = distance({synchronised(toy, is_staggered<S>, 0)}, {law.exact(start, end)});
      INFO("tolerance ", tolerance, ": error ", error, " in ", steps, " steps, ", c.rejected, " rejected");
      CHECK(toy.state().time == end);
      CHECK(error < steps * tolerance);  // what control of the error per step promises
      if (S::claims.order == 5) CHECK((0.1 * tolerance < error && error < 10 * tolerance));
      if (steps_before > 0) CHECK(std::log(error_before / error) / std::log(100) == doctest::Approx(1).epsilon(0.15));
      CHECK(static_cast<Real>(c.rejected) <= 2 + 0.1 * steps);
      const Real estimate_order = std::min(S::claims.order, order_of(S::tableau, S::tableau.embedded)) + 1;
      if (steps_before > 0)
        CHECK(std::log(steps / steps_before) / std::log(100) == doctest::Approx(1 / estimate_order).epsilon(0.15));
      steps_before = steps, error_before = error;
    }
  });
}

TEST_CASE("Fehlberg's pair is controlled as its source says") {
  // Hofmann 2011, 2.7.3: a step is accepted where the one it would have chosen is at least three quarters of it, that
  // is, for an error up to 4/3 of the tolerance, or up to (4/3)^4 / 2 of it per second.
  const Real h = 0.02;
  CHECK(schemes::Rkf45Absolute::control.judge(1.3333, 1, h).accepted);
  CHECK(!schemes::Rkf45Absolute::control.judge(1.3334, 1, h).accepted);
  CHECK(schemes::Rkf45Absolute::control.judge(4, 1, h).next == h / 4);
  const Real limit = h * std::pow(4.0 / 3, 4) / 2;
  CHECK(schemes::Rkf45Relative::control.judge(0.9999 * limit, 1, h).accepted);
  CHECK(!schemes::Rkf45Relative::control.judge(1.0001 * limit, 1, h).accepted);
  CHECK(schemes::Rkf45Relative::control.judge(8 * h, 1, h).next == h / 2);

  // Whole motions, with a largest step, for the first jumps between tiny and huge ones without.
  const auto error = [](auto scheme, Real tolerance, Real& steps) {
    using S = decltype(scheme);
    const Oscillator law{.stiffness = 1, .damping = 0};
    Toy toy(law, damped_case().start);
    toy.controller() = {.step = 0.1, .largest = 0.5, .smallest = 1e-6, .tolerance = tolerance};
    const Real end = 20;
    for (Real time = 0; time < end;) time += advance<S>(toy, end - time);
    steps = static_cast<Real>(toy.controller().accepted);
    return distance({synchronised(toy, is_staggered<S>, 0)}, {law.exact(damped_case().start, end)});
  };
  Real steps = 0, more = 0;
  const Real coarse = error(schemes::Rkf45Relative{}, 1e-5, steps), fine = error(schemes::Rkf45Relative{}, 1e-9, more);
  CHECK(coarse < 20 * 1e-5);  // per second, over twenty
  CHECK(fine < 20 * 1e-9);
  CHECK(std::log(more / steps) / std::log(1e4) == doctest::Approx(0.25).epsilon(0.1));
  CHECK(error(schemes::Rkf45Absolute{}, 1e-8, steps) < steps * 4 / 3 * 1e-8);
}

TEST_CASE("adaptive steps are no longer than asked for or allowed, and what is not finite is rejected") {
  for_each_adaptive([](auto scheme) {
    using S = decltype(scheme);
    Toy toy(Oscillator{}, damped_case().start);
    CHECK(advance<S>(toy, 1e-3) == 1e-3);
    toy.controller().largest = 0.01;
    for (int k = 0; k < 10; ++k) CHECK(advance<S>(toy, 1) <= 0.01);
    CHECK(toy.controller().step > 0.01);
    CHECK(advance<S>(toy, 0.004) == 0.004);

    // A first attempt that overflows.
    Toy wild(Duffing{.cubic = 1}, conservative_case().start);
    CHECK(advance<S>(wild, 1e60) < 1);
    CHECK(wild.controller().rejected > 20);
    CHECK(std::isfinite(wild.state().body.row(BodyRow::v)[0]));
  });
}
