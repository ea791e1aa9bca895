#include "cairn/studies/orders.hpp"

#include <algorithm>

#include "cairn/analysis/pair_cases.hpp"
#include "cairn/analysis/toys/toy_cases.hpp"

namespace cairn::studies {

OrdersResult study_orders(const OrdersSettings& settings, const ProgressCallback& on_progress) {
  OrdersResult r;
  for (const toys::Case* c : toys::cases().all())
    r.cases.push_back({std::string(c->name), std::string(c->words), c->end, c->exact.floor(), false});
  for (const PairCase& c : pair_cases)
    r.cases.push_back({std::string(c.name), std::string(c.words), pair_end, pair_reference(c).floor(), true});

  std::size_t done = 0;
  for (const SchemeEntry* entry : settings.schemes) {
    const Claims& claims = entry->claims;
    if (on_progress) on_progress(static_cast<Real>(done++) / static_cast<Real>(settings.schemes.size()), entry->name);
    const int calls = std::max(1, claims.force_evaluations);  // of a step
    std::size_t k = 0;
    for (const toys::Case* c : toys::cases().all())
      r.entries.push_back({entry, k++, claims.*c->claimed, c->convergence(entry->toy, settings.calls / calls)});
    for (const PairCase& c : pair_cases)
      r.entries.push_back({entry, k++, c.claimed(claims),
                           pair_convergence(c, entry->advance, entry->staggered, settings.pair_calls / calls)});
    for (const SlidingCase& c : sliding_cases)  // with the onset correction, unless the scheme is adaptive
      r.slides.push_back({entry, &c, measure_sliding(c, entry->advance, entry->staggered, !claims.adaptive)});
  }
  return r;
}

}  // namespace cairn::studies
