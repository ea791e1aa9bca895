// Columns in one dimension: soft ones as the document has them, and hard ones that explode or stand.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/core/constants.hpp"
#include "cairn/hard/impulses.hpp"
#include "cairn/hard/projection.hpp"
#include "cairn/studies/piles/cases.hpp"

namespace cairn::studies {
namespace {

constexpr Real grain_radius = 0.3, grain_mass = 1, gravity = 9.81;  // [m] [kg] [m/s^2]
// [J] A grain that falls from the top of the column to the floor gains less; an explosion gains thousands.
Real explosion_energy(int grains) {
  return grain_mass * gravity * 2 * grain_radius * grains;
}

std::vector<Real> heights_from_below(const World& world) {
  std::vector<Real> z;
  for (int i = 0; i < world.size(); ++i) z.push_back(world.position(i).z);
  std::sort(z.begin(), z.end());
  return z;
}

// The document's step: leapfrog, all impulses at once, all projections at once.
class ColumnByHand {
 public:
  ColumnByHand(bool neighbours_only, int first) : neighbours_only_(neighbours_only) {
    for (int i = 0; i < first; ++i) z_.push_back((2 * i + 1) * grain_radius), v_.push_back(0);
  }
  void add() { z_.push_back(z_.back() + 2 * grain_radius), v_.push_back(v_.back()); }
  void step(Real h) {
    for (Real& v : v_) v -= 0.5 * h * gravity;
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += h * v_[i];
    for (Real& v : v_) v -= 0.5 * h * gravity;
    collide();
  }
  int size() const { return static_cast<int>(z_.size()); }
  Real kinetic() const {
    Real sum = 0;
    for (const Real v : v_) sum += 0.5 * grain_mass * v * v;
    return sum;
  }
  Real top() const { return *std::max_element(z_.begin(), z_.end()); }

 private:
  void collide() {
    const int n = size();
    std::vector<hard::Body> bodies(n + 1);
    std::vector<hard::Place> places(n + 1);
    for (int i = 0; i < n; ++i) {
      const Vector inverse{1 / grain_mass, 1 / grain_mass, 1 / grain_mass};
      bodies[i] = {{0, 0, v_[i]}, {}, inverse, 0};
      places[i].inverse_mass = inverse;
    }
    std::vector<hard::Contact> contacts;
    std::vector<hard::Overlap> overlaps;
    const auto meet = [&](int i, int j, Real line, Real touching) {
      const Real overlap = touching - std::fabs(line);
      if (!(overlap >= 0)) return;
      hard::Contact c{.i = i, .j = j, .n = {0, 0, line < 0 ? -1.0 : 1.0}};
      c.restitution = 0.9, c.gap = -overlap;
      contacts.push_back(c);
      overlaps.push_back({.i = i, .j = j, .line = {0, 0, line}, .touching = touching, .factor = 0.1});
    };
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < (neighbours_only_ ? std::min(n, i + 2) : n); ++j)
        meet(i, j, z_[j] - z_[i], 2 * grain_radius);
      // The floor does not turn round where a grain has sunk through it.
      if (const Real overlap = grain_radius - z_[i]; overlap >= 0) {
        hard::Contact c{.i = i, .j = n, .n = {0, 0, -1}};
        c.restitution = 0.9, c.gap = -overlap;
        contacts.push_back(c);
        overlaps.push_back({.i = i, .j = n, .line = {0, 0, -1}, .touching = overlap, .at_wall = true, .factor = 0.1});
      }
    }
    hard::prepare(bodies, contacts);
    hard::simultaneous_impulses(bodies, contacts);
    hard::simultaneous_projection(places, overlaps);
    for (int i = 0; i < n; ++i) v_[i] = bodies[i].v.z, z_[i] += places[i].shift.z;
  }

  bool neighbours_only_;
  std::vector<Real> z_, v_;  // [m] [m/s] from below, as they came
};

}  // namespace

