#include "cairn/studies/shown.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cairn/core/error.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/run_names.hpp"

namespace cairn::studies {

void check_writable(const std::string& path) {
  struct stat status;
  const bool there = ::stat(path.c_str(), &status) == 0;
  if (there && S_ISFIFO(status.st_mode)) return;  // opening it would wait for a reader
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) throw Error(Exit::io, "cannot write " + path + ": " + std::generic_category().message(errno));
  ::close(descriptor);
  if (!there) ::unlink(path.c_str());
}

void write_csv(const std::string& path, const ResultTable& table, Place place) {
  Table file = Table::create(path, CAIRN_VERSION, table.columns, place);
  for (const auto& row : table.rows) file.row(row);
  file.close();
}

std::vector<std::string> files_of(const StudyReport& report) {
  std::vector<std::string> all{"report.html"};
  for (const ResultTable& table : report.tables) all.push_back(table.name + ".csv");
  for (const Figure& figure : report.figures)
    for (const char* ending : names::figure_endings) all.push_back("figures/" + figure.name + ending);
  return all;
}

bool write_study(const std::string& folder, const StudyReport& report) {
  make_folder(folder);
  for (const ResultTable& table : report.tables) write_csv(folder + "/" + table.name + ".csv", table, Place::own);
  const std::string figures = folder + "/figures";
  refuse_link(figures);
  const bool drawn = write_figures(figures, report.figures);
  Page page(report.title, report.subtitle);
  report.body(report, page, [&](const Figure& figure, const std::string& caption) {
    const std::string svg = figures + "/" + figure.name + ".svg";
    std::error_code ignored;
    page.figure(figure, std::filesystem::exists(svg, ignored) ? read_file(svg) : "", caption);
  });
  write_file_atomically(folder + "/report.html", page.html());
  return drawn;
}

std::string json_of(const StudyReport& report) {
  nlohmann::ordered_json j;
  j["study"] = report.name;
  j["version"] = CAIRN_VERSION;
  j["title"] = report.title;
  j["subtitle"] = report.subtitle;
  j["findings"] = report.findings;
  for (const ResultTable& table : report.tables) {
    auto& rows = j[table.name] = nlohmann::ordered_json::array();
    for (const auto& row : table.rows) {
      nlohmann::ordered_json entry;
      for (std::size_t k = 0; k < row.size(); ++k)
        std::visit([&](const auto& cell) { entry[table.columns[k].name] = cell; }, row[k]);
      rows.push_back(std::move(entry));
    }
  }
  return j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string text_of(const Page::Row& head, const std::vector<Page::Row>& rows) {
  std::vector<std::size_t> width(head.size(), 0);
  const auto letters = [](const std::string& text) {  // of UTF-8
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  };
  const auto measure = [&](const Page::Row& row) {
    for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], letters(row[k]));
  };
  measure(head);
  for (const Page::Row& row : rows) measure(row);
  std::string text;
  const auto add = [&](const Page::Row& row) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) line += row[k] + std::string(width[k] - letters(row[k]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add(head);
  for (const Page::Row& row : rows) add(row);
  return text;
}

}  // namespace cairn::studies
