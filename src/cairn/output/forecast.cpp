#include "cairn/output/forecast.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <numeric>

#include "cairn/render/scene.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/grains.hpp"
#include "cairn/run/record.hpp"

namespace cairn {
namespace {

using Clock = std::chrono::steady_clock;

Real seconds_since(Clock::time_point start) {
  return std::chrono::duration<Real>(Clock::now() - start).count();
}

// [bytes] that this process held at the most, since the start or since it was told to forget.
Real most_resident_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<Real>(usage.ru_maxrss);
}

// Whether the system let it; proc(5), clear_refs.
bool forget_most_resident_memory() {
  std::ofstream file("/proc/self/clear_refs");
  return static_cast<bool>(file << "5" << std::flush);
}

// A visitor of Simulation::for_each_saved that sums what a checkpoint holds [bytes].
struct Weigher {
  Real& bytes;
  template <class T>
  void value(const std::string&, const T&) {
    bytes += sizeof(T);
  }
  template <class T>
  void vector(const std::string&, const std::vector<T>& a) {
    bytes += static_cast<Real>(a.size() * sizeof(T));
  }
  void text(const std::string&, const std::string& a) { bytes += static_cast<Real>(a.size()); }
  void slab(const std::string&, const Slab& a) { bytes += static_cast<Real>(a.rows()) * a.size() * sizeof(Real); }
  template <int vectors>
  void slab(const std::string&, const VectorRows<vectors>& a) {
    bytes += static_cast<Real>(a.all().size_bytes());
  }
  void slab(const std::string&, const BodyRows& a) {
    bytes += static_cast<Real>(a.size()) * BodyRows::numbers * sizeof(Real);
  }
};

Real checkpoint_bytes(Simulation& s) {
  Real bytes = 0;
  s.for_each_saved(Weigher{bytes});
  return bytes;
}

struct Rehearsal {
  Real per_step = 0;  // [s] of wall time
  Real step = 0;      // [s] mean length of a step
  Real rebuilds = 0;  // of the neighbour list, per step
};

// Past its patience too it takes as many steps as a multistep scheme needs to gather its memories.
Rehearsal rehearse(Simulation& s, Real patience) {
  const auto start = Clock::now();
  const std::int64_t first = s.steps(), lists = s.world().rebuilds();
  const Real from = s.world().time();
  constexpr int gathering = 8;  // steps
  const auto enough = [&] {
    return seconds_since(start) > patience && (s.world().memories() == 0 || s.steps() - first >= gathering);
  };
  while (!s.over() && !enough()) s.advance(enough);
  const auto steps = static_cast<Real>(std::max<std::int64_t>(1, s.steps() - first));
  return {seconds_since(start) / steps, (s.world().time() - from) / steps,
          static_cast<Real>(s.world().rebuilds() - lists) / steps};
}

void step_once(Simulation& s) {
  s.advance([] { return true; });
}

// What every run comes to, though a rehearsal may be too short for it: a second list, a step with it, and what its end
// looks at.
void come_to_the_end(Simulation& s) {
  s.world().rebuild();
  if (!s.over()) step_once(s);
  const auto synchronised = s.synchronised();
  if (s.scenario().contact_frames) s.world().closed_contacts();
  s.world().hash();
}

// Whether the impulses of all contacts are found together, from those of the step before.
bool solves_contacts(const World& world) {
  return world.settings().hard && world.settings().hard->method == HardMethod::dynamics;
}

// As many grains of middling size, packed so that each touches eight others (in 2D six, in 1D two) by a hair: about as
// many neighbours as in a bed at rest. Those of contact dynamics lie on a floor, as deep as wide: what a step of theirs
// costs depends on the weight that contacts pass on.
Scenario packed(const Scenario& like, const World& world, const Emitters& arriving, std::int64_t count) {
  Scenario s = like;
  s.walls.clear(), s.grain.clear(), s.grains.clear(), s.emitters.clear(), s.removals.clear();
  s.probes.clear(), s.changes.clear();
  s.gravity = {};
  s.chooses_step = false;  // it has the step of the run
  s.overlap_allowed_at_start = true;
  for (const char* guard : {"overlap", "step", "residual", "finite"}) s.guards[guard] = GuardAction::off;
  Real radius = 0;
  if (world.size() > 0) {
    const auto& radii = world.grains().radius;
    radius = std::accumulate(radii.begin(), radii.begin() + world.size(), 0.0) / world.size();
  } else {
    radius = arriving.lightest().at(0).radius;
  }
  const Real d = 2 * radius * (1 - 1e-4);
  const int D = s.dimension;
  const bool lies = solves_contacts(world);
  if (lies) {
    s.gravity = {0, 0, -norm(like.gravity)};
    s.walls.push_back({.name = "floor", .shape = PlaneWall{.point = {0, 0, -radius}}});
  }
  // Two grains to a cell.
  const Vector cell = D == 3   ? (2 / std::sqrt(3.0)) * Vector{d, d, d}
                      : D == 2 ? Vector{d, 0, std::sqrt(3.0) * d}
                               : Vector{0, 0, 2 * d};
  const int side = std::max(3, static_cast<int>(std::lround(std::pow(0.5 * static_cast<Real>(count), 1.0 / D))));
  const int nx = D > 1 ? side : 1, ny = D > 2 ? side : 1;
  for (int c = 0; c < side; ++c)
    for (int b = 0; b < ny; ++b)
      for (int a = 0; a < nx; ++a)
        for (Real half : {0.0, 0.5})
          s.grain.push_back(
              {.position = {(a + half) * cell.x, (b + half) * cell.y, (c + half) * cell.z}, .radius = radius});
  s.periodic_low = {};
  s.periodic_high = {nx * cell.x, ny * cell.y, lies ? 0 : side * cell.z};
  return s;
}

// [s] per grain, of a step in which the solver finds the impulses that bear a bed from nothing: its first. It takes
// about as many sweeps where a heap grows, since impacts make the impulses of the step before a poor guess.
Real step_from_nothing(const Scenario& bed, Real patience) {
  const auto begun = Clock::now();
  Real seconds = 0, grains = 0;
  do {
    Simulation s(bed);
    s.start();
    const auto start = Clock::now();
    step_once(s);
    seconds += seconds_since(start), grains += static_cast<Real>(s.world().size());
  } while (seconds_since(begun) < patience);
  return seconds / grains;
}

// [s] in which grains of this world have fallen onto each other; infinity where nothing holds them or all is
// shaken.
Real settling_time(const Scenario& s, const World& world) {
  const Real g = norm(s.gravity);
  const bool shaken =
      std::any_of(s.walls.begin(), s.walls.end(), [](const WallSpec& w) { return w.motion.oscillation_frequency > 0; });
  if (g == 0 || s.walls.empty() || shaken) return std::numeric_limits<Real>::infinity();
  Real lowest = std::numeric_limits<Real>::infinity(), highest = -lowest;
  for (int i = 0; i < world.size(); ++i) {
    const Real height = -dot(world.position(i), s.gravity) / g;
    lowest = std::min(lowest, height), highest = std::max(highest, height);
  }
  return world.size() > 0 ? std::sqrt(2 * (highest - lowest) / g) : 0;
}

}  // namespace

