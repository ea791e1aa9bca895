// cairn stability: how far h omega may go with each scheme, and how damping moves that limit. With a case, see
// stability_case.hpp.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <utility>

#include "cairn/core/text.hpp"
#include "cairn/formats/table.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/render/figure.hpp"
#include "cairn/report/report.hpp"
#include "cairn/report/stability_json.hpp"
#include "cairn/run/registry.hpp"
#include "commands.hpp"
#include "stability_case.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

using Schemes = std::vector<const SchemeEntry*>;

constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();

struct Options {
  std::vector<std::string> schemes;
  std::vector<std::string> zetas{"0", "0.05", "0.1", "0.2", "0.5"};
  std::string csv, folder = "stability";
  std::string file, at;
  std::vector<std::string> overrides;
  bool all = false, json = false, plot = false, map = false;
};

Real zeta_of(const std::string& word) {
  Real zeta = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, zeta);
  if (error != std::errc() || stop != end || !(zeta >= 0) || std::isinf(zeta))
    throw Error(Exit::bad_input,
                "--zeta: found " + quoted_bytes(word) +
                    ", expected damping ratios c / (2 sqrt(km)) of at least 0, such as 0.05 or 0,0.1,0.5");
  return zeta;
}

void print_limits(const Schemes& schemes, const std::vector<Real>& zetas) {
  print(fmt::format("{:<27}", "h omega <"));
  for (const Real zeta : zetas) print(fmt::format(" {:>11}", "zeta " + brief(zeta)));
  print("\n");
  for (const SchemeEntry* scheme : schemes) {
    print(fmt::format("{:<27}", scheme->name));
    for (const Real zeta : zetas) {
      const Real limit = scheme->stability(zeta);
      print(fmt::format(" {:>11}", limit == 0 ? "weak" : std::isinf(limit) ? "any" : fmt::format("{:.6g}", limit)));
    }
    print("\n");
  }
  print(
      fmt::format("\nBelow its limit a scheme does not make the motion of a contact, m q'' + c q' + k q = 0, grow; "
                  "zeta = c / (2 sqrt(km)).\n"
                  "weak: the limit is below 0.1; without damping the scheme is weakly unstable: the motion grows "
                  "slowly at every step.\n"
                  "any: the scheme is stable at least up to 20.\n"
                  "The largest step is h = limit / omega, with omega = sqrt(k/m) of the stiffest contact. A grain with "
                  "z contacts has an\n"
                  "omega up to sqrt(2 z) times as large; the largest step is smaller by the same factor.\n"));
}

void write_csv(const std::string& path, const Schemes& schemes, const std::vector<Real>& zetas) {
  std::vector<Table::Column> columns{{"zeta", "1"}};
  for (const SchemeEntry* scheme : schemes) columns.push_back({Table::name_of(scheme->name), "1"});
  Table table = Table::create(path, CAIRN_VERSION, columns, Place::given);
  for (const Real zeta : zetas) {
    std::vector<Table::Cell> row{zeta};
    for (const SchemeEntry* scheme : schemes) row.push_back(scheme->stability(zeta));
    table.row(row);
  }
  table.close();
}

// Highest first, so that the legend follows the curves; those that are the same share a colour.
Figure limits_figure(const Schemes& schemes) {
  Figure figure{.name = "limit",
                .title = "Stability limits: below its curve a scheme is stable",
                .x = {"damping ratio zeta"},
                .y = {"h omega"},
                .at = {},
                .curves = {}};
  for (int k = 0; k <= 100; ++k) figure.at.push_back(0.01 * k);
  struct Row {
    std::string name;
    std::vector<Real> limits, rounded;  // to what the eye may tell
  };
  std::vector<Row> rows;
  for (const SchemeEntry* scheme : schemes) {
    Row& row = rows.emplace_back(Row{scheme->name, {}, {}});
    for (const Real zeta : figure.at) {
      row.limits.push_back(scheme->stability(zeta));
      row.rounded.push_back(std::round(1e4 * row.limits.back()));
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.rounded > b.rounded; });
  int colour = -1;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (k == 0 || rows[k].rounded != rows[k - 1].rounded) ++colour;
    for (Real& limit : rows[k].limits)
      if (std::isinf(limit)) limit = nan;
    figure.curves.push_back({rows[k].name, rows[k].limits, colour});
  }
  return figure;
}

