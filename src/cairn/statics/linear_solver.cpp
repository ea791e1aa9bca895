#include "cairn/statics/linear_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cairn/core/parallel.hpp"
#include "cairn/world/sparse.hpp"

namespace cairn::statics {
namespace {

// With fewer unknowns a direct solution is the faster one; along a line the factors have no fill at all.
constexpr std::size_t few_unknowns = 3000, few_on_a_line = 1'000'000;

// out += c a
void add_to(std::vector<Real>& out, Real c, const std::vector<Real>& a, int threads) {
  for_blocks(
      threads, static_cast<std::ptrdiff_t>(out.size()), 4096,
      [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
        for (auto i = begin; i < end; ++i) out[i] += c * a[i];
      },
      16384);
}

// The inverse of K + shift M of each body alone. Where forces have a potential it is that of L D L^T with pivots of at
// least a hundredth of the largest, as conjugate gradients need it. With friction it is exact, however small a pivot
// is: a grain pinched between two others turns about the line between its contacts with a stiffness that is a millionth
// of the others, and its block alone holds this motion.
class BodyBlocks {
 public:
  BodyBlocks(const ContactTangent& tangent, const Nodes& nodes, Real shift, int threads)
      : stride_(nodes.stride()), threads_(threads), inverses_(tangent.diagonal(threads)) {
    const std::size_t block = static_cast<std::size_t>(stride_) * stride_;
    for_blocks(threads, nodes.count(), 256, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
      for (auto k = begin; k < end; ++k) {
        Real* const a = &inverses_[k * block];
        Real largest = 0;
        for (int c = 0; c < stride_; ++c) {
          if (!nodes.free[k][c]) continue;
          a[c * stride_ + c] += shift * (c < 3 || k >= nodes.grains ? nodes.mass[k] : nodes.inertia[k]);
          largest = std::max(largest, a[c * stride_ + c]);
        }
        if (largest == 0) largest = tangent.stiffest() * nodes.mass[k];
        if (largest == 0) largest = 1;
        if (nodes.symmetric)
          invert_symmetric(a, largest);
        else
          invert(a, largest);
      }
    });
  }

  void apply(const std::vector<Real>& r, std::vector<Real>& z) const {
    z.resize(r.size());
    const auto count = static_cast<std::ptrdiff_t>(r.size()) / stride_;
    for_blocks(threads_, count, 1024, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
      for (auto k = begin; k < end; ++k) {
        const Real* const a = &inverses_[k * stride_ * stride_];
        for (int i = 0; i < stride_; ++i) {
          Real sum = 0;
          for (int j = 0; j < stride_; ++j) sum += a[i * stride_ + j] * r[k * stride_ + j];
          z[k * stride_ + i] = sum;
        }
      }
    });
  }

 private:
  using Square = std::array<std::array<Real, 6>, 6>;

  // By L D L^T of the symmetric part.
  void invert_symmetric(Real* a, Real largest) const {
    constexpr Real least = 1e-2;  // [-] pivot
    Square l{};
    std::array<Real, 6> d{};
    for (int j = 0; j < stride_; ++j) {
      for (int i = j; i < stride_; ++i) {
        Real sum = 0.5 * (a[i * stride_ + j] + a[j * stride_ + i]);
        for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k] * d[k];
        if (i == j)
          d[j] = std::max(sum, least * largest), l[j][j] = 1;
        else
          l[i][j] = sum / d[j];
      }
    }
    for (int column = 0; column < stride_; ++column) {
      std::array<Real, 6> x{};
      x[column] = 1;
      for (int i = 0; i < stride_; ++i)
        for (int j = 0; j < i; ++j) x[i] -= l[i][j] * x[j];
      for (int i = 0; i < stride_; ++i) x[i] /= d[i];
      for (int i = stride_ - 1; i >= 0; --i)
        for (int j = i + 1; j < stride_; ++j) x[i] -= l[j][i] * x[j];
      for (int i = 0; i < stride_; ++i) a[i * stride_ + column] = x[i];
    }
  }

  // By elimination with row pivots; those that are almost nothing, where a body has too few contacts, are raised.
  void invert(Real* a, Real largest) const {
    constexpr Real least = 1e-8;  // [-] pivot
    Square m{}, inverse{};
    for (int i = 0; i < stride_; ++i) {
      inverse[i][i] = 1;
      for (int j = 0; j < stride_; ++j) m[i][j] = a[i * stride_ + j];
    }
    for (int i = 0; i < stride_; ++i) {
      int best = i;
      for (int r = i + 1; r < stride_; ++r)
        if (std::fabs(m[r][i]) > std::fabs(m[best][i])) best = r;
      std::swap(m[i], m[best]), std::swap(inverse[i], inverse[best]);
      if (!(std::fabs(m[i][i]) >= least * largest)) m[i][i] = std::copysign(least * largest, m[i][i]);
      for (int r = 0; r < stride_; ++r) {
        const Real by = m[r][i] / m[i][i];
        if (r == i || by == 0) continue;
        for (int c = 0; c < stride_; ++c) m[r][c] -= by * m[i][c], inverse[r][c] -= by * inverse[i][c];
      }
    }
    for (int i = 0; i < stride_; ++i)
      for (int j = 0; j < stride_; ++j) a[i * stride_ + j] = inverse[i][j] / m[i][i];
  }

  int stride_, threads_;
  std::vector<Real> inverses_;
};

