// A checkpoint holds the scenario as text, how far its files had grown, and the simulation. Here it is bytes;
// checkpoint_files.hpp and run_folder.hpp put them into files.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cairn/core/vec3.hpp"
#include "cairn/formats/archive.hpp"
#include "cairn/run/summary.hpp"

namespace cairn {

class Simulation;
struct Look;

// What a scenario was read from; enough to read it again.
struct ScenarioSource {
  std::string name;  // of the file, as given
  std::string text;
  std::vector<std::string> overrides;  // --set
};

// How far a run has come, beside its simulation: how far its files have grown, and what it has taken.
struct RunSoFar {
  std::string list;            // GrowingFiles::list(); empty: there are none
  std::int64_t last_row = -1;  // of the series, in steps
  std::uint64_t frames = 0;
  std::vector<Real> picture_times;  // [s]
  TimeTaken taken;
};

// `look` of the pictures; null: there are none so far. The archive is not finished.
void save_run(ArchiveWriter& archive, const ScenarioSource& source, const RunSoFar& so_far, Look* look,
              Simulation& simulation);
ScenarioSource saved_source(const ArchiveReader& archive);
RunSoFar saved_so_far(const ArchiveReader& archive);
// False where there are no pictures so far.
bool load_look(const ArchiveReader& archive, Look& look);
// Into a simulation made from the same source; Simulation::restored() is left to the caller.
void load_simulation(const ArchiveReader& archive, Simulation& simulation);

}  // namespace cairn
