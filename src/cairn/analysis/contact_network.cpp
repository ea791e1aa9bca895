#include "cairn/analysis/contact_network.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "cairn/core/parallel.hpp"

namespace cairn {
namespace {

constexpr int block = 512;  // nodes, or vectors of a sum

// The eigenvectors of a small symmetric matrix as columns of `vectors`, with eigenvalues on the diagonal of `a`: cyclic
// rotations of Jacobi.
struct Square {
  int n;
  std::vector<Real> entries = std::vector<Real>(static_cast<std::size_t>(n) * n, 0.0);
  Real& operator()(int i, int j) { return entries[static_cast<std::size_t>(i) * n + j]; }
};
Square diagonalise(Square& a, int n) {
  Square vectors{n};
  for (int i = 0; i < n; ++i) vectors(i, i) = 1;
  constexpr int most_sweeps = 30;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    Real off = 0, on = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) (i == j ? on : off) += a(i, j) * a(i, j);
    if (!(off > 1e-28 * on)) break;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        if (a(p, q) == 0) continue;
        const Real theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const Real t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const Real c = 1 / std::sqrt(t * t + 1), s = t * c;
        const auto rotate = [&](Real& x, Real& y) {
          const Real old = x;
          x = c * old - s * y, y = s * old + c * y;
        };
        for (int k = 0; k < n; ++k) rotate(a(k, p), a(k, q));
        for (int k = 0; k < n; ++k) rotate(a(p, k), a(q, k));
        for (int k = 0; k < n; ++k) rotate(vectors(k, p), vectors(k, q));
      }
  }
  return vectors;
}

}  // namespace

ContactNetwork::ContactNetwork(const Particles& grains, std::vector<LiveContact> contacts,
                               std::span<const LoadedWall> walls, int threads)
    : contacts_(std::move(contacts)), walls_(walls.begin(), walls.end()), threads_(threads) {
  std::stable_sort(contacts_.begin(), contacts_.end(), [](const LiveContact& a, const LiveContact& b) {
    return std::tie(a.ids, a.n.x, a.n.y, a.n.z) < std::tie(b.ids, b.n.x, b.n.y, b.n.z);
  });
  std::vector<int> node(grains.size(), -1);
  for (const LiveContact& c : contacts_) {
    node[c.i] = 0;
    if (c.j >= 0) node[c.j] = 0;
  }
  for (const int i : grains.by_id()) {
    if (node[i] < 0) continue;
    node[i] = static_cast<int>(rows_.size());
    rows_.push_back(i), ids_.push_back(grains.id[i]);
    root_.push_back(std::sqrt(grains.inverse_mass[i])), root_.push_back(std::sqrt(grains.inverse_inertia[i]));
  }
  for (const LoadedWall& wall : walls_) root_.push_back(1 / std::sqrt(wall.mass));
  const int nodes = static_cast<int>(rows_.size() + walls_.size());
  first_.assign(nodes + 1, 0);
  for (const LiveContact& c : contacts_) {
    int second = c.j >= 0 ? node[c.j] : -1;
    for (std::size_t k = 0; c.j < 0 && k < walls_.size(); ++k)
      if (c.ids[1] == -1 - walls_[k].wall) second = static_cast<int>(rows_.size() + k);
    nodes_.push_back({node[c.i], second});
    ++first_[node[c.i] + 1];
    if (second >= 0) ++first_[second + 1];
  }
  for (int k = 0; k < nodes; ++k) first_[k + 1] += first_[k];
  ends_.resize(first_[nodes]);
  std::vector<int> at(first_.begin(), first_.end() - 1);
  for (int c = 0; c < static_cast<int>(contacts_.size()); ++c) {
    ends_[at[nodes_[c][0]]++] = {c, false};
    if (nodes_[c][1] >= 0) ends_[at[nodes_[c][1]]++] = {c, true};
  }
}

ContactRates ContactNetwork::mixed(const LiveContact& c, Real stiffness, Real damping) const {
  const ContactRates &k = c.of.stiffness, &d = c.of.damping;
  const auto mix = [&](Real a, Real b) { return stiffness * a + damping * b; };
  return {mix(k.normal, d.normal), mix(k.tangential, d.tangential), mix(k.rolling, d.rolling),
          mix(k.twisting, d.twisting)};
}

