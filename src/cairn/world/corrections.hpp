// Corrections of contacts that began or ended (contact/kernels/onset.hpp), made in the order that keeps results the
// same: those that share a grain one after the other by ids, others at the same time.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "cairn/contact/kernels/onset.hpp"
#include "cairn/world/event_parts.hpp"
#include "cairn/world/grain_numbers.hpp"
#include "cairn/world/shared_corrections.hpp"

namespace cairn {

// Corrections, and how they have moved bodies.
struct Corrections {
  struct Moved {
    int grain;
    Vector x, v, w;  // [m] [m/s] [rad/s]; first where it was
    // Once all corrections are made, and the present state is `body`.
    void compare(const BodyRows& body) {
      x = body.at(BodyRow::x, grain) - x, v = body.at(BodyRow::v, grain) - v, w = body.at(BodyRow::w, grain) - w;
    }
  };
  std::vector<int> slots;  // of contacts that are corrected
  std::vector<Moved> moved;
  std::vector<Vector> walls;  // [m/s] loaded ones
};

// Corrects those of these contacts that need it. `shared` where ranks share grains, else null. `pass` as far as it does
// not follow from the parts. The caller compares who has moved.
Corrections correct(const EventParts& w, std::span<const int> slots, SharedCorrections* shared, OnsetPass pass,
                    GrainNumbers& numbers, Findings& found);

}  // namespace cairn
