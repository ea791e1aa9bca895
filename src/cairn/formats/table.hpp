// A table as CSV: two lines of comment (program and units), one row of names, then the rows. Numbers are
// the shortest text that reads back as the same bits. pandas.read_csv(file, comment="#") reads it.
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cairn/core/vec3.hpp"
#include "cairn/formats/files.hpp"

namespace cairn {

class Table {
 public:
  struct Column {
    std::string name, unit;  // unit "1": a number without
  };
  using Cell = std::variant<Real, std::int64_t, std::string>;  // text in quotes where it needs them

  // A column's name from any, "newmark(0.25;0.5)": names are refused that a reader would have to unquote.
  static std::string name_of(std::string words);

  // What create() and row() write.
  static std::string head_text(std::string_view version, std::span<const Column> columns);
  static std::string row_text(std::span<const Cell> cells);

  static Table create(const std::string& path, std::string_view version, std::span<const Column> columns,
                      Place place = Place::own);
  // Goes on behind the rows of before (TextFile::reopen). The columns must be those of the file.
  static Table resume(const std::string& path, std::span<const Column> columns, const FileSum& before);

  // Whether the table at `path` has a column of this name.
  static bool has_column(const std::string& path, std::string_view name);

  void row(std::span<const Cell> cells);
  void row(std::initializer_list<Cell> cells) { row(std::span(cells.begin(), cells.size())); }

  void cut() { file_.cut(); }
  void flush() { file_.flush(); }
  void sync() { file_.sync(); }
  void close() { file_.close(); }
  const FileSum& sum() const { return file_.sum(); }  // for resume

 private:
  Table(TextFile file, std::size_t columns) : file_(std::move(file)), columns_(columns) {}

  TextFile file_;
  std::size_t columns_;
};

// A table of numbers read back.
struct Columns {
  std::vector<Table::Column> heads;
  std::vector<std::vector<Real>> values;  // of each column
  std::map<std::string, std::size_t, std::less<>> places;

  // The column of this name; null if there is none.
  const std::vector<Real>* find(std::string_view name) const;
};
// Throws Error(io) naming the line that is not one of such a table.
Columns read_table(const std::string& path);

}  // namespace cairn
