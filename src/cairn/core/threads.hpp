// The threads that loops run on. Each thread that runs loops has a team of its own, made when it is first asked for and
// kept; who waits for the others looks for a while and then sleeps. Rejected: OpenMP, whose threads look for so long
// that a run beside one other busy program took thirty times as long, and which stands still in a process that was
// forked (docs/decisions/0032-threads-of-our-own.md).
#pragma once
#include <cstddef>
#include <functional>
#include <memory>

namespace cairn {

// Error(Exit::no_threads) where the system does not give so many threads: a limit on processes, or on memory, which
// their stacks need. Those that are made stay for the loops to come.
void require_threads(int threads);

// As many as the system lets this program run on; at least 1.
int available_threads();

// A number below `threads` that no other thread of the same loop has. A loop that runs in one thread, perhaps one of
// many that each run their own World, may get any.
int thread_number(int threads);

// Something to call, which must outlive the call: std::function would allocate.
class ThreadBody {
 public:
  template <class F>
  explicit ThreadBody(F& f)
      : of_(std::addressof(f)), call_([](void* of, int thread) { (*static_cast<F*>(of))(thread); }) {}
  void operator()(int thread) const { call_(of_, thread); }

 private:
  void* of_;
  void (*call_)(void*, int);
};

void run_on_threads(int threads, ThreadBody body);

// body(t) for t = 0 ... threads - 1, each in its own thread, 0 in the caller's; or in turn, within another such loop.
// Throws what one of them threw.
template <class Body>
void on_threads(int threads, Body&& body) {
  if (threads <= 1) return body(0);
  run_on_threads(threads, ThreadBody(body));
}

// Tasks of unequal length: work(k) for k = 0 ... count - 1, each in one of the threads, begun in this order. After one
// has thrown, no more are begun, and its exception is thrown. `begins(k)`, one at a time, comes before each.
void each_task(int threads, std::ptrdiff_t count, const std::function<void(std::ptrdiff_t)>& work,
               const std::function<void(std::ptrdiff_t)>& begins = {});

}  // namespace cairn
