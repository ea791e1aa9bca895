// The contact-onset correction (docs/onset.md): what it cures, what it keeps, and where it must do nothing.
#include <doctest/doctest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "cairn/contact/restitution.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/run/registry.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

Real lag(const SchemeEntry& scheme, Real h) {
  return scheme.staggered ? 0.5 * h : 0;
}

// Root mean square error of the restitution of two equal spheres that meet head-on, over phases.
Real restitution_error(const std::string& scheme, WorldSettings s, Real exact, Real h, bool corrected,
                       int phases = 20) {
  const SchemeEntry& entry = scheme_named(scheme);
  s.onset = corrected;
  Real sum = 0;
  for (int phase = 0; phase < phases; ++phase) {
    World w(s);
    const Real gap = h * (phase + 0.5) / phases;  // at a speed of approach of 1 m/s
    const GrainData grains[] = {{.velocity = {0.5, 0, 0}, .radius = 0.05, .mass = 0.1},
                                {.position = {0.1 + gap, 0, 0}, .velocity = {-0.5, 0, 0}, .radius = 0.05, .mass = 0.1}};
    w.insert(grains);
    w.begin();
    while (w.time() < 0.05) entry.advance(w, h);
    const Real e = w.velocity(w.grains().index(1)).x - w.velocity(w.grains().index(0)).x;
    sum += (e - exact) * (e - exact);
  }
  return std::sqrt(sum / phases);
}

// Thirty grains of many sizes that fly about and meet, with friction.
World crowd(bool corrected, const std::string& law = "linear", Real restitution = 0.6, Real skin = 0) {
  WorldSettings s;
  s.laws = law_table(law, {Material{.young = 2e5}}, [&](auto, auto) {
    return suited(law, {{"friction", 0.3}, {"restitution", restitution}, {"stiffness", 1000}});
  });
  s.gravity = {}, s.onset = corrected, s.skin = skin;
  World w(s);
  std::vector<GrainData> grains;
  for (std::uint64_t k = 0; k < 30; ++k) {
    const auto r = [&](std::uint64_t q) { return random_uniform(5, k, q); };
    const Vector at = 0.15 * Vector{static_cast<Real>(k % 4), static_cast<Real>(k / 4 % 4), static_cast<Real>(k / 16)};
    grains.push_back({.position = at,  // towards the middle of them
                      .velocity = 8 * (Vector{0.2, 0.2, 0.1} - at) + Vector{r(3), r(4), r(5)},
                      .spin = {10 * r(6), 10 * r(7), 10 * r(8)},
                      .radius = 0.03 + 0.03 * r(9),
                      .mass = 0.1 + r(10)});
  }
  w.insert(grains);
  w.begin();
  return w;
}

}  // namespace

TEST_CASE("what a scheme gets wrong in a linear contact is its own order again, not that of a late beginning") {
  const Real zeta = 0.2, k = 1000, m_eff = 0.05, exact = restitution_of(zeta, Attraction::clipped);
  const WorldSettings s = linear_settings({{"stiffness", k}, {"damping", 2 * zeta * std::sqrt(k * m_eff)}});
  struct Case {
    const char* scheme;
    Real order;
  };
  for (const auto& [scheme, order] : {Case{"velocity_verlet_predicted", 2},
                                      {"velocity_verlet_implicit", 2},
                                      {"ssp3", 3},
                                      {"rk4", 4},
                                      {"taylor4", 3},
                                      {"adams_bashforth2", 2},
                                      {"adams_bashforth3", 3},
                                      {"abm2", 3},
                                      {"gear3", 3},
                                      {"gear4", 4},
                                      {"velocity_verlet", 1},
                                      {"central_difference", 1}}) {
    INFO(std::string(scheme));
    const Real h = 1.13e-3;  // 19.6 steps
    const auto slope = [&](bool corrected) {
      return std::log2(restitution_error(scheme, s, exact, h, corrected) /
                       restitution_error(scheme, s, exact, h / 4, corrected)) /
             2;
    };
    CHECK(slope(false) == doctest::Approx(1).epsilon(0.25));
    CHECK(slope(true) > order - 0.3);
    CHECK(restitution_error(scheme, s, exact, h / 4, true) < 0.4 * restitution_error(scheme, s, exact, h / 4, false));
  }
}

TEST_CASE("an attraction that is allowed ends where the spheres part") {
  const Real zeta = 0.2, k = 1000, m_eff = 0.05, exact = restitution_of(zeta, Attraction::allowed);
  const WorldSettings s = linear_settings(
      {{"attraction", Attraction::allowed}, {"stiffness", k}, {"damping", 2 * zeta * std::sqrt(k * m_eff)}});
  CHECK(restitution_error("rk4", s, exact, 1.13e-3, true) < 2e-3 * restitution_error("rk4", s, exact, 1.13e-3, false));
}

