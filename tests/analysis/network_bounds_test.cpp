// Bounds on the eigenvalues of contact networks against dense matrices, which know of no contact block: columns are
// forces of unit motions. And the step that follows from them against closed rules.
#include "cairn/analysis/network_bounds.hpp"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "cairn/analysis/contact_network.hpp"
#include "cairn/analysis/linearised_map.hpp"
#include "cairn/run/registry.hpp"

namespace cairn {
namespace {

struct Network {
  Particles grains;
  std::vector<LiveContact> contacts;
  std::vector<LoadedWall> walls;
};

// Grains whose radii go over a decade, and contacts between any two of them, or of one and a wall.
Network random_network(std::mt19937& random, int size, bool rolls, bool loaded = false) {
  const auto uniform = [&](Real low, Real high) { return std::uniform_real_distribution(low, high)(random); };
  const auto pick = [&] { return static_cast<int>(random() % static_cast<unsigned>(size)); };
  Network net;
  Particles& g = net.grains;
  for (int i = 0; i < size; ++i) {
    const Real r = std::pow(10.0, uniform(-1, 0)), m = r * r * r;
    g.id.push_back(i), g.radius.push_back(r), g.mass.push_back(m), g.inverse_mass.push_back(1 / m);
    g.inverse_inertia.push_back(2.5 / (m * r * r)), g.material.push_back(0), g.image.push_back({});
  }
  for (int k = 0; k < 3 * size; ++k) {
    LiveContact c;
    c.i = pick(), c.j = k % 5 == 0 ? -1 : pick();
    if (c.i == c.j) continue;
    const Vector n{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    c.n = (1 / norm(n)) * n, c.ids = {c.i, c.j};
    if (c.j >= 0 && c.j < c.i) std::swap(c.i, c.j), c.ids = {c.i, c.j};
    c.lever_i = 0.99 * g.radius[c.i], c.lever_j = c.j >= 0 ? 0.99 * g.radius[c.j] : 0;
    c.rolling_lever = c.j >= 0 ? c.lever_i * c.lever_j / (c.lever_i + c.lever_j) : c.lever_i;
    for (ContactRates* r : {&c.of.stiffness, &c.of.damping}) {
      r->normal = uniform(0.1, 1), r->tangential = uniform(0, 1);
      if (rolls) r->rolling = uniform(0, 1), r->twisting = uniform(0, 1);
    }
    net.contacts.push_back(c);
  }
  if (loaded) net.walls.push_back({.wall = 0, .mass = 0.1, .free = {0, 1, 1}, .damping = 0.3});
  return net;
}

// M^-1/2 K M^-1/2, from the strains of contacts: row by row, the stretch of each spring by each coordinate.
Eigen::MatrixXd dense(const Network& net, bool damping) {
  const int n = net.grains.size();
  const auto size = 6 * n + 3 * static_cast<Eigen::Index>(net.walls.size());
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
  for (const LoadedWall& wall : net.walls)
    for (int d = 0; d < 3; ++d)
      if (damping && (&wall.free.x)[d] != 0) a(6 * n + d, 6 * n + d) = wall.damping / wall.mass;
  for (const LiveContact& c : net.contacts) {
    const Vector t0 = std::fabs(c.n.x) < 0.9 ? Vector{1, 0, 0} : Vector{0, 1, 0}, t = t0 - dot(t0, c.n) * c.n;
    const Vector t1 = (1 / norm(t)) * t, t2 = cross(c.n, t1);
    const ContactRates& r = damping ? c.of.damping : c.of.stiffness;
    const auto add = [&](Real rate, const Vector& push, const Vector& turn_i, const Vector& turn_j) {
      Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
      const auto put = [&](int i, Real sign, const Vector& turn) {
        const Real m = std::sqrt(net.grains.inverse_mass[i]), w = std::sqrt(net.grains.inverse_inertia[i]);
        b.segment<3>(6 * i) = sign * m * Eigen::Vector3d(push.x, push.y, push.z);
        b.segment<3>(6 * i + 3) = w * Eigen::Vector3d(turn.x, turn.y, turn.z);
      };
      put(c.i, 1, turn_i);
      if (c.j >= 0) put(c.j, -1, turn_j);
      if (c.j < 0 && !net.walls.empty()) {
        const Vector free = (-1 / std::sqrt(net.walls[0].mass)) * net.walls[0].along_free(push);
        b.tail<3>() = Eigen::Vector3d(free.x, free.y, free.z);
      }
      a += rate * b * b.transpose();
    };
    add(r.normal, c.n, {}, {});
    for (const Vector& d : {t1, t2}) {
      add(r.tangential, d, c.lever_i * cross(c.n, d), c.lever_j * cross(c.n, d));
      add(r.rolling, {}, c.rolling_lever * d, -c.rolling_lever * d);
    }
    add(r.twisting, {}, c.rolling_lever * c.n, -c.rolling_lever * c.n);
  }
  return a;
}

NetworkRates upper_bounds(const Network& net) {
  return cairn::upper_bounds(net.grains, [&](int grain, std::vector<LiveContact>& to) {
    for (const LiveContact& c : net.contacts)
      if (c.i == grain || c.j == grain) to.push_back(c);
  });
}

Real largest(const Eigen::MatrixXd& a) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

}  // namespace

TEST_CASE("bounds of a network: they are never below its eigenvalues") {
  std::mt19937 random(1);
  Real far = 1, near = 10;
  for (int k = 0; k < 200; ++k) {
    const Network net = random_network(random, 2 + k % 10, k % 2 == 1);
    if (net.contacts.empty()) continue;
    const Real stiffness = largest(dense(net, false)), damping = largest(dense(net, true));
    const NetworkRates most = upper_bounds(net);
    CHECK(most.stiffness >= stiffness * (1 - 1e-12));
    CHECK(most.damping >= damping * (1 - 1e-12));
    far = std::max({far, most.stiffness / stiffness, most.damping / damping});
    near = std::min({near, most.stiffness / stiffness, most.damping / damping});
  }
  MESSAGE("upper bounds are ", near, " to ", far, " times the eigenvalues");
  CHECK(far < 3);
}

// At the limit of these schemes a root passes -1, where their recurrence is the symmetric matrix 1 - h^2 K/4 - share h
// C.
TEST_CASE("the scheme's own map has the limit of the dense matrix, which the rectangle rule never exceeds") {
  std::mt19937 random(4);
  struct Rule {
    const char* scheme;
    Real share;
  };
  Real near = 10, far = 1;
  for (int k = 0; k < 6; ++k) {
    const Network net = random_network(random, 4 + 2 * k, k % 2 == 1, k % 3 == 0);
    const ContactNetwork network(net.grains, net.contacts, net.walls);
    const Eigen::MatrixXd a = dense(net, false), b = dense(net, true);
    const Real stiffness = largest(a), damping = largest(b);
    for (const Rule& rule :
         {Rule{"velocity_verlet_predicted", 1}, {"central_difference", 0.5}, {"velocity_verlet_extrapolated", 2}}) {
      INFO("network ", k, ", ", rule.scheme);
      const SchemeEntry& scheme = scheme_named(rule.scheme);
      const Real stated = scheme.region->step(stiffness, damping);
      Real low = 0, high = 10 * stated;
      while (high - low > 1e-9 * stated) {
        const Real h = 0.5 * (low + high);
        (largest(h * h / 4 * a + rule.share * h * b) < 1 ? low : high) = h;
      }
      LinearisedMap map(scheme.toy, network);
      CHECK(map.limit(stated) == doctest::Approx(low).epsilon(1e-3));
      CHECK(!map.spectral_radius(0.95 * stated).grows);
      CHECK(map.spectral_radius(1.1 * low).grows);
      near = std::min(near, low / stated), far = std::max(far, low / stated);
    }
  }
  MESSAGE("the maps' limits are ", near, " to ", far, " times the rectangle's");
  CHECK(near > 1 - 1e-6);
  CHECK(far < 1.5);
}

// Loaded walls are bodies, too; the dense matrix has them after the grains.
TEST_CASE("the Lanczos method finds the largest eigenvalues of dense matrices, and no more than its residual beside") {
  std::mt19937 random(2);
  Real worst = 0;
  for (int k = 0; k < 100; ++k) {
    const Network net = random_network(random, 2 + k % 15, k % 2 == 1, k % 3 == 0);
    if (net.contacts.empty()) continue;
    const ContactNetwork network(net.grains, net.contacts, net.walls);
    const Eigen::MatrixXd a = dense(net, false), b = dense(net, true);
    for (const auto& [stiffness, damping] : {std::pair{1.0, 0.0}, {0.0, 1.0}, {0.7, 2.0}}) {
      INFO("network ", k, ", ", stiffness, " K + ", damping, " C");
      const Real exact = largest(stiffness * a + damping * b);
      const LargestEigenvalue most = largest_eigenvalue(network, stiffness, damping);
      CHECK(most.value <= exact * (1 + 1e-12));
      CHECK(most.value + most.residual >= exact * (1 - 1e-12));
      CHECK(most.residual <= 1e-3 * most.value);
      worst = std::max(worst, 1 - most.value / exact);
      const RayleighQuotients of = rayleigh_quotients(network, most.mode);
      CHECK(stiffness * of.stiffness + damping * of.damping == doctest::Approx(most.value));
    }
  }
  MESSAGE("eigenvalues are short by at most ", worst);
  CHECK(worst < 1e-4);
}

TEST_CASE("the Lanczos method has the same bits on any threads, and for contacts in any order") {
  std::mt19937 random(3);
  Network net = random_network(random, 3000, true);
  const LargestEigenvalue one = largest_eigenvalue({net.grains, net.contacts}, 1, 0);
  std::shuffle(net.contacts.begin(), net.contacts.end(), random);
  const LargestEigenvalue more = largest_eigenvalue({net.grains, net.contacts, {}, 3}, 1, 0);
  CHECK(one.value == more.value);
  CHECK(one.mode.back().x == more.mode.back().x);
}

TEST_CASE("bounds of a network: two equal spheres have the closed eigenvalues") {
  Network net;
  for (int i = 0; i < 2; ++i) {
    Particles& g = net.grains;
    g.id.push_back(i), g.radius.push_back(1), g.mass.push_back(1), g.inverse_mass.push_back(1);
    g.inverse_inertia.push_back(2.5), g.material.push_back(0), g.image.push_back({});
  }
  LiveContact c;
  c.ids = {0, 1}, c.i = 0, c.j = 1, c.n = {0, 0, 1}, c.lever_i = c.lever_j = 1, c.rolling_lever = 0.5;
  c.of.stiffness = {.normal = 1, .tangential = 0.5}, c.of.damping = {.normal = 3, .tangential = 0.1};
  net.contacts.push_back(c);
  const NetworkRates most = upper_bounds(net);
  CHECK(most.stiffness == doctest::Approx(7 * 0.5));  // 7/2 k_t / m_eff
  CHECK(most.damping == doctest::Approx(2 * 3.0));    // gamma / m_eff
  const ContactNetwork network(net.grains, net.contacts);
  CHECK(largest_eigenvalue(network, 1, 0).value == doctest::Approx(3.5).epsilon(1e-6));
  CHECK(largest_eigenvalue(network, 0, 1).value == doctest::Approx(6).epsilon(1e-6));
}

// The bound of two grains that press head on is k / m_eff itself, so rounding alone decides.
TEST_CASE("bounds of a network: rounding does not bring them below the eigenvalue") {
  for (int k = 1; k <= 500; ++k) {
    Network net;
    Particles& g = net.grains;
    for (const Real mass : {1 + 0.1 * k, 3 / (0.7 + k)}) {
      g.id.push_back(g.size()), g.radius.push_back(1), g.mass.push_back(mass), g.inverse_mass.push_back(1 / mass);
      g.inverse_inertia.push_back(0), g.material.push_back(0), g.image.push_back({});
    }
    LiveContact c;
    c.ids = {0, 1}, c.i = 0, c.j = 1, c.n = {0, 0, 1};
    c.of.stiffness.normal = 0.3 + k / 7.0, c.of.damping.normal = 0.1 * k;
    net.contacts.push_back(c);
    using Long = long double;
    const Long inverse = Long(g.inverse_mass[0]) + Long(g.inverse_mass[1]);
    const NetworkRates most = upper_bounds(net);
    REQUIRE(Long(most.stiffness) >= Long(c.of.stiffness.normal) * inverse);
    REQUIRE(Long(most.damping) >= Long(c.of.damping.normal) * inverse);
    REQUIRE(most.stiffness <= static_cast<Real>(Long(c.of.stiffness.normal) * inverse) * (1 + 1e-13));
  }
}

// 400 small grains on a large one at 1:20: the plain row sums see 400 contacts, where lambda is about 1.05.
TEST_CASE("bounds of a network: many small grains on a large one do not add up") {
  Network net;
  Particles& g = net.grains;
  const auto grain = [&](Real r) {
    g.id.push_back(g.size()), g.radius.push_back(r), g.mass.push_back(r * r * r),
        g.inverse_mass.push_back(1 / (r * r * r));
    g.inverse_inertia.push_back(0), g.material.push_back(0), g.image.push_back({});
  };
  grain(20);
  for (int k = 1; k <= 400; ++k) {
    grain(1);
    LiveContact c;
    c.ids = {0, k}, c.i = 0, c.j = k, c.n = {0, 0, 1};
    c.of.stiffness.normal = 1;
    net.contacts.push_back(c);
  }
  CHECK(upper_bounds(net).stiffness == doctest::Approx(2));
}

TEST_CASE("the step on a rectangle of stiffness and damping is that of the closed rules") {
  const auto closed = [](Real a, Real b, Real share) {  // the h with h^2 a / 4 + share h b = 1
    return 2 / (share * b + std::sqrt(share * share * b * b + a));
  };
  struct Rule {
    const char* scheme;
    Real share;
  };
  for (const Rule& rule : {Rule{"velocity_verlet_predicted", 1},
                           {"velocity_verlet", 0.5},
                           {"central_difference", 0.5},
                           {"velocity_verlet_implicit", 0}}) {
    INFO(rule.scheme);
    const StableRegion& region = *scheme_named(rule.scheme).region;
    for (const Real stiffness : {1.0, 1e6, 3e10})
      for (const Real zeta : {0.0, 0.003, 0.1, 0.6, 2.0, 17.0, 90.0}) {
        INFO("stiffness ", stiffness, ", zeta ", zeta);
        const Real damping = 2 * zeta * std::sqrt(stiffness);
        CHECK(region.step(stiffness, damping) == doctest::Approx(closed(stiffness, damping, rule.share)).epsilon(1e-6));
      }
  }
  CHECK(scheme_named("velocity_verlet").region->step(0, 5) == doctest::Approx(2.0 / 5).epsilon(1e-4));
  CHECK(std::isinf(scheme_named("backward_euler").region->step(1e6, 1e3)));
  // Of a scheme whose limit is not monotonic the least over all smaller zeta counts: no more than 2 sqrt(2) for rk4.
  CHECK(scheme_named("rk4").region->step(1, 0.2) == doctest::Approx(std::sqrt(8.0)).epsilon(1e-6));
}

// An oscillator for each point of the rectangle: below the step none grows, above it one does.
TEST_CASE("the step on a rectangle is the first at which an oscillator inside it grows") {
  for (const char* name : {"rk4", "velocity_verlet_predicted", "forest_ruth", "verlet"}) {
    INFO(name);
    const SchemeEntry& scheme = scheme_named(name);
    for (const Real damping : {0.1, 0.8, 3.0}) {
      const Real h = scheme.region->step(1, damping);
      bool grows_below = false, grows_above = false;
      for (int i = 1; i <= 20; ++i)
        for (int j = 0; j <= 20; ++j) {
          const Real omega = std::sqrt(i / 20.0), zeta = j / 20.0 * damping / (2 * omega);
          grows_below = grows_below || scheme.spectral_radius(0.99 * h * omega, zeta) > 1 + 1e-8;
          grows_above = grows_above || scheme.spectral_radius(1.02 * h * omega, zeta) > 1 + 1e-8;
        }
      CHECK(!grows_below);
      CHECK(grows_above);
    }
  }
}

TEST_CASE("limits that are small because damping is strong are limits") {
  for (const Real z : {0.01, 0.1, 1.0, 10.0, 30.0, 100.0}) {
    INFO("zeta ", z);
    const auto check = [&](const char* name, Real limit) {
      INFO(name);
      CHECK(scheme_named(name).stability(z) == doctest::Approx(limit).epsilon(1e-6));
    };
    const Real lagging = 2 / (std::sqrt(1 + z * z) + z);
    check("velocity_verlet", lagging), check("central_difference", lagging);
    check("velocity_verlet_predicted", 2 / (std::sqrt(1 + 4 * z * z) + 2 * z));
    check("velocity_verlet_implicit", 2);
  }
  // On the real axis, h c / m up to 2.7853 with the root of a fast decay: the limit of R(z) of order 4.
  CHECK(200 * scheme_named("rk4").stability(100) == doctest::Approx(2.785294).epsilon(1e-4));
}

}  // namespace cairn
