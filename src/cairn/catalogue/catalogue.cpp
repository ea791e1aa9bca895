#include "cairn/catalogue/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cairn/core/text.hpp"
#include "cairn/formats/embedded.hpp"
#include "cairn/formats/words.hpp"

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

constexpr Real zetas[] = {0, 0.05, 0.1, 0.2, 0.5};  // damping ratios at which limits are shown

// A limit of h omega for people, in the words of `cairn stability`.
std::string limit(Real a) {
  return a == 0 ? "weak" : std::isinf(a) ? "any" : fmt::format("{:.4f}", a);
}

std::string properties(const SchemeEntry& e) {
  std::vector<std::string> words;
  if (e.claims.symplectic) words.push_back("symplectic");
  if (e.claims.reversible) words.push_back("reversible");
  if (e.claims.adaptive) words.push_back("adaptive");
  if (e.claims.implicit) words.push_back("implicit");
  if (e.claims.a_stable && e.usual()) words.push_back("A-stable");
  if (!e.claims.slides) words.push_back("not with friction");
  return joined(words, ", ", ", ");
}

std::string other_names(const SchemeEntry& e) {
  std::vector<std::string_view> names = e.names();
  names.erase(names.begin());
  return joined(names, ", ", ", ");
}

// Of a heading, as GitHub and the site make it.
std::string anchor(std::string_view heading) {
  std::string link(heading);
  std::replace(link.begin(), link.end(), ' ', '-');
  return link;
}

// In the order in which the list of schemes has them first.
std::vector<std::string_view> families(const SchemeList& list) {
  std::vector<std::string_view> all;
  for (const SchemeEntry* e : list)
    if (std::find(all.begin(), all.end(), e->claims.family) == all.end()) all.push_back(e->claims.family);
  return all;
}

SchemeList of_family(const SchemeList& list, std::string_view family) {
  SchemeList some;
  for (const SchemeEntry* e : list)
    if (e->claims.family == family) some.push_back(e);
  return some;
}

Json as_json(const SchemeEntry& e) {
  const Claims& c = e.claims;
  std::vector<std::string_view> also = e.names();
  also.erase(also.begin());
  Json parameters = Json::array();
  for (int k = 0; k < c.parameter_count(); ++k) {
    const Parameter& p = c.parameters[k];
    parameters.push_back({{"name", p.name},
                          {"value", e.parameters[k]},
                          {"default", p.usual},
                          {"low", p.low},
                          {"high", p.high},
                          {"words", p.description}});
  }
  return {{"name", e.usual() ? std::string(c.name) : e.name},
          {"also", also},
          {"family", c.family},
          {"order", c.order},
          {"order_damped", c.order_damped},
          {"order_spring", c.order_spring},
          {"order_sliding", c.order_sliding},
          {"slides", c.slides},
          {"sliding_friction", e.sliding_friction},
          {"calls", c.force_evaluations},
          {"memory", c.memory},
          {"symplectic", c.symplectic},
          {"reversible", c.reversible},
          {"adaptive", c.adaptive},
          {"implicit", c.implicit},
          {"a_stable", c.a_stable},
          {"hard", e.hard},
          {"parameters", parameters},
          {"stability", e.stability(0)},
          {"staggered", e.staggered},
          {"reference", c.reference},
          {"use", c.guidance}};
}

// Name and value of everything that is counted.
std::vector<std::pair<std::string, std::string>> figures(const SchemeEntry& e) {
  const Claims& c = e.claims;
  const auto add_parameters = [&](auto& to) {
    for (int k = 0; k < c.parameter_count(); ++k) {
      const Parameter& p = c.parameters[k];
      to.push_back({std::string(p.name), fmt::format("{}; {}, from {} to {}, default {}", to_text(e.parameters[k]),
                                                     p.description, brief(p.low), brief(p.high), to_text(p.usual))});
    }
  };
  if (e.hard) {
    std::vector<std::pair<std::string, std::string>> all{{"order", fmt::format("{} between impacts", c.order)},
                                                         {"longest step", "no contact limits it"}};
    add_parameters(all);
    return all;
  }
  std::vector<std::pair<std::string, std::string>> all{
      {"order", fmt::format("{}; with dashpots {}, turning springs {}, turning slip {}", c.order, c.order_damped,
                            c.order_spring, c.order_sliding)},
      {c.adaptive ? "force evaluations per attempt" : "force evaluations per step",
       fmt::format("{}{}", c.implicit ? "at least " : "", c.force_evaluations)},
      {"states kept between steps", fmt::format("{}", c.memory)}};
  std::string limits;
  for (const Real zeta : zetas)
    limits += (limits.empty() ? "" : ", ") + limit(e.stability(zeta)) + " at zeta = " + brief(zeta);
  all.push_back({"stable up to h omega", limits});
  add_parameters(all);
  all.push_back({"friction while sliding",
                 c.slides ? "mu F_n, within 1 % at 20 steps per contact"
                          : fmt::format("{:.4g} mu F_n; refused in runs with friction", e.sliding_friction)});
  if (c.excursion > 0) all.push_back({"stages outside the step", fmt::format("by {:.4g} h at most", c.excursion)});
  return all;
}

