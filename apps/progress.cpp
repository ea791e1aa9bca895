#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "cairn/core/text.hpp"
#include "cairn/formats/duration.hpp"
#include "cairn/formats/printable.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

using std::chrono::duration_cast;
using Seconds = std::chrono::duration<Real>;

constexpr Seconds first_line{1}, terminal_pause{0.25}, least_pause{10}, most_pause{600};

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string share_text(Real done) {
  return fmt::format("{:5.1f} %", 100 * std::min(done, 1.0));
}

}  // namespace

std::optional<Real> share_in_line(std::string_view line) {
  line = trimmed(line);
  Real percent = 0;
  const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), percent);
  if (error != std::errc() || !std::string_view(rest, line.end()).starts_with(" %")) return {};
  return percent / 100;
}

ProgressLine::ProgressLine(bool quiet)
    : quiet_(quiet),
      terminal_(is_terminal(stderr)),
      start_(Clock::now()),
      next_(start_ + duration_cast<Clock::duration>(terminal_ ? terminal_pause : first_line)) {}

std::array<std::string, 2> ProgressLine::share_and_rest(Clock::time_point now, Real done, Real first) const {
  const Seconds elapsed = now - start_;
  const Real made = done - first;
  return {share_text(done),
          elapsed >= first_line && made > 0 ? duration_text(elapsed.count() * (1 - done) / made) + " left" : ""};
}

void ProgressLine::show(Clock::time_point now, std::span<const std::string> parts) {
  std::string line;
  const std::size_t room = terminal_ ? terminal_width() - 1 : std::string::npos;
  for (const std::string& part : parts) {
    const std::string more = (line.empty() || part.empty() ? "" : "  ") + printable(part);
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
    const Seconds elapsed = now - start_;
    next_ = now + duration_cast<Clock::duration>(std::clamp(Seconds(elapsed / 5), least_pause, most_pause));
  }
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (shown_ > 0) std::fputs(("\r" + std::string(std::min(shown_, terminal_width() - 1), ' ') + "\r").c_str(), stderr);
  shown_ = 0;
}

Progress::Progress(const Simulation& simulation, bool quiet)
    : simulation_(simulation),
      line_(quiet),
      first_step_(simulation.steps()),
      last_time_(simulation.world().time()),
      last_grains_(simulation.world().grains_of_all()) {}

void Progress::show(Clock::time_point now) {
  const Simulation& s = simulation_;
  const Real seconds = Seconds(now - line_.start()).count(), time = s.world().time();
  const int grains = s.world().grains_of_all();
  // Past work counts the grains that were there; work to come counts the grains that will be.
  work_ += grain_time(0.5 * (last_grains_ + grains), time - last_time_);
  last_time_ = time, last_grains_ = grains;
  forecast_.record(seconds, work_);
  const auto left = forecast_.seconds_for(grain_time(s.emitters(), grains, time, std::max(time, s.last_time())));
  const std::string parts[] = {
      share_text(s.progress()),
      left && seconds >= first_line.count() ? duration_text(*left) + " left" : "",
      fmt::format("{:.4g} steps/s", static_cast<Real>(s.steps() - first_step_) / seconds),
      fmt::format("t = {:.4g} s", time),
      fmt::format("residual {:.2g} %", 100 * s.residual_fraction()),
  };
  line_.show(now, parts);
}

}  // namespace cairn
