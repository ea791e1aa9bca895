#include "cairn/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "cairn/core/error.hpp"
#include "cairn/formats/duration.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/run_names.hpp"
#include "cairn/formats/table.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/render/page.hpp"
#include "cairn/report/contact_words.hpp"
#include "cairn/report/course.hpp"
#include "cairn/report/film.hpp"
#include "cairn/report/laboratory_link.hpp"
#include "cairn/report/ledger_parts.hpp"
#include "cairn/report/summary_json.hpp"

namespace cairn {
namespace {

std::string number(Real a) {
  return fmt::format("{:.4g}", a);
}
std::string percent(Real fraction) {
  return fmt::format("{:.2g}\u00a0%", 100 * fraction);
}
std::string share(Real fraction) {  // of a whole: no more digits than one reads
  return fraction != 0 && std::fabs(fraction) < 0.01 ? percent(fraction) : fmt::format("{:.0f}\u00a0%", 100 * fraction);
}
std::string count(std::int64_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}
constexpr std::size_t most_curves = 24;  // in one figure; no reader tells more apart

class Report {
 public:
  explicit Report(const std::string& folder)
      : folder_(folder),
        summary_(read_summary(folder + "/" + names::summary)),
        series_(read_table(folder + "/" + names::series)) {
    lowest_ = std::numeric_limits<Real>::infinity();
    if (began_empty()) lowest_ = 0;
    for (const Real a : column("gravitational")) lowest_ = std::min(lowest_, std::isfinite(a) ? a : lowest_);
  }

  ReportFiles write() {
    make_figures();
    std::vector<Figure> all;
    for (const auto& [figure, caption] : figures_) all.push_back(figure);
    const std::string figures = names::figures_folder;
    refuse_link(folder_ + "/" + figures);
    ReportFiles files{{names::report}, write_figures(folder_ + "/" + figures, all)};
    for (const Figure& each : all)
      for (const char* ending : names::figure_endings)
        if (const std::string name = figures + "/" + each.name + ending; there(name)) files.names.push_back(name);
    Page page(summary_.scenario, fmt::format("Run with Cairn {}: {}, scheme {}, law {}, to t = {} s",
                                             summary_.versions.cairn, count(summary_.particles, "grain", "grains"),
                                             summary_.scheme, summary_.law, number(summary_.time)));
    overview(page);
    pictures(page);
    energy(page);
    show_changes(page, summary_);
    rest_of_figures(page);
    scheme(page);
    contacts(page);
    origin(page);
    write_file_atomically(folder_ + "/" + names::report, page.html());
    return files;
  }

 private:
  bool there(const std::string& name) const {
    std::error_code ignored;
    return std::filesystem::exists(folder_ + "/" + name, ignored);
  }

  const std::vector<Real>& column(const std::string& name) const {
    const auto* found = series_.find(name);
    if (found == nullptr) throw Error(Exit::io, folder_ + "/series.csv has no column '" + name + "'");
    return *found;
  }
  template <class F>
  std::vector<Real> made(F&& f) const {
    std::vector<Real> all;
    for (std::size_t k = 0; k < column("time").size(); ++k) all.push_back(f(k));
    return all;
  }
  static bool any(const std::vector<Real>& values) {
    return std::any_of(values.begin(), values.end(), [](Real a) { return a != 0; });
  }

  bool began_empty() const {
    std::int64_t grains = summary_.particles;
    for (const auto& [name, emitter] : summary_.emitters) grains -= emitter.grains;
    for (const auto& [name, removal] : summary_.removals) grains += removal.grains;
    return grains == 0;
  }
  // Steps that the shortest contact lasts; infinity if there is none.
  Real resolution() const {
    Real least = std::numeric_limits<Real>::infinity();
    for (const PairSummary& pair : summary_.contact_pairs) least = std::min(least, pair.steps);
    return least;
  }

  // The order the claims promise for what this run did.
  int order() const {
    const SchemeSummary& claims = summary_.scheme_claims;
    std::int64_t least = claims.order;
    if (summary_.energy.ledger[Channel::dashpot] != 0) least = std::min(least, claims.order_damped);
    if (summary_.energy.ledger[Channel::slip] != 0)
      least = std::min({least, claims.order_spring, claims.order_sliding});
    return least;
  }

