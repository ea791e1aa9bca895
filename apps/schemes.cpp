// cairn schemes: the catalogue, some of it, or one scheme explained.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cairn/catalogue/catalogue.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/formats/words.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

struct Filter {
  std::string family;
  int order = 0, damped = 0;  // at least
  int calls = 1'000'000;      // at most
  bool is_symplectic = false, is_reversible = false, is_adaptive = false, is_implicit = false, is_explicit = false,
       is_sliding = false;

  // Orders and calls are of forces, which hard contacts do not have.
  bool is_of_hard_contacts() const {
    Filter none;
    none.family = family;
    return *this == none && (family.empty() || family == hard_scheme_catalogue()[0].claims.family);
  }
  friend bool operator==(const Filter&, const Filter&) = default;
  bool passes(const Claims& c) const {
    return (family.empty() || c.family == family) && c.order >= order && c.order_damped >= damped &&
           c.force_evaluations <= calls && (!is_symplectic || c.symplectic) && (!is_reversible || c.reversible) &&
           (!is_adaptive || c.adaptive) && (!is_implicit || c.implicit) && (!is_explicit || !c.implicit) &&
           (!is_sliding || c.slides);
  }
};

SchemeList chosen(const Filter& filter) {
  SchemeList list;
  std::vector<std::string_view> families;
  for (const SchemeEntry& e : scheme_catalogue()) {
    if (std::find(families.begin(), families.end(), e.claims.family) == families.end())
      families.push_back(e.claims.family);
    if (filter.passes(e.claims)) list.push_back(&e);
  }
  families.push_back(hard_scheme_catalogue()[0].claims.family);
  for (const SchemeEntry& e : hard_scheme_catalogue())
    if (filter.is_of_hard_contacts()) list.push_back(&e);
  if (!filter.family.empty() && std::find(families.begin(), families.end(), filter.family) == families.end())
    throw Error(Exit::bad_input, "there is no family " + quoted_bytes(filter.family) + "; expected one of " +
                                     joined(families, ", ", ", ") + suggestion(filter.family, families));
  return list;
}

}  // namespace

void add_schemes(CLI::App& app) {
  struct Options {
    std::string name;
    Filter filter;
    bool json = false, markdown = false;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("schemes", "List the time-integration schemes, or explain one");
  command->footer(
      "cairn schemes --damped 2 --calls 1     second order with dashpots, one force evaluation per step\n"
      "cairn schemes velocity_verlet          equations, origin, figures and limits");
  command->add_option("name", o->name, "name of the scheme to explain")->type_name("SCHEME");
  const std::vector<CLI::Option*> filters{
      command->add_option("--family", o->filter.family, "list only this family")->type_name("FAMILY"),
      command->add_option("--order", o->filter.order, "list only schemes of at least this order on smooth forces"),
      command->add_option("--damped", o->filter.damped, "list only schemes of at least this order with dashpots"),
      command->add_option("--calls", o->filter.calls,
                          "list only schemes with at most this many force evaluations per step"),
      command->add_flag("--symplectic", o->filter.is_symplectic,
                        "list only symplectic schemes: the energy of a smooth elastic motion stays bounded"),
      command->add_flag("--reversible", o->filter.is_reversible, "list only time-reversible schemes"),
      command->add_flag("--adaptive", o->filter.is_adaptive, "list only schemes that choose their steps"),
      command->add_flag("--implicit", o->filter.is_implicit,
                        "list only implicit schemes: they evaluate the force at the state they solve for"),
      command->add_flag("--slides", o->filter.is_sliding, "list only schemes that are allowed in runs with friction"),
      command->add_flag("--explicit", o->filter.is_explicit, "list only explicit schemes")};
  filters.back()->excludes("--implicit");
  command->add_flag("--json", o->json, "print JSON; a stability limit of null means that nothing limits the step");
  command->add_flag("--markdown", o->markdown, "print the page docs/schemes.md");

  command->callback([o, filters] {
    const bool filtered =
        std::any_of(filters.begin(), filters.end(), [](const CLI::Option* option) { return option->count() > 0; });
    if ((!o->name.empty()) + filtered + o->markdown > 1 || (o->json && o->markdown))
      throw Error(Exit::bad_input,
                  "cairn schemes takes either a name, or filters, or --markdown; see cairn schemes --help");
    if (o->markdown) return print(scheme_page());
    if (!o->name.empty()) {
      const SchemeEntry& e = scheme_named(o->name);
      return print(o->json ? scheme_json(e) : scheme_card(e));
    }
    const SchemeList list = chosen(o->filter);
    if (o->json) return print(scheme_list_json(list));
    if (list.empty()) return print("no scheme has all these properties\n");
    print_table(scheme_table(list));
  });
}

}  // namespace cairn
