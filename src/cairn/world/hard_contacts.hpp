// The hard contacts of a World: who touches whom, the impulses of a step, and what they leave of overlaps. The solvers
// (hard/) know plain bodies and contacts alone; here grains and walls become such. Contacts are visited in the order of
// ids by one thread, so that results do not depend on threads or lists.
#pragma once
#include <cstdint>
#include <memory>

#include "cairn/world/contact_scene.hpp"
#include "cairn/world/states.hpp"

namespace cairn {

class HardContacts {
 public:
  HardContacts();
  HardContacts(HardContacts&&) noexcept;
  HardContacts& operator=(HardContacts&&) noexcept;
  ~HardContacts();

  // The parts of a World that impulses concern.
  struct Parts {
    const WorldSettings& settings;
    const ContactScene& scene;
    SlotFields& slots;
    States& states;
  };
  // A step of h [s] that has been kicked for `kicked` [s].
  struct Step {
    Real h = 0, kicked = 0;
    Real tolerance = 0;  // [-] of the solver
  };
  // [m] The gap up to which bodies may meet before the next impulses; 0 with laws that wait for an overlap.
  static Real ahead(const ContactScene& scene, const State& y, Real h);
  // Changes velocities, positions and ledger of the present state, and the mean forces of the slots.
  void resolve(const Parts& w, const Step& step);

  // Of the last step.
  int sweeps() const { return sweeps_; }                   // of the solver over the contacts
  Real residual() const { return residual_; }              // [m/s] root mean square of the violations left at contacts
  bool converged() const { return converged_; }            // the residual is within the tolerance
  Real farthest_shift() const { return farthest_shift_; }  // [m] of a grain by projection

  // Contacts that took an impulse and had none in the step before, so far.
  struct Collisions {
    std::int64_t grains = 0, walls = 0;  // between grains, of grains with walls
  };
  const Collisions& collisions() const { return collisions_; }

  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.value("collisions", collisions_);
    a.value("sweeps", sweeps_), a.value("solver_residual", residual_);
  }

 private:
  struct Workspace;
  void project(const Parts& w);
  void write_back(const Parts& w, const Step& step);

  std::unique_ptr<Workspace> work_;
  int sweeps_ = 0;
  Real residual_ = 0, farthest_shift_ = 0;
  bool converged_ = true;
  Collisions collisions_;
};

}  // namespace cairn
