// Every claim of every scheme, measured on toys; then what stands behind the claims: the tables of the Runge-Kutta
// methods, the step control.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "cairn/analysis/stability.hpp"
#include "cairn/analysis/toys/toy_cases.hpp"
#include "cairn/integrate/schemes/all.hpp"
#include "cairn/run/registry.hpp"

using namespace cairn;
using namespace cairn::toys;

namespace {

// How far the mean energy of the undriven Duffing oscillator moves in 1e5 steps, relative to its own swing.
Real energy_drift(const ToyScheme& scheme) {
  constexpr int steps = 100'000, window = 10'000;
  constexpr Real h = 0.1;
  const Duffing law{.cubic = 1};
  Toy toy(law, conservative_case().start);
  toy.controller().tolerance = any_error;
  Real low = std::numeric_limits<Real>::infinity(), high = -low, first = 0, last = 0;
  for (int k = 0; k < steps; ++k) {
    scheme.advance(toy, h);
    const Real e = law.energy(synchronised(toy, scheme.staggered, h));
    if (!(e < 1e6)) return std::numeric_limits<Real>::infinity();
    if (k < window) first += e, low = std::min(low, e), high = std::max(high, e);
    if (k >= steps - window) last += e;
  }
  if (last < 0.5 * first) return std::numeric_limits<Real>::infinity();  // comes to rest
  return std::fabs(last - first) / window / (high - low);
}

// A step, the velocities turned round, a step: how far from where it began, velocities turned back. On a conservative
// force and in the middle of a motion. Staggered velocities are turned where they stand: half a step on, seen
// backwards.
Real way_back(const ToyScheme& scheme) {
  constexpr Real h = 0.4;  // so large that no order takes a scheme back by mere accuracy
  Toy toy(Duffing{.cubic = 1}, conservative_case().start);
  toy.controller().tolerance = any_error;
  for (int k = 0; k < 10; ++k) scheme.advance(toy, h);
  const BodyMotion<Real> start{toy.state().body.at(BodyRow::x, 0), toy.state().body.at(BodyRow::v, 0), {}};
  const auto turn = [&] { toy.state().body.set(BodyRow::v, 0, -toy.state().body.at(BodyRow::v, 0)); };
  if (scheme.staggered) {
    // x_n, v_{n-1/2} goes to x_{n+1}, v_{n+1/2}; backwards from x_n with -v_{n+1/2} it must come to x_{n-1},
    // -v_{n-1/2}.
    scheme.advance(toy, h);
    const Vector after = toy.state().body.at(BodyRow::v, 0);
    Toy back(Duffing{.cubic = 1}, {start.x, -after, {}});
    back.kick(0.5 * h);  // the first step takes half a kick away
    scheme.advance(back, h);
    return norm(back.state().body.at(BodyRow::v, 0) + start.v) +
           norm(back.state().body.at(BodyRow::x, 0) + h * start.v - start.x);
  }
  scheme.advance(toy, h);
  turn();
  toy.force(0, StageKind::stage);
  scheme.advance(toy, h);
  turn();
  return norm(toy.state().body.at(BodyRow::x, 0) - start.x) + norm(toy.state().body.at(BodyRow::v, 0) - start.v);
}

struct Figures {
  Claims claims;
  Convergence order, damped, spring, sliding;
  Real evaluations;  // per step
  int memory, memory_read;
  Real drift, way_back, excursion;
};

Figures measure(const SchemeEntry& e) {
  Figures f{};
  f.claims = e.claims;
  const ToyScheme& scheme = e.toy;
  const auto order = [&](const Case& c) { return c.convergence(scheme, 16384 / e.claims.force_evaluations); };
  f.order = order(cases().conservative);
  f.damped = order(cases().damped);
  f.spring = order(cases().spring);
  f.sliding = order(cases().sliding);
  f.drift = energy_drift(scheme);
  f.way_back = way_back(scheme);

  Toy toy(conservative_case().law, conservative_case().start);  // without a dashpot to solve for
  toy.controller().tolerance = any_error;
  constexpr Real h = 0.01;
  for (int k = 0; k < 8; ++k) scheme.advance(toy, h);
  constexpr int steps = 10;
  if (!e.splitting) toy.controller().solver_tolerance = any_error;  // one iteration is enough
  toy.body.evaluations = 0;
  for (int k = 0; k < steps; ++k) {
    const Real begin = toy.body.earliest = toy.body.latest = toy.state().time;
    scheme.advance(toy, h);
    f.excursion = std::max({f.excursion, (begin - toy.body.earliest) / h, (toy.body.latest - begin) / h - 1});
  }
  f.evaluations = static_cast<Real>(toy.body.evaluations) / steps;

  Amplifier amplifier(scheme, 0.1);
  const Amplification matrix = amplifier(h);
  f.memory = amplifier.memories();
  for (int i = 0; i < f.memory; ++i) {
    bool read = false;
    for (int row = 0; row < matrix.size; ++row) read |= matrix(row, 4 + 2 * i) != 0 || matrix(row, 5 + 2 * i) != 0;
    f.memory_read += read;
  }
  return f;
}

std::string row(const Figures& f) {
  char line[512];
  std::snprintf(line, sizeof line,
                "\n%-26s order  damped  spring sliding  calls memory   drift    back  beyond"
                "\n%-26s%6.3f%8.3f%8.3f%8.3f%7.3g%7d%8.1g%8.1g%8.4f"
                "\n%-26s%6.3f%8.3f%8.3f%8.3f",
                "measured", std::string(f.claims.name).c_str(), f.order.order, f.damped.order, f.spring.order,
                f.sliding.order, f.evaluations, f.memory_read, f.drift, f.way_back, f.excursion, "in the limit",
                f.order.limit, f.damped.limit, f.spring.limit, f.sliding.limit);
  return line;
}

}  // namespace