  void figure(const std::string& name, const std::string& title, const Axis& y, std::vector<Curve> curves,
              const std::string& caption, Figure::Style style = Figure::Style::lines) {
    figures_.push_back({{name, title, {"time", "s"}, y, column("time"), std::move(curves), style}, caption});
  }

  void make_figures() {
    // Each energy has its colour in every report.
    static constexpr const char* energies[] = {"kinetic", "rotational", "gravitational", "elastic", "dashpot",
                                               "slip",    "rolling",    "clip",          "onset"};
    std::vector<Curve> stack, motion;
    for (int k = 0; k < static_cast<int>(std::size(energies)); ++k) {
      const std::string name = energies[k];
      std::vector<Real> values = column(name);
      if (name == "gravitational")
        for (Real& a : values) a -= lowest_;
      if (!any(values)) continue;
      stack.push_back({name == "dashpot" && is_hard(summary_.law) ? "inelastic" : name, values, k});
      if (name != "kinetic" && name != "rotational") continue;
      for (Real& a : values) a = a > 0 ? a : std::numeric_limits<Real>::quiet_NaN();
      motion.push_back({name, std::move(values), k});
    }
    figure(
        "energy", "Present and dissipated energy", {"energy", "J"}, std::move(stack),
        "The present energies, and above them the energy dissipated so far. The upper edge is the energy at the start "
        "plus the energy added from outside since then.",
        Figure::Style::stacked);
    figure("residual", "Residual of the energy ledger", {"residual", "J"}, {{"residual", column("residual")}},
           "The numerical error of the energy: present and dissipated energy, minus the energy at the start and the "
           "energy added from outside.");
    if (series_.find("expected_energy") != nullptr) {
      std::vector<Real> simulated = column("kinetic"), expected = column("expected_energy");
      for (const char* part : {"rotational", "gravitational", "elastic"})
        for (std::size_t k = 0; k < simulated.size(); ++k) simulated[k] += column(part)[k];
      for (std::vector<Real>* curve : {&simulated, &expected})
        for (Real& a : *curve) a -= lowest_;
      figure("expected_energy", "Simulated and expected energy", {"energy", "J"},
             {{"simulated", std::move(simulated)}, {"expected", std::move(expected), -1, true}},
             "The present energy, and the energy at the start less what the restitution of the law takes from each "
             "collision. The two agree while spheres without friction meet two at a time.");
    }
    if (!motion.empty())
      figure("motion", "Energy of motion", {"energy", "J", true}, std::move(motion),
             "The logarithmic axis shows whether the grains come to rest.");
    if (any(column("external")))
      figure("external", "Work from outside", {"work", "J"}, {{"external", column("external")}},
             "Energy that " + sources_outside(summary_) +
                 " added so far; a negative value means that they removed energy.");
    figure("contacts", "Grains and contacts", {"number"},
           {{"grains", column("grains")}, {"contacts", column("contacts")}},
           "Closed contacts, including those with walls.");
    figure("coordination", "Coordination", {"contacts per grain"}, {{"coordination", column("coordination")}},
           "Mean number of contacts of a grain. A contact of two grains counts for both, one with a wall once.");
    figure("height", "Height of the centre of mass", {"z", "m"}, {{"height", column("barycentre_z")}}, "");
    const auto& steps = column("step");
    if (const auto [low, high] = std::minmax_element(steps.begin(), steps.end()); low != high && *low < 0.999 * *high)
      figure("step", "Step", {"step", "s", true}, {{"step", steps}},
             summary_.scheme_claims.adaptive ? "Step chosen by the adaptive scheme."
             : summary_.chosen_steps.empty() ? "Step of the scenario, which changed."
                                             : "Step chosen by the program.");
    std::vector<Curve> loads, removed, flows;
    std::string rates;
    for (const Table::Column& head : series_.heads) {
      constexpr std::string_view end = "_force_x";
      if (head.name.ends_with(end)) {
        const std::string wall = head.name.substr(0, head.name.size() - end.size());
        const auto &x = column(wall + "_force_x"), &y = column(wall + "_force_y"), &z = column(wall + "_force_z");
        loads.push_back({wall, made([&](std::size_t k) { return std::hypot(x[k], y[k], z[k]); })});
      }
      if (head.name.starts_with("removed_") && head.unit == "1")
        removed.push_back({head.name.substr(8), column(head.name)});
      if (head.name.starts_with("removed_") && head.name.ends_with("_mass") && head.unit == "kg")
        add_flow(head.name.substr(8, head.name.size() - 13), column(head.name), flows, rates);
    }
    const std::string walls = of_many(loads.size(), "walls", "loads"),
                      of = of_many(removed.size(), "removals", "numbers");
    if (!loads.empty())
      figure("wall_forces", "Forces on walls", {"force", "N"}, highest(std::move(loads), most_curves),
             "Magnitude of the total force on each wall." + walls);
    if (!removed.empty())
      figure("removed", "Grains removed", {"number"}, highest(std::move(removed), most_curves),
             "Number of grains removed so far." + of);
    if (!flows.empty() && flows.size() <= most_curves)
      figure("mass_flow", "Mass flow", {"mass flow", "kg/s"}, std::move(flows),
             "Mass removed per time, between one row of series.csv and the next; dotted: the mean." + rates);
  }

