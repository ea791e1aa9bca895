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

void RoundOff::add(const RoundOff& other) {
  if (other.worst > worst || (other.worst == worst && other.grain < grain)) {
    worst = other.worst, digits = other.digits, loss = other.loss, far = other.far;
    axis = other.axis, grain = other.grain;
  }
}

RoundOff worst_round_off(World& world, const RoundOffLook& look) {
  world.domain().ask(Question::round_off, look);
  RoundOff found;
  const State& now = world.state();
  const State& rate = world.current_rate();
  const bool accelerations = rate.body.size() == now.body.size();
  const Particles& grains = world.grains();
  const std::vector<Real>& radius = grains.radius;
  for (int begin = grains.own_begin(); begin < grains.own_end(); begin += block) {
    const int end = std::min(grains.own_end(), begin + block);
    const Real smallest = *std::min_element(radius.begin() + begin, radius.begin() + end);
    for (int axis = 0; axis < 3; ++axis) {
      const Real far = range_of(now.body.row(BodyRow::x + axis), begin, end).farthest();
      const Real u = spacing(far);
      if (!(0.5 * u * look.steps > harmless * smallest)) continue;  // nearly always
      Real speed = range_of(now.body.row(BodyRow::v + axis), begin, end).farthest();
      if (accelerations) speed += look.ahead * range_of(rate.body.row(BodyRow::v + axis), begin, end).farthest();
      const Real digits = std::log10(look.h * speed / u), loss = std::min(look.h * speed, 0.5 * u) * look.steps;
      if (!(digits < few_digits && loss > harmless * smallest)) continue;
      const Column<const Real> v = now.body.row(BodyRow::v + axis);
      int fastest = begin;
      for (int i = begin + 1; i < end; ++i)
        if (std::fabs(v[i]) > std::fabs(v[fastest])) fastest = i;
      found.add({.worst = loss / smallest,
                 .digits = digits,
                 .loss = loss,
                 .far = far,
                 .axis = axis,
                 .grain = grains.id[fastest]});
    }
  }
  world.domain().add(found);
  return found;
}

std::string round_off_message(World& world, Real h, Real steps, Real ahead) {
  const RoundOff found = worst_round_off(world, {h, steps, ahead});
  if (found.worst == 0) return "";
  const Extent all = world.extent();
  const Real least = world.smallest_radius();
  Vector origin{};
  for (int axis = 0; axis < 3; ++axis)
    (&origin.x)[axis] = readable_middle({(&all.low.x)[axis], (&all.high.x)[axis]}, least);
  const std::string name = std::string("xyz").substr(found.axis, 1);
  const std::string kept = found.digits > 0 ? "keeps only " + brief(std::round(10 * found.digits) / 10) +
                                                  " decimal digits of its displacement per step"
                                            : "moves by less per step than the distance between adjacent numbers";
  return "motion is lost to round-off: at |" + name + "| = " + brief(found.far) + " m adjacent numbers are " +
         brief(spacing(found.far)) + " m apart, and grain " + std::to_string(found.grain) + " " + kept + " along " +
         name + "; the run may lose up to " + brief(found.loss) + " m of motion, " + brief(found.worst) + " radii" +
         (origin == Vector{} ? "; use a longer step"
                             : "; shift the origin to " + brief(origin) + " m, the middle of the grains");
}

}  // namespace cairn
