// What the verbs of a step cost, one by one, in real steps of a settled bed: per law, instruction set and number of
// threads. Prints ns per grain and step, means; filter and repeat where others use the machine.
//   cmake --build build/release --target bench_kernels
//   build/release/bench_kernels build/bench/bed_7.2.data                           made by bench/chute --quick
//   build/release/bench_kernels BED.DATA --benchmark_filter='force/linear'         and whatever else Google Benchmark
//   takes
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "cairn/cairn.hpp"
#include "cairn/formats/lammps_data.hpp"

namespace {

using namespace cairn;
using Clock = std::chrono::steady_clock;

constexpr Real h = 1e-4;

std::string bed_file;

const char* set_names[] = {"sse2", "avx2", "avx512"};

World bed(const std::string& law, Simd simd, int threads) {
  static const LammpsData data = read_lammps_data(bed_file);
  WorldSettings s;
  const Material grain{.young = 8e7};
  ContactSettings contact{
      {"attraction", Attraction::allowed}, {"friction", 0.5}, {"restitution", 0.9}, {"stiffness", 2e5}};
  if (law == HertzMindlin::name) contact["stiffness"].reset();
  if (law == ExtendedLinear::name)  // about the same stiffness and restitution at any speed
    contact = {{"attraction", Attraction::allowed}, {"friction", 0.5},          {"restitution_factor", 0.9},
               {"restitution_exponent", 0.02},      {"duration_factor", 0.005}, {"duration_exponent", 0.02}};
  s.laws = law_table(law, {grain}, [&](auto, auto) { return contact; });
  s.gravity = {0.374606593415912, 0, -0.927183854566787};
  s.cell = PeriodicCell::from({data.low.x, data.low.y, 0}, {data.high.x - data.low.x, data.high.y - data.low.y, 0});
  Surface floor;
  floor.direction = {0, 0, 1};
  s.surfaces = {floor};
  s.walls = {"floor"};
  s.threads = threads;
  s.simd = simd;
  World w(s);
  std::vector<GrainData> grains;
  for (const LammpsData::Grain& g : data.grains)
    grains.push_back({g.position, g.velocity, g.spin, 0.5 * g.diameter, 1.0, 0});
  w.insert(grains);
  w.begin();
  return w;
}

enum class Verb { step, kick_drift, force, commit, rates, rebuild };

// Steps of velocity Verlet, of which one verb is timed.
void run(benchmark::State& state, Verb verb, const std::string& law, Simd simd, int threads) {
  World w = bed(law, simd, threads);
  State rate;
  const auto timed = [&](Verb v, auto&& f) {
    if (v == verb || verb == Verb::step) {
      const auto start = Clock::now();
      f();
      return std::chrono::duration<double>(Clock::now() - start).count();
    }
    f();
    return 0.0;
  };
  const auto step = [&] {
    double seconds = timed(Verb::kick_drift, [&] { w.kick_drift(0.5 * h, h); });
    seconds += timed(Verb::force, [&] { w.force(0, StageKind::end); });
    seconds += timed(Verb::kick_drift, [&] { w.kick_drift(0.5 * h, 0); });
    seconds += timed(Verb::commit, [&] { w.commit(h); });
    if (verb == Verb::rates) seconds += timed(Verb::rates, [&] { w.rates(w.state(), rate); });
    if (verb == Verb::rebuild) seconds += timed(Verb::rebuild, [&] { w.rebuild(); });
    return seconds;
  };
  for (int k = 0; k < 5; ++k) step();
  double seconds = 0;
  for (auto _ : state) {
    const double now = step();
    state.SetIterationTime(now);
    seconds += now;
  }
  state.counters["ns_per_grain"] = 1e9 * seconds / static_cast<double>(state.iterations()) / w.size();
}

void add(const std::string& name, Verb verb, const std::string& law, Simd simd, int threads) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& s) { run(s, verb, law, simd, threads); })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_kernels BED.DATA [--benchmark_...]\n");
    return 2;
  }
  bed_file = argv[1];
  const int widest = static_cast<int>(widest_simd());
  for_each_law([&](auto law) {
    const std::string name = decltype(law)::name;
    for (int set = 0; set <= widest; ++set)
      add("force/" + name + "/" + set_names[set], Verb::force, name, static_cast<Simd>(set), 1);
  });
  for (const int threads : {1, 2}) {
    const std::string on = threads == 1 ? "/1_thread" : "/2_threads";
    for (const auto& [name, verb] : {std::pair{"step", Verb::step},
                                     {"kick_drift", Verb::kick_drift},
                                     {"force", Verb::force},
                                     {"commit", Verb::commit},
                                     {"rates", Verb::rates},
                                     {"rebuild", Verb::rebuild}})
      add(name + on, verb, "linear", widest_simd(), threads);
  }
  benchmark::RunSpecifiedBenchmarks();
}
