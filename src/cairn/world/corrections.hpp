// Corrections of contacts that began or ended (contact/kernels/onset.hpp), made in the order that keeps results the
// same: those that share a grain one after the other by ids, others at the same time.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "cairn/contact/kernels/onset.hpp"
#include "cairn/world/event_contact.hpp"
#include "cairn/world/shared_corrections.hpp"

namespace cairn {

// Corrections, and how they have moved bodies.
struct Corrections {
  struct Moved {
    int grain = -1;  // -1: none
    Vector x, v, w;  // [m] [m/s] [rad/s]; first where it was
    bool has_grain() const { return grain >= 0; }
    // Once all corrections are made, and the present state is `body`.
    void compare(const BodyRows& body) {
      x = body.at(BodyRow::x, grain) - x, v = body.at(BodyRow::v, grain) - v, w = body.at(BodyRow::w, grain) - w;
    }
  };
  struct OfContact {
    bool made = false;           // it needed one
    std::array<Moved, 2> moved;  // its grains, but for one that stands with an earlier contact
  };
  std::span<OfContact> contacts;
  std::vector<Moved> copies;  // other grains that ranks share
  std::vector<Vector> walls;  // [m/s] loaded ones

  Moved& body(std::ptrdiff_t k) {
    const std::ptrdiff_t of_contacts = 2 * std::ssize(contacts);
    return k < of_contacts ? contacts[k / 2].moved[k % 2] : copies[k - of_contacts];
  }
  // A loop over the grains that have moved.
  template <class F>
  auto each_moved(F f) {
    return EachIndex{2 * std::ssize(contacts) + std::ssize(copies), [this, f](std::ptrdiff_t k) {
                       if (Moved& of = body(k); of.has_grain()) f(of);
                     }};
  }
};

// Corrects those of these contacts that need it. `contacts` are those of the result. `shared` where ranks share grains,
// else null. `pass` as far as it does not follow from the parts. The caller compares who has moved.
Corrections correct(const EventParts& w, std::span<const EventContact> events,
                    std::span<Corrections::OfContact> contacts, SharedCorrections* shared, OnsetPass pass,
                    Findings& found);

}  // namespace cairn
