// Schemes, laws and keys as data at the C interface.
#include "cairn/catalogue/catalogue.hpp"

#include "cairn/catalogue/law_catalogue.hpp"
#include "cairn/facade/guarded.hpp"
#include "cairn/report/stability_json.hpp"
#include "cairn/scenario/schema.hpp"

using namespace cairn;
using namespace cairn::facade;

extern "C" {

int cairn_schemes(const char* name, cairn_buffer* json) {
  return guarded([&] {
    if (name != nullptr) return give(json, scheme_json(scheme_named(name)));
    SchemeList all;
    for (const auto catalogue : {scheme_catalogue(), hard_scheme_catalogue()})
      for (const SchemeEntry& scheme : catalogue) all.push_back(&scheme);
    give(json, scheme_list_json(all));
  });
}

int cairn_laws(const char* name, cairn_buffer* json) {
  return guarded([&] { give(json, name == nullptr ? law_list_json() : law_json(name)); });
}

int cairn_schema(cairn_buffer* json) {
  return guarded([&] { give(json, scenario_json_schema()); });
}

int cairn_stability(const char* schemes, const double* zetas, size_t count, cairn_buffer* json) {
  return guarded([&] {
    require(zetas != nullptr && count > 0, "damping ratios");
    for (std::size_t k = 0; k < count; ++k)
      if (!(zetas[k] >= 0))
        throw Error(Exit::bad_input, "expected damping ratios c / (2 sqrt(km)) of at least 0, such as 0.05");
    SchemeList chosen = schemes_of(schemes);
    if (chosen.empty())
      for (const SchemeEntry& scheme : scheme_catalogue()) chosen.push_back(&scheme);
    give(json, stability_limits_json(chosen, {zetas, count}));
  });
}

}  // extern "C"