TEST_CASE("the toys' references agree with another method and with the closed form") {
  const auto differs = [](const Case& c) {
    return distance(c.run(toy_scheme<schemes::Rk4>(), 20000), c.exact.outcome);
  };
  CHECK(differs(cases().conservative) < 2e-11);
  CHECK(differs(cases().spring) < 1e-11);
  CHECK(differs(cases().sliding) < 1e-11);
  CHECK(differs(cases().damped) < 1e-12);
}

TEST_CASE("every scheme keeps its claims") {
  for (const SchemeEntry& e : scheme_catalogue()) {
    const Figures f = measure(e);
    const Claims& c = f.claims;
    INFO(row(f));
    CHECK(f.order.keeps(c.order));
    CHECK(f.damped.keeps(c.order_damped));
    CHECK(f.spring.keeps(c.order_spring));
    CHECK(f.sliding.keeps(c.order_sliding));
    CHECK(f.evaluations == c.force_evaluations);  // all of them, those that close a step included
    CHECK(f.memory == c.memory);                  // what a restart saves
    CHECK(f.memory_read == c.memory);
    CHECK((f.drift < 0.02) == c.symplectic);
    CHECK((f.way_back < 1e-11) == c.reversible);
    CHECK(std::fabs(f.excursion - c.excursion) <= 1e-9);
  }
}

TEST_CASE("A-stable schemes make no damped oscillator grow at any step, all others some") {
  for (const SchemeEntry& e : scheme_catalogue()) {
    Real largest = 0, at = 0, of = 0;
    for (const Real zeta : {0.0, 0.1, 1.0, 10.0}) {
      Amplifier amplifier(e.toy, zeta);
      // h omega from 1e-2 to 1e4: the double root of critical damping comes so near 1 beyond that round-off decides.
      for (int k = -8; k <= 16; ++k) {
        const Real h_omega = std::pow(10, 0.25 * k), radius = spectral_radius(amplifier(h_omega));
        if (radius > largest) largest = radius, at = h_omega, of = zeta;
      }
    }
    INFO(e.name, ": ", largest, " at h omega = ", at, ", zeta = ", of);
    CHECK((largest <= 1 + 1e-9) == e.claims.a_stable);
  }
}

TEST_CASE("a free body flies straight at its own velocity in every scheme") {
  for (const SchemeEntry& e : scheme_catalogue()) {
    INFO(e.name);
    const BodyMotion<Real> start{{1, -2, 3}, {0.3, 0.7, -0.9}, {4, 5, 6}};
    Toy toy(Oscillator{.stiffness = 0, .damping = 0}, start);
    toy.controller().tolerance = any_error;
    for (int k = 0; k < 100; ++k) e.toy.advance(toy, 0.25);
    CHECK(toy.state().body.at(BodyRow::v, 0) == start.v);
    CHECK(toy.state().body.at(BodyRow::w, 0) == start.w);
    CHECK(norm(toy.state().body.at(BodyRow::x, 0) - (start.x + 25.0 * start.v)) <
          1e-13 * (e.claims.symplectic ? e.claims.force_evaluations : 1));  // each drift rounds
    CHECK(toy.state().time == 25);
  }
}

