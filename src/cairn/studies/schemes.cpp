#include "cairn/studies/schemes.hpp"

#include <algorithm>

#include "cairn/core/error.hpp"

namespace cairn::studies {

Selection select_schemes(const std::string& names) {
  const std::span<const SchemeEntry> all = scheme_catalogue();
  Selection wanted;
  if (names.empty()) {
    for (const SchemeEntry& e : all) wanted.push_back(&e);
    return wanted;
  }
  for (const std::string& name : split_scheme_names(names)) {
    const SchemeEntry* e = &scheme_named(name);
    if (std::find(wanted.begin(), wanted.end(), e) == wanted.end()) wanted.push_back(e);
  }
  const auto place = [&](const SchemeEntry* e) {
    return std::find_if(all.begin(), all.end(), [&](const SchemeEntry& o) { return o.claims.name == e->claims.name; });
  };
  std::stable_sort(wanted.begin(), wanted.end(),
                   [&](const SchemeEntry* a, const SchemeEntry* b) { return place(a) < place(b); });
  return wanted;
}

Real guess_of_step(const SchemeEntry& scheme) {
  const Real calls = std::max(1, scheme.claims.force_evaluations);
  if (scheme.claims.family == "implicit") return 40 * calls;
  return scheme.claims.family == "one-step" ? 0.5 * calls * calls : calls;
}

std::vector<Family> by_family(const Selection& selection, std::size_t most) {
  std::vector<Family> families;
  for (const SchemeEntry* e : selection) {
    const std::string name(e->claims.family);
    auto at = std::find_if(families.begin(), families.end(), [&](const Family& f) { return f.name == name; });
    if (at == families.end()) at = families.insert(families.end(), {name, name, {}});
    at->schemes.push_back(e);
  }
  std::vector<Family> parts;
  for (const Family& f : families) {
    const std::size_t n = f.schemes.size(), count = (n + most - 1) / most;
    for (std::size_t k = 0; k < count; ++k) {
      const auto at = [&](std::size_t part) {
        return f.schemes.begin() + static_cast<std::ptrdiff_t>(n * part / count);
      };
      Family part{f.name, f.slug, Selection(at(k), at(k + 1))};
      if (count > 1) {
        part.name += ", " + std::to_string(k + 1) + " of " + std::to_string(count);
        part.slug += "_" + std::to_string(k + 1);
      }
      std::replace_if(
          part.slug.begin(), part.slug.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

}  // namespace cairn::studies
