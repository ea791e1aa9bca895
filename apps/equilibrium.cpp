// cairn equilibrium: the static state of a scenario, as a start for a run.
#include "cairn/statics/equilibrium.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cairn/core/suggest.hpp"
#include "cairn/core/text.hpp"
#include "cairn/formats/earlier_results.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/table.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/output/run_folder.hpp"
#include "cairn/render/figure.hpp"
#include "cairn/render/page.hpp"
#include "cairn/report/report.hpp"
#include "cairn/run/scheme_choice.hpp"
#include "cairn/run/static_start.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "stop.hpp"
#include "study_options.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

struct EquilibriumOptions {
  std::string file, at, out, csv, method = "newton", friction = "follows", solver = "auto";
  std::vector<std::string> overrides;
  Real tolerance = 1e-8, displacement = 0, approach = 1e-4, settle = 0;
  int increments = 1, threads = 0;
  std::int64_t most = 0;
  bool whole_steps = false, force = false, quiet = false, json = false;
};

template <std::size_t N>
std::size_t number_of(const std::string& option, const std::string& word, const std::string_view (&names)[N]) {
  const auto at = std::find(std::begin(names), std::end(names), word);
  if (at != std::end(names)) return static_cast<std::size_t>(at - std::begin(names));
  const std::vector<std::string> all(std::begin(names), std::end(names));
  throw Error(Exit::bad_input, option + ": found " + quoted_bytes(word) + ", expected " + joined(all, ", ", " or ") +
                                   suggestion(word, all));
}

// "3, 17, 20 and 5 more".
std::string some_of(const std::vector<std::int64_t>& ids) {
  constexpr std::size_t most = 10;
  std::string words;
  for (std::size_t k = 0; k < std::min(most, ids.size()); ++k) words += (k > 0 ? ", " : "") + std::to_string(ids[k]);
  return ids.size() > most ? words + fmt::format(" and {} more", ids.size() - most) : words;
}

const char* unit_of_iterations(statics::Method method) {
  using statics::Method;
  return method == Method::newton ? "iterations" : method == Method::damped ? "steps" : "updates of single grains";
}

nlohmann::ordered_json json_of(const EquilibriumOptions& o, const statics::EquilibriumResult& r, const World& world,
                               const std::vector<std::string>& notes, Real seconds) {
  const Energies e = world.energies();
  nlohmann::ordered_json j{{"version", CAIRN_VERSION},
                           {"scenario", o.at.empty() ? o.file : o.at},
                           {"method", o.method},
                           {"converged", r.converged()},
                           {"stopped_because", in_words(r.stop)},
                           {"iterations", r.iterations},
                           {"linear_iterations", r.linear_iterations},
                           {"approach_steps", r.approach_steps},
                           {"followed_grains", r.neighbourhoods},
                           {"local_steps", r.local_steps},
                           {"attempts", r.attempts},
                           {"cycle_period", r.period},
                           {"regularised_iterations", r.regularised},
                           {"friction", statics::rubs(world.settings()) ? o.friction : "none"},
                           {"load_increments", statics::rubs(world.settings()) ? o.increments : 1},
                           {"grains", world.size()},
                           {"contacts", r.balance.contacts},
                           {"unbalanced_force_ratio", r.balance.ratio},
                           {"mean_unbalanced_force_ratio", r.balance.mean_ratio},
                           {"largest_unbalanced_force", r.balance.largest},
                           {"at_grain", r.balance.grain},
                           {"mean_contact_force", r.balance.mean_force},
                           {"residual_force", r.history.empty() ? 0 : r.history.back().residual},
                           {"elastic_energy", e.elastic},
                           {"gravitational_energy", e.gravitational},
                           {"loose_grains", r.loose},
                           {"falling_grains", r.falling},
                           {"notes", notes},
                           {"state_hash", fmt::format("{:016x}", world.hash())},
                           {"threads", world.settings().threads},
                           {"seconds", seconds}};
  if (r.frequency > 0) j["lowest_frequency"] = r.frequency;
  return j;
}

