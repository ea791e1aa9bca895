// Vectors of single precision: enough for what a picture shows.
#pragma once
#include <algorithm>
#include <cmath>

namespace cairn::render {

struct Float3 {
  float x = 0, y = 0, z = 0;
  friend Float3 operator+(const Float3& a, const Float3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Float3 operator-(const Float3& a, const Float3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Float3 operator*(float c, const Float3& a) { return {c * a.x, c * a.y, c * a.z}; }
  Float3& operator+=(const Float3& b) { return *this = *this + b; }
};
inline float dot(const Float3& a, const Float3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Float3 unit(const Float3& a) {
  return (1 / std::sqrt(std::max(dot(a, a), 1e-30f))) * a;
}
}  // namespace cairn::render
