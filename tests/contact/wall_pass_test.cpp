// The pass over contacts with walls, in packs, against the same formulas one contact at a time.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <vector>

#include "cairn/core/hash.hpp"
#include "contact/answers.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

// One of every kind, each moved in its own way, all within reach of grains around the origin.
std::vector<Surface> surfaces_of_every_kind() {
  const Motion swings{.velocity = {0.3, -0.2, 0.1}, .amplitude = {0, 0.02, 0.05}, .frequency = 3, .phase = 0.1};
  const Motion turns{.axis = {0, 0.6, 0.8}, .centre = {0.3, 0.1, 0}, .rotation_rate = 4};
  std::vector<Surface> all;
  const auto add = [&](const SurfaceShape& shape, const Vector& direction, const Motion& motion, bool turning = false) {
    all.push_back({.material = static_cast<int>(all.size() % 2),
                   .shape = shape,
                   .point = {0.1, -0.05, 0.02},
                   .direction = direction,
                   .motion = motion,
                   .turns = turning});
  };
  add(PlaneSurface{}, {0, 0, 1}, {});
  add(PlaneSurface{}, {0.6, 0, 0.8}, swings);
  add(PlaneSurface{}, {0.6, 0.8, 0}, turns, true);
  add(InnerCylinder{0.6}, {0, 1, 0}, turns, true);
  add(InnerCylinder{0.7}, {1, 0, 0}, {.axis = {1, 0, 0}, .centre = {0.1, -0.05, 0.02}, .rotation_rate = 9});
  add(OuterCylinder{0.4}, {0, 0.8, 0.6}, swings);
  add(OuterCylinder{0.4, 0.3}, {0, 0, 1}, turns, true);
  add(SolidBox{{0.3, 0.2, 0.4}}, {}, {});
  add(SolidBox{{0.3, 0.2, 0.4}}, {}, swings);
  return all;
}

struct Contacts {
  Particles grains;
  State y, current_rate;
  std::vector<Pair> pairs{{0, 1}, {1, 2}, {2, 3}};  // slots before those of walls
  std::vector<WallPair> walls;
  std::vector<Surface> surfaces = surfaces_of_every_kind();
  std::vector<Phase> phases;

  explicit Contacts(int count) {
    y.time = 0.37;
    grains.id.resize(count), grains.radius.resize(count), grains.inverse_mass.resize(count);
    grains.material.resize(count);
    for (State* s : {&y, &current_rate}) s->body.resize(count);
    std::uint64_t drawn = 0;
    const auto random = [&] { return random_uniform(5, 0, drawn++); };
    for (int i = 0; i < count; ++i) {
      grains.radius[i] = 0.02 + 0.1 * random(), grains.inverse_mass[i] = 1 + random();
      grains.material[i] = random() < 0.3;
      for (int row = 0; row < BodyRow::count; ++row) {
        y.body.row(row)[i] = row < 3 ? 1.6 * random() - 0.8 : 4 * random() - 2;
        current_rate.body.row(row)[i] = 20 * random() - 10;
      }
      for (int s = 0; s < static_cast<int>(surfaces.size()); ++s)
        if (random() < 0.7) walls.push_back({i, s});
    }
    const int slots = static_cast<int>(pairs.size() + walls.size());
    y.bond.resize(slots);
    for (int slot = 0; slot < slots; ++slot) {
      phases.push_back(random() < 0.5 ? Phase::open : random() < 0.7 ? Phase::pressing : Phase::clipped);
      if (random() < 0.8) y.bond.set(0, slot, {0.01 * random(), 0.01 * random() - 0.005, -0.01 * random()});
    }
  }
};

ContactTables tables_of(const Contacts& c, int materials, bool sustains, const Real* onset_speeds) {
  return {.grains = &c.grains,
          .cell = {},
          .materials = materials,
          .pairs = c.pairs,
          .walls = c.walls,
          .surfaces = c.surfaces,
          .inverse_masses = {},
          .one_radius = 0,
          .shallow = 0,
          .rows = nullptr,
          .row_starts = nullptr,
          .phases = c.phases.data(),
          .sustains = sustains,
          .onset_speeds = onset_speeds,
          .changed_phase = nullptr};
}

