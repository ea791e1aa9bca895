// The folder of a run: scenario.toml, series.csv, frames/, contacts/, pictures/, checkpoint/, final.csv, summary.json,
// report.html, checksums.txt (formats/run_names.hpp). Everything the program writes is in here. A checkpoint holds the
// scenario too, so that a folder is all a resume needs.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cairn/formats/files.hpp"
#include "cairn/formats/table.hpp"
#include "cairn/output/checkpoint_files.hpp"
#include "cairn/output/frame_files.hpp"
#include "cairn/output/growing_files.hpp"
#include "cairn/output/run_archive.hpp"
#include "cairn/render/scene.hpp"
#include "cairn/run/record.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/run/summary.hpp"

namespace cairn {

enum class EarlierRun { keep, replace };

class RunFolder {
 public:
  // Starts a run in the folder that is locked; files of an earlier run are kept beside, or replaced. There is a
  // checkpoint from the start.
  static RunFolder create(FolderLock folder, const ScenarioSource& source, Simulation& simulation,
                          EarlierRun earlier = EarlierRun::keep);
  // Goes on from the newest checkpoint, which it loads into `simulation`, made from the same source. Error(bad_input)
  // where that is to end before it.
  static RunFolder resume(FolderLock folder, const ScenarioSource& source, Simulation& simulation);

  // What the newest checkpoint was made from; `warning` tells what is wrong with newer ones. Error(io) where there is
  // none, Error(corrupt) where none is whole.
  static ScenarioSource read_source(const std::string& folder, std::string& warning);
  // Loads the newest checkpoint into `simulation`, made from the same source, and leaves the folder as it is.
  static void look_at(const std::string& folder, Simulation& simulation, std::string& warning);
  // How far the run had come there.
  struct Progress {
    Real time = 0;            // [s]
    std::size_t changes = 0;  // that had happened
  };
  static Progress read_progress(const std::string& folder);

  // Writes what the occasions ask for.
  void observe(unsigned occasions);
  void save_checkpoint() { generations_.keep(checkpoint()); }
  // A last checkpoint, final.csv and summary.json. Where the residual guard refuses, nothing is written.
  void finish(const std::string& stopped_by = "");
  // After a guard refused: shows the state it refused in series.csv, final.csv and summary.json. No checkpoint is
  // made of it.
  void give_up(const std::string& stopped_by);

  // Where the files of an earlier run are now; empty: there were none, or they were replaced.
  const std::string& kept() const { return kept_; }

  // False if the report's figures have no SVG, for want of gnuplot.
  bool figures_drawn() const { return figures_drawn_; }

  // Once the run has ended.
  const std::optional<ShortestCollision>& shortest() const { return shortest_; }

  // By the whole run so far. The time of this process counts from start_clock() on, or else from when this was made.
  TimeTaken taken() const;
  void start_clock() { clock_started_ = Clock::now(); }

  RunSummary summary(const Ending& ending) const;  // as summary.json has it
  const std::string& folder() const { return lock_.folder(); }

 private:
  using Clock = std::chrono::steady_clock;

  RunFolder(FolderLock lock, ScenarioSource source, Simulation& simulation);

  void open_files();
  void list(const std::string& name, const FileSum& sum);
  void write_series();
  void write_events();
  void write_probes();
  void write_frames();
  void write_picture();
  void write_scenario();  // as it was run, every change by a resume included
  void write_end(const Ending& ending);
  void write_checkpoint(ArchiveWriter& archive, const std::string& files);
  NewGeneration checkpoint();  // of the present state, on its way

  FolderLock lock_;
  std::string kept_;
  ScenarioSource source_;
  Simulation* simulation_;
  Generations generations_;
  GrowingFiles growing_;
  TextFile* checksums_ = nullptr;
  Table *series_ = nullptr, *events_ = nullptr, *probes_ = nullptr;  // the last two only where they are asked for
  std::vector<RecordColumn> record_;                                 // the columns of series_
  std::optional<FrameFiles> frames_;
  std::uint64_t frame_count_ = 0;
  Look look_;                        // of the pictures
  std::vector<Real> picture_times_;  // [s]
  TimeTaken taken_before_;           // by the processes before this one
  Clock::time_point clock_started_ = Clock::now();
  bool figures_drawn_ = true;
  std::optional<ShortestCollision> shortest_;
  std::int64_t last_row_ = -1;  // of the series, in steps
};

}  // namespace cairn
