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

}  // namespace

NetworkRates upper_bounds(const Particles& grains, const ContactsOf& contacts_of, int threads, const Domain& domain) {
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
      // Each of the terms, none negative, is rounded at most 16 times, and their sum once for each: the bound is raised
      // by more than all that.
      const Real rounded = 1 + (16 + 2 * static_cast<Real>(contacts.size())) * std::numeric_limits<Real>::epsilon();
      for (int k = 0; k < weights; ++k) stiffness[k] *= rounded, damping[k] *= rounded;
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
  domain.reduce(all, [](Block& into, const Block& other) {
    into.any = into.any || other.any;
    for (auto [to, from] : {std::pair{&into.stiffness, &other.stiffness}, {&into.damping, &other.damping}})
      for (int k = 0; k < weights; ++k)
        if (from->row[k] > to->row[k]) to->row[k] = from->row[k], to->grain[k] = -1;
  });
  if (!all.any) return {};
  const auto least = [](const Largest& of) {
    const auto k = std::min_element(of.row.begin(), of.row.end()) - of.row.begin();
    return std::pair{of.row[k], of.grain[k]};
  };
  const auto [stiffness, stiffest] = least(all.stiffness);
  const auto [damping, most_damped] = least(all.damping);
  return {stiffness, damping, damping > 0 ? most_damped : stiffest};
}

}  // namespace cairn