// Of the motion of the nodes a and b. A wall translates only.
ContactNetwork::Strain ContactNetwork::strain(const LiveContact& c, int a, int b, const Motion& q) const {
  const int grains = static_cast<int>(rows_.size());
  const Vector wi = root_[2 * a + 1] * q[2 * a + 1];
  Vector v = root_[2 * a] * q[2 * a], spin = c.lever_i * wi, turn = wi;
  if (b >= grains) {
    const int at = grains + b;
    v -= root_[at] * walls_[b - grains].along_free(q[at]);
  } else if (b >= 0) {
    const Vector wj = root_[2 * b + 1] * q[2 * b + 1];
    v -= root_[2 * b] * q[2 * b], spin += c.lever_j * wj, turn -= wj;
  }
  return {v + cross(spin, c.n), c.rolling_lever * turn};
}

Vector ContactNetwork::rolling(const LiveContact& c, const ContactRates& r, const Vector& turn) const {
  const Vector twist = dot(turn, c.n) * c.n;
  return r.rolling * (turn - twist) + r.twisting * twist;
}

void ContactNetwork::apply(Real stiffness, Real damping, const Motion& q, Motion& out) const {
  const int grains = static_cast<int>(rows_.size()), nodes = static_cast<int>(first_.size()) - 1;
  out.resize(q.size());
  for_blocks(threads_, nodes, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (int node = static_cast<int>(begin); node < end; ++node) {
      Vector force{}, torque{};
      for (int e = first_[node]; e < first_[node + 1]; ++e) {
        const LiveContact& c = contacts_[ends_[e].contact];
        const auto& [a, b] = nodes_[ends_[e].contact];
        const ContactRates r = mixed(c, stiffness, damping);
        const Strain s = strain(c, a, b, q);
        const Vector stretch = dot(s.slip, c.n) * c.n, shear = r.tangential * (s.slip - stretch);
        const Vector push = r.normal * stretch + shear, couple = c.rolling_lever * rolling(c, r, s.turn);
        if (ends_[e].second)
          force -= push, torque += c.lever_j * cross(c.n, shear) - couple;
        else
          force += push, torque += c.lever_i * cross(c.n, shear) + couple;
      }
      if (node < grains) {
        out[2 * node] = root_[2 * node] * force, out[2 * node + 1] = root_[2 * node + 1] * torque;
      } else {
        const LoadedWall& wall = walls_[node - grains];
        const int at = grains + node;
        out[at] = wall.along_free(root_[at] * force + (damping * wall.damping / wall.mass) * q[at]);
      }
    }
  });
}

Real ContactNetwork::inner_product(const Motion& a, const Motion& b) const {
  return inner_products({&a, 1}, b)[0];
}

std::vector<Real> ContactNetwork::inner_products(std::span<const Motion> some, const Motion& a) const {
  const std::ptrdiff_t n = std::ssize(a), count = std::ssize(some);
  std::vector<Real> of_blocks((n + block - 1) / block * count), sums(count);
  for_blocks(threads_, n, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t at) {
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      Real sum = 0;
      for (auto i = begin; i < end; ++i) sum += dot(some[k][i], a[i]);
      of_blocks[at * count + k] = sum;
    }
  });
  for (std::size_t at = 0; at < of_blocks.size(); ++at) sums[at % sums.size()] += of_blocks[at];
  return sums;
}

void ContactNetwork::add(std::span<const Real> c, std::span<const Motion> some, Motion& out) const {
  for_blocks(threads_, std::ssize(out), block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (std::size_t k = 0; k < some.size(); ++k)
      for (auto i = begin; i < end; ++i) out[i] += c[k] * some[k][i];
  });
}

ContactNetwork::Motion ContactNetwork::any_motion() const {
  Motion q(root_.size()), strained;
  const auto fill = [](std::uint64_t k, Vector& to) {
    for (Real* x : {&to.x, &to.y, &to.z}) {
      k += 0x9e3779b97f4a7c15ULL;
      std::uint64_t z = k;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL, z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL, z ^= z >> 31;
      *x = static_cast<Real>(z >> 11) * 0x1p-53 - 0.5;
    }
  };
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (int part = 0; part < 2; ++part) fill((2 * ids_[i] + part + 1) * 0x632be59bd9b4e019ULL, q[2 * i + part]);
  for (std::size_t k = 0; k < walls_.size(); ++k) {
    Vector& to = q[2 * rows_.size() + k];
    fill(~std::uint64_t{0} - 1000 * walls_[k].wall, to);
    to = walls_[k].along_free(to);
  }
  // Rigid motions strain nothing; a product with the matrix leaves them out.
  Real stiffest = 0, most_damped = 0;
  for (const LiveContact& c : contacts_) {
    stiffest = std::max({stiffest, c.of.stiffness.normal, c.of.stiffness.tangential});
    most_damped = std::max({most_damped, c.of.damping.normal, c.of.damping.tangential});
  }
  for (const LoadedWall& wall : walls_) most_damped = std::max(most_damped, wall.damping);
  apply(stiffest > 0 ? 1 / stiffest : 0, most_damped > 0 ? 1 / most_damped : 0, q, strained);
  const Real length = std::sqrt(inner_product(strained, strained));
  for (Vector& a : strained) a = (length > 0 ? 1 / length : 0) * a;
  return strained;
}

