// cairn restitution: restitution, duration and overlap of the collisions of a pair, over their speed.
#include "cairn/studies/restitution.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>

#include "cairn/catalogue/law_catalogue.hpp"
#include "cairn/core/elementary.hpp"
#include "cairn/core/error.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/run/scheme_choice.hpp"
#include "cairn/scenario/quantity.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

struct Options {
  std::string file, law, pair, speeds = "1e-3..10", scheme, onset, csv, svg;
  std::vector<std::string> overrides, radii;
  int count = 21;
  Real steps = 20;
  bool json = false;
};

// A number above 0 in `unit`, or with a unit of its own.
Real positive(const std::string& option, const std::string& word, const std::string& unit) {
  const auto refuse = [&](const std::string& found) {
    throw Error(Exit::bad_input, option + ": " + found + "; expected a number > 0 in " + unit +
                                     ", or with a unit, as in \"5 m" + unit + "\"");
  };
  Real value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc() || stop != end) {
    try {
      value = quantity(word, unit);
    } catch (const Error& e) {
      refuse(e.what());
    }
  }
  if (!(value > 0) || std::isinf(value)) refuse("found " + quoted_bytes(word));
  return value;
}

std::vector<std::string> parts(const std::string& text, const std::string& between) {
  std::vector<std::string> all;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(between, begin);
    all.push_back(text.substr(begin, end - begin));
    if (end == text.npos) return all;
    begin = end + between.size();
  }
}

// "FROM..TO", `count` speeds in equal ratios; or "A,B,C".
std::vector<Real> read_speeds(const std::string& word, int count) {
  std::vector<Real> speeds;
  const std::vector<std::string> ends = parts(word, "..");
  if (ends.size() == 1) {
    for (const std::string& one : parts(word, ",")) speeds.push_back(positive("--speeds", one, "m/s"));
    return speeds;
  }
  const Real from = positive("--speeds", ends[0], "m/s"), to = positive("--speeds", ends[1], "m/s");
  if (ends.size() > 2 || !(from < to))
    throw Error(Exit::bad_input, "--speeds: found " + quoted_bytes(word) + ", expected FROM..TO with FROM < TO");
  const Real whole = stable_log(to / from);
  for (int k = 0; k < count; ++k) speeds.push_back(k == 0 ? from : from * stable_exp(whole * k / (count - 1)));
  speeds.back() = to;
  return speeds;
}

// The scenario of a file, or one of two spheres alone.
Scenario read(const Options& o) {
  std::vector<std::string> overrides = o.overrides;
  const auto require_soft = [](const std::string& law) { require_soft_law(law, "cairn restitution"); };
  if (!o.law.empty()) require_law(o.law), require_soft(o.law);
  // As an override, so that an error in the law names the option and not a line of a file that does not exist.
  if (!o.law.empty() || o.file.empty())
    overrides.insert(overrides.begin(), "contact.law=" + (o.law.empty() ? Scenario{}.law : o.law));
  if (o.file.empty())
    return parse_scenario("[run]\nstep = 1\nend = 1\n[[material]]\nname = \"sphere\"\n", "options", overrides);
  Scenario scenario = read_scenario(o.file, overrides);
  require_soft(scenario.law);
  load_data(scenario);
  return scenario;
}

// A folder that is removed with its content at the end of its life.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "cairn_XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw Error(Exit::io, "cannot make a temporary folder like " + path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The first figure becomes FILE, the others are written beside it: e.svg, e-duration.svg. gnuplot's own files are
// removed, because one of them could replace the table e.csv of --csv.
std::vector<std::string> write_svg(const std::string& file, std::span<const Figure> figures) {
  const TemporaryFolder folder;
  if (!write_figures(folder.path(), figures))
    throw Error(Exit::io, "cannot write " + file + ": gnuplot is missing or failed; --csv writes the numbers");
  std::filesystem::path stem = file;
  const std::string extension = stem.extension() == ".svg" ? ".svg" : "";
  if (!extension.empty()) stem.replace_extension();
  std::vector<std::string> written;
  for (const Figure& figure : figures) {
    const std::string drawn = folder.path() + "/" + figure.name + ".svg";
    if (!std::filesystem::exists(drawn)) continue;  // of a figure without a point
    written.push_back(stem.string() + (&figure == figures.data() ? "" : "-" + figure.name) + extension);
    write_file_atomically(written.back(), read_file(drawn));
  }
  return written;
}

