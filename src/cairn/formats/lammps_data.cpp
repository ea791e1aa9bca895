#include "cairn/formats/lammps_data.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"

namespace cairn {
namespace {

bool begins_with_letter(std::string_view text) {
  const int c = text[0] | 32;
  return 'a' <= c && c <= 'z';
}

// The words of a line without blanks around; of a line that is too long only the first ones.
struct Words {
  explicit Words(std::string_view line) {
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t begin = at;
      while (at < line.size() && !is_blank(line[at])) ++at;
      if (count < word.size()) word[count] = line.substr(begin, at - begin);
      ++count;
      while (at < line.size() && is_blank(line[at])) ++at;
    }
  }
  std::string_view operator[](std::size_t k) const { return word[k]; }

  std::array<std::string_view, 10> word;
  std::size_t count = 0;
};

struct AtomRow {
  LammpsData::Grain grain;
  std::int64_t line;
};

struct VelocityRow {
  std::int64_t id;
  Vector velocity, spin;
  std::int64_t line;
};

std::int64_t id_of(const AtomRow& row) {
  return row.grain.id;
}
std::int64_t id_of(const VelocityRow& row) {
  return row.id;
}

class Parser {
 public:
  // `read(to, most)` gives the next bytes of the text, none at its end; it has `size` bytes, as far as that is known.
  Parser(std::function<std::size_t(char*, std::size_t)> read, std::uint64_t size, const std::string& path)
      : read_(std::move(read)), size_(size), path_(path) {}

  LammpsData parse() {
    if (!read_more()) fail(1, "an empty file", "a title line and 'N atoms'");
    if (rest_.starts_with("\x1f\x8b")) fail(1, "compressed data", "text (decompress it first with gunzip)");
    advance();  // over the title
    header();
    while (!at_end_) section();
    return joined();
  }

 private:
  [[noreturn]] void fail(std::int64_t line, const std::string& found, const std::string& expected) const {
    throw Error(Exit::bad_input, path_ + ":" + std::to_string(line) + ": found " + found + ", expected " + expected);
  }
  [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
    fail(line_number_, found, expected);
  }

  // Another block behind what is left of the last one; whether there was more.
  bool read_more() {
    constexpr std::uint64_t most = 1 << 20;
    const std::size_t block = size_ > 0 ? std::min(size_ + 1, most) : most;  // [bytes]
    constexpr std::size_t longest_line = most;
    if (rest_.size() > longest_line) fail(line_number_ + 1, "a line longer than 1 MiB", "a row of a table");
    std::string next(rest_);
    const std::size_t left = next.size();
    next.resize(left + block);
    next.resize(left + read_(next.data() + left, block));
    text_.swap(next);
    rest_ = text_;
    if (rest_.find('\0', left) != rest_.npos) fail(1, "binary data", "text");
    return rest_.size() > left;
  }

  bool advance() {
    std::size_t end = rest_.find('\n');
    while (end == rest_.npos) {
      const std::size_t left = rest_.size();
      if (!read_more()) {
        if (rest_.empty()) return false;
        // A number cut in two would pass for a number.
        fail(line_number_ + 1, "a last line without a line end", "a line end (is the file cut off?)");
      }
      end = rest_.find('\n', left);
    }
    const std::string_view whole = rest_.substr(0, end);
    const std::size_t hash = std::min(whole.find('#'), whole.size());
    line_ = trimmed(whole.substr(0, hash));
    comment_ = trimmed(whole.substr(std::min(hash + 1, whole.size())));
    rest_.remove_prefix(end + 1);
    ++line_number_;
    return true;
  }

  // The next line that says something.
  void next_line() {
    while (advance())
      if (!line_.empty()) return;
    at_end_ = true;
    line_ = comment_ = {};
  }

  template <class T>
  T whole_number(std::string_view word, T low, T high, const std::string& expected) const {
    T value{};
    const auto [rest, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failure != std::errc() || rest != word.data() + word.size() || value < low || value > high)
      fail(quoted_bytes(word), expected);
    return value;
  }

  Real real(std::string_view word, const char* expected) const {
    std::string_view digits = word;
    if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);  // from_chars knows no plus
    Real value{};
    const auto [rest, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failure != std::errc() || rest != digits.data() + digits.size() || !std::isfinite(value))
      fail(quoted_bytes(word), expected);
    return value;
  }

