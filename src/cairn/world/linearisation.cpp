#include "cairn/world/linearisation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cairn/core/reproducible_sum.hpp"
#include "cairn/world/sparse.hpp"
#include "cairn/world/taylor.hpp"

namespace cairn {

void Linearisation::set(std::span<State* const> stages, const ContactScene& scene, SlotFields& slots) {
  states_.assign(stages.begin(), stages.end());
  slots.spring_weight.used = true;
  slots.spring_weight.values.assign(scene.list.slots(), 0);
  for (const State* y : states_)
    scene.each_closed(*y, [&](int slot, int, int, const auto& law, const ContactGeometry<Real>& m) {
      Real& weight = slots.spring_weight[slot];
      weight = std::max(weight, law.force(m.kinematics, y->bond.at(BondRow::xi, slot)).stiffness);
    });
}

Real Linearisation::inner_product(const State& a, const State& b, unsigned parts, const ContactScene& scene) const {
  const Particles& grains = scene.grains;
  const SlotField<Real>& weight = scene.slots.spring_weight;
  ReproducibleSum sum;
  for (int i = grains.own_begin(); i < grains.own_end(); ++i) {
    const Real inertia = grains.inverse_inertia[i] > 0 ? 1 / grains.inverse_inertia[i] : 0;
    sum.add(grains.mass[i] * dot(a.body.at(BodyRow::v, i), b.body.at(BodyRow::v, i)) +
            inertia * dot(a.body.at(BodyRow::w, i), b.body.at(BodyRow::w, i)));
  }
  for (int w = 0; w < a.walls.size() && w < b.walls.size() && scene.domain.leads(); ++w)
    sum.add(scene.settings.loaded_walls[w].mass * dot(a.walls.at(WallRow::v, w), b.walls.at(WallRow::v, w)));
  if (parts & StatePart::springs)
    for (int slot = 0; slot < scene.list.slots(); ++slot)
      for (int row = 0; row < a.bond.rows() && weight[slot] != 0 && scene.counts(slot); row += 3)
        sum.add(weight[slot] * dot(a.bond.at(row, slot), b.bond.at(row, slot)));
  scene.domain.add(sum);
  return sum.value();
}

void Linearisation::tangent(int stage, State& d, State& k, Real over, const ContactScene& scene) const {
  force_derivative(scene, *states_[stage], d, k, over);
}

// The equations of Newton's method as a sparse matrix of the derivatives of each contact. Bodies and contacts are in
// the order of ids, since the order of the list must not enter the dynamics. Every unknown is taken times the root of
// its mass, inertia or stiffness: then all have one unit, and the choice of pivots does not depend on the units of the
// case.
bool Linearisation::solve(std::span<const Real> rates, std::span<const Real> speeds, std::span<State* const> right,
                          std::span<State* const> out, const ContactScene& scene, std::span<const int> by_id) const {
  const Particles& grains = scene.grains;
  const NeighbourList& list = scene.list;
  const SlotField<Real>& weight = scene.slots.spring_weight;
  using T = Jet<1>;
  constexpr int most = 2000;  // unknowns; beyond, iterations take less time
  static_assert(6 * (few_grains + 1) > most);
  const int stages = static_cast<int>(right.size()), n = grains.size();
  if (scene.domain.apart() || 6 * n * stages > most || !scene.settings.loaded_walls.empty()) return false;
  std::vector<int> rank(n), spring(list.slots(), -1);
  std::vector<int> slots;  // that may have a force
  for (int k = 0; k < n; ++k) rank[by_id[k]] = k;
  int springs = 0;
  for (const int i : by_id)
    for (int e = list.first[i]; e < list.first[i + 1]; ++e) {
      const int slot = list.contacts[e] >> 1;
      if (scene.ids(slot)[0] != grains.id[i]) continue;
      slots.push_back(slot);
      if (weight[slot] > 0) spring[slot] = springs++;
    }
  const int rows = scene.settings.spring_rows(), unknowns = 6 * n + rows * springs;
  if (unknowns * stages > most) return false;
  const auto body_row = [&](int stage, int i, int component) { return stage * unknowns + 6 * rank[i] + component; };
  const auto spring_row = [&](int stage, int slot) { return stage * unknowns + 6 * n + rows * spring[slot]; };

  const auto root_mass = [&](int i, int component) {
    const Real inverse = component < 3 ? grains.inverse_mass[i] : grains.inverse_inertia[i];
    return inverse > 0 ? std::sqrt(1 / inverse) : 1;
  };
  const auto root_stiffness = [&](int slot) { return std::sqrt(weight[slot]); };
  SparseEquations equations;
  equations.right.resize(static_cast<std::size_t>(unknowns) * stages);
  for (int row = 0; row < unknowns * stages; ++row) equations.entries.push_back({row, row, 1});
  for (int s = 0; s < stages; ++s) {
    const State& y = *states_[s];
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < 6; ++c)
        equations.right[body_row(s, i, c)] = root_mass(i, c) * right[s]->body.row(BodyRow::v + c)[i];
    for (const int slot : slots)
      for (int c = 0; c < rows && spring[slot] >= 0; ++c)
        equations.right[spring_row(s, slot) + c] = root_stiffness(slot) * right[s]->bond.row(c)[slot];
    for (const int slot : slots) {
      if (!scene.may_act(y, slot)) continue;
      const std::array<int, 2> ends = scene.bodies(slot);
      for (int seed = 0; seed < 18 + rows; ++seed) {
        const int seeded = seed < 9 ? ends[0] : seed < 18 ? ends[1] : -1;
        if (seed < 18 ? seeded < 0 : spring[slot] < 0) continue;
        const int component = seed < 18 ? seed % 9 : seed - 18;  // of x, v, w; of xi, chi
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
        scene.each(
            T(y.time), motions_of, [](int) { return WallDisplacement<T>{}; },
            [&](int, int i, int j, const auto& law, ContactGeometry<T> m) {
              if (!scene.acts(slot, m.kinematics)) return;
              const auto spring_jet = [&](int row) {
                return jet(y.bond.at(row, slot), seed >= 18 && component / 3 == row / 3);
              };
              const ContactForce<T> p = law.force(m.kinematics, spring_jet(BondRow::xi));
              const Vec3<T> force = p.ft - p.fn * m.kinematics.n, twist = cross(m.kinematics.n, p.ft);
              Vec3<T> couple{}, chi_rate{};
              if (scene.settings.rolls()) {
                const auto response = scene.rolling(slot).response(m.kinematics, m.kinematics.r_eff * m.spin,
                                                                   spring_jet(BondRow::chi), normal_load_of(p));
                couple = m.kinematics.r_eff * response.torque, chi_rate = response.rate;
              }
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
                  add(body_row(s, b, 0), root_mass(b, 0), (sign * grains.inverse_mass[b]) * top(force));
                  add(body_row(s, b, 3), root_mass(b, 3),
                      grains.inverse_inertia[b] *
                          (top((T(grains.radius[b]) - m.reduction) * twist) + sign * top(couple)));
                };
                add_body(i, 1);
                if (j >= 0) add_body(j, -1);
                if (spring[slot] < 0) continue;
                add(spring_row(s, slot), root_stiffness(slot), top(p.xi_rate));
                if (scene.settings.rolls())
                  add(spring_row(s, slot) + BondRow::chi, root_stiffness(slot), top(chi_rate));
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
    for (int slot = 0; slot < list.slots(); ++slot)
      for (int c = 0; c < rows; ++c)
        out[s]->bond.row(c)[slot] = spring[slot] >= 0 ? solution[spring_row(s, slot) + c] / root_stiffness(slot) : 0;
  }
  return true;
}

// The deepest contact of the grain whose equation is the least fulfilled.
std::string Linearisation::worst(int stage, const State& residual, const ContactScene& scene) const {
  const Particles& grains = scene.grains;
  const State& y = *states_[stage];
  struct Worst {
    Real off = -1;
    std::int64_t grain = -1;                // an id
    std::array<std::int64_t, 2> contact{};  // as ContactScene::ids()
    bool touches = false;
  } worst;
  int grain = -1;
  for (const int i : grains.by_id()) {
    if (!grains.own(i)) continue;
    const Vector v = residual.body.at(BodyRow::v, i), w = grains.radius[i] * residual.body.at(BodyRow::w, i);
    Real off = dot(v, v) + dot(w, w);
    if (std::isnan(off)) off = std::numeric_limits<Real>::infinity();
    if (off > worst.off) worst.off = off, worst.grain = grains.id[grain = i];
  }
  Real deepest = 0;
  for (int e = grain < 0 ? 0 : scene.list.first[grain]; grain >= 0 && e < scene.list.first[grain + 1]; ++e)
    scene.each_in(
        y,
        [&](int slot, int, int, const auto&, const ContactGeometry<Real>& m) {
          if (m.kinematics.overlap > deepest)
            deepest = m.kinematics.overlap, worst.contact = scene.ids(slot), worst.touches = true;
        },
        scene.list.contacts[e] >> 1, (scene.list.contacts[e] >> 1) + 1);
  scene.domain.reduce(worst, [](Worst& into, const Worst& other) {
    if (other.off > into.off || (other.off == into.off && other.grain < into.grain)) into = other;
  });
  if (worst.grain < 0) return "no grain";
  const std::string words = "grain " + std::to_string(worst.grain);
  if (!worst.touches) return words + ", which has no contact";
  const auto [first, second] = worst.contact;
  if (second < 0) return words + " on wall '" + scene.settings.walls[scene.settings.surfaces[-1 - second].wall] + "'";
  return "grains " + std::to_string(first) + " and " + std::to_string(second);
}

}  // namespace cairn
