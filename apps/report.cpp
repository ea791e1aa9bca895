// cairn report: makes the report of a run again.
#include "cairn/io/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.hpp"
#include "terminal.hpp"

namespace cairn {

void add_report(CLI::App& app) {
  const auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("report", "Make the report of a run again");
  command->add_option("folder", *folder, "folder of the run")->required();
  command->callback([folder] {
    if (!write_report(*folder)) print_error(fmt::format("{}\n", no_gnuplot));
    print(fmt::format("{}/report.html\n", *folder));
  });
}

}  // namespace cairn
