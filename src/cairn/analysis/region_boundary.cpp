#include "cairn/analysis/region_boundary.hpp"

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "cairn/core/constants.hpp"

namespace cairn {
namespace {

// A side of the grid's cells: from a node along its ray, or along its circle.
struct Side {
  int circle, ray;
  bool along_circle;
  auto operator<=>(const Side&) const = default;
};

class MarchingSquares {
 public:
  MarchingSquares(const std::function<bool(Real, Real)>& inside, const BoundaryGrid& grid)
      : inside_(inside), grid_(grid) {
    for (int ray = 0; ray <= grid.rays; ++ray)
      for (int circle = 0; circle <= grid.circles; ++circle) at_node_.push_back(inside(modulus(circle), argument(ray)));
    for (int ray = 0; ray < grid.rays; ++ray)
      for (int circle = 0; circle < grid.circles; ++circle) join_sides_of_cell(circle, ray);
  }

  std::vector<Polyline> lines() {
    std::vector<Polyline> all;
    for (const auto& [side, ends] : neighbours_)  // those with an end first
      if (!ends[1] && !seen_[side]) all.push_back(line_from(side));
    for (const auto& [side, ends] : neighbours_)
      if (!seen_[side]) {
        all.push_back(line_from(side));
        all.back().push_back(all.back().front());
      }
    return all;
  }

 private:
  using Neighbours = std::array<std::optional<Side>, 2>;

  Real modulus(Real circle) const {
    return grid_.nearest * std::pow(grid_.farthest / grid_.nearest, circle / grid_.circles);
  }
  Real argument(Real ray) const { return pi * ray / grid_.rays; }
  bool node(int circle, int ray) const {
    return at_node_[static_cast<std::size_t>(ray) * (grid_.circles + 1) + circle];
  }

  void join(const Side& a, const Side& b) {
    for (const auto& [from, to] : {std::pair{a, b}, {b, a}}) {
      Neighbours& of = neighbours_[from];
      (of[0] ? of[1] : of[0]) = to;
    }
  }

  void join_sides_of_cell(int circle, int ray) {
    const bool corner[] = {node(circle, ray), node(circle + 1, ray), node(circle + 1, ray + 1), node(circle, ray + 1)};
    const Side side[] = {{circle, ray, false},  // between corners k and k + 1
                         {circle + 1, ray, true},
                         {circle, ray + 1, false},
                         {circle, ray, true}};
    std::vector<int> crossed;
    for (int k = 0; k < 4; ++k)
      if (corner[k] != corner[(k + 1) % 4]) crossed.push_back(k);
    if (crossed.size() == 2) join(side[crossed[0]], side[crossed[1]]);
    if (crossed.size() != 4) return;
    // Corners of one kind face each other: the middle tells which of the kinds is joined, so the line goes about the
    // corners of the other.
    const bool joined = inside_(modulus(circle + 0.5), argument(ray + 0.5));
    const int lone = corner[0] == joined ? 1 : 0;
    for (const int k : {lone, lone + 2}) join(side[(k + 3) % 4], side[k]);
  }

  std::complex<Real> crossing(const Side& side) const {
    constexpr int halvings = 28;
    const bool first = node(side.circle, side.ray);
    Real low = 0, high = 1;
    const auto at = [&](Real share) {
      return side.along_circle ? std::pair{modulus(side.circle), argument(side.ray + share)}
                               : std::pair{modulus(side.circle + share), argument(side.ray)};
    };
    for (int k = 0; k < halvings; ++k) {
      const Real middle = 0.5 * (low + high);
      const auto [r, angle] = at(middle);
      (inside_(r, angle) == first ? low : high) = middle;
    }
    const auto [r, angle] = at(0.5 * (low + high));
    return std::polar(r, angle);
  }

  Polyline line_from(Side side) {
    Polyline line;
    for (;;) {
      seen_[side] = true;
      line.push_back(crossing(side));
      std::optional<Side> next;
      for (const std::optional<Side>& other : neighbours_[side])
        if (other && !seen_[*other]) next = other;
      if (!next) return line;
      side = *next;
    }
  }

  const std::function<bool(Real, Real)>& inside_;
  const BoundaryGrid grid_;
  std::vector<bool> at_node_;
  std::map<Side, Neighbours> neighbours_;  // of each side that the boundary crosses, those it goes on to
  std::map<Side, bool> seen_;
};

}  // namespace

std::vector<Polyline> boundary_in_upper_half_plane(const std::function<bool(Real modulus, Real argument)>& inside,
                                                   const BoundaryGrid& grid) {
  return MarchingSquares(inside, grid).lines();
}

}  // namespace cairn
