#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cairn/run/registry.hpp"
#include "commands.hpp"

namespace cairn {
namespace {

void list_schemes(bool json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  if (!json)
    fmt::print("{:<27}{:<12}{:>5} {:>7} {:>7} {:>8} {:>6} {:>7}  {:<10} {:>9}\n", "scheme", "family", "order", "damped",
               "spring", "sliding", "calls", "memory", "", "h omega <");
  for (const SchemeEntry& e : scheme_catalogue()) {
    const Claims& c = e.claims;
    const Real stability = e.stability(0);
    if (json)
      list.push_back({{"name", c.name},
                      {"family", c.family},
                      {"order", c.order},
                      {"order_damped", c.order_damped},
                      {"order_spring", c.order_spring},
                      {"order_sliding", c.order_sliding},
                      {"calls", c.calls},
                      {"memory", c.memory},
                      {"symplectic", c.symplectic},
                      {"adaptive", c.adaptive},
                      {"stability", stability},  // null: without limit
                      {"staggered", e.staggered},
                      {"reference", c.reference}});
    else
      fmt::print("{:<27}{:<12}{:>5} {:>7} {:>7} {:>8} {:>6} {:>7}  {:<10} {:>9}\n", c.name, c.family, c.order,
                 c.order_damped, c.order_spring, c.order_sliding, c.calls, c.memory,
                 c.symplectic ? "symplectic"
                 : c.adaptive ? "adaptive"
                              : "",
                 stability > 0 ? fmt::format("{:.4f}", stability) : "-");
  }
  if (json)
    fmt::print("{}\n", list.dump(2));
  else
    fmt::print(
        "\norder: on a smooth force; damped: with a dashpot; spring: with a turning friction spring; sliding:\nwhile "
        "it slides and turns; calls: force\n"
        "evaluations per step; h omega <: limit of stability without damping, - where weakly unstable; see cairn "
        "stability.\n");
}

}  // namespace

void add_schemes(CLI::App& app) {
  CLI::App* command = app.add_subcommand("schemes", "List the time-integration schemes");
  CLI::Option* json = command->add_flag("--json")->description("machine-readable");
  command->callback([json] { list_schemes(json->count() > 0); });
}

}  // namespace cairn
