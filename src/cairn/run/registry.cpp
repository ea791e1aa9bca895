#include "cairn/run/registry.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "cairn/analysis/stability.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/core/text.hpp"
#include "cairn/integrate/equations.hpp"
#include "cairn/integrate/schemes/all.hpp"
#include "cairn/integrate/schemes/hard.hpp"

namespace cairn {
namespace {

// A search takes some ten milliseconds, and guards ask for the same few dampings at every start and every change.
class KnownLimits {
 public:
  explicit KnownLimits(const toys::ToyScheme& toy) : toy_(toy) {}

  Real of(Real zeta) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto at = known_.find(zeta); at != known_.end()) return at->second;
    }
    const Real limit = stability_limit(toy_, zeta);
    const std::lock_guard lock(mutex_);
    if (known_.size() < most) known_.emplace(zeta, limit);
    return limit;
  }

 private:
  static constexpr std::size_t most = 1000;  // a long run that packs asks for ever new ones

  const toys::ToyScheme toy_;
  std::mutex mutex_;
  std::unordered_map<Real, Real> known_;  // a NaN is never found
};

// What follows from its steps of a toy.
SchemeEntry with_stability(SchemeEntry e) {
  const toys::ToyScheme toy = e.toy;
  e.stability = [limits = std::make_shared<KnownLimits>(toy)](Real zeta) { return limits->of(zeta); };
  e.region = std::make_shared<StableRegion>(e.stability, [toy](Real zeta) { return rough_stability_limit(toy, zeta); });
  e.spectral_radius = [toy](Real h_omega, Real zeta) { return spectral_radius(toy, h_omega, zeta); };
  return e;
}

template <class S>
SchemeEntry entry(const Parameters& p) {
  SchemeEntry e;
  e.claims = S::claims, e.name = full_name(S::claims, p), e.parameters = p;
  e.staggered = is_staggered<S>, e.splitting = is_splitting<S>;
  if constexpr (is_splitting<S>) e.sliding_friction = sliding_friction(S::stages);
  e.advance = [p](World& world, Real h) { return advance<S>(world, h, p); };
  e.toy = toys::toy_scheme<S>(p);
  e.equations = equations<S>;
  return with_stability(std::move(e));
}

// Nothing limits the step of a scheme of hard contacts but the accuracy of the motion.
template <class S>
SchemeEntry hard_entry(const Parameters& p) {
  SchemeEntry e;
  e.claims = S::claims, e.name = full_name(S::claims, p), e.parameters = p;
  e.splitting = e.hard = true;
  e.advance = [p](World& world, Real h) { return advance<S>(world, h, p); };
  e.equations = equations<S>;
  e.stability = [](Real) { return std::numeric_limits<Real>::infinity(); };
  e.spectral_radius = [](Real, Real) { return 1.0; };
  e.region = std::make_shared<StableRegion>(e.stability, e.stability);
  return e;
}

struct Catalogue {
  std::vector<SchemeEntry> entries;
  std::vector<SchemeEntry (*)(const Parameters&)> makers;  // of an entry with other numbers
  std::size_t soft = 0;                                    // how many there are before those of hard contacts
};

const Catalogue& catalogue() {
  static const Catalogue all = [] {
    Catalogue c;
    for_each_scheme([&](auto scheme) {
      using S = decltype(scheme);
      c.entries.push_back(entry<S>(S::claims.usual_parameters()));
      c.makers.push_back(entry<S>);
    });
    c.soft = c.entries.size();
    for_each_hard_scheme([&](auto scheme) {
      using S = decltype(scheme);
      c.entries.push_back(hard_entry<S>(S::claims.usual_parameters()));
      c.makers.push_back(hard_entry<S>);
    });
    return c;
  }();
  return all;
}

// A name and what stands in parentheses behind it.
struct Call {
  std::string_view name, numbers;
  bool parentheses = false;

  explicit Call(std::string_view text) : name(text) {
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || text.back() != ')') return;
    name = text.substr(0, open);
    numbers = text.substr(open + 1, text.size() - open - 2);
    parentheses = true;
  }
};

const SchemeEntry* without_numbers(std::string_view name) {
  for (const SchemeEntry& e : catalogue().entries) {
    const std::vector<std::string_view> names = e.names();
    if (std::find(names.begin(), names.end(), name) != names.end()) return &e;
  }
  return nullptr;
}

