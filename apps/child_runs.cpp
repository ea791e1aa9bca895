#include "child_runs.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "progress.hpp"

namespace cairn {
namespace {

constexpr std::size_t told_at_most = 1 << 16;  // [bytes] kept of what a child tells

[[noreturn]] void cannot_start(const char* what) {
  throw Error(Exit::io, std::string("cannot start a run: ") + what + ": " + std::generic_category().message(errno));
}

// In the new process. It dies with the one that started it: a sweep that was killed leaves no run behind.
[[noreturn]] void become(char* const* arguments, int errors, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::execv("/proc/self/exe", arguments);
  ::_exit(127);
}

// The last error among the lines it told, without the word.
std::string error_in(const std::string& told) {
  constexpr std::string_view word = "error: ";
  std::size_t at = told.rfind("\n" + std::string(word));
  at = at != told.npos ? at + 1 : told.starts_with(word) ? 0 : told.npos;
  if (at == told.npos) return "";
  std::string error(trimmed(std::string_view(told).substr(at + word.size())));
  for (std::size_t end; (end = error.find('\n')) != error.npos;)
    error.replace(end, 1, "; ");  // for one cell of a table
  return error;
}

}  // namespace

ChildRuns::~ChildRuns() {
  signal(SIGTERM);
  while (running() > 0) wait(std::chrono::milliseconds(100));
}

void ChildRuns::start(std::size_t number, const std::vector<std::string>& arguments) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) cannot_start("no pipe");
  std::vector<std::string> words{"cairn"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t parent = ::getpid(), process = ::fork();
  if (process == 0) become(argv.data(), ends[1], parent);
  ::close(ends[1]);
  if (process < 0) {
    ::close(ends[0]);
    cannot_start("no process");
  }
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  children_.push_back({number, process, ends[0], "", 0});
}

void ChildRuns::read_errors(Child& child) {
  char buffer[4096];
  for (ssize_t count; (count = ::read(child.errors, buffer, sizeof buffer)) > 0;) {
    child.told.append(buffer, static_cast<std::size_t>(count));
    if (child.told.size() > 2 * told_at_most) child.told.erase(0, child.told.size() - told_at_most);
  }
  const std::size_t end = child.told.rfind('\n');
  if (end == child.told.npos) return;
  const std::size_t begin = end == 0 ? child.told.npos : child.told.rfind('\n', end - 1);
  const std::size_t first = begin == child.told.npos ? 0 : begin + 1;
  if (const auto share = share_in_line(std::string_view(child.told).substr(first, end - first))) child.share = *share;
}

std::vector<ChildRuns::Ended> ChildRuns::wait(std::chrono::milliseconds patience) {
  std::vector<pollfd> pipes;
  for (const Child& child : children_) pipes.push_back({child.errors, POLLIN, 0});
  ::poll(pipes.data(), pipes.size(), static_cast<int>(patience.count()));
  std::vector<Ended> ended;
  std::erase_if(children_, [&](Child& child) {
    int status = 0;
    const bool over = ::waitpid(child.process, &status, WNOHANG) == child.process;
    read_errors(child);
    if (!over) return false;
    ::close(child.errors);
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    std::string message = error_in(child.told);
    if (signal != 0) message = std::string("the run was ended by a signal: ") + ::strsignal(signal);
    ended.push_back({child.number, signal != 0 ? 128 + signal : WEXITSTATUS(status), message});
    return true;
  });
  return ended;
}

void ChildRuns::signal(int signal) const {
  for (const Child& child : children_) ::kill(child.process, signal);
}

Real ChildRuns::done() const {
  Real sum = 0;
  for (const Child& child : children_) sum += child.share;
  return sum;
}

}  // namespace cairn
