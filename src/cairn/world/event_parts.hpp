// The parts of a World whose contacts begin and end.
#pragma once
#include <cstdint>

#include "cairn/core/parallel.hpp"
#include "cairn/world/contact_forces.hpp"

namespace cairn {

struct EventParts {
  const WorldSettings& settings;
  Bodies& bodies;
  ContactList& list;
  States& states;
  ContactForces& forces;
  Domain& domain;
  std::int64_t step;  // steps done

  ContactScene scene() const { return {settings, bodies.grains(), list.neighbours(), list.slots(), domain}; }
};

// f(k) for each k < count. Each thread has a run of them: of contacts or grains in the order of the list mostly those
// that stand in its cache since the sweep.
template <class F>
void for_each_index(const EventParts& w, std::ptrdiff_t count, F&& f) {
  constexpr int block = 8, few = 32;
  const auto all = [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (auto k = begin; k < end; ++k) f(k);
  };
  for_blocks(w.settings.threads, count, block, all, few);
}

// [J] that a body gains whose velocity changes by `by`.
inline Real energy_gained(Real inertia, const Vector& before, const Vector& by) {
  return inertia * dot(by, before + 0.5 * by);
}

// Fetches early what corrections read and write of a grain: their grains stand anywhere in memory.
inline void fetch_entry(const BodyRows& of, int grain) {
  const Real* const entry = of.entry(grain);
  __builtin_prefetch(entry), __builtin_prefetch(entry + BodyRows::stride - 1);
}
inline void fetch_constants(const Particles& of, int grain) {
  for (const auto* field : {&of.radius, &of.mass, &of.inverse_mass, &of.inverse_inertia})
    __builtin_prefetch(&(*field)[grain]);
}

}  // namespace cairn
