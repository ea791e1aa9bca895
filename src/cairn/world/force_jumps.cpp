#include "cairn/world/force_jumps.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <limits>
#include <utility>

#include "cairn/world/loaded_walls.hpp"

namespace cairn {
namespace {

constexpr int contacts_at_once = 16, few = 32;  // few are left to one thread

Vector vector_of(const Real* row, int first) {
  return {row[first], row[first + 1], row[first + 2]};
}

void accelerate_walls(const EventParts& w, const ContactRows& contacts, Real times, Real velocity_lag,
                      ReproducibleSum& kinetic) {
  Slab &rate = w.states.current_rate.walls, &y = w.states.present.walls;
  if (rate.size() == 0) return;
  std::vector<ReproducibleVectorSum> more(static_cast<std::size_t>(rate.size()));
  const ContactScene scene = w.scene();
  const std::ptrdiff_t stride = ContactForces::row_stride(w.settings);
  for (std::size_t k = 0; k < contacts.slots.size(); ++k)
    if (scene.at_wall(contacts.slots[k]))
      if (const int wall = scene.loaded_wall(contacts.slots[k]); wall >= 0)
        more[wall].add(-times * vector_of(contacts.rows.data() + stride * static_cast<std::ptrdiff_t>(k), 0));
  for (int k = 0; k < rate.size(); ++k) {
    const LoadedWall& wall = w.settings.loaded_walls[k];
    w.domain.add(more[k]);
    const Vector a = rate.at(WallRow::v, k), da = (1 / wall.mass) * wall.along_free(more[k].value());
    rate.set(WallRow::v, k, a + da);
    if (w.domain.leads())
      kinetic.add(energy_gained(wall.mass, y.at(WallRow::v, k) + velocity_lag * a, velocity_lag * da));
  }
}

AskedForces asked(const EventParts& w, std::vector<int> slots, const ContactPass& pass) {
  const ContactScene scene = w.scene();
  enum Kind { counted_elsewhere, between_grains, at_walls, kinds };  // elsewhere: by another rank
  const auto kind_of = [&](int slot) {
    return scene.at_wall(slot) ? at_walls : scene.counts(slot) ? between_grains : counted_elsewhere;
  };
  std::sort(slots.begin(), slots.end(),
            [&](int a, int b) { return std::pair(kind_of(a), a) < std::pair(kind_of(b), b); });
  const int stride = ContactForces::row_stride(w.settings);
  AskedForces to;
  to.contacts.slots = std::move(slots);
  to.contacts.rows.resize(to.contacts.slots.size() * stride);
  struct Share {
    Kind kind;
    int begin, end;
  };
  std::vector<Share> shares;
  const int count = static_cast<int>(to.contacts.slots.size());
  for (int at = 0, next; at < count; at = next) {
    const Kind kind = kind_of(to.contacts.slots[at]);
    for (next = at; next < std::min(count, at + contacts_at_once) && kind_of(to.contacts.slots[next]) == kind;) ++next;
    shares.push_back({kind, at, next});
  }
  const ContactTables t = ContactForces::tables(w.settings, w.bodies, w.list, to.contacts.rows.data());
  std::vector<std::array<PartialSums, 2>> sums(w.settings.threads);  // of each thread: what counts, and what does not
  for_blocks(
      w.settings.threads, std::ssize(shares), 1,
      [&](std::ptrdiff_t k, std::ptrdiff_t, std::ptrdiff_t) {
        const auto& [kind, begin, end] = shares[k];
        PartialSums& of = sums[thread_number(w.settings.threads)][kind == counted_elsewhere];
        const int* const asked = to.contacts.slots.data();
        if (kind == at_walls)
          wall_pass(w.settings.simd, pass, t, w.settings.laws, asked, begin, end, begin, of);
        else
          pair_pass(w.settings.simd, pass, t, w.settings.laws, asked, begin, end, begin, of);
      },
      few / contacts_at_once);
  for (const auto& of : sums) to.sums.add(of[0]);
  return to;
}

}  // namespace

AskedForces ask_forces(const EventParts& w, std::vector<int> slots, Real ago) {
  return asked(w, std::move(slots), {.y = &w.states.present, .current_rate = &w.states.current_rate, .predict = -ago});
}

AskedForces ask_final_forces(const EventParts& w, std::vector<int> slots) {
  State& y = w.states.present;
  return asked(w, std::move(slots),
               {.y = &y, .springs = &y, .rate = w.states.rate_known ? &w.states.current_rate : nullptr, .close = true});
}

void add_to_accelerations(const EventParts& w, const ContactRows& contacts, Real times, Real velocity_lag,
                          std::vector<int>& changed, ReproducibleSum& kinetic) {
  const ContactScene scene = w.scene();
  const Particles& grains = scene.grains;
  const BodyRows& y = w.states.present.body;
  BodyRows& rate = w.states.current_rate.body;
  // A contact stands among those of a grain by the id of the other one, walls last.
  const auto place_of = [&](int slot, int other) {
    if (other >= 0) return grains.id[other];
    return std::numeric_limits<std::int64_t>::max() / 2 + scene.wall_pair(slot).surface;
  };
  struct Side {
    int grain;
    std::int64_t place;
    int contact, number;
    auto operator<=>(const Side&) const = default;
  };
  std::vector<Side> sides(2 * contacts.slots.size());
  for_each_index(w, std::ssize(contacts.slots), [&](std::ptrdiff_t k) {
    const auto bodies = scene.bodies(contacts.slots[k]);
    for (int side = 0; side < 2; ++side) {
      const int other = bodies[1 - side];
      sides[2 * k + side] = {bodies[side], bodies[side] < 0 ? 0 : place_of(contacts.slots[k], other),
                             static_cast<int>(k), side};
    }
  });
  std::erase_if(sides, [](const Side& of) { return of.grain < 0; });
  if (w.domain.apart()) {
    for (const Side& of : sides) changed.push_back(of.grain);
    std::erase_if(sides, [&](const Side& of) { return !grains.own(of.grain); });  // their owners tell
  }
  std::sort(sides.begin(), sides.end());
  std::vector<std::size_t> firsts;  // of each grain
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (k == 0 || sides[k].grain != sides[k - 1].grain) firsts.push_back(k);
  std::vector<Real> replaced(firsts.size()), energies(firsts.size());
  const std::ptrdiff_t stride = ContactForces::row_stride(w.settings);
  for_each_index(w, std::ssize(firsts), [&](std::ptrdiff_t of) {
    const int i = sides[firsts[of]].grain;
    Vector a = rate.at(BodyRow::v, i), alpha = rate.at(BodyRow::w, i);
    replaced[of] = norm(a);
    for (std::size_t at = firsts[of]; at < sides.size() && sides[at].grain == i; ++at) {
      const Real* const row = contacts.rows.data() + stride * sides[at].contact;
      const Real side = sides[at].number == 0 ? times : -times;
      Vector torque = (times * (grains.radius[i] - row[3])) * vector_of(row, 4);
      if (w.settings.rolls()) torque += side * vector_of(row, row_length + 4);
      const Vector more = (side * grains.inverse_mass[i]) * vector_of(row, 0),
                   turn = grains.inverse_inertia[i] * torque;
      if (velocity_lag != 0) {
        const Vector v = y.at(BodyRow::v, i) + velocity_lag * a, spin = y.at(BodyRow::w, i) + velocity_lag * alpha;
        energies[of] += energy_gained(grains.mass[i], v, velocity_lag * more);
        if (const Real inverse = grains.inverse_inertia[i]; inverse > 0)
          energies[of] += energy_gained(1 / inverse, spin, velocity_lag * turn);
      }
      a += more, alpha += turn;
    }
    rate.set(BodyRow::v, i, a), rate.set(BodyRow::w, i, alpha);
  });
  for (std::size_t k = 0; k < firsts.size(); ++k) {
    w.list.replaced(sides[firsts[k]].grain, replaced[k]);
    if (velocity_lag != 0) kinetic.add(energies[k]);
  }
  accelerate_walls(w, contacts, times, velocity_lag, kinetic);
}

}  // namespace cairn
