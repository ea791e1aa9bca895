#include "ranks.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cairn/render/scene.hpp"
#include "cairn/run/leader.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "terminal.hpp"
#ifdef CAIRN_HAS_MPI
#include "cairn/mpi/mpi.hpp"
#endif

namespace cairn {
namespace {

// What Open MPI, and starters of other MPIs, leave in the environment.
int started_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* count = std::getenv(name)) return std::atoi(count);
  return 1;
}

[[maybe_unused]] constexpr const char* not_built =
    "this program was built without MPI; install libopenmpi-dev, openmpi-bin and libtrilinos-zoltan-dev, and build it "
    "anew";

}  // namespace

#ifdef CAIRN_HAS_MPI

struct SharedRun::Session {
  MpiSession mpi;
  std::unique_ptr<Partition> partition = mpi.partition();
  bool told = false;
};

SharedRun::SharedRun() {
  if (started_ranks() > 1) session_ = std::make_unique<Session>();
}

SharedRun::~SharedRun() {
  if (!session_ || follows() || session_->told) return;
  Bytes nothing;  // is run
  session_->mpi.ranks().broadcast(nothing);
}

bool SharedRun::follows() const {
  return session_ && session_->mpi.ranks().own() > 0;
}

void SharedRun::follow() {
  // mpirun hands signals on to all ranks; the leader alone answers them.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2}) std::signal(signal, SIG_IGN);
  Bytes words;
  session_->mpi.ranks().broadcast(words);
  if (words.empty()) return;
  ByteReader message(words);
  try {
    ScenarioSource source;
    message.text("name", source.name), message.text("text", source.text);
    const int threads = message.take<int>();
    while (!message.empty()) message.text("override", source.overrides.emplace_back());
    Scenario scenario = parse_scenario(source.text, source.name, source.overrides);
    scenario.threads = threads;
    cairn::follow(session_->mpi.ranks(), *session_->partition, std::move(scenario), take_part_in_picture);
  } catch (const std::exception& e) {  // the others would wait for it
    print_error("error: rank " + std::to_string(session_->mpi.ranks().own()) + ": " + e.what() + "\n");
    MpiSession::abort(static_cast<int>(Exit::io));
  }
}

void SharedRun::lead(Simulation& simulation, const ScenarioSource& source) {
  if (!session_) return;
  simulation.lead(session_->mpi.ranks(), *session_->partition);  // throws where the run cannot be shared
  Bytes words;
  ByteWriter message(words);
  message.text("name", source.name), message.text("text", source.text);
  message.add(simulation.scenario().threads);
  for (const std::string& o : source.overrides) message.text("override", o);
  session_->told = true;
  session_->mpi.ranks().broadcast(words);
}

void start_on_ranks(int ranks) {
  if (started_ranks() > 1)
    throw Error(Exit::bad_input, "--ranks " + std::to_string(ranks) + " under mpirun; expected one of the two");
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> own;
  for (std::size_t at = 0; at < all.size(); at += own.back().size() + 1) own.emplace_back(all.c_str() + at);
  std::vector<std::string> words{"mpirun", "-n", std::to_string(ranks), "--oversubscribe", "--quiet"};
  if (::geteuid() == 0) words.push_back("--allow-run-as-root");
  std::error_code unknown;
  words.push_back(std::filesystem::read_symlink("/proc/self/exe", unknown).string());
  for (std::size_t k = 1; k < own.size(); ++k) {
    if (own[k] == "--ranks")
      ++k;
    else if (!own[k].starts_with("--ranks="))
      words.push_back(own[k]);
  }
  // Ranks write to a terminal of mpirun, which hands on what they write to wherever it goes.
  if (::isatty(STDOUT_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0) ::setenv("TERM", "dumb", 1);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp("mpirun", arguments.data());
  throw Error(Exit::io, "cannot start mpirun; install openmpi-bin");
}

#else

struct SharedRun::Session {};
SharedRun::SharedRun() {
  if (started_ranks() > 1) throw Error(Exit::bad_input, not_built);
}
SharedRun::~SharedRun() = default;
bool SharedRun::follows() const {
  return false;
}
void SharedRun::follow() {}
void SharedRun::lead(Simulation&, const ScenarioSource&) {}
void start_on_ranks(int) {
  throw Error(Exit::bad_input, not_built);
}

#endif

}  // namespace cairn
