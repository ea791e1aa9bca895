// cairn run and cairn resume: drive a simulation, and tell in words how it went.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>

#include "cairn/core/text.hpp"
#include "cairn/formats/earlier_results.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/output/run_folder.hpp"
#include "cairn/report/contact_words.hpp"
#include "cairn/report/report.hpp"
#include "cairn/run/assumed.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/change_reader.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "stop.hpp"
#include "terminal.hpp"
#include "wall_time.hpp"

namespace cairn {
namespace {

using Clock = std::chrono::steady_clock;

// The steps that the program chose, if it did; the last of many.
void print_chosen_steps(const StepChoice& choice) {
  constexpr std::size_t most = 5;
  const auto& chosen = choice.chosen();
  if (chosen.empty()) return;
  const std::size_t shown = std::min(most, chosen.size());
  print(fmt::format("step chosen {} time{}{}\n", chosen.size(), chosen.size() == 1 ? "" : "s",
                    shown < chosen.size() ? fmt::format(", the last {} of them:", shown) : ":"));
  for (std::size_t k = chosen.size() - shown; k < chosen.size(); ++k)
    print(fmt::format("  from t = {} s: {}\n", brief(chosen[k].time), choice.in_words(k)));
}

// The ledger in words.
void print_summary(const Simulation& s, const RunFolder& run, const TimeTaken& taken) {
  const World& w = s.world();
  const Energies e = w.energies();
  const LedgerChannels b = w.energy_ledger(e);
  const std::string& folder = run.folder();
  print(fmt::format(
      "{} grains, {} contacts, {} steps of {} to t = {:.6g} s in {:.3g} s ({:.3g} million grain-steps/s)\n",
      w.grains_of_all(), w.contacts(), w.steps(), s.scheme().name, w.time(), taken.seconds, 1e-6 * taken.speed()));
  print(fmt::format(
      "energy [J]: {:.7g} at the start; now kinetic {:.6g}, rotational {:.6g}, gravitational {:.6g}, elastic {:.6g}\n",
      w.initial_energy(), e.kinetic, e.rotational, e.gravitational, e.elastic));
  std::string lost;
  for (int c = 0; c < Channel::count; ++c)
    if (c != Channel::external && b[c] != 0)
      lost += fmt::format("{}{} {:.6g}", lost.empty() ? "" : ", ",
                          w.settings().hard && c == Channel::dashpot ? "inelastic" : channel_names[c], b[c]);
  print(fmt::format("dissipated [J]: {}; added from outside: {:.6g}\n", lost.empty() ? "nothing" : lost,
                    b[Channel::external]));
  print(fmt::format("numerical error of the ledger: {:.3g} J, {:.2g} % of the energy exchanged\n", w.residual(),
                    100 * s.residual_fraction()));
  if (const Real own = s.numerical_damping(); own > 0 && w.residual() < 0)
    print(
        fmt::format("  part of it is damping by the scheme {} itself: a damping ratio of {:.2g} in the stiffest "
                    "contact at this step\n",
                    s.scheme().name, own));
  const ContactCount& contacts = w.contact_count();
  print(fmt::format("contacts: {} began, {} ended", contacts.begun, contacts.ended));
  if (contacts.shortest > 0)
    print(fmt::format("; the shortest, grazing touches included, was resolved in {} step{}", contacts.shortest,
                      contacts.shortest == 1 ? "" : "s"));
  print("\n");
  if (const LargestOverlap& most = s.largest_overlap(); most.fraction > 0)
    print(fmt::format("largest overlap: {:.3g} % of the smaller radius, at t = {:.6g} s ({})\n", 100 * most.fraction,
                      most.time, bodies_in_words(s.world(), most.ids)));
  if (run.shortest()) print(fmt::format("{}\n", in_words(*run.shortest(), w.settings().onset)));
  if (const auto assumed = assumed_parameters(s.scenario()); !assumed.empty())
    print(fmt::format("not given in [contact], so assumed: {}\n", in_words(assumed)));
  print_chosen_steps(s.step_choice());
  for (const GuardReport& g : s.guards())
    if (!g.message.empty()) print(fmt::format("warning: {}\n", g.message));
  print(fmt::format("state hash {:016x}\n", w.hash()));
  print(fmt::format("results: {}/summary.json, series.csv, final.csv{}\n", folder,
                    s.scenario().frames_every > 0 ? ", frames" : ""));
  if (s.scenario().report) print(fmt::format("report: {}/report.html\n", folder));
}

struct DriveOptions {
  std::vector<std::string> overrides;
  int threads = 0;  // 0: as the scenario says
  int ranks = 0;    // 0: this process, or those that mpirun has started
  bool quiet = false, json = false;
  std::int64_t stop_after = -1;  // steps; -1: the end
  Real checkpoint_every = 600;   // [s] by the clock on the wall; 0: never
  std::string wall_time;         // empty: without limit

