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
  bool staggered;                  // velocities stand half a step behind
  int memory;                      // steps it remembers
  bool past_positions = false;     // Verlet's: it remembers a position, and prints the mean velocity of two steps
  bool positions_between = false;  // position Verlet's: its positions are printed in the middle of steps
};

// How the engine comes upon a contact that began within a step, and how it leaves it.
enum class Onset {
  sampled,     // as the benchmark defines it: in uniform motion up to the first sample in contact, where the scheme
               // starts; the force may pull
  simulated,   // as in a simulation: stages and closing kicks of the step before that sample feel the contact already,
               // and no force pulls
  corrected,   // the same, and the engine corrects both ends (docs/onset.md)
  remembered,  // as sampled, but schemes remember the uniform motion, and positions are sampled at whole steps
};

// One impact in steps of h = t_f / n. Refers to the impact it is given.
class ImpactRun {
 public:
  // From the first instant of contact; the force may pull. Multistep schemes start by rk4, Gear's from exact
  // derivatives. Velocities half a step behind are v0 half a step before, and are read where they stand; Verlet's
  // method starts by rk4, and its velocity is read as printed, (x_n - x_{n-2}) / 2h.
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
  void begin_at(Real height);
  void start_from_positions();

  const Impact& impact_;
  ImpactScheme scheme_;
  Real h_, vx_, vy_;  // [s] [m/s] of the engine's impact, vy into the plane
  World world_;
  bool reads_printed_ = false;    // the velocity of Verlet's method
  bool starts_ = false;           // its first step is to come
  bool samples_between_ = false;  // the position half a step before the end of a step
  Vector velocity_, spin_;        // at the end of a step, as they are read
};

// After exactly n steps, wherever they ended.
ImpactOutcome run_aligned(const Impact& impact, const ImpactScheme& scheme, int n);
// At the first step end where it is over.
ImpactOutcome run_phased(const Impact& impact, const ImpactScheme& scheme, int n, Real phase, Onset onset);

// [-] |found - exact| / |exact| of each outcome.
ImpactOutcome relative_error(const ImpactOutcome& found, const ImpactOutcome& exact);

}  // namespace cairn
