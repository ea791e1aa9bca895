#include "cairn/analysis/network_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "cairn/core/parallel.hpp"

namespace cairn {
namespace {

constexpr int weights = 3;

// The inverse inertia of a grain against a contact: translation along the normal, the contact
// point across it with the lever of the force, and rotation alone [1/kg].
struct Inertia {
  Real along, across, turning;
};

Inertia inertia(const Particles& grains, int i, Real lever, Real rolling_lever) {
  const Real inverse = grains.inverse_mass[i], turning = grains.inverse_inertia[i];
  return {inverse, inverse + lever * lever * turning, rolling_lever * rolling_lever * turning};
}

// The norm of a contact's block of M^-1/2 K M^-1/2 between two of its grains, or one and itself. The three directions
// of space are apart: the motion along the normal, the rotation about it, and across it the contact point's motion and
// rolling, whose norms add; a coupled tangential spring acts on the first, too.
Real norm_of(const ContactRates& r, Real coupled, const Inertia& a, const Inertia& b) {
  const auto of = [](Real rate, Real p, Real q) { return rate > 0 ? rate * std::sqrt(p * q) : 0; };
  const Real shear = coupled > 0 ? of(coupled, a.along, b.along) : of(r.tangential, a.across, b.across);
  return std::max({of(r.normal, a.along, b.along), shear + of(r.rolling, a.turning, b.turning),
                   of(r.twisting, a.turning, b.turning)});
}

// One motion of all grains, times the roots of their inertias.
struct Mode {
  std::vector<Vector> x, w;
  explicit Mode(std::size_t n) : x(n), w(n) {}
};

}  // namespace

NetworkRates upper_bounds(const Particles& grains, const ContactsOf& contacts_of, int threads) {
  struct Largest {  // of the rows looked at, with each weight; the lower id where two are equal
    std::array<Real, weights> row;
    std::array<int, weights> grain;
    Largest() { row.fill(-1), grain.fill(-1); }
    void record(const Particles& of, int k, Real a, int i) {
      if (a > row[k] || (a == row[k] && i >= 0 && of.id[i] < of.id[grain[k]])) row[k] = a, grain[k] = i;
    }
  };
  struct Block {
    Largest stiffness, damping;
    bool any = false;
  };
  constexpr int grain_block = 256;
  const int n = grains.size();
  std::vector<Block> blocks((n + grain_block - 1) / grain_block);
  for_blocks(threads, n, grain_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t at) {
    std::vector<LiveContact> contacts;
    for (int i = static_cast<int>(begin); i < end; ++i) {
      contacts.clear();
      contacts_of(i, contacts);
      std::array<Real, weights> stiffness{}, damping{};
      for (const LiveContact& c : contacts) {
        const bool first = c.i == i;
        const int other = first ? c.j : c.i;
        const Inertia own = inertia(grains, i, first ? c.lever_i : c.lever_j, c.rolling_lever);
        const Inertia across =
            other >= 0 ? inertia(grains, other, first ? c.lever_j : c.lever_i, c.rolling_lever) : Inertia{};
        // Rows of D^-1 M^-1/2 K M^-1/2 D, D the masses to the powers 1/2, 0 and -1/2: of M^-1 K with weights 1, m^-1/2,
        // 1/m.
        const Real root = other >= 0 ? std::sqrt(grains.mass[other] / grains.mass[i]) : 1;
        const std::array<Real, weights> weight{root, 1, 1 / root};
        const auto add = [&](std::array<Real, weights>& row, const ContactRates& r, Real coupled) {
          const Real itself = norm_of(r, coupled, own, own), both = norm_of(r, coupled, own, across);
          for (int k = 0; k < weights; ++k) row[k] += itself + both * weight[k];
        };
        add(stiffness, c.of.stiffness, c.of.coupled), add(damping, c.of.damping, 0);
        blocks[at].any = true;
      }
      for (int k = 0; k < weights; ++k)
        blocks[at].stiffness.record(grains, k, stiffness[k], i), blocks[at].damping.record(grains, k, damping[k], i);
    }
  });
  Block all;
  for (const Block& b : blocks) {
    all.any = all.any || b.any;
    for (int k = 0; k < weights; ++k) {
      all.stiffness.record(grains, k, b.stiffness.row[k], b.stiffness.grain[k]);
      all.damping.record(grains, k, b.damping.row[k], b.damping.grain[k]);
    }
  }
  if (!all.any) return {};
  const auto least = [](const Largest& of) {
    const auto k = std::min_element(of.row.begin(), of.row.end()) - of.row.begin();
    return std::pair{of.row[k], of.grain[k]};
  };
  const auto [stiffness, stiffest] = least(all.stiffness);
  const auto [damping, most_damped] = least(all.damping);
  return {stiffness, damping, damping > 0 ? most_damped : stiffest};
}

