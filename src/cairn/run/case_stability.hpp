// How far the step of a case may go with each scheme, on the contacts that exist, or on those foretold.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "cairn/run/network_limits.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {

struct SchemeOnNetwork {
  std::string scheme;
  int force_evaluations = 0;  // per step
  // [s] on the present contacts: stable up to it; certain with one force evaluation, otherwise a forecast. 0: weakly
  // unstable, infinite: no limit. Without contacts 0, too.
  Real limit = 0;
  // [s] on the first touch of two grains, and on impacts and packings to come; 0: not limited.
  Real first_touch = 0, packed = 0;
  // By the scheme's own map, where it is asked for: [s]; [-] growth() in steps of 0.95 limit and of 1.1 map_limit.
  Real map_limit = 0, growth_below = 0, growth_above = 0;
};

// A step by a rule of thumb [s], which knows neither the dashpots nor the network nor the scheme.
struct RuleOfThumb {
  std::string name, formula;
  Real seconds;
};

struct CaseStability {
  int grains = 0, contacts = 0;
  Real time = 0, step = 0;  // [s]
  std::string scheme;       // in use
  NetworkRates bound;
  SharpRates rates;
  struct Words {
    std::string body, contact, formula;
  };
  Words stiffest, most_damped;
  std::vector<SchemeOnNetwork> schemes;
  std::vector<RuleOfThumb> folklore;
};

// Of a simulation that has started. `mapped`: by the schemes' own maps, too.
CaseStability case_stability(const Simulation& simulation, const std::vector<const SchemeEntry*>& schemes, bool mapped);

}  // namespace cairn
