// Cairn used from outside its tree, through the one public header. docs/library.md tells this program part by part.
#include <cairn/cairn.hpp>
#include <cairn/integrate/scheme.hpp>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>

namespace {

int failures = 0;

void check(bool holds, const std::string& what) {
  if (holds) return;
  std::printf("failed: %s\n", what.c_str());
  ++failures;
}

constexpr double g = 9.81, radius = 0.05, mass = 0.1, stiffness = 1e4;  // [m/s^2] [m] [kg] [N/m]

cairn::Scenario two_grains_and_a_floor() {
  cairn::Scenario scenario;
  scenario.step = 1e-4;  // s
  scenario.end = 0.3;    // s
  scenario.gravity = {0, 0, -g};
  scenario.materials = {{.name = "steel", .density = 7800}};
  scenario.contact["stiffness"] = stiffness;
  scenario.contact["restitution"] = 1;
  scenario.contact["friction"] = 0.3;
  scenario.walls = {{.name = "floor", .material = "steel", .shape = cairn::PlaneWall{.normal = {0, 0, 1}}}};
  scenario.grain = {{.position = {0, 0, radius}, .radius = radius, .mass = mass},
                    {.position = {1, 0, 2}, .velocity = {0.5, 0, 0}, .radius = radius, .mass = mass}};
  return scenario;
}

// Grain 0 is let go where it just touches the floor and swings on its spring; grain 1 flies.
double swinging_height(double t) {
  const double omega = std::sqrt(stiffness / mass);
  return radius - g / (omega * omega) * (1 - std::cos(omega * t));
}

void run_a_scenario(const std::string& scheme, double tolerance) {
  cairn::Scenario scenario = two_grains_and_a_floor();
  scenario.scheme = scheme;
  scenario.series_every = 0.01;  // s

  cairn::Simulation simulation(scenario);
  simulation.start();
  const cairn::World& world = simulation.world();
  for (unsigned due = 0; !(due & cairn::Occasion::finished);) {
    due = simulation.advance();
    const auto synchronised = simulation.synchronised();
    simulation.observe();
    const int swinging = world.grains().index(0), flying = world.grains().index(1);
    const double t = world.time();
    const double error = std::hypot(world.position(swinging).z - swinging_height(t),  //
                                    world.position(flying).x - (1 + 0.5 * t),         //
                                    world.position(flying).z - (2 - g * t * t / 2));
    check(error < tolerance, scheme + ": positions off by " + std::to_string(error) + " m");
    check(std::fabs(world.velocity(flying).z + g * t) < 1e-12, scheme + ": the flying grain's velocity");
  }
  check(std::fabs(world.residual()) < tolerance, scheme + ": the ledger's residual");
  check(std::fabs(simulation.residual_fraction()) < 1e-5, scheme + ": the residual beside the energy exchanged");
  check(simulation.steps() == 3000, scheme + ": the number of steps");
  for (const cairn::GuardReport& guard : simulation.guards()) check(guard.message.empty(), guard.message);
  std::printf("%-27s residual %.2g J, state %016llx\n", scheme.c_str(), world.residual(),
              static_cast<unsigned long long>(world.hash()));
}

void move_a_world_by_hand() {
  cairn::Scenario scenario = two_grains_and_a_floor();
  scenario.contact["restitution"] = 0.5;
  cairn::World world(cairn::world_settings(scenario));
  const cairn::GrainData grains[] = {
      {.position = {0, 0, radius}, .radius = radius, .mass = mass},
      {.position = {0, 0, 3 * radius}, .velocity = {0, 0, -0.1}, .radius = radius, .mass = mass}};
  world.insert(grains);
  world.begin();

  const cairn::SchemeEntry& rk4 = cairn::scheme_named("rk4");
  while (world.time() < 1) rk4.advance(world, 1e-4);

  // They rest on each other: the floor carries both, the lower spring is pressed twice as far as the upper.
  check(world.contacts() == 2, "two closed contacts");
  for (int i : world.grains().by_id()) {
    const int touching = world.coordination()[i];
    check(touching == (world.grains().id[i] == 0 ? 2 : 1), "who touches whom");
  }
  check(std::fabs(world.wall_loads()[0].force.z + 2 * mass * g) < 1e-6, "the floor carries two grains");
  const double sunk = radius - world.position(world.grains().index(0)).z;
  check(std::fabs(sunk - 2 * mass * g / stiffness) < 1e-9, "the lower grain's depth");
  check(world.state().ledger[cairn::Channel::dashpot] > 0, "dashpots took energy");
  check(std::fabs(world.residual()) < 1e-3 * world.state().ledger[cairn::Channel::dashpot], "the ledger closes");
}

// Heun's method: a scheme that Cairn does not have.
struct Heun2 {
  static constexpr cairn::Claims claims{.name = "heun2", .order = 2, .force_evaluations = 2};
  static constexpr cairn::Tableau<2> tableau{.a = {{{}, {1}}}, .b = {0.5, 0.5}};
};

void move_a_world_by_a_scheme_of_ones_own() {
  const auto error_with = [](double h) {
    cairn::World world(cairn::world_settings(two_grains_and_a_floor()));
    const cairn::GrainData grain{.position = {0, 0, radius}, .radius = radius, .mass = mass};
    world.insert({&grain, 1});
    world.begin();
    while (world.time() < 0.012) cairn::advance<Heun2>(world, h);
    return std::fabs(world.position(0).z - swinging_height(world.time()));
  };
  const double ratio = error_with(2e-5) / error_with(1e-5);
  check(std::fabs(ratio - 4) < 0.1, "Heun's method is of second order: " + std::to_string(ratio));
}

void read_a_scenario() {
  const char* text = R"(
    [run]
    step = 1e-4
    end = 0.05
    [contact]
    law = "linear"
    stiffness = 2e4
    restitution = 0.7
    [[wall]]
    name = "floor"
    type = "plane"
    point = [0, 0, 0]
    normal = [0, 0, 1]
    [[grains]]
    kind = "lattice"
    low = [0, 0, 0]
    high = [0.1, 0.1, 0.1]
    radius = 0.01
  )";
  const std::string overrides[] = {"run.scheme=dormand_prince54", "contact.friction=0.2"};
  cairn::Simulation simulation(cairn::parse_scenario(text, "handful", overrides));
  simulation.start();
  while (!simulation.over()) simulation.advance();
  check(simulation.world().size() == 64, "grains of the lattice");
  check(simulation.world().energies().kinetic > 0, "they move");
}

