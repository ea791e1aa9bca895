// Processor time of the calling thread: what a run cost, whatever else the machine did.
#pragma once
#include <ctime>

#include "cairn/core/vec3.hpp"

namespace cairn::studies {

inline Real thread_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<Real>(t.tv_sec) + 1e-9 * static_cast<Real>(t.tv_nsec);
}

}  // namespace cairn::studies