  // The flow into a removal region, and its mean from the first grain to the last.
  void add_flow(const std::string& name, const std::vector<Real>& mass, std::vector<Curve>& flows,
                std::string& rates) const {
    const std::vector<Real>& time = column("time");
    constexpr Real nothing = std::numeric_limits<Real>::quiet_NaN();
    std::vector<Real> flow(mass.size(), nothing), mean(mass.size(), nothing);
    std::size_t first = 0, last = 0;  // rows after the first grain and after the last
    for (std::size_t k = 1; k < mass.size(); ++k) {
      if (time[k] > time[k - 1]) flow[k] = (mass[k] - mass[k - 1]) / (time[k] - time[k - 1]);
      if (!(mass[k] > mass[k - 1])) continue;
      if (last == 0) first = k;
      last = k;
    }
    const int colour = static_cast<int>(flows.size() / 2);
    flows.push_back({name, std::move(flow), colour});
    if (last == first) return;
    const Real rate = (mass[last] - mass[first]) / (time[last] - time[first]);
    std::fill(mean.begin() + static_cast<std::ptrdiff_t>(first), mean.begin() + static_cast<std::ptrdiff_t>(last) + 1,
              rate);
    flows.push_back({name + " mean", std::move(mean), colour, true});
    rates += fmt::format(" {}: {} kg/s from t = {} s to {} s, {} kg in all.", name, number(rate), number(time[first]),
                         number(time[last]), number(mass[last]));
  }

  static std::string of_many(std::size_t count, const std::string& what, const std::string& size) {
    return count > most_curves ? fmt::format(" Shown are the {} of {} {} with the largest {}; series.csv has all.",
                                             most_curves, count, what, size)
                               : "";
  }

  void put(Page& page, const std::string& name) {
    for (const auto& [figure, caption] : figures_) {
      if (figure.name != name) continue;
      const std::string svg = std::string(names::figures_folder) + "/" + name + ".svg";
      page.figure(figure, there(svg) ? read_file(folder_ + "/" + svg) : "", caption);
    }
  }

