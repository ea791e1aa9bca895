// The pictures of a run in its report: all of them, unless the page would become too large to open.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cairn/render/page.hpp"
#include "cairn/run/summary.hpp"

namespace cairn {

struct Film {
  std::vector<Page::Picture> pictures;
  std::size_t of = 0;  // so many are there
  int width = 0;       // [pixels] to which they were reduced; 0: they are as they were written
};

inline constexpr std::size_t most_film_bytes = 9'500'000;  // a third more in the page
inline constexpr std::size_t most_film_pictures = 240;

// Of pictures in the run's folder; those whose files are gone are left out. Where there are too many, the pictures
// become smaller, and then fewer, evenly from the first to the last.
Film film_of(const std::string& folder, const std::vector<PictureSummary>& pictures,
             std::size_t most_bytes = most_film_bytes, std::size_t most_pictures = most_film_pictures);

// What the colours of the pictures mean.
std::string in_words(const ColourSummary& colours);

}  // namespace cairn
