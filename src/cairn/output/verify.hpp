// Whether the files of a run are as it wrote them. Checkpoints carry checksums of their own. The newest whole one knows
// how far each growing file had come, and through checksums.txt every frame and picture. The end of a run adds the rest
// to that list. A run without an end is verified up to its newest checkpoint: a resume writes anew all that came later.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cairn/core/vec3.hpp"
#include "cairn/formats/checksum.hpp"

namespace cairn {

enum class FileState { whole, longer_than_known, missing, shorter, longer, changed, unreadable };
const char* words_for(FileState state);

struct VerifiedFile {
  std::string name;  // in the run's folder
  FileState state;
  std::uint64_t size = 0, expected = 0;  // [bytes] 0 expected: not known, of a checkpoint
  std::string why{};                     // what is wrong with it
  bool damaged() const { return state > FileState::longer_than_known; }
};

struct Verification {
  bool ended = false;      // what the run wrote at its end is among the files
  std::string checkpoint;  // the newest that is whole; empty: none
  Real time = 0;           // [s] and
  std::int64_t steps = 0;  // of that checkpoint
  std::vector<VerifiedFile> files;
  std::vector<std::string> unknown;  // names of a run's files, of which there is no checksum

  std::vector<VerifiedFile> damaged() const;
};

// Reads every file. Error(io) where the folder holds no run, Error(busy) where one is writing into it now.
Verification verify_run(const std::string& folder);

}  // namespace cairn
