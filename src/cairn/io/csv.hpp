// Reads tables as CSV: one row of names, then rows of as many cells, separated by commas; blank lines and lines that
// begin with # say nothing, cells may stand in double quotes. Reads what io/table.hpp, spreadsheets and pandas write.
// Whatever is not understood is Error(Exit::bad_input, "file:line: column 'x': found ..., expected ...").
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

class Csv {
 public:
  static Csv read(const std::string& path);
  static Csv parse(std::string_view text, const std::string& path);  // path: for messages

  // Refuses columns of other names than these.
  void require_known(std::span<const std::string_view> names) const;

  std::size_t rows() const { return lines_.size(); }
  std::optional<std::size_t> find(std::string_view name) const;
  std::size_t column(std::string_view name, const std::string& expected) const;  // an error if there is none

  const std::string& cell(std::size_t row, std::size_t column) const { return cells_[row * names_.size() + column]; }
  Real number(std::size_t row, std::size_t column, const char* expected = "a finite number") const;
  Real positive(std::size_t row, std::size_t column, const char* expected) const;

  [[noreturn]] void fail(std::size_t row, std::size_t column, const std::string& expected) const;  // of a cell
  [[noreturn]] void fail(const std::string& message) const;                                        // of the names

 private:
  explicit Csv(std::string path) : path_(std::move(path)) {}
  [[noreturn]] void fail_at(std::int64_t line, const std::string& message) const;

  std::string path_;
  std::int64_t names_line_ = 1;
  std::vector<std::string> names_, cells_;
  std::vector<std::int64_t> lines_;  // of each row, from 1
};

}  // namespace cairn
