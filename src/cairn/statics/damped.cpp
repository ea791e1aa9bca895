#include "cairn/statics/damped.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::statics {
namespace {

// [1/s^2] A bound on the largest eigenvalue of M^-1 K by the rows of each contact's block: the sum of what it does to
// its two bodies.
Real largest_eigenvalue_bound(StaticSystem& system) {
  const Nodes& nodes = system.nodes();
  const ContactTangent& tangent = system.tangent();
  const int stride = nodes.stride(), size = tangent.size();
  std::vector<Real> trace(nodes.count(), 0.0);
  // Each contact adds its largest row to the stiffness of both of its nodes.
  Real most = 0;
  for (std::size_t k = 0; k < tangent.contacts().size(); ++k) {
    const auto& c = tangent.contacts()[k];
    Real largest = 0;
    for (int r = 0; r < size; ++r) {
      Real row = 0;
      for (int l = 0; l < size; ++l) row += std::fabs(tangent.block(k)[r * size + l]);
      largest = std::max(largest, row);
    }
    const auto lightest = [&](int node) {
      return node < nodes.grains && stride > 3 ? std::min(nodes.mass[node], nodes.inertia[node]) : nodes.mass[node];
    };
    const Real first = 1 / lightest(c.first), second = c.second >= 0 ? 1 / lightest(c.second) : 0;
    const Real both = largest * std::sqrt(first * second);
    trace[c.first] += largest * first + both;
    if (c.second >= 0) trace[c.second] += largest * second + both;
  }
  for (const Real a : trace) most = std::max(most, a);
  return most;
}

struct ByDynamics {
  explicit ByDynamics(StaticSystem& of) : system(of) { system.move_by_dynamics(true); }
  ~ByDynamics() { system.move_by_dynamics(false); }
  ByDynamics(const ByDynamics&) = delete;
  StaticSystem& system;
};

}  // namespace

DampedResult damped_dynamics(StaticSystem& system, const DampedSettings& s, const OnIterate& on_iterate) {
  constexpr int most_between_bounds = 100;
  constexpr Real alike = 1.5;  // [-] largest ratio of two bounds that let the next wait
  const ByDynamics here(system);
  const Nodes& nodes = system.nodes();
  const int stride = nodes.stride();
  const std::size_t n = nodes.unknowns();
  std::vector<Real> mass(n), v(n, 0.0), du(n, 0.0), before;
  for (int k = 0; k < nodes.count(); ++k)
    for (int c = 0; c < stride; ++c)
      mass[k * stride + c] = c < 3 || k >= nodes.grains ? nodes.mass[k] : nodes.inertia[k];
  DampedResult result;
  const auto length = [&] { return std::sqrt(inner_product(system.residual(), system.residual(), system.threads())); };
  Iterate row{.updates = 0, .unbalance = system.unbalance(), .residual = length()};
  result.history.push_back(row);
  const auto ends = [&](Stop stop) {
    result.stop = stop;
    return result;
  };
  if (row.unbalance <= s.unbalance) return ends(Stop::residual);
  // Without contacts a grain may fall a little in each step.
  const auto step_now = [&](Real lambda) {
    Real pull = 0;
    for (std::size_t i = 0; i < n; ++i) pull = std::max(pull, std::fabs(system.residual()[i]) / mass[i]);
    const Real free = pull > 0 ? std::sqrt(system.longest_move() / pull) : 0;
    const Real stable = lambda > 0 ? 2 * s.step_share / std::sqrt(lambda) : free;
    return result.step > 0 ? std::min(stable, 2 * result.step) : stable;
  };
  Real bound = 0;  // [1/s^2] the last
  for (std::int64_t next = 0, between = 1; result.steps < s.most_steps;) {
    // At every step while contacts form and open: the stiffness of a Hertzian one is zero where it begins.
    if (result.steps == next) {
      const Real lambda = largest_eigenvalue_bound(system);
      const bool settled = lambda < alike * bound && bound < alike * lambda;
      between = settled ? std::min<std::int64_t>(2 * between, most_between_bounds) : 1;
      bound = lambda, next += between;
      result.step = step_now(lambda);
      if (!(result.step > 0)) return ends(Stop::singular);
    }
    const Real h = result.step, c = 2 * result.frequency;
    const std::vector<Real>& f = system.residual();
    if (system.anything_falls()) {
      // Nothing oscillates as a whole yet. A body that moves against its force stops, and falls anew.
      for (int k = 0; k < nodes.count(); ++k) {
        Real power = 0;
        for (int d = 0; d < stride; ++d) power += v[k * stride + d] * f[k * stride + d];
        for (int d = 0; d < stride && power < 0; ++d) v[k * stride + d] = 0;
      }
      for (std::size_t i = 0; i < n; ++i) v[i] += h * (f[i] / mass[i]);
    } else
      for (std::size_t i = 0; i < n; ++i) v[i] = ((1 - 0.5 * c * h) * v[i] + h * (f[i] / mass[i])) / (1 + 0.5 * c * h);
    for (std::size_t i = 0; i < n; ++i) du[i] = h * v[i];
    if (const Real far = system.longest(du), most = system.longest_move(); far > most) {
      const Real share = most / far;
      for (std::size_t i = 0; i < n; ++i) du[i] *= share, v[i] *= share;
    }
    before = f;
    system.attempt(du, 1);
    system.accept();
    ++result.steps;
    Real work = 0, moved = 0;
    {
      std::vector<Real>& change = before;
      for (std::size_t i = 0; i < n; ++i) change[i] -= system.residual()[i];
      work = inner_product(du, change, system.threads());
      for (std::size_t i = 0; i < n; ++i) change[i] = mass[i] * du[i];
      moved = inner_product(du, change, system.threads());
    }
    const Real omega2 = moved > 0 ? std::max(0.0, work / moved) : 0;
    result.frequency = std::min(std::sqrt(omega2), 0.5 / h);
    if (result.steps % s.look_every != 0 && result.steps < s.most_steps) continue;
    row = {.updates = result.steps,
           .unbalance = system.unbalance(),
           .residual = length(),
           .displacement = system.longest(du)};
    result.history.push_back(row);
    if (!std::isfinite(row.residual)) return ends(Stop::stalled);
    if (row.unbalance <= s.unbalance) return ends(Stop::residual);
    if (s.displacement > 0 && row.displacement <= s.displacement && row.unbalance < 1) return ends(Stop::displacement);
    if (on_iterate && !on_iterate(row)) return ends(Stop::interrupted);
  }
  return ends(Stop::most_iterations);
}

}  // namespace cairn::statics
