// SIGINT (Ctrl-C), SIGTERM, SIGHUP (the terminal is closed) and SIGXCPU (the limit on processor time): asked politely,
// a run ends between two steps. SIGUSR1 and SIGUSR2, which batch systems send before the end of a job, ask for a
// checkpoint; the run goes on.
#pragma once
#include <string>
#include <string_view>

namespace cairn {

// From now on a signal that ends a run ends the program at once with 128 + its number, after `words`, which must
// outlive it: there is nothing to save yet. Requests for a checkpoint are kept.
void end_on_signals(std::string_view words);
// From now on a signal only sets what stop_signal() returns. Further ones change nothing: what is being written is
// written to its end.
void stop_on_signals();

int stop_signal();  // 0: none
std::string signal_name(int signal);
bool checkpoint_requested();
bool take_checkpoint_request();  // the same, and it is met

}  // namespace cairn