// As stated in pair.hpp, contact by contact.
template <class Law>
Answers one_by_one(const ContactPass& pass, const ContactTables& t, const std::vector<Law>& laws,
                   std::map<std::size_t, int>& closed) {
  const State& y = *pass.y;
  Answers a;
  a.rows.resize(t.walls.size()), a.springs = y.bond, a.rates.resize(y.bond.size());
  for (std::size_t k = 0; k < t.walls.size(); ++k) {
    const int i = t.walls[k].grain, slot = static_cast<int>(t.pairs.size() + k);
    const Surface& surface = t.surfaces[t.walls[k].surface];
    const Law& law = laws[t.grains->material[i] * t.materials + surface.material];
    const Phase was = t.phases[slot];
    const auto meeting = [&](const BodyMotion<Real>& body, Real time) {
      auto m = contact_geometry(body, surface, pose_at(surface, time), t.cell, t.grains->radius[i],
                                1 / t.grains->inverse_mass[i]);
      m.kinematics.sustained = t.sustains && was == Phase::pressing;
      m.kinematics.onset_speed = t.onset_speeds[slot];
      return m;
    };
    BodyMotion<Real> now = motions(y, i);
    now.v += pass.predict * pass.current_rate->body.at(BodyRow::v, i),
        now.w += pass.predict * pass.current_rate->body.at(BodyRow::w, i);
    const ContactGeometry<Real> m = meeting(now, y.time);
    closed[surface.shape.index()] += m.kinematics.overlap > 0;
    if (t.sustains && was == Phase::open) {
      if (m.kinematics.overlap > 0) a.changed_phase.push_back(slot);
      continue;
    }
    Vector xi = y.bond.at(0, slot);
    if (pass.drift != 0) {
      const auto kinematics_at = [&](int at, int) {
        const Real lag = spring_method(pass.quadrature).lags[at] * pass.drift;
        BodyMotion<Real> then = motions(y, i);
        then.x += -lag * then.v;
        return as_followed(meeting(then, y.time - lag).kinematics, pass.drift);
      };
      ContactKinematics<Real> kinematics;
      Vector rate, end;
      const auto rate_of = [&](int, int, const ContactKinematics<Real>& c, const Vector& at) {
        return law.force(c, at).xi_rate;
      };
      springs_along_drift(pass.quadrature, pass.drift, 1, &xi, kinematics_at, rate_of, &kinematics, &rate, &end);
    }
    ContactResult<Real> o{};
    evaluate(law, pass, xi, m.kinematics, {t.grains->radius[i] - m.kinematics.overlap, 0}, o);
    if (m.kinematics.overlap > 0 || t.sustains) std::copy_n(o.row, row_length, a.rows[k].data());
    a.springs.set(0, slot, o.xi), a.rates.set(0, slot, o.xi_rate);
    if (phase_of(m.kinematics.overlap > 0, o.presses, t.sustains) != was) {
      a.changed_phase.push_back(slot);
      if (t.sustains && was == Phase::pressing) a.trials.push_back({slot, xi});
    }
    const Real brought = dot(Vector{o.row[0], o.row[1], o.row[2]}, m.wall_velocity);
    LedgerChannels& power = a.sums.power;
    power[Channel::dashpot] += o.ledger.power.dashpot, power[Channel::slip] += o.ledger.power.slip;
    power[Channel::clip] += o.ledger.power.clip, power[Channel::external] += brought;
    a.sums.slip_cut += o.ledger.slip_cut, a.sums.released += o.ledger.released;
    const Real depth = m.kinematics.overlap / t.grains->radius[i];
    if (depth > a.sums.deepest)
      a.sums.deepest = depth, a.sums.deepest_ids = ids_of(slot, t.pairs, t.walls, t.grains->id);
  }
  return a;
}