std::string kind(const SchemeEntry& e) {
  const Claims& c = e.claims;
  const std::string_view how = c.implicit ? "implicit" : "explicit";
  std::string words(c.family);
  if (how != c.family) words += fmt::format(", {}", how);
  if (c.symplectic) words += ", symplectic";
  if (c.reversible) words += ", reversible";
  if (c.adaptive) words += ", adaptive";
  if (c.a_stable && e.usual()) words += ", A-stable";  // of other numbers the limits tell
  if (e.staggered) words += ", staggered";
  return words;
}

// --- docs/schemes.md
// --------------------------------------------------------------------------------------------------

// The part of catalogue.md that belongs below a heading; "": what stands above the table.
std::string prose(std::string_view heading) {
  const std::string_view text = catalogue_prose()[0].text;
  std::string part;
  bool inside = heading.empty();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = text.substr(begin, end - begin);
    begin = end;
    if (line.starts_with("%% "))
      inside = line.substr(3, line.size() - 4) == heading;
    else if (inside)
      part += line;
  }
  const std::size_t first = part.find_first_not_of('\n');
  if (first == std::string::npos) return "";
  return part.substr(first, part.find_last_not_of('\n') + 1 - first) + "\n";
}

std::string overview(const SchemeList& list) {
  std::string page =
      "| scheme | also | order | dashpots | springs | slip | calls | kept | limit | |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n";
  for (const std::string_view family : families(list)) {
    if (of_family(list, family)[0]->hard) continue;  // none of the columns is theirs
    page += fmt::format("| **[{}](#{})** | | | | | | | | | |\n", family, anchor(family));
    for (const SchemeEntry* e : of_family(list, family)) {
      const Claims& c = e->claims;
      page += fmt::format("| [`{0}`](#{0}) | {1} | {2} | {3} | {4} | {5} | {6} | {7} | {8} | {9} |\n", c.name,
                          other_names(*e), c.order, c.order_damped, c.order_spring, c.order_sliding,
                          c.force_evaluations, c.memory, limit(e->stability(0)), properties(*e));
    }
  }
  return page;
}

std::string limits_of(const SchemeList& list) {
  std::string page = "| largest stable h omega at zeta = |", rule = "|---|";
  for (const Real zeta : zetas) page += " " + brief(zeta) + " |", rule += "---|";
  page += "\n" + rule + "\n";
  for (const SchemeEntry* e : list) {
    page += fmt::format("| `{}` |", e->claims.name);
    for (const Real zeta : zetas) page += " " + limit(e->stability(zeta)) + " |";
    page += "\n";
  }
  return page;
}

std::string section(const SchemeEntry& e) {
  const Claims& c = e.claims;
  std::string page = fmt::format("\n### {}\n\n", c.name);
  if (c.parameter_count() > 0)
    page += "Written `" + e.name + "`, or `" + std::string(c.name) + "` for these default parameters. ";
  if (!c.aliases.empty()) page += "Also " + other_names(e) + ". ";
  page += "Kind: " + kind(e) + ".\n\n";
  if (const std::string equations = e.equations(); !equations.empty()) page += "```text\n" + equations + "```\n\n";
  for (const auto& [name, value] : figures(e))
    if (!name.starts_with("stable")) page += "- " + name + ": " + value + "\n";
  for (const std::string& sentence : caveats(e)) page += "- " + sentence + "\n";
  page += fmt::format("- Origin: {}.\n", c.reference);
  if (!c.guidance.empty()) page += fmt::format("\n{}\n", c.guidance);
  if (const std::string more = prose(c.name); !more.empty()) page += "\n" + more;
  return page;
}

}  // namespace

std::vector<std::string> caveats(const SchemeEntry& e) {
  const Claims& c = e.claims;
  std::vector<std::string> all;
  if (e.hard) return {"It moves hard contacts only: contact.law = \"impulse\" or \"dynamics\"."};
  if (!e.usual())
    all.push_back("Its claims are made and tested for the parameters of " + full_name(c, c.usual_parameters()) + ".");
  const auto order = [&](int actual, const std::string& where) {
    if (actual < c.order) all.push_back(fmt::format("Its order is only {} {}.", actual, where));
  };
  order(c.order_damped, "with dashpots");
  order(c.order_spring, "where friction springs turn");
  order(c.order_sliding, "while contacts slide in a direction that turns");
  if (!c.slides)
    all.push_back(
        "Do not use it with friction: its stages go back to times before the step began, where friction has the wrong "
        "sign, and sliding contacts feel up to " +
        fmt::format("{:.3g}", e.sliding_friction) + " mu F_n. Runs with friction refuse it; studies measure it.");
  if ((c.family == "multistep" || c.family == "predictor-corrector") && c.memory > 0)
    all.push_back(
        "When a contact begins, the rates that the scheme remembers are those of free flight. So its order holds "
        "inside contacts only, and each beginning of a contact costs one step of first order.");
  if (e.stability(0) == 0)
    all.push_back(
        "Weakly unstable without damping: the energy of an elastic contact grows at every step, however small the step "
        "is.");
  else if (!c.symplectic)
    all.push_back("The energy of an elastic motion drifts over long times.");
  if (e.staggered)
    all.push_back("Its velocities are half a step behind its positions; output gives both at the same time.");
  return all;
}

