// Parameters of wall shapes as data. A shape lists its parameters; the keys of [[wall]], the checks, the documentation
// and the schema follow from the lists.
#pragma once
#include <string_view>
#include <variant>

#include "cairn/core/number_range.hpp"
#include "cairn/core/parameter_fault.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

enum class WallSide { inside, outside };  // where the grains are
inline constexpr std::string_view wall_sides[] = {"inside", "outside"};

// A parameter of shape S. Its default is that of a new S.
template <class S>
struct WallParameter {
  std::string_view name{};
  std::string_view unit{};  // "": none
  NumberRange range{};      // of a number
  bool direction = false;   // a vector other than zero
  int from_dimension = 1;   // does not exist in fewer
  bool required = false;
  std::string_view fallback_text{};  // the default in words, where the value does not read well
  std::string_view needs{};          // a parameter without which this one means nothing
  std::string_view description{};
  std::variant<Real S::*, Vector S::*, bool S::*, WallSide S::*> value{};
};

}  // namespace cairn