TEST_CASE("a Hertz contact gains by it only where a dashpot makes it begin abruptly") {
  const auto error = [](Real restitution, bool corrected) {
    WorldSettings s;
    s.laws = law_table("hertz_mindlin", {Material{.young = 2e5}}, [&](auto, auto) {
      return ContactSettings{{"restitution", restitution}};
    });
    s.gravity = {};
    return restitution_error("velocity_verlet_implicit", s, restitution, 6.1e-4, corrected);
  };
  CHECK(error(1, true) == error(1, false));
  CHECK(error(0.8, true) < 0.7 * error(0.8, false));
}

TEST_CASE("oblique impacts of two spinning spheres come out as with a step a hundred times smaller") {
  for (const char* name : {"velocity_verlet_implicit", "rk4"}) {
    const SchemeEntry& scheme = scheme_named(name);
    const auto after = [&](const SchemeEntry& with, std::uint64_t k, Real h, bool corrected) {
      WorldSettings s = linear_settings({{"friction", 0.3}, {"restitution", 0.7}, {"stiffness", 1e5}});
      s.onset = corrected;
      World w(s);
      const auto r = [&](std::uint64_t q) { return 2 * random_uniform(7, k, q) - 1; };
      const Vector off{r(0), r(1), r(2)}, n = (1 / norm(off)) * off, v{r(3), r(4), r(5)};
      const Vector meet = v + (1 - dot(v, n)) * n;  // normal speed 1 m/s
      const GrainData grains[] = {
          {.velocity = meet, .spin = {9 * r(6), 9 * r(7), 9 * r(8)}, .radius = 0.05, .mass = 0.3},
          {.position = 0.1102 * n, .spin = {9 * r(9), 9 * r(10), 9 * r(11)}, .radius = 0.06, .mass = 0.5}};
      w.insert(grains);
      w.begin();
      const auto steps = std::lround(0.012 / h);
      for (long i = 0; i < steps; ++i) with.advance(w, h);
      CHECK(w.contacts() == 0);
      std::vector<Vector> motion;
      for (const int i : by_id(w)) motion.push_back(w.velocity(i)), motion.push_back(0.05 * w.spin(i));
      return motion;
    };
    std::vector<Real> plain, corrected;
    for (std::uint64_t k = 0; k < 15; ++k) {
      const Real h = 3e-4 * (1 + 0.2 * random_uniform(8, k, 0));  // some 18 steps
      const auto exact = after(scheme_named("rk4"), k, 0.012 / std::round(0.012 / h) / 100, false);
      const auto error = [&](bool with) {
        const auto found = after(scheme, k, 0.012 / std::round(0.012 / h), with);
        Real most = 0;
        for (std::size_t i = 0; i < found.size(); ++i) most = std::max(most, norm(found[i] - exact[i]));
        return most;
      };
      plain.push_back(error(false)), corrected.push_back(error(true));
    }
    std::sort(plain.begin(), plain.end()), std::sort(corrected.begin(), corrected.end());
    INFO(std::string(name), ": median error ", plain[7], " plain, ", corrected[7], " corrected");
    CHECK(corrected[7] < 0.2 * plain[7]);
  }
}

TEST_CASE("corrections keep the momenta: all to round-off, as far as the scheme does") {
  for (const char* law : {"linear", "hertz_mindlin"})
    for (const SchemeEntry& scheme : scheme_catalogue()) {
      if (scheme.claims.adaptive) continue;
      INFO(std::string(scheme.claims.name), " ", std::string(law));
      World w = crowd(true, law);
      const Momenta before = w.momenta();
      const Real h = 8e-4;
      for (int k = 0; k < 125; ++k) scheme.advance(w, h);
      const Momenta after = w.momenta();
      CHECK(w.contact_count().ended > 25);
      CHECK(norm(after.linear - before.linear) < 1e-13 * norm(before.linear));
      const bool exact = scheme.claims.family == "splitting" || scheme.claims.name == "verlet";
      if (exact) CHECK(norm(after.angular - before.angular) < 1e-12 * norm(before.angular));
    }
}

