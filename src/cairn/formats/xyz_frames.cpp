#include "cairn/formats/xyz_frames.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <variant>

#include "cairn/core/text.hpp"

namespace cairn {
namespace {

std::string text_of(const PointValues& values, std::size_t k) {
  return std::visit(
      [&]<class V>(const V& of) {
        const auto a = [&] {
          if constexpr (requires { of[k]; })
            return of[k];
          else
            return of(k);
        }();
        if constexpr (std::is_integral_v<decltype(a)>)
          return std::to_string(a);
        else
          return to_text(a);
      },
      values);
}

}  // namespace

void write_xyz(Real time, const PeriodicCell& cell, const XyzExtent& extent, std::size_t count,
               const std::function<XyzGrain(std::size_t)>& grain, std::span<const PointArray> more,
               const std::function<void(std::string_view)>& write) {
  const auto spaced = [](const Vector& a) { return to_text(a.x) + " " + to_text(a.y) + " " + to_text(a.z); };
  std::string text = std::to_string(count) + "\n";
  if (cell.any() && count > 0) {
    Vector low = extent.low, high = extent.high;
    const Vector& l = cell.length;
    const auto pick = [&](Real length, Real origin, Real& from, Real& to) {
      if (length > 0) from = origin, to = origin + length;
    };
    pick(l.x, cell.origin.x, low.x, high.x);
    pick(l.y, cell.origin.y, low.y, high.y);
    pick(l.z, cell.origin.z, low.z, high.z);
    const Vector size = high - low;
    text += "Lattice=\"" + spaced({size.x, 0, 0}) + " " + spaced({0, size.y, 0}) + " " + spaced({0, 0, size.z}) +
            "\" Origin=\"" + spaced(low) + "\" ";
    const auto flag = [](Real length) { return length > 0 ? "T" : "F"; };
    text += std::string("pbc=\"") + flag(l.x) + " " + flag(l.y) + " " + flag(l.z) + "\" ";
  }
  text += "Properties=id:I:1:species:S:1:pos:R:3:velo:R:3:omega:R:3:radius:R:1:material_type:I:1";
  for (const PointArray& array : more)
    text += ":" + array.name + (is_real(array.values) ? ":R:" : ":I:") + std::to_string(array.components);
  write(text + " Time=" + to_text(time) + "\n");
  for (std::size_t k = 0; k < count; ++k) {
    const XyzGrain g = grain(k);
    std::string species(g.material);
    std::replace_if(species.begin(), species.end(), is_blank, '_');
    std::string line = std::to_string(g.id) + " " + species + " " + spaced(g.position) + " " + spaced(g.velocity) +
                       " " + spaced(g.spin) + " " + to_text(g.radius) + " " + std::to_string(g.type);
    for (const PointArray& array : more)
      for (int c = 0; c < array.components; ++c)
        line +=
            " " + text_of(array.values, k * static_cast<std::size_t>(array.components) + static_cast<std::size_t>(c));
    write(line + "\n");
  }
}

}  // namespace cairn
