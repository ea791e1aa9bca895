#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace cairn {
namespace {

using std::chrono::duration_cast;
using Seconds = std::chrono::duration<Real>;

constexpr Seconds first_line{1}, terminal_pause{0.25}, least_pause{10}, most_pause{600};

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string duration_text(Real seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds > 100 * 3600) return fmt::format("{:.3g} days", seconds / 86400);
  const int whole = static_cast<int>(seconds);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

Progress::Progress(const Simulation& simulation, bool quiet)
    : simulation_(simulation),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      next_(start_ + duration_cast<Clock::duration>(terminal_ ? terminal_pause : first_line)),
      first_(simulation.progress()),
      first_step_(simulation.steps()) {}

void Progress::show(Clock::time_point now) {
  const Simulation& s = simulation_;
  const Seconds elapsed = now - start_;
  const Real done = s.progress(), made = done - first_;
  const Real rate = static_cast<Real>(s.steps() - first_step_) / elapsed.count();
  // What a narrow terminal has no room for is left out, the least important first.
  const std::string parts[] = {
      fmt::format("{:5.1f} %", 100 * std::min(done, 1.0)),
      elapsed >= first_line && made > 0 ? duration_text(elapsed.count() * (1 - done) / made) + " left" : "",
      fmt::format("{:.4g} steps/s", rate),
      fmt::format("t = {:.4g} s", s.world().time()),
      fmt::format("residual {:.2g} %", 100 * s.residual_fraction()),
  };
  std::string line;
  const std::size_t room = terminal_ ? terminal_width() - 1 : std::string::npos;
  for (const std::string& part : parts) {
    const std::string more = (line.empty() || part.empty() ? "" : "  ") + part;
    if (line.size() + more.size() > room) break;
    line += more;
  }
  if (terminal_) {
    const std::size_t length = line.size();
    if (shown_ > length) line.append(std::min(shown_, room) - std::min(length, room), ' ');
    line = "\r" + line;
    shown_ = length;
    next_ = now + duration_cast<Clock::duration>(terminal_pause);
  } else {
    line += '\n';
    next_ = now + duration_cast<Clock::duration>(std::clamp(Seconds(elapsed / 5), least_pause, most_pause));
  }
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

void Progress::clear() {
  if (shown_ > 0) std::fputs(("\r" + std::string(std::min(shown_, terminal_width() - 1), ' ') + "\r").c_str(), stderr);
  shown_ = 0;
}

}  // namespace cairn
