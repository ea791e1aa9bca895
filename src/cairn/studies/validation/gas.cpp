// A gas of inelastic spheres cools by its collisions: Haff's law.
#include <cmath>

#include "cairn/studies/validation/bulk.hpp"

namespace cairn::studies {
namespace {

constexpr Real sphere_radius = 1e-3, sphere_diameter = 2 * sphere_radius;  // [m]
constexpr Real density = 2500, speed = 0.1;                    // [kg/m^3] [m/s] of one component, root mean square
constexpr Real restitution = 0.9;                              // [-]
constexpr Real contact_time = 0.01 * sphere_diameter / speed;  // [s]
constexpr int steps_per_contact = 20, samples = 100;
constexpr Real settling_collisions = 2;  // [-] collisions per grain until the comparison starts

// Smooth inelastic hard spheres of temperature T = m <v^2> / 3. A grain collides 4 n d^2 chi sqrt(pi T / m) times per
// second, with Carnahan & Starling's pair correlation chi at contact. A collision takes (1 - e^2) m <v_n^2> / 4 =
// (1 - e^2) T, as <v_n^2> = 4 T / m. A half of that for each grain is -(3/2) dT/dt, and so T = T_0 / (1 + t / tau)^2
// with 1 / tau = (1 - e^2) frequency(T_0) / 6. Velocities deviate from Maxwell's by a_2.
struct Theory {
  Real number_density, mass;                                                                       // [1/m^3] [kg]
  Real packing = number_density * (4.0 / 3 * pi) * sphere_radius * sphere_radius * sphere_radius;  // [-]