Real resident_memory() {
  std::ifstream file("/proc/self/statm");
  Real pages = 0;
  file >> pages >> pages;
  return pages * static_cast<Real>(sysconf(_SC_PAGESIZE));
}

Sample sample_of(Scenario s) {
  constexpr Real made_in_a_moment = 2e6;
  constexpr std::int64_t most = 30000;  // of each
  const WorldSettings world = world_settings(s);
  std::vector<Real> expected;
  for (std::size_t k = 0; k < s.grains.size(); ++k) expected.push_back(expected_grains(s, k, world));
  const Real all = std::accumulate(expected.begin(), expected.end(), static_cast<Real>(s.grain.size()));
  if (!(all > made_in_a_moment)) return {std::move(s), {}};
  for (std::size_t k = 0; k < s.grains.size(); ++k) {
    GrainsSpec& g = s.grains[k];
    if (std::ssize(g.list) > most) g.list.resize(static_cast<std::size_t>(most));
    const bool fits = expected[k] > 2 * most;  // in a cylinder too
    if (g.kind == GrainsSpec::Kind::random) g.count = std::min(g.count, most);
    if (g.kind == GrainsSpec::Kind::lattice && fits) g.count = most;
  }
  return {std::move(s), std::llround(all)};
}

Forecast forecast(Simulation& simulation, Real bare, Real patience, std::optional<std::int64_t> of) {
  const Scenario& s = simulation.scenario();
  const World& world = simulation.world();
  const std::int64_t first = of.value_or(world.size());
  constexpr int samples = 200;
  const auto arrived = [&](Real time) {
    std::int64_t count = 0;
    for (std::size_t k = 0; k < simulation.emitters().size(); ++k) count += simulation.emitters().waiting(k, time);
    return count;
  };
  std::vector<Real> came;  // grains of emitters, over the run
  for (int k = 0; k < samples; ++k) came.push_back(static_cast<Real>(arrived(s.end * (k + 0.5) / samples)));
  Forecast f;
  f.grains = first + arrived(s.end);

  const std::vector<int> touching = world.coordination();
  const Real coordination = std::accumulate(touching.begin(), touching.end(), 0.0) / std::max(1, world.size());
  constexpr std::int64_t many = 100, most = 30000;
  constexpr Real loose = 2;  // contacts of a grain
  const Real falls = f.grains >= many && coordination < loose ? settling_time(s, world) : s.end;
  const Real settles = of && falls < s.end ? 0 : falls;  // a sample does not show from how high
  const bool changes = of || f.grains > first + many || settles < s.end;
  const Real scale = static_cast<Real>(first) / std::max(1, world.size());

  // Of a picture, one now and one after the rehearsal: bytes on the disk, seconds and bytes of memory it takes to make.
  Real drawn = 0, drawing = 0, canvas = 0;
  const Look look = first_look(world, s);
  const auto draw = [&] {
    const auto start = Clock::now();
    drawn += 0.5 * static_cast<Real>(encode_png(picture_of(world, s, look)).size());
    drawing += 0.5 * seconds_since(start);
  };
  if (simulation.takes_pictures()) draw();
  const Rehearsal now = rehearse(simulation, changes ? 0.5 * patience : patience);
  come_to_the_end(simulation);
  f.memory = most_resident_memory();  // so far it did what a run does
  if (simulation.takes_pictures()) {
    const Real before = resident_memory();
    forget_most_resident_memory();
    draw();
    canvas = std::max(0.0, most_resident_memory() - before);
    f.memory = std::max(f.memory, most_resident_memory());
  }
  f.steps = simulation.total_steps() > 0 ? simulation.total_steps() : std::llround(s.end / now.step);
  const auto steps = static_cast<Real>(f.steps), grains = static_cast<Real>(f.grains);
  const Real came_on_average = std::accumulate(came.begin(), came.end(), 0.0) / samples;
  const auto contacts_of = [](const World& w) { return static_cast<Real>(w.contacts()) / std::max(1, w.size()); };
  Real saved = checkpoint_bytes(simulation) / std::max(1, world.size()), contacts = contacts_of(world);  // of a grain
  f.seconds = steps * now.per_step;
  if (changes) {
    const auto bed_of = [&](std::int64_t count) {
      return packed(s, world, simulation.emitters(), std::min(most, count));
    };
    // Until all grains have come and fallen. Sweeps grow with the bed: it is as large as the mean until then.
    Real solving = 0;  // [s] of a step, on average over the run
    if (solves_contacts(world)) {
      Real looks = 0, moving = 0;
      for (int k = 0; k < samples; ++k) {
        const Real there = static_cast<Real>(first) + came[static_cast<std::size_t>(k)];
        if (there < grains || s.end * (k + 0.5) / samples < settles) ++looks, moving += there;
      }
      if (looks > 0)
        solving = step_from_nothing(bed_of(std::llround(moving / looks)), 0.5 * patience) * moving / samples;
    }
    malloc_trim(0);
    const Real before = resident_memory();
    const bool forgot = forget_most_resident_memory();
    Simulation bed(bed_of(f.grains));
    bed.start();
    if (solves_contacts(world)) step_once(bed);  // at rest it goes on from its first step
    const Rehearsal dense = rehearse(bed, 0.5 * patience);
    const auto count = static_cast<Real>(bed.world().size());
    const Real loose_share = std::min(1.0, settles / s.end);
    // The bed is at rest and keeps its list; in the run lists grow stale as fast as they do now.
    constexpr int lists = 5;
    const auto start = Clock::now();
    for (int k = 0; k < lists; ++k) bed.world().rebuild();
    const Real packed_step = (dense.per_step + now.rebuilds * seconds_since(start) / lists) / count;  // per grain
    f.seconds = steps * (loose_share * scale * now.per_step +
                         packed_step * ((1 - loose_share) * static_cast<Real>(first) + came_on_average) + solving);
    come_to_the_end(bed);
    const Real stays = std::max(0.0, resident_memory() - before) / count;  // of a grain
    const Real most_of_it = forgot ? std::max(stays, (most_resident_memory() - before) / count) : stays;
    constexpr Real ball = 20;    // [bytes] of a grain in a picture
    constexpr Real grown = 1.5;  // [-] arrays that grow with each arrival have room to spare and leave holes behind
    const Real filled = static_cast<Real>(first) + grown * (grains - static_cast<Real>(first));
    const Real drawn_with = canvas > 0 ? canvas + stays * filled + ball * grains : 0;
    f.memory = std::max(f.memory, bare + std::max(most_of_it * filled, drawn_with));
    saved = checkpoint_bytes(bed) / count;
    contacts = loose_share * contacts + (1 - loose_share) * contacts_of(bed.world());
  }
  // Sizes of what is written: bytes of a number as text, of a .vtp file's head and tail, of a grain or a contact in a
  // frame, of a picture full of grains, of a report without its pictures.
  constexpr Real number = 17, head = 1400, in_vtp = 130, in_xyz = 160, contact = 160, picture = 2e5, page = 6e5;
  const auto occasions = [&](Real interval) { return interval > 0 ? s.end / std::max(interval, s.step) + 1 : 0; };
  const auto columns = static_cast<Real>(record_columns(s).size());
  const bool vtp = s.frame_format != FrameFormat::xyz, xyz = s.frame_format != FrameFormat::vtp;
  const Real of_grain = (vtp ? in_vtp : 0) + (xyz ? in_xyz : 0) + (s.contact_frames ? contacts * contact : 0);
  const Real frame = of_grain * (static_cast<Real>(first) + came_on_average) + head * (vtp + s.contact_frames);
  f.disk = occasions(s.series_every.value_or(s.end / 100)) * columns * number + occasions(s.frames_every) * frame +
           (2 * saved + 16 * number) * grains + (s.report ? page : 0);
  if (simulation.takes_pictures()) {
    const Real pictures = occasions(s.pictures_every.value_or(s.end / 2));
    const Real one = f.grains > 2 * first ? std::max(drawn, picture) : drawn;  // more will come into view
    f.seconds += pictures * drawing;
    f.disk += pictures * one * (s.report ? 1 + 4.0 / 3 : 1);  // in a page as base64
  }
  return f;
}

}  // namespace cairn
