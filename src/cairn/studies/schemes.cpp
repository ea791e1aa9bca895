#include "cairn/studies/schemes.hpp"

#include <algorithm>

#include "cairn/core/error.hpp"

namespace cairn::studies {
namespace {

// At commas outside parentheses.
std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : names) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ')
      parts.back() += c;
  }
  return parts;
}

}  // namespace

Selection select_schemes(const std::string& names) {
  Selection all;
  for (const SchemeEntry& e : scheme_catalogue()) all.push_back(&e);
  if (names.empty()) return all;
  Selection wanted;
  for (const std::string& name : split(names)) wanted.push_back(&scheme_named(name));
  std::erase_if(all, [&](const SchemeEntry* e) { return std::find(wanted.begin(), wanted.end(), e) == wanted.end(); });
  return all;
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
