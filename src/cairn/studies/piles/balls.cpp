// Few balls: energy of one, momentum of five.
#include <fmt/format.h>

#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "cairn/scenario/scenario_file.hpp"
#include "cairn/studies/piles/cases.hpp"

namespace cairn::studies {
namespace {

// Counts contacts that begin, of soft contacts by a look at those that are closed.
class CollisionCounter {
 public:
  void look(const World& world) {
    if (world.settings().hard) {
      grains = world.hard_contacts().collisions().grains, walls = world.hard_contacts().collisions().walls;
      return;
    }
    std::set<std::pair<std::int64_t, std::int64_t>> now;
    for (const ContactView& c : world.closed_contacts()) now.emplace(c.first, c.second);
    for (const auto& contact : now)
      if (!closed_.contains(contact)) ++(contact.second < 0 ? walls : grains);
    closed_ = std::move(now);
  }
  std::int64_t grains = 0, walls = 0;

 private:
  std::set<std::pair<std::int64_t, std::int64_t>> closed_;
};

// Follows a simulation to its end; `between(course)` after each step.
template <class F>
Course course_of(const std::string& name, Simulation& s, Real every, F&& between) {
  Course c;
  c.name = name;
  CollisionCounter collisions;
  Real next = 0;
  const auto record = [&] {
    const World& w = s.world();
    const Energies e = w.energies();
    const Momenta m = w.momenta();
    c.time.push_back(w.time()), c.energy.push_back(e.mechanical()), c.kinetic.push_back(e.kinetic + e.rotational);
    c.momentum.push_back(m.linear.x), c.x.push_back(m.barycentre.x), c.height.push_back(m.barycentre.z);
    c.at_grains.push_back(static_cast<Real>(collisions.grains));
    c.at_walls.push_back(static_cast<Real>(collisions.walls));
    next += every;
  };
  record();
  each_step(s, [&] {
    collisions.look(s.world());
    between(collisions);
    if (s.world().time() >= next - 1e-9) record();
  });
  return c;
}

// [N s/m] of the document's springs with loss.
constexpr Real lossy_damping = 40;

Course one_ball(const std::string& name, const std::vector<std::string>& changes, bool thrown) {
  std::vector<std::string> all{thrown ? "run.end=4" : "run.end=5", "guards.residual='off'", "guards.step='off'",
                               "output.pictures=0"};
  all.insert(all.end(), changes.begin(), changes.end());
  const std::string text = fmt::format(R"(
[run]
step = 1e-3
end = 5
[space]
dimension = 2
[[wall]]
name = "floor"
point = [0, 0]
normal = [0, 1]
[[grain]]
position = [0, 2]
velocity = [{}, 0]
radius = 0.3
mass = 1
[contact]
)",
                                       thrown ? 1 : 0);
  Simulation s(parse_scenario(text, "ball.toml", all));
  s.start();
  return course_of(name, s, 0.01, [](const CollisionCounter&) {});
}

}  // namespace

std::vector<Course> single_balls() {
  std::vector<Course> all;
  for (const bool lossy : {false, true})
    for (const bool leapfrog : {false, true}) {
      const std::string words = std::string(leapfrog ? "leapfrog" : "symplectic Euler") + (lossy ? ", with loss" : "");
      all.push_back(one_ball(
          "impulse, " + words,
          {"contact.law='impulse'", "contact.projection=0", lossy ? "contact.restitution=0.8" : "contact.restitution=1",
           leapfrog ? "run.scheme='impulse_leapfrog'" : "run.scheme='impulse_symplectic_euler'"},
          false));
      all.push_back(
          one_ball("spring, " + words,
                   {"contact.stiffness=40000", fmt::format("contact.damping={}", lossy ? lossy_damping : 0),
                    "run.onset='off'", leapfrog ? "run.scheme='velocity_verlet'" : "run.scheme='symplectic_euler'"},
                   false));
    }
  return all;
}

std::vector<Course> thrown_balls() {
  return {
      one_ball("impulse, e = 0.8", {"contact.law='impulse'", "contact.restitution=0.8", "contact.projection=0"}, true),
      one_ball("spring, e = 0.8", {"contact.stiffness=40000", "contact.restitution=0.8"}, true)};
}

Billiards billiards(const std::string& law, bool lossy, bool cushion) {
  const bool hard = law != "linear";
  std::string text = fmt::format(
      "[run]\nstep = {}\nend = 12\n{}[space]\ndimension = 2\ngravity = [0, 0]\n"
      "[contact]\nlaw = '{}'\nrestitution = {}\n{}",
      hard ? 1e-3 : 1e-4, hard ? "tolerance = 1e-12\n" : "", law, lossy ? 0.5 : 1.0,
      hard ? "projection = 0\n" : "stiffness = 1e5\n");
  for (const auto& [x, v, m] : {std::tuple{0.5, 1, 5}, {2.0, 0, 2}, {2.6, 0, 3}, {3.2, 0, 4}, {6.4, -2, 5}})
    text += fmt::format("[[grain]]\nposition = [{}, 0]\nvelocity = [{}, 0]\nradius = 0.3\nmass = {}\n", x, v, m);
  for (const auto& [name, x, normal] : {std::tuple{"left", 0, 1}, {"right", 7, -1}})
    text += fmt::format("[[wall]]\nname = '{}'\ntype = 'plane'\npoint = [{}, 0]\nnormal = [{}, 0]\n{}", name, x, normal,
                        cushion ? "load = { mass = 20, axes = 'x' }\n" : "");
  Simulation s(parse_scenario(text, "billiards.toml"));
  s.start();
  Billiards b;
  Real momentum = s.world().momenta().linear.x;
  std::int64_t at_walls = 0;
  bool touched = false;  // a wall, when the step began
  b.course = course_of(law + (lossy ? ", with loss" : ""), s, 0.02, [&](const CollisionCounter& collisions) {
    const World& w = s.world();
    const Real now = w.momenta().linear.x;
    bool touches = collisions.walls != at_walls;
    for (const ContactView& c : w.closed_contacts()) touches = touches || c.second < 0;
    const bool touched_before = std::exchange(touched, touches);
    if (cushion || !(touches || touched_before))
      b.momentum_error = std::max(b.momentum_error, std::fabs(now - momentum));
    momentum = now, at_walls = collisions.walls;
  });
  b.energy = b.course.energy.back();
  return b;
}

}  // namespace cairn::studies