  void overview(Page& page) const {
    const Real limit = summary_.step_limit_end, step = summary_.step, steps = resolution();
    const bool adaptive = summary_.scheme_claims.adaptive;
    const auto& overlap = summary_.largest_overlap;
    const Page::Card cards[] = {
        {"Grains", std::to_string(summary_.particles), count(summary_.contacts, "contact", "contacts") + " at the end"},
        {"Simulated", number(summary_.time) + " s", count(summary_.steps, "step", "steps")},
        {"Step", number(step) + " s",
         adaptive                           ? "last step; the scheme chooses its steps"
         : summary_.chosen_steps.size() > 1 ? "last step; the program chose it"
         : !summary_.chosen_steps.empty()   ? "chosen by the program"
         : limit > 0                        ? share(step / limit) + " of the stability limit"
                                            : "no contact limits it at the end"},
        {"Shortest contact", std::isfinite(steps) ? number(std::floor(steps * 10) / 10) + " steps" : "none",
         "head-on, lightest grains"},
        {"Largest overlap", overlap ? percent(overlap->fraction) : "none",
         overlap ? fmt::format("of the smaller radius, {}, t = {} s", overlap->between, number(overlap->time))
                 : "nothing touched"},
        {"Error of the ledger", percent(std::fabs(summary_.energy.residual_fraction)), "of the energy exchanged"},
        {"Computed in",
         summary_.wall_seconds < 100 ? number(summary_.wall_seconds) + " s" : duration_text(summary_.wall_seconds),
         fmt::format("{:.3g} million grain-steps/s, {}", 1e-6 * summary_.particle_steps_per_second,
                     (summary_.ranks ? fmt::format("{} ranks of ", *summary_.ranks) : "") +
                         count(summary_.threads, "thread", "threads"))}};
    page.cards(cards);
    if (!summary_.finished)
      page.warning(fmt::format("This run stopped at t = {} s of {} s. It was stopped by {}.", number(summary_.time),
                               number(summary_.end), summary_.stopped_by));
    for (const auto& [name, guard] : summary_.guards)
      if (const std::string& message = guard.message; !message.empty())
        page.warning("Guard '" + name + "': " + message + ".");
  }

  void pictures(Page& page) const {
    const Film film = film_of(folder_, summary_.pictures);
    if (film.pictures.empty()) return;
    page.section("Pictures");
    page.pictures(film.pictures);
    std::string words = summary_.picture_colours ? in_words(*summary_.picture_colours) + " " : "";
    if (film.pictures.size() < film.of)
      words += fmt::format("Shown are {} of {} pictures", film.pictures.size(), film.of);
    else
      words += film.of == 1 ? "There is one picture" : fmt::format("Shown are all {} pictures", film.of);
    words += film.width > 0
                 ? fmt::format(", reduced to a width of {} pixels; pictures/ has all as they were written.", film.width)
                 : "; pictures/ has their files.";
    page.paragraph(words);
  }

  void energy(Page& page) {
    page.section("Energy");
    page.paragraph(ledger_in_words());
    put(page, "energy");
    show_ledger_parts(page, series_);
    put(page, "expected_energy");
    page.paragraph(error_in_words());
    put(page, "residual");
  }

  std::string ledger_in_words() const {
    const bool empty = began_empty();
    const Real began = empty ? 0 : summary_.energy.initial - lowest_;
    const Real came = summary_.energy.ledger[Channel::external] - (empty ? lowest_ : 0), whole = began + came;
    std::string words =
        empty ? "The run began without grains" : fmt::format("The run began with {} J of energy", number(began));
    if (!empty && std::fabs(began) < 1e-3 * std::fabs(came)) words = "The run began with almost no energy";
    words += came > 0   ? fmt::format("; {} added {} J.", sources_outside(summary_), number(came))
             : came < 0 ? fmt::format("; {} removed {} J.", sources_outside(summary_), number(-came))
                        : " and no energy was added from outside.";
    if (any(column("gravitational"))) words += " Gravitational energy counts from its lowest value in the run.";
    if (!(whole > 0)) return words;
    const std::pair<const char*, Real> parts[] = {
        {is_hard(summary_.law) ? "was dissipated by inelastic collisions" : "was dissipated by dashpots",
         summary_.energy.ledger[Channel::dashpot]},
        {"was dissipated by sliding friction", summary_.energy.ledger[Channel::slip]},
        {"was dissipated by rolling and twisting friction", summary_.energy.ledger[Channel::rolling]},
        {"was dissipated by clipping attractive forces", summary_.energy.ledger[Channel::clip]},
        {"is the balance of onset corrections", summary_.energy.ledger[Channel::onset]},
        {"is kinetic energy", summary_.energy.kinetic},
        {"is rotational energy", summary_.energy.rotational},
        {"is gravitational energy", summary_.energy.gravitational - lowest_},
        {"is elastic energy of contacts", summary_.energy.elastic}};
    std::vector<std::string> said;
    for (const auto& [what, energy] : parts)
      if (std::fabs(energy) > 1e-6 * whole)
        said.push_back((energy > 0.9995 * whole ? "all" : share(energy / whole)) + " " + what);
    if (said.empty()) return words;
    return words + fmt::format(" Shares of the total of {} J: ", number(whole)) + joined(said) + ".";
  }

