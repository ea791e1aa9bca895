#include "cairn/core/threads.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "cairn/core/error.hpp"

namespace cairn {
namespace {

thread_local int number = 0;          // of this thread in its loop
thread_local bool in_a_loop = false;  // loops within a loop run in one thread

void run_in_turn(int threads, const ThreadBody& body) {
  struct Restored {  // though a body throws
    int before = number;
    ~Restored() { number = before; }
  } const restored;
  for (int t = 0; t < threads; ++t) number = t, body(t);
}

}  // namespace

int thread_number(int threads) {
  return std::min(number, threads - 1);
}

#ifdef CAIRN_ONE_THREAD  // a build without threads, for browsers

int available_threads() {
  return 1;
}
void require_threads(int) {}
void run_on_threads(int threads, ThreadBody body) {
  run_in_turn(threads, body);
}

}  // namespace cairn

#else

}  // namespace cairn

#include <pthread.h>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace cairn {
namespace {

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// A number that others change and one thread waits for. It looks for a microsecond; then it gives its processor away
// between looks, for perhaps another program, or another machine on the same host, has the processor of the thread that
// it waits for; and after some tens of microseconds it sleeps, since to be woken takes as long. Rejected: to look for
// as long as waits took of late. It is some percent faster on idle cores, and four times as slow on others.
class Awaited {
 public:
  void add(std::uint32_t more) {
    value_ += more;
    if (!sleeps_) return;
    const std::lock_guard lock(mutex_);
    wakes_.notify_one();
  }
  template <class Reached>
  void wait(Reached&& reached) {
    for (int look = 0; look < looks; ++look) {
      if (reached(value_.load(std::memory_order_acquire))) return;
      look < paused ? pause() : std::this_thread::yield();
    }
    std::unique_lock lock(mutex_);
    sleeps_ = true;
    wakes_.wait(lock, [&] { return reached(value_.load()); });
    sleeps_ = false;
  }

 private:
  static constexpr int paused = 20, looks = 120;
  std::atomic<std::uint32_t> value_ = 0;
  std::atomic<bool> sleeps_ = false;
  std::mutex mutex_;
  std::condition_variable wakes_;
};

std::atomic<int> forks = 0;  // a child has none of its parent's threads

class Team {
 public:
  Team() {
    [[maybe_unused]] static const int asked = ::pthread_atfork(nullptr, nullptr, [] { ++forks; });
  }
  ~Team() {
    for (const auto& w : workers_) w->quits = true, w->rounds.add(1);
    for (const auto& w : workers_) w->thread.join();
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  bool is_whole() const { return born_ == forks; }

  void require(int threads) {
    while (std::ssize(workers_) + 1 < threads) {  // the caller is one
      auto worker = std::make_unique<Worker>();
      try {
        worker->thread =
            std::thread([this, w = worker.get(), t = static_cast<int>(workers_.size()) + 1] { work(*w, t); });
      } catch (const std::system_error& failure) {
        throw Error(Exit::no_threads,
                    "cannot start " + std::to_string(threads) + " threads: the system allows only " +
                        std::to_string(workers_.size() + 1) + " (" + failure.code().message() +
                        "); use fewer threads, or raise the limit on processes (ulimit -u) or on memory (ulimit -v)");
      }
      workers_.push_back(std::move(worker));
    }
  }

  void run(int threads, const ThreadBody& body) {
    require(threads);
    body_ = &body;
    const auto others = static_cast<std::uint32_t>(threads - 1);
    for (std::uint32_t k = 0; k < others; ++k) workers_[k]->rounds.add(1);
    in_a_loop = true;
    call(0);
    in_a_loop = false;
    done_then_ += others;
    done_.wait([this](std::uint32_t done) { return done == done_then_; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  struct alignas(64) Worker {
    Awaited rounds;
    bool quits = false;
    std::thread thread;
  };

  void work(Worker& w, int thread) {
    number = thread, in_a_loop = true;
    for (std::uint32_t seen = 0;; ++seen) {
      w.rounds.wait([seen](std::uint32_t rounds) { return rounds != seen; });
      if (w.quits) return;
      call(thread);
      done_.add(1);
    }
  }
  void call(int thread) {
    try {
      (*body_)(thread);
    } catch (...) {
      const std::lock_guard lock(failing_);
      failure_ = std::current_exception();
    }
  }

  std::vector<std::unique_ptr<Worker> > workers_;
  const ThreadBody* body_ = nullptr;
  Awaited done_;                 // threads that have done their part, of all loops
  std::uint32_t done_then_ = 0;  // once this loop is done
  std::mutex failing_;
  std::exception_ptr failure_;
  const int born_ = forks;
};

// That of this thread. After a fork the parent's is left as it is: its threads are not here, and cannot be joined.
Team& team() {
  struct Own {
    Team* team = nullptr;
    ~Own() {
      if (team && team->is_whole()) delete team;
    }
  };
  static thread_local Own own;
  if (!own.team || !own.team->is_whole()) own.team = new Team;
  return *own.team;
}

}  // namespace

int available_threads() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

void require_threads(int threads) {
  if (threads > 1) team().require(threads);
}

void run_on_threads(int threads, ThreadBody body) {
  if (in_a_loop)
    run_in_turn(threads, body);
  else
    team().run(threads, body);
}

}  // namespace cairn

#endif

namespace cairn {

void each_task(int threads, std::ptrdiff_t count, const std::function<void(std::ptrdiff_t)>& work,
               const std::function<void(std::ptrdiff_t)>& begins) {
  std::ptrdiff_t next = 0;
  bool failed = false;
  std::mutex one;
  on_threads(static_cast<int>(std::clamp<std::ptrdiff_t>(count, 1, std::max(1, threads))), [&](int) {
    while (true) {
      std::unique_lock lock(one);
      if (failed || next == count) return;
      const std::ptrdiff_t k = next++;
      try {
        if (begins) begins(k);
        lock.unlock();
        work(k);
      } catch (...) {
        if (!lock) lock.lock();
        failed = true;
        throw;
      }
    }
  });
}

}  // namespace cairn
