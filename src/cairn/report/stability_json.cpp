#include "cairn/report/stability_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "cairn/core/text.hpp"

namespace cairn {
namespace {

nlohmann::ordered_json finite(Real a) {
  return std::isfinite(a) ? nlohmann::ordered_json(a) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json limit_json(const SchemeEntry& scheme, Real zeta) {
  const Real limit = scheme.stability(zeta);
  nlohmann::ordered_json j{{"scheme", scheme.name}, {"zeta", zeta}, {"limit", std::stod(brief(limit))}};
  if (limit == 0) j["weakly_unstable"] = true;
  if (std::isinf(limit)) j["unlimited"] = true;  // and the limit is null
  return j;
}

}  // namespace

std::string stability_limits_json(const std::vector<const SchemeEntry*>& schemes, std::span<const Real> zetas) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SchemeEntry* scheme : schemes)
    for (const Real zeta : zetas) list.push_back(limit_json(*scheme, zeta));
  return (list.size() == 1 ? list[0] : list).dump(2) + "\n";
}

std::string to_json(const CaseStability& of, bool map) {
  nlohmann::ordered_json j{
      {"time", of.time}, {"grains", of.grains}, {"contacts", of.contacts}, {"scheme", of.scheme}, {"step", of.step}};
  const auto rate = [&](const SharpRate& sharp, Real bound, const CaseStability::Words& words) {
    return nlohmann::ordered_json{{"value", sharp.value},    {"residual", sharp.residual}, {"bound", bound},
                                  {"body", words.body},      {"contact", words.contact},   {"ids", sharp.place.ids},
                                  {"formula", words.formula}};
  };
  if (of.contacts > 0) {
    j["lambda_stiffness"] = rate(of.rates.stiffness, of.bound.stiffness, of.stiffest);
    j["omega"] = std::sqrt(of.rates.stiffness.value);
    j["lambda_damping"] = rate(of.rates.damping, of.bound.damping, of.most_damped);
  }
  auto& schemes = j["schemes"] = nlohmann::ordered_json::array();
  for (const SchemeOnNetwork& row : of.schemes) {
    nlohmann::ordered_json line{{"scheme", row.scheme}, {"force_evaluations", row.force_evaluations}};
    if (of.contacts > 0) line["limit"] = finite(row.limit);
    line["proven"] = row.force_evaluations == 1;
    line["first_touch"] = finite(row.first_touch);
    if (row.packed > 0) line["foretold"] = finite(row.packed);  // else no packing is expected
    if (map && row.map_limit > 0) {
      line["map_limit"] = finite(row.map_limit), line["map_ratio"] = finite(row.map_limit / row.limit);
      line["growth_at_0.95_limit"] = finite(row.growth_below);
      line["growth_at_1.1_map_limit"] = finite(row.growth_above);
    }
    schemes.push_back(std::move(line));
  }
  auto& rules = j["folklore"] = nlohmann::ordered_json::array();
  for (const RuleOfThumb& rule : of.folklore)
    rules.push_back({{"name", rule.name}, {"formula", rule.formula}, {"seconds", rule.seconds}});
  return j.dump(2) + "\n";
}

std::vector<const SchemeEntry*> schemes_for_case(bool mapped) {
  std::vector<const SchemeEntry*> all;
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    const Real undamped = mapped ? scheme.stability(0) : 0;
    const bool simple = scheme.claims.force_evaluations == 1 && !scheme.claims.implicit && !scheme.claims.adaptive &&
                        undamped > 0 && std::isfinite(undamped);
    if (!mapped || simple) all.push_back(&scheme);
  }
  return all;
}

}  // namespace cairn
