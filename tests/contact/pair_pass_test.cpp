// The pass over contacts between grains, in packs of whatever it chooses, against packs of one contact each.
#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "cairn/core/hash.hpp"
#include "contact/answers.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

constexpr Real smallest_radius = 0.04;  // [m]

// Grains of many sizes, or of one, in a periodic box, and all pairs that touch or nearly so.
struct Crowd {
  Particles grains;
  PeriodicCell cell = PeriodicCell::from({0, 0, 0}, {1, 1, 0});
  State y, current_rate;
  std::vector<Pair> pairs;
  std::vector<Real> gaps;
  std::vector<Phase> phases;

  // Of the contacts that overlap so many begin the step as such; of the others as many fewer.
  Crowd(int count, Real share, int materials, Real one_radius) {
    grains.id.resize(count), grains.radius.resize(count), grains.inverse_mass.resize(count);
    grains.material.resize(count);
    for (State* s : {&y, &current_rate}) s->body.resize(count);
    std::uint64_t drawn = 0;
    const auto random = [&] { return random_uniform(8, 0, drawn++); };
    for (int i = 0; i < count; ++i) {
      grains.radius[i] = one_radius > 0 ? one_radius : smallest_radius * (1 + random());
      grains.inverse_mass[i] = 1 + random();
      grains.material[i] = i % materials;
      for (int row = 0; row < BodyRow::count; ++row) {
        y.body.row(row)[i] = row < 3 ? random() : random() - 0.5;
        current_rate.body.row(row)[i] = 20 * random() - 10;
      }
    }
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j) {
        Vector d = y.body.at(BodyRow::x, j) - y.body.at(BodyRow::x, i);
        d -= cell.image(d);
        const Real gap = norm(d) - grains.radius[i] - grains.radius[j];
        if (gap > 0.01) continue;
        pairs.push_back({i, j}), gaps.push_back(gap);
        const bool touched = random() < (gap < 0 ? share : share / 4);
        phases.push_back(!touched ? Phase::open : random() < 0.8 ? Phase::pressing : Phase::clipped);
      }
    y.bond.resize(static_cast<int>(pairs.size()));
    for (int slot = 0; slot < y.bond.size(); ++slot)
      if (random() < 0.5) y.bond.set(0, slot, {0.01 * random(), 0.01 * random() - 0.005, -0.01 * random()});
  }
};

// In blocks of so many slots, as they stand in the list; 0: asked one by one.
Answers answers(ContactPass pass, ContactTables t, const LawTable& laws, Simd simd, int block) {
  const int count = static_cast<int>(t.pairs.size());
  Answers a;
  State springs, rate;
  springs.bond = pass.y->bond, rate.bond.resize(count);
  pass.springs = &springs;
  if (pass.rate) pass.rate = &rate;
  a.rows.resize(count, {7, 7, 7, 7, 7, 7, 7, 7});
  t.rows = a.rows.front().data(), t.changed_phase = &a.changed_phase;
  if (t.sustains) t.trials = &a.trials;
  PartialSums sums;
  for (int slot = 0; slot < count && block == 0; ++slot) pair_pass(simd, pass, t, laws, &slot, 0, 1, slot, sums);
  for (int slot = 0; slot < count && block > 0; slot += block)
    pair_pass(simd, pass, t, laws, nullptr, slot, std::min(count, slot + block), 0, sums);
  a.sums = sums.total();
  a.sort();
  a.springs = springs.bond, a.rates = rate.bond;
  return a;
}

