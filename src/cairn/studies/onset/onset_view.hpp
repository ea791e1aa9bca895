// What the tables, figures and findings of the onset study share: looking up its results, and writing its numbers.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cairn/studies/onset/onset.hpp"

namespace cairn::studies::onset_view {

using Result = OnsetResult;
using Entry = Result::Entry;
using Run = Result::Cooling::Run;

inline constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
inline constexpr Real gain_steps = 20;   // n at which gains are told
inline constexpr Real helps_from = 1.5;  // gains below are none

inline std::string text(std::string_view a) {
  return std::string(a);
}
inline std::string brief_number(Real a) {
  return !std::isfinite(a)      ? "-"
         : a == 0               ? "0"
         : a >= 0.01 && a < 100 ? fmt::format("{:.3g}", a)
                                : fmt::format("{:.1e}", a);
}
inline std::string factor(Real a) {
  return !std::isfinite(a) ? "-"
         : a >= 9999.5     ? fmt::format("{:.0e}", a)
         : a >= 99.5       ? fmt::format("{:.0f}", a)
                           : fmt::format("{:.2g}", a);
}
inline std::string two_places(Real a) {
  return std::isfinite(a) ? fmt::format("{:.2f}", a) : "-";
}
// For a cell that should stay on one line.
inline std::string unbroken(const std::string& words) {
  std::string out;
  for (const char c : words) out += c == ' ' ? "\u00a0" : c == '-' ? "\u2011" : std::string(1, c);
  return out;
}
inline std::string sentence(std::string words) {
  words[0] = static_cast<char>(std::toupper(words[0]));
  return words;
}
inline std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

inline Selection schemes_of(const Result& r) {
  Selection all;
  const auto add = [&](const SchemeEntry* s) {
    if (std::find(all.begin(), all.end(), s) == all.end()) all.push_back(s);
  };
  for (const Entry& e : r.entries) add(e.scheme);
  for (const Run& run : r.cooling.runs) add(run.scheme);
  return all;
}

inline std::vector<const Entry*> entries_of(const Result& r, std::size_t in, std::size_t measure,
                                            const SchemeEntry* scheme) {
  std::vector<const Entry*> all;
  for (const Entry& e : r.entries)
    if (e.in == in && e.measure == measure && e.scheme == scheme) all.push_back(&e);
  return all;
}
inline const Entry* entry_at(const std::vector<const Entry*>& entries, Real n) {
  const Entry* nearest = nullptr;
  for (const Entry* e : entries)
    if (!nearest || std::fabs(std::log(e->n / n)) < std::fabs(std::log(nearest->n / n))) nearest = e;
  return nearest;
}

// How many steps per contact the plain scheme needs for this error, on logarithmic axes; NaN: more than were run.
inline Real plain_steps_for(const std::vector<const Entry*>& entries, Real error) {
  for (std::size_t k = entries.size(); k-- > 1;) {
    const Entry &above = *entries[k - 1], &below = *entries[k];
    if (below.off > error) return nan;
    if (above.off > error)
      return above.n * std::pow(below.n / above.n, std::log(above.off / error) / std::log(above.off / below.off));
  }
  return nan;
}

// What cooling runs are compared in.
struct Cooled {
  Real energy, rate;  // [-] errors
};
inline Cooled cooled(const Result::Cooling& c, const Run& run) {
  const std::vector<Real>& reference = c.references.front().energy;
  return {energy_error(run.energy, reference), std::fabs(cooling_rate(c, run.energy) / cooling_rate(c, reference) - 1)};
}

inline Real haff(const Result::Cooling& c, Real time) {
  return 1 / ((1 + time / c.tau) * (1 + time / c.tau));
}

// The measure a case is told by: of grains their velocities.
inline std::size_t shown_measure(const Result::Case& c) {
  for (std::size_t m = 0; m < c.measures.size(); ++m)
    if (c.measures[m].name.starts_with("velocity")) return m;
  return 0;
}

inline std::string name_of(const SchemeEntry* s) {
  return s->name;
}

std::vector<ResultTable> tables_of(const Result& r);
std::vector<Figure> figures_of(const Result& r, std::size_t in, const Selection& schemes);  // of case `in`
std::vector<Figure> figures_of(const Result::Cooling& c, const Selection& schemes);
std::vector<std::string> findings_of(const Result& r);

}  // namespace cairn::studies::onset_view
