#include "cairn/statics/newton.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "cairn/core/parallel.hpp"

namespace cairn::statics {

std::string in_words(Stop stop) {
  switch (stop) {
    case Stop::residual:
      return "the residual force is within its tolerance";
    case Stop::displacement:
      return "the last change of positions is within its tolerance";
    case Stop::cycle:
      return "the iteration repeats a cycle";
    case Stop::singular:
      return "the tangent stiffness is singular";
    case Stop::stalled:
      return "no step reduces the residual force any further";
    case Stop::most_iterations:
      return "the limit of iterations is reached";
    case Stop::interrupted:
      return "interrupted";
    case Stop::falls:
      return "the grains fall, because forces pull them and they touch nothing";
  }
  return "";
}

Real inner_product(std::span<const Real> a, std::span<const Real> b, int threads) {
  constexpr std::ptrdiff_t block = 4096;
  const auto n = static_cast<std::ptrdiff_t>(a.size());
  std::vector<Real> sums((n + block - 1) / block, 0.0);
  for_blocks(
      threads, n, block,
      [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t at) {
        for (auto i = begin; i < end; ++i) sums[at] += a[i] * b[i];
      },
      4 * block);
  Real sum = 0;
  for (const Real part : sums) sum += part;
  return sum;
}

namespace {

// Looks for iterates that come back: the last p steps add up to nothing while the residual repeats.
class CycleWatch {
 public:
  // The period of the cycle that this step of share du, to a residual of this length, completes; 0: none.
  int period_with(const std::vector<Real>& du, Real share, Real residual) {
    constexpr std::size_t longest = 6;
    constexpr Real same = 1e-9;
    steps_.push_front({du, share, residual});
    if (steps_.size() > 2 * longest) steps_.pop_back();
    for (std::size_t p = 2; p <= longest && 2 * p <= steps_.size(); ++p) {
      bool repeats = residual > 0;
      for (std::size_t k = 0; k < p && repeats; ++k)
        repeats = std::fabs(steps_[k].residual - steps_[k + p].residual) <= same * residual;
      if (repeats && returns(p, same)) return static_cast<int>(p);
    }
    return 0;
  }