void write_history(const std::string& path, const std::vector<statics::Iterate>& history) {
  const Table::Column columns[] = {{"updates", "1"},          {"unbalanced_force_ratio", "1"},
                                   {"residual_force", "N"},   {"displacement", "m"},
                                   {"step_share", "1"},       {"shift", "1/s^2"},
                                   {"linear_iterations", "1"}};
  Table table = Table::create(path, CAIRN_VERSION, columns, Place::given);
  for (const statics::Iterate& row : history)
    table.row(std::vector<Table::Cell>{row.updates, row.unbalance, row.residual, row.displacement, row.share, row.shift,
                                       static_cast<std::int64_t>(row.linear_iterations)});
  table.close();
}

// Against the work: a step of dynamics and an iteration of the linear equations each cost about one look at all
// contacts.
Figure convergence_figure(const EquilibriumOptions& o, const statics::EquilibriumResult& r) {
  const bool newton = o.method == "newton";
  Figure figure{.name = "convergence",
                .title = "Convergence of " + o.method,
                .x = {newton ? "steps of dynamics and linear iterations"
                             : unit_of_iterations(statics::Method{
                                   static_cast<int>(number_of("--method", o.method, statics::method_names))})},
                .y = {"unbalanced force", "1", true},
                .at = {},
                .curves = {{"unbalanced_force_ratio", {}}, {"residual_over_first", {}}}};
  std::int64_t work = 0, before = 0;
  for (const statics::Iterate& row : r.history) {
    const bool solved = newton && row.stage == statics::IterateStage::method;
    work += solved ? std::max<std::int64_t>(row.linear_iterations, row.updates > before) : row.updates - before;
    before = row.updates;
    figure.at.push_back(static_cast<Real>(work));
    figure.curves[0].y.push_back(row.unbalance);
    figure.curves[1].y.push_back(row.residual / r.history.front().residual);
  }
  return figure;
}

std::string iterations_in_words(const EquilibriumOptions& o, const statics::EquilibriumResult& r) {
  const auto method = statics::Method{static_cast<int>(number_of("--method", o.method, statics::method_names))};
  return fmt::format("{}: {}, after {} {}{}", o.method, in_words(r.stop), r.iterations, unit_of_iterations(method),
                     r.linear_iterations > 0 ? fmt::format(" ({} linear)", r.linear_iterations) : "");
}

std::string balance_in_words(const statics::EquilibriumResult& r, const World& world) {
  const std::string grains = fmt::format("{} grain{}", world.size(), world.size() == 1 ? "" : "s");
  if (r.balance.contacts == 0) return grains + ", no contacts";
  return fmt::format(
      "{}, {} contact{}; unbalanced force ratio {:.3g}: {:.3g} N at grain {}, over a mean contact force of {:.6g} N; "
      "mean over all grains {:.3g}",
      grains, r.balance.contacts, r.balance.contacts == 1 ? "" : "s", r.balance.ratio, r.balance.largest,
      r.balance.grain, r.balance.mean_force, r.balance.mean_ratio);
}

std::string failure_in_words(const EquilibriumOptions& o, const statics::EquilibriumResult& r) {
  const std::string why = "no equilibrium within the tolerance of " + brief(o.tolerance) + ": " + in_words(r.stop);
  return r.balance.contacts == 0 ? why : why + ", at an unbalanced force ratio of " + brief(r.balance.ratio);
}

// equilibrium.html, beside the report that a run from this state will write.
void write_page(const EquilibriumOptions& o, const statics::EquilibriumResult& r, const Scenario& scenario,
                const World& world, const std::vector<std::string>& notes, const Figure& figure) {
  Page page(scenario.title.empty() ? "Static equilibrium" : scenario.title,
            fmt::format("Static state by Cairn {}, method {}", CAIRN_VERSION, o.method));
  const Page::Card cards[] = {
      {"grains", std::to_string(world.size()), ""},
      {"contacts", std::to_string(r.balance.contacts), "closed"},
      {"unbalanced force ratio", r.balance.contacts > 0 ? fmt::format("{:.3g}", r.balance.ratio) : "none",
       r.balance.contacts == 0 ? "no contacts"
       : r.converged()         ? "within the tolerance"
                               : "not within the tolerance"}};
  page.cards(cards);
  if (!r.converged()) page.warning("There is " + failure_in_words(o, r) + ".");
  page.paragraph(iterations_in_words(o, r) + ". " + balance_in_words(r, world) + ".");
  for (const std::string& note : notes) page.paragraph("Note: " + note + ".");
  page.section("Convergence");
  const std::string svg = o.out + "/convergence.svg";
  std::error_code ignored;
  page.figure(figure, std::filesystem::exists(svg, ignored) ? read_file(svg) : "",
              "The largest unbalanced force of a grain over the mean contact force, and the length of all unbalanced "
              "forces over that at the start.");
  page.section("Run from here");
  page.paragraph("A run from this state:");
  page.code("cairn resume " + for_shell(o.out));
  write_file_atomically(o.out + "/equilibrium.html", page.html());
}

