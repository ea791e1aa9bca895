#include "cairn/run/seams.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "cairn/core/text.hpp"

namespace cairn {
namespace {

constexpr Real longest = 1e29;   // [m]; sizes above are those of directions without an end (no_end)
constexpr Real flush_by = 1e-3;  // [-] of the radius: about an overlap
constexpr const char* axes[] = {"x", "y", "z"};

Real& part(Vector& a, int axis) {
  return (&a.x)[axis];
}
Real part(const Vector& a, int axis) {
  return (&a.x)[axis];
}

struct Face : FlatFace {
  const Surface* surface;
  bool image = false;  // of a face, one period away

  Real at() const { return part(low, axis); }
};

// With its nearest images, if it is finite.
void add_faces(const Surface& s, const PeriodicCell& cell, std::vector<Face>& faces) {
  if (s.turns || s.absent || s.loaded >= 0) return;
  const Pose<Real> pose = pose_at(s, 0.0);
  const auto add = [&](const FlatFace& face) {
    const std::size_t first = faces.size();
    faces.push_back({face, &s});
    for (int axis = 0; axis < 3; ++axis) {
      const Real period = part(cell.length, axis);
      if (period == 0 || part(face.high, axis) > longest || part(face.low, axis) < -longest) continue;
      for (std::size_t k = first, count = faces.size(); k < count; ++k)
        for (const Real by : {-period, period}) {
          Face image = faces[k];
          part(image.low, axis) += by, part(image.high, axis) += by, image.image = true;
          faces.push_back(image);
        }
    }
  };
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.flat_faces(pose, add); }) shape.flat_faces(pose, add);
      },
      s.shape);
}

bool stay_flush(const Surface& a, const Surface& b, int axis) {
  const Motion &m = a.motion, &n = b.motion;
  if (part(m.velocity, axis) != part(n.velocity, axis) || part(m.amplitude, axis) != part(n.amplitude, axis))
    return false;
  return part(m.amplitude, axis) == 0 || (m.frequency == n.frequency && m.phase == n.phase);
}

struct Seam {
  Face face;         // of one of the two
  int other;         // wall
  Vector low, high;  // [m] where they meet
  bool wide;         // an area, not a line
};

std::optional<Seam> seam_of(const Face& a, const Face& b, Real near) {
  if (a.axis != b.axis || a.side != b.side || a.surface->wall == b.surface->wall) return {};
  const auto tolerance = [&](Real at) { return std::max(near, 1e-12 * std::fabs(at)); };
  if (std::fabs(a.at() - b.at()) > tolerance(a.at()) || !stay_flush(*a.surface, *b.surface, a.axis)) return {};
  Seam seam{a, b.surface->wall, a.low, a.high, true};
  int lengths = 0;
  for (int k = 1; k < 3; ++k) {
    const int axis = (a.axis + k) % 3;
    Real& low = part(seam.low, axis) = std::max(part(a.low, axis), part(b.low, axis));
    Real& high = part(seam.high, axis) = std::min(part(a.high, axis), part(b.high, axis));
    if (low - high > tolerance(low)) return {};
    if (high - low > tolerance(low))
      ++lengths;
    else
      seam.wide = false, low = high;
    if (-low > longest) low = high > longest ? 0 : high;
    if (high > longest) high = low;
  }
  if (lengths == 0) return {};  // they share a corner, a point that grains miss
  return seam;
}

// Whether a grain can be there: not where other walls are solid.
bool reachable(const Seam& seam, const WorldSettings& world, Real away) {
  const std::array<Real, 3> places{0.05, 0.5, 0.95};
  for (const Real p : places)
    for (const Real q : places) {
      Vector x = seam.low;
      const int first = (seam.face.axis + 1) % 3, second = (seam.face.axis + 2) % 3;
      part(x, first) += p * (part(seam.high, first) - part(seam.low, first));
      part(x, second) += q * (part(seam.high, second) - part(seam.low, second));
      part(x, seam.face.axis) += seam.face.side * away;
      if (std::none_of(world.surfaces.begin(), world.surfaces.end(),
                       [&](const Surface& s) { return wall_distance(s, pose_at(s, 0.0), world.cell, x) < 0; }))
        return true;
    }
  return false;
}

