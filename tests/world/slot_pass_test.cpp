// Which slots a pass makes active or retires: by every instruction set what the rule says of each slot alone.
#include "cairn/world/slot_pass.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/world/grain_pass.hpp"

using namespace cairn;

namespace {

struct Slots {
  Particles grains;
  PeriodicCell cell = PeriodicCell::from({0, 0, 0}, {1, 1, 0});
  State y;
  std::vector<Pair> pairs;
  std::vector<Real> gaps;
  std::vector<Phase> phases;
  std::vector<float> skip_until, accelerations;

  Slots() {
    constexpr int count = 90;
    grains.id.resize(count), grains.radius.resize(count), grains.inverse_mass.resize(count);
    y.body.resize(count);
    std::uint64_t drawn = 0;
    const auto random = [&] { return random_uniform(5, 0, drawn++); };
    for (int i = 0; i < count; ++i) {
      grains.radius[i] = 0.1 + 0.1 * random();
      for (int row = 0; row < 6; ++row) y.body.row(row)[i] = row < 3 ? random() : 2 * random() - 1;
      accelerations.push_back(static_cast<float>(1 + 2 * random()));
    }
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j) {
        Vector d = y.body.at(BodyRow::x, j) - y.body.at(BodyRow::x, i);
        d -= cell.image(d);
        pairs.push_back({i, j}), gaps.push_back(norm(d) - grains.radius[i] - grains.radius[j]);
        phases.push_back(random() < 0.5 ? Phase::open : Phase::pressing);
        skip_until.push_back(random() < 0.3 ? -1 : static_cast<float>(random()));
      }
    y.bond.resize(static_cast<int>(pairs.size()));
    for (int slot = 0; slot < y.bond.size(); ++slot)
      if (random() < 0.2) y.bond.set(0, slot, {0, 0.01, 0});
    for (int i = 0; i < count; ++i) y.body.positions.entry(i)[BodyRows::radius_place] = grains.radius[i];
  }

  // [m] The least gap on the way of a drift that ends now.
  Real least_gap(int slot, Real drift) const {
    const auto [i, j] = pairs[slot];
    Vector end = y.body.at(BodyRow::x, j) - y.body.at(BodyRow::x, i);
    end -= cell.image(end);
    const Vector way = drift * (y.body.at(BodyRow::v, j) - y.body.at(BodyRow::v, i));
    const Real back = drift == 0 ? 0 : std::clamp(dot(end, way) / dot(way, way), Real{0}, Real{1});
    return norm(end - back * way) - grains.radius[i] - grains.radius[j];
  }

  // [s] The bound of SkipClock, by bisection.
  Real time_of_touch(const SkipClock& clock, int slot) const {
    const auto [i, j] = pairs[slot];
    const Real a = 0.5 * (Real{accelerations[i]} + accelerations[j]);
    Vector d = y.body.at(BodyRow::x, j) - y.body.at(BodyRow::x, i);
    d -= cell.image(d);
    const Real rate = dot(y.body.at(BodyRow::v, i) - y.body.at(BodyRow::v, j), d) / norm(d);
    const Real approach = clock.reverses && rate < 0 ? -rate : rate;
    const Real gap = gaps[slot], b = approach + a * clock.drift;
    if (!(gap > 0)) return clock.now;
    // gap = b t + a t^2, by bisection
    Real low = 0, high = 100;
    for (int k = 0; k < 200; ++k) {
      const Real t = 0.5 * (low + high);
      (b * t + a * t * t < gap ? low : high) = t;
    }
    return clock.now + low;
  }
};

}  // namespace

TEST_CASE("slots: what may exert a force is made active, what cannot is retired, and none sleeps too long") {
  const Slots s;
  const int first = 3, middle = 1201, last = static_cast<int>(s.pairs.size()) - 2;
  for (const Simd simd : {Simd::baseline, Simd::avx2, Simd::avx512})
    for (const bool present : {true, false})
      for (const bool constants : {true, false})
        for (const Real drift : {0.0, 0.05, -0.05})
          for (const auto& [sustains, relaxes] : {std::pair{true, true}, {false, false}, {false, true}}) {
            if (simd > widest_simd()) continue;
            const SkipClock clock{.now = 0.3, .drift = 0.02, .reverses = drift < 0};
            INFO("set ", static_cast<int>(simd), ", present ", present, ", constants ", constants, ", drift ", drift,
                 ", sustains ", sustains, ", relaxes ", relaxes);
            std::vector<float> skip_until = s.skip_until;
            SlotMoves found, expected;
            look_at_slots(simd,
                          SlotLook{.y = &s.y,
                                   .grains = &s.grains,
                                   .constants = constants,
                                   .cell = s.cell,
                                   .pairs = s.pairs.data(),
                                   .phases = s.phases.data(),
                                   .sustains = sustains,
                                   .drift = drift,
                                   .relaxes = relaxes,
                                   .rolls = false,
                                   .skip_until = present ? skip_until.data() : nullptr,
                                   .accelerations = s.accelerations.data(),
                                   .clock = clock},
                          first, middle, last, found);
            const auto moved = [](const std::vector<int>& slots, int slot) {
              return std::find(slots.begin(), slots.end(), slot) != slots.end();
            };
            int late = 0, touched = 0, needless = 0;
            for (int slot = first; slot < last; ++slot) {
              const bool stretched = !sustains && s.y.bond.at(BondRow::xi, slot) != Vector{};
              const bool active = slot < middle, open = s.phases[slot] == Phase::open, touches = s.gaps[slot] < 0;
              const bool looks =
                  active ? present && open : !present || s.skip_until[slot] <= static_cast<float>(clock.now);
              bool must = sustains ? !open : s.least_gap(slot, drift) < 0 || (stretched && relaxes);
              if (looks && !sustains && !must && (active ? !moved(found.retire, slot) : moved(found.activate, slot)))
                must = true, ++needless;  // few are
              touched += looks && must;
              if (looks && present && sustains && open && touches) expected.touching.push_back(slot);
              if (looks && active && !must) expected.retire.push_back(slot);
              if (looks && !active && must) expected.activate.push_back(slot);
              if (!looks || !present)
                late += skip_until[slot] != s.skip_until[slot];
              else if (stretched)
                late += skip_until[slot] != -1;  // it is looked at until a pass relaxes it
              else {                             // early by 1.2e-6 of the time on purpose
                const Real touch = s.time_of_touch(clock, slot);
                late += !(skip_until[slot] <= touch && touch - skip_until[slot] < 2e-6 * std::max(1.0, touch));
              }
            }
            CHECK(found.retire == expected.retire);
            CHECK(found.activate == expected.activate);
            CHECK(found.touching == expected.touching);
            CHECK((found.touching.size() > 100) == (present && sustains));
            CHECK(found.activate.size() > 100);
            CHECK((found.retire.size() > 100) == present);
            CHECK(late == 0);
            CHECK(needless <= (drift == 0 ? 0 : touched / 20));
          }
}
