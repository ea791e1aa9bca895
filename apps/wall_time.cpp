#include "wall_time.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cairn/core/error.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/scenario/quantity.hpp"

namespace cairn {
namespace {

using Seconds = std::chrono::duration<Real>;

const WallTime::Clock::time_point process_began = WallTime::Clock::now();

// "1:30:00"; false where it is none.
bool hours_minutes_seconds(const std::string& text, Real& seconds) {
  const char *at = text.data(), *const end = at + text.size();
  int part[3];
  for (int k = 0; k < 3; ++k) {
    if (k > 0 && (at == end || *at++ != ':')) return false;
    const auto [rest, error] = std::from_chars(at, end, part[k]);
    if (error != std::errc() || part[k] < 0 || (k > 0 && (part[k] >= 60 || rest - at != 2))) return false;
    at = rest;
  }
  seconds = 3600.0 * part[0] + 60.0 * part[1] + part[2];
  return at == end;
}

}  // namespace

Real wall_time_of(const std::string& text) {
  Real seconds = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool plain = error == std::errc() && rest == text.data() + text.size();
  const std::string expected = "; expected a time > 0 as in 3600 (seconds), \"2 h\" or 1:30:00";
  if (!plain && !hours_minutes_seconds(text, seconds)) {
    try {
      seconds = quantity(text, "s");
    } catch (const Error& e) {
      throw Error(Exit::bad_input, "--wall-time: " + std::string(e.what()) + expected);
    }
  }
  if (!(seconds > 0) || !std::isfinite(seconds))
    throw Error(Exit::bad_input, "--wall-time: found " + quoted_bytes(text) + expected);
  return seconds;
}

void WallTime::record_checkpoint(Clock::duration took) {
  slowest_checkpoint_ = std::max(slowest_checkpoint_, Seconds(took).count());
  before_ = {};
}

Real WallTime::left(Clock::time_point now) const {
  return seconds_ - Seconds(now - process_began).count();
}

bool WallTime::over(Clock::time_point now) {
  constexpr Real end_takes = 4, margin = 2;  // [-] checkpoints: table, picture, summary and report; [s]
  if (before_ != Clock::time_point{}) longest_step_ = std::max(longest_step_, Seconds(now - before_).count());
  before_ = now;
  return longest_step_ + end_takes * slowest_checkpoint_ + margin > left(now);
}

}  // namespace cairn
