#include "cairn/output/checkpoint_files.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/formats/run_names.hpp"

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kept = 2;

}  // namespace

std::vector<GenerationFile> generations(const std::string& folder) {
  std::vector<GenerationFile> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (const auto number = names::checkpoint.number_of(entry->path().filename().string()))
      found.push_back({*number, entry->path().string()});
  if (error) throw Error(Exit::io, "cannot read the folder " + folder + ": " + error.message());
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.number > b.number; });
  return found;
}

NewGeneration Generations::begin(std::uint64_t size) const {
  const std::vector<GenerationFile> before = generations(folder_);
  const std::uint64_t number = before.empty() ? 1 : before[0].number + 1;
  return {number, (fs::path(folder_) / names::checkpoint.file(number)).string(), size};
}

void Generations::keep(NewGeneration generation) {
  generation.file_.commit();
  whole_.push_back(generation.number_);
  if (whole_.size() < kept) return;
  whole_.erase(whole_.begin(), whole_.end() - kept);
  for (const GenerationFile& file : generations(folder_)) {
    if (std::find(whole_.begin(), whole_.end(), file.number) != whole_.end()) continue;
    std::error_code error;
    fs::remove(file.path, error);
    if (error) throw Error(Exit::io, "cannot remove " + file.path + ": " + error.message());
  }
}

ArchiveReader Generations::load_newest(std::string& warning) {
  warning.clear();
  const std::vector<GenerationFile> found = generations(folder_);
  if (found.empty())
    throw Error(Exit::io, "nothing to resume: there is no checkpoint in " + folder_ + "; start the run again");
  std::string damage;
  for (const GenerationFile& generation : found) {
    try {
      ArchiveReader reader = ArchiveReader::open(generation.path);
      if (!damage.empty()) warning = damage + "resuming from the older checkpoint " + generation.path;
      whole_ = {generation.number};
      return reader;
    } catch (const Error& error) {  // unreadable, by a broken disk say, is as bad as corrupt
      damage += error.what() + std::string("; ");
    }
  }
  throw Error(Exit::corrupt, damage + "no other checkpoint exists");
}

}  // namespace cairn
