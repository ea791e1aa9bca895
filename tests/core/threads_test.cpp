#include "cairn/core/threads.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cairn/core/parallel.hpp"

namespace cairn {
namespace {

// How often each block was done; each item once if all is well.
std::vector<int> visits(int threads, int count, int size) {
  std::vector<int> of(count, 0);
  for_blocks(
      threads, count, size,
      [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t block) {
        CHECK(begin == block * size);
        for (auto k = begin; k < end; ++k) ++of[k];
      },
      0);
  return of;
}

TEST_CASE("loops do each block once, on any number of threads, one after the other") {
  for (const int threads : {1, 2, 3, 7, 2, 5})
    for (const int count : {0, 1, 6, 7, 8, 1000}) CHECK(visits(threads, count, 7) == std::vector<int>(count, 1));
  int sum = 0;
  for (int k = 0; k < 20000; ++k) {  // some of these find the others asleep
    int parts[3] = {};
    on_threads(3, [&](int t) { parts[t] = t + 1; });
    sum += parts[0] + parts[1] + parts[2];
  }
  CHECK(sum == 6 * 20000);
}

TEST_CASE("each thread of a loop has its own number, and is another thread") {
  std::thread::id ids[4];
  int numbers[4] = {};
  on_threads(4, [&](int t) { ids[t] = std::this_thread::get_id(), numbers[t] = thread_number(4); });
  CHECK(std::set(ids, ids + 4).size() == 4);
  for (int t = 0; t < 4; ++t) CHECK(numbers[t] == t);
  CHECK(ids[0] == std::this_thread::get_id());
  CHECK(thread_number(4) == 0);
}

TEST_CASE("a loop within a loop runs in one thread, with numbers of its own") {
  int within[3][2] = {};
  bool same_thread = true;
  on_threads(3, [&](int t) {
    const auto mine = std::this_thread::get_id();
    on_threads(2, [&](int inner) {
      within[t][inner] += 1 + thread_number(2);
      if (std::this_thread::get_id() != mine) same_thread = false;
    });
    if (thread_number(3) != t) same_thread = false;
  });
  for (const auto& of : within) CHECK((of[0] == 1 && of[1] == 2));
  CHECK(same_thread);
}

TEST_CASE("after a throw within a loop within a loop each thread has its number") {
  CHECK_THROWS(
      on_threads(3, [&](int) { on_threads(3, [](int t) { t == 2 ? throw std::runtime_error("a fault") : void(); }); }));
  int numbers[3] = {};
  on_threads(3, [&](int t) { numbers[t] = thread_number(3); });
  for (int t = 0; t < 3; ++t) CHECK(numbers[t] == t);
}

TEST_CASE("what a thread throws is thrown by the loop, and the next loop runs") {
  for (const int thrower : {0, 2}) {
    CHECK_THROWS_WITH(on_threads(3,
                                 [&](int t) {
                                   if (t == thrower) throw std::runtime_error("a fault");
                                 }),
                      "a fault");
    CHECK(visits(3, 100, 7) == std::vector<int>(100, 1));
  }
}

TEST_CASE("tasks begin in order, each is done once, and a fault ends them") {
  for (const int threads : {1, 3}) {
    std::vector<std::ptrdiff_t> begun;
    std::vector<int> done(50, 0);
    each_task(
        threads, 50, [&](std::ptrdiff_t k) { ++done[k]; }, [&](std::ptrdiff_t k) { begun.push_back(k); });
    std::vector<std::ptrdiff_t> in_order(50);
    std::iota(in_order.begin(), in_order.end(), 0);
    CHECK(begun == in_order);
    CHECK(done == std::vector<int>(50, 1));
    std::ptrdiff_t last = 0;
    CHECK_THROWS_WITH(each_task(
                          threads, 1000000,
                          [&](std::ptrdiff_t k) {
                            if (k == 5) throw std::runtime_error("a fault");
                          },
                          [&](std::ptrdiff_t k) { last = k; }),
                      "a fault");
    CHECK(last < 999999);
  }
}

TEST_CASE("a thread that is done helps the others, and each task is done once") {
  const std::vector<int> first = {0, 4, 4, 9};
  std::atomic<int> done = 0;
  std::vector<int> times(first.back(), 0), thread_of(first.back(), -1);
  help_each_other(first, [&](int task, int thread) {
    // The thread that has the first task is stuck in it until all others are done.
    for (int look = 0; task == 0 && done < first.back() - 1 && look < 10000; ++look)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++times[task], thread_of[task] = thread, ++done;
  });
  CHECK(times == std::vector<int>(first.back(), 1));
  for (int task = 1; task < first[1]; ++task) CHECK(thread_of[task] != thread_of[0]);
  std::vector<int> order;
  help_each_other(std::vector<int>{0, 5}, [&](int task, int) { order.push_back(task); });
  CHECK(order == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("a process that was forked after a loop has threads of its own") {
  on_threads(2, [](int) {});
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(20);
    bool there[2] = {};
    on_threads(2, [&](int t) { there[t] = true; });
    ::_exit(there[0] && there[1] ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

}  // namespace
}  // namespace cairn
