#include "cairn/run/probes.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cairn/core/bytes.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/region.hpp"
#include "cairn/world/grain_stress.hpp"

namespace cairn {
namespace {

constexpr std::size_t probes_at_once = 64;  // bits of Probes::Due
constexpr Real close = 1e-9;                // [-] of a period, by which a region may reach beyond the cell

constexpr Real Vector::*coordinates[] = {&Vector::x, &Vector::y, &Vector::z};

// The shifts by which a body of this extent, which is in the cell, may reach into a region of the cell: none and, where
// it reaches over a border, a period.
template <class F>
void for_each_image(const PeriodicCell& cell, const Vector& low, const Vector& high, F&& f) {
  int from[3], to[3];
  for (int k = 0; k < 3; ++k) {
    const Real period = cell.length.*coordinates[k], origin = cell.origin.*coordinates[k];
    from[k] = period > 0 && high.*coordinates[k] > origin + period ? -1 : 0;
    to[k] = period > 0 && low.*coordinates[k] < origin ? 1 : 0;
  }
  for (int x = from[0]; x <= to[0]; ++x)
    for (int y = from[1]; y <= to[1]; ++y)
      for (int z = from[2]; z <= to[2]; ++z) f(Vector{x * cell.length.x, y * cell.length.y, z * cell.length.z});
}

Vector lower(const Vector& a, const Vector& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}

bool holds(int dimension, const BoxRegion& r, const Vector& x) {
  return x.z >= r.low.z && x.z <= r.high.z && (dimension < 2 || (x.x >= r.low.x && x.x <= r.high.x)) &&
         (dimension < 3 || (x.y >= r.low.y && x.y <= r.high.y));
}
bool holds(int dimension, const CylinderRegion& r, const Vector& x) {
  const Vector d = x - r.centre;
  const Real along = dot(d, r.axis);
  return norm(d - along * r.axis) <= r.radius && (dimension < 3 || std::fabs(along) <= 0.5 * r.length);
}

}  // namespace

struct Probes::Seen {
  const World& world;
  std::vector<int> coordination = world.coordination();
  std::vector<ContactView> contacts = world.closed_contacts();
};

std::optional<ParameterFault> probe_fault(const ProbeSpec& spec, int dimension, const PeriodicCell& cell) {
  const RegionSpec& r = spec.region;
  const Region region(r, dimension, "probe '" + spec.name + "'");
  const Vector low = spec.is_plane() ? r.point : region.low(0), high = spec.is_plane() ? r.point : region.high(0);
  for (int k = 0; k < 3; ++k) {
    const Real period = cell.length.*coordinates[k], origin = cell.origin.*coordinates[k];
    const Real from = low.*coordinates[k], to = high.*coordinates[k];
    // A plane matters where its normal points; the point may lie anywhere across it.
    if (period == 0 || (spec.is_plane() && std::fabs(r.normal.*coordinates[k]) < close * norm(r.normal))) continue;
    if (from >= origin - close * period && to <= origin + (1 + close) * period) continue;
    return ParameterFault{{"low", "center", "region_radius", "point"},
                          brief(from) + (spec.is_plane() ? "" : " to " + brief(to)) + " m along " + "xyz"[k] +
                              ", beyond the periodic cell",
                          "a probe within " + brief(origin) + " to " + brief(origin + period) + " m"};
  }
  return {};
}

Probes::Probes(const Scenario& scenario, const PeriodicCell& cell) : dimension_(scenario.dimension), cell_(cell) {
  for (const ProbeSpec& spec : scenario.probes) {
    const RegionSpec& r = spec.region;
    const std::string owner = "probe '" + spec.name + "'";
    Probe probe{.name = spec.name, .shape = {}, .passed = {}, .last = {}};
    if (spec.is_plane()) {
      probe.shape = Plane{r.point, unit(r.normal, owner + ": normal"), r.radius};
      planes_ = true;
    } else if (r.kind == RegionSpec::Kind::cylinder) {
      probe.shape = CylinderRegion{r.centre, unit(r.axis, owner + ": axis"), r.radius, r.length};
    } else {
      probe.shape = BoxRegion{r.low, r.high};
    }
    all_.push_back(std::move(probe));
    if (const auto fault = probe_fault(spec, dimension_, cell))
      throw Error(Exit::bad_input, owner + ": " + fault->text());
  }
}

// --- Planes ---------------------------------------------------------------------------------------------------------

void Probes::restored() {
  for (Probe& probe : all_) probe.due = false;
}

void Probes::before_step(const World& world) {
  if (!planes_) return;
  const Particles& grains = world.grains();
  starts_.clear();
  for (int i = grains.own_begin(); i < grains.own_end(); ++i)
    starts_.push_back({grains.id[i], world.state().body.at(BodyRow::x, i), grains.image[i]});
}

void Probes::after_step(const World& world) {
  if (!planes_) return;
  const Particles& grains = world.grains();
  find_starts(world);
  for (std::size_t p = 0; p < all_.size(); ++p)
    if (const Plane* plane = std::get_if<Plane>(&all_[p].shape))
      for (int i = grains.own_begin(); i < grains.own_end(); ++i)
        if (const int way = way_through(*plane, starts_[i - grains.own_begin()], world, i); way != 0)
          passing_.push_back({world.steps(), grains.id[i], static_cast<int>(p), way, grains.mass[i]});
  if (world.whole()) count_passed();
}

// The list sorts the grains anew at times; then some may have come from other ranks.
void Probes::find_starts(const World& world) {
  const Particles& grains = world.grains();
  const std::span<const std::int64_t> own(grains.id.data() + grains.own_begin(), grains.id.data() + grains.own_end());
  const bool same = std::equal(own.begin(), own.end(), starts_.begin(), starts_.end(),
                               [](std::int64_t id, const Start& start) { return id == start.id; });
  if (!world.domain().any(!same)) return;
  if (!world.whole()) {
    std::vector<std::int64_t> here(own.begin(), own.end());
    std::sort(here.begin(), here.end());
    Bytes left;
    for (const Start& start : starts_)
      if (!std::binary_search(here.begin(), here.end(), start.id)) ByteWriter(left).add(start);
    Ranks& ranks = world.domain().ranks();
    for (const Bytes& from : ranks.exchange(std::vector<Bytes>(static_cast<std::size_t>(ranks.count()), left)))
      for (ByteReader message(from); !message.empty();) starts_.push_back(message.take<Start>());
  }
  const auto earlier = [](const Start& start, std::int64_t id) { return start.id < id; };
  std::sort(starts_.begin(), starts_.end(), [&](const Start& a, const Start& b) { return earlier(a, b.id); });
  std::vector<Start> found;
  for (const std::int64_t id : own) found.push_back(*std::lower_bound(starts_.begin(), starts_.end(), id, earlier));
  starts_ = std::move(found);
}

int Probes::way_through(const Plane& plane, const Start& start, const World& world, int grain) const {
  const std::array<int, 3>& now = world.grains().image[grain];
  const Vector &l = cell_.length, x = world.state().body.at(BodyRow::x, grain);
  const Vector shift{(now[0] - start.image[0]) * l.x, (now[1] - start.image[1]) * l.y, (now[2] - start.image[2]) * l.z};
  const int way = passes(plane, start.x, x + shift);
  // Over a border the way has two images, of which one at most passes within the cell.
  return way == 0 && !(shift == Vector{}) ? passes(plane, start.x - shift, x) : way;
}

void Probes::collect(const Domain& domain) {
  if (!domain.apart()) return;
  domain.collect(passing_);
  count_passed();
}

// In an order that knows neither arrays nor ranks, for the sums of masses depend on it.
void Probes::count_passed() {
  std::sort(passing_.begin(), passing_.end(),
            [](const Passing& a, const Passing& b) { return std::tie(a.step, a.id) < std::tie(b.step, b.id); });
  for (const Passing& p : passing_) {
    Passed& to = all_[p.probe].passed;
    to.grains += p.way, to.mass += p.way * p.mass;
  }
  passing_.clear();
}

// 1: from behind the plane to before it, -1: back, 0: neither; through the disc and within the cell.
int Probes::passes(const Plane& plane, const Vector& from, const Vector& to) const {
  const Real a = dot(from - plane.point, plane.normal), b = dot(to - plane.point, plane.normal);
  if ((a < 0) == (b < 0)) return 0;
  const Vector at = from + (a / (a - b)) * (to - from);
  for (int k = 0; k < 3; ++k) {
    const Real period = cell_.length.*coordinates[k], x = at.*coordinates[k] - cell_.origin.*coordinates[k];
    if (period > 0 && (x < -close * period || x > (1 + close) * period)) return 0;
  }
  if (plane.radius > 0) {
    const Vector d = at - plane.point;
    if (norm(d - cell_.image(d)) > plane.radius) return 0;
  }
  return a < 0 ? 1 : -1;
}

// --- Regions --------------------------------------------------------------------------------------------------------

// Of the grains and contacts of all ranks; in sums that depend on no order.
template <class Region>
ProbeRow Probes::look(const Region& region, const Seen& seen) const {
  const World& w = seen.world;
  const Particles& grains = w.grains();
  const Real volume = volume_of(dimension_, region);
  struct {
    ReproducibleSum filled, mass;
    ReproducibleVectorSum momentum;
    ReproducibleTensorSum contact_stress;
    std::int64_t grains = 0, contacts = 0;
  } sums;
  std::vector<int> inside;
  for (int i = grains.own_begin(); i < grains.own_end(); ++i) {
    const Vector x = w.state().body.at(BodyRow::x, i);
    const Real r = grains.radius[i];
    for_each_image(cell_, x - Vector{r, r, r}, x + Vector{r, r, r},
                   [&](const Vector& shift) { sums.filled.add(ball_in(dimension_, x + shift, r, region)); });
    if (!holds(dimension_, region, x)) continue;
    inside.push_back(i);
    sums.mass.add(grains.mass[i]), sums.momentum.add(grains.mass[i] * w.velocity(i));
    sums.contacts += seen.coordination[static_cast<std::size_t>(i)];
  }
  sums.grains = std::ssize(inside);
  for (const ContactView& c : seen.contacts) {
    Real part = 0;
    for_each_image(cell_, lower(c.from, c.to), -lower(-c.from, -c.to),
                   [&](const Vector& shift) { part += part_in(dimension_, c.from + shift, c.to + shift, region); });
    if (part > 0) sums.contact_stress.add(part / volume * moment_of(c));
  }
  const Domain& domain = w.domain();
  domain.add(sums.filled), domain.add(sums.mass), domain.add(sums.momentum), domain.add(sums.contact_stress);
  domain.add(sums.grains), domain.add(sums.contacts);
  ProbeRow row;
  row.number = sums.grains;
  row.packing_fraction = sums.filled.value() / volume;
  row.contact_stress = sums.contact_stress.value();
  if (sums.grains == 0) return row;
  const Real mass = sums.mass.value();
  row.velocity = (1 / mass) * sums.momentum.value();
  row.coordination = static_cast<Real>(sums.contacts) / static_cast<Real>(sums.grains);
  ReproducibleTensorSum kinetic;
  for (const int i : inside) {
    const Vector u = w.velocity(i) - row.velocity;
    kinetic.add(grains.mass[static_cast<std::size_t>(i)] / volume * symmetric_product(u, u));
  }
  domain.add(kinetic);
  row.kinetic_stress = kinetic.value();
  row.temperature = row.kinetic_stress.trace() * volume / (dimension_ * mass);
  return row;
}

ProbeRow Probes::plane_row(Probe& probe, Real time) const {
  ProbeRow row;
  row.contact_stress.c.fill(nan), row.kinetic_stress.c.fill(nan);
  probe.passed.time = time;
  const Real interval = probe.passed.time - probe.last.time;
  row.passed = probe.passed.grains, row.passed_mass = probe.passed.mass;
  if (interval > 0) {
    row.flow = static_cast<Real>(probe.passed.grains - probe.last.grains) / interval;
    row.mass_flow = (probe.passed.mass - probe.last.mass) / interval;
  }
  probe.last = probe.passed;
  return row;
}

template <class Take>
void Probes::look_at(const World& world, const Due& due, Take&& take) {
  if (planes_) collect(world.domain());
  std::optional<Seen> seen;
  for (std::size_t k = 0; k < probes_at_once; ++k) {
    if (!(due.bits >> k & 1)) continue;
    Probe& probe = all_[static_cast<std::size_t>(due.first) + k];
    std::visit(
        [&]<class S>(const S& shape) {
          if constexpr (std::is_same_v<S, Plane>) {
            take(probe, plane_row(probe, world.time()));
          } else {
            if (!seen) seen.emplace(Seen{world});
            take(probe, look(shape, *seen));
          }
        },
        probe.shape);
  }
}

std::vector<ProbeRow> Probes::take(const World& world) {
  constexpr std::size_t some = probes_at_once;
  std::vector<ProbeRow> rows;
  for (std::size_t first = 0; first < all_.size(); first += some) {
    Due due{.first = static_cast<int>(first)};
    for (std::size_t k = first; k < std::min(first + some, all_.size()); ++k)
      if (std::exchange(all_[k].due, false)) due.bits |= std::uint64_t{1} << (k - first);
    if (due.bits == 0) continue;
    world.domain().ask(Question::probes, due);
    look_at(world, due, [&](Probe& probe, ProbeRow row) {
      row.time = world.time(), row.name = probe.name;
      rows.push_back(std::move(row));
    });
  }
  return rows;
}

void Probes::answer(const World& world, const Due& due) {
  look_at(world, due, [](const Probe&, const ProbeRow&) {});
}

void Probes::count_all(const World& world) {
  if (!planes_) return;
  const Due none;
  world.domain().ask(Question::probes, none);
  collect(world.domain());
}

}  // namespace cairn