TEST_CASE("series are the Taylor coefficients of the motion") {
  // Four coefficients and a fifth of the positions alone: velocities to h^5, positions to h^6.
  const Case c = spring_case();
  const auto errors = [&](Real h) {
    Toy toy(c.law, c.start);
    const auto scratch = toy.borrow(6);
    State* k[] = {&scratch[0], &scratch[1], &scratch[2], &scratch[3], &scratch[4]};
    toy.series(toy.state(), 4, k, h);
    const Term terms[] = {{h, k[0]}, {h * h, k[1]}, {h * h * h, k[2]}, {h * h * h * h, k[3]}, {std::pow(h, 5), k[4]}};
    State& there = scratch[5];
    toy.combine(there, toy.state(), terms, StatePart::everything);
    for (int n = 0; n < 100; ++n) runge_kutta::step(toy, schemes::Rk4::tableau, h / 100);
    const auto off = [&](int row) { return norm(there.body.at(row, 0) - toy.state().body.at(row, 0)); };
    return std::array{off(BodyRow::x), off(BodyRow::v), off(BodyRow::w),
                      norm(there.bond.at(0, 0) - toy.state().bond.at(0, 0)), std::fabs(there.time - toy.state().time)};
  };
  const auto coarse = errors(0.04), fine = errors(0.02);
  CHECK(std::log2(coarse[0] / fine[0]) == doctest::Approx(6).epsilon(0.05));
  for (int k : {1, 2, 3}) CHECK(std::log2(coarse[k] / fine[k]) == doctest::Approx(5).epsilon(0.05));
  CHECK(fine[4] < 1e-15);
}

TEST_CASE("series of any order: the coefficients of a damped oscillator follow its recurrence") {
  // (n + 1)(n + 2) x_{n+2} + 2 zeta (n + 1) x_{n+1} + x_n = 0.
  constexpr Real zeta = 0.15;
  const BodyMotion<Real> start = damped_case().start;
  Toy toy(Oscillator{.stiffness = 1, .damping = 2 * zeta}, start);
  const auto scratch = toy.borrow(most_series_orders);
  State* k[most_series_orders];
  for (int n = 0; n < most_series_orders; ++n) k[n] = &scratch[n];
  toy.series(toy.state(), most_series_orders, k, 0.1);
  Vector x = start.x, next = start.v;  // coefficients n and n + 1
  for (int n = 0; n < most_series_orders; ++n) {
    const Vector after = (-1.0 / ((n + 1) * (n + 2))) * (x + 2 * zeta * (n + 1) * next);
    CHECK(norm(k[n]->body.at(BodyRow::x, 0) - next) <= 1e-14 * norm(next));
    CHECK(norm(k[n]->body.at(BodyRow::v, 0) - Real(n + 2) * after) <= 1e-13 * norm(Real(n + 2) * after));
    x = next, next = after;
  }
}

// --- Fixed points ---------------------------------------------------------------------------------------------------

TEST_CASE("where a fixed-point iteration diverges the step is refused in words, and the state is as it was") {
  for_each_scheme([](auto scheme) {
    using S = decltype(scheme);
    if constexpr (requires { S::guess; }) {
      INFO(std::string(S::claims.name));
      const BodyMotion<Real> start = damped_case().start;
      Toy toy(Oscillator{.stiffness = 1, .damping = 0.1}, start);
      Exit code = Exit::ok;
      std::string words;
      try {
        advance<S>(toy, 4);  // h omega / sqrt(12) > 1
      } catch (const Error& e) {
        code = e.code(), words = e.what();
      }
      CHECK(code == Exit::guard);
      CHECK(words.find(
                "the stages of the step from t = 0 s did not converge in 100 iterations: the last iteration changed "
                "them by ") == 0);
      CHECK(words.find(" tolerances; take a smaller step, or gauss2_newton") != words.npos);
      CHECK(toy.state().body.at(BodyRow::x, 0) == start.x);
      CHECK(toy.state().body.at(BodyRow::v, 0) == start.v);
      CHECK(toy.steps() == 0);
    }
  });
}