TEST_CASE("the ledger closes with corrections too, and what they moved is small") {
  const auto closes = [&](const char* name, Real h) {
    World w = crowd(true);
    const SchemeEntry& scheme = scheme_named(name);
    for (int k = 0; k < std::lround(0.1 / h); ++k) scheme.advance(w, h);
    const World::Synchronised now(w, lag(scheme, h));
    CHECK(std::fabs(w.state().ledger[Channel::onset]) < 3e-4 * w.initial_energy());
    return std::fabs(w.residual()) / w.initial_energy();
  };
  for (const char* name : {"velocity_verlet_predicted", "velocity_verlet_implicit", "rk4", "ssp3", "adams_bashforth2",
                           "adams_bashforth3", "gear3"}) {
    INFO(std::string(name));
    const Real coarse = closes(name, 2e-4), fine = closes(name, 2e-4 / 8);
    CHECK(fine < 1e-4);
    CHECK(std::log2(coarse / fine) / 3 > 1.6);
  }
}

TEST_CASE("work of a wall that moves is booked where a contact with it begins and ends") {
  WorldSettings s = linear_settings({{"friction", 0.4}, {"restitution", 0.8}, {"stiffness", 1e4}});
  add_plane(s, {}, {0, 0, 1}, {.velocity = {0.3, 0, 0.5}});
  s.onset = true;
  World w(s);
  const GrainData grain{.position = {0, 0, 0.06}, .velocity = {0.2, 0, -1}, .radius = 0.05, .mass = 0.1};
  w.insert({&grain, 1});
  w.begin();
  const SchemeEntry& rk4 = scheme_named("rk4");
  while (w.time() < 0.03) rk4.advance(w, 1.3e-4);
  CHECK(w.contact_count().ended == 1);
  CHECK(w.velocity(0).z == doctest::Approx(0.5 + 0.8 * 1.5).epsilon(1e-4));
  CHECK(w.state().ledger[Channel::external] > 0.1);
  CHECK(std::fabs(w.residual()) < 1e-4 * w.state().ledger[Channel::external]);
  CHECK(std::fabs(w.state().ledger[Channel::onset]) < 1e-8);
}

TEST_CASE("a contact that persists is left alone") {
  const auto run = [](bool corrected) {
    WorldSettings s = linear_settings({{"friction", 0.4}, {"restitution", 0.8}, {"stiffness", 1e4}}, {0, 0, -9.81});
    add_plane(s, {}, {0, 0, 1});
    s.onset = corrected;
    World w(s);
    std::vector<GrainData> column;
    Real height = -0.05;
    for (int k = 0; k < 5; ++k) {
      height += 0.1 - 1.1 * (5 - k) * 0.1 * 9.81 / 1e4;  // a tenth deeper than at rest
      column.push_back({.position = {0, 0, height}, .spin = {0.1 * k, 0, 0}, .radius = 0.05, .mass = 0.1});
    }
    w.insert(column);
    w.begin();
    for (int k = 0; k < 300; ++k) scheme_named("velocity_verlet_predicted").advance(w, 1e-4);
    CHECK(w.contacts() == 5);
    CHECK(w.contact_count().begun == 0);
    return w.hash();
  };
  CHECK(run(true) == run(false));
}

// Two grains that meet, one that meets a floor, or three in a row whose middle one is met from both sides; of two
// materials.
std::vector<GrainData> small_scene(std::uint64_t k) {
  const auto r = [&](std::uint64_t q) { return random_uniform(11, k, q); };
  const Vector at = 0.5 * Vector{static_cast<Real>(k % 25), static_cast<Real>(k / 25), 0};
  std::vector<GrainData> grains;
  const auto add = [&](const Vector& where, const Vector& velocity, Real radius) {
    const std::uint64_t n = 20 * grains.size();
    grains.push_back({.position = at + where,
                      .velocity = velocity + 0.3 * Vector{r(n), r(n + 1), r(n + 2)},
                      .spin = {9 * r(n + 3), 9 * r(n + 4), 9 * r(n + 5)},
                      .radius = radius,
                      .mass = 0.1 + 0.1 * r(n + 6),
                      .material = static_cast<int>(2 * r(n + 7))});
  };
  const Real first = 0.03 + 0.02 * r(90), gap = 3e-3 * r(91);
  if (k % 3 == 0) {
    add({0, 0, first + gap}, {0, 0, -1}, first);
    return grains;
  }
  add({0, 0, 0.2}, {0.5, 0, 0}, first);
  add({first + 0.03 + gap, 0.01, 0.2}, {-0.5, 0, 0}, 0.03);
  if (k % 3 == 2) add({-first - 0.04 - 3e-3 * r(92), 0, 0.21}, {1.5, 0, 0}, 0.04);
  return grains;
}

ContactSettings contact_of(std::size_t i, std::size_t j) {
  return {{"friction", 0.3},
          {"restitution", 0.6 + 0.1 * static_cast<Real>(i * j)},
          {"stiffness", 1000 * static_cast<Real>(1 + i + j)},
          {"rolling_friction", 0.1 * static_cast<Real>(i + j)}};
}

