// Piles of many grains: the document's, and a heap on a table by hard and by soft contacts side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/formats/embedded.hpp"
#include "cairn/render/picture.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "cairn/studies/piles/cases.hpp"
#include "cairn/studies/thread_time.hpp"

namespace cairn::studies {
namespace {

std::vector<Ball> balls_of(const World& world) {
  std::vector<Ball> balls;
  for (const int i : world.grains().by_id())
    balls.push_back({world.position(i), world.grains().radius[i], norm(world.velocity(i))});
  return balls;
}

struct Packed {
  Real deepest = 0, largest_force = 0;  // [-] of the smaller radius; [N]
  Real coordination = 0;                // [-] grains without contact left out
};
Packed packed(const World& world) {
  Packed p;
  for (const ContactView& c : world.closed_contacts()) {
    const int i = world.grains().index(c.first), j = c.second < 0 ? -1 : world.grains().index(c.second);
    const Real radius = j < 0 ? world.grains().radius[i] : std::min(world.grains().radius[i], world.grains().radius[j]);
    p.deepest = std::max(p.deepest, c.overlap / radius);
    p.largest_force = std::max(p.largest_force, norm(c.normal));
  }
  int touching = 0, ends = 0;
  for (const int z : world.coordination()) touching += z > 0, ends += z;
  p.coordination = touching > 0 ? static_cast<Real>(ends) / touching : 0;
  return p;
}

// [degrees] Slope of the highest grains over the distance from the axis, between a fifth and four fifths of the way to
// the rim: a straight line of least squares through the highest grain of each ring.
Real slope_of(const World& world, Real rim) {
  constexpr int rings = 12;
  std::vector<Real> highest(rings, 0);
  for (int i = 0; i < world.size(); ++i) {
    const Vector x = world.position(i);
    const int ring = static_cast<int>(rings * std::hypot(x.x, x.y) / rim);
    if (ring < rings) highest[ring] = std::max(highest[ring], x.z + world.grains().radius[i]);
  }
  Real n = 0, sr = 0, sz = 0, srr = 0, srz = 0;
  for (int k = rings / 5; k < rings * 4 / 5; ++k) {
    const Real r = (k + 0.5) * rim / rings, z = highest[k];
    n += 1, sr += r, sz += z, srr += r * r, srz += r * z;
  }
  return -std::atan((n * srz - sr * sz) / (n * srr - sr * sr)) * 180 / pi;
}

constexpr Real table_half = 0.065;  // [m]

Heap heap_of(const std::string& name, const PilesSettings& settings, const std::vector<std::string>& changes) {
  std::vector<std::string> all{fmt::format("run.end={}", settings.heap_end),
                               fmt::format("emitter.0.count={}", settings.heap_grains), "output.pictures=0"};
  all.insert(all.end(), changes.begin(), changes.end());
  Heap h;
  h.name = name;
  const Real before = thread_seconds();
  Simulation s = ready_simulation("heap.toml", all);
  while (!(s.advance() & Occasion::finished)) {
  }
  h.seconds = thread_seconds() - before;
  const World& w = s.world();
  const Packed p = packed(w);
  h.step = s.scenario().step, h.limit = s.present_step_limit();
  h.grains = w.size(), h.deepest = p.deepest, h.coordination = p.coordination, h.largest_force = p.largest_force;
  for (int i = 0; i < w.size(); ++i) h.height = std::max(h.height, w.position(i).z + w.grains().radius[i]);
  h.angle = slope_of(w, table_half);
  Real mass = 0;
  for (const Real m : w.grains().mass) mass += m;
  h.speed = std::sqrt(2 * w.energies().kinetic / mass);
  h.balls = balls_of(w);
  return h;
}

}  // namespace

Simulation ready_simulation(const std::string& file, const std::vector<std::string>& changes, const std::string& more) {
  for (const EmbeddedFile& ready : ready_cases())
    if (ready.name == file) {
      Simulation s(parse_scenario(std::string(ready.text) + more, file, changes));
      s.start();
      return s;
    }
  throw Error(Exit::bad_input, "there is no ready case " + file);
}

Pile ready_pile(const std::string& name, Real end) {
  Pile p;
  p.name = name, p.end = end;
  Simulation s = ready_simulation(name + ".toml", {fmt::format("run.end={}", end), "output.pictures=0"});
  while (!(s.advance() & Occasion::finished)) {
  }
  s.measure();
  p.grains = s.world().size(), p.deepest = packed(s.world()).deepest, p.residual = s.residual_fraction();
  for (int i = 0; i < p.grains; ++i)
    p.height = std::max(p.height, s.world().position(i).z + s.world().grains().radius[i]);
  p.balls = balls_of(s.world());
  return p;
}

Heap hard_heap(const PilesSettings& settings) {
  return heap_of("contact dynamics", settings, {});
}

Heap soft_heap(const PilesSettings& settings, const Heap& hard) {
  constexpr int most_heaps = 3;
  constexpr Real alike = 0.1;  // [-] of the largest overlap
  Real smallest = hard.balls[0].radius;
  for (const Ball& b : hard.balls) smallest = std::min(smallest, b.radius);
  const Real lightest = 4.0 / 3 * pi * 2600 * smallest * smallest * smallest;
  // At first the largest force at rest divided by the overlap that is wanted there. Each heap is another one, with
  // another largest force, so the closest of some is taken.
  Real stiffness = hard.largest_force / (hard.deepest * smallest);
  Heap closest;
  const auto off = [&](const Heap& h) { return std::fabs(std::log(h.deepest / hard.deepest)); };
  for (int k = 0; k < most_heaps; ++k) {
    // The heaviest network has a limit some times shorter than that of one contact.
    const Real step = 0.25 * std::sqrt(0.5 * lightest / stiffness);
    Heap h = heap_of(
        "springs", settings,
        {"contact.law='linear'", fmt::format("contact.stiffness={}", stiffness), fmt::format("run.step={}", step)});
    h.stiffness = stiffness;
    stiffness *= h.deepest / hard.deepest;
    if (k == 0 || off(h) < off(closest)) closest = std::move(h);
    if (off(closest) < alike) break;
  }
  return closest;
}

std::string heap_picture(const std::vector<Ball>& balls, const std::string& caption) {
  Vector low{1e30, 1e30, 0}, high{-1e30, -1e30, 0};
  Real fastest = 1e-3;
  for (const Ball& b : balls) {
    low = {std::min(low.x, b.centre.x - b.radius), std::min(low.y, b.centre.y - b.radius), 0};
    high = {std::max(high.x, b.centre.x + b.radius), std::max(high.y, b.centre.y + b.radius),
            std::max(high.z, b.centre.z + b.radius)};
    fastest = std::max(fastest, b.value);
  }
  Scene scene;
  scene.balls = Balls(balls);
  const Vector edge = 0.05 * (high - low);
  scene.patches.push_back({{{low.x - edge.x, low.y - edge.y, 0},
                            {high.x + edge.x, low.y - edge.y, 0},
                            {high.x + edge.x, high.y + edge.y, 0},
                            {low.x - edge.x, high.y + edge.y, 0}}});
  const Camera camera = camera_around(low, high, {0.3, -0.9, 0.3});
  return encode_png(draw(scene, camera, {.low = 0, .high = fastest, .label = "speed [m/s]"}, caption, 1));
}

}  // namespace cairn::studies
