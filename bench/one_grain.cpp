// How long a World of one grain on a floor takes to make and to step: studies make hundreds of thousands of them.
// Prints microseconds, least of several rounds.
#include <chrono>
#include <cstdio>

#include "cairn/run/registry.hpp"

int main() {
  using namespace cairn;
  using Clock = std::chrono::steady_clock;
  const auto micros = [](Clock::duration d, int n) { return std::chrono::duration<double, std::micro>(d).count() / n; };
  const auto make = [] {
    ContactSettings contact{{"friction", 0.3}, {"stiffness", 1e4}};
    WorldSettings s;
    s.laws = law_table("linear", {Material{}}, [&](auto, auto) { return contact; });
    Surface floor;
    floor.direction = {0, 0, 1};
    s.surfaces = {floor};
    s.walls = {"floor"};
    World w(s);
    const GrainData ball{.position = {0, 0, 0.05}, .velocity = {0.1, 0, -0.5}, .radius = 0.05, .mass = 0.1};
    w.insert({&ball, 1});
    w.begin();
    return w;
  };
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    const auto start = Clock::now();
    for (int k = 0; k < 1000; ++k) make();
    best = std::min(best, micros(Clock::now() - start, 1000));
  }
  std::printf("made in %.3f us\n", best);
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    best = 1e9;
    for (int round = 0; round < 20; ++round) {
      World w = make();
      const auto start = Clock::now();
      for (int k = 0; k < 2000; ++k) scheme.advance(w, 1e-5);
      best = std::min(best, micros(Clock::now() - start, 2000));
    }
    std::printf("%-26s %.3f us per step\n", scheme.name.c_str(), best);
  }
}
