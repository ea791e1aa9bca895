#include "cairn/analysis/linearised_map.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/analysis/eigenvalues.hpp"
#include "cairn/core/error.hpp"

namespace cairn {
namespace {

constexpr Real round_off = 1e-8;  // of the spectral radius

}  // namespace

toys::LinearBodies linear_bodies(const ContactNetwork& network) {
  return {network.size(), [&network, forces = ContactNetwork::Motion(), dashpots = ContactNetwork::Motion()](
                              const auto& x, const auto& v, auto& a) mutable {
            network.apply(1, 0, x, forces), network.apply(0, 1, v, dashpots);
            for (std::size_t i = 0; i < a.size(); ++i) a[i] = -forces[i] - dashpots[i];
          }};
}

LinearisedMap::LinearisedMap(const toys::ToyScheme& scheme, const ContactNetwork& network)
    : network_(network), scheme_(scheme), toy_(linear_bodies(network)) {}

void LinearisedMap::step(Real h) {
  toy_.controller() = {.tolerance = 1e300};  // adaptive schemes take every step
  scheme_.advance(toy_, h);
}

// Everything that persists from step to step.
std::vector<BodyRows*> LinearisedMap::kept() {
  std::vector<BodyRows*> all{&toy_.state().body, &toy_.current_rate().body};
  for (int i = 0; i < toy_.memories(); ++i) all.push_back(&toy_.memory(i).body);
  for (BodyRows* rows : all) rows->resize(network_.size());
  return all;
}

// Velocities are times h, rates and memories of rates times h and h^2, so that all numbers are of one size.
void LinearisedMap::put(const Column& from, Real h) {
  std::size_t at = 0;
  const auto all = kept();
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const int row : {BodyRow::x, BodyRow::v}) {
      const Real unit = (k > 0 ? 1 / h : 1) * (row == BodyRow::v ? 1 / h : 1);
      for (int i = 0; i < network_.size(); ++i, at += 3)
        all[k]->set(row, i, unit * Vector{from[at], from[at + 1], from[at + 2]});
    }
}

LinearisedMap::Column LinearisedMap::take(Real h) {
  Column to;
  const auto all = kept();
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const int row : {BodyRow::x, BodyRow::v}) {
      const Real unit = (k > 0 ? h : 1) * (row == BodyRow::v ? h : 1);
      for (int i = 0; i < network_.size(); ++i) {
        const Vector a = unit * all[k]->at(row, i);
        to.insert(to.end(), {a.x, a.y, a.z});
      }
    }
  return to;
}

// A motion in every mode that strains contacts, whose memories are those of the scheme itself.
void LinearisedMap::begin(Real h) {
  constexpr int start = 8;  // longer than any start-up; zeros stay zeros
  for (BodyRows* rows : kept())
    for (const int row : {BodyRow::x, BodyRow::v})
      for (int i = 0; i < network_.size(); ++i) rows->set(row, i, {});
  for (int k = 0; k < start; ++k) step(h);
  const ContactNetwork::Motion x = network_.any_motion();
  for (int i = 0; i < network_.size(); ++i) {
    toy_.state().body.set(BodyRow::x, i, x[i]);
    toy_.state().body.set(BodyRow::v, i, (0.5 / h) * x[i]);
  }
  for (int k = 0; k < start; ++k) step(h);
}

LinearisedMap::Radius LinearisedMap::spectral_radius(Real h) {
  constexpr int most = 120, every = 40, decaying = 400;
  constexpr Real nothing = 1e-9, close = 1e-9, enough = 1e-3;
  constexpr Real condition = 1e3;  // of an eigenvalue, by which its error exceeds the residual
  Radius found;
  try {
    begin(h);
    using Map = Eigen::Map<Eigen::VectorXd>;
    const auto as_vector = [](Column& a) { return Map(a.data(), static_cast<Eigen::Index>(a.size())); };
    std::vector<Column> basis{take(h)};
    // Steps leave little of all that decays, and few motions that the method has to tell apart. Only a little less is
    // left of the rounding of rigid motions, so that the rest must not decay far.
    const Real first = as_vector(basis[0]).norm();
    for (int k = 0; k < decaying && as_vector(basis[0]).norm() > enough * first; ++k) {
      step(h);
      ++found.steps;
      basis[0] = take(h);
    }
    const Real length = as_vector(basis[0]).norm();
    if (!(length > 0)) return found;
    if (!std::isfinite(length)) return {.value = std::numeric_limits<Real>::infinity(), .grows = true};
    as_vector(basis[0]) /= length;
    Eigen::MatrixXd projected = Eigen::MatrixXd::Zero(most + 1, most);
    for (int n = 1; n <= most; ++n) {
      put(basis[n - 1], h);
      step(h);
      Column next = take(h);
      ++found.steps;
      for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < n; ++k) {
          const Real along = as_vector(basis[k]).dot(as_vector(next));
          as_vector(next) -= along * as_vector(basis[k]);
          projected(k, n - 1) += along;
        }
      const Real beyond = as_vector(next).norm();
      projected(n, n - 1) = beyond;
      const bool exhausted = !(beyond > nothing);
      if (exhausted || n % every == 0 || n == most) {
        const Eigen::MatrixXd square = projected.topLeftCorner(n, n);
        const Eigenpair largest = dominant_eigenpair({square.data(), static_cast<std::size_t>(square.size())});
        if (largest.vector.empty()) throw Error(Exit::guard, "eigenvalues of a map that is not finite");
        const auto y = Eigen::Map<const Eigen::VectorXcd>(largest.vector.data(), n);
        found.value = std::abs(largest.value);
        found.residual = beyond * std::abs(y[n - 1]) / y.norm();
        found.grows = found.value > 1 + round_off + condition * found.residual;
        if (exhausted || found.grows || found.residual < close) return found;
      }
      as_vector(next) /= beyond;
      basis.push_back(std::move(next));
    }
  } catch (const Error&) {  // an iteration that does not converge
    return {.value = std::numeric_limits<Real>::infinity(), .grows = true, .steps = found.steps};
  }
  return found;
}

Real LinearisedMap::limit(Real forecast) {
  constexpr Real precise = 5e-4, farthest = 10;
  Real low = forecast, high = forecast;
  if (spectral_radius(forecast).grows) {
    for (Real factor = 0.01; spectral_radius(low).grows; factor *= 2) {
      high = low, low *= 1 - std::min(factor, 0.5);
      if (low < forecast / farthest) return 0;
    }
  } else {
    for (Real factor = 0.01; !spectral_radius(high).grows; factor = std::min(2 * factor, 0.2)) {
      low = high, high *= 1 + factor;
      if (high > farthest * forecast) return std::numeric_limits<Real>::infinity();
    }
  }
  while (high - low > precise * low) {
    const Real middle = 0.5 * (low + high);
    (spectral_radius(middle).grows ? high : low) = middle;
  }
  return low;
}

Real LinearisedMap::growth(Real h, int steps) {
  constexpr Real large = 1e100;
  begin(h);
  Real scale = 1, first = 0, second = 0;
  for (int k = 0; k < steps; ++k) {
    step(h);
    Column all = take(h);
    Real sum = 0;
    for (const Real a : all) sum += a * a;
    const Real size = std::sqrt(sum);
    Real& most = 2 * k < steps ? first : second;
    most = std::max(most, scale * size);
    if (!std::isfinite(most)) return std::numeric_limits<Real>::infinity();
    if (size < large) continue;
    for (Real& a : all) a /= size;
    scale *= size;
    put(all, h);
  }
  return second / first;
}

}  // namespace cairn
