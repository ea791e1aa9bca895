// What one machine can do at most: bytes per second from a working set of the given size, and additions and products,
// divisions and roots per second, in double precision.
//   roofline MEGABYTES THREADS
// prints {"bytes": per second, "flops": per second, "roots": divisions and square roots per second}. The traffic is a
// triad, a = b + s c, counted without the line that a store reads first. No fused products: Cairn has none.
#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

// Per second, of all threads at once: each takes the least time of its own short rounds, so that a thread which waits
// for a core does not spoil it. make() gives a thread its work, of which a round does `amount`.
template <class Make>
double rate(int threads, double amount, Make&& make) {
  std::vector<double> best(threads, 1e300);
  std::vector<std::thread> team;
  std::barrier ready(threads);
  for (int k = 0; k < threads; ++k)
    team.emplace_back([&, k] {
      auto work = make();
      work();
      ready.arrive_and_wait();
      const auto begin = Clock::now();
      for (int round = 0; round < 3 || Clock::now() - begin < std::chrono::milliseconds(300); ++round) {
        const auto start = Clock::now();
        work();
        best[k] = std::min(best[k], std::chrono::duration<double>(Clock::now() - start).count());
      }
    });
  double sum = 0;
  for (int k = 0; k < threads; ++k) team[k].join(), sum += amount / best[k];
  return sum;
}

// Sums and products in flight: more than their latency hides, fewer than registers.
#if defined(__AVX512F__)
constexpr int lanes = 8, chains = 24;
#elif defined(__AVX__)
constexpr int lanes = 4, chains = 12;
#else
constexpr int lanes = 2, chains = 12;
#endif
using Pack = double __attribute__((vector_size(lanes * sizeof(double))));

double bytes(double megabytes, int threads) {
  const auto each = static_cast<long>(std::max(100.0, 1e6 * megabytes / (3 * sizeof(double) * threads)));
  const long turns = std::max(1L, 100'000 / each);
  return rate(threads, 3.0 * sizeof(double) * each * turns, [=] {
    return [=, a = std::vector<double>(each), b = std::vector<double>(each, 1.0),
            c = std::vector<double>(each, 2.0)]() mutable {
      double* to = a.data();
      for (long t = 0; t < turns; ++t) {
        const double s = 1.0 + 1e-9 * t;
        for (long i = 0; i < each; ++i) to[i] = b[i] + s * c[i];
        asm volatile("" ::"r"(to) : "memory");
      }
    };
  });
}

double flops(int threads) {
  constexpr int turns = 5'000;
  return rate(threads, 2.0 * lanes * chains * turns, [] {
    return [] {
      Pack a[chains] = {}, factor = Pack{} + 0.999999, term = Pack{} + 1e-6;
      asm volatile("" : "+m"(factor), "+m"(term));
      for (int k = 0; k < chains; ++k) a[k] += k;  // or one chain would do for all
      for (int t = 0; t < turns; ++t)
#pragma GCC unroll 24
        for (int k = 0; k < chains; ++k) a[k] = a[k] * factor + term;
      for (Pack& p : a) asm volatile("" ::"m"(p));
    };
  });
}

double roots(int threads) {
  constexpr int numbers = 64, turns = 5'000;
  return rate(threads, 2.0 * numbers * turns, [] {
    return [] {
      alignas(64) double a[numbers];
      for (int k = 0; k < numbers; ++k) a[k] = 1.5 + k;
      for (int t = 0; t < turns; ++t) {
        for (int k = 0; k < numbers; ++k) a[k] = 2.0 / std::sqrt(a[k]);
        asm volatile("" ::"r"(a) : "memory");
      }
    };
  });
}

}  // namespace

int main(int argc, char** argv) {
  const double megabytes = argc > 1 ? std::atof(argv[1]) : 1000;
  const int threads = argc > 2 ? std::max(1, std::atoi(argv[2])) : 1;
  std::printf("{\"bytes\": %.4g, \"flops\": %.4g, \"roots\": %.4g}\n", bytes(megabytes, threads), flops(threads),
              roots(threads));
}