// In blocks of so many slots.
Answers by_the_pass(ContactPass pass, ContactTables t, const LawTable& laws, Simd simd, bool by_name,
                    int block = pass_contacts) {
  const int count = static_cast<int>(t.walls.size()), pairs = static_cast<int>(t.pairs.size());
  Answers a;
  State springs, rate;
  springs.bond = pass.y->bond, rate.bond.resize(springs.bond.size());
  pass.springs = &springs;
  if (pass.rate) pass.rate = &rate;
  a.rows.resize(count);
  t.rows = a.rows.front().data(), t.changed_phase = &a.changed_phase;
  if (t.sustains) t.trials = &a.trials;
  PartialSums sums;
  std::vector<int> slots;
  for (int k = 0; k < count; ++k) slots.push_back(pairs + k);
  for (int k = 0; k < count; k += block) {
    const int many = std::min(block, count - k);
    if (by_name)
      wall_pass(simd, pass, t, laws, slots.data(), k, k + many, k, sums);
    else
      wall_pass(simd, pass, t, laws, nullptr, pairs + k, pairs + k + many, k, sums);
  }
  a.sums = sums.total();
  a.sort();
  a.springs = springs.bond, a.rates = rate.bond;
  return a;
}

template <class Law>
void compare(const std::vector<Law>& laws) {
  Contacts c(301);
  State rate;
  std::map<std::size_t, int> closed;
  std::vector<Real> onset_speeds;
  for (std::size_t k = 0; k < c.phases.size(); ++k) onset_speeds.push_back(0.2 * static_cast<Real>(k % 4));
  for (const bool sustains : {false, true})
    for (const auto& [drift, quadrature, predict, close, rates, whole_step] : kinds_of_pass) {
      prepare(c.y, c.current_rate, c.grains, {}, predict);
      const ContactPass pass{.y = &c.y,
                             .rate = rates ? &rate : nullptr,
                             .current_rate = &c.current_rate,
                             .predict = predict,
                             .drift = drift,
                             .quadrature = quadrature,
                             .close = close,
                             .whole_step = whole_step};
      const ContactTables t = tables_of(c, 2, sustains, onset_speeds.data());
      const Answers one =  // over a whole step springs are not followed by stages
          whole_step ? by_the_pass(pass, t, laws, widest_simd(), true, 1) : one_by_one(pass, t, laws, closed);
      CHECK(one.changed_phase.size() > 100);
      if (sustains) CHECK(one.trials.size() > 20);
      for (const Simd simd : {Simd::baseline, Simd::avx2, Simd::avx512})
        for (const bool by_name : {false, true}) {
          if (simd > widest_simd()) continue;
          const Answers many = by_the_pass(pass, t, laws, simd, by_name);
          INFO("sustains ", sustains, ", drift ", pass.drift, ", close ", pass.close, ", set ", static_cast<int>(simd));
          int differ = 0;
          for (std::size_t k = 0; k < c.walls.size(); ++k) {
            const int slot = static_cast<int>(c.pairs.size() + k);
            differ += !same_row(one.rows[k], many.rows[k]);
            differ += one.springs.at(0, slot) != many.springs.at(0, slot);
            differ += rates && one.rates.at(0, slot) != many.rates.at(0, slot);
          }
          CHECK(differ == 0);
          CHECK(many.changed_phase == one.changed_phase);
          CHECK(same_trials(many.trials, one.trials));
          check_sums(many.sums, one.sums);
          CHECK(many.sums.deepest_ids == one.sums.deepest_ids);
        }
    }
  for (const Surface& s : c.surfaces) CHECK(closed[s.shape.index()] > 200);
}

}  // namespace

TEST_CASE("contacts with walls of every kind: in packs as one by one, to the last bit") {
  const std::vector<Material> materials{{.name = "a", .young = 1e6, .poisson = 0.3},
                                        {.name = "b", .young = 3e6, .poisson = 0.2}};
  for (const bool damped : {false, true})
    for_each_law([&](auto law) {
      using Law = decltype(law);
      INFO(std::string(Law::name), ", damped ", damped);
      ContactSettings settings{{"friction", 0.4}, {"stiffness", 1e3}};
      settings["damping_exponent"] = 0.7, settings["duration_factor"] = 5e-3;
      if (damped) settings["restitution"] = 0.5, settings["tangential_damping"] = 2;
      std::vector<typename FormulaOf<Law>::type> laws;
      for (const Material& a : materials)
        for (const Material& b : materials) {
          settings["friction"] = *settings["friction"] + 0.1;
          settings["tangential"] = static_cast<TangentialForm>(laws.size() % 3);
          laws.push_back(Law::from(suited(Law::name, settings), a, b));
        }
      compare(laws);
    });
}

