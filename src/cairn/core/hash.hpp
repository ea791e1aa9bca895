// A 64-bit hash of a stream of words, for the state hash: order matters, every bit counts. Mixing by the finaliser of
// splitmix64 (Steele, Lea & Flood 2014).
#pragma once
#include <bit>
#include <cstdint>

#include "cairn/core/vec3.hpp"

namespace cairn {

constexpr std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

class Hash {
 public:
  void add(std::uint64_t word) { h_ = mix(h_ ^ word); }
  void add(Real a) { add(std::bit_cast<std::uint64_t>(a)); }
  void add(const Vector& a) { add(a.x), add(a.y), add(a.z); }
  std::uint64_t value() const { return h_; }

 private:
  std::uint64_t h_ = 0;
};

// The k-th random number in [0, 1) of a stream: a function of its counters alone, so it does not depend on the order
// of calls, on threads or on restarts.
constexpr Real random_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t k) {
  return static_cast<Real>(mix(mix(mix(seed) ^ stream) ^ k) >> 11) * 0x1p-53;
}

// The seed of one among several users of random numbers: `kind` and `index` tell them apart, `own` is its own seed.
constexpr std::uint64_t stream_key(std::uint64_t seed, std::uint64_t own, std::uint64_t kind, std::uint64_t index) {
  return mix(mix(mix(mix(seed) ^ own) ^ kind) ^ index);
}

}  // namespace cairn