// The code of the error an action ends with.
template <class Action>
cairn::Exit code_of(Action&& action) {
  try {
    action();
  } catch (const cairn::Error& error) {
    return error.code();
  }
  return cairn::Exit::ok;
}

void errors_are_thrown() {
  check(code_of([] { cairn::parse_scenario("[run]\nstepp = 1\n", "bad"); }) == cairn::Exit::bad_input, "misspelt key");
  check(code_of([] { cairn::read_scenario("there is no such file.toml"); }) == cairn::Exit::io, "missing file");
  check(code_of([] { cairn::scheme_named("rk5"); }) == cairn::Exit::bad_input, "no such scheme");
  check(code_of([] { cairn::World(cairn::WorldSettings{}); }) == cairn::Exit::bad_input, "a world without law");

  cairn::Scenario scenario = two_grains_and_a_floor();
  cairn::World world(cairn::world_settings(scenario));
  const cairn::GrainData bad[] = {{.radius = radius, .mass = mass},
                                  {.radius = radius, .mass = mass, .material = 1},
                                  {.position = {0, NAN, 0}, .radius = radius, .mass = mass},
                                  {.radius = radius, .mass = 0},
                                  {.radius = INFINITY, .mass = mass}};
  for (std::size_t k = 1; k < std::size(bad); ++k) {
    const cairn::GrainData both[] = {bad[0], bad[k]};
    check(code_of([&] { world.insert(both); }) == cairn::Exit::bad_input, "bad grain " + std::to_string(k));
  }
  check(world.size() == 0, "nothing of what was refused is in the world");

  scenario.step = 0.1;
  check(code_of([&] { cairn::Simulation(scenario).start(); }) == cairn::Exit::guard, "a step above the limit");
  scenario.materials.clear();
  check(code_of([&] { cairn::Simulation(scenario).start(); }) == cairn::Exit::bad_input, "the unknown material");
}

}  // namespace

int main() {
  run_a_scenario("rk4", 1e-9);
  run_a_scenario("velocity_verlet_predicted", 1e-6);
  move_a_world_by_hand();
  move_a_world_by_a_scheme_of_ones_own();
  read_a_scenario();
  errors_are_thrown();
  std::printf("%d failed\n", failures);
  return failures;
}
