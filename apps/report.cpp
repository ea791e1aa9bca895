// cairn report: makes the report of a run again.
#include "cairn/report/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cairn/core/error.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/output/checksum_list.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace cairn {

void add_report(CLI::App& app) {
  const auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("report", "Write the report of a run again");
  command->add_option("folder", *folder, "folder of the run")->required()->type_name("FOLDER");
  command->callback([folder] {
    if (!std::filesystem::is_directory(*folder)) throw Error(Exit::io, "there is no folder " + *folder);
    const FolderLock lock(*folder);
    const ReportFiles report = write_report(*folder);
    list_again(*folder, report.names);
    if (!report.drawn) print_error(fmt::format("{}\n", no_gnuplot));
    print(fmt::format("{}/report.html\n", *folder));
  });
}

}  // namespace cairn
