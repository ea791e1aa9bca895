// The parts of a World whose contacts begin and end.
#pragma once
#include <cstdint>

#include "cairn/world/contact_forces.hpp"

namespace cairn {

struct EventParts {
  const WorldSettings& settings;
  Bodies& bodies;
  ContactList& list;
  States& states;
  ContactForces& forces;
  Domain& domain;
  std::int64_t step;  // steps done

  ContactScene scene() const { return {settings, bodies.grains(), list.neighbours(), list.slots(), domain}; }
};

}  // namespace cairn
