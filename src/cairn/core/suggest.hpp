// Words for errors about words: which one was probably meant.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {

// Single insertions, deletions, replacements and swaps of neighbours (Damerau, CACM 7 (1964) 171).
std::size_t edit_distance(std::string_view a, std::string_view b);

std::string lower_case(std::string_view word);

// "; did you mean 'nearest'?", or nothing where no word begins as this one and even the nearest shares less than half
// of its letters. Capitals count only between words that are equally near without them: "ab3" is AB3, not abm3.
template <class Words>
std::string suggestion(std::string_view word, const Words& words) {
  if (std::empty(words)) return "";
  const std::string lower = lower_case(word);
  const auto distance = [&](std::string_view a) {
    return std::pair(edit_distance(lower, lower_case(a)), edit_distance(word, a));
  };
  const std::string_view nearest =
      *std::min_element(std::begin(words), std::end(words),
                        [&](std::string_view a, std::string_view b) { return distance(a) < distance(b); });
  const auto answer = [](std::string_view meant) { return "; did you mean '" + std::string(meant) + "'?"; };
  if (2 * distance(nearest).first <= std::max(word.size(), nearest.size())) return answer(nearest);
  constexpr std::size_t telling = 4;  // letters: "hertz" is hertz_mindlin, "youngs_modulus" young
  for (const std::string_view one : words)
    if (std::min(word.size(), one.size()) >= telling && (word.starts_with(one) || one.starts_with(word)))
      return answer(one);
  return "";
}

}  // namespace cairn
