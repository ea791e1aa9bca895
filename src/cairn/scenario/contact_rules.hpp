// What keys of [contact] ask of each other.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cairn/contact/laws/all.hpp"

namespace cairn {

// Of the settings in a group at most one is given; one in a [[pair]] takes the place of those of [contact].
struct Alternative {
  std::string_view key;
  std::optional<Real> ContactSettings::*member;
};
inline constexpr Alternative for_damping[] = {{"damping", &ContactSettings::damping},
                                              {"damping_per_mass", &ContactSettings::damping_per_mass},
                                              {"restitution", &ContactSettings::restitution}};
inline constexpr Alternative for_stiffness[] = {{"stiffness", &ContactSettings::stiffness},
                                                {"duration", &ContactSettings::duration}};
inline constexpr Alternative for_tangential_damping[] = {
    {"tangential_damping", &ContactSettings::tangential_damping},
    {"tangential_damping_per_mass", &ContactSettings::tangential_damping_per_mass}};
inline constexpr std::span<const Alternative> alternatives[] = {for_damping, for_stiffness, for_tangential_damping};

// Why no contact of these settings has their restitution of 0; empty: there is one, or it is above.
inline std::string no_rebound_fault(std::string_view law, const ContactSettings& to) {
  if (to.restitution != 0.0) return "";
  const std::string clips =
      ", which a clipped contact cannot realise with any finite damping: its force ends before the grains stop "
      "separating; expected at least 0.01";
  const bool clipped = to.attraction == Attraction::clipped;
  if (law == KuwabaraKono::name || law == ExtendedNonlinear::name)
    return clipped ? clips
                   : ", which with law '" + std::string(law) +
                         "' does not determine the damping: every damping above some value realises it; expected at "
                         "least 0.01, or damping in place of restitution";
  if (clipped && to.damping_map == DampingMap::realised)
    return clips + ", about five times critical damping, or attraction = \"allowed\"";
  if (!clipped && to.duration)
    return " and a duration, but grains that do not rebound stay in contact for ever; expected stiffness in place of "
           "duration";
  return "";
}

}  // namespace cairn
