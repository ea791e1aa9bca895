// SIGINT (Ctrl-C), SIGTERM and SIGHUP (the terminal is closed): asked politely, a run ends between two steps.
#pragma once
#include <string>
#include <string_view>

namespace cairn {

// From now on a signal ends the program at once with 128 + its number, after `words`, which must outlive it: there is
// nothing to save yet.
void end_on_signals(std::string_view words);
// From now on a signal only sets what stop_signal() returns. Further ones change nothing: what is being written is
// written to its end.
void stop_on_signals();

int stop_signal();  // 0: none
std::string signal_name(int signal);

}  // namespace cairn
