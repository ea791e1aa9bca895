// A few grains dropped anyhow: any law, walls, step and guards, each scheme in turn. Most are bad simulations, many
// explode. Whatever becomes of a drop, it becomes the same on any threads, lists and after a restart, and nothing is
// read that was not written: sanitizers look on in ./check --long.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "cairn/contact/laws/all.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/run/simulation.hpp"
#include "memory_archive.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  Real uniform(Real low, Real high) { return low + (high - low) * random_uniform(seed_, 0, k_++); }
  Real power(Real low, Real high) { return std::pow(10, uniform(low, high)); }
  int below(int count) { return static_cast<int>(uniform(0, count)); }
  bool chance(Real share) { return uniform(0, 1) < share; }
  Vector vector(Real size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }

 private:
  std::uint64_t seed_, k_ = 0;
};

// `size` [m] is that of the box the grains are dropped in.
WallSpec wall(Dice& dice, Real size) {
  WallSpec w;
  const int kind = dice.below(3);
  PlaneWall plane{.normal = dice.chance(0.7) ? Vector{0, 0, 1} : dice.vector(1)};
  const BoxWall box{.low = {-size, -size, 0}, .high = {size, size, 3 * size}};
  CylinderWall cylinder{.axis = dice.chance(0.5) ? Vector{0, 0, 1} : Vector{0, 1, 0}, .radius = size};
  cylinder.length = dice.chance(0.5) ? 3 * size : 0, cylinder.caps = dice.chance(0.5);
  w.shape = kind == 0 ? WallShape(plane) : kind == 1 ? WallShape(box) : WallShape(cylinder);
  if (dice.chance(0.3)) w.motion.velocity = dice.vector(1);
  if (dice.chance(0.3)) w.motion.axis = {0, 1, 0}, w.motion.rotation_rate = dice.uniform(-20, 20);
  if (dice.chance(0.3)) w.motion.oscillation_amplitude = dice.vector(0.1 * size), w.motion.oscillation_frequency = 30;
  return w;
}

Scenario drop(const SchemeEntry& scheme, std::uint64_t seed) {
  Dice dice(seed);
  Scenario s;
  s.scheme = scheme.name;
  s.wrong_friction_allowed = true;
  s.dimension = dice.chance(0.7) ? 3 : 1 + dice.below(2);
  s.rotation = dice.chance(0.9);
  const Real radius = dice.power(-3, -1.5), size = radius * dice.uniform(5, 40);
  const Real softness = dice.power(-4, -1.5);  // [-] overlap of the fastest impact, of the radius
  const Real speed = dice.power(-1, 1);
  s.materials = {Material{}};
  Material& material = s.materials[0];
  const Real mass = material.density * 4.19 * radius * radius * radius;
  s.contact["stiffness"] = mass * std::pow(speed / (softness * radius), 2);
  material.young = material.density * speed * speed / std::pow(softness, 2.5);
  std::vector<std::string> laws;
  for_each_law([&](auto law) { laws.emplace_back(decltype(law)::name); });
  s.law = laws[dice.below(static_cast<int>(laws.size()))];
  if (s.law != "linear" && s.law != "extended_linear") s.contact["stiffness"] = material.young * std::sqrt(radius);
  if (s.law == "hertz_mindlin" || s.law == "extended_linear") s.contact["stiffness"].reset();
  if (dice.chance(0.7)) s.contact["restitution"] = dice.uniform(0.3, 1);
  if (dice.chance(0.7)) s.contact["friction"] = dice.uniform(0, 1);
  if (dice.chance(0.3)) s.contact["rolling_friction"] = 0.1, s.contact["twisting_friction"] = 0.1;
  if (dice.chance(0.3)) s.contact["attraction"] = Attraction::allowed;
  s.contact["tangential"] = static_cast<TangentialForm>(dice.below(3));
  s.contact = suited(s.law, s.contact);
  s.step = dice.power(-2.5, 0.5) * softness * radius / speed;
  s.end = s.step * dice.uniform(20, 60);
  if (dice.chance(0.5)) s.end = std::max(s.end, 60 * s.step), s.step = s.end / 60;
  if (dice.chance(0.3)) s.skin = dice.power(-3, 1) * radius;
  if (dice.chance(0.5)) s.onset = dice.chance(0.5);
  if (s.dimension == 3 && dice.chance(0.3)) s.periodic_low.y = -size, s.periodic_high.y = size;
  const int walls = dice.below(3);
  for (int k = 0; k < walls; ++k) {
    s.walls.push_back(wall(dice, size));
    s.walls.back().name = "wall" + std::to_string(k);
  }
  // They fall by about their distance within the drop, so that contacts begin after the start.
  const int grains = 1 + dice.below(12);
  const Real closing = dice.chance(0.7) ? speed : 0, far = std::min(speed * s.end, size);
  for (int k = 0; k < grains; ++k) {
    GrainSpec g;
    g.radius = radius * dice.uniform(0.7, 1);
    g.position = (k % 2 ? -1.0 : 1.0) * Vector{0, 0, 1.001 * radius} + Vector{0, 0, (k / 2) * 4.01 * radius} +
                 dice.uniform(0, 1) * Vector{0, 0, far};
    if (dice.chance(0.5)) g.position += dice.vector(0.2 * size);
    g.velocity = dice.vector(closing) + Vector{0, 0, k % 2 ? closing : -closing};
    if (dice.chance(0.3)) g.spin = dice.vector(speed / radius);
    if (s.dimension < 3) g.position.y = 0, g.velocity.y = 0, g.spin.x = g.spin.z = 0;
    if (s.dimension < 2) g.position.x = 0, g.velocity.x = 0, g.spin.y = 0;
    s.grain.push_back(g);
  }
  s.overlap_allowed_at_start = true;
  if (dice.chance(0.3)) {
    EmitterSpec e;
    e.name = "rain";
    e.grain.radius = radius, e.grain.position = {0, 0, size}, e.grain.velocity = {0, 0, -speed};
    e.every = s.end / 5, e.count = 3;
    s.emitters.push_back(e);
  }
  if (dice.chance(0.3)) {
    RemovalSpec r;
    r.name = "drain";
    r.region.kind = RegionSpec::Kind::half_space, r.from = s.end / 3;
    s.removals.push_back(r);
  }
  if (dice.chance(0.5))
    for (const char* guard : {"finite", "overlap", "travel", "step", "residual", "round_off"})
      s.guards[guard] = GuardAction::off;
  s.report = false;
  return s;
}

