#include "cairn/studies/orders.hpp"

#include <algorithm>

#include "cairn/analysis/pair_cases.hpp"
#include "cairn/analysis/toys/toy_cases.hpp"
#include "cairn/integrate/schemes/all.hpp"

namespace cairn::studies {

OrdersResult study_orders(const OrdersSettings& settings, const ProgressCallback& on_progress) {
  OrdersResult r;
  toys::cases().for_each([&](const auto& c) {
    r.cases.push_back({std::string(c.name), std::string(c.words), c.end, c.exact.floor(), false});
  });
  for (const PairCase& c : pair_cases)
    r.cases.push_back({std::string(c.name), std::string(c.words), pair_end, pair_reference(c).floor(), true});

  std::size_t done = 0;
  for_each_scheme([&](auto scheme) {
    using S = decltype(scheme);
    for (const SchemeEntry* entry : settings.schemes) {
      if (entry->claims.name != S::claims.name) continue;
      const Claims& claims = entry->claims;
      if (on_progress) on_progress(static_cast<Real>(done++) / static_cast<Real>(settings.schemes.size()), entry->name);
      std::size_t k = 0;
      toys::cases().for_each([&](const auto& c) {
        r.entries.push_back(
            {entry, k++, claims.*c.claimed,
             c.template convergence<S>(settings.calls / std::max(1, claims.force_evaluations), entry->parameters)});
      });
      for (const PairCase& c : pair_cases)
        r.entries.push_back({entry, k++, c.claimed(claims),
                             pair_convergence(c, entry->advance, entry->staggered,
                                              settings.pair_calls / std::max(1, claims.force_evaluations))});
      for (const SlidingCase& c : sliding_cases)  // with the onset correction, unless the scheme is adaptive
        r.slides.push_back({entry, &c, measure_sliding(c, entry->advance, entry->staggered, !claims.adaptive)});
    }
  });
  return r;
}

}  // namespace cairn::studies
