// The parameters of contacts that a scenario leaves to their defaults, so that no run hides them.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "cairn/run/scenario.hpp"

namespace cairn {

struct AssumedValue {
  Real value = 0;    // SI; of a choice the place of its word
  std::string text;  // "0 N s/m", "2/7", "clipped"
};

// Those of [contact], by name, in the order of the law. Parameters without effect are left out: the ratio of a
// tangential spring where nothing rubs, the damping of rolling where nothing resists it.
std::vector<std::pair<std::string, AssumedValue>> assumed_parameters(const Scenario& scenario);

// "restitution 1, friction 0"; empty where nothing is assumed.
std::string in_words(const std::vector<std::pair<std::string, AssumedValue>>& assumed);

template <class F>
void for_each_field(AssumedValue& a, F&& f) {
  f("value", a.value), f("text", a.text);
}

}  // namespace cairn