template <class Contact>
World world_of(std::span<const GrainData> grains, int threads, Contact&& contact) {
  const std::vector<Material> materials(2);
  WorldSettings s;
  s.laws = law_table("linear", materials, contact);
  s.rolling = rolling_table(materials.size(), contact);
  s.materials = 2, s.gravity = {0, 0, -9.81}, s.onset = true, s.threads = threads;
  add_plane(s, {}, {0, 0, 1}, {.velocity = {0.2, 0, 0}});
  World w(s);
  w.insert(grains);
  w.begin();
  return w;
}

TEST_CASE("contacts are corrected as if each were alone, in whatever company and on any threads") {
  constexpr int scenes = 600, steps = 15;
  constexpr Real h = 3e-3;  // 5 to 9 a contact, so that some take more Runge-Kutta steps than others
  std::vector<GrainData> all;
  for (std::uint64_t k = 0; k < scenes; ++k)
    for (const GrainData& grain : small_scene(k)) all.push_back(grain);
  for (const char* name : {"velocity_verlet_predicted", "central_difference", "adams_bashforth4"}) {
    INFO(std::string(name));
    const SchemeEntry& scheme = scheme_named(name);
    const auto course = [&](World w) {
      for (int k = 0; k < steps; ++k) scheme.advance(w, h);
      return w;
    };
    const World one = course(world_of(all, 1, contact_of)), three = course(world_of(all, 3, contact_of));
    CHECK(one.contact_count().begun > 600);  // a few hundred in a step: more than one thread does alone
    CHECK(one.contact_count().ended > 400);
    CHECK(one.hash() == three.hash());
    CHECK(one.state().ledger == three.state().ledger);
    const std::vector<int> in_crowd = by_id(one);
    std::size_t at = 0;
    for (std::uint64_t k = 0; k < scenes; ++k) {
      INFO("scene ", k);
      std::vector<GrainData> grains = small_scene(k);
      const int mates[] = {grains[0].material, grains.size() > 1 ? grains[1].material : 0};
      const World alone = course(world_of(grains, 1, [&](std::size_t i, std::size_t j) {
        return grains.size() > 2 ? contact_of(i, j) : contact_of(mates[0], mates[1]);  // or the one law there is
      }));
      bool same = true;
      for (const int i : by_id(alone)) {
        const int j = in_crowd[at++];
        for (const int row : {BodyRow::x, BodyRow::v, BodyRow::w})
          same = same && alone.state().body.at(row, i) == one.state().body.at(row, j);
      }
      CHECK(same);
    }
  }
}

TEST_CASE("contacts are counted, and the shortest is known") {
  for (const bool corrected : {false, true}) {
    WorldSettings s = linear_settings({{"restitution", 1}, {"stiffness", 1e4}});
    add_plane(s, {}, {0, 0, 1}), add_plane(s, {0, 0, 1}, {0, 0, -1});
    s.onset = corrected;
    World w(s);
    const GrainData grain{.position = {0, 0, 0.5}, .velocity = {0, 0, 1}, .radius = 0.05, .mass = 0.1};
    w.insert({&grain, 1});
    w.begin();
    const Real h = 1e-4, duration = 3.14159265358979 * std::sqrt(0.1 / 1e4);  // 99.3 steps
    while (w.time() < 10) scheme_named("velocity_verlet").advance(w, h);
    // Nine tenths of a metre of free flight, then a contact.
    const Real expected = (10 - 0.45) / (0.9 + duration) + 1;
    CHECK(w.contact_count().begun == static_cast<int>(expected));
    CHECK(w.contact_count().ended == w.contact_count().begun);
    CHECK(w.contact_count().shortest == static_cast<int>(duration / h));
  }
}

TEST_CASE("bits do not depend on the list, though contacts run on past their end") {
  for (const Real restitution : {1.0, 0.6})
    for (const char* name : {"velocity_verlet_predicted", "rk4", "abm2", "gear3", "taylor4", "central_difference"}) {
      INFO(std::string(name), ", e = ", restitution);
      const auto hash = [&](Real skin, bool always) {
        World w = crowd(true, "linear", restitution, skin);
        for (int k = 0; k < 150; ++k) {
          scheme_named(name).advance(w, 8e-4);
          if (always) w.rebuild();
        }
        CHECK(w.contact_count().ended > 20);
        return w.hash();
      };
      const std::uint64_t lazy = hash(0.02, false);
      CHECK(hash(0.02, true) == lazy);
      CHECK(hash(1e-5, false) == lazy);
    }
}
