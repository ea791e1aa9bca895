// The list of contact laws. A new law is one file and one line here: the program, its keys, the documentation and the
// law tests pick it up.
#pragma once
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "cairn/contact/law_parameters.hpp"
#include "cairn/contact/laws/extended_linear.hpp"
#include "cairn/contact/laws/hertz_mindlin.hpp"
#include "cairn/contact/laws/linear.hpp"
#include "cairn/contact/laws/nonlinear.hpp"

namespace cairn {

using Laws = std::tuple<LinearSpringDashpot,  //
                        HertzMindlin,         //
                        KuwabaraKono,         //
                        ExtendedNonlinear,    //
                        ExtendedLinear>;

// A law may be another one by its own name and with other settings, its Formula: the passes are compiled once for both.
template <class L>
struct FormulaOf {
  using type = L;
};
template <class L>
requires requires {
  typename L::Formula;
}
struct FormulaOf<L> {
  using type = typename L::Formula;
};

template <class List>
struct LawTableOf;
template <class... L>
struct LawTableOf<std::tuple<L...>> {
  static_assert((ContactLaw<L> && ...));
  template <class Law>
  using Own = std::conditional_t<std::is_same_v<Law, typename FormulaOf<Law>::type>, std::tuple<std::vector<Law>>,
                                 std::tuple<>>;
  template <class... T>
  static std::variant<T...> one_of(const std::tuple<T...>&);
  using type = decltype(one_of(std::tuple_cat(Own<L>{}...)));
};

// One law, with its numbers for each pair of materials: entry first * materials + second.
using LawTable = LawTableOf<Laws>::type;

// Calls f(L{}) for each law of the list.
template <class F>
void for_each_law(F&& f) {
  std::apply([&](auto... law) { (f(law), ...); }, Laws{});
}

inline const std::vector<LawEntry>& law_entries() {
  static const std::vector<LawEntry> entries = [] {
    std::vector<LawEntry> all;
    for_each_law([&](auto law) { all.push_back(law_entry_of<decltype(law)>()); });
    return all;
  }();
  return entries;
}

inline std::string law_names() {
  std::string names;
  for_each_law([&](auto law) { names += (names.empty() ? "" : ", ") + std::string(decltype(law)::name); });
  return names;
}

inline const LawEntry& law_entry(std::string_view name) {
  for (const LawEntry& law : law_entries())
    if (law.name == name) return law;
  throw Error(Exit::bad_input, "contact law '" + std::string(name) + "' is unknown; expected one of " + law_names());
}

// The table of the law called `name`; settings(i, j) gives the ContactSettings of a pair of materials.
template <class Settings>
LawTable law_table(const std::string& name, const std::vector<Material>& materials, Settings&& settings) {
  LawTable table;
  law_entry(name);  // an error if there is no such law
  for_each_law([&](auto law) {
    using L = decltype(law);
    if (name != L::name) return;
    for (const Material& m : materials) require_material<L>(m);
    std::vector<typename FormulaOf<L>::type> laws;
    std::optional<ContactSettings> checked;  // most pairs have the settings of the pair before
    for (std::size_t i = 0; i < materials.size(); ++i)
      for (std::size_t j = 0; j < materials.size(); ++j) {
        const ContactSettings& c = settings(i, j);
        if (checked != c) {
          require_settings<L>(c);
          checked = c;
        }
        laws.push_back(L::from(c, materials[i], materials[j]));
      }
    table = std::move(laws);
  });
  return table;
}

}  // namespace cairn
