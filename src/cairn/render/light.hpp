// How light reaches a point of a picture: the shadow of a parallel light, and the part of the sky that is open.
#pragma once
#include <array>
#include <cmath>
#include <vector>

#include "cairn/core/constants.hpp"
#include "cairn/core/slab.hpp"
#include "cairn/domain/domain.hpp"
#include "cairn/render/samples.hpp"

namespace cairn::render {

// How far each ray of a parallel light comes before it meets a ball.
class Shadow {
 public:
  // The balls seen(i), i < count, lie in a box.
  template <class SeenAs>
  Shadow(int count, SeenAs&& seen, const Float3& light, const Float3& low, const Float3& high) : light_(light) {
    across_ = unit(std::fabs(light.x) < 0.9f ? Float3{0, light.z, -light.y} : Float3{-light.z, 0, light.x});
    along_ = {light.y * across_.z - light.z * across_.y, light.z * across_.x - light.x * across_.z,
              light.x * across_.y - light.y * across_.x};
    middle_ = 0.5f * (low + high);
    const float half_size = std::max(0.55f * std::sqrt(dot(high - low, high - low)), 1e-20f);
    scale_ = 0.5f * size / half_size;
    height_.assign(static_cast<std::size_t>(size) * size, -far_away);
    for (int i = 0; i < count; ++i) {
      const Seen ball = seen(i);
      if (!std::isfinite(ball.c.x + ball.c.y + ball.c.z)) continue;
      const Float3 d = ball.c - middle_;
      const float u = dot(d, across_) * scale_ + 0.5f * size, v = dot(d, along_) * scale_ + 0.5f * size;
      const float h = dot(d, light_), r = ball.r * scale_;
      const auto inside = [](float a) { return std::clamp(a, 0.0f, size - 1.0f); };
      const int v0 = static_cast<int>(std::ceil(inside(v - r))), v1 = static_cast<int>(inside(v + r));
      for (int row = v0; row <= v1; ++row) {
        const float half2 = r * r - (row - v) * (row - v);
        if (half2 < 0) continue;
        const float half = std::sqrt(half2);
        const int u0 = static_cast<int>(std::ceil(inside(u - half))), u1 = static_cast<int>(inside(u + half));
        for (int column = u0; column <= u1; ++column) {
          const float top = h + std::sqrt(std::max(0.0f, half2 - (column - u) * (column - u))) / scale_;
          float& at = height_[static_cast<std::size_t>(row) * size + column];
          at = std::max(at, top);
        }
      }
    }
  }

  // Together with the balls of the other ranks, which do the same.
  void share(const Domain& domain) {
    using Rows = std::array<float, 16 * static_cast<std::size_t>(size)>;
    for (auto at = height_.begin(); domain.apart() && at != height_.end(); at += std::tuple_size_v<Rows>) {
      Rows rows;
      std::copy_n(at, rows.size(), rows.begin());
      domain.reduce(rows, [](Rows& into, const Rows& other) {
        for (std::size_t k = 0; k < into.size(); ++k) into[k] = std::max(into[k], other[k]);
      });
      std::copy(rows.begin(), rows.end(), at);
    }
  }

  // The part of the light that reaches a point, 0 to 1.
  float lit(const Float3& at) const {
    const Float3 d = at - middle_;
    const float u = dot(d, across_) * scale_ + 0.5f * size, v = dot(d, along_) * scale_ + 0.5f * size;
    const float h = dot(d, light_) + 2.5f / scale_;
    int free = 0;
    for (const auto& [du, dv] : taps) {
      const bool inside = u + du >= 0 && v + dv >= 0 && u + du < size && v + dv < size;
      free += !inside || height_[static_cast<std::size_t>(v + dv) * size + static_cast<int>(u + du)] <= h;
    }
    return static_cast<float>(free) / std::size(taps);
  }

 private:
  static constexpr int size = 1024;
  static constexpr float taps[][2] = {{0, 0},   {1, 2},  {2, -1},   {-1, -2}, {-2, 1},   {3, 2},    {2, -3},
                                      {-3, -2}, {-2, 3}, {4, -0.5}, {0.5, 4}, {-4, 0.5}, {-0.5, -4}};
  Float3 light_, across_, along_, middle_;
  float scale_;  // [1/m]
  AlignedVector<float> height_;
};

// The part of the sky a point sees, 0 to 1: neighbours in the picture that stand above its tangent plane hide it. Those
// of its own ball or patch never do: both are convex.
class Occlusion {
 public:
  explicit Occlusion(float radius) : radius_(radius) {
    for (int k = 0; k < count; ++k) {  // a sunflower: even over the disc
      const float r = std::sqrt((static_cast<float>(k) + 0.5f) / count), a = 2.39996323f * static_cast<float>(k);
      taps_[k] = {r * std::cos(a), r * std::sin(a)};
    }
  }
  float open(const Samples& samples, int column, int row, const Float3& at, const Float3& normal) const {
    const float pixels = std::clamp(samples.focal() * radius_ / at.z, 2.0f, 160.0f);
    // The taps turn from pixel to pixel: grain is less visible than bands (interleaved gradient noise, J. Jimenez
    // 2014).
    const float noise = 0.06711056f * static_cast<float>(column / fine) + 0.00583715f * static_cast<float>(row / fine);
    const float a = static_cast<float>(2 * pi) * fraction(52.9829189f * fraction(noise));
    const float turn_x = std::cos(a), turn_y = std::sin(a);
    const int own = samples.what[samples.index(column, row)];
    float hidden = 0;
    for (const auto& [x, y] : taps_) {
      const float dx = x * turn_x - y * turn_y, dy = x * turn_y + y * turn_x;
      const int c = std::clamp(column + static_cast<int>(pixels * dx), 0, samples.columns - 1);
      const int r = std::clamp(row + static_cast<int>(pixels * dy), 0, samples.rows - 1);
      const int other = samples.what[samples.index(c, r)];
      if (other < 0 || other == own) continue;
      const Float3 d = samples.point(c, r) - at;
      const float d2 = dot(d, d), rise = dot(d, normal);
      if (rise <= 0.02f * radius_) continue;
      hidden += rise / std::sqrt(d2) / (1 + d2 / (radius_ * radius_));
    }
    return std::max(0.0f, 1 - 2.2f * hidden / count);
  }

 private:
  static constexpr int count = 20;
  static float fraction(float a) { return a - std::floor(a); }
  float radius_;  // [m]
  std::array<std::array<float, 2>, count> taps_;
};

}  // namespace cairn::render
