// cairn report: makes the report of a run again.
#include "cairn/io/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.hpp"

namespace cairn {

void add_report(CLI::App& app) {
  const auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("report", "Make the report of a run again");
  command->add_option("folder", *folder, "folder of the run")->required();
  command->callback([folder] {
    if (!write_report(*folder)) fmt::print(stderr, "{}\n", no_gnuplot);
    fmt::print("{}/report.html\n", *folder);
  });
}

}  // namespace cairn
