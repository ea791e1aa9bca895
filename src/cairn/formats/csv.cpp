#include "cairn/formats/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"

namespace cairn {
namespace {

void split(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  for (;;) {
    const std::size_t comma = line.find(',');
    std::string_view cell = trimmed(line.substr(0, comma));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = trimmed(cell.substr(1, cell.size() - 2));
    cells.push_back(cell);
    if (comma == line.npos) return;
    line.remove_prefix(comma + 1);
  }
}

std::string list(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace

void Csv::fail_at(std::int64_t line, const std::string& message) const {
  throw Error(Exit::bad_input, path_ + ":" + std::to_string(line) + ": " + message);
}
void Csv::fail(const std::string& message) const {
  fail_at(names_line_, message);
}
void Csv::fail(std::size_t row, std::size_t column, const std::string& expected) const {
  fail_at(rows_[row].line, "column " + quoted_bytes(names_[column]) + ": found " + quoted_bytes(cell(row, column)) +
                               ", expected " + expected);
}

// Looked at as it comes: a device, a broken file or a pipe without an end must not fill the memory first.
Csv Csv::read(const std::string& path) {
  constexpr std::size_t block = std::size_t{1} << 20, longest_line = block;
  constexpr std::size_t most = std::size_t{16} << 30, most_of_pipe = std::size_t{1} << 30;  // [bytes]
  InputFile file(path);
  const std::size_t size = file.size();
  std::string text;
  std::size_t line_begins = 0;
  const auto refuse = [&](const std::string& message) {
    Csv(path).fail_at(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line_begins), '\n'),
                      message);
  };
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + block);
    text.resize(before + file.read(text.data() + before, block));
    if (text.size() == before) return parse(std::move(text), path);
    if (text.find('\0', before) != text.npos) Csv(path).fail_at(1, "found binary data, expected text");
    if (const std::size_t end = text.rfind('\n'); end != text.npos && end >= before) line_begins = end + 1;
    if (text.size() - line_begins > longest_line) refuse("found a line longer than 1 MiB, expected a row of a table");
    if (size == 0 && text.size() > most_of_pipe)
      refuse("found more than 1 GiB in a pipe, expected at most 1 GiB; use a file instead");
    if (text.size() > most) refuse("found more than 16 GiB, expected a table of grains or sizes of at most 16 GiB");
    if (before == 0) text.reserve(std::min(size, most) + 2 * block);
  }
}

Csv Csv::parse(std::string whole, const std::string& path) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  Csv csv(path);
  csv.text_ = std::move(whole);
  std::string_view text = csv.text_;
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (text.starts_with("\x1f\x8b"))
    csv.fail_at(1, "found compressed data, expected text (decompress it first with gunzip)");
  if (text.find('\0') != text.npos) csv.fail_at(1, "found binary data, expected text");
  // A number cut in two would pass for a number.
  if (!text.empty() && text.back() != '\n')
    csv.fail_at(1 + std::count(text.begin(), text.end(), '\n'),
                "found a last line without a line end, expected a line end (is the file cut off?)");
  std::vector<std::string_view> cells;
  for (std::int64_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    const std::string_view content = trimmed(text.substr(0, end));
    text.remove_prefix(end + 1);
    if (content.empty() || content.front() == '#') continue;
    split(content, cells);
    if (csv.names_.empty()) {
      csv.names_line_ = line;
      if (cells.size() == 1 && content.find_first_of(";\t") != content.npos)
        csv.fail("found columns separated by semicolons or tabs, expected commas");
      for (std::size_t k = 0; k < cells.size(); ++k) {
        if (cells[k].empty()) csv.fail("found a column without a name, expected a name for each column");
        if (std::find(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(k), cells[k]) !=
            cells.begin() + static_cast<std::ptrdiff_t>(k))
          csv.fail("found a second column " + quoted_bytes(cells[k]) + ", expected each column once");
      }
      csv.names_.assign(cells.begin(), cells.end());
      continue;
    }
    if (cells.size() != csv.names_.size())
      csv.fail_at(line, "found " + std::to_string(cells.size()) + (cells.size() == 1 ? " cell" : " cells") +
                            ", expected " + std::to_string(csv.names_.size()) + ", one for each column");
    csv.rows_.push_back({static_cast<std::size_t>(content.data() - csv.text_.data()), content.size(), line});
  }
  if (csv.names_.empty()) csv.fail_at(1, "found no row, expected a row with the names of the columns");
  return csv;
}

void Csv::require_known(std::span<const std::string_view> names) const {
  for (const std::string& name : names_)
    if (std::find(names.begin(), names.end(), name) == names.end())
      fail("found a column " + quoted_bytes(name) + ", expected only " + list(names));
}

std::optional<std::size_t> Csv::find(std::string_view name) const {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - names_.begin());
}

std::size_t Csv::column(std::string_view name, const std::string& expected) const {
  if (const auto at = find(name)) return *at;
  std::vector<std::string_view> names(names_.begin(), names_.end());
  fail("found no column '" + std::string(name) + "' among " + quoted_bytes(list(names)) + ", expected " + expected);
}

const std::string& Csv::cell(std::size_t row, std::size_t column) const {
  if (row != row_) {
    std::vector<std::string_view> cells;
    split(std::string_view(text_).substr(rows_[row].begin, rows_[row].size), cells);
    cells_.assign(cells.begin(), cells.end());
    row_ = row;
  }
  return cells_[column];
}

Real Csv::number(std::size_t row, std::size_t column, const char* expected) const {
  std::string_view digits = cell(row, column);
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);  // from_chars knows no plus
  Real value = 0;
  const auto [rest, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure != std::errc() || rest != digits.data() + digits.size() || !std::isfinite(value))
    fail(row, column, expected);
  return value;
}

Real Csv::positive(std::size_t row, std::size_t column, const char* expected) const {
  const Real value = number(row, column, expected);
  if (!(value > 0)) fail(row, column, expected);
  return value;
}

}  // namespace cairn