 private:
  struct Step {
    std::vector<Real> du;
    Real share, residual;
  };
  bool returns(std::size_t p, Real same) const {
    Real farthest = 0, left = 0;
    for (std::size_t i = 0; i < steps_[0].du.size(); ++i) {
      Real sum = 0;
      for (std::size_t k = 0; k < p; ++k) {
        const Real by = steps_[k].share * steps_[k].du[i];
        sum += by, farthest = std::max(farthest, std::fabs(by));
      }
      left = std::max(left, std::fabs(sum));
    }
    return farthest > 0 && left <= 1e3 * same * farthest;
  }
  std::deque<Step> steps_;
};

// Shorter and shorter steps until the residual falls. Returns the share taken; 0: none. Where forces have a potential,
// its slope along du may turn instead, but not by more than half of the slope at the beginning.
Real searched_share(Equations& e, const std::vector<Real>& du, Real before, Real slope) {
  constexpr int most_trials = 12;
  Real share = 1;
  for (int trial = 0; trial < most_trials; ++trial) {
    e.attempt(du, share);
    const Real now = inner_product(du, e.residual()), length = std::sqrt(inner_product(e.residual(), e.residual()));
    if (length <= (1 - 0.1 * share) * before) return share;
    if (e.has_potential() && slope > 0 && now >= -0.5 * slope && now <= slope) return share;
    share *= slope > 0 && std::isfinite(now) && now < slope ? std::clamp(slope / (slope - now), 0.1, 0.7) : 0.4;
  }
  e.attempt(du, 0);
  return 0;
}

// The whole step, and then, with the same tangent, a correction from where it led, while each is at most half as long
// as the last. A loosely held grain that rolls along a curved path presses its neighbours by far more than the residual
// was; the correction takes it back to its path (the second-order correction of Fletcher, in Numerical Analysis,
// Lecture Notes in Mathematics 912 (1982) 85). Whether the residual is smaller then; du is the step with its
// corrections.
bool corrected_step(Equations& e, std::vector<Real>& du, Real before, Real shift, Real tolerance, int& iterations) {
  constexpr int most = 8;
  std::vector<Real> more;
  Real last = inner_product(du, du);
  for (int k = 0;; ++k) {
    e.attempt(du, 1);
    const Real length = std::sqrt(inner_product(e.residual(), e.residual()));
    if (length < before) return true;
    if (k == most || !std::isfinite(length)) return false;
    const LinearSolution solution = e.solve(shift, tolerance, more);
    iterations += solution.iterations;
    const Real now = inner_product(more, more);
    if (solution.singular || !(now <= 0.25 * last)) return false;
    for (std::size_t i = 0; i < du.size(); ++i) du[i] += more[i];
    last = now;
  }
}

}  // namespace

NewtonResult newton(Equations& e, const NewtonSettings& s, const OnIterate& on_iterate) {
  constexpr Real first_shift = 1e-6, no_shift = 1e-13, most_shift = 1e2;  // [-] of largest_shift()
  NewtonResult result;
  CycleWatch cycles;
  std::vector<Real> du;
  Real shift = 0;
  const auto length = [&] { return std::sqrt(inner_product(e.residual(), e.residual())); };
  Iterate row{.updates = 0, .unbalance = e.unbalance(), .residual = length()};
  result.history.push_back(row);
  const Real at_start = row.residual;
  Real least = row.residual;
  int waited = 0;  // iterations since then
  const auto ends = [&](Stop stop) {
    result.stop = stop;
    return result;
  };
  for (;;) {
    if (row.unbalance <= s.unbalance) return ends(Stop::residual);
    if (s.displacement > 0 && result.iterations > 0 && row.share == 1 && shift == 0 &&
        row.displacement <= s.displacement)
      return ends(Stop::displacement);
    if (result.iterations >= s.most_iterations) return ends(Stop::most_iterations);
    if (s.patience > 0 && waited >= s.patience) return ends(Stop::stalled);
    if (!std::isfinite(row.residual)) return ends(Stop::stalled);

    const Real tolerance = std::clamp(row.residual / at_start, s.linear_tolerance, 0.1);
    LinearSolution solution = e.solve(shift, tolerance, du);
    if (solution.singular || solution.indefinite) ++result.regularised;
    row.linear_iterations = solution.iterations;
    if (solution.singular && s.regularises && e.regularise()) {
      solution = e.solve(shift, tolerance, du);
      row.linear_iterations += solution.iterations;
    }
    const Real largest = e.largest_shift();
    while (solution.singular) {
      if (!s.regularises || !(largest > 0)) return ends(Stop::singular);
      shift = std::max(10 * shift, first_shift * largest);
      if (!(shift <= most_shift * largest)) return ends(Stop::singular);
      solution = e.solve(shift, tolerance, du);
      row.linear_iterations += solution.iterations;
    }
    if (const Real far = e.longest(du); s.longest_step > 0 && far > s.longest_step)
      for (Real& a : du) a *= s.longest_step / far;

    const Real slope = inner_product(du, e.residual()), before = row.residual;
    row.share = 1;
    if (!s.line_search) {
      e.attempt(du, 1);
    } else if (std::vector<Real> whole = du;
               !e.has_potential() &&
               corrected_step(e, whole, before, std::max(shift, 0.1 * largest), tolerance, row.linear_iterations)) {
      du = std::move(whole);
    } else {
      row.share = searched_share(e, du, before, slope);
    }
    row.shift = shift;
    result.linear_iterations += row.linear_iterations;
    ++result.iterations, ++row.updates, ++waited;
    if (row.share == 0) {  // nothing gained along du: a stiffer tangent turns it towards the residual
      shift = std::max(30 * shift, first_shift * largest);
      row.displacement = 0;
      result.history.push_back(row);
      if (!(shift <= most_shift * largest)) return ends(Stop::stalled);
      continue;
    }
    e.accept();
    row.unbalance = e.unbalance(), row.residual = length();
    row.displacement = row.share * e.longest(du);
    if (row.residual < least) least = row.residual, waited = 0;
    result.history.push_back(row);
    if (solution.indefinite)
      shift = std::max(4 * shift, first_shift * largest);
    else if (row.share >= 0.7)
      shift = shift > no_shift * largest ? 0.2 * shift : 0;
    else if (row.share < 0.25)
      shift = std::max(4 * shift, 1e-2 * first_shift * largest);
    if (on_iterate && !on_iterate(row)) return ends(Stop::interrupted);
    if (const int period = cycles.period_with(du, row.share, row.residual); period > 0) {
      result.period = period;
      if (row.unbalance > s.unbalance) return ends(Stop::cycle);
    }
  }
}

}  // namespace cairn::statics
