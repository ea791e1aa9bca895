#include "cairn/render/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cairn/core/parallel.hpp"
#include "cairn/core/text.hpp"
#include "cairn/render/ball_samples.hpp"
#include "cairn/render/colours.hpp"
#include "cairn/render/legend.hpp"
#include "cairn/render/light.hpp"
#include "cairn/render/pen.hpp"
#include "cairn/render/samples.hpp"

namespace cairn {

using namespace render;

namespace {

Vector unit(const Vector& a) {
  return (1 / norm(a)) * a;
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
  constexpr Real left = 40, right = 140, above = 40, below = 74;  // [pixels] margins
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

Image draw(const Scene& scene, const Camera& camera, const ColourScale& scale, const std::string& caption, int threads,
           const Domain& domain) {
  const Frame frame(camera);
  Samples samples(camera, 0, domain.leads() ? fine * camera.height : 0);
  const SeenBalls in_view = put_balls(samples, scene.balls, frame, threads, domain);
  // Light from above the viewer's left shoulder.
  const Float3 light = unit(frame.turned(Vector{0, 0, 1.0} - 0.45 * camera.right - 0.75 * camera.forward));
  Shadow shadow(
      in_view.any ? scene.balls.size() : 0, [&](int i) { return frame.seen(scene.balls[i]); }, light, in_view.low,
      in_view.high);
  shadow.share(domain);
  if (!domain.leads()) return {};
  const int balls = in_view.balls.size();
  const float typical = in_view.typical;

  std::vector<SeenPatch> patches;
  for (const Patch& patch : scene.patches) {
    SeenPatch p{.section = patch.section};
    for (const Vector& a : patch.corners) p.corners.push_back(frame.at(a));
    const Vector u = patch.corners[1] - patch.corners[0], v = patch.corners[2] - patch.corners[1];
    p.normal = unit(frame.turned(cross(u, v)));
    const bool ahead = std::all_of(p.corners.begin(), p.corners.end(), [](const Float3& a) { return a.z > 0; });
    if (ahead && dot(p.normal, p.corners[0]) < 0) patches.push_back(std::move(p));
  }

  const std::ptrdiff_t per_band = static_cast<std::ptrdiff_t>(band_rows) * samples.columns;
  for_blocks(threads, static_cast<std::ptrdiff_t>(samples.what.size()), per_band,
             [&](std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t band) {
               const int begin = static_cast<int>(band) * band_rows;
               for (std::size_t k = 0; k < patches.size(); ++k)
                 put_patch(samples, patches[k], balls + static_cast<int>(k), begin, begin + band_rows);
             });

  const Float3 sky = frame.turned({0, 0, 1});
  const Occlusion occlusion(1.6f * typical);
  const Palette palette;
  std::vector<Float3> of_kind;
  for (const ColourScale::Kind& kind : scale.kinds) {
    of_kind.resize(std::max<std::size_t>(of_kind.size(), static_cast<std::size_t>(kind.number) + 1));
    of_kind[static_cast<std::size_t>(kind.number)] = linear_colour_of_kind(kind.number);
  }
  const ToBytes byte;
  const Real range = scale.high > scale.low ? scale.high - scale.low : 1;

  const auto colour_at = [&](int column, int row) {
    const std::size_t at = samples.index(column, row);
    const Float3 p = samples.point(column, row);
    const int name = samples.what[at];
    const bool ball = name < balls;
    const auto outwards = [&](const Seen& of) { return (1 / of.r) * (p - of.c); };
    const Float3 normal = ball ? outwards(frame.seen(in_view.balls[name])) : patches[name - balls].normal;
    const auto own_of_ball = [&] {
      const Real value = in_view.balls[name].value;
      return of_kind.empty() ? palette((value - scale.low) / range) : of_kind[static_cast<std::size_t>(value)];
    };
    const Float3 own = ball                            ? own_of_ball()
                       : patches[name - balls].section ? Float3{0.42f, 0.43f, 0.46f}
                                                       : Float3{0.83f, 0.84f, 0.86f};
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
  draw_legend(image, scale);
  pen.text(40, camera.height - 28.0, 16, caption);
  return image;
}

}  // namespace cairn
