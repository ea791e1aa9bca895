// A wall of each shape for the tests of all.
#pragma once
#include <cstdint>
#include <type_traits>
#include <variant>

#include "cairn/core/hash.hpp"
#include "cairn/geometry/shapes/surface.hpp"

namespace cairn {

inline Vector random_vector(std::uint64_t k, std::uint64_t at) {
  return {2 * random_uniform(3, k, at) - 1, 2 * random_uniform(3, k, at + 1) - 1, 2 * random_uniform(3, k, at + 2) - 1};
}

inline Vector normalised(const Vector& a) {
  return (1 / norm(a)) * a;
}

// A wall of each shape, with numbers of its own where it has parameters.
template <class Shape>
Shape example() {
  Shape shape;
  for (const WallParameter<Shape>& p : Shape::parameters)
    std::visit(
        [&]<class V>(V Shape::*member) {
          if constexpr (std::is_same_v<V, Real>) shape.*member = p.name == "length" ? 1.0 : 0.6;
          if constexpr (std::is_same_v<V, Vector>) {
            if (p.direction) shape.*member = {1, 2, -0.5};
            if (p.name == "low") shape.*member = {-0.2, -0.6, -0.15};
            if (p.name == "high") shape.*member = {0.4, 0.2, 0.25};
            if (p.name == "point") shape.*member = {0.1, -0.2, 0.05};
          }
        },
        p.value);
  return shape;
}

}  // namespace cairn