ContactNetwork::Place ContactNetwork::most_strained(Real stiffness, Real damping, const Motion& q) const {
  Place place;
  Real most = 0;
  for (int c = 0; c < static_cast<int>(contacts_.size()); ++c) {
    const ContactRates r = mixed(contacts_[c], stiffness, damping);
    const Strain s = strain(contacts_[c], nodes_[c][0], nodes_[c][1], q);
    const Real along = dot(s.slip, contacts_[c].n), across = dot(s.slip, s.slip) - along * along;
    const Real energy =
        r.normal * along * along + r.tangential * across + dot(s.turn, rolling(contacts_[c], r, s.turn));
    if (energy > most) most = energy, place.contact = c, place.ids = contacts_[c].ids;
  }
  Real farthest = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (const Real a = dot(q[2 * i], q[2 * i]) + dot(q[2 * i + 1], q[2 * i + 1]); a > farthest)
      farthest = a, place.grain = rows_[i];
  for (std::size_t k = 0; k < walls_.size(); ++k)
    if (const Vector& a = q[2 * rows_.size() + k]; dot(a, a) > farthest)
      farthest = dot(a, a), place.wall = static_cast<int>(k), place.grain = -1;
  return place;
}

RayleighQuotients rayleigh_quotients(const ContactNetwork& network, const ContactNetwork::Motion& q) {
  const Real length2 = network.inner_product(q, q);
  if (!(length2 > 0)) return {};
  ContactNetwork::Motion product;
  network.apply(1, 0, q, product);
  const Real stiffness = network.inner_product(q, product) / length2;
  network.apply(0, 1, q, product);
  return {stiffness, network.inner_product(q, product) / length2};
}

LargestEigenvalue largest_eigenvalue(const ContactNetwork& network, Real stiffness, Real damping, Real precision) {
  constexpr int most = 20, kept = 6, most_products = 1000;
  LargestEigenvalue found;
  std::vector<ContactNetwork::Motion> basis{network.any_motion()};
  if (!(network.inner_product(basis[0], basis[0]) > 0)) return found;
  Square projected{most};
  ContactNetwork::Motion product;
  for (;;) {
    const int n = static_cast<int>(basis.size());
    network.apply(stiffness, damping, basis.back(), product);
    ++found.products;
    for (int k = 0; k < n; ++k) projected(k, n - 1) = projected(n - 1, k) = 0;
    // A second time where little is left, for then the rounding of what was taken is a large part of it.
    Real beyond = 0, taken = 0;
    for (int pass = 0; pass < 2 && !(beyond > 0.01 * taken); ++pass) {
      std::vector<Real> along = network.inner_products(basis, product);
      taken = 0;
      for (int k = 0; k < n; ++k) {
        projected(k, n - 1) += along[k];
        if (k < n - 1) projected(n - 1, k) = projected(k, n - 1);
        taken = std::hypot(taken, along[k]), along[k] = -along[k];
      }
      network.add(along, basis, product);
      beyond = std::sqrt(network.inner_product(product, product));
    }
    Square values{n};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) values(i, j) = projected(i, j);
    Square vectors = diagonalise(values, n);
    std::vector<int> order(n);
    for (int k = 0; k < n; ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return values(a, a) > values(b, b); });
    const auto ritz_vector = [&](int k) {
      ContactNetwork::Motion sum(basis[0].size());
      std::vector<Real> parts(n);
      for (int i = 0; i < n; ++i) parts[i] = vectors(i, order[k]);
      network.add(parts, basis, sum);
      return sum;
    };
    found.value = values(order[0], order[0]);
    found.residual = beyond * std::fabs(vectors(n - 1, order[0]));
    if (!std::isfinite(found.value)) return {};
    const bool exhausted = !(beyond > 1e-13 * found.value) || found.products >= most_products;
    if (exhausted || found.residual <= precision * found.value) {
      found.mode = ritz_vector(0);
      return found;
    }
    for (Vector& a : product) a = (1 / beyond) * a;
    if (n == most) {
      std::vector<ContactNetwork::Motion> restarted;
      for (int k = 0; k < kept; ++k) restarted.push_back(ritz_vector(k));
      projected = Square{most};
      for (int k = 0; k < kept; ++k) projected(k, k) = values(order[k], order[k]);
      basis = std::move(restarted);
    }
    basis.push_back(product);
  }
}

}  // namespace cairn
