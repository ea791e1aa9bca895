// Validation: Cairn beside references that are not Cairn. Closed forms, papers, and second methods written here.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cairn/run/registry.hpp"
#include "cairn/studies/validation/case.hpp"

namespace cairn::studies {

struct ValidationSettings {
  const SchemeEntry* scheme = &scheme_named("velocity_verlet_predicted");  // of fixed step; for the cases of few grains
  bool quick = false;
  std::vector<std::string> cases;  // of these; empty: all
  // Cairn's friction over that of the references. Not 1 only to see that the study notices.
  Real friction = 1;
};

// The cases of few grains.
ValidationCase validate_normal_impacts(const ValidationSettings& settings,
                                       const ProgressCallback& on_progress);  // Chung & Ooi 1 to 3
ValidationCase validate_oblique_impacts(const ValidationSettings& settings,
                                        const ProgressCallback& on_progress);  // 4 and 5
ValidationCase validate_spinning_impacts(const ValidationSettings& settings,
                                         const ProgressCallback& on_progress);  // 6 to 8
ValidationCase validate_rolling(const ValidationSettings& settings,
                                const ProgressCallback& on_progress);  // slope, belt, ball, top
ValidationCase validate_turntable(const ValidationSettings& settings, const ProgressCallback& on_progress);
ValidationCase validate_piston(const ValidationSettings& settings, const ProgressCallback& on_progress);
ValidationCase validate_symmetry(const ValidationSettings& settings, const ProgressCallback& on_progress);
// The cases of many grains.
ValidationCase validate_gas(const ValidationSettings& settings, const ProgressCallback& on_progress);
ValidationCase validate_drum(const ValidationSettings& settings, const ProgressCallback& on_progress);
ValidationCase validate_silo(const ValidationSettings& settings, const ProgressCallback& on_progress);     // Janssen
ValidationCase validate_orifice(const ValidationSettings& settings, const ProgressCallback& on_progress);  // Beverloo

struct ValidationResult {
  ValidationSettings settings;
  std::vector<ValidationRow> rows;
  std::vector<ValidationFigure> figures;

  std::vector<const ValidationRow*> failed() const;
};

// Error(bad_input) for a scheme that chooses its own steps, and for a case there is not.
ValidationResult study_validation(const ValidationSettings& settings, const ProgressCallback& on_progress = {});
StudyReport show(const ValidationResult& result);
// The table of docs/validation.md.
std::string markdown_of(const ValidationResult& result);

}  // namespace cairn::studies
