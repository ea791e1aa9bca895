// Parameters of contact laws as data. A law lists its parameters; the keys of [contact] and [[pair]], the checks, the
// documentation, the schema and `cairn laws NAME` follow from the lists.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "cairn/core/number_range.hpp"
#include "cairn/core/parameter_fault.hpp"

namespace cairn {

struct ContactParameter {
  std::string_view name{};
  std::string_view unit{};  // "": none
  NumberRange range{};
  std::span<const std::string_view> choices{};  // the words of an enumeration, in its order; empty: a number
  std::optional<Real> fallback{};               // the value if none is given; of a choice: the place of its word
  std::string_view fallback_text{};             // the default in words, where the number does not read well
  bool required = false;
  std::string_view alternatives{};  // of all parameters with the same text here at most one is given
  std::string_view needs{};         // a parameter without which this one means nothing
  std::string_view description{};
};

// Words of enumerations, in their order (contact/settings.hpp).
inline constexpr std::string_view attractions[] = {"clipped", "allowed"};
inline constexpr std::string_view damping_maps[] = {"realised", "tsuji"};
inline constexpr std::string_view tangential_forms[] = {"total", "conservative", "incremental"};

// Parameters of several laws.
namespace parameter {

inline constexpr ContactParameter friction{
    .name = "friction", .range = at_least_0, .fallback = 0, .description = "Coulomb's friction coefficient mu"};
inline constexpr ContactParameter restitution{
    .name = "restitution",
    .range = {0, 1, true, true},
    .alternatives = "damping",
    .description = "normal relative speed after a collision divided by that before it"};
inline constexpr ContactParameter tangential_ratio{
    .name = "tangential_ratio",
    .range = positive,
    .fallback = 2.0 / 7,
    .fallback_text = "2/7",
    .description = "tangential stiffness divided by the normal stiffness dF/d(overlap)"};
inline constexpr ContactParameter tangential_damping{.name = "tangential_damping",
                                                     .unit = "N s/m",
                                                     .range = at_least_0,
                                                     .fallback = 0,
                                                     .alternatives = "tangential damping",
                                                     .description = "tangential damping coefficient"};
inline constexpr ContactParameter attraction{
    .name = "attraction",
    .choices = attractions,
    .fallback = 0,
    .description = "\"clipped\": the normal force never pulls; \"allowed\": the dashpot may pull"};
inline constexpr ContactParameter tangential{
    .name = "tangential",
    .choices = tangential_forms,
    .fallback = 0,
    .description = "tangential force while the overlap changes (docs/laws.md)"};
inline constexpr ContactParameter damping_map{
    .name = "damping_map",
    .choices = damping_maps,
    .fallback = 0,
    .description =
        "conversion of restitution to damping: \"realised\" includes the clip, "
        "\"tsuji\" is the usual formula without it"};

}  // namespace parameter
}  // namespace cairn