// Null where nothing is known by the name; Error where its numbers are not allowed.
const SchemeEntry* look_up(std::string_view text) {
  const Call call(text);
  const SchemeEntry* e = without_numbers(call.name);
  if (e == nullptr || !call.parentheses) return e;
  const Parameters p = parse_parameters(e->claims, call.numbers);
  if (p == e->parameters) return e;
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<const SchemeEntry>> others;  // by full name
  const std::lock_guard lock(mutex);
  auto& other = others[full_name(e->claims, p)];
  if (other == nullptr)
    other = std::make_unique<const SchemeEntry>(catalogue().makers[e - catalogue().entries.data()](p));
  return other.get();
}

}  // namespace

std::span<const SchemeEntry> scheme_catalogue() {
  return std::span(catalogue().entries).first(catalogue().soft);
}

std::span<const SchemeEntry> hard_scheme_catalogue() {
  return std::span(catalogue().entries).subspan(catalogue().soft);
}

std::vector<std::string_view> SchemeEntry::names() const {
  std::vector<std::string_view> all{claims.name};
  for (std::size_t begin = 0; begin < claims.aliases.size();) {
    const std::size_t end = std::min(claims.aliases.find(' ', begin), claims.aliases.size());
    all.push_back(claims.aliases.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

const SchemeEntry* find_scheme(std::string_view name) {
  try {
    return look_up(name);
  } catch (const Error&) {
    return nullptr;
  }
}

std::string scheme_suggestion(std::string_view name) {
  std::vector<std::string_view> all;
  for (const SchemeEntry& e : catalogue().entries)
    for (const std::string_view one : e.names()) all.push_back(one);
  return suggestion(Call(name).name, all);
}

std::string scheme_numbers_fault(std::string_view name) {
  try {
    look_up(name);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

const SchemeEntry& scheme_named(const std::string& name) {
  if (const SchemeEntry* e = look_up(name)) return *e;
  throw Error(Exit::bad_input,
              "there is no scheme '" + name + "'" + scheme_suggestion(name) + "; `cairn schemes` lists them all");
}

std::vector<std::string> split_scheme_names(std::string_view list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : list) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ')
      parts.back() += c;
  }
  return parts;
}

std::string full_name(const Claims& claims, const Parameters& parameters) {
  std::string name(claims.name);
  for (int k = 0; k < claims.parameter_count(); ++k) name += (k == 0 ? "(" : ",") + to_text(parameters[k]);
  return claims.parameter_count() > 0 ? name + ")" : name;
}

Parameters parse_parameters(const Claims& claims, std::string_view numbers) {
  const int count = claims.parameter_count();
  const std::string name(claims.name);
  if (count == 0) throw Error(Exit::bad_input, "the scheme " + name + " takes no parameters; expected '" + name + "'");
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= numbers.size() && !trimmed(numbers).empty();) {
    const std::size_t end = std::min(numbers.find(',', begin), numbers.size());
    words.emplace_back(trimmed(numbers.substr(begin, end - begin)));
    begin = end + 1;
  }
  std::string usage = name + "(";
  for (int k = 0; k < count; ++k) usage += (k == 0 ? "" : ",") + std::string(claims.parameters[k].name);
  usage += ")";
  if (static_cast<int>(words.size()) != count)
    throw Error(Exit::bad_input, "the scheme " + name + " takes " + std::to_string(count) +
                                     (count == 1 ? " number, " : " numbers, ") + usage + ", found " +
                                     std::to_string(words.size()) + "; plain '" + name + "' means " +
                                     full_name(claims, claims.usual_parameters()));
  Parameters found{};
  for (int k = 0; k < count; ++k) {
    const Parameter& p = claims.parameters[k];
    const char* const end = words[k].data() + words[k].size();
    const auto [stop, error] = std::from_chars(words[k].data(), end, found[k]);
    const std::string expected =
        ", expected " + std::string(p.name) + " of " + usage + " from " + brief(p.low) + " to " + brief(p.high);
    if (error != std::errc() || stop != end)
      throw Error(Exit::bad_input, "the scheme " + name + ": '" + words[k] + "' is not a number" + expected);
    if (!(p.low <= found[k] && found[k] <= p.high))
      throw Error(Exit::bad_input, "the scheme " + name + ": " + std::string(p.name) + " = " + words[k] +
                                       " is out of its range" + expected);
    found[k] += 0.0;  // -0 is 0
  }
  return found;
}

}  // namespace cairn
