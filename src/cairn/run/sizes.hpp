// Radii at random: a cumulative distribution by number, turned round. Tabulated once with + - * / and sqrt alone
// (core/elementary.hpp), so the same bits from every compiler.
#pragma once
#include <optional>
#include <vector>

#include "cairn/run/scenario.hpp"

namespace cairn {

class Sizes {
 public:
  // Uniform in radius (1 +- spread), or as `spec` says. Error(Exit::bad_input, "sizes.KEY: ...") where that is no
  // distribution.
  Sizes(Real radius, Real spread, const std::optional<SizeSpec>& spec);

  Real radius(Real u) const;  // [m] for u uniform in [0, 1)
  Real smallest() const;      // [m]
  Real largest() const;       // [m]

 private:
  // Radii from `low` to `high`, of constant density by number or by mass; equal: that one radius.
  struct Part {
    Real low, high;  // [m]
    Real until;      // sum of the weights of this part and those before, by number
  };

  void add(Real low, Real high, Real share);
  // Cuts a density in z, between two bounds, into parts; radius_at(z) ascends.
  template <class RadiusAt>
  void tabulate_normal(Real low, Real high, RadiusAt&& radius_at);

  Real radius_, spread_;
  bool by_mass_ = false;
  std::vector<Part> parts_;  // empty: uniform
};

}  // namespace cairn
