#include "cairn/statics/relaxation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cairn::statics {
namespace {

// The largest residual, the first of equal ones, and the sum of all squares, both without a look at every body and
// without differences of large numbers.
class ResidualTree {
 public:
  explicit ResidualTree(int count) {
    while (leaves_ < count) leaves_ *= 2;
    nodes_.resize(2 * static_cast<std::size_t>(leaves_));
  }
  void set(int body, Real square) {
    std::size_t at = static_cast<std::size_t>(leaves_) + body;
    nodes_[at] = {square, square, body};
    for (at /= 2; at > 0; at /= 2) nodes_[at] = joined(nodes_[2 * at], nodes_[2 * at + 1]);
  }
  int largest() const { return nodes_[1].body; }
  Real sum() const { return nodes_[1].sum; }

 private:
  struct Node {
    Real sum = 0, most = -1;
    int body = -1;
  };
  static Node joined(const Node& a, const Node& b) {
    Node of = a.most >= b.most ? a : b;
    of.sum = a.sum + b.sum;
    return of;
  }
  int leaves_ = 1;
  std::vector<Node> nodes_;
};

// The step that balances one body with the stiffness a of itself: Gaussian elimination; a pivot that is almost nothing
// has no step.
std::array<Real, 6> balanced(const Real* a, const Real* f, int stride) {
  std::array<std::array<Real, 7>, 6> m{};
  Real largest = 0;
  for (int i = 0; i < stride; ++i) {
    for (int j = 0; j < stride; ++j) m[i][j] = a[i * stride + j];
    m[i][6] = f[i], largest = std::max(largest, std::fabs(m[i][i]));
  }
  std::array<bool, 6> gone{};
  for (int i = 0; i < stride; ++i) {
    if (!(m[i][i] > 1e-9 * largest)) {
      gone[i] = true;
      continue;
    }
    for (int r = 0; r < stride; ++r) {
      if (r == i || gone[r]) continue;
      const Real by = m[r][i] / m[i][i];
      for (int c = i; c < 7; ++c) m[r][c] -= by * m[i][c];
    }
  }
  std::array<Real, 6> u{};
  for (int i = 0; i < stride; ++i) u[i] = gone[i] ? 0 : m[i][6] / m[i][i];
  return u;
}

// Bodies of a World, one contact at a time.
class ContactRelaxation : public RelaxationEquations {
 public:
  explicit ContactRelaxation(StaticSystem& system) : system_(system), nodes_(system.nodes()) { look(); }

  int bodies() const override { return nodes_.grains; }
  Real residual2(int body) const override {
    Real sum = 0;
    for (int c = 0; c < nodes_.stride(); ++c) sum += residual_[body][c] * residual_[body][c];
    return sum;
  }
  bool wants_look() const override { return fell_ || gone_ > 0.02 * system_.smallest_radius(); }

  Real look() override {
    system_.look_again();
    gone_ = 0, fell_ = false;
    const ContactScene scene = system_.world().scene();
    loads_.assign(scene.list.slots(), {});
    for (int slot = 0; slot < scene.list.slots(); ++slot) find(slot);
    residual_.resize(nodes_.grains);
    for (int k = 0; k < nodes_.grains; ++k) gather(k);
    return system_.unbalance();
  }

  Real update(int body, std::vector<int>& changed) override {
    constexpr Real touching = 1e-6, farthest = 0.05;  // [-] of the radius
    const ContactScene scene = system_.world().scene();
    State& y = system_.world().state();
    const int stride = nodes_.stride(), i = nodes_.row[body], size = nodes_.rotates ? 9 : 3;
    const NeighbourList& list = scene.list;
    changed.assign(1, body);
    std::array<Real, 36> own{};
    const auto assemble = [&](Real floor) {
      own.fill(0);
      bool any = false;
      std::array<Real, 81> block;
      for (int e = list.first[i]; e < list.first[i + 1]; ++e) {
        const bool second = list.contacts[e] & 1;
        if (!contact_block(scene, y, nodes_, list.contacts[e] >> 1, floor, {block.data(), block.size()})) continue;
        any = true;
        for (int r = 0; r < stride; ++r)
          for (int c = 0; c < stride; ++c) {
            const int row = second && r >= 3 ? r + 3 : r, column = second && c >= 3 ? c + 3 : c;
            const Real sign = (second && r < 3 ? -1 : 1) * (second && c < 3 ? -1 : 1);
            own[r * stride + c] -= sign * block[row * size + column];
          }
      }
      return any;
    };
    if (!assemble(0) && !assemble(touching)) {
      // Touches nothing, so nothing can balance it: it falls, and waits there for the next look.
      const Vector fall = system_.fall(body);
      y.body.set(BodyRow::x, i, y.body.at(BodyRow::x, i) + fall);
      residual_[body] = {};
      fell_ = fell_ || fall != Vector{};
      return norm(fall);
    }
    std::array<Real, 6> u = balanced(own.data(), residual_[body].data(), stride);
    Vector by{u[0], u[1], u[2]}, turn{u[3], u[4], u[5]};
    const Real most = farthest * scene.grains.radius[i];
    if (const Real far = norm(by); far > most) by = (most / far) * by, turn = (most / far) * turn;
    move(scene, y, i, by, (1 / scene.grains.radius[i]) * turn);
    gone_ = std::max(gone_, gone_ + norm(by));
    for (int e = list.first[i]; e < list.first[i + 1]; ++e) {
      const int slot = list.contacts[e] >> 1;
      if (!find(slot)) continue;
      const auto [a, b] = scene.bodies(slot);
      if (const int other = a == i ? b : a; other >= 0) changed.push_back(nodes_.node[other]);
    }
    for (const int k : changed) gather(k);
    return norm(by);
  }