// Steihaug's truncated method (SIAM J. Numer. Anal. 20 (1983) 626): where the curvature along a direction is not
// positive, the solution so far is what there is.
LinearSolution conjugate_gradients(const ContactTangent& k, const Nodes& nodes, std::span<const Real> right, Real shift,
                                   const LinearSettings& s, std::vector<Real>& x) {
  LinearSolution of;
  const BodyBlocks blocks(k, nodes, shift, s.threads);
  std::vector<Real> r(right.begin(), right.end()), z, p, kp;
  x.assign(right.size(), 0.0);
  const Real whole = std::sqrt(inner_product(r, r, s.threads));
  if (whole == 0) return of;
  blocks.apply(r, z);
  p = z;
  Real rz = inner_product(r, z, s.threads);
  Real best = whole;
  for (; of.iterations < s.most_iterations; ++of.iterations) {
    k.apply(p, shift, kp, s.threads);
    const Real curvature = inner_product(p, kp, s.threads);
    if (!(curvature > 0)) {
      of.indefinite = true;
      of.singular = of.iterations == 0;
      return of;
    }
    const Real alpha = rz / curvature;
    add_to(x, alpha, p, s.threads), add_to(r, -alpha, kp, s.threads);
    const Real left = std::sqrt(inner_product(r, r, s.threads));
    best = std::min(best, left);
    if (left <= s.tolerance * whole) break;
    blocks.apply(r, z);
    const Real next = inner_product(r, z, s.threads), beta = next / rz;
    rz = next;
    for_blocks(
        s.threads, static_cast<std::ptrdiff_t>(p.size()), 4096,
        [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
          for (auto i = begin; i < end; ++i) p[i] = z[i] + beta * p[i];
        },
        16384);
  }
  return of;
}

// van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631, preconditioned from the right. Returns the best it met.
LinearSolution bicgstab(const ContactTangent& k, const Nodes& nodes, std::span<const Real> right, Real shift,
                        const LinearSettings& s, std::vector<Real>& x) {
  LinearSolution of;
  const BodyBlocks blocks(k, nodes, shift, s.threads);
  std::vector<Real> r(right.begin(), right.end()), p = r, v, y, z, t;
  const std::vector<Real> first = r;
  x.assign(right.size(), 0.0);
  std::vector<Real> best = x;
  const Real whole = std::sqrt(inner_product(r, r, s.threads));
  if (whole == 0) return of;
  Real rho = whole * whole, least = whole;
  while (of.iterations < s.most_iterations) {
    blocks.apply(p, y);
    k.apply(y, shift, v, s.threads);
    const Real along = inner_product(first, v, s.threads);
    if (along == 0 || !std::isfinite(along)) break;
    const Real alpha = rho / along;
    add_to(x, alpha, y, s.threads), add_to(r, -alpha, v, s.threads);
    blocks.apply(r, z);
    k.apply(z, shift, t, s.threads);
    of.iterations += 2;
    const Real tt = inner_product(t, t, s.threads), omega = tt > 0 ? inner_product(t, r, s.threads) / tt : 0;
    add_to(x, omega, z, s.threads), add_to(r, -omega, t, s.threads);
    const Real left = std::sqrt(inner_product(r, r, s.threads));
    if (left < least) least = left, best = x;
    if (left <= s.tolerance * whole || !std::isfinite(left) || omega == 0) break;
    const Real next = inner_product(first, r, s.threads), beta = next / rho * (alpha / omega);
    if (next == 0) break;
    rho = next;
    add_to(p, -omega, v, s.threads);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = r[i] + beta * p[i];
  }
  x = std::move(best);
  of.singular = !(least < 0.9 * whole);
  of.indefinite = !(least < 0.5 * whole);
  return of;
}

