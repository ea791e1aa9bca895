// cairn check: what a scenario would do, before it does it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cairn/core/text.hpp"
#include "cairn/formats/duration.hpp"
#include "cairn/output/forecast.hpp"
#include "cairn/report/contact_words.hpp"
#include "cairn/report/summary_json.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

std::string bytes(Real count) {
  constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  int k = 0;
  for (; count >= 1000 && k < 4; ++k) count /= 1000;
  return fmt::format("{:.3g} {}", count, units[k]);
}

nlohmann::ordered_json as_json(const Simulation& s, const Forecast& f, const ContactSummaries& contacts,
                               const std::optional<ShortestCollision>& shortest, std::int64_t grains, bool sampled,
                               const std::vector<std::string>& warnings) {
  nlohmann::ordered_json j;
  j["title"] = s.scenario().title;
  j["scheme"] = s.scheme().name;
  j["law"] = s.scenario().law;
  j["grains"] = grains;
  j["sampled"] = sampled;
  j["grains_at_the_end"] = f.grains;
  j["step"] = s.scenario().step;
  if (s.scenario().chooses_step) j["step_reason"] = s.step_choice().reason(0);
  j["step_limit"] = s.step_limit();
  j["steps"] = f.steps;
  j["threads"] = s.scenario().threads;
  j["seconds"] = f.seconds;
  j["memory_bytes"] = f.memory;
  j["memory_bytes_per_grain"] = f.memory / static_cast<Real>(std::max<std::int64_t>(1, f.grains));
  j["disk_bytes"] = f.disk;
  auto& pairs = j["contacts"] = nlohmann::ordered_json::array();
  for (const ContactSummary& c : contacts.shortest)
    pairs.push_back({{"first", c.first},
                     {"second", c.second},
                     {"restitution", c.restitution},
                     {"friction", c.friction},
                     {"duration", c.duration},
                     {"steps", c.duration / s.scenario().step}});
  j["contacts_in_all"] = contacts.pairs;
  auto& assumed = j["assumed"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : assumed_parameters(s.scenario()))
    assumed[name] = {{"value", value.value}, {"text", value.text}};
  j["onset"] = s.world().settings().onset;
  j["shortest_collision"] = nlohmann::ordered_json::parse(to_json(shortest));
  j["errors"] = nlohmann::ordered_json::array();
  j["warnings"] = warnings;
  return j;
}

// What is known without a step.
void print_facts(const std::string& file, const Simulation& s, const ContactSummaries& contacts,
                 const std::optional<ShortestCollision>& shortest, std::optional<std::int64_t> of) {
  const Scenario& scenario = s.scenario();
  const int grains = s.world().size();  // of a sample, where there are more
  Real smallest = 0, largest = 0, mass = 0;
  for (int i = 0; i < grains; ++i) {
    const Real r = s.world().grains().radius[i];
    smallest = i == 0 ? r : std::min(smallest, r), largest = std::max(largest, r);
    mass += s.world().grains().mass[i];
  }
  print(fmt::format("{}: {}\n", file, scenario.title.empty() ? "no faults" : "no faults; " + scenario.title));
  print(fmt::format("grains    {}", of.value_or(grains)));
  const Real scale = of ? static_cast<Real>(*of) / std::max(1, grains) : 1;
  if (grains > 0)
    print(fmt::format(" of radius {} to {} m, {}{} kg in all", brief(smallest), brief(largest), of ? "about " : "",
                      brief(scale * mass)));
  if (of)
    print(
        fmt::format("\n          not placed one by one: their number follows from counts and lattices, the radii, "
                    "contacts and\n          costs from {} of them; whether all find room and none overlap is not "
                    "checked",
                    grains));
  print(fmt::format("\nwalls     {}\n", scenario.walls.empty() ? "none" : fmt::format("{}", scenario.walls.size())));
  print(fmt::format("scheme    {}, law {}\n", s.scheme().name, scenario.law));
  if (!s.scheme_reason().empty()) print(fmt::format("          chosen by the program: {}\n", s.scheme_reason()));
  print(fmt::format("step      {} s", brief(scenario.step)));
  if (s.step_limit() > 0)
    print(fmt::format(", {:.2g} % of the stability limit {} s", 100 * scenario.step / s.step_limit(),
                      brief(s.step_limit())));
  if (s.scheme().claims.adaptive)
    print(fmt::format(" for the first step; the scheme then chooses steps of at most {} s",
                      brief(s.world().controller().largest)));
  else
    print(fmt::format("; {}{} steps", scenario.chooses_step ? "about " : "", s.total_steps()));
  print(fmt::format(" to t = {} s\n", brief(scenario.end)));
  if (scenario.chooses_step)
    print(fmt::format("          chosen for an accuracy of {} %: {}\n",
                      brief(100 * scenario.accuracy.value_or(usual_accuracy)), s.step_choice().reason(0)));
  for (const std::string& change : in_words(scenario.changes, scenario.end))
    print(fmt::format("change    {}\n", change));
  for (const ContactSummary& c : contacts.shortest)
    print(fmt::format(
        "contact   {} - {}: restitution {:.3g}, friction {:.3g}; the shortest contact takes {:.3g} s, {:.3g} steps\n",
        c.first, c.second, c.restitution, c.friction, c.duration, c.duration / scenario.step));
  if (const std::int64_t more = contacts.pairs - std::ssize(contacts.shortest); more > 0)
    print(fmt::format("          and {} more pairs of materials, with longer contacts\n", more));
  if (const auto assumed = assumed_parameters(scenario); !assumed.empty())
    print(fmt::format("assumed   {} (not given in [contact])\n", in_words(assumed)));
  if (shortest) print(fmt::format("onset     {}\n", in_words(*shortest, s.world().settings().onset)));
}

