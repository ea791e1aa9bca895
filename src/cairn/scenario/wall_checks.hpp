// What the keys of walls ask of each other.
#pragma once
#include <vector>

#include "cairn/run/scenario.hpp"
#include "cairn/scenario/table_reader.hpp"

namespace cairn {

// Factors that change with time, and their times.
void check_factors(const TomlTable& t, const std::vector<Real>& times, const std::vector<Real>& factors);

// Keys of a motion that move nothing without another. `t`: the wall's motion.
void check_partners(const TomlTable& t);

// Along an axis either motion moves a wall or forces do: what both did could not be told apart. `t`: its load.
void check_free_axes(const TomlTable& t, const WallSpec& of);

void check_dimension(const TomlTable& t, const WallShape& of, int dimension);
// Only shapes with an axis can turn. `t`: the wall's motion.
void check_rotation(const TomlTable& t, const WallSpec& of, int dimension);
void check_shape(const TomlTable& t, const WallShape& of, int dimension);

}  // namespace cairn
