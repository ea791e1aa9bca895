// The motions of one body on which every scheme's orders are measured: each is smooth and asks one claim.
#pragma once
#include <array>
#include <string_view>

#include "cairn/analysis/convergence.hpp"
#include "cairn/analysis/toys/one_body.hpp"
#include "cairn/integrate/claims.hpp"

namespace cairn::toys {

constexpr Real any_error = 1e300;  // a tolerance that makes adaptive schemes take every step they are asked for
constexpr Real no_error = 1e-15;   // and one that makes implicit schemes solve to round-off: the order is the method's

struct ToyResult {
  BodyMotion<Real> body;
  Vector spring{};
};

// Positions and velocities of one instant, after steps of h [s] of a scheme that may stagger them.
BodyMotion<Real> synchronised(Toy& toy, bool staggered, Real h);

// The largest difference of a coordinate; the toys' are all of order one.
Real distance(const ToyResult& a, const ToyResult& b);

struct Case {
  std::string_view name, words;
  int Claims::*claimed;  // the order asked for
  MotionLaw law;
  BodyMotion<Real> start;
  Vector spring;
  Real end;  // [s]
  Reference<ToyResult> exact{};

  ToyResult run(const ToyScheme& scheme, int count) const;
  Convergence convergence(const ToyScheme& scheme, int most_steps) const;
};

// Without their exact results.
Case conservative_case();
Case damped_case();
Case spring_case();
Case sliding_case();

// With their exact results.
struct Cases {
  Case conservative, damped, spring, sliding;

  std::array<const Case*, 4> all() const { return {&conservative, &damped, &spring, &sliding}; }
};
const Cases& cases();

}  // namespace cairn::toys