  std::string error_in_words() const {
    const Real residual = summary_.energy.residual;
    std::string words = fmt::format(
        "The ledger cannot account for {} J. This residual is the numerical error of the energy: {} of the energy "
        "exchanged.",
        number(residual), percent(std::fabs(summary_.energy.residual_fraction)));
    if (const Real own = summary_.energy.numerical_damping; residual < 0 && own > 0)
      words += fmt::format(
          " The scheme {} itself damps the stiffest contact at this step, with a damping ratio of {:.2g}. The energy "
          "lost in this way is part of the residual.",
          summary_.scheme, own);
    if (summary_.scheme_claims.adaptive)
      return words + " The scheme chooses its steps; a smaller run.tolerance reduces the error.";
    const int p = order();
    return words + fmt::format(
                       " For the forces that acted in this run {} claims order {}: once contacts are resolved, halving "
                       "the step divides the error by {}.",
                       summary_.scheme, p, 1 << p);
  }

  void rest_of_figures(Page& page) {
    page.section("Over time");
    for (const auto& [figure, caption] : figures_)
      if (figure.name != "energy" && figure.name != "expected_energy" && figure.name != "residual")
        put(page, figure.name);
    page.paragraph(
        "figures/ contains each figure as SVG, with its data (CSV) and its gnuplot script. series.csv contains all "
        "numbers over time.");
  }

  void scheme(Page& page) const {
    const SchemeSummary& claims = summary_.scheme_claims;
    page.section("Scheme and step");
    const bool limited = std::isfinite(claims.stability);
    const Real stability = limited ? claims.stability : 0;
    const std::string undamped = stability > 0 ? number(stability) : limited ? "weakly unstable" : "none";
    const Real start = summary_.step_limit, end = summary_.step_limit_end;
    const auto limit = [](Real a) { return a > 0 ? number(a) + " s" : std::string("no contacts"); };
    std::vector<Page::Row> rows{
        {"Scheme", summary_.scheme + " (" + claims.family + ")" +
                       (summary_.scheme_reason.empty() ? "" : "; chosen by the program: " + summary_.scheme_reason)},
        {"Source", claims.reference},
        {"Order on smooth forces", std::to_string(claims.order)}};
    const bool hard = is_hard(summary_.law);  // impulses know neither springs nor a limit
    if (!hard) {
      rows.push_back({"Order with dashpots", std::to_string(claims.order_damped)});
      rows.push_back({"Order with turning friction springs", std::to_string(claims.order_spring)});
      rows.push_back({"Order while sliding", std::to_string(claims.order_sliding)});
      rows.push_back({"Stability limit of h omega, undamped", undamped});
      rows.push_back({"Contact onsets", summary_.onset ? "corrected" : "not corrected"});
    }
    rows.push_back({claims.implicit ? "Force evaluations per step, at least" : "Force evaluations per step",
                    std::to_string(claims.calls)});
    rows.push_back({"Symplectic", claims.symplectic ? "yes" : "no"});
    rows.push_back({"Step", number(summary_.step) + " s"});
    if (stability > 0) {
      rows.push_back({"Limit at the start", limit(start)});
      rows.push_back({"Limit at the end", limit(end)});
    }
    if (summary_.accepted_steps)
      rows.push_back({"Steps accepted, rejected", std::to_string(*summary_.accepted_steps) + ", " +
                                                      std::to_string(summary_.rejected_steps.value_or(0))});
    if (const auto& effort = summary_.effort) {
      rows.push_back({"Force evaluations per step, of this run", number(effort->force_calls)});
      rows.push_back({"Iterations per step", number(effort->iterations)});
      if (effort->linear_iterations != 0)
        rows.push_back({"Linear iterations per step", number(effort->linear_iterations)});
      rows.push_back({"Steps that did not converge", std::to_string(effort->unsettled_steps)});
    }
    page.table({"", ""}, rows);
    show_chosen_steps(page, summary_);
    if (hard) return;
    page.paragraph(
        "Cairn's tests measure the claims of every scheme. The limit of h omega is computed from the scheme itself. "
        "The limit of the step is that of the contact network. Of more than 50,000 contacts it is a guaranteed bound, "
        "which is never larger than the true limit.");
  }