 private:
  struct Load {
    Vector force{}, first{}, second{};  // [N], torques over radii [N]
    friend bool operator==(const Load&, const Load&) = default;
  };

  // The body goes, and the springs of its contacts follow and return to their limits.
  void move(const ContactScene& scene, State& y, int i, const Vector& by, const Vector& turn) const {
    constexpr Real slowly = 0x1p-30;  // [1/s]
    const Vector from = y.body.at(BodyRow::x, i);
    if (system_.springs_follow()) {
      y.body.set(BodyRow::x, i, from + 0.5 * by);
      y.body.set(BodyRow::v, i, slowly * by), y.body.set(BodyRow::w, i, slowly * turn);
      for (int e = scene.list.first[i]; e < scene.list.first[i + 1]; ++e) {
        const int slot = scene.list.contacts[e] >> 1;
        scene.each_in(
            y,
            [&](int, int, int, const auto& law, const ContactGeometry<Real>& m) {
              if (!in_contact(m.kinematics.overlap)) return relax_springs(y, slot);
              const Vector xi = y.bond.at(BondRow::xi, slot);
              const ContactForce<Real> p = law.force(m.kinematics, xi);
              y.bond.set(BondRow::xi, slot, xi + (1 / slowly) * p.xi_rate);
              if (!scene.settings.rolls()) return;
              const Vector chi = y.bond.at(BondRow::chi, slot);
              const auto r =
                  scene.rolling(slot).response(m.kinematics, m.kinematics.r_eff * m.spin, chi, normal_load_of(p));
              y.bond.set(BondRow::chi, slot, chi + (1 / slowly) * r.rate);
            },
            slot, slot + 1);
      }
      y.body.set(BodyRow::v, i, {}), y.body.set(BodyRow::w, i, {});
    }
    y.body.set(BodyRow::x, i, from + by);
  }

  // Whether the load of a slot is another than before.
  bool find(int slot) {
    const ContactScene scene = system_.world().scene();
    State& y = system_.world().state();
    Load load;
    if (scene.may_act(y, slot))
      scene.each_in(
          y,
          [&](int, int i, int j, const auto& law, const ContactGeometry<Real>& m) {
            if (!in_contact(m.kinematics.overlap)) return;
            Vector xi = y.bond.at(BondRow::xi, slot);
            const ContactForce<Real> p = law.force(m.kinematics, xi);
            if (system_.springs_follow() && p.kept < 1) y.bond.set(BondRow::xi, slot, p.kept * xi);
            load.force = p.ft - p.fn * m.kinematics.n;
            if (!nodes_.rotates) return;
            const Vector twist = cross(m.kinematics.n, p.ft);
            Vector couple{};
            if (scene.settings.rolls()) {
              const auto r = scene.rolling(slot).response(m.kinematics, Vector{}, y.bond.at(BondRow::chi, slot),
                                                          normal_load_of(p));
              y.bond.set(BondRow::chi, slot, r.returned);
              couple = m.kinematics.r_eff * r.torque;
            }
            const auto torque = [&](int body, Real sign) {
              const Real r = scene.grains.radius[body];
              return (1 / r) * ((r - m.reduction) * twist + sign * couple);
            };
            load.first = torque(i, 1);
            if (j >= 0) load.second = torque(j, -1);
          },
          slot, slot + 1);
    const bool differs = !(load == loads_[slot]);
    loads_[slot] = load;
    return differs;
  }