  WallTime limit() const {
    return WallTime(wall_time.empty() ? std::numeric_limits<Real>::infinity() : wall_time_of(wall_time));
  }
  void add_to(CLI::App& command) {
    command.add_option("--threads", threads, "number of threads; the results do not depend on it")
        ->check(CLI::Range(1, 4096));
    command
        .add_option("--ranks", ranks,
                    "number of processes that share the run, started by mpirun; the results do not depend on it")
        ->check(CLI::Range(1, 1'000'000));
    command.add_option("--set", overrides, "KEY=VALUE: set a key of the scenario, for example contact.friction=0.3")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command.add_option("--stop-after", stop_after, "stop after this many steps in all; the run can be resumed")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000'000'000}));
    command
        .add_option("--checkpoint-every", checkpoint_every,
                    "seconds of wall-clock time between checkpoints, by default 600; 0: only the checkpoints of "
                    "output.checkpoint")
        ->check(CLI::Range(0.0, 1e9));
    command.add_option("--wall-time", wall_time,
                       "stop in time to end within this wall-clock time after the start of the program; the run can be "
                       "resumed; written as 3600 (seconds), \"2 h\" or 1:30:00");
    command.add_flag("--quiet", quiet, "print only errors");
    command.add_flag("--json", json, "print only summary.json, to the standard output");
  }
};

std::string resume_command(const RunFolder& folder, const DriveOptions& options) {
  return "cairn resume " + for_shell(folder.folder()) +
         (options.threads > 0 ? " --threads " + std::to_string(options.threads) : "");
}

void say(const std::string& line) {
  print_error(line + "\n");
}

// Steps until the end or until something stops it; returns what, or nothing.
std::string step_on(Simulation& simulation, RunFolder& folder, const DriveOptions& options, WallTime& wall_time) {
  Progress progress(simulation, options.quiet);
  const auto pause = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<Real>(options.checkpoint_every > 0 ? options.checkpoint_every : 1e9));
  Clock::time_point now = Clock::now(), next_checkpoint = now + pause;
  const bool few_steps = options.stop_after >= 0;
  bool late = false;
  const auto stopped = [&] {
    late = late || wall_time.over(now);
    return late || stop_signal() != 0 || (few_steps && simulation.steps() >= options.stop_after);
  };
  const auto save = [&] {
    const Clock::time_point before = Clock::now();
    folder.save_checkpoint();
    now = Clock::now(), next_checkpoint = now + pause;
    wall_time.record_checkpoint(now - before);
  };
  bool over = simulation.over();
  while (!over && !stopped()) {
    const unsigned due = simulation.advance([&] {
      now = Clock::now();
      return stopped() || checkpoint_requested() || progress.wants(now) || now >= next_checkpoint;
    });
    folder.observe(due);
    over = due & Occasion::finished;
    now = Clock::now();
    if (take_checkpoint_request() || now >= next_checkpoint) save();  // changes nothing of the state
    if (!over && progress.wants(now)) progress.show(now);
  }
  if (over) return "";
  if (stop_signal() != 0) return signal_name(stop_signal());
  return few_steps && simulation.steps() >= options.stop_after ? "--stop-after" : "--wall-time";
}

