// Every study of the program: one file each, named after the study. A new study is declared and listed here.
#pragma once
namespace CLI {
class App;
}

namespace cairn {

void add_bulk_study(CLI::App& studies);
void add_energy_study(CLI::App& studies);
void add_impact_study(CLI::App& studies);
void add_ledger_study(CLI::App& studies);
void add_onset_study(CLI::App& studies);
void add_orders_study(CLI::App& studies);
void add_piles_study(CLI::App& studies);
void add_stability_study(CLI::App& studies);
void add_statics_study(CLI::App& studies);
void add_validation_study(CLI::App& studies);
void add_work_precision_study(CLI::App& studies);

inline constexpr void (*all_studies[])(CLI::App&) = {add_bulk_study,       add_energy_study,        add_impact_study,
                                                     add_ledger_study,     add_onset_study,         add_orders_study,
                                                     add_piles_study,      add_stability_study,     add_statics_study,
                                                     add_validation_study, add_work_precision_study};

}  // namespace cairn