  // The residual of a body, summed anew: differences would gather round-off.
  void gather(int body) {
    const ContactScene scene = system_.world().scene();
    const int i = nodes_.row[body];
    Vector force = scene.grains.mass[i] * scene.settings.gravity, torque{};
    for (int e = scene.list.first[i]; e < scene.list.first[i + 1]; ++e) {
      const Load& load = loads_[scene.list.contacts[e] >> 1];
      const bool second = scene.list.contacts[e] & 1;
      force = second ? force - load.force : force + load.force;
      torque += second ? load.second : load.first;
    }
    const Real all[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    for (int c = 0; c < 6; ++c) residual_[body][c] = nodes_.free[body][c] && c < nodes_.stride() ? all[c] : 0;
  }

  StaticSystem& system_;
  const Nodes& nodes_;
  std::vector<Load> loads_;
  std::vector<std::array<Real, 6>> residual_;
  bool fell_ = false;
  Real gone_ = 0;  // [m] a bound on how far any body went since the last look
};

}  // namespace

RelaxationResult relax(RelaxationEquations& e, const RelaxationSettings& s, const OnIterate& on_iterate) {
  RelaxationResult result;
  ResidualTree tree(e.bodies());
  const auto take_all = [&] {
    for (int k = 0; k < e.bodies(); ++k) tree.set(k, e.residual2(k));
  };
  take_all();
  Iterate row{.updates = 0, .unbalance = e.look(), .residual = std::sqrt(tree.sum())};
  result.history.push_back(row);
  const auto ends = [&](Stop stop) {
    row.updates = result.updates, row.residual = std::sqrt(tree.sum());
    if (row.updates > result.history.back().updates) result.history.push_back(row);
    result.stop = stop;
    return result;
  };
  const std::int64_t round = e.bodies();
  std::int64_t next_look = round, spacing = round;
  std::vector<int> changed;
  Real farthest = 0, last_farthest = std::numeric_limits<Real>::infinity();
  for (int next = 0;;) {
    if (s.residual > 0 && std::sqrt(tree.sum()) < s.residual) return ends(Stop::residual);
    if (s.unbalance > 0 && row.unbalance <= s.unbalance) return ends(Stop::residual);
    if (result.updates >= s.most_updates) return ends(Stop::most_iterations);
    const int body = s.order == RelaxationOrder::southwell ? tree.largest() : next;
    next = next + 1 < e.bodies() ? next + 1 : 0;
    farthest = std::max(farthest, e.update(body, changed));
    for (const int k : changed) tree.set(k, e.residual2(k));
    ++result.updates;
    const bool looks = result.updates >= next_look;
    if (!looks && !e.wants_look()) continue;
    row.unbalance = e.look();
    take_all();
    if (!looks) continue;
    // Ever fewer looks, as convergence is slow: a hundredth more updates each.
    spacing = std::max(round, result.updates / 100);
    next_look = result.updates + spacing;
    row.updates = result.updates, row.residual = std::sqrt(tree.sum()), row.displacement = farthest;
    result.history.push_back(row);
    if (!std::isfinite(row.residual)) return ends(Stop::stalled);
    if (s.displacement > 0 && std::max(farthest, last_farthest) <= s.displacement) return ends(Stop::displacement);
    last_farthest = std::exchange(farthest, 0);
    if (on_iterate && !on_iterate(row)) return ends(Stop::interrupted);
  }
}

RelaxationResult relax(StaticSystem& system, const RelaxationSettings& settings, const OnIterate& on_iterate) {
  ContactRelaxation equations(system);
  return relax(static_cast<RelaxationEquations&>(equations), settings, on_iterate);
}

LinearRelaxation::LinearRelaxation(const ContactTangent& tangent, const Nodes& nodes, std::vector<Real> f)
    : tangent_(tangent),
      nodes_(nodes),
      f_(std::move(f)),
      u_(f_.size(), 0.0),
      residual_(f_),
      own_(tangent.diagonal(1)) {}

Real LinearRelaxation::residual2(int body) const {
  const int stride = nodes_.stride();
  Real sum = 0;
  for (int c = 0; c < stride; ++c) sum += residual_[body * stride + c] * residual_[body * stride + c];
  return sum;
}

Real LinearRelaxation::update(int body, std::vector<int>& changed) {
  const int stride = nodes_.stride(), size = tangent_.size();
  const std::array<Real, 6> by = balanced(&own_[body * stride * stride], &residual_[body * stride], stride);
  for (int c = 0; c < stride; ++c) u_[body * stride + c] += by[c];
  changed.assign(1, body);
  for (const ContactTangent::End& e : tangent_.ends(body)) {
    const auto& c = tangent_.contacts()[e.contact];
    if (const int other = e.second ? c.first : c.second; other >= 0) changed.push_back(other);
  }
  // Summed anew, contact by contact.
  for (const int k : changed) {
    for (int r = 0; r < stride; ++r) residual_[k * stride + r] = f_[k * stride + r];
    for (const ContactTangent::End& e : tangent_.ends(k)) {
      const auto& c = tangent_.contacts()[e.contact];
      const std::span<const Real> b = tangent_.block(e.contact);
      std::array<Real, 9> strain{};
      for (int l = 0; l < 3; ++l) strain[l] = u_[c.first * stride + l] - (c.second < 0 ? 0 : u_[c.second * stride + l]);
      for (int l = 3; l < stride; ++l) {
        strain[l] = u_[c.first * stride + l];
        strain[3 + l] = c.second < 0 ? 0 : u_[c.second * stride + l];
      }
      for (int r = 0; r < stride; ++r) {
        const int row = e.second && r >= 3 ? r + 3 : r;
        Real sum = 0;
        for (int l = 0; l < size; ++l) sum += b[row * size + l] * strain[l];
        residual_[k * stride + r] += e.second && r < 3 ? -sum : sum;
      }
    }
  }
  return norm(Vector{by[0], by[1], by[2]});
}

}  // namespace cairn::statics
