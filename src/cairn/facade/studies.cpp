// Advice and studies at the C interface.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cairn/core/threads.hpp"
#include "cairn/facade/guarded.hpp"
#include "cairn/run/step_choice.hpp"
#include "cairn/studies/advice/advice.hpp"
#include "cairn/studies/bulk/bulk.hpp"
#include "cairn/studies/energy/energy.hpp"
#include "cairn/studies/impact/impact.hpp"
#include "cairn/studies/ledger/ledger.hpp"
#include "cairn/studies/onset/onset.hpp"
#include "cairn/studies/orders.hpp"
#include "cairn/studies/piles/piles.hpp"
#include "cairn/studies/restitution.hpp"
#include "cairn/studies/stability/stability_study.hpp"
#include "cairn/studies/statics/statics.hpp"
#include "cairn/studies/validation/validation.hpp"
#include "cairn/studies/work_precision.hpp"

using namespace cairn;
using namespace cairn::facade;
using studies::ProgressCallback, studies::StudyReport;

namespace {

struct Asked {
  std::string schemes;  // empty: those that the study takes by default
  bool quick = false;
  const cairn_scenario* scenario = nullptr;
};

struct Study {
  const char* name;
  StudyReport (*run)(const Asked& asked, const ProgressCallback& on_progress);
};

template <class Settings>
Settings settings_for(const Asked& asked) {
  Settings settings = asked.quick ? Settings::quick() : Settings{};
  if constexpr (requires { settings.schemes; })
    if (!asked.schemes.empty()) settings.schemes = studies::select_schemes(asked.schemes);
  return settings;
}

StudyReport work_precision(const Asked& asked, const ProgressCallback& on_progress) {
  studies::WorkPrecisionSettings settings;
  require(asked.scenario != nullptr, "a scenario for the study work-precision");
  settings.scenario = whole_scenario(asked.scenario);
  settings.schemes = studies::select_schemes(asked.schemes);
  if (asked.quick) settings.make_quick();
  return show(study_work_precision(settings, on_progress));
}

StudyReport validation(const Asked& asked, const ProgressCallback& on_progress) {
  studies::ValidationSettings settings;
  settings.quick = asked.quick;
  if (!asked.schemes.empty()) settings.scheme = &scheme_named(asked.schemes);
  return show(study_validation(settings, on_progress));
}

StudyReport onset(const Asked& asked, const ProgressCallback& on_progress) {
  studies::OnsetSettings settings;
  if (asked.quick) settings.make_quick();
  if (!asked.schemes.empty()) settings.schemes = studies::select_schemes(asked.schemes);
  settings.threads = available_threads();
  return show(study_onset(settings, on_progress));
}

StudyReport impact(const Asked& asked, const ProgressCallback& on_progress) {
  studies::ImpactSettings settings;
  if (asked.quick) settings.make_quick();
  if (!asked.schemes.empty()) settings.schemes = studies::select_fixed_steps(asked.schemes);
  return show(study_impact(settings, on_progress));
}

StudyReport energy(const Asked& asked, const ProgressCallback& on_progress) {
  studies::EnergySettings settings = settings_for<studies::EnergySettings>(asked);
  if (!asked.schemes.empty()) settings.catalogue = studies::select_schemes(asked.schemes);
  return show(study_energy(settings, on_progress));
}

StudyReport ledger(const Asked& asked, const ProgressCallback& on_progress) {
  studies::LedgerSettings settings = settings_for<studies::LedgerSettings>(asked);
  if (!asked.schemes.empty()) settings.take_only(studies::select_schemes(asked.schemes));
  return show(study_ledger(settings, on_progress));
}

template <class Settings, auto study>
StudyReport plain(const Asked& asked, const ProgressCallback& on_progress) {
  return show(study(settings_for<Settings>(asked), on_progress));
}

const Study all_studies[] = {{"orders", plain<studies::OrdersSettings, studies::study_orders>},
                             {"work-precision", work_precision},
                             {"stability", plain<studies::StabilitySettings, studies::study_stability>},
                             {"onset", onset},
                             {"impact", impact},
                             {"energy", energy},
                             {"ledger", ledger},
                             {"piles", plain<studies::PilesSettings, studies::study_piles>},
                             {"statics", plain<studies::StaticsSettings, studies::study_statics>},
                             {"bulk", plain<studies::BulkSettings, studies::study_bulk>},
                             {"validation", validation}};

ProgressCallback reporter(cairn_progress progress, void* context) {
  if (progress == nullptr) return {};
  return [=](Real done, const std::string& doing) {
    if (progress(done, doing.c_str(), context) != 0) throw Stopped{};
  };
}

}  // namespace

extern "C" {

int cairn_advise(const cairn_scenario* scenario, double accuracy, const char* schemes, int32_t measure, double window,
                 cairn_progress progress, void* context, cairn_buffer* json) {
  return guarded([&] {
    studies::AdviceSettings settings;
    if (!accuracies.contains(accuracy))
      throw Error(Exit::bad_input, "accuracy: expected a share" + range_text(accuracies));
    if (!(window >= 0)) throw Error(Exit::bad_input, "window: expected a time >= 0 in s");
    settings.accuracy = accuracy, settings.measures = measure != 0, settings.window = window;
    if (schemes != nullptr && *schemes != '\0') settings.schemes = studies::select_schemes(schemes);
    give(json, json_of(show(advise(whole_scenario(scenario), settings, reporter(progress, context)))));
  });
}

int cairn_study(const char* name, const char* schemes, int32_t quick, const cairn_scenario* scenario,
                cairn_progress progress, void* context, cairn_buffer* json) {
  return guarded([&] {
    require(name != nullptr, "the name of a study");
    const Asked asked{schemes == nullptr ? "" : schemes, quick != 0, scenario};
    std::string known;
    for (const Study& study : all_studies) {
      if (study.name == std::string_view(name))
        return give(json, json_of(study.run(asked, reporter(progress, context))));
      known += (known.empty() ? "" : ", ") + std::string(study.name);
    }
    throw Error(Exit::bad_input, "there is no study '" + std::string(name) + "'; expected one of " + known);
  });
}

int cairn_restitution(const cairn_scenario* scenario, const char* pair, const double* speeds, size_t count,
                      const char* scheme, double steps, cairn_buffer* json) {
  return guarded([&] {
    require(scenario != nullptr && speeds != nullptr && count > 0, "a scenario and impact speeds");
    studies::RestitutionSettings settings;
    settings.speeds.assign(speeds, speeds + count);
    for (const Real speed : settings.speeds)
      if (!(speed > 0) || std::isinf(speed)) throw Error(Exit::bad_input, "speeds: expected numbers > 0 in m/s");
    if (!(steps > 0)) throw Error(Exit::bad_input, "steps: expected a number > 0 of steps per collision");
    settings.steps = steps;
    if (scheme != nullptr && *scheme != '\0') settings.scheme = &scheme_named(scheme);
    const studies::CollidingPair of =
        studies::colliding_pair(whole_scenario(scenario), pair == nullptr ? "" : pair, {});
    settings.onset = of.onset;
    give(json, json_of(restitution_over_speed(of, settings)));
  });
}

int cairn_studies(cairn_buffer* json) {
  return guarded([&] {
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const Study& study : all_studies) names.push_back(study.name);
    give(json, names.dump());
  });
}

}  // extern "C"
