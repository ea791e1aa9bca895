// Grains flow out of a bed through a square opening in its floor (Beverloo).
#include <cmath>

#include "cairn/core/hash.hpp"
#include "cairn/studies/validation/beds.hpp"

namespace cairn::studies {
namespace {

constexpr Real d = bed_diameter;
constexpr Real lost = -2 * d;  // [m] height at which grains are removed
constexpr Real falling = 2;    // [bed_speed] of returning grains
constexpr int steps_per_look = 40;
constexpr Real starting = 10;   // [bed_time] until the flow is steady: the bed falls and settles in about 6
constexpr Real too_long = 200;  // [bed_time] for a flow

// The bed is periodic sideways, so the opening has images. Grains that fell through return at the top, so that the
// depth of the bed stays the same. Grains that find no room there wait.
class Bed {
 public:
  Bed(const ValidationSettings& settings, Real opening, Real between, std::uint64_t seed)
      : width_(opening + between), head_(1.2 * opening + 6 * d), world_(floor(settings, opening, width_)), seed_(seed) {
    world_.insert(loose());
    world_.begin();
  }

  // [kg/s] from `starting` until `mass` has gone; 0 where an arch holds.
  Real flow_of(Real mass) {
    const SchemeEntry& scheme = scheme_named("velocity_verlet_predicted");
    Real start = 0, gone = 0;
    for (bool counting = false; !counting || gone < mass;) {
      for (int i = 0; i < steps_per_look; ++i) scheme.advance(world_, bed_step);
      gone += take();
      give();
      if (!counting && world_.time() > starting * bed_time) counting = true, gone = 0, start = world_.time();
      if (world_.time() > too_long * bed_time) return 0;
    }
    return gone / (world_.time() - start);
  }

 private:
  // Two slabs, repeated with the cell, leave a square open in the middle.
  static WorldSettings floor(const ValidationSettings& settings, Real opening, Real width) {
    WorldSettings s = bed_settings(settings);
    s.cell = PeriodicCell::from({}, {width, width, 0});
    Surface slab;
    const auto add = [&](const Vector& low, const Vector& high) {
      slab.point = 0.5 * (low + high), slab.shape = SolidBox{0.5 * (high - low)};
      s.surfaces.push_back(slab);
    };
    s.walls.push_back("floor");
    const Real low = 0.5 * (width - opening), high = 0.5 * (width + opening);
    add({high - width, 0, -d}, {low, width, 0});
    add({low, high - width, -d}, {high, low, 0});
    return s;
  }

  int across() const { return static_cast<int>(width_ / loose_spacing); }
  Vector place(int k, Real z) const {
    return {(k % across() + 0.5) * width_ / across(), (k / across() % across() + 0.5) * width_ / across(), z};
  }

  // Loose layers of grains that fill the head once they have settled, about.
  std::vector<GrainData> loose() {
    constexpr Real solid_fraction = 0.6;  // [-] settled
    const auto random = [&](std::uint64_t stream, int k) {
      return 2 * random_uniform(seed_, stream, static_cast<std::uint64_t>(k)) - 1;
    };
    const int count = static_cast<int>(width_ * width_ * head_ * solid_fraction / (pi / 6 * d * d * d));
    const int layer = across() * across();
    std::vector<GrainData> grains;
    for (int k = 0; k < count; ++k) {
      const Real radius = 0.5 * d * (1 + bed_spread * random(0, k));
      const Vector shake{random(1, k), random(2, k), random(3, k)};
      grains.push_back({.position = place(k, (k / layer + 0.5) * loose_spacing) + 0.02 * d * shake,
                        .velocity = bed_speed * Vector{random(4, k), random(5, k), random(6, k)},
                        .radius = radius,
                        .mass = sphere_mass_of(bed_density, radius)});
    }
    return grains;
  }

  Real take() {
    std::vector<std::int64_t> ids;
    Real mass = 0;
    for (int i = 0; i < world_.size(); ++i) {
      if (world_.position(i).z > lost) continue;
      ids.push_back(world_.grains().id[i]);
      waiting_.push_back({.radius = world_.grains().radius[i], .mass = world_.grains().mass[i]});
      mass += waiting_.back().mass;
    }
    if (!ids.empty()) world_.remove(ids);
    return mass;
  }