std::vector<std::string> notes_of(const EquilibriumOptions& o, const statics::EquilibriumResult& r,
                                  const Scenario& scenario, const World& world) {
  std::vector<std::string> notes = left_out_of_static(scenario);
  if (statics::rubs(world.settings())) {
    notes.push_back(o.friction == "held" ? "friction: tangential springs kept their lengths, and grains did not turn; "
                                           "forces balance, torques need not"
                                         : fmt::format("friction: tangential springs followed the displacements and "
                                                       "slipped at the Coulomb limit, under a load of {} increment{}; "
                                                       "the state depends on this path",
                                                       o.increments, o.increments == 1 ? "" : "s"));
  }
  if (r.approach_steps > 0)
    notes.push_back(fmt::format("{} steps of locally damped dynamics came first: grains fell, rolled or rearranged",
                                r.approach_steps));
  if (r.neighbourhoods > 0)
    notes.push_back(fmt::format("{} grain{} that still rolled went on alone with {} neighbours, for {} steps in all",
                                r.neighbourhoods, r.neighbourhoods == 1 ? "" : "s",
                                r.neighbourhoods == 1 ? "its" : "their", r.local_steps));
  if (r.attempts > 1)
    notes.push_back(
        fmt::format("{} of {} attempts by newton were undone, and dynamics went on", r.attempts - 1, r.attempts));
  if (r.touches_regularised)
    notes.push_back(
        "the tangent stiffness was singular: contacts that just touch lent it the stiffness of an overlap of 1e-6 "
        "radii");
  else if (r.regularised > 0)
    notes.push_back(
        fmt::format("the tangent stiffness was singular or unstable in {} iteration{}, which took a shift "
                    "where it was needed",
                    r.regularised, r.regularised == 1 ? "" : "s"));
  if (r.period > 0) notes.push_back(fmt::format("the iteration repeats a cycle of {} iterations", r.period));
  if (!r.loose.empty())
    notes.push_back(fmt::format("{} grain{} nothing (singular tangent) and stayed in place: {}", r.loose.size(),
                                r.loose.size() == 1 ? " touches" : "s touch", some_of(r.loose)));
  if (!r.falling.empty())
    notes.push_back(fmt::format("{} of them will fall in a run, because a force pulls and nothing holds: {}",
                                r.falling.size(), some_of(r.falling)));
  return notes;
}

ScenarioSource source_of(const EquilibriumOptions& o) {
  if (o.file.empty() == o.at.empty())
    throw Error(Exit::bad_input, "cairn equilibrium needs a scenario, or --at with the folder of a run, and not both");
  if (o.at.empty()) return {o.file, read_scenario_text(o.file), o.overrides};
  std::string warning;
  ScenarioSource source = RunFolder::read_source(o.at, warning);
  if (!warning.empty()) print_error("warning: " + warning + "\n");
  source.overrides.insert(source.overrides.end(), o.overrides.begin(), o.overrides.end());
  return source;
}

