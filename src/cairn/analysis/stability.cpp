#include "cairn/analysis/stability.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>

#include "cairn/analysis/eigenvalues.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"

namespace cairn {
namespace {

constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr Real slack = stable_radius_slack;
constexpr Real negligible = 0.1;    // limits below count as none: of h omega and of h c / m, whichever is greater
constexpr Real farthest = 20;       // limits of h omega are sought up to here
constexpr Real finest = 0.005;      // of the steps of the search
constexpr Real near_circle = 0.75;  // magnitudes of roots that may leave the unit circle soon

// Rows and columns of what the motion reads, if only by way of others. The rest cannot make it grow, but zero rows
// would make the eigenvalues defective.
std::vector<int> read_by_motion(const Amplification& matrix) {
  std::vector<int> read{0, 1};
  for (std::size_t k = 0; k < read.size(); ++k)
    for (int column = 0; column < matrix.size; ++column)
      if (matrix(read[k], column) != 0 && std::find(read.begin(), read.end(), column) == read.end())
        read.push_back(column);
  return read;
}

// Parlett & Reinsch, Numer. Math. 13 (1969) 293: rows and columns of like size, by powers of two. Memories have other
// units than positions, and without this the rounding of the largest would hide the smallest.
void balance(Eigen::MatrixXd& a) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Eigen::Index k = 0; k < a.rows(); ++k) {
      const Real own = std::fabs(a(k, k));
      const Real row = a.row(k).cwiseAbs().sum() - own, column = a.col(k).cwiseAbs().sum() - own;
      if (!(row > 0) || !(column > 0)) continue;
      const Real scale = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (column * scale + row / scale >= 0.95 * (column + row)) continue;
      a.col(k) *= scale, a.row(k) /= scale;
      changed = true;
    }
  }
}

// None where the matrix is not finite.
Eigen::VectorXcd eigenvalues_of(const Amplification& matrix) {
  const std::vector<int> read = read_by_motion(matrix);
  const auto n = static_cast<Eigen::Index>(read.size());
  Eigen::MatrixXd a(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) a(i, j) = matrix(read[i], read[j]);
  if (!a.allFinite()) return {};
  balance(a);
  const auto of = [](const Eigen::MatrixXd& m) { return eigenvalues({m.data(), static_cast<std::size_t>(m.size())}); };
  std::vector<std::complex<Real>> found = of(a);
  if (found.empty()) found = of(a.transpose());  // where roots are double, rounding decides
  return Eigen::Map<const Eigen::VectorXcd>(found.data(), std::ssize(found));
}

Real radius_of(const Eigen::VectorXcd& roots) {
  return roots.size() > 0 ? roots.cwiseAbs().maxCoeff() : infinity;
}

// Of two roots near the unit circle: where they meet they may leave it.
Real closest(const Eigen::VectorXcd& roots) {
  Real least = infinity;
  for (Eigen::Index i = 0; i < roots.size(); ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (std::abs(roots[i]) > near_circle && std::abs(roots[j]) > near_circle)
        least = std::min(least, std::abs(roots[i] - roots[j]));
  return least;
}

class Search {
 public:
  Search(const std::function<Amplification(Real)>& matrix, Real zeta, Real fineness)
      : matrix_(matrix), scale_(std::max(1.0, 2 * zeta)), fineness_(fineness) {}

  // [-] h omega. The search itself is in h times the greater of omega and c / m, which strong damping leaves of
  // order 1.
  Real limit() const { return scaled_limit() / scale_; }

 private:
  Real scaled_limit() const {
    Sample before = at(pace(0)), last = before;
    if (!before.stable()) return 0;
    for (;;) {
      const Sample now = at(last.h + pace(last.h));
      if (!now.stable()) return end(last.h, now.h);
      if (last.radius > near_circle && last.radius > before.radius + noise && last.radius > now.radius + noise)
        if (const Real h = worst(before.h, now.h, [](const Sample& s) { return -s.radius; }); h > 0)
          return end(before.h, h);
      if (last.gap < before.gap && last.gap < now.gap)
        if (const Real h = worst(before.h, now.h, [](const Sample& s) { return s.gap; }); h > 0)
          return end(before.h, h);
      before = last, last = now;
      if (last.h > farthest * scale_) return infinity;
    }
  }

  struct Sample {
    Real h, radius, gap;
    bool stable() const { return radius <= 1 + slack; }
  };
  static constexpr Real noise = 1e-12;

  Real pace(Real h) const { return fineness_ * std::max(1.0, h); }

  Sample at(Real h) const {
    const Eigen::VectorXcd roots = eigenvalues_of(matrix_(h / scale_));
    return {h, radius_of(roots), closest(roots)};
  }

  // Instability may come and go between two samples: the radius has a peak there, or two roots meet. An unstable h near
  // the least of `badness` between low and high (golden section), or 0 if there is none.
  template <class Badness>
  Real worst(Real low, Real high, const Badness& badness) const {
    const Real golden = 0.5 * (std::sqrt(5.0) - 1);
    Sample left = at(high - golden * (high - low)), right = at(low + golden * (high - low));
    while (high - low > 1e-9) {
      if (!left.stable()) return left.h;
      if (!right.stable()) return right.h;
      if (badness(left) < badness(right)) {
        high = right.h, right = left, left = at(high - golden * (high - low));
      } else {
        low = left.h, left = right, right = at(low + golden * (high - low));
      }
    }
    return 0;
  }

  // Where the radius passes 1 between a stable and an unstable step.
  Real end(Real low, Real high) const {
    while (high - low > (fineness_ > finest ? 1e-3 * fineness_ : 1e-11)) {
      const Real middle = 0.5 * (low + high);
      (at(middle).stable() ? low : high) = middle;
    }
    return low < negligible ? 0 : std::round(1e8 * low) / 1e8;  // the slack leaves no more digits
  }

  const std::function<Amplification(Real)>& matrix_;
  const Real scale_, fineness_;
};

}  // namespace