NetworkRates rayleigh_quotients(const Particles& grains, std::span<const LiveContact> contacts, Real stiffness_unit,
                                Real damping_unit) {
  constexpr int iterations = 24;
  const int n = grains.size();
  Mode q(n);
  std::vector<Real> root_m(n), root_i(n);
  for (int i = 0; i < n; ++i) {
    root_m[i] = std::sqrt(grains.inverse_mass[i]), root_i[i] = std::sqrt(grains.inverse_inertia[i]);
    // Any start with a part in every motion; by ids, for the order of rows is not the grains' own.
    auto random = [k = static_cast<std::uint64_t>(grains.id[i] + 1) * 0x9e3779b97f4a7c15ULL]() mutable {
      k ^= k >> 29, k *= 0xbf58476d1ce4e5b9ULL, k ^= k >> 32;
      return static_cast<Real>(k >> 11) * 0x1p-53 - 0.5;
    };
    q.x[i] = {random(), random(), random()}, q.w[i] = {random(), random(), random()};
  }
  const std::vector<int> order = grains.by_id();
  const auto inner = [&](const Mode& a, const Mode& b) {
    Real sum = 0;
    for (const int i : order) sum += dot(a.x[i], b.x[i]) + dot(a.w[i], b.w[i]);
    return sum;
  };
  NetworkRates found;
  for (int k = 0; k <= iterations; ++k) {
    Mode by_stiffness(n), by_damping(n);
    for (const LiveContact& c : contacts) {
      const bool grain = c.j >= 0;
      const Vector vj = grain ? root_m[c.j] * q.x[c.j] : Vector{}, wj = grain ? root_i[c.j] * q.w[c.j] : Vector{};
      const Vector vi = root_m[c.i] * q.x[c.i], wi = root_i[c.i] * q.w[c.i];
      const Vector v = vi - vj, across = v - dot(v, c.n) * c.n + cross(c.lever_i * wi + c.lever_j * wj, c.n);
      const Vector turn = c.rolling_lever * (wi - wj), twist = dot(turn, c.n) * c.n;
      const auto act = [&](Mode& out, const ContactRates& r) {
        const Vector shear = r.tangential * across, force = r.normal * dot(v, c.n) * c.n + shear;
        const Vector twisted = cross(c.n, shear),
                     couple = c.rolling_lever * (r.rolling * (turn - twist) + r.twisting * twist);
        out.x[c.i] += root_m[c.i] * force, out.w[c.i] += root_i[c.i] * (c.lever_i * twisted + couple);
        if (!grain) return;
        out.x[c.j] -= root_m[c.j] * force, out.w[c.j] += root_i[c.j] * (c.lever_j * twisted - couple);
      };
      act(by_stiffness, c.of.stiffness), act(by_damping, c.of.damping);
    }
    const Real length2 = inner(q, q);
    if (!(length2 > 0)) return {};
    found.stiffness = inner(q, by_stiffness) / length2, found.damping = inner(q, by_damping) / length2;
    if (k == iterations) break;
    for (int i = 0; i < n; ++i) {
      q.x[i] = (1 / stiffness_unit) * by_stiffness.x[i] + (1 / damping_unit) * by_damping.x[i];
      q.w[i] = (1 / stiffness_unit) * by_stiffness.w[i] + (1 / damping_unit) * by_damping.w[i];
    }
    const Real size = std::sqrt(inner(q, q));
    if (!(size > 0) || !std::isfinite(size)) return {};
    for (int i = 0; i < n; ++i) q.x[i] = (1 / size) * q.x[i], q.w[i] = (1 / size) * q.w[i];
  }
  Real most = -1;
  for (const int i : order)
    if (const Real a = dot(q.x[i], q.x[i]) + dot(q.w[i], q.w[i]); a > most) most = a, found.grain = i;
  return found;
}

}  // namespace cairn
