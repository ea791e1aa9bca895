#include "cairn/studies/validation/validation.hpp"

#include <algorithm>
#include <iterator>

#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/formats/words.hpp"

namespace cairn::studies {

std::vector<const ValidationRow*> ValidationResult::failed() const {
  std::vector<const ValidationRow*> all;
  for (const ValidationRow& row : rows)
    if (!row.holds()) all.push_back(&row);
  return all;
}

namespace {

struct Part {
  const char* name;
  ValidationCase (*run)(const ValidationSettings&, const ProgressCallback&);
  Real share;  // of the time, about
};
constexpr Part all_parts[] = {{"normal", validate_normal_impacts, 1},
                              {"oblique", validate_oblique_impacts, 4},
                              {"spinning", validate_spinning_impacts, 4},
                              {"rolling", validate_rolling, 4},
                              {"turntable", validate_turntable, 2},
                              {"piston", validate_piston, 4},
                              {"symmetry", validate_symmetry, 1},
                              {"gas", validate_gas, 10},
                              {"drum", validate_drum, 10},
                              {"silo", validate_silo, 60},
                              {"orifice", validate_orifice, 20}};

std::vector<Part> parts_of(const std::vector<std::string>& cases) {
  std::vector<std::string> names;
  for (const Part& part : all_parts) names.emplace_back(part.name);
  for (const std::string& name : cases)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error(Exit::bad_input, "--case: there is no case " + quoted_bytes(name) + suggestion(name, names) +
                                       "; there are " + joined(names, ", ", " and "));
  std::vector<Part> parts;
  for (const Part& part : all_parts)
    if (cases.empty() || std::find(cases.begin(), cases.end(), part.name) != cases.end()) parts.push_back(part);
  return parts;
}

}  // namespace

ValidationResult study_validation(const ValidationSettings& settings, const ProgressCallback& on_progress) {
  if (settings.scheme->claims.adaptive)
    throw Error(Exit::bad_input, "scheme " + std::string(settings.scheme->claims.name) +
                                     " chooses its own steps; expected one of fixed step");
  const std::vector<Part> parts = parts_of(settings.cases);
  Real all = 0, done = 0;
  for (const Part& part : parts) all += part.share;
  ValidationResult result{settings, {}, {}};
  for (const Part& part : parts) {
    ValidationCase found = part.run(settings, [&](Real share, const std::string& doing) {
      if (on_progress) on_progress((done + share * part.share) / all, doing);
    });
    std::move(found.rows.begin(), found.rows.end(), std::back_inserter(result.rows));
    std::move(found.figures.begin(), found.figures.end(), std::back_inserter(result.figures));
    done += part.share;
  }
  return result;
}

}  // namespace cairn::studies
