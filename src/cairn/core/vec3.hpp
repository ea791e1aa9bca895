// Real numbers and vectors in space. Everything in SI units; the last coordinate is height.
#pragma once
#include <cmath>
#include <cstdint>

namespace cairn {

using Real = double;

// The scalar verbs a contact law may use. A law is a template over its scalar, so that the same formula
// serves plain numbers and jets; overloads for other scalars are found by argument-dependent lookup.
inline Real value(Real a) {
  return a;
}
inline Real sqrt(Real a) {
  return std::sqrt(a);
}
inline Real abs(Real a) {
  return std::fabs(a);
}

// Nearest integer, halves to even, for |a| < 2^51. Rejected: std::nearbyint, a library call on baseline x86-64.
inline Real nearest_integer(Real a) {
  constexpr Real shift = 0x1.8p52;
  return (a + shift) - shift;
}
inline bool exceeds(Real a, Real b) {
  return a > b;
}
inline bool any(bool which) {
  return which;
}
// What a comparison of two numbers gives: a bool, or a mask of lanes.
template <class T>
using Truth = decltype(T{} < T{});

inline Real select(bool which, Real yes, Real no) {
  return which ? yes : no;
}

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  template <class S>
  friend constexpr Vec3 operator*(const S& c, const Vec3& a) {
    return {c * a.x, c * a.y, c * a.z};
  }
  constexpr Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  constexpr Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

using Vector = Vec3<Real>;

template <class A, class B>
constexpr auto dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class A, class B>
constexpr auto cross(const Vec3<A>& a, const Vec3<B>& b) -> Vec3<decltype(a.x * b.x)> {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline Real norm(const Vector& a) {
  return std::sqrt(dot(a, a));
}

template <class M, class T>
constexpr Vec3<T> select(const M& which, const Vec3<T>& yes, const Vec3<T>& no) {
  return {select(which, yes.x, no.x), select(which, yes.y, no.y), select(which, yes.z, no.z)};
}

// A unit vector across a unit vector.
template <class T>
Vec3<T> any_perpendicular(const Vec3<T>& a) {
  const auto along_x = !(abs(a.x) < T(0.7));
  const Vec3<T> p = cross(a, Vec3<T>{select(along_x, T(0.0), T(1.0)), select(along_x, T(1.0), T(0.0)), T(0.0)});
  return (T(1.0) / sqrt(dot(p, p))) * p;
}

}  // namespace cairn
