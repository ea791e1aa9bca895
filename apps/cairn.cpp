// The program: reads the command line, drives a simulation, prints. All else is in the library.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

#include "cairn/core/text.hpp"
#include "cairn/io/files.hpp"
#include "cairn/io/run_folder.hpp"
#include "cairn/io/scenario_data.hpp"
#include "cairn/io/scenario_file.hpp"
#include "cairn/run/simulation.hpp"

namespace {

using namespace cairn;
using Clock = std::chrono::steady_clock;

Real seconds_since(Clock::time_point start) {
  return std::chrono::duration<Real>(Clock::now() - start).count();
}

std::string duration(Real seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{}:{:02}:{:02}", static_cast<int>(seconds) / 3600, static_cast<int>(seconds) / 60 % 60,
                     static_cast<int>(seconds) % 60);
}

// A line that stays on a terminal, plain lines elsewhere.
class Progress {
 public:
  explicit Progress(bool quiet) : quiet_(quiet), terminal_(isatty(fileno(stderr)) != 0) {}
  ~Progress() { clear(); }

  bool wants() const { return !quiet_ && seconds_since(last_) > (terminal_ ? 0.25 : 10); }
  void show(const Simulation& s, std::int64_t first_step) {
    last_ = Clock::now();
    const Real done = s.progress(), elapsed = seconds_since(start_);
    const Real made = done - first_;
    const Real rate = static_cast<Real>(s.steps() - first_step) / elapsed;
    fmt::print(stderr, "{}{:5.1f} %  t = {:.4g} s  {:.4g} steps/s  {} left  residual {:.2g} %{}", terminal_ ? "\r" : "",
               100 * done, s.world().time(), rate, duration(made > 0 ? elapsed * (1 - done) / made : 0),
               100 * s.residual_fraction(), terminal_ ? "   " : "\n");
    std::fflush(stderr);
    shown_ = true;
  }
  void begin(const Simulation& s) { start_ = last_ = Clock::now(), first_ = s.progress(); }
  void clear() {
    if (terminal_ && shown_) fmt::print(stderr, "\r{:78}\r", "");
    shown_ = false;
  }

 private:
  bool quiet_, terminal_, shown_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  Real first_ = 0;
};

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
  bool quiet = false;
  std::int64_t stop_after = -1;  // steps
};

void drive(Simulation& simulation, RunFolder& folder, const DriveOptions& options) {
  const std::int64_t first_step = simulation.steps();
  const auto start = Clock::now();
  Progress progress(options.quiet);
  progress.begin(simulation);
  const auto stopped = [&] { return options.stop_after >= 0 && simulation.steps() >= options.stop_after; };
  bool over = simulation.over();
  while (!over && !stopped()) {
    const unsigned due = simulation.advance([&] { return stopped() || progress.wants(); });
    folder.observe(due);
    over = due & finished;
    if (progress.wants()) progress.show(simulation, first_step);
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

int list_schemes(bool json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  if (!json)
    fmt::print("{:<27}{:<12}{:>5} {:>7} {:>7} {:>8} {:>6} {:>7}  {:<10} {:>9}\n", "scheme", "family", "order", "damped",
               "spring", "sliding", "calls", "memory", "", "h omega <");
  for (const SchemeEntry& e : scheme_catalogue()) {
    const Claims& c = e.claims;
    if (json)
      list.push_back({{"name", c.name},
                      {"family", c.family},
                      {"order", c.order},
                      {"order_damped", c.order_damped},
                      {"order_spring", c.order_spring},
                      {"order_sliding", c.order_sliding},
                      {"calls", c.calls},
                      {"memory", c.memory},
                      {"symplectic", c.symplectic},
                      {"adaptive", c.adaptive},
                      {"stability", c.stability},
                      {"staggered", e.staggered},
                      {"reference", c.reference}});
    else
      fmt::print("{:<27}{:<12}{:>5} {:>7} {:>7} {:>8} {:>6} {:>7}  {:<10} {:>9}\n", c.name, c.family, c.order,
                 c.order_damped, c.order_spring, c.order_sliding, c.calls, c.memory,
                 c.symplectic ? "symplectic"
                 : c.adaptive ? "adaptive"
                              : "",
                 c.stability > 0 ? fmt::format("{:.4f}", c.stability) : "-");
  }
  if (json)
    fmt::print("{}\n", list.dump(2));
  else
    fmt::print(
        "\norder: on a smooth force; damped: with a dashpot; spring: with a turning friction spring; sliding:\nwhile "
        "it slides and turns; calls: force\n"
        "evaluations per step; h omega <: stability limit without damping, - where none is claimed.\n");
  return 0;
}

int list_laws(bool json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for_each_law([&](auto law) {
    using L = decltype(law);
    if (json)
      list.push_back({{"name", L::name}, {"summary", L::summary}});
    else
      fmt::print("{:<16}{}\n", L::name, L::summary);
  });
  if (json) fmt::print("{}\n", list.dump(2));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Cairn: discrete elements that know their own time-integration error."};
  app.set_version_flag("--version", std::string("cairn ") + CAIRN_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);

  std::string file, out, resume_folder;
  int threads = 0;
  std::vector<std::string> overrides;
  DriveOptions options;
  bool json = false;

  CLI::App* run = app.add_subcommand("run", "Run a scenario");
  run->add_option("file", file, "scenario in TOML")->required();
  run->add_option("--out", out, "folder for the results; default: results/NAME, NAME from the file");
  CLI::App* resume = app.add_subcommand("resume", "Go on from a run's newest checkpoint");
  resume->add_option("folder", resume_folder, "folder of the run")->required();
  for (CLI::App* command : {run, resume}) {
    command->add_option("--threads", threads, "threads; the results do not depend on it")->check(CLI::Range(1, 4096));
    command->add_option("--set", overrides, "KEY=VALUE: set a key of the scenario, for example contact.friction=0.3")
        ->allow_extra_args(false);
    command->add_option("--stop-after", options.stop_after, "stop after this many steps in all, ready to resume");
    command->add_flag("--quiet", options.quiet, "print nothing but errors");
  }
  CLI::App* schemes = app.add_subcommand("schemes", "List the time-integration schemes");
  CLI::App* laws = app.add_subcommand("laws", "List the contact laws");
  for (CLI::App* command : {schemes, laws}) command->add_flag("--json", json, "machine-readable");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : static_cast<int>(Exit::bad_input);
  }
  try {
    if (*schemes) return list_schemes(json);
    if (*laws) return list_laws(json);
    if (threads > 0) overrides.push_back("run.threads=" + std::to_string(threads));
    if (*run) {
      const ScenarioSource source{file, read_file(file), overrides};
      Scenario scenario = parse_scenario(source.text, file, overrides);
      load_data(scenario);
      Simulation simulation(scenario);
      simulation.start();
      if (out.empty()) out = "results/" + std::filesystem::path(file).stem().string();
      RunFolder folder = RunFolder::create(out, source, simulation);
      drive(simulation, folder, options);
    } else {
      check_resume_overrides(overrides);
      std::string warning;
      ScenarioSource source = RunFolder::read_source(resume_folder, warning);
      warn_unless_empty(warning);
      source.overrides.insert(source.overrides.end(), overrides.begin(), overrides.end());
      Simulation simulation(parse_scenario(source.text, source.name, source.overrides));
      RunFolder folder = RunFolder::resume(resume_folder, source, simulation);
      drive(simulation, folder, options);
    }
    return 0;
  } catch (const Error& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return static_cast<int>(e.code());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: out of memory\n");
    return static_cast<int>(Exit::no_memory);
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return static_cast<int>(Exit::io);
  }
}
