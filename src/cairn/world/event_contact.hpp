// A contact that begins or ends in a step, or whose force begins or stops to pull.
#pragma once
#include <array>

#include "cairn/core/vec3.hpp"

namespace cairn {

enum class EventKind : unsigned char {
  begun,   // before the last force of the step, and corrected then if it needs it
  begins,  // and is not corrected yet
  ends,    // it pressed; without corrections of onsets also one that begins
  clipped  // it was: now it presses, or is open
};

struct EventContact {
  int slot;
  int number = 0;               // of one that has begun, in the order of their groups
  const Real* row = nullptr;    // its force and torque (contact/kernels/pair.hpp), where they are known
  std::array<int, 2> grains{};  // -1: a wall
  EventKind kind = EventKind::begins;
  std::array<bool, 2> alone{true, true};  // whether each has this one of all events alone
};

}  // namespace cairn
