#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/studies/piles/piles_view.hpp"

namespace cairn::studies {
namespace {

struct PrintedColumn {
  Real stiffness, height, bottom;  // [N/m] [m] [m]
  const char* compression;         // [%] of the pile and of the lowest grain
};
constexpr PrintedColumn printed_columns[] = {
    {4000, 58.6, 0.298, "25.5, 50.4"}, {8000, 67.8, 0.438, "13.4, 27.0"}, {40000, 76.5, 0.568, "2.7, 5.3"}};

}  // namespace

const HardColumn* column_of(const PilesResult& r, const std::string& name, Real step) {
  for (const HardColumn& c : r.hard)
    if (c.name == name && c.step == step) return &c;
  return nullptr;
}

std::string fate(const HardColumn& c) {
  return c.exploded > 0 ? fmt::format("explodes at {} grains", c.exploded)
                        : fmt::format("stands, {} grains, {:.2f} m", c.grains, c.height);
}

std::vector<Page::Row> verdict_rows(const PilesResult& r) {
  std::vector<Page::Row> rows;
  const auto add = [&](const std::string& of, const std::string& says, const std::string& found, bool agrees) {
    rows.push_back({of, says, found, agrees ? "agrees" : "differs"});
  };
  for (const PrintedColumn& p : printed_columns)
    for (const SoftColumn& c : r.soft)
      if (c.damping > 0 && c.stiffness == p.stiffness)
        add(fmt::format("table 3.2-1, k = {:g} N/m", p.stiffness),
            fmt::format("height {:g} m, lowest {:g} m; compressed by {} %", p.height, p.bottom, p.compression),
            fmt::format("{:.3f} m, {:.4f} m; {:.1f}, {:.1f} %", c.height, c.bottom, 100 * (1 - c.height / 78.6),
                        100 * (1 - c.bottom / 0.6)),
            std::fabs(c.height - p.height) <= 0.06 && std::fabs(c.bottom - p.bottom) <= 0.003);
  for (const SoftColumn& c : r.soft)
    if (c.damping > 0 && c.stiffness == 4000)
      add("figure 3.2-7", "lowest grain half compressed at 11.654 s, after 117 grains came",
          fmt::format("{:.3f} s, {} came", c.half_time, c.half_emitted),
          std::fabs(c.half_time - 11.654) < 0.002 && c.half_emitted == 117);
  const auto course = [&](const std::string& name) -> const Course& {
    return *std::find_if(r.balls.begin(), r.balls.end(), [&](const Course& c) { return c.name == name; });
  };
  const auto change = [&](const std::string& name) {
    const Course& c = course(name);
    return c.energy.back() - c.energy.front();
  };
  const Real steps = 5000, exact = steps * 9.81 * 9.81 * 1e-6 / 2;  // [J] of a mass of 1 kg
  add("figure 3.1-2", "impulses with symplectic Euler lose energy",
      fmt::format("{:.6f} J; exact: {:.6f} J", change("impulse, symplectic Euler"), -exact),
      std::fabs(change("impulse, symplectic Euler") + exact) < 1e-9);
  add("figure 3.1-3", "impulses with leapfrog keep it", fmt::format("{:.1e} J", change("impulse, leapfrog")),
      std::fabs(change("impulse, leapfrog")) < 1e-9);
  add("figures 3.1-4, 3.1-5", "springs keep it with both integrators",
      fmt::format("{:.1e} and {:.1e} J", change("spring, symplectic Euler"), change("spring, leapfrog")),
      std::fabs(change("spring, symplectic Euler")) < 0.5 && std::fabs(change("spring, leapfrog")) < 0.5);
  Real momentum = 0, energy = 0, dynamics = 0;
  for (const Billiards& b : r.billiards) {
    momentum = std::max(momentum, b.momentum_error);
    if (b.course.name == "impulse") energy = std::fabs(b.energy - 12.5);
    if (b.course.name == "dynamics") dynamics = b.energy;
  }
  add("figures 3.1-6 to 3.2-2", "12.5 J; collisions of balls keep the momentum of -5 kg m/s, walls change it",
      fmt::format("impulses keep the energy within {:.1e} J, contact dynamics {:.4f} J; momentum within {:.1e} kg m/s "
                  "a step",
                  energy, dynamics, momentum),
      energy < 1e-9 && momentum < 1e-14);
  add("section 4", "walls of finite mass would keep the momentum",
      fmt::format("within {:.1e} kg m/s a step with walls of 20 kg", r.cushion.momentum_error),
      r.cushion.momentum_error < 1e-14);
  for (const auto& [step, says, low, high] :
       {std::tuple{0.01, "explodes at 13 grains", 12, 17}, {0.005, "explodes at 21 grains", 20, 22}})
    if (const HardColumn* c = column_of(r, "simultaneous", step)) {
      const HardColumn* hand = column_of(r, "all overlaps by hand", step);
      add(fmt::format("figure 3.2-{}, h = {:g} s", step == 0.01 ? 4 : 5, step), says,
          fate(*c) + "; a second program: " + (hand ? fate(*hand) : "-"), c->exploded >= low && c->exploded <= high);
    }
  std::string at_projection;
  int least_below = 1000, most_above = 0;
  for (const Jitter& j : r.jitter) {
    if (j.projection == 0) continue;
    at_projection += fmt::format("{}{} at {:g}", at_projection.empty() ? "" : ", ",
                                 j.exploded > 0 ? std::to_string(j.exploded) : "none", j.projection);
    const int grains = j.exploded > 0 ? j.exploded : 1000;
    (j.projection < 0.5 ? least_below : most_above) =
        j.projection < 0.5 ? std::min(least_below, grains) : std::max(most_above, grains);
  }
  add("section 4", "stable for k_p < 0.5; 0.5 and more add too much energy",
      "grains with which the column explodes, against k_p: " + at_projection, least_below == 1000 && most_above < 1000);
  return rows;
}

}  // namespace cairn::studies