constexpr std::int64_t most_steps = 100;

enum class Midway { nothing, restart, new_list };  // happens to the run on its way

// How far a drop came and its hash, or what stopped it. `travel` [radii]: the farthest a grain ever went in a step.
std::string result(Scenario scenario, int threads, Midway midway, Real* travel = nullptr) {
  scenario.threads = threads;
  const auto step_to = [&](Simulation& s, std::int64_t steps) {
    while (!s.over() && s.steps() < steps) {
      s.advance([] { return true; });
      const World& w = s.world();
      for (int i = 0; i < w.size() && travel; ++i) {
        const Real by = norm(w.velocity(i)) * s.scenario().step / w.grains().radius[i];
        if (by > *travel || std::isnan(by)) *travel = by;
      }
    }
  };
  const auto ended = [&](Simulation& s) {
    step_to(s, most_steps);
    return "step " + std::to_string(s.steps()) + ", hash " + std::to_string(s.world().hash());
  };
  try {
    Simulation first(scenario);
    first.start();
    if (midway == Midway::nothing) return ended(first);
    step_to(first, 15);
    if (midway == Midway::new_list) {
      first.world().rebuild();
      return ended(first);
    }
    MemoryArchive archive;
    first.for_each_saved(archive);
    archive.loads = true;
    Simulation second(scenario);
    second.for_each_saved(archive);
    second.restored();
    return ended(second);
  } catch (const Error& e) {
    REQUIRE((e.code() == Exit::guard || e.code() == Exit::bad_input));
    return e.what();
  }
}

}  // namespace

TEST_CASE("random drops with every scheme: the same on one thread, on three, and restarted") {
  const char* asked = std::getenv("CAIRN_DROPS");  // of each scheme
  const int drops = asked ? std::atoi(asked) : 2;
  int all = 0, ran = 0, slow = 0;
  for (const SchemeEntry& scheme : scheme_catalogue())
    for (int k = 0; k < drops; ++k) {
      const Scenario s = drop(scheme, ++all);
      INFO(scheme.name, " with ", s.law, ", drop ", all);
      Real travel = 0;
      const std::string alone = result(s, 1, Midway::nothing, &travel);
      ran += alone.starts_with("step");
      CHECK(result(s, 3, Midway::nothing) == alone);
      CHECK(result(s, 1, Midway::restart) == alone);
      // A list promises nothing about grains that pass others within a step.
      if (!(travel < 0.5)) continue;
      ++slow;
      CHECK(result(s, 1, Midway::new_list) == alone);
    }
  MESSAGE(ran, " of ", all, " drops went to their end, ", slow, " at fair speeds");
  CHECK(2 * slow > all);
}
