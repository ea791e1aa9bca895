// Whether the system gives as many threads as a run asks for. OpenMP ends the program where it does not.
#pragma once

namespace cairn {

// Error(Exit::no_threads) where so many threads cannot run at a time: a limit on processes or on memory, whose stacks
// they need. Those that are made stay for the loops to come.
void require_threads(int threads);

}  // namespace cairn
