#include "stability_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/formats/table.hpp"
#include "cairn/output/run_folder.hpp"
#include "cairn/report/stability_json.hpp"
#include "cairn/run/case_stability.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/scheme_choice.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

void warn(const std::string& warning) {
  if (!warning.empty()) print_error("warning: " + warning + "\n");
}

std::string names_of(const auto& list) {
  std::string names;
  for (const auto& one : list) names += (names.empty() ? "" : ", ") + one.name;
  return names.empty() ? "none" : names;
}

// The grains of a checkpoint name materials and walls by their numbers.
void require_alike(const Scenario& file, const Scenario& run, const CaseStabilityOptions& o) {
  const auto require = [&](const char* what, const std::string& wanted, const std::string& found) {
    if (wanted != found)
      throw Error(Exit::bad_input, fmt::format("--at {}: found a run with the {} {}; expected those of {}: {}", o.at,
                                               what, found, o.file, wanted));
  };
  require("materials", names_of(file.materials), names_of(run.materials));
  require("walls", names_of(file.walls), names_of(run.walls));
  if (file.dimension != run.dimension)
    throw Error(Exit::bad_input, fmt::format("--at {}: found a run in {} dimensions; expected {}, as {} has it", o.at,
                                             run.dimension, file.dimension, o.file));
}

Scenario scenario_of(const CaseStabilityOptions& o) {
  std::optional<Scenario> file;
  if (!o.file.empty()) file = read_scenario(o.file, o.overrides);
  if (o.at.empty()) return *std::move(file);
  std::string warning;
  ScenarioSource source = RunFolder::read_source(o.at, warning);
  if (!file) source.overrides.insert(source.overrides.end(), o.overrides.begin(), o.overrides.end());
  Scenario run = parse_scenario(source.text, source.name, source.overrides);
  if (!file) return run;
  require_alike(*file, run, o);
  return *std::move(file);
}

// At its start, or at the checkpoint. A step that the guards would refuse is shown, not refused.
std::unique_ptr<Simulation> simulation_of(const CaseStabilityOptions& o) {
  Scenario scenario = scenario_of(o);
  require_soft_law(scenario.law, "cairn stability");
  for (const char* guard : {"step", "overlap"}) scenario.guards[guard] = GuardAction::off;
  if (o.at.empty()) load_data(scenario);
  auto simulation = std::make_unique<Simulation>(std::move(scenario));
  if (o.at.empty()) {
    simulation->start();
  } else {
    std::string warning;
    RunFolder::look_at(o.at, *simulation, warning);
    warn(warning);
  }
  return simulation;
}

// The least of the limits that there are.
Real least_limit(const CaseStability& of, const SchemeOnNetwork& row) {
  Real least = std::numeric_limits<Real>::infinity();
  for (const Real limit : {row.first_touch, row.packed, of.contacts > 0 ? row.limit : 0})
    if (limit > 0) least = std::min(least, limit);
  return std::isfinite(least) ? least : 0;
}

std::string seconds(const SchemeOnNetwork& row, Real a) {
  const SchemeEntry& scheme = scheme_named(row.scheme);
  if (scheme.claims.adaptive) return "adaptive";
  if (scheme.stability(0) == 0) return "weakly unst.";
  return std::isinf(a) || a == 0 ? "-" : fmt::format("{:.6g}", a);
}

void print_rate(const char* name, const char* unit, const SharpRate& rate, Real bound,
                const CaseStability::Words& words) {
  if (!(rate.value > 0)) return print(fmt::format("{} = 0\n", name));
  print(fmt::format("{} = {:.8g} {}, residual {:.1g}; never above {:.6g} {}\n", name, rate.value, unit, rate.residual,
                    bound, unit));
  print(fmt::format("  moves most     {}\n  strained most  {}\n  there          {}\n", words.body, words.contact,
                    words.formula));
}

void print_case(const CaseStability& of, bool map) {
  print(fmt::format("{} grains; contacts: {}, at t = {} s; contacts are assumed to stick\n", of.grains, of.contacts,
                    brief(of.time)));
  if (of.contacts > 0) {
    print_rate("lambda_K", "1/s^2", of.rates.stiffness, of.bound.stiffness, of.stiffest);
    print(fmt::format("  omega_max      {:.7g} 1/s, 2/omega_max = {:.6g} s\n", std::sqrt(of.rates.stiffness.value),
                      2 / std::sqrt(of.rates.stiffness.value)));
    print_rate("lambda_C", "1/s", of.rates.damping, of.bound.damping, of.most_damped);
  }
  print_table(fmt::format("\n{:<30} {:>6} {:>13} {:>13} {:>13} {:>10}\n", "stable steps [s]", "forces", "network",
                          "first touch", "foretold", "step/limit"));
  for (const SchemeOnNetwork& row : of.schemes) {
    const Real least = least_limit(of, row);
    print(fmt::format("{:<30} {:>6} {:>13} {:>13} {:>13} {:>10}{}\n", row.scheme, row.force_evaluations,
                      seconds(row, row.limit), seconds(row, row.first_touch), seconds(row, row.packed),
                      least > 0 ? fmt::format("{:.3g} %", 100 * of.step / least) : "-",
                      row.scheme == of.scheme ? "  in use" : ""));
  }
  print(
      "The limit of a network is certain for schemes with one force evaluation per step, and a forecast for others.\n");
  if (map) {
    print_table(fmt::format("\n{:<30} {:>13} {:>13} {:>8} {:>15} {:>15}\n", "the scheme's own map", "limit [s]",
                            "own [s]", "ratio", "at 0.95 limit", "at 1.1 own"));
    for (const SchemeOnNetwork& row : of.schemes)
      if (row.map_limit > 0)
        print(fmt::format("{:<30} {:>13.6g} {:>13.6g} {:>8.4f} {:>15.4g} {:>15.4g}\n", row.scheme, row.limit,
                          row.map_limit, row.map_limit / row.limit, row.growth_below, row.growth_above));
  }
  if (map) print("The last two columns: growth of a motion from the first to the second half of 1000 steps.\n");
  if (!of.folklore.empty())
    print_table(
        fmt::format("\n{:<24} {:>13} {:>10}  rules of thumb, which know no dashpots, no network and no scheme\n",
                    "folklore", "[s]", "step/it"));
  for (const RuleOfThumb& rule : of.folklore)
    print(
        fmt::format("{:<24} {:>13.6g} {:>10.3g}  {}\n", rule.name, rule.seconds, of.step / rule.seconds, rule.formula));
}

void write_csv(const std::string& path, const CaseStability& of) {
  constexpr const char* s = "s";
  const std::vector<Table::Column> columns{
      {"scheme", "1"}, {"force_evaluations", "1"}, {"network", s}, {"first_touch", s}, {"foretold", s}, {"own_map", s}};
  Table table = Table::create(path, CAIRN_VERSION, columns, Place::given);
  for (const SchemeOnNetwork& row : of.schemes)
    table.row({row.scheme, std::int64_t{row.force_evaluations}, row.limit, row.first_touch, row.packed, row.map_limit});
  table.close();
}

}  // namespace

void stability_of_case(const CaseStabilityOptions& o) {
  const CaseStability of =
      case_stability(*simulation_of(o), o.schemes.empty() ? schemes_for_case(o.map) : o.schemes, o.map);
  if (o.json)
    print(to_json(of, o.map));
  else
    print_case(of, o.map);
  if (!o.csv.empty()) write_csv(o.csv, of);
}

}  // namespace cairn
