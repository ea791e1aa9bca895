// What every study leaves, once: tables as CSV and JSON, a page with figures, a table for a terminal. A study gives its
// result this shape; what is done with it stands here.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/formats/table.hpp"
#include "cairn/render/figure.hpp"
#include "cairn/render/page.hpp"

namespace cairn::studies {

// How far a study is, 0 to 1, and what it does; called between runs.
using ProgressCallback = std::function<void(Real done, const std::string& doing)>;

struct ResultTable {
  std::string name;  // of its file, and in JSON
  std::vector<Table::Column> columns;
  std::vector<std::vector<Table::Cell>> rows;
};

struct StudyReport {
  std::string name;  // of the study, as the command has it
  std::string title, subtitle;
  std::vector<std::string> findings;  // sentences; the first says it all
  Page::Row head;                     // the table to look at first
  std::vector<Page::Row> rows;
  std::string legend;               // what its columns are; empty where their names say it
  std::vector<ResultTable> tables;  // the first is the study's own
  std::vector<Figure> figures;
  // The page below its title; `put` shows a figure, with a caption.
  using Put = std::function<void(const Figure& figure, const std::string& caption)>;
  std::function<void(const StudyReport& report, Page& page, const Put& put)> body;
};

// Error(io) where write_csv() could not write; what is there stays as it is.
void check_writable(const std::string& path);
void write_csv(const std::string& path, const ResultTable& table, Place place = Place::given);
// report.html, each table as CSV, figures/. False if gnuplot is missing and the figures have no SVG.
bool write_study(const std::string& folder, const StudyReport& report);
// Findings and tables; what is not finite is null.
std::string json_of(const StudyReport& report);
// In columns, for a terminal.
std::string text_of(const Page::Row& head, const std::vector<Page::Row>& rows);

}  // namespace cairn::studies
