#include "cairn/run/sizes.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/core/elementary.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"

namespace cairn {
namespace {

constexpr int normal_parts = 4096;  // cumulative shares are right to 1e-7
constexpr Real default_cut = 3;     // [deviations]

void require(bool good, const std::string& message) {
  if (!good) throw Error(Exit::bad_input, "sizes." + message);
}

}  // namespace

Sizes::Sizes(Real radius, Real spread, const std::optional<SizeSpec>& spec) : radius_(radius), spread_(spread) {
  if (!spec) return;
  const SizeSpec& s = *spec;
  by_mass_ = s.by == SizeSpec::By::mass;
  const auto check_cut = [](Real low, Real high) {
    require(low > 0, "low: found " + to_text(low) +
                         " m (the default is 3 deviations below the mean or the median); expected a number > 0");
    require(low < high,
            "high: found " + to_text(high) + " m, not above low = " + to_text(low) + " m; expected high > low");
  };
  switch (s.kind) {
    case SizeSpec::Kind::normal: {
      require(s.deviation > 0, "deviation: found " + to_text(s.deviation) + "; expected a number > 0 in m");
      const Real low = s.low.value_or(s.mean - default_cut * s.deviation);
      const Real high = s.high.value_or(s.mean + default_cut * s.deviation);
      check_cut(low, high);
      tabulate_normal((low - s.mean) / s.deviation, (high - s.mean) / s.deviation,
                      [&](Real z) { return std::clamp(s.mean + s.deviation * z, low, high); });
      break;
    }
    case SizeSpec::Kind::lognormal: {
      require(s.median > 0, "median: found " + to_text(s.median) + "; expected a number > 0 in m");
      require(s.deviation > 0,
              "deviation: found " + to_text(s.deviation) + "; expected a number > 0 for the deviation of ln r");
      require(s.deviation < 10,
              "deviation: found " + to_text(s.deviation) + "; expected less than 10 for the deviation of ln r");
      const auto radius_at = [&](Real z) { return s.median * stable_exp(s.deviation * z); };
      const Real low = s.low.value_or(radius_at(-default_cut)), high = s.high.value_or(radius_at(default_cut));
      check_cut(low, high);
      const auto z_of = [&](Real r) { return stable_log(r / s.median) / s.deviation; };
      tabulate_normal(z_of(low), z_of(high), [&](Real z) { return std::clamp(radius_at(z), low, high); });
      break;
    }
    case SizeSpec::Kind::list:
      require(!s.radii.empty(), "radii: found none; expected at least one, in m");
      require(s.shares.size() == s.radii.size(), "shares: found " + std::to_string(s.shares.size()) +
                                                     "; expected one for each of the " +
                                                     std::to_string(s.radii.size()) + " radii");
      for (std::size_t k = 0; k < s.radii.size(); ++k) {
        require(s.radii[k] > 0, "radii: found " + to_text(s.radii[k]) + "; expected numbers > 0 in m");
        require(s.shares[k] >= 0, "shares: found " + to_text(s.shares[k]) + "; expected numbers >= 0");
        add(s.radii[k], s.radii[k], s.shares[k]);
      }
      break;
    case SizeSpec::Kind::table:
      require(s.radii.size() >= 2 && s.passing.size() == s.radii.size(), "file: expected at least two rows");
      for (std::size_t k = 1; k < s.radii.size(); ++k) {
        const Real share = s.passing[k] - s.passing[k - 1];
        require(s.radii[k - 1] > 0 && s.radii[k] >= s.radii[k - 1] && share >= 0,
                "file: expected radii above zero, with both columns ascending");
        add(s.radii[k - 1], s.radii[k], share);
      }
      break;
  }
  require(!parts_.empty() && std::isfinite(parts_.back().until),
          "shares: found a sum that is zero or infinite; expected a finite sum > 0");
}

void Sizes::add(Real low, Real high, Real share) {
  // As many grains of constant density by mass in [a, b] as the integral of 1 / r^3 says: (a + b) / (2 a^2 b^2) of it.
  const Real weight = by_mass_ ? share * (low + high) / (2 * (low * low) * (high * high)) : share;
  if (weight > 0) parts_.push_back({low, high, (parts_.empty() ? 0 : parts_.back().until) + weight});
}

template <class RadiusAt>
void Sizes::tabulate_normal(Real low, Real high, RadiusAt&& radius_at) {
  // A narrow cut far from the middle has to be resolved as well, and nothing is lost beyond 12 deviations.
  const Real nearest = low > 0 ? low : high < 0 ? high : 0;
  const auto density = [&](Real z) {
    const Real exponent = 0.5 * (nearest - z) * (nearest + z);
    return exponent > -72 ? stable_exp(exponent) : 0;
  };
  const Real width = (high - low) / normal_parts;
  for (int k = 0; k < normal_parts; ++k) {
    const Real a = low + k * width, b = low + (k + 1) * width;
    add(radius_at(a), radius_at(b), density(a) + 4 * density(0.5 * (a + b)) + density(b));  // Simpson's rule
  }
}

Real Sizes::radius(Real u) const {
  if (parts_.empty()) return radius_ * (1 + spread_ * (2 * u - 1));
  const Real at = u * parts_.back().until;
  const auto part =
      std::min(std::upper_bound(parts_.begin(), parts_.end(), at, [](Real a, const Part& p) { return a < p.until; }),
               parts_.end() - 1);
  const Real before = part == parts_.begin() ? 0 : (part - 1)->until;
  const Real share = std::clamp((at - before) / (part->until - before), 0.0, 1.0);
  const Real a = part->low, b = part->high;
  if (a == b) return a;
  if (!by_mass_) return a + share * (b - a);
  const Real p = 1 / (a * a), q = 1 / (b * b);
  return std::clamp(1 / std::sqrt(p - share * (p - q)), a, b);
}

Real Sizes::smallest() const {
  if (parts_.empty()) return radius_ * (1 - spread_);
  return std::min_element(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.low < b.low; })
      ->low;
}

Real Sizes::largest() const {
  if (parts_.empty()) return radius_ * (1 + spread_);
  return std::max_element(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.high < b.high; })
      ->high;
}

}  // namespace cairn