// At the start of the scenario, at the newest checkpoint of a run, or after a while of the run itself.
std::unique_ptr<Simulation> started(const EquilibriumOptions& o, const Scenario& scenario) {
  Scenario start = scenario;
  // The step and the overlaps of a run matter to a run alone.
  if (o.settle == 0) start.guards["step"] = start.guards["overlap"] = GuardAction::off;
  const Real until = o.settle;
  start.end = std::max(start.end, until);
  auto simulation = std::make_unique<Simulation>(std::move(start));
  if (o.at.empty()) {
    simulation->start();
  } else {
    std::string warning;
    RunFolder::look_at(o.at, *simulation, warning);
  }
  ProgressLine line(o.quiet);
  const Real from = simulation->world().time();
  while (simulation->world().time() < from + until * (1 - 1e-9) && !simulation->over()) {
    simulation->advance([&] {
      const auto now = ProgressLine::Clock::now();
      return line.wants(now) || simulation->world().time() >= from + until * (1 - 1e-9);
    });
    const auto now = ProgressLine::Clock::now();
    if (!line.wants(now)) continue;
    const std::string parts[] = {
        fmt::format("settling, t = {:.4g} s of {:.4g} s", simulation->world().time() - from, until)};
    line.show(now, parts);
  }
  return simulation;
}

void equilibrium(const EquilibriumOptions& o) {
  using Clock = std::chrono::steady_clock;
  end_on_signals("stopped before the equilibrium was found; nothing was written\n");
  const auto method = statics::Method{static_cast<int>(number_of("--method", o.method, statics::method_names))};
  constexpr std::string_view frictions[] = {"follows", "held"}, solvers[] = {"auto", "direct", "iterative"};
  const auto friction = statics::Friction{static_cast<int>(number_of("--friction", o.friction, frictions))};
  const auto solver = statics::LinearMethod{static_cast<int>(number_of("--solver", o.solver, solvers))};
  const ScenarioSource source = source_of(o);
  Scenario scenario = parse_scenario(source.text, source.name, source.overrides);
  require_soft_law(scenario.law, "cairn equilibrium");
  if (o.threads > 0) scenario.threads = o.threads;
  if (o.at.empty()) load_data(scenario);
  std::optional<FolderLock> lock;
  if (!o.out.empty()) lock.emplace(FolderLock::make(o.out));
  if (!o.csv.empty()) studies::check_writable(o.csv);
  const std::unique_ptr<Simulation> simulation = started(o, scenario);
  World& world = simulation->world();
  require_static(scenario, world);
  if ((method == statics::Method::southwell || method == statics::Method::gauss_seidel) &&
      !world.settings().loaded_walls.empty())
    throw Error(Exit::bad_input,
                "--method " + o.method + " relaxes grains, not walls with a load; expected newton or damped");

  const auto began = Clock::now();
  statics::StaticSystem system(world, scenario.dimension, {.method = solver}, friction);
  statics::EquilibriumSettings settings{.method = method,
                                        .tolerance = o.tolerance,
                                        .displacement = o.displacement,
                                        .most_iterations = o.most,
                                        .increments = o.increments,
                                        .line_search = !o.whole_steps,
                                        .approach = o.approach};
  statics::EquilibriumResult result;
  {
    ProgressLine line(o.quiet);
    result = statics::find_equilibrium(system, settings, [&](const statics::Iterate& row) {
      const auto now = ProgressLine::Clock::now();
      if (!line.wants(now)) return true;
      const bool dynamics = row.stage == statics::IterateStage::local_damping;
      const std::string parts[] = {
          dynamics ? "damped dynamics" : o.method, fmt::format("unbalanced force ratio {:.2e}", row.unbalance),
          fmt::format("after {} {}", row.updates, dynamics ? "steps" : unit_of_iterations(method)),
          fmt::format("residual {:.2e} N", row.residual)};
      line.show(now, parts);
      return true;
    });
  }
  const Real seconds = std::chrono::duration<Real>(Clock::now() - began).count();
  const std::vector<std::string> notes = notes_of(o, result, scenario, world);
  const nlohmann::ordered_json json = json_of(o, result, world, notes, seconds);

  std::string kept;
  if (lock) {
    const std::unique_ptr<Simulation> at_rest = start_at_rest(scenario, world);
    RunFolder folder =
        RunFolder::create(std::move(*lock), source, *at_rest, o.force ? EarlierRun::replace : EarlierRun::keep);
    kept = folder.kept();
    const Figure figure = convergence_figure(o, result);
    const bool drawn = write_figures(o.out, std::span(&figure, 1));
    if (!drawn && !o.quiet) print_error(std::string(no_gnuplot) + "\n");
    write_file_atomically(o.out + "/equilibrium.json", json.dump(2) + "\n");
    write_page(o, result, scenario, world, notes, figure);
  }
  if (!kept.empty() && !o.quiet) print_error(kept_note(o.out, kept) + "\n");
  if (!o.csv.empty()) write_history(o.csv, result.history);

  if (o.json) {
    print(json.dump(2) + "\n");
  } else if (!o.quiet) {
    print(fmt::format("{} in {:.3g} s\n", iterations_in_words(o, result), seconds));
    print(balance_in_words(result, world) + "\n");
    const Energies e = world.energies();
    print(fmt::format("energy [J]: elastic {:.10g}, gravitational {:.10g}\n", e.elastic, e.gravitational));
    for (const std::string& note : notes) print(fmt::format("note: {}\n", note));
    print(fmt::format("state hash {:016x}\n", world.hash()));
    if (!o.csv.empty()) print(fmt::format("wrote {}\n", o.csv));
    if (!o.out.empty())
      print(
          fmt::format("results: {0}/equilibrium.json, equilibrium.html, convergence.csv; start a run from this state "
                      "with: cairn resume "
                      "{1}\n",
                      o.out, for_shell(o.out)));
  }
  if (!result.converged()) throw Error(Exit::guard, failure_in_words(o, result));
}

}  // namespace