TEST_CASE("contacts with one wall may be listed in any order") {
  Contacts c(40);
  std::erase_if(c.walls, [](const WallPair& w) { return w.surface != 0; });
  const Material glass{.name = "glass", .young = 1e6, .poisson = 0.3};
  const LawTable laws =
      std::vector(4, LinearSpringDashpot::from({{"stiffness", 1e3}, {"friction", 0.4}}, glass, glass));
  c.grains.material.assign(c.grains.material.size(), 0);
  const int pairs = static_cast<int>(c.pairs.size()), count = static_cast<int>(c.walls.size());
  std::vector<int> ascending(count), mixed;
  std::iota(ascending.begin(), ascending.end(), pairs);
  mixed = ascending;
  std::reverse(mixed.begin() + 1, mixed.end() - 1);  // its ends are as far apart as if it ascended
  const auto rows_of = [&](const std::vector<int>& slots) {
    std::vector<std::array<Real, row_length>> rows(count);
    ContactTables t = tables_of(c, 2, false, nullptr);
    t.rows = rows.front().data();
    PartialSums sums;
    const ContactPass pass{.y = &c.y};
    wall_pass(widest_simd(), pass, t, laws, slots.data(), 0, count, 0, sums);
    return rows;
  };
  const auto one = rows_of(ascending), other = rows_of(mixed);
  REQUIRE(count > 20);
  for (int k = 0; k < count; ++k) CHECK(same_row(other[k], one[mixed[k] - pairs]));
}

namespace {

// The springs [m] and the forces [N] of contacts with each surface by both kernels: the median of their differences.
// Springs lie in the planes of their contacts when the drift begins, and stick.
std::vector<Real> kernels_apart(const LawTable& laws, Real drift, Real predict) {
  Contacts c(301);
  c.grains.material.assign(c.grains.material.size(), 0), c.phases.assign(c.phases.size(), Phase::pressing);
  for (Surface& s : c.surfaces) s.material = 0;
  prepare(c.y, c.current_rate, c.grains, {}, predict);
  const int pairs = static_cast<int>(c.pairs.size()), walls = static_cast<int>(c.walls.size());
  for (int k = 0; k < walls; ++k) {
    const Surface& surface = c.surfaces[c.walls[k].surface];
    BodyMotion<Real> then = motions(c.y, c.walls[k].grain);
    then.x += -drift * then.v;
    const Vector n = contact_geometry(then, surface, pose_at(surface, c.y.time - drift), {}, 0.1, 1.0).kinematics.n;
    const Vector xi = c.y.bond.at(0, pairs + k);
    c.y.bond.set(0, pairs + k, xi - dot(xi, n) * n);
  }
  const ContactTables t = tables_of(c, 1, true, nullptr);
  ContactPass pass{.y = &c.y,
                   .current_rate = &c.current_rate,
                   .predict = predict,
                   .drift = drift,
                   .close = true,
                   .whole_step = true};
  const Answers closed = by_the_pass(pass, t, laws, widest_simd(), false);
  pass.whole_step = false;
  const Answers staged = by_the_pass(pass, t, laws, widest_simd(), false);
  std::vector<std::vector<Real>> apart(c.surfaces.size());
  for (int k = 0; k < walls; ++k) {
    const Vector xi = closed.springs.at(0, pairs + k) - staged.springs.at(0, pairs + k);
    Real force = 0;
    for (int m = 0; m < 3; ++m) force += std::fabs(closed.rows[k][m] - staged.rows[k][m]);
    apart[c.walls[k].surface].push_back(norm(xi) + force);
  }
  std::vector<Real> medians;
  for (std::vector<Real>& of : apart) {
    std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2), of.end());
    medians.push_back(of[of.size() / 2]);
  }
  for (const int channel : {Channel::dashpot, Channel::external})
    CHECK(closed.sums.power[channel] == doctest::Approx(staged.sums.power[channel]).epsilon(1e-4));
  return medians;
}

}  // namespace

