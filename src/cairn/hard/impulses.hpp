// Impulses by Newton's restitution on contacts that overlap and approach (Kocic, "A pile of particles", 2012, after
// Servin, "Notes on discrete mechanics").
#pragma once
#include "cairn/hard/contact.hpp"

namespace cairn::hard {

// All contacts at once, each as if it were alone. A contact takes (1 + e) times its approach speed. Among equal masses
// in a row kinetic energy never rises for e <= 1; three grains that overlap each other gain for e > 1/3.
Outcome simultaneous_impulses(std::span<Body> bodies, std::span<Contact> contacts);

// One collision after the other, in the order of the contacts and back, until no contact approaches faster than
// `tolerance` times the fastest approach at the start. Each collision loses energy, so the kinetic energy never rises.
// After `most_sweeps` the approaches that are left end without a rebound.
Outcome sequential_impulses(std::span<Body> bodies, std::span<Contact> contacts, Real tolerance, int most_sweeps);

}  // namespace cairn::hard
