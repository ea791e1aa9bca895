#include "cairn/formats/table.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <stdexcept>

#include "cairn/core/error.hpp"

namespace cairn {
namespace {

void append(std::string& line, const Table::Cell& cell) {
  if (const Real* real = std::get_if<Real>(&cell)) {
    line += to_text(*real);
  } else if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    line += std::to_string(*whole);
  } else if (const auto& text = std::get<std::string>(cell); text.find_first_of("\",#\r\n") == text.npos) {
    line += text;
  } else {
    line += '"';
    for (const char c : text) line.append(c == '"' ? 2 : 1, c);
    line += '"';
  }
}

// The lines "# units: ..." and of names.
std::string heading(std::span<const Table::Column> columns) {
  std::string units, names;
  std::set<std::string_view> taken;
  for (const Table::Column& column : columns) {
    // Refused, not quoted: names that every reader takes as they are.
    if (column.name.empty() || (column.name + column.unit).find_first_of("\",#\r\n") != std::string::npos)
      throw std::logic_error("table: a column cannot be called '" + column.name + "' [" + column.unit + "]");
    if (!taken.insert(column.name).second)
      throw std::logic_error("table: two columns are called '" + column.name + "'");
    units += (units.empty() ? "" : ", ") + column.name + " [" + column.unit + "]";
    names += (names.empty() ? "" : ",") + column.name;
  }
  return "# units: " + units + "\n" + names + "\n";
}

}  // namespace

std::string Table::name_of(std::string words) {
  for (char& c : words)
    if (std::string_view("\",#\r\n").find(c) != std::string_view::npos) c = ';';
  return words;
}

std::string Table::head_text(std::string_view version, std::span<const Column> columns) {
  return "# cairn " + std::string(version) + "\n" + heading(columns);
}

std::string Table::row_text(std::span<const Cell> cells) {
  std::string line;
  for (const Cell& cell : cells) {
    if (!line.empty()) line += ',';
    append(line, cell);
  }
  return line + "\n";
}

Table Table::create(const std::string& path, std::string_view version, std::span<const Column> columns, Place place) {
  const std::string head = head_text(version, columns);
  Table table(TextFile::create(path, place), columns.size());
  table.file_.write(head);
  return table;
}

Table Table::resume(const std::string& path, std::span<const Column> columns, const FileSum& before) {
  TextFile file = TextFile::reopen(path, before);
  const std::string head = heading(columns);
  // The first line may name an older version of the program.
  constexpr std::size_t most_of_first_line = 1000;
  const std::string begin = read_file(path, most_of_first_line + head.size());
  const std::size_t first_line_end = begin.find('\n');
  if (first_line_end == begin.npos || begin.compare(first_line_end + 1, head.size(), head) != 0)
    throw Error(Exit::io, "cannot continue " + path + ": its columns are not those of this run");
  if (before.size < first_line_end + 1 + head.size())
    throw Error(Exit::io,
                "cannot continue " + path + " at byte " + std::to_string(before.size) + ": no row begins there");
  return Table(std::move(file), columns.size());
}

bool Table::has_column(const std::string& path, std::string_view name) {
  constexpr std::size_t most_of_head = 1 << 20;
  std::istringstream head(read_file(path, most_of_head));
  std::string line;
  while (std::getline(head, line) && line.starts_with('#')) {
  }
  std::istringstream names(line);
  for (std::string one; std::getline(names, one, ',');)
    if (one == name) return true;
  return false;
}

void Table::row(std::span<const Cell> cells) {
  if (cells.size() != columns_)
    throw std::logic_error("table: a row of " + std::to_string(cells.size()) + " cells for " +
                           std::to_string(columns_) + " columns");
  file_.write(row_text(cells));
}

const std::vector<Real>* Columns::find(std::string_view name) const {
  const auto at = places.find(name);
  return at == places.end() ? nullptr : &values[at->second];
}

Columns read_table(const std::string& path) {
  const std::string content = read_file(path);
  Columns table;
  std::size_t line_number = 0;
  const auto refuse = [&](const std::string& what) {
    throw Error(Exit::io, path + ":" + std::to_string(line_number) + ": this is not a table written by Cairn: " + what);
  };
  const auto split = [](std::string_view line, std::string_view by) {
    std::vector<std::string_view> parts;
    for (std::size_t end; (end = line.find(by)) != line.npos; line.remove_prefix(end + by.size()))
      parts.push_back(line.substr(0, end));
    parts.push_back(line);
    return parts;
  };
  constexpr std::string_view units = "# units: ";
  bool names_read = false;
  for (std::size_t at = 0; at < content.size(); ++at) {
    ++line_number;
    const std::size_t end = std::min(content.find('\n', at), content.size());
    const std::string_view line = std::string_view(content).substr(at, end - at);
    at = end;
    if (line.starts_with(units)) {
      for (const std::string_view part : split(line.substr(units.size()), ", ")) {
        const std::size_t open = part.rfind(" [");
        if (open == part.npos || !part.ends_with("]")) refuse("a unit is missing");
        table.heads.push_back(
            {std::string(part.substr(0, open)), std::string(part.substr(open + 2, part.size() - open - 3))});
      }
      table.values.resize(table.heads.size());
      table.places.clear();
      for (std::size_t k = 0; k < table.heads.size(); ++k) table.places.emplace(table.heads[k].name, k);
    } else if (!line.starts_with("#")) {
      const auto cells = split(line, ",");
      if (cells.size() != table.heads.size())
        refuse(std::to_string(cells.size()) + " values for " + std::to_string(table.heads.size()) + " columns");
      for (std::size_t k = 0; k < cells.size(); ++k) {
        if (!names_read) {
          if (cells[k] != table.heads[k].name) refuse("names and units are of different columns");
          continue;
        }
        Real value = 0;
        const auto [rest, failure] = std::from_chars(cells[k].data(), cells[k].data() + cells[k].size(), value);
        if (failure != std::errc() || rest != cells[k].data() + cells[k].size()) refuse("a cell is not a number");
        table.values[k].push_back(value);
      }
      names_read = true;
    }
  }
  return table;
}

}  // namespace cairn