// What its user may not expect.
void note_before(const Simulation& simulation, const std::string& resume) {
  const Real last = simulation.last_time(), end = simulation.scenario().end, step = simulation.scenario().step;
  if (const StepChoice& choice = simulation.step_choice(); simulation.scenario().chooses_step && choice.step() > 0)
    say("step " + choice.in_words(choice.chosen().size() - 1));
  else if (std::fabs(last - end) > 1e-6 * step)
    say("note: run.end = " + brief(end) + " s is not a whole number of steps of " + brief(step) +
        " s; the run ends at t = " + brief(last) + " s");
  if (simulation.over())
    say("note: this run has reached its end; continue it with: " + resume + " --set run.end=" + brief(2 * end));
}

void drive(Simulation& simulation, RunFolder& folder, const DriveOptions& options, WallTime& wall_time) {
  const std::string resume = resume_command(folder, options);
  const auto print_json = [&] { print(read_file(folder.folder() + "/summary.json")); };
  if (!options.quiet) note_before(simulation, resume);
  std::string stopped_by;
  TimeTaken taken;
  folder.start_clock();
  try {
    stopped_by = step_on(simulation, folder, options, wall_time);
    taken = folder.taken();  // without the report
    folder.finish(stopped_by);
  } catch (const Error& e) {
    const std::string what = e.what();
    if (e.code() == Exit::no_space)
      throw Error(e.code(), what + "; the last checkpoint is intact: free some disk space, then run: " + resume);
    if (e.code() != Exit::guard) throw;
    folder.give_up("guard: " + what);
    if (options.json) print_json();
    throw Error(e.code(),
                what + "; the state at the stop is in " + folder.folder() + "/final.csv, summary.json, series.csv");
  } catch (const std::bad_alloc&) {
    throw Error(Exit::no_memory, "out of memory at t = " + brief(simulation.world().time()) + " s with " +
                                     std::to_string(simulation.world().grains_of_all()) +
                                     " grains; the last checkpoint is intact; resume with: " + resume);
  }
  if (!options.quiet && !folder.figures_drawn()) say(no_gnuplot);
  if (options.json) {
    print_json();
  } else if (!options.quiet) {
    const auto synchronised = simulation.synchronised();
    print_summary(simulation, folder, taken);
  }
  if (stopped_by.empty()) return;
  if (!options.quiet)
    (options.json ? print_error : print)(fmt::format("stopped by {}; resume with: {}\n", stopped_by, resume));
  if (stopped_by == signal_name(stop_signal())) {
    std::fflush(stdout);
    throw CLI::RuntimeError(128 + stop_signal());
  }
}

// Settings of end, output, guards and threads hold for this process. A setting that changes the motion becomes a
// [[change]] of the scenario, at the time of the checkpoint, so that the whole can be run again.
void take_resume_overrides(const std::string& folder, const std::vector<std::string>& overrides,
                           ScenarioSource& source) {
  std::vector<std::string> changes;
  for (const std::string& o : overrides) {
    const std::string key = o.substr(0, o.find('='));
    if (resume_may_set(key))
      source.overrides.push_back(o);
    else if (may_change(key))
      changes.push_back(o);
    else
      throw Error(Exit::bad_input, "--set " + o + ": a resumed run cannot change " + key + "; expected " +
                                       keys_of_resume +
                                       ", or a key that may change during a run "
                                       "(docs/scenario.md marks them)");
  }
  if (changes.empty()) return;
  for (const std::string& o : source.overrides)
    if (o.starts_with("change."))
      throw Error(Exit::bad_input, "the run was started with --set " + o +
                                       "; expected no such setting, because a change that is added now would move it");
  const RunFolder::Progress progress = RunFolder::read_progress(folder);
  source.text = with_change(source.text, progress.changes, progress.time, changes);
}

