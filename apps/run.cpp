// cairn run and cairn resume: drive a simulation, and tell in words how it went.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <memory>

#include "cairn/core/text.hpp"
#include "cairn/io/files.hpp"
#include "cairn/io/run_folder.hpp"
#include "cairn/io/scenario_data.hpp"
#include "cairn/io/scenario_file.hpp"
#include "cairn/run/simulation.hpp"
#include "commands.hpp"
#include "progress.hpp"

namespace cairn {
namespace {

using Clock = std::chrono::steady_clock;

Real seconds_since(Clock::time_point start) {
  return std::chrono::duration<Real>(Clock::now() - start).count();
}

// The ledger in words.
void print_summary(const Simulation& s, const std::string& folder, Real wall, std::int64_t first_step) {
  const World& w = s.world();
  const Energies e = w.energies();
  const Books& b = w.state().books;
  fmt::print("{} grains, {} contacts, {} steps of {} to t = {:.6g} s in {:.3g} s ({:.3g} million particle-steps/s)\n",
             w.size(), w.contacts(), w.steps(), s.scheme().claims.name, w.time(), wall,
             wall > 0 ? 1e-6 * static_cast<Real>(w.steps() - first_step) * w.size() / wall : 0);
  fmt::print(
      "energy [J]: began with {:.7g}; now kinetic {:.6g}, rotational {:.6g}, gravitational {:.6g}, elastic {:.6g}\n",
      w.initial_energy(), e.kinetic, e.rotational, e.gravitational, e.elastic);
  std::string lost;
  for (int c = 0; c < channels; ++c)
    if (c != external && b[c] != 0)
      lost += fmt::format("{}{} {:.6g}", lost.empty() ? "" : ", ", channel_names[c], b[c]);
  fmt::print("lost to {}; brought from outside {:.6g}\n", lost.empty() ? "nothing" : lost, b[external]);
  fmt::print("numerical error of the ledger: {:.3g} J, {:.2g} % of the energy exchanged\n", w.residual(),
             100 * s.residual_fraction());
  for (const GuardReport& g : s.guards())
    if (!g.message.empty()) fmt::print("warning: {}\n", g.message);
  fmt::print("state hash {:016x}\n", w.hash());
  fmt::print("results: {}/summary.json, series.csv, final.csv{}\n", folder,
             s.scenario().frames_every > 0 ? ", frames.pvd (open with ParaView)" : "");
}

struct DriveOptions {
  std::vector<std::string> overrides;
  int threads = 0;  // 0: as the scenario says
  bool quiet = false;
  std::int64_t stop_after = -1;  // steps

  void add_to(CLI::App& command) {
    command.add_option("--threads", threads, "threads; the results do not depend on it")->check(CLI::Range(1, 4096));
    command.add_option("--set", overrides, "KEY=VALUE: set a key of the scenario, for example contact.friction=0.3")
        ->allow_extra_args(false);
    command.add_option("--stop-after", stop_after, "stop after this many steps in all, ready to resume");
    command.add_flag("--quiet", quiet, "print nothing but errors");
  }
  std::vector<std::string> changes() const {
    std::vector<std::string> all = overrides;
    if (threads > 0) all.push_back("run.threads=" + std::to_string(threads));
    return all;
  }
};

void drive(Simulation& simulation, RunFolder& folder, const DriveOptions& options) {
  const std::int64_t first_step = simulation.steps();
  const auto start = Clock::now();
  Progress progress(simulation, options.quiet);
  const auto stopped = [&] { return options.stop_after >= 0 && simulation.steps() >= options.stop_after; };
  bool over = simulation.over();
  while (!over && !stopped()) {
    const unsigned due = simulation.advance([&] { return stopped() || progress.wants(); });
    folder.observe(due);
    over = due & finished;
    if (progress.wants()) progress.show();
  }
  progress.clear();
  const Real wall = seconds_since(start);
  folder.finish(wall);
  if (options.quiet) return;
  const auto synchronised = simulation.synchronised();
  print_summary(simulation, folder.folder(), wall, first_step);
  if (!over) fmt::print("stopped early; go on with: cairn resume {}\n", folder.folder());
}

void warn_unless_empty(const std::string& warning) {
  if (!warning.empty()) fmt::print(stderr, "warning: {}\n", warning);
}

// A run goes on as it began; what may change is how long, how it is watched, and on how many threads.
void check_resume_overrides(const std::vector<std::string>& overrides) {
  for (const std::string& o : overrides) {
    const std::string key = o.substr(0, o.find('='));
    if (key != "run.end" && key != "run.threads" && !key.starts_with("output.") && !key.starts_with("guards."))
      throw Error(Exit::bad_input, "--set " + o + ": a resumed run cannot change " + key +
                                       "; it takes run.end, run.threads, output.* and guards.*");
  }
}

void run(const std::string& file, std::string out, const DriveOptions& options) {
  const ScenarioSource source{file, read_file(file), options.changes()};
  Scenario scenario = parse_scenario(source.text, file, source.overrides);
  load_data(scenario);
  Simulation simulation(scenario);
  simulation.start();
  if (out.empty()) out = "results/" + std::filesystem::path(file).stem().string();
  RunFolder folder = RunFolder::create(out, source, simulation);
  drive(simulation, folder, options);
}

void resume(const std::string& out, const DriveOptions& options) {
  const std::vector<std::string> changes = options.changes();
  check_resume_overrides(changes);
  std::string warning;
  ScenarioSource source = RunFolder::read_source(out, warning);
  warn_unless_empty(warning);
  source.overrides.insert(source.overrides.end(), changes.begin(), changes.end());
  Simulation simulation(parse_scenario(source.text, source.name, source.overrides));
  RunFolder folder = RunFolder::resume(out, source, simulation);
  drive(simulation, folder, options);
}

}  // namespace

void add_run(CLI::App& app) {
  struct Arguments {
    std::string file, out;
    DriveOptions options;
  };
  const auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("run", "Run a scenario");
  command->add_option("file", a->file, "scenario in TOML")->required();
  command->add_option("--out", a->out, "folder for the results; default: results/NAME, NAME from the file");
  a->options.add_to(*command);
  command->callback([a] { run(a->file, a->out, a->options); });
}

void add_resume(CLI::App& app) {
  struct Arguments {
    std::string folder;
    DriveOptions options;
  };
  const auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("resume", "Go on from a run's newest checkpoint");
  command->add_option("folder", a->folder, "folder of the run")->required();
  a->options.add_to(*command);
  command->callback([a] { resume(a->folder, a->options); });
}

}  // namespace cairn
