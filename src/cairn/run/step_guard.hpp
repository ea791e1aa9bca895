// Whether the step in use is stable on the contacts there are, dashpots included (docs/step.md, docs/decisions/0017).
// It looks and says; what follows from that is decided in guards.hpp.
#pragma once
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cairn/run/registry.hpp"
#include "cairn/run/scenario.hpp"

namespace cairn {

class StepGuard {
 public:
  struct Finding {
    Real limit = 0;  // [s] up to it the step is stable; 0: nothing limits it
    // [1/s^2] [1/s] from which the limit follows: the largest eigenvalues of M^-1 K and M^-1 C, or one contact's k/m
    // and c/m.
    Real stiffness = 0, damping = 0;
    std::string message, advice;  // empty: nothing against the step
    bool sure = false;            // it is unstable; else it may be
  };

  explicit StepGuard(const SchemeEntry& scheme) : scheme_(&scheme) {}

  // Steps, by number, after which it looks: the same on any machine, often as a bed forms, and then seldom, since a
  // look by the Lanczos method takes as long as a hundred steps. The guard of the residual stops what explodes between.
  static bool due(std::int64_t step) {
    const auto look = static_cast<std::uint64_t>(step / every);
    return step % every == 0 && (look % 8 == 0 || std::has_single_bit(look));
  }

  // One contact alone, of the lightest grains of each pair of materials, as it begins.
  Finding first_touch(const Scenario& s, const World& world, const std::vector<GrainData>& expected) const;
  // All contacts there are. Guaranteed bounds by rows come first. Where they do not clear the step, or if `sharp` and
  // there are not `many` contacts, the limit is that of the eigenvalues, by the Lanczos method, too low by half a
  // percent at most: on a million grains it takes half a minute and more memory than the run. Where ranks share the run
  // bounds are found by all of them, and `gather` is called before more is needed: this rank must then have all grains.
  Finding network(
      const Scenario& s, const World& world, bool sharp = true, const std::function<void()>& gather = [] {}) const;
  // Packed grains, which are yet to come: the limit is that of a bed pressed by what its grains weigh and carry.
  Finding packed(const Scenario& s, const World& world, const std::vector<GrainData>& expected) const;
  // [-] The damping ratio that steps of h [s] give the motion of the stiffest contact, on top of its dashpot's; 0: the
  // scheme has none, or chooses its steps.
  Real numerical_damping(const World& world, Real h, const std::vector<GrainData>& expected) const;

 private:
  static constexpr std::int64_t every = 4096;
  static constexpr int many = 50000;  // contacts
  bool limited() const;
  std::string without_dashpots(Real stiffness, Real limit) const;
  std::string advice(const Scenario& s, Real stiffness, Real damping, Real limit) const;

  const SchemeEntry* scheme_;
};

}  // namespace cairn
