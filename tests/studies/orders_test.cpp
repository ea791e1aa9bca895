// cairn study orders: what it measures, and what it leaves.
#include "cairn/studies/orders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace cairn::studies {
namespace {

using Verdict = Convergence::Verdict;

// Errors of a made-up scheme: c h^p (1 + b h), and noise.
Convergence made(Real p, Real b, Real floor, Real noise = 0) {
  return converge([&](int n) { return 0.1 * std::pow(1.0 / n, p) * (1 + b / n) + noise; }, 1, floor, 4096);
}

TEST_CASE("convergence: the slope is that of the smallest errors above the floor") {
  for (const int p : {1, 2, 3, 4, 5, 6, 8, 10, 12}) {
    const Convergence c = made(p, 0.1, 1e-12);
    INFO("order ", p, ": ", c.order, " at ", c.points[c.last - 1].steps, " steps");
    CHECK(c.order == doctest::Approx(p).epsilon(0.01));
    CHECK(c.verdict(p) == Verdict::agrees);
    const bool few = c.points[c.last - 1].steps <= 16;  // too few to contradict anybody
    CHECK(few == (p > 8));
    CHECK(c.verdict(p + 1) == (few ? Verdict::unsettled : Verdict::lower));
    CHECK(c.verdict(p - 1) == (few ? Verdict::unsettled : Verdict::higher));
    CHECK(c.points.size() <= 28);  // up to 4096
  }
}

TEST_CASE("convergence: a slope on its way is followed to its limit, one that is not on its way is not") {
  const Convergence c = made(5, 6, 1e-10);  // the next term is still felt at the finest steps
  CHECK(std::fabs(c.order - 5) > 0.1);
  CHECK(std::fabs(c.limit - 5) < 0.1);
  CHECK(c.verdict(5) == Verdict::approaches);
  CHECK(c.verdict(4) != Verdict::approaches);
  // Where the scheme does not converge to the reference, the slope says so.
  CHECK(made(4, 0, 1e-12, 1e-6).verdict(4) == Verdict::lower);
  // Round-off within a few steps leaves no slope; a run too short for the floor leaves none either.
  CHECK(std::isnan(made(40, 0, 1e-12).order));
  CHECK(made(40, 0, 1e-12).verdict(40) == Verdict::exact);
  CHECK(converge([](int) { return std::nan(""); }, 1, 1e-12, 100).verdict(4) == Verdict::unknown);
  // A slope that still moves contradicts nothing.
  const auto restless = [](int n) { return std::pow(n, -8.0) * (1.5 + std::cos(2.0 * n)); };
  CHECK(converge(restless, 1, 1e-9, 4096).verdict(8) == Verdict::unsettled);
}

OrdersSettings quick_of(const std::string& names) {
  OrdersSettings settings = OrdersSettings::quick();
  settings.schemes = select_schemes(names);
  return settings;
}

TEST_CASE("orders: the slopes are those claimed, and the schemes those asked for") {
  const OrdersResult r = study_orders(quick_of("rk4,velocity_verlet, symplectic_euler"));
  REQUIRE(r.cases.size() == 9);
  REQUIRE(r.entries.size() == 27);
  for (const auto& e : r.entries) {
    INFO(std::string(e.scheme->claims.name), " on ", r.cases[e.in].name, ": ", e.found.order);
    CHECK(e.found.verdict(e.claimed) == Verdict::agrees);
    // The errors are falling, and those of the slope above what the reference leaves open.
    CHECK(e.found.points.back().error < 1e-2);
    CHECK(e.found.points[e.found.last - 1].error > r.cases[e.in].floor);
  }
  // That of order 1 halves its error with the step.
  const auto euler = std::find_if(r.entries.begin(), r.entries.end(),
                                  [](const auto& e) { return e.scheme->claims.name == "symplectic_euler"; });
  REQUIRE(euler != r.entries.end());
  const auto& p = euler->found.points;
  REQUIRE(p[p.size() - 1].steps == 2 * p[p.size() - 3].steps);
  CHECK(p[p.size() - 3].error / p[p.size() - 1].error == doctest::Approx(2).epsilon(0.05));
}

TEST_CASE("schemes: names in lists, and unknown ones") {
  CHECK(select_schemes("").size() == scheme_catalogue().size());
  CHECK(select_schemes("rk4,rk4").size() == 1);
  try {
    select_schemes("rk4,rk5");
    FAIL_CHECK("no error");
  } catch (const Error& e) {
    const std::string what = e.what();
    CHECK(what.find("'rk5'") != what.npos);
  }
}

TEST_CASE("schemes: figures hold few, and every one once") {
  for (const std::size_t most : {1u, 2u, 3u, 8u}) {
    Selection seen;
    for (const Family& f : by_family(select_schemes(""), most)) {
      CHECK(f.schemes.size() <= most);
      CHECK(!f.schemes.empty());
      seen.insert(seen.end(), f.schemes.begin(), f.schemes.end());
    }
    std::sort(seen.begin(), seen.end());
    CHECK(std::unique(seen.begin(), seen.end()) == seen.end());
    CHECK(seen.size() == scheme_catalogue().size());
  }
}

}  // namespace
}  // namespace cairn::studies
