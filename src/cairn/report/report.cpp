#include "cairn/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "cairn/core/error.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/run_names.hpp"
#include "cairn/formats/table.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/render/page.hpp"
#include "cairn/report/contact_summary.hpp"

namespace cairn {
namespace {

using Json = nlohmann::json;

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
std::string duration(Real seconds) {
  if (seconds < 100) return number(seconds) + " s";
  const auto s = static_cast<std::int64_t>(seconds);
  return fmt::format("{}:{:02}:{:02} h", s / 3600, s / 60 % 60, s % 60);
}

constexpr std::size_t most_curves = 24;  // in one figure; no reader tells more apart

class Report {
 public:
  explicit Report(const std::string& folder)
      : folder_(folder),
        summary_(Json::parse(read_file(folder + "/" + names::summary))),
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

    Page page(
        summary_.at("scenario"),
        fmt::format("Run with Cairn {}: {}, scheme {}, law {}, to t = {} s", text(summary_.at("versions"), "cairn"),
                    count(integer("particles"), "grain", "grains"), text("scheme"), text("law"), number(real("time"))));
    overview(page);
    pictures(page);
    energy(page);
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

  // What is not finite is null in JSON: a run may have ended so.
  static Real real(const Json& a) { return a.is_null() ? std::numeric_limits<Real>::quiet_NaN() : a.get<Real>(); }
  Real real(const char* key) const { return real(summary_.at(key)); }
  std::int64_t integer(const char* key) const { return summary_.at(key).get<std::int64_t>(); }
  std::string text(const char* key) const { return text(summary_, key); }
  static std::string text(const Json& j, const char* key) { return j.at(key).get<std::string>(); }
  Real energy_of(const char* key) const { return real(summary_.at("energy").at(key)); }
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
    std::int64_t grains = integer("particles");
    for (const auto& [how, sign] : {std::pair{"emitters", -1}, std::pair{"removals", 1}})
      if (summary_.contains(how))
        for (const Json& each : summary_.at(how)) grains += sign * each.at("grains").get<std::int64_t>();
    return grains == 0;
  }
  // What may bring energy, or take it: "moving walls and new grains".
  std::string outside() const {
    std::vector<std::string> said;
    if (summary_.at("moving_walls").get<bool>()) said.push_back("moving walls");
    if (summary_.contains("emitters")) said.push_back("new grains");
    if (summary_.contains("removals")) said.push_back("the removal of grains");
    return said.empty() ? "sources outside the system" : joined(said);
  }
  static std::string joined(const std::vector<std::string>& said) {
    std::string words;
    for (std::size_t k = 0; k < said.size(); ++k)
      words += (k == 0 ? "" : k + 1 == said.size() ? " and " : ", ") + said[k];
    return words;
  }

  // Steps that the shortest contact lasts; infinity if there is none.
  Real resolution() const {
    Real least = std::numeric_limits<Real>::infinity();
    for (const Json& c : summary_.at("contact_pairs")) least = std::min(least, c.at("steps").get<Real>());
    return least;
  }

