// What Newton's method asks of a World (integrate/newton.hpp): where its derivatives stand, their equations as a sparse
// matrix, and which contact stands in the way. The derivative along a direction itself is a Taylor series of one term
// (series.cpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "cairn/world/each_contact.hpp"
#include "cairn/world/sparse.hpp"

namespace cairn {

// Whether a contact may have a force at y: cheaper to ask than its jets.
bool World::may_touch(const State& y, int slot) const {
  if (settings_.onset && phases_[slot] != Phase::clipped) return phases_[slot] == Phase::pressing;
  if (slot >= static_cast<int>(list_.pairs.size())) return true;
  const auto& [i, j] = list_.pairs[slot];
  const Vector straight = y.body.at(BodyRow::x, j) - y.body.at(BodyRow::x, i),
               d = straight - settings_.cell.image(straight);
  const Real reach = (1 + 1e-12) * (grains_.radius[i] + grains_.radius[j]);
  return dot(d, d) <= reach * reach;
}

void World::linearise(std::span<State* const> stages) {
  for (State* y : stages) ensure_list(*y, travel_of(*y));
  linear_.assign(stages.begin(), stages.end());
  spring_weight_.assign(list_.slots(), 0);
  for (State* y : stages)
    each_contact(
        y->time, [&](int i) { return motions(*y, i); },
        [&](int slot, int, int, const auto& law, const ContactGeometry<Real>& m) {
          if (m.kinematics.overlap > 0)
            spring_weight_[slot] =
                std::max(spring_weight_[slot], law.force(m.kinematics, y->bond.at(0, slot)).stiffness);
        },
        0, list_.slots());
}

// The equations of Newton's method as a sparse matrix of the derivatives of each contact. Bodies and contacts are in
// the order of ids, since the order of the list must not enter the dynamics. Every unknown is taken times the root of
// its mass, inertia or stiffness: then all have one unit, and the choice of pivots does not depend on the units of the
// case.
bool World::solve(std::span<const Real> rates, std::span<const Real> speeds, std::span<State* const> right,
                  std::span<State* const> out) {
  using T = Jet<1>;
  constexpr int most = 2000;  // unknowns; beyond, iterations take less time
  const int stages = static_cast<int>(right.size()), n = size();
  if (rolls() || 6 * n * stages > most) return false;
  if (static_cast<int>(by_id_.size()) != n) by_id_ = grains_.by_id();
  std::vector<int> rank(n), spring(list_.slots(), -1);
  std::vector<int> slots;  // that may have a force
  for (int k = 0; k < n; ++k) rank[by_id_[k]] = k;
  int springs = 0;
  for (const int i : by_id_)
    for (int e = list_.first[i]; e < list_.first[i + 1]; ++e) {
      const int slot = list_.contacts[e] >> 1;
      if (ids_of(slot)[0] != grains_.id[i]) continue;
      slots.push_back(slot);
      if (spring_weight_[slot] > 0) spring[slot] = springs++;
    }
  const int unknowns = 6 * n + 3 * springs;
  if (unknowns * stages > most) return false;
  const auto body_row = [&](int stage, int i, int component) { return stage * unknowns + 6 * rank[i] + component; };
  const auto spring_row = [&](int stage, int slot) { return stage * unknowns + 6 * n + 3 * spring[slot]; };

  const auto root_mass = [&](int i, int component) {
    const Real inverse = component < 3 ? grains_.inverse_mass[i] : grains_.inverse_inertia[i];
    return inverse > 0 ? std::sqrt(1 / inverse) : 1;
  };
  const auto root_stiffness = [&](int slot) { return std::sqrt(spring_weight_[slot]); };
  SparseEquations equations;
  equations.right.resize(static_cast<std::size_t>(unknowns) * stages);
  for (int row = 0; row < unknowns * stages; ++row) equations.entries.push_back({row, row, 1});
  for (int s = 0; s < stages; ++s) {
    const State& y = *linear_[s];
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < 6; ++c)
        equations.right[body_row(s, i, c)] = root_mass(i, c) * right[s]->body.row(BodyRow::v + c)[i];
    for (const int slot : slots)
      for (int c = 0; c < 3 && spring[slot] >= 0; ++c)
        equations.right[spring_row(s, slot) + c] = root_stiffness(slot) * right[s]->bond.row(c)[slot];
    for (const int slot : slots) {
      if (!may_touch(y, slot)) continue;
      const std::array<int, 2> ends = bodies(slot);
      for (int seed = 0; seed < 21; ++seed) {
        const int seeded = seed < 9 ? ends[0] : seed < 18 ? ends[1] : -1;
        if (seed < 18 ? seeded < 0 : spring[slot] < 0) continue;
        const int component = seed < 18 ? seed % 9 : seed - 18;  // of x, v, w; of the spring
        const auto jet = [&](const Vector& a, bool moves) {
          Vec3<T> b{T(a.x), T(a.y), T(a.z)};
          if (moves) (&b.x)[component % 3].c[1] = 1;
          return b;
        };
        const auto motions_of = [&](int i) {
          const auto moves = [&](int row) { return i == seeded && component / 3 == row / 3; };
          return BodyMotion<T>{jet(y.body.at(BodyRow::x, i), moves(BodyRow::x)),
                               jet(y.body.at(BodyRow::v, i), moves(BodyRow::v)),
                               jet(y.body.at(BodyRow::w, i), moves(BodyRow::w))};
        };
        each_contact(
            T(y.time), motions_of,
            [&](int, int i, int j, const auto& law, ContactGeometry<T> m) {
              if (!acts(slot, m.kinematics)) return;
              const ContactForce<T> p = law.force(m.kinematics, jet(y.bond.at(0, slot), seed >= 18));
              const Vec3<T> force = p.ft - p.fn * m.kinematics.n, twist = cross(m.kinematics.n, p.ft);
              const auto top = [](const Vec3<T>& a) { return Vector{a.x.c[1], a.y.c[1], a.z.c[1]}; };
              // A change of the rates of stage t moves this stage's positions by `speeds` of what it does to
              // velocities.
              for (int t = 0; t < stages; ++t) {
                Real by = rates[s * stages + t];
                if (seed < 18 && component < 3) {
                  by = 0;
                  for (int l = 0; l < stages; ++l) by += speeds[s * stages + l] * rates[l * stages + t];
                }
                const int column = seed >= 18 ? spring_row(t, slot) + component
                                              : body_row(t, seeded, component < 3 ? component : component - 3);
                const Real unit =
                    seed >= 18 ? root_stiffness(slot) : root_mass(seeded, component < 3 ? 0 : component - 3);
                const auto add = [&](int row, Real root, const Vector& a) {
                  for (int c = 0; c < 3; ++c)
                    if ((&a.x)[c] != 0) equations.entries.push_back({row + c, column, -by * (root * (&a.x)[c] / unit)});
                };
                const auto add_body = [&](int b, Real sign) {
                  add(body_row(s, b, 0), root_mass(b, 0), (sign * grains_.inverse_mass[b]) * top(force));
                  add(body_row(s, b, 3), root_mass(b, 3),
                      grains_.inverse_inertia[b] * top((T(grains_.radius[b]) - m.reduction) * twist));
                };
                add_body(i, 1);
                if (j >= 0) add_body(j, -1);
                if (spring[slot] >= 0) add(spring_row(s, slot), root_stiffness(slot), top(p.xi_rate));
              }
            },
            slot, slot + 1);
      }
    }
  }
  const std::vector<Real> solution = solved(equations);
  if (solution.empty()) return false;
  for (int s = 0; s < stages; ++s) {
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < 6; ++c) out[s]->body.row(BodyRow::v + c)[i] = solution[body_row(s, i, c)] / root_mass(i, c);
    for (int slot = 0; slot < list_.slots(); ++slot)
      for (int c = 0; c < 3; ++c)
        out[s]->bond.row(c)[slot] = spring[slot] >= 0 ? solution[spring_row(s, slot) + c] / root_stiffness(slot) : 0;
  }
  return true;
}

