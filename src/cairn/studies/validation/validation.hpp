// Validation: Cairn compared with independent references: closed forms, papers, and second methods written here.
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
  std::vector<std::string> cases;  // only these; empty: all
  // Cairn's friction over that of the references. A test sets another value than 1 to see that comparisons fail.
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
                                const ProgressCallback& on_progress);  // slope, belt, ball, twisting
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

// Error(bad_input) for a scheme that chooses its own steps and for an unknown case.
ValidationResult study_validation(const ValidationSettings& settings, const ProgressCallback& on_progress = {});
StudyReport show(const ValidationResult& result);
// The table of docs/validation.md.
std::string markdown_of(const ValidationResult& result);

}  // namespace cairn::studies