void run(const std::string& file, std::string out, EarlierRun earlier, const DriveOptions& options) {
  if (options.ranks > 1) start_on_ranks(options.ranks);
  SharedRun shared;
  if (shared.follows()) return shared.follow();
  end_on_signals("stopped before the first step; there is nothing to resume\n");
  WallTime wall_time = options.limit();
  const ScenarioSource source{file, read_scenario_text(file), options.overrides};
  Scenario scenario = parse_scenario(source.text, file, source.overrides);
  if (options.threads > 0) scenario.threads = options.threads;
  load_data(scenario);
  Simulation simulation(std::move(scenario));
  if (out.empty()) out = "results/" + std::filesystem::path(file).stem().string();
  FolderLock lock = FolderLock::make(out);  // before the work of a start
  shared.lead(simulation, source);
  simulation.start();
  stop_on_signals();
  const Clock::time_point ready = Clock::now();
  RunFolder folder = RunFolder::create(std::move(lock), source, simulation, earlier);
  if (!folder.kept().empty() && !options.quiet) say(kept_note(folder.folder(), folder.kept()));
  wall_time.record_checkpoint(Clock::now() - ready);
  simulation.spread();  // a part of the start, not of the first step
  drive(simulation, folder, options, wall_time);
}

void resume(const std::string& out, const DriveOptions& options) {
  if (options.ranks > 1) start_on_ranks(options.ranks);
  SharedRun shared;
  if (shared.follows()) return shared.follow();
  end_on_signals("stopped while loading; the checkpoints are unchanged, and the run can be resumed again\n");
  WallTime wall_time = options.limit();
  if (!std::filesystem::is_directory(out)) throw Error(Exit::io, "nothing to resume: there is no folder " + out);
  FolderLock lock(out);
  std::string warning;
  ScenarioSource source = RunFolder::read_source(out, warning);
  if (!warning.empty()) say("warning: " + warning);
  take_resume_overrides(out, options.overrides, source);
  Scenario scenario = parse_scenario(source.text, source.name, source.overrides);
  if (options.threads > 0) scenario.threads = options.threads;
  Simulation simulation(std::move(scenario));
  stop_on_signals();
  const Clock::time_point ready = Clock::now();
  RunFolder folder = RunFolder::resume(std::move(lock), source, simulation);
  wall_time.record_checkpoint(Clock::now() - ready);
  shared.lead(simulation, source);
  simulation.spread();  // a part of the start, not of the first step
  drive(simulation, folder, options, wall_time);
}

}  // namespace

void add_run(CLI::App& app) {
  struct Arguments {
    std::string file, out;
    bool force = false;
    DriveOptions options;
  };
  const auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("run", "Run a scenario");
  command->add_option("file", a->file, "scenario in TOML")->required()->type_name("FILE");
  command
      ->add_option("--out", a->out, "folder for the results; default: results/NAME, with NAME from the scenario file")
      ->type_name("FOLDER");
  command->add_flag("--force", a->force,
                    "replace the results of an earlier run in this folder; by default they are kept as FOLDER.1, "
                    "FOLDER.2, ...");
  a->options.add_to(*command);
  command->callback([a] { run(a->file, a->out, a->force ? EarlierRun::replace : EarlierRun::keep, a->options); });
}

void add_resume(CLI::App& app) {
  struct Arguments {
    std::string folder;
    DriveOptions options;
  };
  const auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("resume", "Continue a run from its newest checkpoint");
  command->add_option("folder", a->folder, "folder of the run")->required()->type_name("FOLDER");
  a->options.add_to(*command);
  command->callback([a] { resume(a->folder, a->options); });
}

}  // namespace cairn
