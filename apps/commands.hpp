// The commands of the program, one file each. Each adds its subcommand to the command line; its callback runs it and
// throws Error where it fails, CLI::RuntimeError(code) where it ends with a code but nothing to say.
#pragma once

namespace CLI {
class App;
}

namespace cairn {

void add_advise(CLI::App& app);
void add_check(CLI::App& app);
void add_completion(CLI::App& app);
void add_equilibrium(CLI::App& app);
void add_lab(CLI::App& app);
void add_laws(CLI::App& app);
void add_man(CLI::App& app);
void add_new(CLI::App& app);
void add_report(CLI::App& app);
void add_restitution(CLI::App& app);
void add_resume(CLI::App& app);
void add_run(CLI::App& app);
void add_schema(CLI::App& app);
void add_schemes(CLI::App& app);
void add_stability(CLI::App& app);
void add_study(CLI::App& app);
void add_sweep(CLI::App& app);
void add_verify(CLI::App& app);

// In the order of --help.
inline constexpr void (*all_commands[])(CLI::App&) = {
    add_new, add_check,   add_advise,    add_run,   add_resume, add_equilibrium, add_sweep,  add_verify,     add_report,
    add_lab, add_schemes, add_stability, add_study, add_laws,   add_restitution, add_schema, add_completion, add_man};

}  // namespace cairn
