// Whole scenarios with every scheme of the catalogue.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "cairn/io/run_folder.hpp"
#include "cairn/io/scenario_file.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/simulation.hpp"
#include "fresh_folder.hpp"

using namespace cairn;

namespace {

// All a soft-contact scenario can have: 3D, a period, rotation, friction, dashpots, a drum that turns, a plate that
// is shaken, grains that come and go. A contact lasts forty steps; a grain of the bed has several.
const std::string drum = R"(
[run]
step = 1.25e-5
end = 0.01
[space]
periodic_y = [0, 0.016]
[[material]]
name = "glass"
density = 2500
young = 1e7
[contact]
restitution = 0.7
friction = 0.4
[search]
skin = 2e-4
[[wall]]
name = "drum"
type = "cylinder"
axis = [0, 1, 0]
radius = 0.016
motion = { axis = [0, 1, 0], rate = 30 }
[[wall]]
name = "plate"
point = [0.012, 0, 0]
normal = [-1, 0, 0]
motion = { amplitude = [2e-4, 0, 0], frequency = 150 }
[[grains]]
kind = "random"
region_radius = 0.0135
region_length = 0.016
center = [-0.001, 0.008, -0.001]
axis = [0, 1, 0]
radius = 2e-3
radius_spread = 0.2
count = 60
velocity = [0.2, 0.1, -0.4]
[[emitter]]
low = [-0.009, 0, 0.005]
high = [0.009, 0.016, 0.012]
rate = 2000
radius = 1.8e-3
radius_spread = 0.2
velocity = [0, 0, -0.5]
[[removal]]
name = "drain"
low = [-0.016, 0, -0.016]
high = [-0.004, 0.008, -0.01]
from = 3e-3
[output]
pictures = 0
)";

const std::vector<std::string> linear{"contact.duration=5e-4", "contact.tangential_damping_per_mass=200"};
const std::vector<std::string> hertz{"contact.law=hertz_mindlin"};

// Contacts of both laws last some forty steps at the speeds there are.
struct Case {
  const char* law;
  std::vector<std::string> overrides;
};
const Case cases[] = {{"linear", {"contact.duration=5e-4", "contact.tangential_damping_per_mass=200"}},
                      {"hertz_mindlin", {"contact.law=hertz_mindlin"}}};

struct Result {
  std::uint64_t hash;
  Books books;
  std::int64_t steps, removed, emitted, force_passes, rejected;
  bool operator==(const Result&) const = default;
};

Result result_of(Simulation& s) {
  return {s.world().hash(),
          s.world().state().books,
          s.steps(),
          s.removals().grains(0),
          s.emitters().emitted(0),
          s.world().force_passes(),
          s.world().controller().rejected};
}

void run_to_end(Simulation& s) {
  while (!(s.advance() & finished)) {
  }
}

Scenario scenario(const std::vector<std::string>& overrides) {
  return parse_scenario(drum, "test.toml", overrides);
}

}  // namespace

TEST_CASE("every scheme runs a drum with everything: on one and two threads, and resumed half way, to the same bits") {
  for (const Case& c : cases) {
    for (const SchemeEntry& scheme : scheme_catalogue()) {
      INFO(std::string(scheme.claims.name), ", ", std::string(c.law));
      std::vector<std::string> with = c.overrides;
      with.push_back("run.scheme=" + std::string(scheme.claims.name));
      Simulation whole(scenario(with));
      whole.start();
      if (scheme.claims.name == "rkf45_relative") {
        // Where a contact begins, the rates of dashpots and springs jump, and its error per second of motion is the
        // same at every step, however small. It has to say so.
        check_error(Exit::guard, "the smallest step 1.25e-11 s was rejected at t = ", [&] { run_to_end(whole); });
        continue;
      }
      run_to_end(whole);
      {
        const auto synchronised = whole.synchronised();
        whole.observe();  // throws where the ledger does not close to 10 %
      }
      const Result result = result_of(whole);
      CHECK(whole.over());
      CHECK(whole.world().rebuilds() > 20);
      CHECK(result.removed >= 1);
      CHECK(result.emitted >= 10);
      for (const Channel channel : {dashpot, slip, clip}) CHECK(result.books[channel] > 0);
      if (scheme.claims.order_damped > 1) CHECK(std::fabs(whole.residual_fraction()) < 0.03);

      Simulation on_two(scenario(with));
      on_two.world().set_threads(2);
      on_two.start();
      run_to_end(on_two);
      CHECK(result_of(on_two) == result);

      const FreshFolder folder;
      const ScenarioSource source{"test.toml", drum, with};
      {
        Simulation half(scenario(with));
        half.start();
        RunFolder run = RunFolder::create(FolderLock::make(folder / "out"), source, half);
        while (half.steps() < result.steps / 2) half.advance([&] { return half.steps() >= result.steps / 2; });
        run.save_checkpoint();
      }
      Simulation resumed(scenario(with));
      RunFolder::resume(FolderLock(folder / "out"), source, resumed);
      CHECK(resumed.steps() == result.steps / 2);
      run_to_end(resumed);
      CHECK(result_of(resumed) == result);
    }
  }
}