// --- Runge-Kutta tables ---------------------------------------------------------------------------------------------

namespace {

// Of a rooted tree: its derivative weight at each stage, its size and density (Hairer, Norsett & Wanner I, II.2).
template <int N>
struct Tree {
  std::array<Real, N> at_stage;
  int size;
  Real density;
};

// All trees of up to `largest` nodes, each once: a tree is a root on a multiset of smaller trees.
template <int N>
std::vector<Tree<N>> trees(const Tableau<N>& t, int largest) {
  std::vector<Tree<N>> all;
  const auto grow = [&](const auto& self, Tree<N> root, std::size_t from, int size) -> void {
    if (root.size == size) {
      root.density *= size;
      all.push_back(root);
      return;
    }
    for (std::size_t k = from; k < all.size() && root.size + all[k].size <= size; ++k) {
      Tree<N> more = root;
      for (int i = 0; i < N; ++i) {
        Real sum = 0;
        for (int j = 0; j < i; ++j) sum += t.a[i][j] * all[k].at_stage[j];
        more.at_stage[i] *= sum;
      }
      more.size += all[k].size, more.density *= all[k].density;
      self(self, more, k, size);
    }
  };
  for (int size = 1; size <= largest; ++size) {
    Tree<N> root{{}, 1, 1};
    root.at_stage.fill(1);
    grow(grow, root, 0, size);
  }
  return all;
}

// The largest order whose conditions all hold.
template <int N>
int order_of(const Tableau<N>& t, const decltype(Tableau<N>::b)& weights) {
  int order = 7;
  for (const Tree<N>& tree : trees(t, order)) {
    Real sum = 0;
    for (int i = 0; i < N; ++i) sum += weights[i] * tree.at_stage[i];
    if (std::fabs(sum - 1 / tree.density) > 1e-14) order = std::min(order, tree.size - 1);
  }
  return order;
}

}  // namespace

TEST_CASE("the tables of Runge-Kutta methods meet the order conditions of their claims") {
  int counts[8] = {};
  for (const auto& tree : trees(schemes::Rk4::tableau, 7)) ++counts[tree.size];
  const int known[] = {0, 1, 1, 2, 4, 9, 20, 48};  // rooted trees, OEIS A000081
  for (int size = 1; size <= 7; ++size) CHECK(counts[size] == known[size]);
  for_each_scheme([](auto scheme) {
    using S = decltype(scheme);
    if constexpr (requires { S::tableau; }) {
      INFO(std::string(S::claims.name));
      CHECK(order_of(S::tableau, S::tableau.b) == S::claims.order);
      if constexpr (S::claims.adaptive)  // the estimate is a difference of neighbouring orders
        CHECK(std::abs(order_of(S::tableau, S::tableau.embedded) - S::claims.order) == 1);
    }
  });
}

// --- Tables of compositions and of Adams methods --------------------------------------------------------------------

namespace {

// The largest order of a splitting into kicks B and drifts A: its product of exponentials is that of A + B, word by
// word. A word is a sequence of the two letters; exp(A + B) has 1/n! at each of n letters. Forces that do not depend on
// velocities make [B, [B, [B, A]]] vanish, which only Runge-Kutta-Nystrom methods use: `false` says the table does not
// meet the general conditions.
int order_of_splitting(std::span<const Stage> stages, int largest) {
  std::vector<std::vector<Real>> words(largest + 1);  // by length, then by letters as bits: 1 for B
  for (int n = 0; n <= largest; ++n) words[n].assign(std::size_t{1} << n, 0);
  words[0][0] = 1;
  const auto append = [&](unsigned letter, Real c) {  // product with exp(c letter), on the right
    if (c == 0) return;
    for (int n = largest; n >= 1; --n)
      for (std::size_t w = 0; w < words[n].size(); ++w) {
        Real power = 1;
        for (int m = 1; m <= n && ((w >> (m - 1)) & 1) == letter; ++m) {
          power *= c / m;
          words[n][w] += power * words[n - m][w >> m];
        }
      }
  };
  for (const Stage& stage : stages) append(1, stage.kick), append(0, stage.drift);
  Real factorial = 1;
  for (int n = 1; n <= largest; ++n) {
    factorial *= n;
    for (const Real c : words[n])
      if (std::fabs(c - 1 / factorial) > 2e-14) return n - 1;
  }
  return largest;
}

}  // namespace