  void give() {
    if (waiting_.empty()) return;
    const Real feed = head_ + 3 * d;
    const int places = across() * across();
    std::vector<char> taken(static_cast<std::size_t>(places));
    for (int i = 0; i < world_.size(); ++i) {
      const Vector at = world_.position(i);
      if (std::fabs(at.z - feed) > loose_spacing) continue;
      for (int k = 0; k < places; ++k) {
        const Vector r = at - place(k, feed);
        if (norm(r - world_.settings().cell.image(r)) < loose_spacing) taken[static_cast<std::size_t>(k)] = 1;
      }
    }
    std::vector<GrainData> come;
    const int first = static_cast<int>(places * random_uniform(seed_, 7, given_++));
    for (int i = 0; i < places && !waiting_.empty(); ++i) {
      const int k = (first + i) % places;
      if (taken[static_cast<std::size_t>(k)]) continue;
      GrainData grain = waiting_.back();
      waiting_.pop_back();
      grain.position = place(k, feed), grain.velocity = {0, 0, -falling * bed_speed};
      come.push_back(grain);
    }
    world_.insert(come);
  }

  Real width_, head_;  // [m]
  World world_;
  std::uint64_t seed_, given_ = 0;
  std::vector<GrainData> waiting_;
};

// The slope of y against x, by least squares.
Real slope_of(const std::vector<Real>& x, const std::vector<Real>& y) {
  const Real n = static_cast<Real>(x.size());
  Real sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sx += x[k], sy += y[k], sxx += x[k] * x[k], sxy += x[k] * y[k];
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

// W = C rho_b sqrt(g) (D - k d)^(5/2), with measured values of k for spheres between 1.2 and 1.6. A square opening has
// another C than a round one, and the same exponent. In a plane the exponent depends on the friction at front and back
// (Shah et al., arXiv 2103.09144).
ValidationCase validate_orifice(const ValidationSettings& settings, const ProgressCallback& on_progress) {
  const std::vector<Real> openings = settings.quick ? std::vector<Real>{5, 8} : std::vector<Real>{5, 6, 7.5, 9};  // [d]
  const std::size_t count = openings.size();
  const int discharged = settings.quick ? 400 : 500;  // mean grains
  const Real between = (settings.quick ? 6 : 8) * d;  // an opening and its image
  const Real mean_mass = sphere_mass_of(bed_density, 0.5 * d);
  std::vector<Real> flows(count);
  // The beds with the widest openings are the largest, so they run first.
  each_bed(static_cast<int>(count), "orifice", on_progress, [&](int from_last) {
    const std::size_t k = count - 1 - static_cast<std::size_t>(from_last);
    flows[k] = Bed(settings, openings[k] * d, between, k).flow_of(discharged * mean_mass);
  });

  constexpr Real power = 2.5, margin = 1.4, margin_range = 0.2;
  std::vector<Real> log_lengths, log_flows;
  Real log_factor = 0;
  for (std::size_t k = 0; k < count; ++k) {
    log_lengths.push_back(std::log(openings[k] - margin)), log_flows.push_back(std::log(flows[k]));
    log_factor += (log_flows[k] - power * log_lengths[k]) / static_cast<Real>(count);
  }
  // The bound assumes that flows scatter by 5 % about the law (realisations of these beds differ by 2 to 6 %). It is
  // that of a line through the two ends: the scatter of both ends, and the effect of another k on the length of the
  // abscissa.
  constexpr Real scatter = 0.05;
  const auto length_of = [&](Real k) { return std::log((openings.back() - k) / (openings.front() - k)); };
  const Real length = length_of(margin);
  const Real bound = (std::sqrt(2.0) * scatter + power * (length_of(margin + margin_range) - length)) / length;
  ValidationCase c;
  c.rows.push_back({"Beverloo", "exponent of D - 1.4 d in the flow", "1", power, slope_of(log_lengths, log_flows),
                    bound, false, "Beverloo et al., Chem. Eng. Sci. 15 (1961) 260"});
  ValidationFigure f{"Beverloo", "Flow through a square opening", "opening [d]", "flow [kg/s]", openings, flows, {},
                     {}};
  for (int k = 0; k <= 50; ++k) {
    f.expected_x.push_back(openings.front() + (openings.back() - openings.front()) * k / 50);
    f.expected_y.push_back(std::exp(log_factor + power * std::log(f.expected_x.back() - margin)));
  }
  c.figures.push_back(f);
  return c;
}

}  // namespace cairn::studies
