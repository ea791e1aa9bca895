// The checkpoints of a run in their folder: checkpoint.1, checkpoint.2, ..., of which the newest two stay. A new one
// is complete and on the disk before an old one goes, and none is ever changed, so that a run killed at any point
// leaves at least one whole generation. Rejected: two fixed names, which need renames of what is already safe and a
// date inside; the number is the date, and no clock is asked.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/io/archive.hpp"
#include "cairn/io/files.hpp"

namespace cairn {

struct GenerationFile {
  std::uint64_t number;
  std::string path;
};

// One on its way, written part by part. Unless it is kept, nothing of it stays.
class NewGeneration {
 public:
  NewGeneration(const std::string& folder, std::uint64_t size);  // [bytes] it will take, for messages
  void write(std::string_view bytes) { file_.write(bytes); }
  void keep();  // once it is on the disk, all but the newest two go

 private:
  std::vector<GenerationFile> before_;  // newest first
  NewFile file_;
};

// The newest whole generation. What is wrong with newer ones is told in `warning`, else it is empty.
ArchiveReader load_newest(const std::string& folder, std::string& warning);

}  // namespace cairn
