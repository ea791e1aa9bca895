#include "cairn/io/scenario_data.hpp"

#include "cairn/io/lammps_data.hpp"

namespace cairn {

void load_data(Scenario& scenario) {
  constexpr Real pi = 3.14159265358979323846;
  for (GrainsSpec& spec : scenario.grains) {
    if (spec.kind != GrainsSpec::Kind::data) continue;
    for (const LammpsData::Grain& g : read_lammps_data(spec.file).grains) {
      GrainSpec grain{.position = g.position, .velocity = g.velocity, .spin = g.spin, .radius = g.diameter / 2};
      grain.mass = g.density * pi / 6 * g.diameter * g.diameter * g.diameter;
      grain.material = spec.material;
      spec.list.push_back(grain);
    }
  }
}

}  // namespace cairn
