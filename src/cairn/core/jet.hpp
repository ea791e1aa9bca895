// Truncated Taylor series in time: f(t) = c[0] + c[1] t + ... + c[D] t^D. A formula written once for plain numbers
// and called with jets returns the Taylor coefficients of its result; no derivative is typed by hand.
// Source: Griewank & Walther, Evaluating Derivatives, 2nd ed., table 13.2.
#pragma once
#include <array>
#include <concepts>
#include <utility>

#include "cairn/core/elementary.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

// Of numbers, or of lanes of them (core/lanes.hpp).
template <int D, class T = Real>
struct Jet {
  std::array<T, D + 1> c{};

  Jet() = default;
  Jet(const T& constant) { c[0] = constant; }  // NOLINT: numbers are jets that do not change
  Jet(Real constant)                           // NOLINT
      requires(!std::same_as<T, Real>) {
    c[0] = constant;
  }

  friend Jet operator+(Jet a, const Jet& b) {
    for (int k = 0; k <= D; ++k) a.c[k] = a.c[k] + b.c[k];
    return a;
  }
  friend Jet operator-(Jet a, const Jet& b) {
    for (int k = 0; k <= D; ++k) a.c[k] = a.c[k] - b.c[k];
    return a;
  }
  friend Jet operator-(Jet a) {
    for (T& x : a.c) x = -x;
    return a;
  }
  friend Jet operator*(const Jet& a, const Jet& b) {
    Jet r;
    for (int k = 0; k <= D; ++k) {
      r.c[k] = a.c[0] * b.c[k];
      for (int i = 1; i <= k; ++i) r.c[k] = r.c[k] + a.c[i] * b.c[k - i];
    }
    return r;
  }
  friend Jet operator/(const Jet& a, const Jet& b) {
    Jet r;
    for (int k = 0; k <= D; ++k) {
      T s = a.c[k];
      for (int i = 1; i <= k; ++i) s = s - b.c[i] * r.c[k - i];
      r.c[k] = s / b.c[0];
    }
    return r;
  }
  friend Truth<T> operator<(const Jet& a, const Jet& b) { return a.c[0] < b.c[0]; }
  friend Truth<T> operator>(const Jet& a, const Jet& b) { return a.c[0] > b.c[0]; }
};

template <int D, class T>
T value(const Jet<D, T>& a) {
  return a.c[0];
}

template <int D, class T>
Jet<D, T> sqrt(const Jet<D, T>& a) {
  Jet<D, T> r;
  r.c[0] = sqrt(a.c[0]);
  for (int k = 1; k <= D; ++k) {
    T s = a.c[k];
    for (int i = 1; i < k; ++i) s = s - r.c[i] * r.c[k - i];
    r.c[k] = s / (2.0 * r.c[0]);
  }
  return r;
}

// From a r' = p a' r.
template <int D>
Jet<D> power(const Jet<D>& a, Real p) {
  Jet<D> r;
  r.c[0] = power(a.c[0], p);
  for (int k = 1; k <= D; ++k) {
    Real s = 0;
    for (int i = 1; i <= k; ++i) s += ((p + 1) * i - k) * a.c[i] * r.c[k - i];
    r.c[k] = s / (k * a.c[0]);
  }
  return r;
}

// From a r' = a' / ln 2.
template <int D>
Jet<D> binary_log(const Jet<D>& a) {
  constexpr Real ln2 = 0x1.62e42fefa39efp-1;
  Jet<D> r;
  r.c[0] = binary_log(a.c[0]);
  for (int k = 1; k <= D; ++k) {
    Real s = k * a.c[k] / ln2;
    for (int i = 1; i < k; ++i) s -= i * r.c[i] * a.c[k - i];
    r.c[k] = s / (k * a.c[0]);
  }
  return r;
}

template <int D, class T>
Jet<D, T> abs(const Jet<D, T>& a) {
  return select(a.c[0] < T(0.0), -a, a);
}

// A tie, but for round-off, is broken by what comes next.
template <int D>
bool exceeds(const Jet<D>& a, const Jet<D>& b) {
  const Real off = a.c[0] - b.c[0];
  if constexpr (D > 0)
    if (std::fabs(off) <= 1e-12 * std::fabs(b.c[0])) return a.c[1] > b.c[1];
  return off > 0;
}

template <int D, class T>
Jet<D, T> select(const Truth<T>& which, const Jet<D, T>& yes, const Jet<D, T>& no) {
  Jet<D, T> r;
  for (int k = 0; k <= D; ++k) r.c[k] = select(which, yes.c[k], no.c[k]);
  return r;
}

// f<size>(), of the smallest jets of at least so many orders, `largest` at most. Those of each order would take twice
// as long to compile; coefficients do not depend on the orders above theirs.
template <int largest, class F>
void with_jets_of(int order, F&& f) {
  const auto among = [&]<int size, int... larger>(auto& self, std::integer_sequence<int, size, larger...>)->void {
    if constexpr (sizeof...(larger) > 0)
      if (order > size) return self(self, std::integer_sequence<int, larger...>());
    f.template operator()<size>();
  };
  among(among, std::integer_sequence<int, 1, 2, 3, 5, 8, largest>());
}

}  // namespace cairn