// Pairs of faces that may be in one plane and meet, in the order of the faces: found by a sweep over the planes, and
// over each plane along one of its axes. Thousands of walls make a billion pairs.
std::vector<std::array<std::size_t, 2>> neighbours(const std::vector<Face>& faces, Real near) {
  constexpr std::size_t most_pairs = 1'000'000;
  std::vector<std::array<std::size_t, 2>> pairs;
  const auto tolerance = [&](Real at) { return 2 * std::max(near, 1e-12 * std::fabs(at)); };
  for (int axis = 0; axis < 3; ++axis)
    for (const Real side : {-1.0, 1.0}) {
      std::vector<std::size_t> order;
      for (std::size_t k = 0; k < faces.size(); ++k)
        if (faces[k].axis == axis && faces[k].side == side) order.push_back(k);
      std::sort(order.begin(), order.end(),
                [&](std::size_t a, std::size_t b) { return faces[a].at() < faces[b].at(); });
      for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
        for (end = begin + 1; end < order.size(); ++end) {
          const Real at = faces[order[end]].at();
          if (at - faces[order[end - 1]].at() > tolerance(at)) break;
        }
        // Along the axis along which these faces are shorter beside all they cover.
        const auto cover = [&](int k) {
          Real low = 1e300, high = -1e300, lengths = 0;
          for (std::size_t p = begin; p < end; ++p) {
            const Face& f = faces[order[p]];
            low = std::min(low, part(f.low, k)), high = std::max(high, part(f.high, k));
            lengths += part(f.high, k) - part(f.low, k);
          }
          return lengths / std::max(high - low, 1e-300);
        };
        const int first = (axis + 1) % 3, second = (axis + 2) % 3,
                  along = cover(first) <= cover(second) ? first : second;
        const auto by_low = [&](std::size_t a, std::size_t b) {
          return part(faces[a].low, along) < part(faces[b].low, along);
        };
        std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(end),
                  by_low);
        const int across = along == first ? second : first;
        const auto apart = [&](const Face& a, const Face& b) {
          const Real low = std::max(part(a.low, across), part(b.low, across));
          return low - std::min(part(a.high, across), part(b.high, across)) > tolerance(low);
        };
        std::vector<std::size_t> open;
        for (std::size_t p = begin; p < end; ++p) {
          const Real low = part(faces[order[p]].low, along);
          std::erase_if(open, [&](std::size_t k) { return part(faces[k].high, along) < low - tolerance(low); });
          if (pairs.size() > most_pairs) break;  // walls beyond reason: those that are named may not be the first
          for (const std::size_t k : open)
            if (!apart(faces[k], faces[order[p]])) pairs.push_back({std::min(k, order[p]), std::max(k, order[p])});
          open.push_back(order[p]);
        }
      }
    }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

std::string seam_message(const WorldSettings& world, Real radius) {
  std::vector<Face> faces;
  for (const Surface& s : world.surfaces) add_faces(s, world.cell, faces);
  const bool weightless = world.gravity == Vector{};
  struct Bearing {
    Seam seam;
    Real bears;  // [m/s^2] of gravity
  };
  std::vector<Bearing> seams;
  for (const auto& [i, j] : neighbours(faces, flush_by * radius)) {
    if (faces[i].image && faces[j].image) continue;
    const std::optional<Seam> seam = seam_of(faces[i], faces[j], flush_by * radius);
    if (!seam) continue;
    const Real bears = -seam->face.side * part(world.gravity, seam->face.axis);
    if (bears > 0 || weightless) seams.push_back({*seam, bears});
  }
  // The first of those that bear grains most is named, the others are counted, up to the time that takes.
  std::stable_sort(seams.begin(), seams.end(), [](const Bearing& a, const Bearing& b) { return a.bears > b.bears; });
  constexpr std::size_t most_seams = 1000;
  const bool too_many = seams.size() > most_seams;
  std::set<std::array<int, 2>> pairs;
  std::optional<Seam> worst;
  for (std::size_t k = 0; k < seams.size() && k < most_seams; ++k) {
    const Seam& seam = seams[k].seam;
    if (!reachable(seam, world, radius > 0 ? radius : 1e-9)) continue;
    pairs.insert({seam.face.surface->wall, seam.other});
    if (!worst) worst = seam;
  }
  if (!worst) return "";
  const auto name = [&](int wall) { return "'" + world.walls[wall] + "'"; };
  const std::string where = std::string(axes[worst->face.axis]) + " = " + brief(worst->face.at()) + " m";
  std::string message = "walls " + name(worst->face.surface->wall) + " and " + name(worst->other) +
                        " have faces in one plane, " + where + ", that ";
  if (worst->low == worst->high)
    message +=
        "coincide: each grain there touches both faces, and its contact is twice as stiff; remove one of the two faces";
  else if (worst->wide)
    message += "overlap from " + brief(worst->low) + " to " + brief(worst->high) +
               ": each grain there touches both faces, and is lifted by up to its static overlap; remove one of the "
               "two faces, or move it back by more than an overlap";
  else
    message += "meet from " + brief(worst->low) + " to " + brief(worst->high) +
               ": a grain that rolls over this seam touches both faces, and is lifted by up to its static overlap "
               "(with the linear law a slow grain by half of it); combine the walls into one box or one plane";
  if (pairs.size() > 1) {
    const std::size_t more = pairs.size() - 1;
    message += "; the same holds for " + std::string(too_many ? "at least " : "") + std::to_string(more) +
               " more pair" + (more > 1 ? "s" : "") + " of walls";
  }
  return message;
}

}  // namespace cairn
