// Grains between walls that slide upwards past them: friction carries part of their weight (Janssen).
#include <array>
#include <cmath>

#include "cairn/studies/validation/beds.hpp"

namespace cairn::studies {
namespace {

constexpr Real width = 12 * bed_diameter;              // [m] between the walls
constexpr std::array<int, 4> fillings{8, 16, 32, 64};  // [d] of height; the deepest is to be saturated
constexpr int settling = 30, measuring = 40;           // [bed_time]
constexpr Real sliding = 0.1;                          // [bed_speed] of the walls
constexpr int steps_per_sample = 10;

struct FilledSilo {
  Real mass = 0;                      // [kg]
  Real floor = 0, walls = 0;          // [N] mean upward force on the grains
  Real pressing = 0;                  // [N] mean force across the walls, both together
  Real change = 0, sample_share = 0;  // [N] of momentum over time; [-] of the time that a sample stands for
};

FilledSilo filled_silo(const ValidationSettings& settings, int height, std::uint64_t seed) {
  WorldSettings s = bed_settings(settings);
  s.rotation = false;
  Motion up;
  up.velocity = {0, 0, sliding * bed_speed};
  add_plane(s, {}, {0, 0, 1});
  add_plane(s, {}, {1, 0, 0}, up);
  add_plane(s, {width, 0, 0}, {-1, 0, 0}, up);
  World w(std::move(s));
  const auto grains = loose_bed(grains_that_fill(width, height * bed_diameter), width, 0, seed);
  w.insert(grains);
  w.begin();
  const SchemeEntry& scheme = scheme_named("velocity_verlet_predicted");
  while (w.time() < settling * bed_time) scheme.advance(w, bed_step);

  FilledSilo c;
  for (const GrainData& g : grains) c.mass += g.mass;
  const int samples = static_cast<int>(measuring * bed_time / (steps_per_sample * bed_step));
  const Real before = w.momenta().linear.z, start = w.time();
  for (int k = 0; k < samples; ++k) {
    for (int i = 0; i < steps_per_sample; ++i) {
      scheme.advance(w, bed_step);
      if (i != steps_per_sample / 2) continue;
      const auto loads = w.wall_loads();
      c.floor -= loads[0].force.z / samples, c.walls -= (loads[1].force.z + loads[2].force.z) / samples;
      c.pressing += (loads[2].force.x - loads[1].force.x) / samples;
    }
  }
  c.change = (w.momenta().linear.z - before) / (w.time() - start);
  c.sample_share = 1.0 / samples;
  return c;
}

Real janssen(Real mass, Real saturated) {
  return saturated * (1 - std::exp(-mass / saturated));
}

// The saturated mass with which Janssen's law passes through a point.
Real saturated_mass(Real mass, Real apparent) {
  Real low = apparent, high = 100 * apparent;
  while (high - low > 1e-12 * high) {
    const Real middle = 0.5 * (low + high);
    (janssen(mass, middle) < apparent ? low : high) = middle;
  }
  return low;
}

}  // namespace

// If friction at the walls is mobilised everywhere, and the vertical stress is proportional to the horizontal stress,
// the floor carries M_inf (1 - exp(-M / M_inf)) of the mass M. M_inf is taken from the deepest silo. Walls that move
// up mobilise friction (Bertho et al. 2003, who found no influence of the speed up to a quarter of sqrt(g d)). The
// grains do not rotate: rotating grains may roll up the walls, and their friction is then less than mu times their
// normal force.
ValidationCase validate_silo(const ValidationSettings& settings, const ProgressCallback& on_progress) {
  const int packs = settings.quick ? 3 : 16, heights = static_cast<int>(fillings.size());
  std::vector<FilledSilo> silos(static_cast<std::size_t>(packs * heights));
  // The deepest take longest, and go first.
  each_bed(packs * heights, "silo", on_progress, [&](int from_last) {
    const int k = packs * heights - 1 - from_last;
    silos[static_cast<std::size_t>(k)] =
        filled_silo(settings, fillings[static_cast<std::size_t>(k / packs)], static_cast<std::uint64_t>(k));
  });

  ValidationCase c;
  std::array<Real, fillings.size()> mass{}, apparent{};
  Real unbalanced = 0, share = 0, carried = 0, pressing = 0;
  for (std::size_t k = 0; k < silos.size(); ++k) {
    const FilledSilo& silo = silos[k];
    mass[k / static_cast<std::size_t>(packs)] += silo.mass / packs;
    apparent[k / static_cast<std::size_t>(packs)] += silo.floor / (bed_gravity * packs);
    const Real weight = silo.mass * bed_gravity + silo.change;
    unbalanced = std::max(unbalanced, std::fabs((silo.floor + silo.walls) / weight - 1));
    share = silo.sample_share, carried += silo.walls, pressing += silo.pressing;
  }
  // The mean of samples has an error of the share of one sample: at both ends of the time the forces vary by less than
  // the weight within a sample.
  c.rows.push_back({"Janssen", "largest deviation of the load of floor and walls from the weight, over the weight", "1",
                    0, unbalanced, share, false, "balance of forces"});
  // A contact slides by some 0.01 d, mu 20 m g / k_t, before its spring is at Coulomb's limit, and lasts for about d.
  c.rows.push_back({"Janssen", "friction of the walls over their normal force", "1", bed_friction, carried / pressing,
                    0.01, true, "Coulomb's law, all contacts slide"});
  // Janssen's law holds within 10 % in experiments. In addition, about 46 contacts carry a load, and their forces
  // scatter as exponentially distributed forces do, so a load scatters by 15 %. Loads are independent after each
  // diameter of sliding. Two standard errors of the ratio of two loads are allowed.
  const Real independent = packs * sliding * measuring;
  const Real bound = 0.1 + 2 * 0.15 * std::sqrt(2 / independent);
  const Real saturated = saturated_mass(mass.back(), apparent.back());
  for (std::size_t k = 0; k + 1 < fillings.size(); ++k)
    c.rows.push_back({"Janssen", "mass carried by the floor, height of " + std::to_string(fillings[k]) + " d", "kg",
                      janssen(mass[k], saturated), apparent[k], bound, true,
                      "Janssen, Z. Ver. dt. Ing. 39 (1895) 1045"});
  ValidationFigure f{
      "Janssen", "A silo of 12 grain diameters", "mass [kg]", "mass carried by the floor [kg]", {}, {}, {}, {}};
  f.found_x.assign(mass.begin(), mass.end()), f.found_y.assign(apparent.begin(), apparent.end());
  for (int k = 0; k <= 100; ++k) {
    f.expected_x.push_back(mass.back() * k / 100);
    f.expected_y.push_back(janssen(f.expected_x.back(), saturated));
  }
  c.figures.push_back(f);
  return c;
}

}  // namespace cairn::studies
