// The list of contact laws. A new law is one file and one line here: the program, its keys, the documentation and the
// law tests pick it up.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "cairn/contact/law_parameters.hpp"
#include "cairn/contact/laws/extended_linear.hpp"
#include "cairn/contact/laws/hard.hpp"
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
  static_assert((!has_memory<L> && ...), "the World keeps no memory of a contact beside its springs");
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

const std::vector<LawEntry>& law_entries();  // the hard ones last
std::string law_names();
// Error(bad_input) if there is no such law.
const LawEntry& law_entry(std::string_view name);

// The table of the law called `name`; settings(i, j) gives the ContactSettings of a pair of materials.
using SettingsOfPair = std::function<ContactSettings(std::size_t, std::size_t)>;
// With a hard law: springs too weak to move anything.
LawTable law_table(const std::string& name, const std::vector<Material>& materials, const SettingsOfPair& settings);
// Of a hard law; none of others.
std::optional<HardLaws> hard_laws(const std::string& name, std::size_t materials, const SettingsOfPair& settings);

}  // namespace cairn
