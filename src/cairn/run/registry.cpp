#include "cairn/run/registry.hpp"

#include <algorithm>

#include "cairn/analysis/stability.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/integrate/equations.hpp"
#include "cairn/integrate/schemes/all.hpp"

namespace cairn {

std::span<const SchemeEntry> scheme_catalogue() {
  static const std::vector<SchemeEntry> entries = [] {
    std::vector<SchemeEntry> list;
    for_each_scheme([&](auto scheme) {
      using S = decltype(scheme);
      list.push_back({.claims = S::claims,
                      .staggered = is_staggered<S>,
                      .splitting = is_splitting<S>,
                      .advance = [](World& world, Real h) { return advance<S>(world, h); },
                      .equations = [] { return equations<S>(); },
                      .stability =
                          [](Real zeta) {
                            static const Real undamped = stability_limit<S>(0);  // every run asks for it
                            return zeta == 0 ? undamped : stability_limit<S>(zeta);
                          },
                      .spectral_radius = spectral_radius<S>});
    });
    return list;
  }();
  return entries;
}

std::vector<std::string_view> SchemeEntry::names() const {
  std::vector<std::string_view> all{claims.name};
  for (std::size_t begin = 0; begin < claims.also.size();) {
    const std::size_t end = std::min(claims.also.find(' ', begin), claims.also.size());
    all.push_back(claims.also.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

const SchemeEntry* find_scheme(std::string_view name) {
  for (const SchemeEntry& e : scheme_catalogue()) {
    const std::vector<std::string_view> names = e.names();
    if (std::find(names.begin(), names.end(), name) != names.end()) return &e;
  }
  return nullptr;
}

std::string scheme_suggestion(std::string_view name) {
  std::vector<std::string_view> all;
  for (const SchemeEntry& e : scheme_catalogue())
    for (const std::string_view one : e.names()) all.push_back(one);
  return suggestion(name, all);
}

const SchemeEntry& scheme_named(const std::string& name) {
  if (const SchemeEntry* e = find_scheme(name)) return *e;
  throw Error(Exit::bad_input,
              "there is no scheme '" + name + "'" + scheme_suggestion(name) + "; `cairn schemes` lists them all");
}

}  // namespace cairn