  Real positive(std::string_view word, const char* expected) const {
    const Real value = real(word, expected);
    if (!(value > 0)) fail(quoted_bytes(word), expected);
    return value;
  }

  Vector vector(const Words& words, std::size_t first, const char* expected) const {
    return {real(words[first], expected), real(words[first + 1], expected), real(words[first + 2], expected)};
  }

  // Lines that begin with a number, up to the first section.
  void header() {
    std::optional<std::int64_t> atoms;
    std::optional<int> types;
    std::optional<std::array<Real, 2>> sides[3];
    constexpr std::string_view low_names[] = {"xlo", "ylo", "zlo"}, high_names[] = {"xhi", "yhi", "zhi"};

    const auto once = [&](auto& place, auto value) {
      if (place) fail("a second line " + quoted_bytes(line_), "one such line");
      place = value;
    };
    const auto one_of_sides = [&](const Words& words) {
      for (std::size_t k = 0; k < 3; ++k)
        if (words.count == 4 && words[2] == low_names[k] && words[3] == high_names[k]) {
          const std::array<Real, 2> side{real(words[0], "a finite number"), real(words[1], "a finite number")};
          if (!(side[0] < side[1])) fail(quoted_bytes(line_), "a lower end below the upper end");
          once(sides[k], side);
          return true;
        }
      return false;
    };

    for (next_line(); !at_end_; next_line()) {
      if (begins_with_letter(line_)) break;
      const Words words(line_);
      constexpr auto most = std::numeric_limits<std::int64_t>::max();
      if (words.count == 2 && words[1] == "atoms") {
        once(atoms, whole_number<std::int64_t>(words[0], 0, most, "a number of atoms"));
      } else if (words.count == 3 && words[1] == "atom" && words[2] == "types") {
        once(types, whole_number(words[0], 0, std::numeric_limits<int>::max(), "a number of atom types"));
      } else if (!one_of_sides(words) && !(words.count >= 2 && words[0] == "0" && begins_with_letter(words[1]))) {
        // None of anything else ("0 bonds") is welcome; some of it, or a tilted box, would be lost.
        fail(quoted_bytes(line_), "'N atoms', 'N atom types', 'lo hi xlo xhi' or the like, or a section");
      }
    }
    if (!atoms) fail(here(), "a line 'N atoms' before it (the first line is the title)");
    if (!types) fail(here(), "a line 'N atom types' before it");
    for (std::size_t k = 0; k < 3; ++k)
      if (!sides[k])
        fail(here(), "a line 'lo hi " + std::string(low_names[k]) + " " + std::string(high_names[k]) + "' before it");
    count_ = *atoms;
    types_ = *types;
    data_.low = {(*sides[0])[0], (*sides[1])[0], (*sides[2])[0]};
    data_.high = {(*sides[0])[1], (*sides[1])[1], (*sides[2])[1]};
  }

  std::string here() const { return at_end_ ? "the end of the file" : quoted_bytes(line_); }

  void section() {
    if (line_ == "Atoms") {
      if (!comment_.empty() && comment_ != "sphere") fail("atom style " + quoted_bytes(comment_), "'sphere'");
      rows("Atoms", atoms_, [this] { return atom_row(); });
    } else if (line_ == "Velocities") {
      rows("Velocities", velocities_, [this] { return velocity_row(); });
    } else {
      fail(quoted_bytes(line_),
           "a section 'Atoms' or 'Velocities' with as many lines as there are atoms (" + std::to_string(count_) + ")");
    }
  }

  template <class Row, class ReadRow>
  void rows(const std::string& name, std::optional<std::vector<Row>>& place, ReadRow&& read_row) {
    if (place) fail("a second section " + name, "one such section");
    place.emplace();
    constexpr std::uint64_t shortest = 14;  // [bytes] of a line
    place->reserve(std::min(static_cast<std::uint64_t>(count_), size_ / shortest));
    for (std::int64_t k = 0; k < count_; ++k) {
      next_line();
      if (at_end_ || line_ == "Atoms" || line_ == "Velocities")
        fail(here() + " after " + std::to_string(k) + " lines of " + name, std::to_string(count_) + " lines");
      place->push_back(read_row());
    }
    next_line();
  }