SoftColumn soft_column(Real stiffness, bool damped) {
  constexpr int watched = 5;
  SoftColumn c;
  c.stiffness = stiffness, c.damping = damped ? 40 : 0, c.half_time = nan;
  Simulation s = ready_simulation(
      "column.toml", {fmt::format("contact.stiffness={}", stiffness), fmt::format("contact.damping={}", c.damping)});
  const int first = s.world().size();
  each_step(s, [&] {
    const std::vector<Real> z = heights_from_below(s.world());
    c.bottom = z[0] + grain_radius;
    if (std::isnan(c.half_time) && c.bottom <= grain_radius)
      c.half_time = s.world().time(), c.half_emitted = s.world().size() - first;
    c.height = z.back() + grain_radius;
    if (s.steps() % 20 != 0) return;
    c.time.push_back(s.world().time());
    std::vector<Real> extents{c.bottom};
    for (int k = 1; k < watched; ++k) extents.push_back(z[k] - z[k - 1]);
    c.extents.push_back(extents);
  });
  return c;
}

HardColumn hard_column(const std::string& method, Real step, int first, Real end, Real projection) {
  HardColumn c;
  c.name = method, c.step = step, c.first = first;
  std::vector<std::string> changes{fmt::format("run.step={}", step), fmt::format("run.end={}", end),
                                   fmt::format("emitter.0.count={}", 60 - first),
                                   fmt::format("contact.projection={}", projection), "guards.residual='off'"};
  changes.push_back(method == "dynamics" ? "contact.law='dynamics'" : "contact.impulses='" + method + "'");
  std::string grains;
  for (int i = 1; i < first; ++i)
    grains += fmt::format("[[grain]]\nposition = [{}]\nradius = {}\nmass = {}\n", (2 * i + 1) * grain_radius,
                          grain_radius, grain_mass);
  Simulation s = ready_simulation("impulse_column.toml", changes, grains);
  each_step(s, [&] {
    const Energies e = s.world().energies();
    if (c.exploded == 0 && e.kinetic > explosion_energy(s.world().size())) c.exploded = s.world().size();
    if (s.steps() % 20 == 0) c.time.push_back(s.world().time()), c.kinetic.push_back(e.kinetic);
    return c.exploded == 0;
  });
  c.grains = s.world().size();
  c.height = heights_from_below(s.world()).back() + grain_radius;
  return c;
}

HardColumn column_by_hand(bool neighbours_only, Real step, int first, Real end) {
  HardColumn c;
  c.name = neighbours_only ? "neighbours only" : "all overlaps by hand", c.step = step, c.first = first;
  ColumnByHand column(neighbours_only, first);
  const auto steps = static_cast<std::int64_t>(std::llround(end / step)),
             pause = static_cast<std::int64_t>(std::llround(1 / step));
  for (std::int64_t n = 1; n <= steps && c.exploded == 0; ++n) {
    column.step(step);
    if (n % pause == 0 && column.size() < 60) column.add();
    if (column.kinetic() > explosion_energy(column.size())) c.exploded = column.size();
    if (n % 20 == 0) c.time.push_back(static_cast<Real>(n) * step), c.kinetic.push_back(column.kinetic());
  }
  c.grains = column.size();
  c.height = column.top() + grain_radius;
  return c;
}

Jitter jitter_at(Real projection) {
  constexpr int grains = 8;
  const auto speed = [&](const std::string& method) {
    std::string more;
    for (int i = 1; i < grains; ++i)
      more += fmt::format("[[grain]]\nposition = [{}]\nradius = {}\nmass = {}\n", (2 * i + 1) * grain_radius,
                          grain_radius, grain_mass);
    Simulation s = ready_simulation(
        "impulse_column.toml",
        {"run.end=20", "emitter.0.first=100", "guards.residual='off'", fmt::format("contact.projection={}", projection),
         method == "dynamics" ? "contact.law='dynamics'" : "contact.impulses='" + method + "'"},
        more);
    Real sum = 0, count = 0;
    each_step(s, [&] {
      if (s.world().time() > 10) sum += s.world().energies().kinetic, count += 1;
    });
    return std::sqrt(2 * sum / count / (grains * grain_mass));
  };
  return {projection, speed("simultaneous"), speed("sequential"), speed("dynamics"),
          hard_column("simultaneous", 0.01, 1, 60, projection).exploded};
}

}  // namespace cairn::studies