  // The order the claims promise for what this run did.
  int order() const {
    const Json& claims = summary_.at("scheme_claims");
    int least = claims.at("order");
    if (energy_of("dashpot") != 0) least = std::min<int>(least, claims.at("order_damped"));
    if (energy_of("slip") != 0) least = std::min<int>({least, claims.at("order_spring"), claims.at("order_sliding")});
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
      stack.push_back({name, values, k});
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
    if (!motion.empty())
      figure("motion", "Energy of motion", {"energy", "J", true}, std::move(motion),
             "The logarithmic axis shows whether the grains come to rest.");
    if (any(column("external")))
      figure("external", "Work from outside", {"work", "J"}, {{"external", column("external")}},
             "Energy that " + outside() + " added so far; a negative value means that they removed energy.");
    figure("contacts", "Grains and contacts", {"number"},
           {{"grains", column("grains")}, {"contacts", column("contacts")}},
           "Closed contacts, including those with walls.");
    figure("coordination", "Coordination", {"contacts per grain"}, {{"coordination", made([&](std::size_t k) {
                                                                       const Real n = column("grains")[k];
                                                                       return n > 0 ? 2 * column("contacts")[k] / n : 0;
                                                                     })}},
           "Twice the number of contacts divided by the number of grains.");
    figure("height", "Height of the centre of mass", {"z", "m"}, {{"height", column("barycentre_z")}}, "");
    const auto& steps = column("step");
    if (const auto [low, high] = std::minmax_element(steps.begin(), steps.end()); *low < 0.999 * *high)
      figure("step", "Step", {"step", "s", true}, {{"step", steps}}, "Step chosen by the adaptive scheme.");
    std::vector<Curve> loads, removed;
    for (const Table::Column& head : series_.heads) {
      constexpr std::string_view end = "_force_x";
      if (head.name.ends_with(end)) {
        const std::string wall = head.name.substr(0, head.name.size() - end.size());
        const auto &x = column(wall + "_force_x"), &y = column(wall + "_force_y"), &z = column(wall + "_force_z");
        loads.push_back({wall, made([&](std::size_t k) { return std::hypot(x[k], y[k], z[k]); })});
      }
      if (head.name.starts_with("removed_") && head.unit == "1")
        removed.push_back({head.name.substr(8), column(head.name)});
    }
    const std::string walls = of_many(loads.size(), "walls", "loads"),
                      of = of_many(removed.size(), "removals", "numbers");
    if (!loads.empty())
      figure("wall_forces", "Forces on walls", {"force", "N"}, highest(std::move(loads), most_curves),
             "Magnitude of the total force on each wall." + walls);
    if (!removed.empty())
      figure("removed", "Grains removed", {"number"}, highest(std::move(removed), most_curves),
             "Number of grains removed so far." + of);
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
    const Real limit = real("step_limit_end"), step = real("step"), steps = resolution();
    const bool adaptive = summary_.at("scheme_claims").at("adaptive");
    const Page::Card cards[] = {
        {"Grains", std::to_string(integer("particles")),
         count(integer("contacts"), "contact", "contacts") + " at the end"},
        {"Simulated", number(real("time")) + " s", count(integer("steps"), "step", "steps")},
        {"Step", number(step) + " s",
         adaptive    ? "last step; the scheme chooses its steps"
         : limit > 0 ? share(step / limit) + " of the stability limit"
                     : "no contact limits it at the end"},
        {"Shortest contact", std::isfinite(steps) ? number(std::floor(steps * 10) / 10) + " steps" : "none",
         "head-on, lightest grains"},
        {"Error of the ledger", percent(std::fabs(energy_of("residual_fraction"))), "of the energy exchanged"},
        {"Computed in", duration(real("wall_seconds")),
         fmt::format("{:.3g} million grain-steps/s, {}", 1e-6 * real("particle_steps_per_second"),
                     count(integer("threads"), "thread", "threads"))}};
    page.cards(cards);
    if (!summary_.at("finished").get<bool>())
      page.warning(fmt::format("This run stopped at t = {} s of {} s. It was stopped by {}.", number(real("time")),
                               number(real("end")), text("stopped_by")));
    for (const auto& [name, guard] : summary_.at("guards").items())
      if (const std::string message = guard.at("message"); !message.empty())
        page.warning("Guard '" + name + "': " + message + ".");
  }

  void pictures(Page& page) const {
    const Json& list = summary_.at("pictures");
    if (list.empty()) return;
    std::vector<std::size_t> shown{0, list.size() / 2, list.size() - 1};
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    std::vector<Page::Picture> pictures;
    for (const std::size_t k : shown) {
      const std::string file = text(list[k], "file");
      if (there(file))
        pictures.push_back({read_file(folder_ + "/" + file), "t = " + number(list[k].at("time")) + " s"});
    }
    if (pictures.empty()) return;
    page.section("Pictures");
    page.pictures(pictures);
    page.paragraph("Grains are coloured by speed. Each picture has its own colour scale.");
  }

  void energy(Page& page) {
    page.section("Energy");
    page.paragraph(ledger_in_words());
    put(page, "energy");
    page.paragraph(error_in_words());
    put(page, "residual");
  }

