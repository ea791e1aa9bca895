// The list of contact laws. A new law is one file and one line here: the program, the catalogue and the law tests
// pick it up.
#pragma once
#include <string>
#include <tuple>
#include <variant>
#include <vector>

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

inline std::string law_names() {
  std::string names;
  for_each_law([&](auto law) { names += (names.empty() ? "" : ", ") + std::string(decltype(law)::name); });
  return names;
}

// The table of the law called `name`; settings(i, j) gives the ContactSettings of a pair of materials.
template <class Settings>
LawTable law_table(const std::string& name, const std::vector<Material>& materials, Settings&& settings) {
  LawTable table;
  bool found = false;
  for_each_law([&](auto law) {
    using L = decltype(law);
    if (name != L::name) return;
    found = true;
    std::vector<typename FormulaOf<L>::type> laws;
    for (std::size_t i = 0; i < materials.size(); ++i)
      for (std::size_t j = 0; j < materials.size(); ++j)
        laws.push_back(L::from(settings(i, j), materials[i], materials[j]));
    table = std::move(laws);
  });
  if (!found) throw Error(Exit::bad_input, "contact law '" + name + "' is unknown; expected one of " + law_names());
  return table;
}

}  // namespace cairn
