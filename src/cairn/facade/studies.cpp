// Advice and studies at the C interface.
#include <nlohmann/json.hpp>

#include "cairn/facade/guarded.hpp"
#include "cairn/run/step_choice.hpp"
#include "cairn/studies/advice/advice.hpp"
#include "cairn/studies/bulk/bulk.hpp"
#include "cairn/studies/energy/energy.hpp"
#include "cairn/studies/ledger/ledger.hpp"
#include "cairn/studies/orders.hpp"
#include "cairn/studies/piles/piles.hpp"
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
  bool one_by_one = false;  // reports between its runs from one thread, and can be stopped there
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

const Study all_studies[] = {
    {"orders",
     [](const Asked& a, const ProgressCallback& p) {
       return show(study_orders(settings_for<studies::OrdersSettings>(a), p));
     },
     true},
    {"work-precision", work_precision, true},
    {"stability",
     [](const Asked& a, const ProgressCallback& p) {
       return show(study_stability(settings_for<studies::StabilitySettings>(a), p));
     }},
    {"energy",
     [](const Asked& a, const ProgressCallback& p) {
       studies::EnergySettings settings = settings_for<studies::EnergySettings>(a);
       if (!a.schemes.empty()) settings.catalogue = studies::select_schemes(a.schemes);
       return show(study_energy(settings, p));
     }},
    {"piles", [](const Asked& a,
                 const ProgressCallback& p) { return show(study_piles(settings_for<studies::PilesSettings>(a), p)); }},
    {"statics",
     [](const Asked& a, const ProgressCallback& p) {
       return show(study_statics(settings_for<studies::StaticsSettings>(a), p));
     }},
    {"bulk", [](const Asked& a,
                const ProgressCallback& p) { return show(study_bulk(settings_for<studies::BulkSettings>(a), p)); }},
    {"validation", validation}};

ProgressCallback reporter(cairn_progress progress, void* context, bool may_stop) {
  if (progress == nullptr) return {};
  return [=](Real done, const std::string& doing) {
    if (progress(done, doing.c_str(), context) != 0 && may_stop) throw Stopped{};
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
    give(json, json_of(show(advise(whole_scenario(scenario), settings, reporter(progress, context, true)))));
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
        return give(json, json_of(study.run(asked, reporter(progress, context, study.one_by_one))));
      known += (known.empty() ? "" : ", ") + std::string(study.name);
    }
    throw Error(Exit::bad_input, "there is no study '" + std::string(name) + "'; expected one of " + known);
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
