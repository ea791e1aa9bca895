// The folder of a run: series.csv, frames/, checkpoint/, final.csv, summary.json. Everything the program writes is in
// here. A checkpoint holds the scenario too, so that a folder is all a resume needs.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cairn/io/particle_frames.hpp"
#include "cairn/io/table.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {

// What a scenario was read from; enough to read it again.
struct ScenarioSource {
  std::string name;  // of the file, as given
  std::string text;
  std::vector<std::string> overrides;  // --set
};

class RunFolder {
 public:
  // Starts a run in `folder`, made if missing; files of an earlier run are replaced.
  static RunFolder create(const std::string& folder, const ScenarioSource& source, Simulation& simulation);
  // Goes on from the newest checkpoint, which it loads into `simulation`, made from the same source.
  static RunFolder resume(const std::string& folder, const ScenarioSource& source, Simulation& simulation);

  // What the newest checkpoint was made from; `warning` tells what is wrong with newer ones.
  static ScenarioSource read_source(const std::string& folder, std::string& warning);

  // Writes what the occasions ask for.
  void observe(unsigned occasions);
  // final.csv and summary.json, and a last checkpoint.
  void finish(Real wall_seconds);
  void save_checkpoint();

  std::string summary_json(Real wall_seconds) const;
  const std::string& folder() const { return folder_; }

 private:
  RunFolder(std::string folder, ScenarioSource source, Simulation& simulation)
      : folder_(std::move(folder)), source_(std::move(source)), simulation_(&simulation) {}

  std::vector<Table::Column> series_columns() const;
  void write_series();
  void write_frame();
  void write_final();

  std::string folder_;
  ScenarioSource source_;
  Simulation* simulation_;
  std::optional<Table> series_;
  std::optional<FrameCollection> frames_;
  std::int64_t started_at_ = 0;  // steps already done when this process took over
};

}  // namespace cairn