  std::string ledger_in_words() const {
    const bool empty = began_empty();
    const Real began = empty ? 0 : energy_of("initial") - lowest_;
    const Real came = energy_of("external") - (empty ? lowest_ : 0), whole = began + came;
    std::string words =
        empty ? "The run began without grains" : fmt::format("The run began with {} J of energy", number(began));
    if (!empty && std::fabs(began) < 1e-3 * std::fabs(came)) words = "The run began with almost no energy";
    words += came > 0   ? fmt::format("; {} added {} J.", outside(), number(came))
             : came < 0 ? fmt::format("; {} removed {} J.", outside(), number(-came))
                        : " and no energy was added from outside.";
    if (any(column("gravitational"))) words += " Gravitational energy counts from its lowest value in the run.";
    if (!(whole > 0)) return words;
    const std::pair<const char*, Real> parts[] = {
        {"was dissipated by dashpots", energy_of("dashpot")},
        {"was dissipated by sliding friction", energy_of("slip")},
        {"was dissipated by rolling and twisting friction", energy_of("rolling")},
        {"was dissipated by clipping attractive forces", energy_of("clip")},
        {"is the balance of onset corrections", energy_of("onset")},
        {"is kinetic energy", energy_of("kinetic")},
        {"is rotational energy", energy_of("rotational")},
        {"is gravitational energy", energy_of("gravitational") - lowest_},
        {"is elastic energy of contacts", energy_of("elastic")}};
    std::vector<std::string> said;
    for (const auto& [what, energy] : parts)
      if (std::fabs(energy) > 1e-6 * whole)
        said.push_back((energy > 0.9995 * whole ? "all" : share(energy / whole)) + " " + what);
    if (said.empty()) return words;
    return words + fmt::format(" Shares of the total of {} J: ", number(whole)) + joined(said) + ".";
  }

  std::string error_in_words() const {
    const Real residual = energy_of("residual");
    std::string words = fmt::format(
        "The ledger cannot account for {} J. This residual is the numerical error of the energy: {} of the energy "
        "exchanged.",
        number(residual), percent(std::fabs(energy_of("residual_fraction"))));
    if (const Real own = energy_of("numerical_damping"); residual < 0 && own > 0)
      words += fmt::format(
          " The scheme {} itself damps the stiffest contact at this step, with a damping ratio of {:.2g}. The energy "
          "lost in this way is part of the residual.",
          text("scheme"), own);
    if (summary_.at("scheme_claims").at("adaptive"))
      return words + " The scheme chooses its steps; a smaller run.tolerance reduces the error.";
    const int p = order();
    return words + fmt::format(
                       " For the forces that acted in this run {} claims order {}: once contacts are resolved, halving "
                       "the step divides the error by {}.",
                       text("scheme"), p, 1 << p);
  }

  void rest_of_figures(Page& page) {
    page.section("Over time");
    for (const auto& [figure, caption] : figures_)
      if (figure.name != "energy" && figure.name != "residual") put(page, figure.name);
    page.paragraph(
        "figures/ contains each figure as SVG, with its data (CSV) and its gnuplot script. series.csv contains all "
        "numbers over time.");
  }

  void scheme(Page& page) const {
    const Json& claims = summary_.at("scheme_claims");
    page.section("Scheme and step");
    const auto whole = [&](const char* key) { return std::to_string(claims.at(key).get<int>()); };
    const bool limited = !claims.at("stability").is_null();
    const Real stability = limited ? claims.at("stability").get<Real>() : 0;
    const std::string undamped = stability > 0 ? number(stability) : limited ? "weakly unstable" : "none";
    const Real start = real("step_limit"), end = real("step_limit_end");
    const auto limit = [](Real a) { return a > 0 ? number(a) + " s" : std::string("no contacts"); };
    std::vector<Page::Row> rows{
        {"Scheme", text("scheme") + " (" + text(claims, "family") + ")"},
        {"Source", text(claims, "reference")},
        {"Order on smooth forces", whole("order")},
        {"Order with dashpots", whole("order_damped")},
        {"Order with turning friction springs", whole("order_spring")},
        {"Order while sliding", whole("order_sliding")},
        {claims.at("implicit") ? "Force evaluations per step, at least" : "Force evaluations per step", whole("calls")},
        {"Symplectic", claims.at("symplectic") ? "yes" : "no"},
        {"Stability limit of h omega, undamped", undamped},
        {"Contact onsets", summary_.at("onset") ? "corrected" : "not corrected"},
        {"Step", number(real("step")) + " s"}};
    if (stability > 0) {
      rows.push_back({"Limit at the start", limit(start)});
      rows.push_back({"Limit at the end", limit(end)});
    }
    if (summary_.contains("accepted_steps"))
      rows.push_back({"Steps accepted, rejected",
                      std::to_string(integer("accepted_steps")) + ", " + std::to_string(integer("rejected_steps"))});
    if (summary_.contains("effort")) {
      const Json& effort = summary_.at("effort");
      const auto mean = [&](const char* key) { return number(effort.at(key).get<Real>()); };
      rows.push_back({"Force evaluations per step, of this run", mean("force_calls")});
      rows.push_back({"Iterations per step", mean("iterations")});
      if (effort.at("linear_iterations") != 0)
        rows.push_back({"Linear iterations per step", mean("linear_iterations")});
      rows.push_back({"Steps that did not converge", std::to_string(effort.at("unsettled_steps").get<int>())});
    }
    page.table({"", ""}, rows);
    page.paragraph(
        "Cairn's tests measure the claims of every scheme. The limit of h omega is computed from the scheme itself. "
        "The limit of the step uses the Gershgorin bound on the frequencies of the contact network; it is never larger "
        "than the true limit.");
  }

