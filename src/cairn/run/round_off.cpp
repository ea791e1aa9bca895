#include "cairn/run/round_off.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/core/text.hpp"

namespace cairn {
namespace {

constexpr Real few_digits = 3, harmless = 1e-6;  // [-] of the radius
constexpr int block = 64;                        // grains

struct Range {
  Real low = 0, high = 0;
  Real farthest() const { return std::max(std::fabs(low), std::fabs(high)); }
};

Range range_of(Column<const Real> a, int begin, int end) {
  Range range{a[begin], a[begin]};
  for (int i = begin + 1; i < end; ++i) range = {std::min(range.low, a[i]), std::max(range.high, a[i])};
  return range;
}

Real spacing(Real a) {
  return std::nextafter(a, HUGE_VAL) - a;
}

// A number of few digits near the middle of the range; 0 where that is as good.
Real readable_middle(const Range& range, Real radius) {
  const Real middle = 0.5 * (range.low + range.high), half = std::max(0.5 * (range.high - range.low), radius);
  if (!(std::fabs(middle) > half)) return 0;
  const Real unit = std::pow(10.0, std::floor(std::log10(half)));
  return std::round(middle / unit) * unit;
}

}  // namespace

std::string round_off_message(World& world, Real h, Real steps, Real ahead) {
  const int n = world.size();
  if (n == 0) return "";
  const State& now = world.state();
  const State& rate = world.current_rate();
  const bool accelerations = static_cast<int>(rate.body.size()) == n;
  const std::vector<Real>& radius = world.grains().radius;
  Real worst = 0, worst_digits = 0, worst_loss = 0, worst_far = 0;
  int worst_grain = 0, worst_axis = 0;
  for (int begin = 0; begin < n; begin += block) {
    const int end = std::min(n, begin + block);
    const Real smallest = *std::min_element(radius.begin() + begin, radius.begin() + end);
    for (int axis = 0; axis < 3; ++axis) {
      const Real far = range_of(now.body.row(BodyRow::x + axis), begin, end).farthest();
      const Real u = spacing(far);
      if (!(0.5 * u * steps > harmless * smallest)) continue;  // nearly always
      Real speed = range_of(now.body.row(BodyRow::v + axis), begin, end).farthest();
      if (accelerations) speed += ahead * range_of(rate.body.row(BodyRow::v + axis), begin, end).farthest();
      const Real digits = std::log10(h * speed / u), loss = std::min(h * speed, 0.5 * u) * steps;
      if (!(digits < few_digits && loss > harmless * smallest && loss / smallest > worst)) continue;
      worst = loss / smallest, worst_digits = digits, worst_loss = loss, worst_far = far;
      worst_axis = axis;
      const Column<const Real> v = now.body.row(BodyRow::v + axis);
      worst_grain = begin;
      for (int i = begin + 1; i < end; ++i)
        if (std::fabs(v[i]) > std::fabs(v[worst_grain])) worst_grain = i;
    }
  }
  if (worst == 0) return "";
  const Real least = *std::min_element(radius.begin(), radius.end());
  Vector origin{};
  for (int axis = 0; axis < 3; ++axis)
    (&origin.x)[axis] = readable_middle(range_of(now.body.row(BodyRow::x + axis), 0, n), least);
  const std::string name = std::string("xyz").substr(worst_axis, 1);
  const std::string kept = worst_digits > 0 ? "keeps only " + brief(std::round(10 * worst_digits) / 10) +
                                                  " decimal digits of its displacement per step"
                                            : "moves by less per step than the distance between adjacent numbers";
  return "motion is lost to round-off: at |" + name + "| = " + brief(worst_far) + " m adjacent numbers are " +
         brief(spacing(worst_far)) + " m apart, and grain " + std::to_string(world.grains().id[worst_grain]) + " " +
         kept + " along " + name + "; the run may lose up to " + brief(worst_loss) + " m of motion, " + brief(worst) +
         " radii" +
         (origin == Vector{} ? "; use a longer step"
                             : "; shift the origin to " + brief(origin) + " m, the middle of the grains");
}

}  // namespace cairn
