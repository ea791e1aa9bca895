// Times by the clock on the wall, for people.
#pragma once
#include <cmath>
#include <string>

#include "cairn/core/text.hpp"

namespace cairn {

// "45 s", "2 min 5 s", "3 h 25 min", "4.2 days". Rejected: 0:02:00, which some read as hours and minutes, others as
// minutes and seconds.
inline std::string duration_text(Real seconds) {
  const auto whole = std::llround(seconds), minutes = std::llround(seconds / 60);
  if (seconds < 99.5) return std::to_string(whole) + " s";
  if (seconds >= 100 * 3600) return brief(0.1 * std::round(seconds / 8640)) + " days";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

}  // namespace cairn
