// The list of wall shapes. A new shape is one file and one line here: scenarios, kernels, checks, pictures and the
// documentation pick it up.
#pragma once
#include <tuple>
#include <variant>

#include "cairn/geometry/shapes/box.hpp"
#include "cairn/geometry/shapes/cylinder.hpp"
#include "cairn/geometry/shapes/plane.hpp"

namespace cairn {

using WallShapes = std::tuple<PlaneWall,  //
                              BoxWall,    //
                              CylinderWall>;

template <class List>
struct VariantOf;
template <class... T>
struct VariantOf<std::tuple<T...>> {
  using type = std::variant<T...>;
};
template <class List>
struct SurfacesOf;
template <class... W>
struct SurfacesOf<std::tuple<W...>> {
  using type = decltype(std::tuple_cat(typename W::Surfaces{}...));
};

// The shape of a wall as a user gives it.
using WallShape = VariantOf<WallShapes>::type;
// The shape of one of the surfaces that make up a wall. A grain touches each surface at one point.
using SurfaceShape = VariantOf<SurfacesOf<WallShapes>::type>::type;

}  // namespace cairn
