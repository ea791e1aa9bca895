// The samples of a picture: which ball or patch each of them sees, and how far away.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "cairn/core/slab.hpp"
#include "cairn/render/float3.hpp"
#include "cairn/render/picture.hpp"

namespace cairn::render {

inline constexpr int fine = 2;        // samples per pixel in each direction
inline constexpr int band_rows = 32;  // rows of samples that a thread takes at once
inline constexpr float far_away = std::numeric_limits<float>::infinity();

// A ball in the camera's frame: x right, y up, z forward.
struct Seen {
  Float3 c;
  float r;
};

// Samples: columns and rows, their nearest depth and what is there.
class Samples {
 public:
  // There are depths of the rows [row_begin, row_end).
  Samples(const Camera& camera, int row_begin, int row_end)
      : columns(camera.width * fine),
        rows(camera.height * fine),
        depth(static_cast<std::size_t>(columns) * (row_end - row_begin), far_away),
        what(depth.size(), -1),
        camera_(camera),
        row_begin_(row_begin),
        focal_(static_cast<float>(camera.focal * fine)),
        centre_x_(static_cast<float>(camera.centre_x * fine)),
        centre_y_(static_cast<float>(camera.centre_y * fine)) {}
  explicit Samples(const Camera& camera) : Samples(camera, 0, camera.height * fine) {}
  Samples part(int from, int to) const { return {camera_, from, to}; }

  float slope_x(int column) const { return (static_cast<float>(column) + 0.5f - centre_x_) / focal_; }
  float slope_y(int row) const { return (centre_y_ - static_cast<float>(row) - 0.5f) / focal_; }
  int column_of(float slope) const { return static_cast<int>(std::floor(slope * focal_ + centre_x_)); }
  int row_of(float slope) const { return static_cast<int>(std::floor(centre_y_ - slope * focal_)); }
  std::size_t index(int column, int row) const { return static_cast<std::size_t>(row - row_begin_) * columns + column; }
  float focal() const { return focal_; }
  Float3 point(int column, int row) const {
    const float z = depth[index(column, row)];
    return {z * slope_x(column), z * slope_y(row), z};
  }

  const int columns, rows;
  // 35 MB in a picture: without huge pages the first touch of them takes a third of its time.
  AlignedVector<float> depth;
  AlignedVector<int> what;

 private:
  const Camera& camera_;
  int row_begin_;
  float focal_, centre_x_, centre_y_;
};

// The slopes between which a ball is seen, in the plane of one coordinate and the depth.
inline std::array<float, 2> slopes(float a, float z, float r) {
  const float root = r * std::sqrt(a * a + z * z - r * r), scale = 1 / (z * z - r * r);
  return {(a * z - root) * scale, (a * z + root) * scale};
}

struct Box {
  int column0, column1, row0, row1;  // inclusive
  bool empty() const { return column0 > column1 || row0 > row1; }
};

inline Box box_of(const Samples& samples, const Seen& ball) {
  // Around or behind the eye; or nowhere, for a run may end with what is not finite.
  if (!(ball.c.z > 1.01f * ball.r) || !std::isfinite(ball.c.x + ball.c.y + ball.c.z)) return {0, -1, 0, -1};
  const auto x = slopes(ball.c.x, ball.c.z, ball.r), y = slopes(ball.c.y, ball.c.z, ball.r);
  const auto inside = [](float slope) { return std::clamp(slope, -100.0f, 100.0f); };
  return {std::max(0, samples.column_of(inside(x[0]))), std::min(samples.columns - 1, samples.column_of(inside(x[1]))),
          std::max(0, samples.row_of(inside(y[1]))), std::min(samples.rows - 1, samples.row_of(inside(y[0])))};
}

// before(there): of two balls that are equally near, whether this one hides the one that is there.
template <class Before>
void put_ball(Samples& samples, const Seen& ball, const Box& box, int name, int row_begin, int row_end,
              const Before& before) {
  const Float3 c = ball.c;
  const float axis_x = c.x / c.z, axis_y = c.y / c.z, r2 = ball.r * ball.r;
  for (int row = std::max(box.row0, row_begin); row <= std::min(box.row1, row_end - 1); ++row) {
    const float dy = samples.slope_y(row), ey = dy - axis_y;
    for (int column = box.column0; column <= box.column1; ++column) {
      // |d|^2 r^2 - |d x c|^2 with d x c from the distance to the ball's axis: no cancellation for far balls.
      const float dx = samples.slope_x(column), ex = dx - axis_x;
      const float d2 = dx * dx + dy * dy + 1;
      const float cx = ey * c.z, cy = ex * c.z, cz = ex * c.y - ey * c.x;
      const float inside = d2 * r2 - (cx * cx + cy * cy + cz * cz);
      if (inside < 0) continue;
      const float z = (dx * c.x + dy * c.y + c.z - std::sqrt(inside)) / d2;
      const std::size_t at = samples.index(column, row);
      const int there = samples.what[at];
      if (z < samples.depth[at] || (z == samples.depth[at] && there >= 0 && before(there)))
        samples.depth[at] = z, samples.what[at] = name;
    }
  }
}

struct SeenPatch {
  std::vector<Float3> corners{};
  Float3 normal{};  // towards the viewer
  bool section = false;
};

inline void put_patch(Samples& samples, const SeenPatch& patch, int name, int row_begin, int row_end) {
  float x0 = 100, x1 = -100, y0 = 100, y1 = -100;
  for (const Float3& a : patch.corners) {
    x0 = std::min(x0, a.x / a.z), x1 = std::max(x1, a.x / a.z);
    y0 = std::min(y0, a.y / a.z), y1 = std::max(y1, a.y / a.z);
  }
  const float height = dot(patch.normal, patch.corners[0]);
  const int first = std::max({0, row_begin, samples.row_of(y1)});
  const int last = std::min({samples.rows - 1, row_end - 1, samples.row_of(y0)});
  for (int row = first; row <= last; ++row) {
    const float dy = samples.slope_y(row);
    // The part of the row between the edges.
    float from = x0, to = x1;
    const std::size_t n = patch.corners.size();
    float left = 100, right = -100;
    for (std::size_t k = 0; k < n; ++k) {
      const Float3 &a = patch.corners[k], &b = patch.corners[(k + 1) % n];
      const float ya = a.y / a.z, yb = b.y / b.z;
      if ((ya < dy) == (yb < dy)) continue;
      const float x = a.x / a.z + (dy - ya) / (yb - ya) * (b.x / b.z - a.x / a.z);
      left = std::min(left, x), right = std::max(right, x);
    }
    from = std::max(from, left), to = std::min(to, right);
    const int end = std::min(samples.columns - 1, samples.column_of(to) + 1);
    for (int column = std::max(0, samples.column_of(from)); column <= end; ++column) {
      const float dx = samples.slope_x(column);
      if (dx < from || dx > to) continue;
      const float z = height / (patch.normal.x * dx + patch.normal.y * dy + patch.normal.z);
      const std::size_t at = samples.index(column, row);
      if (z > 0 && z < samples.depth[at]) samples.depth[at] = z, samples.what[at] = name;
    }
  }
}

}  // namespace cairn::render