  std::int64_t id(std::string_view word) const {
    return whole_number<std::int64_t>(word, 1, std::numeric_limits<std::int64_t>::max(), "an id, 1 or above");
  }

  AtomRow atom_row() const {
    const Words words(line_);
    if (words.count != 7 && words.count != 10)
      fail(std::to_string(words.count) + " columns", "7 or 10 columns: id type diameter density x y z [ix iy iz]");
    LammpsData::Grain grain;
    grain.id = id(words[0]);
    grain.type = whole_number(words[1], 1, types_, "a type from 1 to " + std::to_string(types_));
    grain.diameter = positive(words[2], "a diameter above 0");
    grain.density = positive(words[3], "a density above 0");
    grain.position = vector(words, 4, "a finite coordinate");
    for (std::size_t k = 0; k < 3 && words.count == 10; ++k)
      grain.image[k] = whole_number(words[7 + k], std::numeric_limits<int>::min(), std::numeric_limits<int>::max(),
                                    "a whole number as image");
    return {grain, line_number_};
  }

  VelocityRow velocity_row() const {
    const Words words(line_);
    if (words.count != 7) fail(std::to_string(words.count) + " columns", "7 columns: id vx vy vz wx wy wz");
    return {id(words[0]), vector(words, 1, "a finite velocity"), vector(words, 4, "a finite angular velocity"),
            line_number_};
  }

  template <class Row>
  void sort_by_id(std::vector<Row>& rows) const {
    std::sort(rows.begin(), rows.end(),
              [](const Row& a, const Row& b) { return id_of(a) != id_of(b) ? id_of(a) < id_of(b) : a.line < b.line; });
    for (std::size_t k = 1; k < rows.size(); ++k)
      if (id_of(rows[k]) == id_of(rows[k - 1]))
        fail(rows[k].line, "id " + std::to_string(id_of(rows[k])) + " a second time",
             "each id once (it is also in line " + std::to_string(rows[k - 1].line) + ")");
  }

  LammpsData joined() {
    if (!atoms_ && count_ > 0) fail("no section 'Atoms'", std::to_string(count_) + " atoms");
    if (!atoms_) return data_;
    sort_by_id(*atoms_);
    if (velocities_) {
      sort_by_id(*velocities_);
      // Equally many and each once: where they first differ, one of the two has no partner.
      for (std::size_t k = 0; k < atoms_->size(); ++k) {
        const VelocityRow& row = (*velocities_)[k];
        auto& [grain, line] = (*atoms_)[k];
        if (row.id < grain.id) fail(row.line, "id " + std::to_string(row.id), "an id of section Atoms");
        if (row.id > grain.id)
          fail(line, "id " + std::to_string(grain.id) + " without a velocity", "a velocity for each atom");
        grain.velocity = row.velocity;
        grain.spin = row.spin;
      }
      velocities_.reset();
    }
    data_.grains.reserve(atoms_->size());
    for (const AtomRow& row : *atoms_) data_.grains.push_back(row.grain);
    return std::move(data_);
  }

  std::function<std::size_t(char*, std::size_t)> read_;
  std::uint64_t size_;
  const std::string& path_;
  std::string text_;                 // a block of it, with what was left of the one before
  std::string_view rest_;            // of that
  std::string_view line_, comment_;  // the present line without its comment, and that; without blanks around
  std::int64_t line_number_ = 0;
  bool at_end_ = false;

  std::int64_t count_ = 0;  // atoms, as the header says
  int types_ = 0;
  LammpsData data_;
  std::optional<std::vector<AtomRow>> atoms_;
  std::optional<std::vector<VelocityRow>> velocities_;
};

}  // namespace

LammpsData read_lammps_data(const std::string& path) {
  InputFile file(path);
  return Parser([&](char* to, std::size_t most) { return file.read(to, most); }, file.size(), path).parse();
}

LammpsData parse_lammps_data(std::string_view text, const std::string& path) {
  const auto read = [rest = text](char* to, std::size_t most) mutable {
    const std::size_t count = rest.copy(to, most);
    rest.remove_prefix(count);
    return count;
  };
  return Parser(read, text.size(), path).parse();
}

}  // namespace cairn