Figure radius_figure(const SchemeEntry& scheme, const std::vector<Real>& zetas) {
  const std::string name(scheme.name);
  Figure figure{.name = "spectral_radius",
                .title = "Growth of the motion of a contact in one step of " + name + "; stable up to 1",
                .x = {"h omega"},
                .y = {"spectral radius"},
                .at = {},
                .curves = {}};
  Real last = 2;
  for (const Real zeta : zetas)
    if (const Real limit = scheme.stability(zeta); std::isfinite(limit)) last = std::max(last, 1.2 * limit);
  constexpr int points = 400;
  constexpr Real most = 1.5;  // above, what matters would be flattened
  for (int k = 1; k <= points; ++k) figure.at.push_back(last * k / points);
  for (const Real zeta : zetas) {
    Curve curve{"zeta " + brief(zeta), {}};
    for (const Real h_omega : figure.at) {
      const Real radius = scheme.spectral_radius(h_omega, zeta);
      curve.y.push_back(radius <= most ? radius : nan);
    }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

void plot(const std::string& folder, const Schemes& schemes, const std::vector<Real>& zetas,
          void (*say)(std::string_view)) {
  std::vector<Figure> figures{limits_figure(schemes)};
  if (schemes.size() == 1) figures.push_back(radius_figure(*schemes[0], zetas));
  const bool drawn = write_figures(folder, figures);
  if (!drawn) print_error(fmt::format("{}\n", no_gnuplot));
  for (const Figure& figure : figures)
    say(fmt::format("wrote {0}/{1}.csv, {0}/{1}.gp{2}\n", folder, figure.name,
                    drawn ? ", " + folder + "/" + figure.name + ".svg" : ""));
}

void stability(const Options& o) {
  Schemes schemes;
  for (const std::string& list : o.schemes)
    for (const std::string& name : split_scheme_names(list)) schemes.push_back(&scheme_named(name));
  if (!o.file.empty() || !o.at.empty())
    return stability_of_case({o.file, o.at, o.overrides, std::move(schemes), o.csv, o.map, o.json});
  if (o.map || !o.overrides.empty())
    throw Error(Exit::bad_input, "--map and --set need a case: cairn stability FILE, or --at FOLDER");
  if (schemes.empty())
    for (const SchemeEntry& scheme : scheme_catalogue()) schemes.push_back(&scheme);
  std::vector<Real> zetas;
  for (const std::string& word : o.zetas) zetas.push_back(zeta_of(word));
  const auto say = o.json ? print_error : print;

  if (o.json) {
    print(stability_limits_json(schemes, zetas));
  } else {
    print_limits(schemes, zetas);
  }
  if (!o.csv.empty()) {
    write_csv(o.csv, schemes, zetas);
    say(fmt::format("wrote {}\n", o.csv));
  }
  if (o.plot) plot(o.folder, schemes, zetas, say);
}

}  // namespace

void add_stability(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("stability", "Compute the largest stable h omega of schemes, or the stable steps of a case");
  CLI::Option* file =
      command->add_option("file", o->file, "scenario in TOML: stable steps on its contacts")->type_name("FILE");
  CLI::Option* at = command
                        ->add_option("--at", o->at,
                                     "folder of a run: the contacts of its newest checkpoint; with FILE, of a run of "
                                     "that scenario")
                        ->type_name("FOLDER");
  command->add_option("--set", o->overrides, "KEY=VALUE: set a key of the scenario")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--map", o->map,
                    "judge by each scheme's own map on the contacts as well; by default the explicit schemes of one "
                    "force evaluation");
  CLI::Option* schemes =
      command->add_option("--scheme", o->schemes, "NAME[,NAME...]: schemes; default: all")->type_name("SCHEMES");
  command->add_flag("--all", o->all, "all schemes")->excludes(schemes);
  CLI::Option* zeta =
      command->add_option("--zeta", o->zetas, "damping ratios: Z[,Z...]")->delimiter(',')->capture_default_str();
  zeta->excludes(file)->excludes(at);
  command->add_flag("--json", o->json, "machine-readable");
  command->add_option("--csv", o->csv, "FILE: write the table as CSV, one column per scheme");
  CLI::Option* plot =
      command->add_flag("--plot", o->plot, "draw the limits over zeta; with a single scheme also its growth");
  plot->excludes(file)->excludes(at);
  command->add_option("--out", o->folder, "folder of the figures")->needs(plot)->capture_default_str();
  command->callback([o] { stability(*o); });
}

}  // namespace cairn
