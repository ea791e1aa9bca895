// Shared by the files on contacts that begin and end. EventParts are the parts of a World that these change.
// for_each_index() loops over contacts and grains. EventFindings are what one thread finds in such loops.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "cairn/core/prefetch.hpp"
#include "cairn/core/threads.hpp"
#include "cairn/state/ledger_sums.hpp"
#include "cairn/world/contact_forces.hpp"

namespace cairn {

struct EventParts {
  const WorldSettings& settings;
  Bodies& bodies;
  ContactList& list;
  States& states;
  ContactForces& forces;
  Domain& domain;
  std::int64_t step;               // steps done
  int threads = settings.threads;  // that share a loop: one where several groups are worked on at the same time

  ContactScene scene() const { return {settings, bodies.grains(), list.neighbours(), list.slots(), domain}; }
};

// Fetches what is read of a grain whose contacts change: it stands anywhere in memory.
inline void prefetch_grain(const EventParts& w, int grain) {
  for (const State* of : {&w.states.present, &w.states.current_rate})
    prefetch(of->body.positions.entry(grain)), prefetch(of->body.velocities.entry(grain));
  const Particles& grains = w.bodies.grains();
  prefetch(&grains.radius[grain]), prefetch(&grains.mass[grain]);
  prefetch(&grains.inverse_mass[grain]), prefetch(&grains.inverse_inertia[grain]);
  w.list.prefetch_expected(grain);
}

struct FetchNothing {
  void operator()(std::ptrdiff_t) const {}
};

// f(k) for each k < count; some rounds earlier fetch(k), which fetches what f(k) reads.
template <class F, class Fetch = FetchNothing>
struct EachIndex {
  std::ptrdiff_t count;
  F f;
  Fetch fetch{};
  int contacts = 1;  // that each k stands for
};
template <class F>
EachIndex(std::ptrdiff_t, F) -> EachIndex<F>;
template <class F, class Fetch>
EachIndex(std::ptrdiff_t, F, Fetch, int = 1) -> EachIndex<F, Fetch>;

// One loop after the other, each thread with the same share of each: of contacts or grains in the order of the list
// mostly those that stand in its cache since the sweep. To fetch a contact from another processor's cache takes longer
// than to correct it. Threads do not wait for each other between the loops.
template <class... F, class... Fetch>
void for_each_index(const EventParts& w, const EachIndex<F, Fetch>&... loops) {
  constexpr std::ptrdiff_t few = 8;     // contacts or grains, left to one thread
  constexpr std::ptrdiff_t rounds = 8;  // that fetch() is ahead
  const int threads = ((loops.count * loops.contacts) + ...) < few ? 1 : w.threads;
  on_threads(threads, [&](int thread) {
    const auto run = [&](const auto& loop) {
      const auto share = [&](int t) { return loop.count * t / threads; };
      const std::ptrdiff_t begin = share(thread), end = share(thread + 1);
      for (auto k = begin; k < std::min(end, begin + rounds); ++k) loop.fetch(k);
      for (auto k = begin; k < end; ++k) {
        if (k + rounds < end) loop.fetch(k + rounds);
        loop.f(k);
      }
    };
    (run(loops), ...);
  });
}
template <class F>
void for_each_index(const EventParts& w, std::ptrdiff_t count, const F& f) {
  for_each_index(w, EachIndex<const F&>{count, f});
}

// Contacts that began and ended during steps; those of insertion and removal, and those that do both within one step,
// are not counted. `shortest` [steps] is of those that ended, from the step that found them to the one that found them
// gone; 0: none has ended.
struct ContactCount {
  std::int64_t begun = 0, ended = 0, shortest = 0;

  void add_ended(std::int64_t count, std::int64_t shortest_of_these) {
    ended += count;
    if (shortest_of_these > 0 && (shortest == 0 || shortest_of_these < shortest)) shortest = shortest_of_these;
  }
  void add(const ContactCount& other) { begun += other.begun, add_ended(other.ended, other.shortest); }
};

// What corrections and ended contacts add to the ledger. A rank sums its own contacts; the domain then adds up the
// ranks.
struct EventSums {
  LedgerSums recorded;
  ReproducibleSum gained;     // [J] what is recorded included; what is not, the channel `onset` takes away
  ReproducibleSum left;       // [J] in rolling springs of contacts that have ended
  PartialSums before, after;  // of the forces that leave the accelerations, and of those that join them

  void add(const EventSums& b) {
    recorded.add(b.recorded), gained.add(b.gained), left.add(b.left), before.add(b.before), after.add(b.after);
  }
};

// What one thread finds. The findings of all threads together do not depend on how the threads share the work.
struct alignas(64) EventFindings {
  EventSums booked;
  std::vector<LedgerSums> past;  // what corrections add to the ledgers of memories; empty: nothing
  ContactCount count;
  Real travel = 0;              // [m] the most that corrections have moved a grain
  bool outside = false;         // a grain has left the cell
  std::vector<int> unforeseen;  // grains whose velocities have changed more than ActiveSlots foresaw
};

class Findings {
 public:
  void start(int threads) { of_threads_.assign(threads, EventFindings()); }
  EventFindings& mine() { return of_threads_[thread_number(static_cast<int>(of_threads_.size()))]; }
  template <class F>
  void each(F&& f) {
    for (EventFindings& of : of_threads_) f(of);
  }

 private:
  std::vector<EventFindings> of_threads_;
};

// [J] that a body gains whose velocity changes by `by`.
inline Real energy_gained(Real inertia, const Vector& before, const Vector& by) {
  return inertia * dot(by, before + 0.5 * by);
}
// The same of a grain whose spin [rad/s] changes, too.
inline Real energy_gained(const Particles& grains, int i, const Vector& v, const Vector& by, const Vector& spin,
                          const Vector& turn) {
  const Real inverse = grains.inverse_inertia[i];
  return energy_gained(grains.mass[i], v, by) + (inverse > 0 ? energy_gained(1 / inverse, spin, turn) : 0);
}

}  // namespace cairn
