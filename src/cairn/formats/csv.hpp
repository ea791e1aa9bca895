// Reads tables as CSV: one row of names, then rows of as many cells, separated by commas; blank lines and lines that
// begin with # say nothing, cells may stand in double quotes. Reads what formats/table.hpp, spreadsheets and pandas
// write. Whatever is not understood is Error(Exit::bad_input, "file:line: column 'x': found ..., expected ...").
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
  static Csv parse(std::string text, const std::string& path);  // path: for messages

  // Refuses columns of other names than these.
  void require_known(std::span<const std::string_view> names) const;

  std::size_t rows() const { return rows_.size(); }
  std::optional<std::size_t> find(std::string_view name) const;
  std::size_t column(std::string_view name, const std::string& expected) const;  // an error if there is none

  // Stands until another row is asked for.
  const std::string& cell(std::size_t row, std::size_t column) const;
  Real number(std::size_t row, std::size_t column, const char* expected = "a finite number") const;
  Real positive(std::size_t row, std::size_t column, const char* expected) const;

  [[noreturn]] void fail(std::size_t row, std::size_t column, const std::string& expected) const;  // of a cell
  [[noreturn]] void fail(const std::string& message) const;                                        // of the names

 private:
  explicit Csv(std::string path) : path_(std::move(path)) {}
  [[noreturn]] void fail_at(std::int64_t line, const std::string& message) const;

  // Cells are cut when their row is asked for: a table of a million grains would take twice its text in cells.
  struct Row {
    std::size_t begin, size;  // of its line in the text
    std::int64_t line;        // from 1
  };

  std::string path_, text_;
  std::int64_t names_line_ = 1;
  std::vector<std::string> names_;
  std::vector<Row> rows_;
  mutable std::size_t row_ = ~std::size_t{0};  // whose cells these are
  mutable std::vector<std::string> cells_;
};

}  // namespace cairn
