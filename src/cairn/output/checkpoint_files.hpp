// The checkpoints of a run in their folder: checkpoint.1, checkpoint.2, ..., of which the newest two stay. A new one
// is complete and on the disk before an old one goes, and none is ever changed, so that a run killed at any point
// leaves at least one whole generation. Only those count that this process wrote or
// read, and so knows to be whole: a damaged one never pushes a good one out, and is removed once there are two good
// ones. Rejected: two fixed names, which need renames of what is already safe and a date inside; the number is the
// date, and no clock is asked.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/formats/archive.hpp"
#include "cairn/formats/files.hpp"

namespace cairn {

struct GenerationFile {
  std::uint64_t number;
  std::string path;
};

// Those in a folder, newest first.
std::vector<GenerationFile> generations(const std::string& folder);

// One on its way, written part by part. Unless it is kept, nothing of it stays.
class NewGeneration {
 public:
  void write(std::string_view bytes) { file_.write(bytes); }

 private:
  friend class Generations;
  NewGeneration(std::uint64_t number, const std::string& path, std::uint64_t size)
      : number_(number), file_(path, size) {}

  std::uint64_t number_;
  NewFile file_;
};

class Generations {
 public:
  explicit Generations(std::string folder) : folder_(std::move(folder)) {}

  // The newest whole one. What is wrong with newer ones is told in `warning`, else it is empty.
  ArchiveReader load_newest(std::string& warning);

  NewGeneration begin(std::uint64_t size) const;  // [bytes] it will take, for messages
  void keep(NewGeneration generation);            // once it is on the disk, those before the newest two go

 private:
  std::string folder_;
  std::vector<std::uint64_t> whole_;  // known to be so, in their order
};

}  // namespace cairn
