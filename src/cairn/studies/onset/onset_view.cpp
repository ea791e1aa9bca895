#include "cairn/studies/onset/onset_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace cairn::studies::onset_view {

std::string text(std::string_view a) {
  return std::string(a);
}
std::string brief_number(Real a) {
  return !std::isfinite(a)      ? "-"
         : a == 0               ? "0"
         : a >= 0.01 && a < 100 ? fmt::format("{:.3g}", a)
                                : fmt::format("{:.1e}", a);
}
std::string factor(Real a) {
  return !std::isfinite(a) ? "-"
         : a >= 9999.5     ? fmt::format("{:.0e}", a)
         : a >= 99.5       ? fmt::format("{:.0f}", a)
                           : fmt::format("{:.2g}", a);
}
std::string two_places(Real a) {
  return std::isfinite(a) ? fmt::format("{:.2f}", a) : "-";
}
std::string unbroken(const std::string& words) {
  std::string out;
  for (const char c : words) out += c == ' ' ? "\u00a0" : c == '-' ? "\u2011" : std::string(1, c);
  return out;
}
std::string sentence(std::string words) {
  words[0] = static_cast<char>(std::toupper(words[0]));
  return words;
}
std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

Selection schemes_of(const Result& r) {
  Selection all;
  const auto add = [&](const SchemeEntry* s) {
    if (std::find(all.begin(), all.end(), s) == all.end()) all.push_back(s);
  };
  for (const Entry& e : r.entries) add(e.scheme);
  for (const Run& run : r.cooling.runs) add(run.scheme);
  return all;
}

std::vector<const Entry*> entries_of(const Result& r, std::size_t in, std::size_t measure, const SchemeEntry* scheme) {
  std::vector<const Entry*> all;
  for (const Entry& e : r.entries)
    if (e.in == in && e.measure == measure && e.scheme == scheme) all.push_back(&e);
  return all;
}
const Entry* entry_at(const std::vector<const Entry*>& entries, Real n) {
  const Entry* nearest = nullptr;
  for (const Entry* e : entries)
    if (!nearest || std::fabs(std::log(e->n / n)) < std::fabs(std::log(nearest->n / n))) nearest = e;
  return nearest;
}

Real plain_steps_for(const std::vector<const Entry*>& entries, Real error) {
  for (std::size_t k = entries.size(); k-- > 1;) {
    const Entry &above = *entries[k - 1], &below = *entries[k];
    if (below.off > error) return nan;
    if (above.off > error)
      return above.n * std::pow(below.n / above.n, std::log(above.off / error) / std::log(above.off / below.off));
  }
  return nan;
}

Cooled cooled(const Result::Cooling& c, const Run& run) {
  const std::vector<Real>& reference = c.references.front().energy;
  return {energy_error(run.energy, reference), std::fabs(cooling_rate(c, run.energy) / cooling_rate(c, reference) - 1)};
}

Real haff(const Result::Cooling& c, Real time) {
  return 1 / ((1 + time / c.tau) * (1 + time / c.tau));
}

std::size_t shown_measure(const Result::Case& c) {
  for (std::size_t m = 0; m < c.measures.size(); ++m)
    if (c.measures[m].name.starts_with("velocity")) return m;
  return 0;
}

std::string name_of(const SchemeEntry* s) {
  return s->name;
}

}  // namespace cairn::studies::onset_view