TEST_CASE("the tables of splittings meet the order conditions of their claims, word by word") {
  int seen = 0;
  for_each_scheme([&](auto scheme) {
    using S = decltype(scheme);
    if constexpr (requires { S::stages; }) {
      if (is_staggered<S>) return;  // first order as a map of what it holds, second once synchronised
      INFO(std::string(S::claims.name));
      CHECK(order_of_splitting(S::stages, 9) == S::claims.order);
      ++seen;
    }
  });
  CHECK(seen >= 12);
}

TEST_CASE("the weights of Adams methods integrate the powers their order asks for, and no more") {
  // sum w_j t_j^p = 1/(p + 1) over the times t_j of the rates, in steps: 0, -1, -2, ...; a corrector's first is 1.
  const auto order = [](const auto& w, Real first) {
    for (int p = 0;; ++p) {
      Real sum = 0;
      for (std::size_t j = 0; j < w.size(); ++j) sum += w[j] * std::pow(first - static_cast<Real>(j), p);
      if (std::fabs(sum - 1.0 / (p + 1)) > 1e-12) return p;
    }
  };
  for_each_scheme([&](auto scheme) {
    using S = decltype(scheme);
    INFO(std::string(S::claims.name));
    if constexpr (requires { S::moulton; }) {
      CHECK(order(S::bashforth, 0) == S::claims.order - 1);
      CHECK(order(S::moulton, 1) == S::claims.order);
    } else if constexpr (requires { S::bashforth; }) {
      CHECK(order(S::bashforth, 0) == S::claims.order);
    }
  });
}

TEST_CASE("Gear's methods are those of Kruggel-Emden et al. 2008, (20)-(22), step by step") {
  for_each_scheme([](auto scheme) {
    using S = decltype(scheme);
    if constexpr (requires { S::theta; }) {
      INFO(std::string(S::claims.name));
      constexpr std::size_t N = S::theta.size();
      constexpr Real c = 0.2, h = 0.1;
      const Oscillator law{.stiffness = 1, .damping = c};
      Toy toy(law, {{1, 0, 0}, {0.4, 0, 0}, {}});
      std::array<Real, N> d{1, 0.4};  // x, v, a, a', ... as they are printed
      for (std::size_t i = 2; i < N; ++i) d[i] = -d[i - 2] - c * d[i - 1];
      for (int k = 0; k < 200; ++k) {
        for (std::size_t i = 0; i < N; ++i)  // in ascending order: those above are still of before
          for (std::size_t m = i + 1, power = 1; m < N; power *= ++m - i)
            d[i] += d[m] * std::pow(h, m - i) / static_cast<Real>(power);
        const Real change = -d[0] - c * d[1] - d[2];
        for (std::size_t i = 0; i < N; ++i) d[i] += S::theta[i] * std::pow(h, 2 - static_cast<Real>(i)) * change;
        advance<S>(toy, h);
        REQUIRE(std::fabs(toy.state().body.at(BodyRow::x, 0).x - d[0]) < 1e-13);
        REQUIRE(std::fabs(toy.state().body.at(BodyRow::v, 0).x - d[1]) < 1e-13);
      }
    }
  });
}

TEST_CASE("methods of equal steps keep their order where the step is changed, in their start too") {
  const auto& c = cases().conservative;
  for_each_scheme([&](auto scheme) {
    using S = decltype(scheme);
    if constexpr (
        requires { S::bashforth; } || requires { S::theta; }) {
      INFO(std::string(S::claims.name));
      const auto error = [&](int n) {
        Toy toy(c.law, c.start);
        const Real h = c.end / (2 + 0.6 * (n - 2) + n);
        for (int k = 0; k < 2 * n; ++k) advance<S>(toy, k < 2 || k >= n ? h : 0.6 * h);
        return distance({synchronised(toy, is_staggered<S>, h)}, c.exact.outcome);
      };
      CHECK(std::log2(error(200) / error(400)) > S::claims.order - 0.3);
    }
  });
}

// --- Step control ---------------------------------------------------------------------------------------------------

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
