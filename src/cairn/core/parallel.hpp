// Loops over blocks of a fixed size. The block, never the thread, is the unit of every sum: results cannot depend on
// how many threads there are. Rejected: OpenMP reductions, whose order of summation is not defined.
#pragma once
#include <algorithm>
#include <cstddef>

namespace cairn {

inline constexpr int serial_below = 2000;  // items; under this a parallel region costs more than it gains

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