void restitution(const Options& o) {
  std::vector<Real> radii;
  for (const std::string& word : o.radii) radii.push_back(positive("--radius", word, "m"));
  studies::RestitutionSettings settings;
  settings.speeds = read_speeds(o.speeds, o.count);
  settings.steps = o.steps;
  if (!o.scheme.empty()) settings.scheme = &scheme_named(o.scheme);
  if (o.file.empty() && radii.empty()) radii.push_back(0.01);
  const studies::CollidingPair pair = studies::colliding_pair(read(o), o.pair, radii);
  settings.onset = o.onset.empty() ? pair.onset : o.onset == "on";

  const studies::RestitutionResult result = studies::restitution_over_speed(pair, settings);
  const studies::StudyReport report = studies::show(result);
  const auto say = o.json ? print_error : print;
  if (o.json) {
    print(studies::json_of(result));
  } else {
    print(fmt::format("{}\n{}\n\n{}\n{}\n\n", report.title, report.subtitle, studies::text_of(report.head, report.rows),
                      report.legend));
    for (const std::string& finding : report.findings) print(fmt::format("{}\n", finding));
  }
  if (!o.csv.empty()) {
    studies::write_csv(o.csv, report.tables[0]);
    say(fmt::format("wrote {}\n", o.csv));
  }
  if (!o.svg.empty())
    for (const std::string& file : write_svg(o.svg, report.figures)) say(fmt::format("wrote {}\n", file));
}

}  // namespace

void add_restitution(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "restitution", "Compute restitution, duration and overlap of collisions for a range of impact speeds");
  command->footer(
      "cairn restitution scenarios/starter.toml                 two grains of a scenario\n"
      "cairn restitution scenarios/starter.toml --pair glass,wall:box --scheme velocity_verlet --steps 15\n"
      "                                                         a grain and a wall, also with a scheme\n"
      "cairn restitution --law hertz_mindlin --set material.young=1e7 --set contact.restitution=0.8 --svg e.svg\n"
      "                                                         two equal grains, without a scenario file");
  command->add_option("file", o->file, "scenario in TOML; default: two equal grains with the density of glass")
      ->type_name("FILE");
  command->add_option("--law", o->law, "contact law, in place of contact.law (cairn laws lists all)")->type_name("LAW");
  command->add_option("--set", o->overrides, "KEY=VALUE: set a key of the scenario, such as contact.stiffness")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--pair", o->pair,
                      "A,B: two materials; A,wall:NAME: a material and a wall; A,wall: a material and a wall of the "
                      "same material; default: the first pair that can touch");
  command
      ->add_option("--radius", o->radii,
                   "R[,R]: radii of the grains [m]; default: those of the lightest grains of the scenario; without a "
                   "scenario 0.01")
      ->delimiter(',')
      ->expected(1, 2)
      ->allow_extra_args(false);
  command
      ->add_option("--speeds", o->speeds, "impact speeds [m/s]: FROM..TO (--count speeds in equal ratios) or V[,V...]")
      ->capture_default_str();
  command->add_option("--count", o->count, "number of speeds")->check(CLI::Range(2, 10000))->capture_default_str();
  CLI::Option* scheme =
      command->add_option("--scheme", o->scheme, "NAME: also compute the restitution with this scheme")
          ->type_name("SCHEME");
  command->add_option("--steps", o->steps, "steps of this scheme per collision")
      ->check(CLI::Range(2.0, 10000.0))
      ->needs(scheme)
      ->capture_default_str();
  command->add_option("--onset", o->onset, "on, off: contact-onset correction; default: as in a run")
      ->check(CLI::IsMember({"on", "off"}))
      ->needs(scheme);
  command->add_option("--csv", o->csv, "FILE: write the table as CSV");
  command->add_option("--svg", o->svg,
                      "FILE: draw the restitution over the speed; duration and overlap are drawn into files beside it");
  command->add_flag("--json", o->json, "print JSON");
  command->callback([o] { restitution(*o); });
}

}  // namespace cairn
