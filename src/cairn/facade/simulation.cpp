// The C interface of a simulation, but for its arrays.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cairn/facade/faults.hpp"
#include "cairn/facade/guarded.hpp"
#include "cairn/facade/held_simulation.hpp"
#include "cairn/report/stability_json.hpp"
#include "cairn/report/summary_json.hpp"
#include "cairn/run/case_stability.hpp"
#include "cairn/scenario/change_reader.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"

using namespace cairn;
using namespace cairn::facade;

namespace {

void require_simulation(const cairn_simulation* s) {
  require(s != nullptr, "a simulation");
}

// Steps until `steps` are done, `until` is reached or the run is over.
void advance(cairn_simulation& s, std::int64_t steps, Real until) {
  Simulation& simulation = s.moving();
  const std::int64_t last = steps < std::numeric_limits<std::int64_t>::max() - simulation.steps()
                                ? simulation.steps() + steps
                                : std::numeric_limits<std::int64_t>::max();
  constexpr Real round_off = 1e-12;  // [-] of a time
  const auto done = [&] { return simulation.steps() >= last || simulation.world().time() >= until * (1 - round_off); };
  while (!simulation.over() && !done()) {
    const unsigned due = s.moving().advance(done);
    s.record(due);
  }
  s.record_end();
}

}  // namespace

extern "C" {

int cairn_validate(const cairn_scenario* scenario, cairn_buffer* json) {
  return guarded([&] {
    const ScenarioSource source = source_of(scenario);
    std::string text;
    try {
      parse_scenario(source.text, source.name, source.overrides);
    } catch (const Error& e) {
      text = e.what();
    }
    give(json, faults_json(text, source));
  });
}

int cairn_simulation_new(const cairn_scenario* scenario, int32_t threads, cairn_simulation** simulation) {
  return guarded([&] {
    require(simulation != nullptr && threads >= 0, "a place for the simulation, and threads >= 0");
    ScenarioSource source = source_of(scenario);
    Scenario whole = whole_scenario(scenario);
    if (threads > 0) whole.threads = threads;
    auto made = std::make_unique<cairn_simulation>(std::move(source), std::move(whole));
    made->start();
    *simulation = made.release();
  });
}

int cairn_simulation_resume(const char* bytes, size_t size, const char* const* overrides, size_t count, int32_t threads,
                            cairn_simulation** simulation) {
  return guarded([&] {
    require(bytes != nullptr && simulation != nullptr && threads >= 0,
            "bytes, a place for the simulation, threads >= 0");
    const ArchiveReader archive = ArchiveReader::parse(std::string(bytes, size), "the checkpoint");
    ScenarioSource source = saved_source(archive);
    for (const std::string& o : texts_of(overrides, count)) {
      if (!resume_may_set(o.substr(0, o.find('='))))
        throw Error(Exit::bad_input, "--set " + o + ": expected " + keys_of_resume + " at a checkpoint");
      source.overrides.push_back(o);
    }
    Scenario scenario = parse_scenario(source.text, source.name, source.overrides);
    if (threads > 0) scenario.threads = threads;
    auto made = std::make_unique<cairn_simulation>(std::move(source), std::move(scenario));
    made->load(archive);
    *simulation = made.release();
  });
}

void cairn_simulation_free(cairn_simulation* simulation) {
  delete simulation;
}

int cairn_advance(cairn_simulation* simulation, int64_t steps, double until) {
  return guarded([&] {
    require_simulation(simulation);
    require(steps >= 0 && !std::isnan(until), "steps >= 0 and a time");
    advance(*simulation, steps, until);
  });
}

int cairn_look(cairn_simulation* simulation, int32_t with_hash, cairn_status* status) {
  return guarded([&] {
    require_simulation(simulation);
    require(status != nullptr, "a place for the status");
    // Only the hash sees velocities, and staggered ones take a copy of the state to bring to the time of positions.
    const Simulation& s = with_hash ? simulation->at_positions() : *simulation->simulation;
    const World& w = s.world();
    *status = {.time = w.time(),
               .end = s.scenario().end,
               .step = w.steps() > 0 ? w.last_step() : s.scenario().step,
               .steps = w.steps(),
               .steps_left = s.total_steps() > 0 ? s.total_steps() - s.steps() : -1,
               .grains = w.size(),
               .over = s.over(),
               .dimension = s.scenario().dimension,
               .hash = with_hash ? w.hash() : 0};
  });
}

int cairn_change(cairn_simulation* simulation, const char* const* overrides, size_t count) {
  return guarded([&] {
    require_simulation(simulation);
    simulation->change(texts_of(overrides, count));
  });
}

int cairn_checkpoint(cairn_simulation* simulation, cairn_buffer* bytes) {
  return guarded([&] {
    require_simulation(simulation);
    give(bytes, simulation->checkpoint());
  });
}

int cairn_scenario_of(cairn_simulation* simulation, cairn_buffer* json) {
  return guarded([&] {
    require_simulation(simulation);
    const ScenarioSource& source = simulation->source;
    give(json,
         nlohmann::ordered_json{{"name", source.name}, {"text", source.text}, {"overrides", source.overrides}}.dump());
  });
}

int cairn_summary(cairn_simulation* simulation, double seconds, cairn_buffer* json) {
  return guarded([&] {
    require_simulation(simulation);
    const ScenarioSource& source = simulation->source;
    Simulation& s = simulation->at_positions();
    s.measure();
    const std::int64_t made = simulation->grain_steps_before + s.grain_steps();
    const TimeTaken taken = simulation->taken_before + TimeTaken{seconds, static_cast<Real>(made)};
    RunSummary summary = run_summary(s, {taken, s.over() ? "" : "the caller"});
    if (summary.scenario.empty()) summary.scenario = source.name;
    summary.scenario_file = source.name, summary.scenario_text = source.text, summary.settings = source.overrides;
    if (simulation->look) summary.picture_colours = colour_summary(*simulation->look, s.scenario());
    summary.citation =
        "Cairn " CAIRN_VERSION ", a discrete element engine (2026). State hash of this run: " + summary.state_hash +
        ".";
    summary.versions = {CAIRN_VERSION, __VERSION__};
    give(json, to_json(summary));
  });
}

int cairn_messages(cairn_simulation* simulation, cairn_buffer* json) {
  return guarded([&] {
    require_simulation(simulation);
    nlohmann::ordered_json messages = nlohmann::ordered_json::object();
    for (const GuardReport& g : simulation->simulation->guards())
      if (!g.message.empty()) messages[g.name] = g.message;
    give(json, messages.dump());
  });
}

int cairn_sample(cairn_simulation* simulation, double* values, int64_t count) {
  return guarded([&] {
    require_simulation(simulation);
    require(values != nullptr && count == std::ssize(simulation->columns), "a double for each field of the series");
    const RecordSample sample = record_sample(std::as_const(simulation->at_positions()));
    for (const RecordColumn& column : simulation->columns)
      *values++ = std::visit([](const auto a) { return static_cast<Real>(a); }, column.value(sample));
  });
}

int cairn_case_stability(cairn_simulation* simulation, const char* schemes, int32_t own_maps, cairn_buffer* json) {
  return guarded([&] {
    require_simulation(simulation);
    std::vector<const SchemeEntry*> chosen = schemes_of(schemes);
    if (chosen.empty()) chosen = schemes_for_case(own_maps != 0);
    give(json, to_json(case_stability(simulation->at_positions(), chosen, own_maps != 0), own_maps != 0));
  });
}

}  // extern "C"
