// The output of every study: tables as CSV and JSON, a page with figures, a table for the terminal. A study returns a
// StudyReport; the functions below write it.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/formats/table.hpp"
#include "cairn/render/figure.hpp"
#include "cairn/render/page.hpp"

namespace cairn::studies {

// The part of a study that is done, 0 to 1, and its present task; called between runs.
using ProgressCallback = std::function<void(Real done, const std::string& doing)>;

struct ResultTable {
  std::string name;  // of its file, and in JSON
  std::vector<Table::Column> columns;
  std::vector<std::vector<Table::Cell>> rows;
};

struct StudyReport {
  std::string name;  // of the study, as the command has it
  std::string title, subtitle;
  std::vector<std::string> findings;  // sentences, the most important first
  Page::Row head;                     // the main table, which the terminal shows
  std::vector<Page::Row> rows;
  std::string legend;               // explains its columns; empty if their names are enough
  std::vector<ResultTable> tables;  // --csv writes the first
  std::vector<Figure> figures;
  // The page below its title; `put` shows a figure, with a caption.
  using Put = std::function<void(const Figure& figure, const std::string& caption)>;
  std::function<void(const StudyReport& report, Page& page, const Put& put)> body;
};

// Error(io) if write_csv() could not write there. An existing file keeps its content.
void check_writable(const std::string& path);
void write_csv(const std::string& path, const ResultTable& table, Place place = Place::given);
// report.html, each table as CSV, figures/. False if gnuplot is missing and the figures have no SVG.
bool write_study(const std::string& folder, const StudyReport& report);
// The files it writes.
std::vector<std::string> files_of(const StudyReport& report);
// Findings and tables; numbers that are not finite become null.
std::string json_of(const StudyReport& report);
// The rows in aligned columns, for the terminal.
std::string text_of(const Page::Row& head, const std::vector<Page::Row>& rows);

}  // namespace cairn::studies
