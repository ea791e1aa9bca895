#include "cairn/studies/piles/piles.hpp"

#include <functional>
#include <utility>

namespace cairn::studies {

PilesSettings PilesSettings::quick() {
  PilesSettings s;
  s.explosion_steps = {0.01, 0.005};
  s.projections = {0, 0.1, 0.2, 0.4, 0.5, 0.6, 0.8, 1};
  s.standing = 40;
  s.pile_3d_end = 14;
  s.heap_grains = 0;
  return s;
}

PilesResult study_piles(const PilesSettings& settings, const ProgressCallback& on_progress) {
  PilesResult r;
  r.settings = settings;
  std::vector<std::pair<std::string, std::function<void()>>> work;
  work.emplace_back("one ball", [&] { r.balls = single_balls(), r.thrown = thrown_balls(); });
  for (const bool damped : {true, false})
    for (const Real stiffness : {4000.0, 8000.0, 40000.0})
      if (damped || stiffness < 40000)
        work.emplace_back("soft columns", [&, damped, stiffness] { r.soft.push_back(soft_column(stiffness, damped)); });
  // The document's shorter step begins with 15 grains.
  const auto first_of = [](Real step) { return step < 0.01 ? 15 : 1; };
  for (const Real step : settings.explosion_steps) {
    const int first = first_of(step);
    work.emplace_back("columns that explode", [&, step, first] {
      r.hard.push_back(hard_column("simultaneous", step, first, settings.standing));
      r.hard.push_back(column_by_hand(false, step, first, settings.standing));
      r.hard.push_back(column_by_hand(true, step, first, settings.standing));
    });
    for (const char* method : {"sequential", "dynamics"})
      work.emplace_back("columns that stand", [&, step, first, method] {
        r.hard.push_back(hard_column(method, step, first, settings.standing));
      });
  }
  for (const Real projection : settings.projections)
    work.emplace_back("jitter", [&, projection] { r.jitter.push_back(jitter_at(projection)); });
  for (const char* law : {"impulse", "dynamics", "linear"})
    for (const bool lossy : {false, true})
      work.emplace_back("billiards", [&, law, lossy] { r.billiards.push_back(billiards(law, lossy)); });
  work.emplace_back("billiards", [&] { r.cushion = billiards("impulse", false, true); });
  work.emplace_back("pile in two dimensions", [&] { r.piles.push_back(ready_pile("pile_2d", 10)); });
  work.emplace_back("pile in three dimensions",
                    [&] { r.piles.push_back(ready_pile("pile_3d", settings.pile_3d_end)); });
  if (settings.heap_grains > 0) {
    work.emplace_back("heap by contact dynamics", [&] { r.heaps.push_back(hard_heap(settings)); });
    work.emplace_back("heap of springs", [&] { r.heaps.push_back(soft_heap(settings, r.heaps[0])); });
  }
  for (std::size_t k = 0; k < work.size(); ++k) {
    if (on_progress) on_progress(static_cast<Real>(k) / static_cast<Real>(work.size()), work[k].first);
    work[k].second();
  }
  return r;
}

}  // namespace cairn::studies