// The deepest contact of the grain whose equation is the least fulfilled.
std::string World::worst(int stage, const State& residual) const {
  const State& y = *linear_[stage];
  int grain = -1;
  Real most = -1;
  for (const int i : grains_.by_id()) {
    const Vector v = residual.body.at(BodyRow::v, i), w = grains_.radius[i] * residual.body.at(BodyRow::w, i);
    const Real off = dot(v, v) + dot(w, w);
    if (off > most || std::isnan(off)) most = std::isnan(off) ? std::numeric_limits<Real>::infinity() : off, grain = i;
  }
  if (grain < 0) return "no grain";
  std::string words = "grain " + std::to_string(grains_.id[grain]);
  Real deepest = 0;
  int contact = -1;
  for (int e = list_.first[grain]; e < list_.first[grain + 1]; ++e)
    each_contact(
        y.time, [&](int i) { return motions(y, i); },
        [&](int slot, int, int, const auto&, const ContactGeometry<Real>& m) {
          if (m.kinematics.overlap > deepest) deepest = m.kinematics.overlap, contact = slot;
        },
        list_.contacts[e] >> 1, (list_.contacts[e] >> 1) + 1);
  if (contact < 0) return words + ", which has no contact";
  const auto [first, second] = ids_of(contact);
  if (second < 0) return words + " on wall '" + settings_.walls[settings_.surfaces[-1 - second].wall] + "'";
  return "grains " + std::to_string(first) + " and " + std::to_string(second);
}

}  // namespace cairn
