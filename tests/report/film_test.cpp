// The pictures of a report: all of them while the page stays small, then smaller ones, then fewer.
#include "cairn/report/film.hpp"

#include <doctest/doctest.h>

#include "cairn/formats/files.hpp"
#include "cairn/formats/image.hpp"
#include "fresh_folder.hpp"

namespace cairn {
namespace {

Image noise(int width, int height, unsigned seed) {  // which no encoder makes small
  Image image{width, height, {}};
  for (int k = 0; k < 3 * width * height; ++k)
    image.rgb.push_back(static_cast<std::uint8_t>((seed = seed * 1664525u + 1013904223u) >> 24));
  return image;
}

struct Written {
  FreshFolder folder;
  std::vector<PictureSummary> pictures;
  std::size_t bytes = 0;
  explicit Written(int count) {
    for (int k = 0; k < count; ++k) {
      const std::string png = encode_png(noise(1000, 40, static_cast<unsigned>(k)));
      pictures.push_back({0.5 * k, "p" + std::to_string(k) + ".png"});
      write_file_atomically(folder / pictures.back().file, png);
      bytes += png.size();
    }
  }
  Film film(std::size_t most_bytes, std::size_t most_pictures = 1000) const {
    return film_of(folder.path(), pictures, most_bytes, most_pictures);
  }
};

TEST_CASE("film: all pictures as they are, while they fit") {
  const Written w(7);
  CHECK(w.film(2 * w.bytes - 2).width == 800);
  const Film film = w.film(2 * w.bytes);
  CHECK(film.width == 0);
  CHECK(film.of == 7);
  REQUIRE(film.pictures.size() == 7);
  CHECK(film.pictures[3].png == read_file(w.folder / "p3.png"));
  CHECK(film.pictures[3].caption == "t = 1.5 s");
}

TEST_CASE("film: smaller pictures, then fewer; the first and the last are among them") {
  const Written w(11);
  const auto bytes = [](const Film& film) {
    std::size_t sum = 0;
    for (const Page::Picture& picture : film.pictures) sum += picture.png.size();
    return sum;
  };
  const std::size_t budget = w.bytes * 3 / 4;  // 800 of 1000 columns: 0.64 of the pixels
  const Film smaller = w.film(budget);
  CHECK(smaller.width == 800);
  CHECK(smaller.pictures.size() == 11);
  CHECK(decode_png(smaller.pictures[0].png).width == 800);
  CHECK(decode_png(smaller.pictures[0].png).height == 32);
  CHECK(bytes(smaller) <= budget);
  CHECK(w.film(w.bytes / 2).width == 600);

  const Film fewer = w.film(w.bytes / 20);
  CHECK(fewer.width == 400);
  CHECK(fewer.pictures.size() < 11);
  CHECK(fewer.pictures.size() > 1);
  CHECK(fewer.of == 11);
  CHECK(bytes(fewer) <= w.bytes / 20);
  CHECK(fewer.pictures.front().caption == "t = 0 s");
  CHECK(fewer.pictures.back().caption == "t = 5 s");

  const Film five = w.film(w.bytes, 5);
  REQUIRE(five.pictures.size() == 5);
  CHECK(five.pictures[1].caption == "t = 1.5 s");  // of 0 to 10: 0, 3, 5, 8, 10
  CHECK(five.pictures[4].caption == "t = 5 s");
}

TEST_CASE("film: pictures that are gone are left out") {
  Written w(3);
  w.pictures[1].file = "gone.png";
  CHECK(w.film(2 * w.bytes).pictures.size() == 2);
  CHECK(w.film(2 * w.bytes).of == 2);
  w.pictures.clear();
  CHECK(w.film(w.bytes).pictures.empty());
}

TEST_CASE("image: a shrunk picture has the mean of the pixels it covers") {
  Image image{4, 2, {}};
  for (int k = 0; k < 8; ++k)
    for (int c = 0; c < 3; ++c) image.rgb.push_back(static_cast<std::uint8_t>(10 * k + c));
  const Image half = shrunk(image, 2);  // rows 0 to 30 and 40 to 70
  CHECK(half.width == 2);
  CHECK(half.height == 1);
  CHECK(half.rgb == std::vector<std::uint8_t>{25, 26, 27, 45, 46, 47});
  const Image large = noise(90, 60, 1);
  const Image odd = shrunk(large, 70);
  CHECK(odd.width == 70);
  CHECK(odd.height == 47);
  const auto mean = [](const Image& of) {
    double sum = 0;
    for (const std::uint8_t a : of.rgb) sum += a;
    return sum / static_cast<double>(of.rgb.size());
  };
  CHECK(mean(odd) == doctest::Approx(mean(large)).epsilon(0.005));
  CHECK(shrunk(large, 90).rgb == large.rgb);
  CHECK(decode_png(encode_png(large, true)).rgb == large.rgb);
}

}  // namespace
}  // namespace cairn
