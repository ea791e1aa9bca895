#include "cairn/studies/orders.hpp"

#include <algorithm>

#include "cairn/analysis/pair_cases.hpp"
#include "cairn/analysis/toy_cases.hpp"
#include "cairn/integrate/schemes/all.hpp"

namespace cairn::studies {

OrdersResult study_orders(const OrdersSettings& settings, const Tell& tell) {
  OrdersResult r;
  toys::cases().for_each([&](const auto& c) {
    r.cases.push_back({std::string(c.name), std::string(c.words), c.end, c.exact.floor(), false});
  });
  for (const PairCase& c : pair_cases)
    r.cases.push_back({std::string(c.name), std::string(c.words), pair_end, pair_reference(c).floor(), true});

  std::size_t done = 0;
  for_each_scheme([&](auto scheme) {
    using S = decltype(scheme);
    const auto at = std::find_if(settings.schemes.begin(), settings.schemes.end(),
                                 [](const SchemeEntry* e) { return e->claims.name == S::claims.name; });
    if (at == settings.schemes.end()) return;
    const SchemeEntry& entry = **at;
    const Claims& claims = entry.claims;
    if (tell) tell(static_cast<Real>(done++) / static_cast<Real>(settings.schemes.size()), std::string(claims.name));
    std::size_t k = 0;
    toys::cases().for_each([&](const auto& c) {
      r.entries.push_back(
          {&entry, k++, claims.*c.claimed, c.template convergence<S>(settings.calls / std::max(1, claims.calls))});
    });
    for (const PairCase& c : pair_cases)
      r.entries.push_back(
          {&entry, k++, c.claimed(claims),
           pair_convergence(c, entry.advance, entry.staggered, settings.pair_calls / std::max(1, claims.calls))});
  });
  return r;
}

}  // namespace cairn::studies
