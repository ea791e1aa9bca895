// Memory fetched into the cache before it is needed.
#pragma once

namespace cairn {

// The empty statement is for g++ 12: it takes a function that fetches and no more for one without effect, and drops its
// calls, prefetches in lambdas among them.
[[gnu::always_inline]] inline void prefetch(const void* from) {
  __builtin_prefetch(from);
  __asm__ volatile("" : :);
}

}  // namespace cairn