Amplifier::Amplifier(const toys::ToyScheme& scheme, Real zeta)
    : scheme_(scheme), toy_(toys::Oscillator{.stiffness = 1, .damping = 2 * zeta}) {
  constexpr int start = 8;  // longer than any start-up; zeros stay zeros
  for (int k = 0; k < start; ++k) step(1);
}

Amplification Amplifier::operator()(Real h_omega) {
  Amplification matrix(static_cast<int>(kept().size()));
  try {
    step(h_omega);                                          // schemes that remember go over to this step
    for (int first = 0; first < matrix.size; first += 3) {  // a column in each direction of space
      const auto before = kept();
      for (int k = 0; k < matrix.size; ++k)
        for (int d = 0; d < 3; ++d) value(before[k], d) = k == first + d;
      step(h_omega);
      const auto after = kept();  // schemes may exchange their memories
      for (int k = 0; k < matrix.size; ++k)
        for (int d = 0; d < 3 && first + d < matrix.size; ++d) matrix(k, first + d) = value(after[k], d);
    }
  } catch (const Error&) {
    matrix.entries.assign(matrix.entries.size(), nan);
  }
  return matrix;
}

std::vector<Amplifier::BodyPart> Amplifier::kept() {
  std::vector<BodyPart> all;
  const auto keep = [&](State& y) {
    y.body.resize(1);
    for (const int row : {BodyRow::x, BodyRow::v}) all.push_back({&y.body, row});
  };
  keep(toy_.state()), keep(toy_.current_rate());
  for (int i = 0; i < memories(); ++i) keep(toy_.memory(i));
  return all;
}

void Amplifier::step(Real h) {
  toy_.controller() = {.tolerance = 1e300};
  scheme_.advance(toy_, h);
}

Real spectral_radius(const Amplification& matrix) {
  return radius_of(eigenvalues_of(matrix));
}

Real phase_error(const Amplification& matrix, Real h_omega, Real zeta) {
  using Complex = std::complex<Real>;
  const Complex exact = std::exp(h_omega * (std::sqrt(Complex(zeta * zeta - 1)) - zeta));
  Real nearest = infinity, error = infinity;
  for (const Complex& root : eigenvalues_of(matrix)) {
    const Real off = std::abs(root - exact);
    if (!(off < nearest)) continue;
    nearest = off, error = std::fabs(std::arg(root) - std::arg(exact)) / h_omega;
  }
  return error;
}

Real stability_limit(const std::function<Amplification(Real h_omega)>& matrix, Real zeta) {
  return Search(matrix, zeta, finest).limit();
}

Real rough_stability_limit(const std::function<Amplification(Real h_omega)>& matrix, Real zeta) {
  return Search(matrix, zeta, 10 * finest).limit();
}

Real spectral_radius(const toys::ToyScheme& scheme, Real h_omega, Real zeta) {
  return spectral_radius(Amplifier(scheme, zeta)(h_omega));
}

Real stability_limit(const toys::ToyScheme& scheme, Real zeta) {
  Amplifier amplifier(scheme, zeta);
  return stability_limit([&](Real h_omega) { return amplifier(h_omega); }, zeta);
}

Real rough_stability_limit(const toys::ToyScheme& scheme, Real zeta) {
  Amplifier amplifier(scheme, zeta);
  return rough_stability_limit([&](Real h_omega) { return amplifier(h_omega); }, zeta);
}

}  // namespace cairn