  void contacts(Page& page) const {
    const std::vector<PairSummary>& pairs = summary_.contact_pairs;
    if (pairs.empty()) return;
    page.section("Contacts");
    std::vector<Page::Row> rows;
    for (const PairSummary& c : pairs)
      rows.push_back({c.first, c.second, number(c.stiffness), fmt::format("{:.4f}", c.restitution), number(c.friction),
                      number(c.duration), number(c.steps)});
    if (const std::int64_t all = summary_.contact_pairs_in_all; all > std::ssize(rows))
      page.paragraph(fmt::format("The table shows the {} of {} pairs of materials with the shortest collisions.",
                                 rows.size(), all));
    page.table({"Material", "with", "stiffness [N/m]", "restitution", "friction", "duration [s]", "steps"}, rows);
    page.paragraph(fmt::format(
        "Law: {}, {} ({}). The table describes head-on collisions of the lightest grains at {} m/s, "
        "computed with the formula of the law: realised restitution, duration, and number of steps.",
        summary_.law, summary_.law_about.summary, summary_.law_about.reference, number(summary_.contact_speed)));
    page.paragraph(contacts_in_words());
  }

  std::string contacts_in_words() const {
    const CountSummary& counted = summary_.contact_count;
    std::string words =
        fmt::format("In this run {} began and {} ended", count(counted.began, "contact", "contacts"), counted.ended);
    if (const std::int64_t shortest = counted.shortest_steps; shortest > 0)
      words += "; the shortest, grazing touches included, was resolved in " + count(shortest, "step", "steps");
    if (!summary_.shortest_collision) return words + ".";
    std::string told = in_words(*summary_.shortest_collision, summary_.onset);
    told[0] = 'A';
    return words + ". " + told +
           ". This error is measured by running the scheme. It is the root mean square over the places within a step "
           "at which such a contact begins and ends.";
  }

  void origin(Page& page) const {
    page.section("How to repeat this run");
    const bool changed = changed_by_resume(summary_.scenario_text) && there(names::scenario);
    std::string command = "cairn run " + for_shell(changed ? folder_ + "/" + names::scenario : summary_.scenario_file);
    for (const std::string& setting : summary_.settings) command += " --set " + for_shell(setting);
    page.code(command);
    if (changed)
      page.paragraph(
          "A resume changed the run. Its changes are in this scenario file and not in the original one. Files that the "
          "scenario names are looked for beside it, or else in the working folder.");
    page.folded("Scenario file", summary_.scenario_text);
    if (summary_.settings.empty()) link_laboratory(page, folder_, summary_.scenario_text);
    const Page::Row rows[] = {{"Cairn", summary_.versions.cairn},
                              {"Compiler", summary_.versions.compiler},
                              {"State hash", summary_.state_hash},
                              {"Seconds", number(summary_.wall_seconds)},
                              {"Force evaluations, rebuilds of the neighbour list",
                               std::to_string(summary_.force_passes) + ", " + std::to_string(summary_.list_rebuilds)}};
    page.table({"", ""}, rows);
    page.paragraph("The same scenario gives the same state hash on any number of threads and on any x86-64 machine.");
    page.section("How to cite");
    page.paragraph(summary_.citation);
    page.paragraph("Scheme: " + summary_.scheme_claims.reference + ". Contact law: " + summary_.law_about.reference +
                   ".");
  }

  std::string folder_;
  RunSummary summary_;
  Columns series_;
  Real lowest_ = 0;                                      // [J] of the gravitational energy
  std::vector<std::pair<Figure, std::string>> figures_;  // with their captions
};

}  // namespace

ReportFiles write_report(const std::string& folder) {
  return Report(folder).write();
}

}  // namespace cairn
