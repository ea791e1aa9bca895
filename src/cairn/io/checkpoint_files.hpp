// The checkpoints of a run in their folder: checkpoint.1, checkpoint.2, ..., of which the newest two stay. A new one
// is complete and on the disk before an old one goes, and none is ever changed, so that a run killed at any point
// leaves at least one whole generation. Rejected: two fixed names, which need renames of what is already safe and a
// date inside; the number is the date, and no clock is asked.
#pragma once
#include <string>
#include <string_view>

#include "cairn/io/archive.hpp"

namespace cairn {

void save_generation(const std::string& folder, std::string_view archive);

// The newest whole generation. What is wrong with newer ones is told in `warning`, else it is empty.
ArchiveReader load_newest(const std::string& folder, std::string& warning);

}  // namespace cairn
