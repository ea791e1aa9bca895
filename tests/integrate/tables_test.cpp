// What stands behind the orders that schemes claim: the tables of compositions and of multistep methods.
#include <doctest/doctest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "cairn/analysis/toys/toy_cases.hpp"
#include "cairn/integrate/schemes/all.hpp"
#include "cairn/run/registry.hpp"

using namespace cairn;
using namespace cairn::toys;

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
