#include "cairn/report/film.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cairn/formats/files.hpp"
#include "cairn/formats/image.hpp"

namespace cairn {
namespace {

// `count` of the numbers below `all`, evenly, the first and the last among them.
std::vector<std::size_t> evenly(std::size_t count, std::size_t all) {
  std::vector<std::size_t> chosen;
  if (count == 1) chosen.push_back(all - 1);
  if (count > 1)
    for (std::size_t k = 0; k < count; ++k) chosen.push_back((k * (all - 1) + (count - 1) / 2) / (count - 1));
  return chosen;
}

std::string reduced(const std::string& png, int width) {
  return encode_png(shrunk(decode_png(png), width), true);
}

}  // namespace

Film film_of(const std::string& folder, const std::vector<PictureSummary>& pictures, std::size_t most_bytes,
             std::size_t most_pictures) {
  std::vector<std::string> files, times;
  std::size_t bytes = 0;
  for (const PictureSummary& picture : pictures) {
    const std::string path = folder + "/" + picture.file;
    std::error_code missing;
    const auto size = std::filesystem::file_size(path, missing);
    if (missing) continue;
    files.push_back(path), times.push_back(fmt::format("t = {:.4g} s", picture.time));
    bytes += size;
  }
  Film film{.pictures = {}, .of = files.size()};
  std::size_t count = std::min(files.size(), most_pictures);
  if (bytes > most_bytes / 2 || count < files.size()) {  // a light page opens sooner
    constexpr std::size_t samples = 5;
    constexpr int widths[] = {800, 600, 400};
    for (const int width : widths) {
      const std::vector<std::size_t> tried = evenly(std::min(samples, files.size()), files.size());
      std::size_t sum = 0;
      for (const std::size_t k : tried) sum += reduced(read_file(files[k]), width).size();
      const std::size_t each = 11 * sum / (10 * tried.size()) + 1;  // the others may be larger
      film.width = width;
      if (each * count <= most_bytes) break;
      if (width == widths[std::size(widths) - 1]) count = std::max<std::size_t>(1, std::min(count, most_bytes / each));
    }
  }
  for (const std::size_t k : evenly(count, files.size())) {
    const std::string png = read_file(files[k]);
    film.pictures.push_back({film.width > 0 ? reduced(png, film.width) : png, times[k]});
  }
  return film;
}

std::string in_words(const ColourSummary& colours) {
  if (colours.by == "material") return "The colour of a grain shows its material.";
  const std::string unit = colours.unit.empty() ? "" : " " + colours.unit;
  return fmt::format("The colour of a grain shows its {}, from {:.4g} to {:.4g}{}, the same in all pictures.",
                     colours.by == "coordination" ? "number of contacts" : colours.quantity, colours.low, colours.high,
                     unit);
}

}  // namespace cairn
