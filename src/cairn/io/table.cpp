#include "cairn/io/table.hpp"

#include <stdexcept>

#include "cairn/core/error.hpp"

namespace cairn {
namespace {

std::string text_of(const Table::Cell& cell) {
  if (const Real* real = std::get_if<Real>(&cell)) return to_text(*real);
  return std::to_string(std::get<std::int64_t>(cell));
}

// The lines "# units: ..." and of names.
std::string heading(std::span<const Table::Column> columns) {
  std::string units, names;
  for (const Table::Column& column : columns) {
    // Refused, not quoted: names that every reader takes as they are.
    if (column.name.empty() || (column.name + column.unit).find_first_of("\",#\r\n") != std::string::npos)
      throw std::logic_error("table: a column cannot be called '" + column.name + "' [" + column.unit + "]");
    units += (units.empty() ? "" : ", ") + column.name + " [" + column.unit + "]";
    names += (names.empty() ? "" : ",") + column.name;
  }
  return "# units: " + units + "\n" + names + "\n";
}

}  // namespace

Table Table::create(const std::string& path, std::string_view version, std::span<const Column> columns) {
  const std::string head = heading(columns);
  Table table(TextFile::create(path), columns.size());
  table.file_.write("# cairn " + std::string(version) + "\n" + head);
  return table;
}

Table Table::resume(const std::string& path, std::span<const Column> columns, std::uint64_t offset) {
  const std::string head = heading(columns);
  const std::string content = read_file(path);
  const std::size_t first_line_end = content.find('\n');
  // The first line may name an older version of the program.
  if (first_line_end == content.npos || content.compare(first_line_end + 1, head.size(), head) != 0)
    throw Error(Exit::io, "cannot continue " + path + ": its columns are not those of this run");
  if (offset < first_line_end + 1 + head.size())
    throw Error(Exit::io, "cannot continue " + path + " at byte " + std::to_string(offset) + ": no row begins there");
  return Table(TextFile::reopen(path, offset), columns.size());
}

void Table::row(std::span<const Cell> cells) {
  if (cells.size() != columns_)
    throw std::logic_error("table: a row of " + std::to_string(cells.size()) + " cells for " +
                           std::to_string(columns_) + " columns");
  std::string line;
  for (const Cell& cell : cells) {
    if (!line.empty()) line += ',';
    line += text_of(cell);
  }
  file_.write(line + '\n');
}

}  // namespace cairn