void add_equilibrium(CLI::App& app) {
  const auto o = std::make_shared<EquilibriumOptions>();
  CLI::App* command = app.add_subcommand("equilibrium", "Find the static state of a scenario, as a start for a run");
  command->add_option("file", o->file, "scenario in TOML")->type_name("FILE");
  command->add_option("--at", o->at, "in place of FILE: the newest checkpoint of the run in this folder")
      ->type_name("FOLDER");
  command
      ->add_option("--settle", o->settle,
                   "run the scenario for this time [s] first, so that grains that fall land on each other")
      ->check(positive_number);
  command
      ->add_option("--method", o->method,
                   "newton, southwell (the largest residual first), gauss_seidel (grains in turn) or damped (dynamics "
                   "with mass damping)")
      ->capture_default_str();
  command
      ->add_option("--tolerance", o->tolerance,
                   "stop where the largest unbalanced force of a grain is at most this part of the mean contact force")
      ->check(positive_number)
      ->capture_default_str();
  command
      ->add_option("--displacement", o->displacement,
                   "stop as well where no grain moves farther than this [m] in an iteration, a step or a round")
      ->check(positive_number);
  command
      ->add_option("--approach", o->approach,
                   "newton: begin with locally damped dynamics up to this unbalanced-force ratio, and go on with it "
                   "where newton does not converge; 0: newton alone")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  command->add_option("--most", o->most, "at most so many iterations, steps or updates")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000'000}));
  command
      ->add_option("--friction", o->friction,
                   "follows: springs follow displacements and slip at the Coulomb limit; held: they keep their lengths")
      ->capture_default_str();
  command->add_option("--increments", o->increments, "with friction, apply gravity and loads in so many parts")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command
      ->add_option("--solver", o->solver,
                   "linear equations of newton: direct, iterative, or auto: direct for few unknowns")
      ->capture_default_str();
  command->add_flag("--whole-steps", o->whole_steps, "newton without a line search, as textbooks print it");
  command->add_option("--set", o->overrides, "KEY=VALUE: set a key of the scenario")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--threads", o->threads, "number of threads; the results do not depend on it")
      ->check(CLI::Range(1, 4096));
  command
      ->add_option("--out", o->out,
                   "folder of a run that starts from the static state, which cairn resume continues; with the plot of "
                   "convergence")
      ->type_name("FOLDER");
  command->add_flag("--force", o->force,
                    "replace the results of an earlier run in this folder; by default they are kept as FOLDER.1, "
                    "FOLDER.2, ...");
  command->add_option("--csv", o->csv, "FILE: write the convergence as CSV")->type_name("FILE");
  command->add_flag("--quiet", o->quiet, "print only errors");
  command->add_flag("--json", o->json, "print only the result, as JSON, to the standard output");
  command->callback([o] { equilibrium(*o); });
}

}  // namespace cairn
