// The figures of the impact study.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "cairn/core/constants.hpp"
#include "cairn/studies/impact/impact_view.hpp"

namespace cairn::studies::impact_view {

std::vector<Panel> panels_of(const Selection& schemes) {
  std::vector<Panel> panels{{"a", "one-step schemes of the paper", {}, true},
                            {"b", "multistep schemes of the paper", {}, true},
                            {"c", "predictor-correctors of the paper", {}, true}};
  const auto& names = document_schemes;
  Selection others;
  for (const SchemeEntry* s : schemes) {
    std::size_t k = 0;
    while (k < std::size(names) &&
           std::none_of(names[k].begin(), names[k].end(), [&](auto name) { return is_called(*s, name); }))
      ++k;
    (k < std::size(names) ? panels[k].schemes : others).push_back(s);
  }
  for (Family& f : by_family(others, 11))
    panels.push_back({f.slug, "other schemes, " + f.name, std::move(f.schemes), false});
  std::erase_if(panels, [](const Panel& p) { return p.schemes.empty(); });
  return panels;
}

namespace {

constexpr const char* onset_words[] = {"start as in the paper", "in a simulation", "in a simulation, corrected"};
constexpr int model_colour = 6;  // grey

Axis error_axis(std::size_t m) {
  return {fmt::format("error of {}", impact_measures[m].name), "%", true};
}

// Curves over a common abscissa, from values by scheme.
class Plot {
 public:
  Plot(std::string name, std::string title, Axis x, Axis y, Figure::Style style = Figure::Style::points) {
    figure_.style = style;
    figure_.name = std::move(name), figure_.title = std::move(title);
    figure_.x = std::move(x), figure_.y = std::move(y);
  }
  void curve(std::string name) { figure_.curves.push_back({std::move(name), {}}); }
  // Adds a point to the last curve.
  void point(Real x, Real y) {
    auto& row = rows_[x];
    row.resize(figure_.curves.size(), nan);
    row.back() = std::isfinite(y) && y < 1e4 ? y : nan;
  }
  Figure figure(Real level = nan) && {
    for (auto& [x, row] : rows_) {
      row.resize(figure_.curves.size(), nan);
      figure_.at.push_back(x);
      for (std::size_t k = 0; k < row.size(); ++k) figure_.curves[k].y.push_back(row[k]);
    }
    if (std::isfinite(level))
      figure_.curves.push_back({"model error", std::vector<Real>(figure_.at.size(), level), model_colour, true});
    return std::move(figure_);
  }

 private:
  Figure figure_;
  std::map<Real, std::vector<Real>> rows_;
};

}  // namespace

Figure accuracy_figure(const Result& r, const Panel& panel, std::size_t m) {
  Plot plot(fmt::format("{}_{}_{}", m < beta ? "fig2" : "fig3", impact_measures[m].name, panel.slug),
            fmt::format("Error of {}: {}", impact_measures[m].words, panel.words), {"steps per impact", "1"},
            error_axis(m), Figure::Style::lines);
  for (const SchemeEntry* s : panel.schemes) {
    plot.curve(s->name);
    for (const Result::Accuracy& a : r.accuracy)
      if (a.scheme == s) plot.point(a.n, a.ard[m]);
  }
  return std::move(plot).figure(impact_measures[m].model);
}

Figure grid_figure(const Result& r, const Panel& panel, std::size_t m, Onset onset) {
  Plot plot(fmt::format("{}_{}_{}{}", m < beta ? "fig5" : "fig6", impact_measures[m].name, panel.slug,
                        onset == Onset::corrected ? "_corrected" : ""),
            fmt::format("Time-grid error of {}{}: {}", impact_measures[m].words,
                        onset == Onset::corrected ? ", corrected" : "", panel.words),
            {"steps per impact", "1"}, error_axis(m));
  for (const SchemeEntry* s : panel.schemes) {
    plot.curve(s->name);
    for (const Result::Grid& g : r.grid)
      if (g.scheme == s && g.onset == onset) plot.point(g.n, g.dev[m]);
  }
  return std::move(plot).figure(impact_measures[m].model);
}

Figure phase_figure(const Result& r, std::size_t m, Onset onset) {
  static constexpr const char* names[] = {"phase", "phase_simulated", "phase_corrected"};
  Plot plot(fmt::format("{}_{}", names[static_cast<int>(onset)], impact_measures[m].name),
            fmt::format("Time-grid error of {} at n = {} over the phase, {}", impact_measures[m].words,
                        r.settings.phase_steps, onset_words[static_cast<int>(onset)]),
            {"first sample after the onset", "steps"}, error_axis(m), Figure::Style::lines);
  const SchemeEntry* before = nullptr;
  for (const Result::Phase& p : r.phases) {
    if (p.onset != onset) continue;
    if (p.scheme != before) plot.curve(p.scheme->name);
    before = p.scheme;
    plot.point(p.phase, p.dev[m]);
  }
  return std::move(plot).figure(impact_measures[m].model);
}

Figure cost_figure(const Result& r, const Panel& panel) {
  Plot plot("fig7_" + panel.slug, "Cost of an impact: " + panel.words, {"steps per impact", "1"},
            {"time", "steps of forward_euler", true});
  for (const SchemeEntry* s : panel.schemes) {
    plot.curve(s->name);
    if (const Result::Cost* c = cost_of(r, s))
      for (std::size_t k = 0; k < c->run.size(); ++k) plot.point(r.cost_steps[k], c->run[k] / r.euler_step);
  }
  return std::move(plot).figure();
}

Figure efficiency_figure(const Result& r, const Panel& panel, std::size_t m, Costing costing) {
  static constexpr const char* names[2][3] = {{"fig8", "fig11", "bed8"}, {"fig9", "fig12", "bed9"}};
  Plot plot(
      fmt::format("{}_{}_{}", names[m < beta ? 0 : 1][static_cast<int>(costing)], impact_measures[m].name, panel.slug),
      fmt::format("Error of {} against cost, {}: {}", impact_measures[m].words, words_of(r, costing), panel.words),
      {"cost", "steps of forward_euler", true}, error_axis(m));
  static constexpr int some[] = {4,  5,  6,  7,  8,  9,  10, 12, 14, 16, 18, 20,
                                 22, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100};
  for (const SchemeEntry* s : panel.schemes) {
    const Result::Cost* c = cost_of(r, s);
    if (!c) continue;
    plot.curve(s->name);
    for (const Result::Accuracy& a : r.accuracy)
      if (a.scheme == s && std::find(std::begin(some), std::end(some), a.n) != std::end(some))
        plot.point(a.n * step_cost(r, *c, costing), a.ard[m]);
  }
  return std::move(plot).figure(impact_measures[m].model);
}

}  // namespace cairn::studies::impact_view
