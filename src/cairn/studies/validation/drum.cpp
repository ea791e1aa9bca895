// A rotating drum: its torque holds the grains' centre of mass beside the axis.
#include <cmath>

#include "cairn/studies/validation/bulk.hpp"

namespace cairn::studies {
namespace {

// Integrals over time by the trapezoid rule: a scheme of second order kicks by the mean of a step's two ends.
class Integral {
 public:
  void add(Real h, Real value) {
    sum_ += 0.5 * h * (last_ + value);
    last_ = value;
  }
  void start(Real value) { last_ = value; }
  Real value() const { return sum_; }

 private:
  Real sum_ = 0, last_ = 0;
};

}  // namespace

// About the axis of the drum, which is y: torque of the drum on the grains + moment of their weight = rate of their
// angular momentum, and the same for forces and momentum. Nothing else acts from outside. The work of the drum is its
// rate times its torque.
ValidationCase validate_drum(const ValidationSettings& settings, const ProgressCallback& on_progress) {
  const Real drum_radius = settings.quick ? 0.04 : 0.1, length = settings.quick ? 0.02 : 0.05;  // [m]
  const Real settling = settings.quick ? 0.7 : 1, window = settings.quick ? 0.5 : 1;            // [s]
  constexpr Real radius = 0.0025, spread = 0.2, rate = 3, gravity = 9.81;                       // [m] [-] [rad/s]
  constexpr Real density = 2500, step = 5e-5;                                                   // [kg/m^3] [s]
  const int count = settings.quick ? 320 : 3500;
  ContactSettings contact;
  contact["stiffness"] = 1000, contact["restitution"] = 0.6, contact["friction"] = 0.5;
  WorldSettings s;
  s.laws = law_table("linear", {Material{}}, [&](auto, auto) { return contact; });
  s.gravity = {0, 0, -gravity};
  s.cell = PeriodicCell::from({}, {0, length, 0});
  Surface drum;
  drum.shape = InnerCylinder{drum_radius}, drum.direction = {0, 1, 0};
  drum.motion.axis = {0, 1, 0}, drum.motion.rotation_rate = rate;
  s.surfaces = {drum}, s.walls = {"drum"};
  Uniform uniform;
  std::vector<Real> radii(static_cast<std::size_t>(count));
  for (Real& r : radii) r = radius * uniform(1 - spread, 1 + spread);
  const auto draw = [&] {
    return Vector{uniform(-drum_radius, drum_radius), uniform(0, length), uniform(-drum_radius, drum_radius)};
  };
  const std::vector<GrainData> grains = scattered(s, radii, density, draw);
  Real mass = 0;
  for (const GrainData& g : grains) mass += g.mass;

  ValidationRun run = bulk_run(s, grains, step);
  const World& w = run.world();
  constexpr int pieces = 50;
  for (int k = 1; k <= pieces; ++k) {
    if (on_progress) on_progress(static_cast<Real>(k - 1) / (2 * pieces), "drum");
    run.advance_to(settling * k / pieces);
  }
  Integral torque, lift, moment;
  const auto load = [&] { return w.wall_loads()[0]; };  // of the grains on the drum
  const Momenta first = w.momenta();
  const Real first_work = w.energy_ledger()[Channel::external], begun = w.time();
  torque.start(-load().torque.y), lift.start(-load().force.z), moment.start(mass * gravity * first.barycentre.x);
  ValidationFigure f{"Drum", "Torque of a rotating drum", "time [s]", "torque [N m]", {}, {}, {}, {}};
  Momenta now = first;
  for (int k = 1; k <= pieces; ++k) {
    if (on_progress) on_progress(0.5 + static_cast<Real>(k - 1) / (2 * pieces), "drum");
    const Real from = w.time(), torque_before = torque.value(), moment_before = moment.value();
    const Momenta before = now;
    run.advance_to(settling + window * k / pieces, [&] {
      const WallLoad on_drum = load();
      now = w.momenta();
      torque.add(step, -on_drum.torque.y), lift.add(step, -on_drum.force.z);
      moment.add(step, mass * gravity * now.barycentre.x);
    });
    const Real during = w.time() - from, middle = 0.5 * (from + w.time());
    f.found_x.push_back(middle), f.found_y.push_back((torque.value() - torque_before) / during);
    f.expected_x.push_back(middle);
    f.expected_y.push_back((now.angular.y - before.angular.y - (moment.value() - moment_before)) / during);
  }
  const Real during = w.time() - begun;
  const Real needed = now.angular.y - first.angular.y - moment.value();  // [N m s]
  const char* const source = "Euler's second law";
  // Kicks use the force at a predicted velocity; the recorded loads of the drum use the velocity after the kick. If the
  // dashpot's force gamma v begins with a jump, they differ by gamma h / (2 m) of it for one step. That is (gamma h /
  // m)^2 / (2 (1 + e)) of an impact, a thousandth for the smallest grains. The ledger uses the force of the kicks.
  constexpr Real bound = 1e-3, of_ledger = 1e-9;
  ValidationCase c;
  c.rows.push_back(
      {"Drum", "mean torque of the drum", "N m", needed / during, torque.value() / during, bound, true, source});
  c.rows.push_back({"Drum", "mean upward force of the drum", "N",
                    mass * gravity + (now.linear.z - first.linear.z) / during, lift.value() / during, bound, true,
                    "Newton's second law"});
  c.rows.push_back({"Drum", "work of the drum in the ledger", "J", rate * needed,
                    w.energy_ledger()[Channel::external] - first_work, of_ledger, true, source});
  c.figures.push_back(f);
  return c;
}

}  // namespace cairn::studies
