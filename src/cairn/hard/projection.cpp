#include "cairn/hard/projection.hpp"

#include <algorithm>
#include <vector>

#include "cairn/hard/contact.hpp"

namespace cairn::hard {
namespace {

struct Depth {
  Vector n;      // [-] from i to j
  Real overlap;  // [m]
};

Depth depth_of(std::span<const Place> places, const Overlap& o) {
  const Vector apart = places[o.j].shift - places[o.i].shift;
  if (o.at_wall) return {o.line, o.touching - dot(apart, o.line)};
  const Vector line = o.line + apart;
  const Real distance = norm(line);
  return {(1 / distance) * line, o.touching - distance};
}

// Moves both bodies so that the overlap shrinks by `by` [m].
void move_apart(std::span<Place> places, const Overlap& o, const Vector& n, Real by) {
  Place &a = places[o.i], &b = places[o.j];
  const Vector of_a = along_axes(a.inverse_mass, n), of_b = along_axes(b.inverse_mass, n);
  const Real both = dot(n, of_a + of_b);
  if (!(both > 0)) return;
  a.shift -= (by / both) * of_a;
  b.shift += (by / both) * of_b;
}

}  // namespace

void simultaneous_projection(std::span<Place> places, std::span<const Overlap> overlaps) {
  std::vector<Depth> depths;
  for (const Overlap& o : overlaps) depths.push_back(depth_of(places, o));
  for (std::size_t k = 0; k < overlaps.size(); ++k)
    if (const Real by = depths[k].overlap - overlaps[k].allowed; by > 0)
      move_apart(places, overlaps[k], depths[k].n, overlaps[k].factor * by);
}

int sequential_projection(std::span<Place> places, std::span<const Overlap> overlaps, Real tolerance, int most_sweeps) {
  Real deepest = 0;  // [m] beyond what is allowed
  const auto visit = [&](const Overlap& o) {
    const Depth d = depth_of(places, o);
    const Real by = o.factor > 0 ? d.overlap - o.allowed : 0;
    if (!(by > 0)) return;
    deepest = std::max(deepest, by);
    move_apart(places, o, d.n, o.factor * by);
  };
  int sweeps = 0;
  do {
    deepest = 0;
    if (sweeps++ % 2 == 0)
      for (const Overlap& o : overlaps) visit(o);
    else
      for (auto o = overlaps.rbegin(); o != overlaps.rend(); ++o) visit(*o);
  } while (deepest > tolerance && sweeps < most_sweeps);
  return sweeps;
}

}  // namespace cairn::hard