// Whether a solution leaves almost nothing of the right side.
bool fulfilled(const SparseEquations& equations, const std::vector<Real>& u) {
  std::vector<Real> off = equations.right;
  for (const auto& e : equations.entries) off[e.row] -= e.value * u[e.column];
  return std::sqrt(inner_product(off, off, 1)) <= 1e-8 * std::sqrt(inner_product(equations.right, equations.right, 1));
}

bool solve_directly(const ContactTangent& k, const Nodes& nodes, std::span<const Real> right, Real shift,
                    LinearSolution& of, std::vector<Real>& x) {
  const int stride = nodes.stride(), size = k.size();
  std::vector<int> number(nodes.unknowns(), -1);
  int unknowns = 0;
  for (int b = 0; b < nodes.count(); ++b)
    for (int c = 0; c < stride; ++c)
      if (nodes.free[b][c]) number[b * stride + c] = unknowns++;
  SparseEquations equations{.entries = {}, .right = std::vector<Real>(unknowns)};
  for (int b = 0; b < nodes.count(); ++b)
    for (int c = 0; c < stride; ++c)
      if (const int at = number[b * stride + c]; at >= 0)
        equations.entries.push_back({at, at, shift * (c < 3 || b >= nodes.grains ? nodes.mass[b] : nodes.inertia[b])});
  for (std::size_t n = 0; n < k.contacts().size(); ++n) {
    const ContactTangent::Contact& c = k.contacts()[n];
    const std::span<const Real> block = k.block(n);
    // Places of the displacement of either body and of both rotations among the rows of the block.
    const auto place = [&](int body, int row) { return body < 0 ? -1 : number[body * stride + row]; };
    const auto put = [&](int row, int column, Real value) {
      if (row >= 0 && column >= 0 && value != 0) equations.entries.push_back({row, column, -value});
    };
    for (int r = 0; r < size; ++r)
      for (int l = 0; l < size; ++l) {
        const Real value = block[r * size + l];
        if (r < 3 && l < 3) {
          put(place(c.first, r), place(c.first, l), value), put(place(c.first, r), place(c.second, l), -value);
          put(place(c.second, r), place(c.first, l), -value), put(place(c.second, r), place(c.second, l), value);
        } else if (r < 3) {
          const int column = l < 6 ? place(c.first, l) : place(c.second, l - 3);
          put(place(c.first, r), column, value), put(place(c.second, r), column, -value);
        } else {
          const int row = r < 6 ? place(c.first, r) : place(c.second, r - 3);
          if (l < 3)
            put(row, place(c.first, l), value), put(row, place(c.second, l), -value);
          else
            put(row, l < 6 ? place(c.first, l) : place(c.second, l - 3), value);
        }
      }
  }
  for (std::size_t i = 0; i < number.size(); ++i)
    if (number[i] >= 0) equations.right[number[i]] = right[i];
  constexpr Real least_pivot = 1e-12;
  // Overlaps are small beside positions, hence the refinement.
  const std::vector<Real> u = nodes.symmetric ? solved_symmetric(equations, least_pivot) : solved(equations);
  if (u.empty() || !std::all_of(u.begin(), u.end(), [](Real a) { return std::isfinite(a); })) return false;
  if (!nodes.symmetric && !fulfilled(equations, u)) return false;
  x.assign(number.size(), 0.0);
  for (std::size_t i = 0; i < number.size(); ++i)
    if (number[i] >= 0) x[i] = u[number[i]];
  of = {};
  return true;
}

}  // namespace

LinearSolution solve_linear(const ContactTangent& tangent, const Nodes& nodes, std::span<const Real> right, Real shift,
                            const LinearSettings& s, std::vector<Real>& x) {
  LinearSolution of;
  const bool few = nodes.unknowns() <= (nodes.dimension == 1 ? few_on_a_line : few_unknowns);
  if (s.method == LinearMethod::direct || (s.method == LinearMethod::automatic && few)) {
    if (solve_directly(tangent, nodes, right, shift, of, x)) return of;
    if (s.method == LinearMethod::direct) {
      of.singular = true;
      return of;
    }
  }
  of = nodes.symmetric ? conjugate_gradients(tangent, nodes, right, shift, s, x)
                       : bicgstab(tangent, nodes, right, shift, s, x);
  return of;
}

}  // namespace cairn::statics
