#include "cairn/scenario/wall_checks.hpp"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "cairn/scenario/wall_keys.hpp"

namespace cairn {

void check_factors(const TomlTable& t, const std::vector<Real>& times, const std::vector<Real>& factors) {
  for (const auto& [key, other] : {std::pair{"times", "factors"}, {"factors", "times"}})
    if (t.has(key) && !t.has(other)) missing(t, other, std::string("as many numbers as ") + key);
  if (times.size() != factors.size())
    fail(t, "factors",
         "found " + std::to_string(factors.size()) + " numbers; expected " + std::to_string(times.size()) +
             ", one for each of times");
  for (std::size_t k = 1; k < times.size(); ++k)
    if (!(times[k - 1] < times[k])) fail(t, "times", "found numbers out of order; expected ascending times in s");
}

void check_partners(const TomlTable& t) {
  for (const auto& [key, other] :
       {std::pair{"amplitude", "frequency"}, {"frequency", "amplitude"}, {"axis", "rate"}, {"center", "rate"}})
    if (t.has(key) && !t.has(other)) fail(t, missing_partner(key, other));
}

void check_free_axes(const TomlTable& t, const WallSpec& of) {
  const std::string& free = of.load->axes;
  for (int axis = 0; axis < 3; ++axis) {
    const char name = "xyz"[axis];
    if (!free.empty() && free.find(name) == free.npos) continue;
    if ((&of.motion.velocity.x)[axis] != 0 || (&of.motion.oscillation_amplitude.x)[axis] != 0)
      fail(t, "axes",
           (free.empty() ? "found none" : "found \"" + free + "\"") +
               std::string(" where motion moves the wall along ") + name +
               "; expected only axes along which motion does not move it");
  }
}

void check_dimension(const TomlTable& t, const WallShape& of, int dimension) {
  const int from = std::visit(
      []<class Shape>(const Shape&) {
        if constexpr (requires { Shape::from_dimension; }) return Shape::from_dimension;
        return 1;
      },
      of);
  if (dimension >= from) return;
  const std::string name = "'" + std::string(name_of(of)) + "'";
  fail(t, "type",
       "found " + name + " where space.dimension = " + std::to_string(dimension) + "; expected " + name +
           " only where space.dimension >= " + std::to_string(from));
}

void check_rotation(const TomlTable& t, const WallSpec& of, int dimension) {
  if (of.motion.rotation_rate == 0) return;
  std::string stiff;  // the shape that cannot turn
  std::visit(
      [&](const auto& shape) {
        shape.surfaces(dimension, [&](const Vector&, const Vector&, const auto& surface) {
          if (!surface.has_axis) stiff = surface.name;
        });
      },
      of.shape);
  if (!stiff.empty())
    fail(t, "rate", "found with a " + stiff + ", which can translate and oscillate, but not rotate; expected 0");
}

void check_shape(const TomlTable& t, const WallShape& of, int dimension) {
  const auto fault = std::visit(
      [&]<class Shape>(const Shape& shape) -> std::optional<ParameterFault> {
        for (const auto& p : Shape::parameters)
          if (!p.needs.empty() && t.has(p.name) && !t.has(p.needs)) return missing_partner(p.name, p.needs);
        if constexpr (requires { shape.fault(dimension); }) return shape.fault(dimension);
        return {};
      },
      of);
  if (fault) fail(t, *fault);
}

}  // namespace cairn
