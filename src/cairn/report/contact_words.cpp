#include "cairn/report/contact_words.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cairn/contact/laws/hard.hpp"
#include "cairn/core/text.hpp"

namespace cairn {

constexpr Real fewest_resolved = 2;  // [-] steps: of RestitutionError

std::string in_words(const ShortestCollision& s, bool onset) {
  const std::string words =
      fmt::format("a head-on collision of {} with {} at {} m/s takes {} steps", s.first, s.second, brief(summary_speed),
                  s.steps < 1000 ? fmt::format("{:.3g}", s.steps) : fmt::format("{:.0f}", s.steps));
  const RestitutionError& error = s.error;
  const bool bound = error.steps < 0.999 * s.steps;
  if (std::isnan(error.onset_off) && std::isnan(error.onset_on))
    return words + (s.steps < fewest_resolved ? ", too few steps to resolve it: lower run.step"
                    : bound ? fmt::format("; the error of its restitution {:.3g} is unknown: with {:.3g} steps, the "
                                          "number used to measure the error, the scheme does not complete the "
                                          "collision (for example because a dashpot is too strong for this step)",
                                          s.restitution, error.steps)
                            : "; the scheme does not complete the collision at this step (for example because a "
                              "dashpot is too strong for it): lower run.step");
  const auto percent = [&](Real a) {
    constexpr Real least = 1e-9;  // nearer the exact one is not known: head_on() has errors of 1e-10
    if (std::isnan(a)) return std::string("not resolved");
    if (a < least) return fmt::format("below {} %", brief(100 * least));
    const char* below = bound ? "below " : "";
    if (a > 1)
      return fmt::format("{}{} times the restitution itself", below,
                         a < 10 ? fmt::format("{:.2g}", a) : fmt::format("{:.0f}", a));
    const std::string number = a < 0.1 ? fmt::format("{:.2g}", 100 * a) : fmt::format("{:.0f}", 100 * a);
    return below + number + " %";
  };
  return words + fmt::format("; expected error of its restitution {:.3g}: {} (onset off{}), {} (onset on{})",
                             s.restitution, percent(error.onset_off), onset ? "" : ", as here", percent(error.onset_on),
                             onset ? ", as here" : "");
}

bool is_hard(const std::string& law) {
  bool hard = false;
  for_each_hard_law([&](const auto& each) { hard = hard || law == each.name; });
  return hard;
}

}  // namespace cairn
