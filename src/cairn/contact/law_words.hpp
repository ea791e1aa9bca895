// What a law says of itself: `cairn laws NAME` shows it. In the letters of docs/laws.md, delta for the overlap; every
// formula and every sentence on a line of its own.
#pragma once
#include <string_view>

namespace cairn {

struct LawWords {
  std::string_view normal{};      // F_n before the clip, and whence its letters come
  std::string_view tangential{};  // k_t and gamma_t; Coulomb's limit is the same for all laws
  std::string_view inverse{};     // how the damping follows from a restitution
  std::string_view guidance{};    // when to take it
  std::string_view limits{};      // what it cannot do

  constexpr bool complete() const {
    return !normal.empty() && !tangential.empty() && !inverse.empty() && !guidance.empty() && !limits.empty();
  }
};

}  // namespace cairn
