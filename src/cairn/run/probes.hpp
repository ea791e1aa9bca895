// Looks at regions and planes during a run: what grains do there, over time. Probes change nothing.
//
// Grains with their centres in the region are its number, velocity, temperature, coordination and kinetic stress;
// grains that are partly inside count in the packing fraction by that part, and contacts in the contact stress by the
// part of the line from centre to centre, or from centre to wall, that is inside. A plane counts the grains whose
// centres pass.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cairn/core/constants.hpp"
#include "cairn/core/parameter_fault.hpp"
#include "cairn/core/symmetric.hpp"
#include "cairn/geometry/overlap.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

// Where a region reaches beyond the periodic cell, or a plane stands outside.
std::optional<ParameterFault> probe_fault(const ProbeSpec& spec, int dimension, const PeriodicCell& cell);

// A row; NaN where a quantity does not exist: of a plane, of no grains.
struct ProbeRow {
  Real time = 0;  // [s]
  std::string name;
  std::optional<std::int64_t> number;  // of grains
  Real packing_fraction = nan;         // [-]
  Vector velocity{nan, nan, nan};      // [m/s] mean, by mass
  Real temperature = nan;              // [m^2/s^2] sum m |v - mean|^2 / (D sum m)
  Real coordination = nan;             // [-] mean number of contacts of a grain, one with a wall counts once
  SymmetricTensor contact_stress, kinetic_stress;       // [Pa], in 2D [N/m], in 1D [N]; positive in compression
  std::optional<std::int64_t> passed;                   // grains so far, along the normal less against it
  Real passed_mass = nan, flow = nan, mass_flow = nan;  // [kg] so far; [1/s] [kg/s] on average since the row before
};

class Probes {
 public:
  // Error(bad_input) where a probe has a fault.
  Probes(const Scenario& scenario, const PeriodicCell& cell);

  std::size_t size() const { return all_.size(); }
  // About every step, between which grains neither come nor go: where there are planes, every rank looks at its own
  // grains.
  void before_step(const World& world);
  void after_step(const World& world);
  // Rank 0 counts what all ranks have seen pass. Every rank calls it, or is told to answer.
  void collect(const Domain& domain);

  // A row of each probe that is due now, by due() or at the start, in their order; velocities at the time of positions.
  void restored();  // after loading: none is due
  void due(std::size_t probe) { all_[probe].due = true; }
  std::vector<ProbeRow> take(const World& world);
  struct Due {
    int first = 0;           // of 64 probes,
    std::uint64_t bits = 0;  // of which these are due
  };
  // The other ranks answer take() and count_all(), by which rank 0 gets the grains that all have seen pass.
  void answer(const World& world, const Due& due);
  void count_all(const World& world);

  template <class Archive>
  void for_each_saved(Archive&& a) {
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const std::string name = "probe" + std::to_string(k);
      a.value(name + ".passed", all_[k].passed);
      a.value(name + ".last", all_[k].last);
    }
  }

 private:
  struct Passed {
    std::int64_t grains = 0;
    Real mass = 0;  // [kg]
    Real time = 0;  // [s]
  };
  struct Plane {
    Vector point, normal;  // [m] unit
    Real radius;           // [m] of the disc; 0: without an end
  };
  using Shape = std::variant<BoxRegion, CylinderRegion, Plane>;
  struct Probe {
    std::string name;
    Shape shape;
    bool due = true;
    Passed passed, last;  // so far, and at the row before
  };
  struct Seen;  // the state, found once for all probes that are due

  // Where a grain was before the present step.
  struct Start {
    std::int64_t id;
    Vector x;                  // [m] within the cell
    std::array<int, 3> image;  // as Particles::image
  };
  struct Passing {
    std::int64_t step, id;
    int probe, way;
    Real mass;  // [kg]
  };

  void find_starts(const World& world);
  int way_through(const Plane& plane, const Start& start, const World& world, int grain) const;
  int passes(const Plane& plane, const Vector& from, const Vector& to) const;
  void count_passed();
  template <class Region>
  ProbeRow look(const Region& region, const Seen& seen) const;
  ProbeRow plane_row(Probe& probe, Real time) const;
  template <class Take>
  void look_at(const World& world, const Due& due, Take&& take);

  int dimension_;
  PeriodicCell cell_;
  bool planes_ = false;
  std::vector<Probe> all_;
  std::vector<Start> starts_;     // of the present step; of this rank's own grains, in their order
  std::vector<Passing> passing_;  // not counted yet
};

}  // namespace cairn
