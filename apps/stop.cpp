#include "stop.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string_view>

namespace cairn {
namespace {

std::string_view last_words;  // set before any signal is handled
std::atomic<int> asked = 0;
std::atomic<bool> running = false, checkpoint_asked = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void handle(int signal) {
  int none = 0;
  if (running.load()) {
    asked.compare_exchange_strong(none, signal);
    return;
  }
  if (::write(STDERR_FILENO, last_words.data(), last_words.size()) < 0) ::_exit(128 + signal);
  ::_exit(128 + signal);
}

}  // namespace

void end_on_signals(std::string_view words) {
  last_words = words;
  struct sigaction note = {};
  note.sa_handler = [](int) { checkpoint_asked = true; };
  note.sa_flags = SA_RESTART;
  for (const int signal : {SIGUSR1, SIGUSR2}) ::sigaction(signal, &note, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    struct sigaction before = {}, action = {};
    ::sigaction(signal, nullptr, &before);
    if (signal == SIGHUP && before.sa_handler == SIG_IGN) continue;  // nohup
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
  }
}

void stop_on_signals() {
  running = true;
}

int stop_signal() {
  return asked.load(std::memory_order_relaxed);
}

std::string signal_name(int signal) {
  return signal == SIGINT    ? "SIGINT"
         : signal == SIGTERM ? "SIGTERM"
         : signal == SIGHUP  ? "SIGHUP"
         : signal == SIGXCPU ? "SIGXCPU"
                             : "a signal";
}

bool checkpoint_requested() {
  return checkpoint_asked.load(std::memory_order_relaxed);
}

bool take_checkpoint_request() {
  return checkpoint_requested() && checkpoint_asked.exchange(false);
}

}  // namespace cairn
