// Loops over blocks of a fixed size. Results are gathered block by block, never thread by thread, and sums are
// reproducible (core/reproducible_sum.hpp): nothing can depend on how many threads there are. Rejected: OpenMP
// reductions, whose order is not defined.
#pragma once
#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <cstddef>

namespace cairn {

inline constexpr int serial_below = 2000;  // items; under this a parallel region costs more than it gains

// A number below `threads` that no other thread of the same loop has. A loop that runs in one thread, perhaps one of
// many that each run their own World, may get any.
inline int thread_number([[maybe_unused]] int threads) {
#ifdef _OPENMP
  return std::min(omp_get_thread_num(), threads - 1);
#else
  return 0;  // all loops run in one
#endif
}

// Calls body(begin, end, block) for each block of `size` items of [0, count); in one thread where they are `few`.
template <class Body>
void for_blocks(int threads, std::ptrdiff_t count, std::ptrdiff_t size, Body&& body,
                std::ptrdiff_t few = serial_below) {
  const std::ptrdiff_t blocks = (count + size - 1) / size;
  if (threads <= 1 || count < few) {
    for (std::ptrdiff_t b = 0; b < blocks; ++b) body(b * size, std::min(count, (b + 1) * size), b);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::ptrdiff_t b = 0; b < blocks; ++b) body(b * size, std::min(count, (b + 1) * size), b);
}

}  // namespace cairn