void print_forecast(const Simulation& s, const Forecast& f, std::int64_t grains) {
  const Scenario& scenario = s.scenario();
  const auto memory_per_grain = f.memory / static_cast<Real>(std::max<std::int64_t>(1, f.grains));
  constexpr std::int64_t many = 10000;  // with fewer most of it is the program's own
  print(fmt::format("expected  {} on {} thread{}, {} of memory{}, {} on the disk\n", duration_text(f.seconds),
                    scenario.threads, scenario.threads == 1 ? "" : "s", bytes(f.memory),
                    f.grains < many ? "" : fmt::format(" ({:.0f} B per grain)", memory_per_grain), bytes(f.disk)));
  if (s.scheme().claims.adaptive) print(fmt::format("          about {} steps\n", f.steps));
  if (f.grains > grains) print(fmt::format("          emitters will insert {} more grains\n", f.grains - grains));
  if (!scenario.removals.empty()) print("          at most: the estimate does not take removals into account\n");
}

void check(const std::string& file, const std::vector<std::string>& overrides, int threads, bool json) {
  const Real bare = resident_memory();
  Scenario read = read_scenario(file, overrides);
  if (threads > 0) read.threads = threads;
  load_data(read);
  Sample sample = sample_of(std::move(read));
  Simulation s(std::move(sample.scenario));
  s.start();
  std::vector<std::string> warnings;  // of the start; a rehearsal ends anywhere
  for (const GuardReport& g : s.guards())
    if (!g.message.empty()) warnings.push_back(g.message);
  const std::int64_t grains = sample.of.value_or(s.world().size());
  const ContactSummaries contacts = contact_summary(s.world(), s.scenario(), s.emitters().lightest());
  const std::optional<ShortestCollision> shortest = shortest_collision(s);
  if (!json) print_facts(file, s, contacts, shortest, sample.of);  // before the rehearsal, which a guard may end
  const Real patience = sample.of ? 0.2 : 1;                       // s
  const Forecast f = forecast(s, bare, patience, sample.of);
  if (json)
    return print(
        fmt::format("{}\n", as_json(s, f, contacts, shortest, grains, sample.of.has_value(), warnings).dump(2)));
  print_forecast(s, f, grains);
  for (const std::string& warning : warnings) print("warning: " + warning + "\n");
}

}  // namespace

void add_check(CLI::App& app) {
  struct Options {
    std::string file;
    std::vector<std::string> overrides;
    int threads = 0;
    bool json = false;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "check", "Check a scenario for errors and estimate time, memory and disk space; writes nothing");
  command->add_option("file", o->file, "scenario in TOML")->required()->type_name("FILE");
  command->add_option("--threads", o->threads, "number of threads")->check(CLI::Range(1, 4096));
  command->add_option("--set", o->overrides, "KEY=VALUE: set a key of the scenario")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--json", o->json, "print JSON");
  command->callback([o] {
    try {
      check(o->file, o->overrides, o->threads, o->json);
    } catch (const Error& e) {
      if (o->json)
        print(nlohmann::ordered_json{{"errors", lines_of(e.what())}}.dump(2, ' ', false,
                                                                          nlohmann::json::error_handler_t::replace) +
              "\n");
      throw;
    }
  });
}

}  // namespace cairn
