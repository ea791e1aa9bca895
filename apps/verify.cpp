// cairn verify: whether the files of a run are those it wrote.
#include "cairn/output/verify.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/formats/words.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

nlohmann::ordered_json as_json(const std::string& folder, const Verification& found) {
  nlohmann::ordered_json j;
  j["folder"] = folder;
  j["whole"] = found.damaged().empty();
  j["ended"] = found.ended;
  j["checkpoint"] = found.checkpoint;
  j["time"] = found.time;
  j["steps"] = found.steps;
  auto& files = j["files"] = nlohmann::ordered_json::array();
  for (const VerifiedFile& file : found.files) {
    files.push_back({{"name", file.name}, {"state", words_for(file.state)}, {"bytes", file.size}});
    if (file.expected > 0) files.back()["expected_bytes"] = file.expected;
    if (!file.why.empty()) files.back()["why"] = file.why;
  }
  j["not_checked"] = found.unknown;
  return j;
}

// A row for each file of the folder, and one for each folder within it.
void print_files(const Verification& found) {
  struct Row {
    std::string name;
    std::uint64_t files = 0, bytes = 0, damaged = 0, more = 0;
  };
  std::vector<Row> rows;
  for (const VerifiedFile& file : found.files) {
    const std::size_t slash = file.name.find('/');
    const std::string name = slash == file.name.npos ? file.name : file.name.substr(0, slash + 1);
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
    if (row == rows.end()) row = rows.insert(row, Row{name});
    ++row->files;
    row->bytes += file.size;
    row->damaged += file.damaged();
    if (file.state == FileState::longer_than_known) row->more += file.size - file.expected;
  }
  print_table(fmt::format("{:<16} {:>9} {:>15}\n", "", "files", "bytes"));
  for (const Row& row : rows) {
    std::string state = row.damaged == 0 ? "whole"
                        : row.files == 1 ? "damaged"
                                         : fmt::format("{} damaged", row.damaged);
    if (row.more > 0) state += fmt::format(", {} of these bytes after the checkpoint", row.more);
    print(fmt::format("{:<16} {:>9} {:>15}  {}\n", row.name, row.files, row.bytes, state));
  }
}

std::string some_of(const std::vector<std::string>& all, const std::string& between) {
  constexpr std::size_t most = 10;
  const std::vector<std::string> first(all.begin(),
                                       all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size())));
  const std::string more = all.size() > most ? fmt::format("{}and {} more", between, all.size() - most) : "";
  return joined(first, between, between) + more;
}

void verify(const std::string& folder, bool json) {
  const Verification found = verify_run(folder);
  const std::vector<VerifiedFile> damaged = found.damaged();
  if (json) {
    print(fmt::format("{}\n", as_json(folder, found).dump(2, ' ', false, nlohmann::json::error_handler_t::replace)));
  } else {
    print_files(found);
    if (!found.checkpoint.empty())
      print(
          fmt::format("newest checkpoint: {}, t = {} s, {} steps\n", found.checkpoint, brief(found.time), found.steps));
    if (found.ended)
      print(fmt::format("the run ended or was stopped in order; the files written at its end were checked too\n"));
    else
      print(fmt::format(
          "the end of the run is not on record: files were checked up to the newest checkpoint, and a resume writes "
          "everything after it again\n"));
    if (!found.unknown.empty())
      print(fmt::format(
          "not checked, {}: {}\n",
          found.ended ? "because they do not belong to this end of the run" : "because they were written later",
          some_of(found.unknown, ", ")));
    if (damaged.empty()) print(fmt::format("all {} files are whole\n", found.files.size()));
  }
  if (damaged.empty()) return;
  std::vector<std::string> reasons;
  for (const VerifiedFile& file : damaged) reasons.push_back(file.why);
  throw Error(Exit::corrupt, fmt::format("{} of {} files {} not as the run wrote {}: {}", damaged.size(),
                                         found.files.size(), damaged.size() == 1 ? "is" : "are",
                                         damaged.size() == 1 ? "it" : "them", some_of(reasons, "; ")));
}

}  // namespace

void add_verify(CLI::App& app) {
  struct Options {
    std::string folder;
    bool json = false;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "verify", "Check the files of a run against the checksums it wrote; exit code 8 if a file is damaged");
  command->add_option("folder", o->folder, "folder of the run")->required()->type_name("FOLDER");
  command->add_flag("--json", o->json, "print the result for each file as JSON, to the standard output");
  command->callback([o] { verify(o->folder, o->json); });
}

}  // namespace cairn
