// Loops over blocks of a fixed size. Results are gathered block by block, never thread by thread, and sums are
// reproducible (core/reproducible_sum.hpp): nothing can depend on how many threads there are.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "cairn/core/threads.hpp"

namespace cairn {

inline constexpr int serial_below = 1000;  // items; under this threads cost more than they gain

enum class BlockOrder { ascending, descending };  // of the blocks of each thread

// Calls body(begin, end, block) for each block of `size` items of [0, count); in one thread where they are `few`.
template <class Body>
void for_blocks(int threads, std::ptrdiff_t count, std::ptrdiff_t size, Body&& body, std::ptrdiff_t few = serial_below,
                BlockOrder order = BlockOrder::ascending) {
  const std::ptrdiff_t blocks = (count + size - 1) / size;
  const auto share = [&](int thread) { return blocks * thread / threads; };
  const auto some = [&](std::ptrdiff_t first, std::ptrdiff_t last) {
    for (auto k = first; k < last; ++k) {
      const auto b = order == BlockOrder::ascending ? k : first + (last - 1 - k);
      body(b * size, std::min(count, (b + 1) * size), b);
    }
  };
  if (threads <= 1 || count < few)
    some(0, blocks);
  else
    on_threads(threads, [&](int thread) { some(share(thread), share(thread + 1)); });
}

// f(begin, end, sums) for the same blocks adds to the sums of its thread; returns those of all threads. For Sums with
// add(), and terms whose order does not matter.
template <class Sums, class F>
Sums sum_over(int threads, std::ptrdiff_t count, std::ptrdiff_t size, F&& f) {
  std::vector<Sums> of(threads);
  for_blocks(threads, count, size, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    f(static_cast<int>(begin), static_cast<int>(end), of[thread_number(threads)]);
  });
  for (int t = 1; t < threads; ++t) of[0].add(of[t]);
  return of[0];
}

// Tasks of unequal length: thread t does tasks [first[t], first[t + 1]) in this order, and then those of others that
// none has begun. work(task, thread).
template <class Work>
void help_each_other(std::span<const int> first, Work&& work) {
  struct alignas(64) Next {
    std::atomic<int> task;
  };
  const int threads = static_cast<int>(first.size()) - 1;
  if (threads == 1) {
    for (int task = first[0]; task < first[1]; ++task) work(task, 0);
    return;
  }
  std::vector<Next> next(threads);
  for (int t = 0; t < threads; ++t) next[t].task = first[t];
  on_threads(threads, [&](int thread) {
    for (int k = 0; k < threads; ++k) {
      const int of = (thread + k) % threads;
      for (int task; (task = next[of].task.fetch_add(1, std::memory_order_relaxed)) < first[of + 1];)
        work(task, thread);
    }
  });
}

}  // namespace cairn
