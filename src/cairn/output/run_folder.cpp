#include "cairn/output/run_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cairn/core/text.hpp"
#include "cairn/formats/archive.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/run_names.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/output/contact_event_table.hpp"
#include "cairn/output/grain_columns.hpp"
#include "cairn/output/probe_table.hpp"
#include "cairn/report/report.hpp"
#include "cairn/report/summary_json.hpp"

namespace cairn {
namespace {

const std::string version = CAIRN_VERSION;

std::string checkpoint_folder(const std::string& folder) {
  return folder + "/" + names::checkpoint.folder;
}

void require_checkpoints(const std::string& folder) {
  if (!std::filesystem::is_directory(checkpoint_folder(folder)))
    throw Error(Exit::io, "nothing to resume in " + folder + ": the folder has no checkpoint; start a run with: " +
                              "cairn run SCENARIO --out " + folder);
}

void require_end_ahead(const Simulation& s) {
  const Real end = s.scenario().end, time = s.world().time();
  if (s.total_steps() > 0 ? s.steps() <= s.total_steps() : time <= end * (1 + 1e-12)) return;
  throw Error(Exit::bad_input, "run.end = " + brief(end) +
                                   " s is before the checkpoint, which is at t = " + brief(time) +
                                   " s; expected a later end, for example --set run.end=" + brief(2 * time));
}

}  // namespace

RunFolder::RunFolder(FolderLock lock, ScenarioSource source, Simulation& simulation)
    : lock_(std::move(lock)),
      source_(std::move(source)),
      simulation_(&simulation),
      generations_(checkpoint_folder(folder())),
      growing_(folder()) {
  names::refuse_links(folder());
}

// Each file that grows is one line here.
void RunFolder::open_files() {
  const Scenario& scenario = simulation_->scenario();
  checksums_ = &growing_.text(names::checksums);  // the first, so that it is cut before what it tells of
  std::optional<bool> effort;                     // as the series began
  if (growing_.known(names::series)) effort = Table::has_column(folder() + "/" + names::series, "iterations");
  record_ = record_columns(scenario, effort);
  std::vector<Table::Column> columns;
  for (const RecordColumn& column : record_) columns.push_back({column.name, column.unit});
  series_ = &growing_.table(names::series, columns);
  if (scenario.contact_events) events_ = &growing_.table(names::contact_events, contact_event_columns());
  if (!scenario.probes.empty()) probes_ = &growing_.table(names::probes, probe_columns(scenario));
  frames_.emplace(folder(), scenario, growing_);
  growing_.cut();
  if (checksums_->offset() == 0) checksums_->write(checksum_list_head);
  if (!takes_pictures(scenario)) return;
  make_folder(folder() + "/" + names::picture.folder);
  if (picture_times_.empty()) look_ = first_look(simulation_->world(), scenario);
}

RunFolder RunFolder::create(FolderLock lock, const ScenarioSource& source, Simulation& simulation, EarlierRun earlier) {
  RunFolder run(std::move(lock), source, simulation);
  if (earlier == EarlierRun::keep)
    run.kept_ = names::keep_results(run.folder());
  else
    names::remove_results(run.folder());
  run.open_files();
  run.write_scenario();
  // However soon it is killed, it can be resumed.
  run.observe(Occasion::series | Occasion::checkpoint | (simulation.scenario().probes.empty() ? 0u : Occasion::probe) |
              (simulation.scenario().frames_every > 0 ? Occasion::frame : 0u) |
              (simulation.takes_pictures() ? Occasion::picture : 0u));
  return run;
}

ScenarioSource RunFolder::read_source(const std::string& folder, std::string& warning) {
  require_checkpoints(folder);
  return saved_source(Generations(checkpoint_folder(folder)).load_newest(warning));
}

void RunFolder::look_at(const std::string& folder, Simulation& simulation, std::string& warning) {
  require_checkpoints(folder);
  const ArchiveReader archive = Generations(checkpoint_folder(folder)).load_newest(warning);
  load_simulation(archive, simulation);
  simulation.restored();
}

RunFolder::Progress RunFolder::read_progress(const std::string& folder) {
  std::string warning;
  const ArchiveReader archive = Generations(checkpoint_folder(folder)).load_newest(warning);
  return {archive.value<Real>("state.time"), archive.values<ChangeDone>("changes.done").size()};
}

void RunFolder::write_scenario() {
  std::string head = std::string("# The scenario of this run") +
                     (source_.overrides.empty() ? "" : ", without the settings of its command line:");
  for (const std::string& o : source_.overrides) head += " --set " + for_shell(o);
  write_file_atomically(folder() + "/" + names::scenario, head + "\n" + source_.text);
}

RunFolder RunFolder::resume(FolderLock lock, const ScenarioSource& source, Simulation& simulation) {
  require_checkpoints(lock.folder());
  RunFolder run(std::move(lock), source, simulation);
  std::string warning;
  const ArchiveReader archive = run.generations_.load_newest(warning);
  load_simulation(archive, simulation);
  simulation.restored();
  require_end_ahead(simulation);  // by the step in use, which the program may have chosen
  const RunSoFar so_far = saved_so_far(archive);
  run.growing_.restore(so_far.list);
  run.last_row_ = so_far.last_row, run.frame_count_ = so_far.frames, run.picture_times_ = so_far.picture_times;
  run.taken_before_ = so_far.taken;
  if (load_look(archive, run.look_)) recolour(run.look_, simulation.world(), simulation.scenario());
  run.open_files();
  run.write_scenario();
  return run;
}

void RunFolder::write_events() {
  if (events_ == nullptr) return;
  simulation_->collect_events();
  write_rows(*events_, simulation_->contact_events().take(), simulation_->scenario());
  events_->flush();
}

void RunFolder::write_checkpoint(ArchiveWriter& archive, const std::string& files) {
  save_run(archive, source_, {files, last_row_, frame_count_, picture_times_, taken()}, &look_, *simulation_);
  archive.finish();
}

NewGeneration RunFolder::checkpoint() {
  simulation_->collect();
  write_events();
  const std::string files = growing_.list();
  make_folder(checkpoint_folder(folder()));
  ArchiveWriter counted;
  write_checkpoint(counted, files);
  NewGeneration generation = generations_.begin(counted.size());
  ArchiveWriter archive([&](std::string_view bytes) { generation.write(bytes); });
  write_checkpoint(archive, files);
  return generation;
}

void RunFolder::observe(unsigned occasions) {
  write_events();
  if (occasions & (Occasion::series | Occasion::frame | Occasion::picture | Occasion::probe)) {
    const auto synchronised = simulation_->synchronised();
    if (occasions & Occasion::series) {
      write_series();
      simulation_->observe();  // its guard speaks after the row that shows why
    }
    if (occasions & Occasion::probe) write_probes();
    if (occasions & Occasion::frame) write_frames();
    if (occasions & Occasion::picture) write_picture();
  }
  if (occasions & Occasion::checkpoint) save_checkpoint();
}

void RunFolder::write_series() {
  const RecordSample sample = record_sample(*simulation_, last_row_);
  std::vector<Table::Cell> row;
  for (const RecordColumn& column : record_)
    std::visit([&](const auto& value) { row.emplace_back(value); }, column.value(sample));
  series_->row(row);
  series_->flush();
  last_row_ = simulation_->steps();
}

void RunFolder::write_probes() {
  write_rows(*probes_, simulation_->probes().take(simulation_->world()), simulation_->scenario());
  probes_->flush();
}

void RunFolder::write_frames() {
  frames_->write(simulation_->world(), frame_count_,
                 [&](const std::string& name, const FileSum& sum) { list(name, sum); });
  ++frame_count_;
}

void RunFolder::write_picture() {
  const World& w = simulation_->world();
  if (w.grains_of_all() > 0) follow(look_.view, w, simulation_->scenario());
  const std::string name = names::picture.name(picture_times_.size());
  list(name, write_file_atomically(folder() + "/" + name, encode_png(picture_of(w, simulation_->scenario(), look_))));
  picture_times_.push_back(w.time());
}

TimeTaken RunFolder::taken() const {
  const Real seconds = std::chrono::duration<Real>(Clock::now() - clock_started_).count();
  return taken_before_ + TimeTaken{seconds, static_cast<Real>(simulation_->grain_steps())};
}

RunSummary RunFolder::summary(const Ending& ending) const {
  RunSummary s = run_summary(*simulation_, ending);
  if (s.scenario.empty()) s.scenario = source_.name;
  s.scenario_file = source_.name, s.scenario_text = source_.text, s.settings = source_.overrides;
  for (std::size_t k = 0; k < picture_times_.size(); ++k)
    s.pictures.push_back({picture_times_[k], names::picture.name(k)});
  if (!s.pictures.empty()) s.picture_colours = colour_summary(look_, simulation_->scenario());
  s.citation = "Cairn " + version + ", a discrete element engine (2026). State hash of this run: " + s.state_hash + ".";
  s.versions = {version, __VERSION__};
  return s;
}

void RunFolder::finish(const std::string& stopped_by) {
  const Ending ending{taken(), stopped_by};
  // Before looking and before a row that no interval asks for, so that a run that goes on does not show where it was
  // stopped or used to end.
  NewGeneration last = checkpoint();
  const auto synchronised = simulation_->synchronised();
  if (simulation_->over() && simulation_->takes_series() && simulation_->steps() != last_row_) write_series();
  if (simulation_->over() && events_)
    simulation_->contact_events().each_standing(simulation_->world(), [&](const ContactEvent& standing) {
      write_rows(*events_, {&standing, 1}, simulation_->scenario());
    });
  simulation_->observe();
  generations_.keep(std::move(last));
  write_end(ending);
}

void RunFolder::give_up(const std::string& stopped_by) {
  const Ending ending{taken(), stopped_by};
  const auto synchronised = simulation_->synchronised();
  simulation_->measure();
  if (simulation_->steps() != last_row_) write_series();
  write_end(ending);
}

void RunFolder::write_end(const Ending& ending) {
  simulation_->collect();
  write_events();
  write_final_table(folder() + "/" + names::final_state, simulation_->world(), simulation_->scenario());
  const bool shown = !picture_times_.empty() && picture_times_.back() >= simulation_->world().time();
  if (simulation_->takes_pictures() && !shown) write_picture();
  simulation_->gather_for_limit();
  const RunSummary end = summary(ending);
  shortest_ = end.shortest_collision;
  std::vector<ListedFile> last{{names::summary, write_file_atomically(folder() + "/" + names::summary, to_json(end))}};
  const auto as_it_is = [&](const std::string& name) { last.push_back({name, sum_of(folder() + "/" + name)}); };
  as_it_is(names::scenario);
  as_it_is(names::final_state);
  if (simulation_->scenario().report) {
    const ReportFiles report = write_report(folder());
    figures_drawn_ = report.drawn;
    for (const std::string& name : report.names) as_it_is(name);
  }
  for (ListedFile& file : growing_.whole())
    if (file.name != names::checksums) last.push_back(std::move(file));
  // In one piece, so that the list has the whole end or none of it.
  for (const ListedFile& file : last) checksums_->write(line_of(file));
  checksums_->write(line_of({names::checksums, checksums_->sum()}));
  checksums_->sync();
}

// A file that is complete and stays as it is.
void RunFolder::list(const std::string& name, const FileSum& sum) {
  checksums_->write(line_of({name, sum}));
  checksums_->flush();
}

}  // namespace cairn