std::string scheme_table(const SchemeList& list) {
  constexpr const char* row = "{:<27}{:>5} {:>7} {:>6} {:>4} {:>5} {:>4} {:>7}  {}\n";
  std::string table =
      fmt::format(fmt::runtime(row), "", "order", "dashpot", "spring", "slip", "calls", "kept", "h omega", "");
  for (const std::string_view family : families(list)) {
    table += fmt::format("{}\n", family);
    for (const SchemeEntry* e : of_family(list, family)) {
      const Claims& c = e->claims;
      if (e->hard) {
        table += fmt::format("  {:<25}with contact.law = \"{}\"\n", c.name, c.implicit ? "dynamics" : "impulse");
        continue;
      }
      std::string remarks = properties(*e);
      if (!c.aliases.empty()) remarks += (remarks.empty() ? "also " : "; also ") + other_names(*e);
      std::string line =
          fmt::format(fmt::runtime(row), "  " + std::string(c.name), c.order, c.order_damped, c.order_spring,
                      c.order_sliding, c.force_evaluations, c.memory, limit(e->stability(0)), remarks);
      line.erase(line.find_last_not_of(" \n") + 1);
      table += line + "\n";
    }
  }
  return table +
         "\norder: on a smooth force; dashpot: with a dashpot; spring: with a friction spring that turns; slip: while "
         "a contact\n"
         "slides and the direction of slip turns; calls: force evaluations per step; kept: states remembered between "
         "steps;\n"
         "h omega: largest stable step without damping, weak: weakly unstable at every step, any: stable at every "
         "step.\n"
         "cairn stability computes the limits for any damping; cairn schemes NAME explains one scheme.\n";
}

std::string scheme_list_json(const SchemeList& list) {
  Json all = Json::array();
  for (const SchemeEntry* e : list) all.push_back(as_json(*e));
  return all.dump(2) + "\n";
}

std::string scheme_card(const SchemeEntry& e) {
  const Claims& c = e.claims;
  std::string card = e.name;
  if (!c.aliases.empty()) card += " (" + other_names(e) + ")";
  card += ": " + kind(e) + "\n";
  if (const std::string equations = e.equations(); !equations.empty()) {
    card += "\n";
    for (std::size_t begin = 0; begin < equations.size();) {
      const std::size_t end = equations.find('\n', begin);
      const std::string line = equations.substr(begin, end - begin);
      card += line.empty() ? "\n" : "  " + line + "\n";
      begin = end + 1;
    }
  }
  card += "\n";
  for (const auto& [name, value] : figures(e)) card += fmt::format("{:<26} {}\n", name, value);
  card += fmt::format("{:<26} {}\n", "origin", c.reference);
  if (!c.guidance.empty()) card += "\n" + wrapped(c.guidance, "");
  card += "\nLimits:\n";
  for (const std::string& sentence : caveats(e)) card += wrapped(sentence, "- ");
  return card + wrapped(prose("every scheme"), "- ");
}

std::string scheme_json(const SchemeEntry& e) {
  Json j = as_json(e);
  j["equations"] = e.equations();
  j["reach"] = e.claims.excursion;
  Json& limits = j["stability_at"] = Json::array();
  for (const Real zeta : zetas) limits.push_back({{"zeta", zeta}, {"limit", e.stability(zeta)}});
  j["cannot"] = caveats(e);
  return j.dump(2) + "\n";
}

std::string scheme_page() {
  SchemeList list;
  for (const SchemeEntry& e : scheme_catalogue()) list.push_back(&e);
  for (const SchemeEntry& e : hard_scheme_catalogue()) list.push_back(&e);
  std::string page = prose("") + "\n## All schemes\n\n" + overview(list) + "\n" + prose("every scheme");
  for (const std::string_view family : families(list)) {
    const SchemeList some = of_family(list, family);
    page += fmt::format("\n## {}\n\n{}\n{}", family, prose(family), some[0]->hard ? "" : limits_of(some));
    for (const SchemeEntry* e : some) page += section(*e);
  }
  return page;
}

}  // namespace cairn
