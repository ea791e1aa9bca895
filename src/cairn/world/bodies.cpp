#include "cairn/world/bodies.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/core/parallel.hpp"
#include "cairn/core/text.hpp"

namespace cairn {

const std::vector<int>& Bodies::by_id() const {
  if (static_cast<int>(by_id_.size()) != size()) by_id_ = grains_.by_id();
  return by_id_;
}

void Bodies::check(std::span<const GrainData> added, const WorldSettings& settings) {
  const auto finite = [](const Vector& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); };
  for (const GrainData& g : added) {
    if (!(g.radius > 0) || !(g.mass > 0)) throw Error(Exit::bad_input, "a grain needs a radius and a mass above zero");
    if (!finite(g.position) || !finite(g.velocity) || !finite(g.spin) || std::isinf(g.radius) || std::isinf(g.mass))
      throw Error(Exit::bad_input, "position, velocity, spin, radius and mass of a grain must be finite");
    if (g.material < 0 || g.material >= settings.materials)
      throw Error(Exit::bad_input, "the material of a grain must be one of the materials of the world");
    for (Real period : {settings.cell.length.x, settings.cell.length.y, settings.cell.length.z})
      if (period > 0 && period < 4 * g.radius)
        throw Error(Exit::bad_input, "found a period of " + brief(period) + " m and a grain of radius " +
                                         brief(g.radius) +
                                         " m; expected periods of at least two diameters, because otherwise two grains "
                                         "would touch each other twice");
  }
}

void Bodies::insert(std::span<const GrainData> added, const WorldSettings& settings, State& y) {
  if (size() == 0) grains_.for_each_field([&](const char*, auto& field) { field.reserve(added.size()); });
  y.body.resize(size() + static_cast<int>(added.size()));
  for (const GrainData& g : added) {
    const int i = size();
    grains_.id.push_back(next_id_++);
    grains_.radius.push_back(g.radius);
    grains_.mass.push_back(g.mass);
    grains_.inverse_mass.push_back(1 / g.mass);
    grains_.inverse_inertia.push_back(settings.rotation ? 1 / (0.4 * g.mass * g.radius * g.radius) : 0);
    grains_.material.push_back(g.material);
    grains_.image.push_back({});
    see_radius(g.radius);
    y.body.set(BodyRow::x, i, g.position);
    y.body.set(BodyRow::v, i, g.velocity);
    y.body.set(BodyRow::w, i, settings.rotation ? g.spin : Vector{});
  }
}

void Bodies::rearrange(std::span<const int> order, int threads) {
  const bool some_leave = static_cast<int>(order.size()) != size();
  anywhere_ = may_be_outside();  // blocks have other grains now
  grains_.rearrange(order, threads);
  by_id_.clear();
  if (!some_leave) return;
  smallest_radius_ = largest_radius_ = 0;
  for (const Real radius : grains_.radius) see_radius(radius);
}

void Bodies::write(int i, ByteWriter& to) const {
  grains_.for_each_field([&](const char*, const auto& field) { to.add(field[i]); });
}

void Bodies::reserve(int size) {
  grains_.for_each_field([&](const char*, auto& field) { field.reserve(static_cast<std::size_t>(size)); });
}

void Bodies::append(ByteReader& from) {
  grains_.for_each_field([&]<class T>(const char*, std::vector<T>& field) { field.push_back(from.take<T>()); });
  see_radius(grains_.radius.back());
}

void Bodies::rearrange_apart(std::span<const int> order, const Places& places, int threads) {
  anywhere_ = may_be_outside();  // blocks have other grains now
  grains_.rearrange(order, threads);
  grains_.copies_below = places.copies_below, grains_.copies_above = places.copies_above;
  grains_.copied = places.copied;
  for (int k = 1; k <= places.fill; ++k) grains_.id[places.copies_below - k] = -k;
  by_id_.clear();
}

void Bodies::kick_drift(const KickDrift& how, const WorldSettings& settings) {
  scan_blocks((size() + grain_block - 1) / grain_block);
  // Descending: the force pass before ended with the last block, the next begins with the first, and each finds what is
  // still in the cache.
  for_blocks(
      settings.threads, size(), grain_block,
      [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
        cairn::kick_drift(settings.simd, how, static_cast<int>(begin), static_cast<int>(end), scans_[b]);
      },
      serial_below, BlockOrder::descending);
  for (int b = 0; b < static_cast<int>(scans_.size()); ++b)
    if (scans_[b].outside) left_.push_back(b);
}

GrainScan Bodies::scan() const {
  GrainScan all;
  for (const GrainScan& s : scans_) {
    all.speed2 = std::max(all.speed2, s.speed2);
    if (all.bad < 0) all.bad = s.bad;
    all.accelerated.insert(all.accelerated.end(), s.accelerated.begin(), s.accelerated.end());
  }
  return all;
}

void Bodies::wrap(State& y, const WorldSettings& settings) {
  constexpr std::ptrdiff_t few = 8;  // blocks, left to one thread
  std::vector<int> blocks = std::exchange(left_, {});
  if (std::exchange(anywhere_, false))
    blocks.resize((size() + grain_block - 1) / grain_block), std::iota(blocks.begin(), blocks.end(), 0);
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  const PeriodicCell& cell = settings.cell;
  const auto wrap_grain = [&](int i) {
    Vector x = y.body.at(BodyRow::x, i);
    if (!cell.outside(x)) return;
    for (int axis = 0; axis < 3; ++axis) {
      const Real length = (&cell.length.x)[axis], low = (&cell.origin.x)[axis];
      Real& at = (&x.x)[axis];
      if (!(length > 0) || (at >= low && at < low + length)) continue;
      const Real periods = std::floor((at - low) / length);
      at = at - periods * length;
      if (at >= low + length) at = low;  // rounding of a position just below the cell
      if (std::fabs(periods) < 1e9) grains_.image[i][axis] += static_cast<int>(periods);
    }
    y.body.set(BodyRow::x, i, x);
  };
  for_blocks(
      settings.threads, std::ssize(blocks), 1,
      [&](std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t k) {
        const int first = blocks[k] * grain_block;
        for (int i = first; i < std::min(size(), first + grain_block); ++i) wrap_grain(i);
      },
      few);
}

}  // namespace cairn
