// Helpers that the tables, figures and findings of the onset study share: they look up results and write numbers.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cairn/core/constants.hpp"
#include "cairn/studies/onset/onset.hpp"

namespace cairn::studies::onset_view {

using Result = OnsetResult;
using Entry = Result::Entry;
using Run = Result::Cooling::Run;

inline constexpr Real gain_steps = 20;   // n at which gains are reported
inline constexpr Real helps_from = 1.5;  // a smaller gain does not count as a gain

std::string text(std::string_view a);
std::string brief_number(Real a);
std::string factor(Real a);
std::string two_places(Real a);
// For a cell that should stay on one line.
std::string unbroken(const std::string& words);
std::string sentence(std::string words);
std::string spaced(std::string name);
Selection schemes_of(const Result& r);
std::vector<const Entry*> entries_of(const Result& r, std::size_t in, std::size_t measure, const SchemeEntry* scheme);
const Entry* entry_at(const std::vector<const Entry*>& entries, Real n);
// How many steps per contact the plain scheme needs for this error, on logarithmic axes; NaN: more than were run.
Real plain_steps_for(const std::vector<const Entry*>& entries, Real error);
Real haff(const Result::Cooling& c, Real time);
// The measure that stands for a case: the velocities, if it has them, else the first.
std::size_t shown_measure(const Result::Case& c);
std::string name_of(const SchemeEntry* s);

// Errors of a cooling run.
struct Cooled {
  Real energy, rate;  // [-] errors
};
Cooled cooled(const Result::Cooling& c, const Run& run);

std::vector<ResultTable> tables_of(const Result& r);
std::vector<Figure> figures_of(const Result& r, std::size_t in, const Selection& schemes);  // of case `in`
std::vector<Figure> figures_of(const Result::Cooling& c, const Selection& schemes);
std::vector<std::string> findings_of(const Result& r);

}  // namespace cairn::studies::onset_view
