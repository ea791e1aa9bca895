// The oblique impact (oblique_impact.hpp) through the engine: one sphere, one plane, the linear law, any scheme of
// fixed step.
//
// The engine's lever is the radius less the overlap, the benchmark's the radius. The linear law's motion is homogeneous
// of the first degree in velocity: so the impact runs with the contact of the real speed at a speed so small that the
// overlap is a millionth of the radius, and no outcome sees the lever. Round-off of positions is then 1e-9 of the
// overlap.
#pragma once
#include <functional>

#include "cairn/analysis/oblique_impact.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

struct Impact {
  ImpactMaterial material;
  ImpactVelocity velocity;
  ImpactContact contact;
  ImpactOutcome exact;

  Impact(const ImpactMaterial& material, ImpactVelocity velocity);
};

// What an impact asks of a scheme.
struct ImpactScheme {
  std::function<Real(World&, Real h)> advance;
  bool staggered;  // velocities stand half a step behind
  int memory;      // steps it remembers
};

// How the engine comes upon a contact that began within a step, and how it leaves it.
enum class Onset {
  sampled,    // as the benchmark defines it: in uniform motion up to the first sample in contact; the force may pull
  simulated,  // as in a simulation: stages and closing kicks of the step before that sample feel the contact already,
              // and no force pulls
  corrected   // the same, and the engine corrects both ends (docs/onset.md)
};

// One impact in steps of h = t_f / n. Refers to the impact it is given.
class ImpactRun {
 public:
  // From the first instant of contact; the force may pull. Velocities half a step behind are v0 half a step before it,
  // and are read where they stand.
  static ImpactRun aligned(const Impact& impact, const ImpactScheme& scheme, int n);
  // From the first sample in contact, `phase` of a step after the onset, 0 < phase <= 1; before it free flight.
  static ImpactRun phased(const Impact& impact, const ImpactScheme& scheme, int n, Real phase, Onset onset);

  void steps(int count);
  bool over() const;  // the contact would pull, and the sphere is on its way out
  ImpactOutcome outcome() const;
  const World& world() const { return world_; }

 private:
  ImpactRun(const Impact& impact, const ImpactScheme& scheme, int n, bool may_pull, bool corrected = false);
  void begin(Real height);
  void begin_after_flight(Real height);

  const Impact& impact_;
  ImpactScheme scheme_;
  Real h_, vx_, vy_;  // [s] [m/s] of the engine's impact, vy into the plane
  World world_;
};

// After exactly n steps, wherever they ended.
ImpactOutcome run_aligned(const Impact& impact, const ImpactScheme& scheme, int n);
// At the first step end where it is over.
ImpactOutcome run_phased(const Impact& impact, const ImpactScheme& scheme, int n, Real phase, Onset onset);

// [-] |found - exact| / |exact| of each outcome.
ImpactOutcome relative_error(const ImpactOutcome& found, const ImpactOutcome& exact);

}  // namespace cairn