  void contacts(Page& page) const {
    const Json& pairs = summary_.at("contact_pairs");
    if (pairs.empty()) return;
    page.section("Contacts");
    std::vector<Page::Row> rows;
    for (const Json& c : pairs)
      rows.push_back({text(c, "first"), text(c, "second"), number(c.at("stiffness")),
                      fmt::format("{:.4f}", c.at("restitution").get<Real>()), number(c.at("friction")),
                      number(c.at("duration")), number(c.at("steps"))});
    if (const std::int64_t all = summary_.value("contact_pairs_in_all", std::ssize(rows)); all > std::ssize(rows))
      page.paragraph(fmt::format("The table shows the {} of {} pairs of materials with the shortest collisions.",
                                 rows.size(), all));
    page.table({"Material", "with", "stiffness [N/m]", "restitution", "friction", "duration [s]", "steps"}, rows);
    page.paragraph(
        fmt::format("Law: {}, {} ({}). The table describes head-on collisions of the lightest grains at {} m/s, "
                    "computed with the formula of the law: realised restitution, duration, and number of steps.",
                    text("law"), text(summary_.at("law_about"), "summary"), text(summary_.at("law_about"), "reference"),
                    number(real("contact_speed"))));
    page.paragraph(contacts_in_words());
  }

  std::string contacts_in_words() const {
    const Json &counted = summary_.at("contact_count"), &collision = summary_.at("shortest_collision");
    std::string words =
        fmt::format("In this run {} began and {} ended", count(counted.at("began"), "contact", "contacts"),
                    counted.at("ended").get<std::int64_t>());
    if (const std::int64_t shortest = counted.at("shortest_steps"); shortest > 0)
      words += "; the shortest, grazing touches included, was resolved in " + count(shortest, "step", "steps");
    if (collision.is_null()) return words + ".";
    const ShortestCollision shortest{text(collision, "first"),
                                     text(collision, "second"),
                                     collision.at("restitution"),
                                     collision.at("steps"),
                                     {real(collision.at("error_onset_off")), real(collision.at("error_onset_on")),
                                      collision.at("measured_at_steps")}};
    std::string told = in_words(shortest, summary_.at("onset"));
    told[0] = 'A';
    return words + ". " + told +
           ". This error is measured by running the scheme. It is the root mean square over the places within a step "
           "at which such a contact begins and ends.";
  }

  void origin(Page& page) const {
    page.section("How to repeat this run");
    std::string command = "cairn run " + for_shell(text("scenario_file"));
    for (const Json& s : summary_.at("settings")) command += " --set " + for_shell(s.get<std::string>());
    page.code(command);
    page.folded("Scenario file", text("scenario_text"));
    const Json& versions = summary_.at("versions");
    const Page::Row rows[] = {
        {"Cairn", text(versions, "cairn")},
        {"Compiler", text(versions, "compiler")},
        {"State hash", text("state_hash")},
        {"Seconds", number(real("wall_seconds"))},
        {"Force evaluations, rebuilds of the neighbour list",
         std::to_string(integer("force_passes")) + ", " + std::to_string(integer("list_rebuilds"))}};
    page.table({"", ""}, rows);
    page.paragraph("The same scenario gives the same state hash on any number of threads and on any x86-64 machine.");
    page.section("How to cite");
    page.paragraph(text("citation"));
    page.paragraph("Scheme: " + text(summary_.at("scheme_claims"), "reference") +
                   ". Contact law: " + text(summary_.at("law_about"), "reference") + ".");
  }

  std::string folder_;
  Json summary_;
  Columns series_;
  Real lowest_ = 0;                                      // [J] of the gravitational energy
  std::vector<std::pair<Figure, std::string>> figures_;  // with their captions
};

}  // namespace

ReportFiles write_report(const std::string& folder) {
  try {
    return Report(folder).write();
  } catch (const nlohmann::json::exception& e) {
    throw Error(Exit::io, folder + "/summary.json was not written by this version of Cairn: " + e.what());
  }
}

}  // namespace cairn
