#include "cairn/run/case_stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/analysis/linearised_map.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/core/text.hpp"
#include "cairn/run/contact_summary.hpp"
#include "cairn/run/step_guard.hpp"

namespace cairn {
namespace {

// What the eigenvalue is made of: the rates of the limiting contact over the masses of its grains.
std::string formula_in_words(const World& world, const ContactNetwork& network, const ContactNetwork::Place& place,
                             bool damping) {
  if (place.contact < 0) return "";
  const LiveContact& c = network.contacts()[place.contact];
  const ContactRates& r = damping ? c.of.damping : c.of.stiffness;
  const char* const unit = damping ? " N s/m" : " N/m";
  const char* const name = damping ? "c" : "k";
  std::string words = std::string(name) + "_n = " + brief(r.normal) + unit;
  if (r.tangential > 0) words += std::string(", ") + name + "_t = " + brief(r.tangential) + unit;
  words += ", m = " + brief(world.grains().mass[c.i]) + " kg";
  if (c.j >= 0) words += " and " + brief(world.grains().mass[c.j]) + " kg";
  const Real inverse = world.grains().inverse_mass[c.i] + (c.j >= 0 ? world.grains().inverse_mass[c.j] : 0);
  return words + "; alone " + name + "_n/m_eff = " + brief(r.normal * inverse) + (damping ? " 1/s" : " 1/s^2");
}

std::vector<RuleOfThumb> folklore(const Simulation& simulation, Real stiffest) {
  std::vector<RuleOfThumb> rules;
  const World& world = simulation.world();
  const Scenario& s = simulation.scenario();
  const std::vector<GrainData> expected = simulation.emitters().lightest();
  std::vector<std::array<Real, 2>> lightest(s.materials.size(), {0, 0});  // mass, radius of the smallest grain
  Real mass = 0;
  const auto record = [&](int material, Real m, Real r) {
    if (auto& [least, radius] = lightest[material]; !(least > 0) || m < least) least = m, radius = r;
    if (!(mass > 0) || m < mass) mass = m;
  };
  for (int i = 0; i < world.size(); ++i)
    record(world.grains().material[i], world.grains().mass[i], world.grains().radius[i]);
  for (const GrainData& g : expected) record(g.material, g.mass, g.radius);
  Real rayleigh = 0, hertz = 0;
  for (std::size_t k = 0; k < lightest.size(); ++k) {
    const Material& of = s.materials[k];
    const auto& [m, r] = lightest[k];
    if (!(of.young > 0) || !(m > 0)) continue;
    const Real shear = of.young / (2 * (1 + of.poisson)), young = of.young / (2 * (1 - of.poisson * of.poisson));
    const Real surface = pi * r * std::sqrt(of.density / shear) / (0.1631 * of.poisson + 0.8766);
    const Real collision = 2.868 * std::pow(0.25 * m * m / (0.5 * r * young * young), 0.2);
    if (!(rayleigh > 0) || surface < rayleigh) rayleigh = surface;
    if (!(hertz > 0) || collision < hertz) hertz = collision;
  }
  if (rayleigh > 0) rules.push_back({"Rayleigh time", "pi R sqrt(rho/G) / (0.1631 nu + 0.8766)", rayleigh});
  if (hertz > 0) rules.push_back({"Hertz time at 1 m/s", "2.868 (m_eff^2 / (R_eff E_eff^2 v))^(1/5)", hertz});
  if (stiffest > 0 && mass > 0)
    rules.push_back({"sqrt(m/k)", "lightest grain, stiffest normal spring", std::sqrt(mass / stiffest)});
  Real collision = 0;
  for (const ContactSummary& c : contact_summary(world, s, expected).shortest)
    if (c.duration > 0 && (!(collision > 0) || c.duration < collision)) collision = c.duration;
  for (const int n : {10, 20, 50})
    if (collision > 0)
      rules.push_back({"collision time / " + std::to_string(n), "shortest collision at 1 m/s", collision / n});
  return rules;
}

}  // namespace

CaseStability case_stability(const Simulation& simulation, const std::vector<const SchemeEntry*>& schemes,
                             bool mapped) {
  constexpr Real precision = 1e-7;
  const World& world = simulation.world();
  const Scenario& s = simulation.scenario();
  const ContactNetwork network = network_of(world);
  CaseStability of{.grains = world.size(),
                   .contacts = static_cast<int>(network.contacts().size()),
                   .time = world.time(),
                   .step = s.step,
                   .scheme = simulation.scheme().name,
                   .bound = network_bound(world),
                   .rates = sharp_rates(network, precision),
                   .stiffest = {},
                   .most_damped = {},
                   .schemes = {},
                   .folklore = {}};
  const auto words = [&](const SharpRate& rate, bool damping) {
    if (!(rate.value > 0)) return CaseStability::Words{};
    return CaseStability::Words{body_in_words(s, world, network, rate.place),
                                contact_in_words(s, world, network, rate.place),
                                formula_in_words(world, network, rate.place, damping)};
  };
  of.stiffest = words(of.rates.stiffness, false), of.most_damped = words(of.rates.damping, true);
  const std::vector<GrainData> expected = simulation.emitters().lightest();
  Real stiffest = 0;
  for (const PairInContact& p : world.pairs_in_contact({}, expected))
    stiffest = std::max(stiffest, p.of.stiffness.normal);
  for (const LiveContact& c : network.contacts()) stiffest = std::max(stiffest, c.of.stiffness.normal);
  for (const SchemeEntry* scheme : schemes) {
    SchemeOnNetwork row{.scheme = scheme->name, .force_evaluations = scheme->claims.force_evaluations};
    const StepGuard guard(*scheme);
    row.first_touch = guard.first_touch(s, world, expected).limit, row.packed = guard.packed(s, world, expected).limit;
    if (of.contacts > 0) row.limit = scheme->region->step(of.rates.stiffness.value, of.rates.damping.value);
    if (mapped && row.limit > 0 && std::isfinite(row.limit)) {
      LinearisedMap map(scheme->toy, network);
      row.map_limit = map.limit(row.limit);
      row.growth_below = map.growth(0.95 * row.limit);
      if (std::isfinite(row.map_limit)) row.growth_above = map.growth(1.1 * row.map_limit);
    }
    of.schemes.push_back(row);
  }
  of.folklore = folklore(simulation, stiffest);
  return of;
}

}  // namespace cairn
