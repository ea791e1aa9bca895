#include "cairn/core/threads.hpp"

#ifndef _OPENMP

void cairn::require_threads(int) {}  // all loops run in the one there is

#else

#include <pthread.h>

#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "cairn/core/error.hpp"

namespace cairn {

void require_threads(int threads) {
  static std::atomic<int> proven = 1;  // in the library's life; they stay
  if (threads <= proven) return;
  // All at a time, as OpenMP will have them: each waits until the last one is there.
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  ::pthread_mutex_lock(&gate);
  const auto wait = [](void* gate) -> void* {
    ::pthread_mutex_lock(static_cast<pthread_mutex_t*>(gate));
    ::pthread_mutex_unlock(static_cast<pthread_mutex_t*>(gate));
    return nullptr;
  };
  std::vector<pthread_t> started;
  started.reserve(static_cast<std::size_t>(threads));
  int failure = 0;
  while (failure == 0 && std::ssize(started) + 1 < threads) {  // this one is there
    pthread_t thread{};
    failure = ::pthread_create(&thread, nullptr, wait, &gate);
    if (failure == 0) started.push_back(thread);
  }
  ::pthread_mutex_unlock(&gate);
  for (const pthread_t thread : started) ::pthread_join(thread, nullptr);
  if (failure != 0)
    throw Error(Exit::no_threads,
                "cannot start " + std::to_string(threads) + " threads: the system allows only " +
                    std::to_string(started.size() + 1) + " (" + std::strerror(failure) +
                    "); use fewer threads, or raise the limit on processes (ulimit -u) or on memory (ulimit -v)");
#pragma omp parallel num_threads(threads)
  {}  // made now, while what they need is free
  proven = threads;
}

}  // namespace cairn

#endif