TEST_CASE("over a whole step springs at surfaces of every kind are those of the general kernel, to its order") {
  const Material glass{.name = "glass", .young = 1e3, .poisson = 0.3};
  const auto table = [&](auto law, ContactSettings settings) {
    using Law = decltype(law);
    settings["friction"] = 1e9;
    return LawTable(std::vector{Law::from(settings, glass, glass)});
  };
  for (const LawTable& laws : {table(LinearSpringDashpot{}, {{"stiffness", 1}, {"restitution", 0.6}}),
                               table(LinearSpringDashpot{}, {{"stiffness", 1}, {"tangential_damping", 2}}),
                               table(HertzMindlin{}, {{"restitution", 0.5}})})
    for (const Real predict : {0.0, 0.01}) {
      const std::vector<Real> coarse = kernels_apart(laws, 4e-3, predict), fine = kernels_apart(laws, 1e-3, predict);
      for (std::size_t s = 0; s < coarse.size(); ++s) {
        INFO("law ", laws.index(), ", surface ", s, ", predict ", predict, ": ", coarse[s], " and ", fine[s]);
        CHECK(fine[s] > 0);                       // they are two
        CHECK(fine[s] < coarse[s] / 50 + 1e-16);  // before a plane at rest both are exact
      }
    }
}

TEST_CASE("a spring keeps its length while a grain crosses the axis of a pipe as narrow as itself") {
  const Material glass{.name = "glass", .young = 1e6, .poisson = 0.3};
  const ContactSettings settings{{"friction", 1e3}, {"stiffness", 1e3}};
  const std::vector laws{LinearSpringDashpot::from(suited(LinearSpringDashpot::name, settings), glass, glass)};
  Contacts c(1);
  c.grains.radius[0] = 0.1, c.grains.material[0] = 0;
  c.surfaces = {{.shape = InnerCylinder{0.099}, .direction = {0, 0, 1}, .motion = {}}};
  c.pairs.clear(), c.walls = {{0, 0}}, c.phases = {Phase::pressing};
  c.y.bond.resize(1);
  const Real spring = 1e-3, drift = 1e-3, speed = 1;  // [m] [s] [m/s]
  for (const Real off_axis : {1e-2, 1e-3, 1e-6, 1e-9})
    for (const bool whole_step : {false, true}) {
      INFO("off the axis by ", off_axis, ", over a whole step ", whole_step);
      for (int row = 0; row < BodyRow::count; ++row) c.y.body.row(row)[0] = 0;
      // Where the kernel looks at the normal, in mid-drift or at the end, it is right of the axis, goes up and rolls:
      // the normal turns by speed drift / off_axis.
      c.y.body.row(BodyRow::x)[0] = off_axis, c.y.body.row(BodyRow::x + 1)[0] = whole_step ? 0 : 0.5 * drift * speed;
      c.y.body.row(BodyRow::v + 1)[0] = speed, c.y.body.row(BodyRow::w + 2)[0] = -speed / 0.099;
      if (whole_step) c.y.body.row(BodyRow::w)[0] = 0.1;
      c.y.bond.set(0, 0, {0, spring * 0.6, spring * 0.8});
      prepare(c.y, c.current_rate, c.grains, {}, 0);
      const ContactPass pass{
          .y = &c.y, .current_rate = &c.current_rate, .drift = drift, .close = whole_step, .whole_step = whole_step};
      const Answers a = by_the_pass(pass, tables_of(c, 1, false, nullptr), laws, Simd::baseline, false);
      const Real slip = drift * speed * off_axis / 0.099;
      CHECK(norm(a.springs.at(0, 0)) < 1.01 * spring + slip);
    }
}