void compare(const LawTable& laws, int materials, Real one_radius) {
  for (const Real share : {1.0, 0.4}) {  // blocks where most touch, and where few do
    Crowd c(600, share, materials, one_radius);
    REQUIRE(c.pairs.size() > 1000);
    State rate;
    std::vector<int> row_starts(c.pairs.size());
    for (int slot = 0; slot < std::ssize(row_starts); ++slot) row_starts[slot] = row_length * slot;
    std::vector<Real> onset_speeds;
    for (std::size_t k = 0; k < c.pairs.size(); ++k) onset_speeds.push_back(0.2 * static_cast<Real>(k % 4));
    for (const bool sustains : {false, true}) {
      for (int slot = 0; slot < c.y.bond.size() && sustains; ++slot)  // which have none where they keep their phase
        if (c.phases[slot] == Phase::open) c.y.bond.set(0, slot, {});
      for (const auto& [drift, quadrature, predict, close, rates, whole_step] : kinds_of_pass) {
        prepare(c.y, c.current_rate, c.grains, c.cell, predict);
        const ContactPass pass{.y = &c.y,
                               .rate = rates ? &rate : nullptr,
                               .current_rate = &c.current_rate,
                               .predict = predict,
                               .drift = drift,
                               .quadrature = quadrature,
                               .close = close,
                               .whole_step = whole_step};
        ContactTables t{.grains = &c.grains,
                        .cell = c.cell,
                        .materials = materials,
                        .pairs = c.pairs,
                        .walls = {},
                        .surfaces = {},
                        .inverse_masses = {},
                        .one_radius = 0,
                        .shallow = shallow_depth * smallest_radius,
                        .rows = nullptr,
                        .row_starts = row_starts.data(),
                        .phases = c.phases.data(),
                        .sustains = sustains,
                        .onset_speeds = onset_speeds.data(),
                        .changed_phase = nullptr};
        const Answers one = answers(pass, t, laws, widest_simd(), 0);  // as if radii might differ
        t.one_radius = one_radius;
        for (const Simd simd : {Simd::baseline, Simd::avx2, Simd::avx512})
          for (const int block : {170, 37}) {
            if (simd > widest_simd()) continue;
            const Answers many = answers(pass, t, laws, simd, block);
            INFO("share ", share, ", sustains ", sustains, ", drift ", drift, ", close ", close, ", block ", block,
                 ", set ", static_cast<int>(simd));
            int differ = 0;
            for (int slot = 0; slot < static_cast<int>(c.pairs.size()); ++slot) {
              differ += !same_row(one.rows[slot], many.rows[slot]);
              differ += one.springs.at(0, slot) != many.springs.at(0, slot);
              differ += rates && one.rates.at(0, slot) != many.rates.at(0, slot);
            }
            CHECK(differ == 0);
            CHECK(many.changed_phase == one.changed_phase);
            if (sustains) CHECK(one.trials.size() > 20);
            CHECK(same_trials(many.trials, one.trials));
            CHECK(many.sums.after() == one.sums.after());  // bit for bit: sums are reproducible
            CHECK(many.sums.power == one.sums.power);
            CHECK(many.sums.released == one.sums.released);
            CHECK(many.sums.deepest == one.sums.deepest);
          }
      }
    }
  }
}

}  // namespace

TEST_CASE("contacts between grains: the same to the last bit in whatever packs they come") {
  const std::vector<Material> materials{{.name = "a", .young = 1e6, .poisson = 0.3},
                                        {.name = "b", .young = 3e6, .poisson = 0.2}};
  for (const int kinds : {1, 2})
    for (const auto& [damped, tangential] : {std::pair{false, 0.0}, {true, 0.0}, {true, 2.0}})
      for_each_law([&](auto law) {
        using Law = decltype(law);
        INFO(std::string(Law::name), ", damped ", damped, ", tangentially ", tangential, ", materials ", kinds);
        ContactSettings settings{{"friction", 0.4}, {"stiffness", 1e3}};
        settings["damping_exponent"] = 0.7, settings["duration_factor"] = 5e-3;
        if (damped) settings["restitution"] = 0.5, settings["tangential_damping"] = tangential;
        std::vector<typename FormulaOf<Law>::type> laws;
        for (int a = 0; a < kinds; ++a)
          for (int b = 0; b < kinds; ++b) {
            settings["friction"] = 0.4 + 0.1 * (a + b);
            settings["tangential"] = static_cast<TangentialForm>(a + b);
            laws.push_back(Law::from(suited(Law::name, settings), materials[a], materials[b]));
          }
        for (const Real one_radius : {0.0, 1.5 * smallest_radius}) compare(laws, kinds, one_radius);
      });
}