  static Real a2() {  // van Noije & Ernst 1998
    constexpr Real e = restitution;
    return 16 * (1 - e) * (1 - 2 * e * e) / (81 - 17 * e + 30 * e * e * (1 - e));
  }
  Real frequency(Real temperature) const {
    const Real chi = (1 - packing / 2) / ((1 - packing) * (1 - packing) * (1 - packing));
    return 4 * number_density * sphere_diameter * sphere_diameter * chi * std::sqrt(pi * temperature / mass) *
           (1 - a2() / 16);
  }
  Real cooling(Real temperature) const {
    const Real beyond_frequency = (1 + 3 * a2() / 16) / (1 - a2() / 16);
    return (1 - restitution * restitution) * frequency(temperature) * beyond_frequency / 6;
  }
};

// Velocities close to Maxwell's, the centre of mass at rest. No logarithm: its last bit differs between machines, and
// collisions would amplify this difference.
void give_velocities(std::vector<GrainData>& grains, Uniform& uniform) {
  const auto normal = [&] {
    Real sum = -6;
    for (int k = 0; k < 12; ++k) sum += uniform();
    return sum;
  };
  Vector mean{};
  for (GrainData& g : grains) {
    g.velocity.x = speed * normal(), g.velocity.y = speed * normal(), g.velocity.z = speed * normal();
    mean += (1.0 / static_cast<Real>(grains.size())) * g.velocity;
  }
  for (GrainData& g : grains) g.velocity -= mean;
}

}  // namespace

ValidationCase validate_gas(const ValidationSettings& settings, const ProgressCallback& on_progress) {
  const int count = settings.quick ? 1000 : 4000;
  // A packing of 0.05. In a longer box vortices would grow: the gas is stable up to about 50 diameters.
  const Real length = (settings.quick ? 22 : 35) * sphere_diameter;
  const Theory theory{count / (length * length * length), sphere_mass_of(density, sphere_radius)};
  ContactSettings contact;
  contact["restitution"] = restitution, contact["duration"] = contact_time;
  WorldSettings s;
  s.laws = law_table("linear", {Material{}}, [&](auto, auto) { return contact; });
  s.gravity = {}, s.rotation = false, s.skin = sphere_radius;
  s.cell = PeriodicCell::from({}, {length, length, length});
  Uniform uniform;
  const auto draw = [&] { return Vector{uniform(0, length), uniform(0, length), uniform(0, length)}; };
  std::vector<GrainData> grains =
      scattered(s, std::vector<Real>(static_cast<std::size_t>(count), sphere_radius), density, draw);
  give_velocities(grains, uniform);

  ValidationRun run = bulk_run(s, grains, contact_time / steps_per_contact);
  const World& w = run.world();
  const auto temperature = [&] { return 2 * w.energies().kinetic / (3 * (count - 1)); };
  run.advance_to(settling_collisions / theory.frequency(theory.mass * speed * speed));
  const Real start = w.time(), hot = temperature(), cooling = theory.cooling(hot);
  const auto collisions = [&] { return static_cast<Real>(w.contact_count().begun); };
  const Real before = collisions();

  // Until the theory has T = T_0 / 4.
  ValidationFigure f{"Gas", "Haff's law", "time [s]", "(T_0 / T)^(1/2)", {0}, {1}, {0}, {1}};
  Real expected_collisions = 0, frequency = theory.frequency(hot);
  for (int k = 1; k <= samples; ++k) {
    if (on_progress) on_progress(static_cast<Real>(k - 1) / samples, "gas");
    run.advance_to(start + k / (samples * cooling));
    const Real t = w.time() - start, now = temperature(), next = theory.frequency(now);
    expected_collisions += 0.5 * count * 0.5 * (frequency + next) * (t - f.found_x.back());
    frequency = next;
    f.found_x.push_back(t), f.found_y.push_back(std::sqrt(hot / now));
    f.expected_x.push_back(t), f.expected_y.push_back(1 + cooling * t);
  }
  const Real duration = f.found_x.back(), rise = f.found_y.back() - 1, found = collisions() - before;
  Real bend = 0;  // [-] largest distance from the line between the first and the last point
  for (std::size_t k = 0; k < f.found_x.size(); ++k)
    bend = std::max(bend, std::fabs(f.found_y[k] - 1 - rise * f.found_x[k] / duration) / rise);
  Real size = 0;  // [kg m/s]
  for (int i = 0; i < count; ++i) size += theory.mass * norm(w.velocity(i));

  // Collisions come at random. Their number n varies by n^(1/2), and the energy they take by (2 n)^(1/2) times the mean
  // of one, as v_n^2 has an exponential distribution. 3.5 standard deviations are allowed. Between fixed ends a random
  // walk stays within 2 standard deviations of the whole walk about as surely. A contact of finite duration may meet a
  // third grain: up to frequency times duration of all do. The scheme is (pi / steps)^2 / 8 off in a contact.
  const Real third = theory.frequency(hot) * contact_time, of_energy = std::sqrt(2 / expected_collisions);
  const Real per_step = pi / steps_per_contact, scheme = per_step * per_step / 8;
  const char* const source = "Haff, J. Fluid Mech. 134 (1983) 401; van Noije & Ernst, Granular Matter 1 (1998) 57";
  ValidationCase c;
  c.rows.push_back(
      {"Gas", "rate of cooling", "1/s", cooling, rise / duration, 3.5 * of_energy + third + scheme, true, source});
  c.rows.push_back({"Gas", "collisions per grain", "1", 2 * expected_collisions / count, 2 * found / count,
                    3.5 / std::sqrt(expected_collisions) + third, true, "kinetic theory, Carnahan & Starling"});
  c.rows.push_back({"Gas", "largest distance of (T_0 / T)^(1/2) from a straight line, over its rise", "1", 0, bend,
                    2 * of_energy + third, false, source});
  // Each kick of a grain in contact rounds its velocity; two kicks a step.
  const Real kicks = (settling_collisions + 2 * found / count) * 2 * (steps_per_contact + 1);
  c.rows.push_back({"Gas", "total momentum, over the sum of mass times speed", "1", 0, norm(w.momenta().linear) / size,
                    kicks * 0x1p-52, false, "conservation of momentum"});
  c.figures.push_back(f);
  return c;
}

}  // namespace cairn::studies
