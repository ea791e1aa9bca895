#include "cairn/render/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cairn/core/constants.hpp"
#include "cairn/core/parallel.hpp"
#include "cairn/core/text.hpp"

namespace cairn {
namespace {

constexpr int fine = 2;        // samples per pixel in each direction
constexpr int band_rows = 32;  // rows of samples that a thread takes at once
constexpr float far_away = std::numeric_limits<float>::infinity();

struct Float3 {
  float x = 0, y = 0, z = 0;
  friend Float3 operator+(const Float3& a, const Float3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Float3 operator-(const Float3& a, const Float3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Float3 operator*(float c, const Float3& a) { return {c * a.x, c * a.y, c * a.z}; }
  Float3& operator+=(const Float3& b) { return *this = *this + b; }
};
float dot(const Float3& a, const Float3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Float3 unit(const Float3& a) {
  return (1 / std::sqrt(std::max(dot(a, a), 1e-30f))) * a;
}
Vector unit(const Vector& a) {
  return (1 / norm(a)) * a;
}

// ------------------------------------------------------------------------------------------------------------- colours

float to_srgb(float linear) {
  const float a = std::clamp(linear, 0.0f, 1.0f);
  return a <= 0.0031308f ? 12.92f * a : 1.055f * std::pow(a, 1 / 2.4f) - 0.055f;
}

// From Oklab (B. Ottosson, 2020), whose distances follow the eye's; linear light.
Float3 from_oklab(float lightness, float a, float b) {
  const auto cube = [](float c) { return c * c * c; };
  const float l = cube(lightness + 0.3963377774f * a + 0.2158037573f * b);
  const float m = cube(lightness - 0.1055613458f * a - 0.0638541728f * b);
  const float s = cube(lightness - 0.0894841775f * a - 1.2914855480f * b);
  return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
          -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
          -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

// Lightness and hue change evenly; where the screen cannot show the chroma it is lowered.
Float3 linear_colour(Real fraction) {
  const auto s = static_cast<float>(std::clamp(fraction, 0.0, 1.0));
  const float lightness = 0.30f + 0.61f * s;
  const float hue = static_cast<float>(pi / 180) * (300 - 195 * s);
  const auto at = [&](float chroma) { return from_oklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue)); };
  float low = 0, high = 0.15f - 0.045f * std::sin(static_cast<float>(pi) * s);
  for (int k = 0; k < 12; ++k) {
    const float middle = 0.5f * (low + high);
    const Float3 c = at(middle);
    (std::min({c.x, c.y, c.z}) < 0 || std::max({c.x, c.y, c.z}) > 1 ? high : low) = middle;
  }
  return at(low);
}

class Palette {
 public:
  Palette() {
    for (int k = 0; k < count; ++k) colours_[k] = linear_colour(k / (count - 1.0));
  }
  const Float3& operator()(Real fraction) const {
    if (!(fraction > 0)) return colours_[0];
    return colours_[static_cast<int>(std::min(fraction, 1.0) * (count - 1) + 0.5)];
  }

 private:
  static constexpr int count = 256;
  std::array<Float3, count> colours_;
};

class ToBytes {
 public:
  ToBytes() {
    for (int k = 0; k < count; ++k)
      bytes_[k] = static_cast<std::uint8_t>(255 * to_srgb(static_cast<float>(k) / (count - 1)) + 0.5f);
  }
  std::uint8_t operator()(float linear) const {
    return bytes_[static_cast<int>(std::clamp(linear, 0.0f, 1.0f) * (count - 1) + 0.5f)];
  }

 private:
  static constexpr int count = 4096;
  std::array<std::uint8_t, count> bytes_;
};

// ------------------------------------------------------------------------------------------- what each sample looks at

// A ball in the camera's frame: x right, y up, z forward.
struct Seen {
  Float3 c;
  float r;
};

// Samples: columns and rows, their nearest depth and what is there.
class Samples {
 public:
  explicit Samples(const Camera& camera)
      : columns(camera.width * fine),
        rows(camera.height * fine),
        depth(static_cast<std::size_t>(columns) * rows, far_away),
        what(depth.size(), -1),
        focal_(static_cast<float>(camera.focal * fine)),
        centre_x_(static_cast<float>(camera.centre_x * fine)),
        centre_y_(static_cast<float>(camera.centre_y * fine)) {}

  float slope_x(int column) const { return (static_cast<float>(column) + 0.5f - centre_x_) / focal_; }
  float slope_y(int row) const { return (centre_y_ - static_cast<float>(row) - 0.5f) / focal_; }
  int column_of(float slope) const { return static_cast<int>(std::floor(slope * focal_ + centre_x_)); }
  int row_of(float slope) const { return static_cast<int>(std::floor(centre_y_ - slope * focal_)); }
  std::size_t index(int column, int row) const { return static_cast<std::size_t>(row) * columns + column; }
  float focal() const { return focal_; }
  Float3 point(int column, int row) const {
    const float z = depth[index(column, row)];
    return {z * slope_x(column), z * slope_y(row), z};
  }

  const int columns, rows;
  std::vector<float> depth;
  std::vector<int> what;

 private:
  float focal_, centre_x_, centre_y_;
};

// The slopes between which a ball is seen, in the plane of one coordinate and the depth.
std::array<float, 2> slopes(float a, float z, float r) {
  const float root = r * std::sqrt(a * a + z * z - r * r), scale = 1 / (z * z - r * r);
  return {(a * z - root) * scale, (a * z + root) * scale};
}

struct Box {
  int column0, column1, row0, row1;  // inclusive
  bool empty() const { return column0 > column1 || row0 > row1; }
};

Box box_of(const Samples& samples, const Seen& ball) {
  // Around or behind the eye; or nowhere, for a run may end with what is not finite.
  if (!(ball.c.z > 1.01f * ball.r) || !std::isfinite(ball.c.x + ball.c.y + ball.c.z)) return {0, -1, 0, -1};
  const auto x = slopes(ball.c.x, ball.c.z, ball.r), y = slopes(ball.c.y, ball.c.z, ball.r);
  const auto inside = [](float slope) { return std::clamp(slope, -100.0f, 100.0f); };
  return {std::max(0, samples.column_of(inside(x[0]))), std::min(samples.columns - 1, samples.column_of(inside(x[1]))),
          std::max(0, samples.row_of(inside(y[1]))), std::min(samples.rows - 1, samples.row_of(inside(y[0])))};
}

void put_ball(Samples& samples, const Seen& ball, const Box& box, int name, int row_begin, int row_end) {
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
      if (z < samples.depth[at]) samples.depth[at] = z, samples.what[at] = name;
    }
  }
}

struct SeenPatch {
  std::vector<Float3> corners;
  Float3 normal;  // towards the viewer
};

void put_patch(Samples& samples, const SeenPatch& patch, int name, int row_begin, int row_end) {
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

// ------------------------------------------------------------------------------------------------------------- shadows

// How far each ray of a parallel light comes before it meets a ball.
class Shadow {
 public:
  // Of balls seen(i), i < count, that lie in a box.
  template <class SeenAs>
  Shadow(int count, SeenAs&& seen, const Float3& light, const Float3& low, const Float3& high) : light_(light) {
    across_ = unit(std::fabs(light.x) < 0.9f ? Float3{0, light.z, -light.y} : Float3{-light.z, 0, light.x});
    along_ = {light.y * across_.z - light.z * across_.y, light.z * across_.x - light.x * across_.z,
              light.x * across_.y - light.y * across_.x};
    middle_ = 0.5f * (low + high);
    const float reach = std::max(0.55f * std::sqrt(dot(high - low, high - low)), 1e-20f);
    scale_ = 0.5f * size / reach;
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
  std::vector<float> height_;
};

// The part of the sky a point sees, 0 to 1: neighbours in the picture that stand above its tangent plane hide it.
class Occlusion {
 public:
  explicit Occlusion(float reach) : reach_(reach) {
    for (int k = 0; k < count; ++k) {  // a sunflower: even over the disc
      const float r = std::sqrt((static_cast<float>(k) + 0.5f) / count), a = 2.39996323f * static_cast<float>(k);
      taps_[k] = {r * std::cos(a), r * std::sin(a)};
    }
  }
  float open(const Samples& samples, int column, int row, const Float3& at, const Float3& normal) const {
    const float pixels = std::clamp(samples.focal() * reach_ / at.z, 2.0f, 160.0f);
    // The taps turn from pixel to pixel: grain is less visible than bands (interleaved gradient noise, J. Jimenez
    // 2014).
    const float noise = 0.06711056f * static_cast<float>(column / fine) + 0.00583715f * static_cast<float>(row / fine);
    const float a = static_cast<float>(2 * pi) * fraction(52.9829189f * fraction(noise));
    const float turn_x = std::cos(a), turn_y = std::sin(a);
    float hidden = 0;
    for (const auto& [x, y] : taps_) {
      const float dx = x * turn_x - y * turn_y, dy = x * turn_y + y * turn_x;
      const int c = std::clamp(column + static_cast<int>(pixels * dx), 0, samples.columns - 1);
      const int r = std::clamp(row + static_cast<int>(pixels * dy), 0, samples.rows - 1);
      if (samples.what[samples.index(c, r)] < 0) continue;
      const Float3 d = samples.point(c, r) - at;
      const float d2 = dot(d, d), rise = dot(d, normal);
      if (rise <= 0.02f * reach_) continue;
      hidden += rise / std::sqrt(d2) / (1 + d2 / (reach_ * reach_));
    }
    return std::max(0.0f, 1 - 2.2f * hidden / count);
  }

 private:
  static constexpr int count = 20;
  static float fraction(float a) { return a - std::floor(a); }
  float reach_;  // [m]
  std::array<std::array<float, 2>, count> taps_;
};

// ----------------------------------------------------------------------------------------------- lines and letters

// Strokes of letters on a grid: x from 0 to 4, y from 0 (descenders) over 2 (base line) to 9; two digits a point.
struct Letter {
  char name;
  const char* strokes;
};
constexpr Letter letters[] = {{'0', "120307183847433212"},
                              {'1', "172822 1232"},
                              {'2', "071838474602 0242"},
                              {'3', "0718384746352535444332 12033212"},
                              {'4', "32380444"},
                              {'5', "480805354443321203"},
                              {'6', "473818070312324344351504"},
                              {'7', "084812"},
                              {'8', "1506071838474635150403123243443515"},
                              {'9', "0312324347381807061535 3546"},
                              {'.', "2223"},
                              {'-', "0545"},
                              {'+', "0545 2723"},
                              {'=', "0444 0646"},
                              {'/', "0149"},
                              {'[', "39191131"},
                              {']', "19393111"},
                              {'d', "4842 45361605031232 3243"},
                              {'e', "044445361605031232 3243"},
                              {'m', "0206 05162522 25364542"},
                              {'p', "0600 051636454332 321203"},
                              {'s', "453616051434433212 1203"},
                              {'t', "28233242 0646"}};

// Draws over a finished picture, in pixels.
class Pen {
 public:
  explicit Pen(Image& image) : image_(image) {}

  // hidden(x, y, along) may dim a part; `along` from 0 to 1.
  template <class Strength>
  void line(Real x0, Real y0, Real x1, Real y1, Real thickness, const std::array<std::uint8_t, 3>& colour,
            Strength&& strength) {
    const Real dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy, reach = 0.5 * thickness + 1;
    const auto limit = [](Real a, int size) { return static_cast<int>(std::clamp(a, 0.0, size - 1.0)); };
    const bool flat = std::fabs(dx) > std::fabs(dy);
    const int first =
        flat ? limit(std::min(x0, x1) - reach, image_.width) : limit(std::min(y0, y1) - reach, image_.height);
    const int last =
        flat ? limit(std::max(x0, x1) + reach, image_.width) : limit(std::max(y0, y1) + reach, image_.height);
    const Real slope = flat ? dy / dx : (dy == 0 ? 0 : dx / dy), width = reach * std::sqrt(1 + slope * slope) + 1;
    for (int a = first; a <= last; ++a) {
      const Real middle = flat ? y0 + (a + 0.5 - x0) * slope : x0 + (a + 0.5 - y0) * slope;
      const int size = flat ? image_.height : image_.width;
      if (middle + width < 0 || middle - width > size) continue;
      for (int b = limit(middle - width, size); b <= limit(middle + width, size); ++b) {
        const int x = flat ? a : b, y = flat ? b : a;
        const Real px = x + 0.5 - x0, py = y + 0.5 - y0;
        const Real along = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
        const Real off = std::hypot(px - along * dx, py - along * dy);
        const Real cover = std::clamp(0.5 * thickness + 0.5 - off, 0.0, 1.0);
        if (cover > 0) blend(x, y, colour, cover * strength(x, y, along));
      }
    }
  }
  void line(Real x0, Real y0, Real x1, Real y1, Real thickness, const std::array<std::uint8_t, 3>& colour) {
    line(x0, y0, x1, y1, thickness, colour, [](int, int, Real) { return 1.0; });
  }

  // (x, y): left end of the base line; `height` of a capital. Letters it does not have stay blank.
  void text(Real x, Real y, Real height, const std::string& words) {
    const Real unit = height / 6;
    for (const char c : words) {
      for (const Letter& letter : letters) {
        if (letter.name != c) continue;
        bool pen_down = false;
        Real last_x = 0, last_y = 0;
        for (const char* p = letter.strokes; *p != '\0';) {
          if (*p == ' ') {
            pen_down = false, ++p;
            continue;
          }
          const Real nx = x + unit * (p[0] - '0'), ny = y - unit * (p[1] - '2');
          if (pen_down) line(last_x, last_y, nx, ny, 0.17 * height, ink);
          last_x = nx, last_y = ny, pen_down = true, p += 2;
        }
      }
      x += unit * advance(c);
    }
  }
  static Real width(Real height, const std::string& words) {
    Real sum = 0;
    for (const char c : words) sum += advance(c);
    return sum * height / 6;
  }

  static constexpr std::array<std::uint8_t, 3> ink{60, 64, 72};

 private:
  static Real advance(char c) { return c == ' ' ? 3.5 : 6; }
  void blend(int x, int y, const std::array<std::uint8_t, 3>& colour, Real weight) {
    std::uint8_t* p = &image_.rgb[3 * (static_cast<std::size_t>(y) * image_.width + x)];
    for (int k = 0; k < 3; ++k) p[k] = static_cast<std::uint8_t>(p[k] + weight * (colour[k] - p[k]) + 0.5);
  }

  Image& image_;
};

void draw_colour_bar(Image& image, const ColourScale& scale) {
  const int x0 = image.width - 118, x1 = x0 + 22, y0 = image.height / 4, y1 = image.height * 3 / 4;
  for (int y = y0; y < y1; ++y) {
    const auto colour = colour_of((y1 - 1 - y) / (y1 - y0 - 1.0));
    for (int x = x0; x < x1; ++x)
      std::copy(colour.begin(), colour.end(), &image.rgb[3 * (static_cast<std::size_t>(y) * image.width + x)]);
  }
  Pen pen(image);
  constexpr Real size = 13;
  for (int k = 0; k <= 4; ++k) {
    const Real y = y1 - k * (y1 - y0) / 4.0;
    pen.line(x1, y, x1 + 6, y, 1.5, Pen::ink);
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", scale.low + k * (scale.high - scale.low) / 4);
    pen.text(x1 + 12, y + size / 2, size, text);
  }
  pen.text(std::min<Real>(x0, image.width - 12 - Pen::width(size, scale.label)), y0 - 24, size, scale.label);
}

}  // namespace

std::array<std::uint8_t, 3> colour_of(Real fraction) {
  const Float3 c = linear_colour(fraction);
  const auto byte = [](float a) { return static_cast<std::uint8_t>(255 * to_srgb(a) + 0.5f); };
  return {byte(c.x), byte(c.y), byte(c.z)};
}

Camera::Place Camera::project(const Vector& a) const {
  const Vector d = a - eye;
  const Real depth = dot(d, forward);
  return {centre_x + focal * dot(d, right) / depth, centre_y - focal * dot(d, up) / depth, depth};
}

Camera camera_around(const Vector& low, const Vector& high, const Vector& side) {
  constexpr Real left = 40, right = 140, above = 40, below = 60;  // [pixels] margins
  Camera camera;
  const Vector middle = 0.5 * (low + high), size = high - low;
  camera.forward = -unit(side);
  camera.right = unit(cross(camera.forward, Vector{0, 0, 1}));
  camera.up = cross(camera.right, camera.forward);
  camera.eye = middle - (2.6 * std::max(norm(size), 1e-12)) * camera.forward;
  camera.focal = 1;
  Real x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300;
  for (int k = 0; k < 8; ++k) {
    const Camera::Place p = camera.project({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
    x0 = std::min(x0, p.x), x1 = std::max(x1, p.x), y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
  }
  const Real width = camera.width - left - right, height = camera.height - above - below;
  camera.focal = std::min(width / std::max(x1 - x0, 1e-12), height / std::max(y1 - y0, 1e-12));
  camera.centre_x = left + 0.5 * width - camera.focal * 0.5 * (x0 + x1);
  camera.centre_y = above + 0.5 * height - camera.focal * 0.5 * (y0 + y1);
  return camera;
}

Image draw(const Scene& scene, const Camera& camera, const ColourScale& scale, const std::string& caption,
           int threads) {
  const auto turned = [&](const Vector& a) {
    return Float3{static_cast<float>(dot(a, camera.right)), static_cast<float>(dot(a, camera.up)),
                  static_cast<float>(dot(a, camera.forward))};
  };
  const auto in_frame = [&](const Vector& a) { return turned(a - camera.eye); };
  Samples samples(camera);
  const int balls = scene.balls.size();
  const auto seen = [&](int i) {
    const Ball ball = scene.balls[i];
    return Seen{in_frame(ball.centre), static_cast<float>(ball.radius)};
  };
  const int bands = (samples.rows + band_rows - 1) / band_rows;

  std::vector<std::vector<int>> of_band(static_cast<std::size_t>(bands));
  Float3 low{far_away, far_away, far_away}, high = -1.0f * low;
  std::vector<float> radii;
  radii.reserve(static_cast<std::size_t>(balls));
  for (int i = 0; i < balls; ++i) {
    const auto [c, r] = seen(i);
    const Box box = box_of(samples, {c, r});
    if (box.empty()) continue;
    low = {std::min(low.x, c.x - r), std::min(low.y, c.y - r), std::min(low.z, c.z - r)};
    high = {std::max(high.x, c.x + r), std::max(high.y, c.y + r), std::max(high.z, c.z + r)};
    radii.push_back(r);
    for (int b = box.row0 / band_rows; b <= box.row1 / band_rows; ++b) of_band[b].push_back(i);
  }

  std::vector<SeenPatch> patches;
  for (const Patch& patch : scene.patches) {
    SeenPatch p;
    for (const Vector& a : patch.corners) p.corners.push_back(in_frame(a));
    const Vector u = patch.corners[1] - patch.corners[0], v = patch.corners[2] - patch.corners[1];
    p.normal = unit(turned(cross(u, v)));
    const bool ahead = std::all_of(p.corners.begin(), p.corners.end(), [](const Float3& a) { return a.z > 0; });
    if (ahead && dot(p.normal, p.corners[0]) < 0) patches.push_back(std::move(p));
  }

  const std::ptrdiff_t per_band = static_cast<std::ptrdiff_t>(band_rows) * samples.columns;
  for_blocks(threads, static_cast<std::ptrdiff_t>(bands) * per_band, per_band,
             [&](std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t band) {
               const int begin = static_cast<int>(band) * band_rows, end = begin + band_rows;
               for (const int i : of_band[band]) {
                 const Seen ball = seen(i);
                 put_ball(samples, ball, box_of(samples, ball), i, begin, end);
               }
               for (std::size_t k = 0; k < patches.size(); ++k)
                 put_patch(samples, patches[k], balls + static_cast<int>(k), begin, end);
             });

  // Light from above the viewer's left shoulder.
  const Float3 light = unit(turned(Vector{0, 0, 1.0} - 0.45 * camera.right - 0.75 * camera.forward));
  const Float3 sky = turned({0, 0, 1});
  float typical = 1;
  if (!radii.empty()) {
    std::nth_element(radii.begin(), radii.begin() + radii.size() / 2, radii.end());
    typical = radii[radii.size() / 2];
  } else {
    low = high = {};
  }
  const Shadow shadow(radii.empty() ? 0 : balls, seen, light, low, high);
  const Occlusion occlusion(1.6f * typical);
  const Palette palette;
  const ToBytes byte;
  const Real range = scale.high > scale.low ? scale.high - scale.low : 1;

  const auto colour_at = [&](int column, int row) {
    const std::size_t at = samples.index(column, row);
    const Float3 p = samples.point(column, row);
    const int name = samples.what[at];
    const bool ball = name < balls;
    const auto outwards = [&](const Seen& of) { return (1 / of.r) * (p - of.c); };
    const Float3 normal = ball ? outwards(seen(name)) : patches[name - balls].normal;
    const Float3 own = ball ? palette((scene.balls[name].value - scale.low) / range) : Float3{0.83f, 0.84f, 0.86f};
    const float open = occlusion.open(samples, column, row, p, normal);
    const float facing = dot(normal, light);
    const float direct = facing > 0 ? facing * shadow.lit(p + (0.02f * typical) * normal) : 0;
    if (!ball) return (0.63f + 0.09f * dot(normal, sky) + 0.28f * direct) * (0.45f + 0.55f * open) * own;
    const float ambient = (0.30f + 0.12f * dot(normal, sky)) * open;
    Float3 c = (ambient + (0.25f + 0.75f * open) * 0.72f * direct) * own;
    if (direct > 0) {
      const Float3 half = unit(light - unit(p));
      const float gleam = std::pow(std::max(0.0f, dot(normal, half)), 40.0f);
      c += (0.20f * gleam * open) * Float3{1, 1, 1};
    }
    return c;
  };

  Image image{camera.width, camera.height, {}};
  image.rgb.resize(static_cast<std::size_t>(3) * camera.width * camera.height);
  const std::ptrdiff_t pixels = static_cast<std::ptrdiff_t>(camera.width) * camera.height;
  for_blocks(threads, pixels, 16 * camera.width, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (std::ptrdiff_t pixel = begin; pixel < end; ++pixel) {
      const int x = static_cast<int>(pixel % camera.width), y = static_cast<int>(pixel / camera.width);
      const Float3 background =
          (0.97f - 0.10f * static_cast<float>(y) / static_cast<float>(camera.height)) * Float3{0.985f, 0.99f, 1.0f};
      Float3 sum;
      int last = -1;  // samples of a pixel that see the same thing share its colour
      Float3 colour;
      for (int k = 0; k < fine * fine; ++k) {
        const int column = fine * x + k % fine, row = fine * y + k / fine;
        const int what = samples.what[samples.index(column, row)];
        if (what < 0)
          sum += background;
        else {
          if (what != last) colour = colour_at(column, row), last = what;
          sum += colour;
        }
      }
      std::uint8_t* p = &image.rgb[static_cast<std::size_t>(3) * pixel];
      constexpr float share = 1.0f / (fine * fine);
      p[0] = byte(share * sum.x), p[1] = byte(share * sum.y), p[2] = byte(share * sum.z);
    }
  });

  Pen pen(image);
  for (const Line& line : scene.lines) {
    const Camera::Place a = camera.project(line.from), b = camera.project(line.to);
    if (!(a.depth > 0 && b.depth > 0)) continue;
    const Real length = std::hypot(b.x - a.x, b.y - a.y), strength = line.stroke == Line::Stroke::plain ? 0.75 : 0.3;
    constexpr Real dash = 14;  // [pixels] and its gap
    pen.line(a.x, a.y, b.x, b.y, 1.3, {70, 74, 84}, [&](int x, int y, Real along) {
      if (line.stroke == Line::Stroke::dashed && std::fmod(along * length, dash) > 0.6 * dash) return 0.0;
      const Real depth = 1 / ((1 - along) / a.depth + along / b.depth);
      return samples.depth[samples.index(fine * x, fine * y)] < depth * (1 - 1e-3) ? 0.06 : strength;
    });
  }
  draw_colour_bar(image, scale);
  pen.text(40, camera.height - 28.0, 16, caption);
  return image;
}

}  // namespace cairn
