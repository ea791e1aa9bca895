#include "cairn/io/checkpoint_files.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <vector>

#include "cairn/core/error.hpp"

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "checkpoint.";
constexpr std::size_t kept = 2;

// Newest first. Other names, such as checkpoint.7.part of a killed run, are passed over.
std::vector<GenerationFile> generations(const std::string& folder) {
  std::vector<GenerationFile> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix)) continue;
    std::uint64_t number = 0;
    const char* const name_end = name.data() + name.size();
    const auto [rest, failure] = std::from_chars(name.data() + prefix.size(), name_end, number);
    if (failure == std::errc() && rest == name_end) found.push_back({number, entry->path().string()});
  }
  if (error) throw Error(Exit::io, "cannot read the folder " + folder + ": " + error.message());
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.number > b.number; });
  return found;
}

}  // namespace

NewGeneration::NewGeneration(const std::string& folder, std::uint64_t size)
    : before_(generations(folder)),
      file_((fs::path(folder) / (std::string(prefix) + std::to_string(before_.empty() ? 1 : before_[0].number + 1)))
                .string(),
            size) {}

void NewGeneration::keep() {
  file_.commit();
  for (std::size_t i = kept - 1; i < before_.size(); ++i) {
    std::error_code error;
    fs::remove(before_[i].path, error);
    if (error) throw Error(Exit::io, "cannot remove " + before_[i].path + ": " + error.message());
  }
}

ArchiveReader load_newest(const std::string& folder, std::string& warning) {
  warning.clear();
  const std::vector<GenerationFile> found = generations(folder);
  if (found.empty()) throw Error(Exit::io, "nothing to resume: there is no checkpoint in " + folder + "; run it again");
  std::string damage;
  for (const GenerationFile& generation : found) {
    try {
      ArchiveReader reader = ArchiveReader::open(generation.path);
      if (!damage.empty()) warning = damage + "going back to " + generation.path;
      return reader;
    } catch (const Error& error) {  // unreadable, by a broken disk say, is as bad as corrupt
      damage += error.what() + std::string("; ");
    }
  }
  throw Error(Exit::corrupt, damage + "there is no other checkpoint");
}

}  // namespace cairn
