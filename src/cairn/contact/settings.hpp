// What a user says about a contact between two materials, before it is turned into the numbers of a law. SI units.
#pragma once
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "cairn/contact/parameter.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

enum class Attraction {
  clipped,  // the normal force is max(F, 0) at every instant while the overlap is positive
  allowed   // no clip: a dashpot may pull
};

enum class DampingMap {
  realised,  // the restitution asked for is the one the law realises, clip included
  tsuji      // -ln e / sqrt(ln^2 e + pi^2), exact for unclipped contacts only (Antypov & Elliott 2011)
};

// How the tangential force k_t(overlap) xi follows an overlap that changes. With constant k_t all are the same.
enum class TangentialForm {
  total,         // F_t = k_t xi, the literature's: its work over a closed cycle is not zero
  conservative,  // the same, and the normal force gains (d k_t / d overlap) xi^2/2
  incremental    // dF_t = k_t dxi (Mindlin & Deresiewicz, J. Appl. Mech. 20 (1953) 327): nor is its work zero
};

// A value of a parameter that may not be given. Enumerators count from 0, in the order of the words of their parameter.
struct Setting : std::optional<Real> {
  using std::optional<Real>::optional;
  Setting(const std::optional<Real>& value) : std::optional<Real>(value) {}
  template <class E>
  requires std::is_enum_v<E> Setting(E choice) : std::optional<Real>(static_cast<Real>(choice)) {}

  friend bool operator==(const Setting& a, const Setting& b) {
    return static_cast<const std::optional<Real>&>(a) == static_cast<const std::optional<Real>&>(b);
  }
  template <class V>
  requires(std::is_enum_v<V> || std::is_arithmetic_v<V>) friend bool operator==(const Setting& a, V value) {
    return a.has_value() && *a == static_cast<Real>(value);
  }
};

// The parameters of a contact by their names: ContactSettings{{"stiffness", 1e5}, {"friction", 0.3}}. The law says
// which there are (contact/parameter.hpp).
class ContactSettings {
 public:
  using Values = std::map<std::string, Setting, std::less<>>;

  ContactSettings() = default;
  ContactSettings(std::initializer_list<Values::value_type> values) : values_(values) {}

  Setting& operator[](std::string_view name) {
    const auto at = values_.find(name);
    return at != values_.end() ? at->second : values_[std::string(name)];
  }
  Setting operator[](std::string_view name) const {
    const auto at = values_.find(name);
    return at == values_.end() ? Setting{} : at->second;
  }
  bool has(std::string_view name) const { return (*this)[name].has_value(); }

  // The value given, or else the default of the parameter. Error(bad_input) if there is neither.
  Real number(const ContactParameter& p) const {
    const Setting given = (*this)[p.name];
    if (given) return *given;
    if (!p.fallback)
      throw Error(Exit::bad_input, "contact parameter " + std::string(p.name) + ": missing; expected a number" +
                                       (p.unit.empty() ? "" : " in " + std::string(p.unit)));
    return *p.fallback;
  }
  template <class E>
  E choice(const ContactParameter& p) const {
    return static_cast<E>(static_cast<int>(number(p)));
  }

  // All values, some of which may not be given, by name.
  const Values& values() const { return values_; }

  friend bool operator==(const ContactSettings&, const ContactSettings&) = default;

 private:
  Values values_;
};

struct Material {
  std::string name = "default";
  Real density = 2500;  // [kg/m^3]
  Real young = 0;       // [Pa] E, Hertz-Mindlin only; 0: not given
  Real poisson = 0.3;   // [-] nu, Hertz-Mindlin only
};

// A property of materials that a law reads; 0 stands for one that is not given and has no default.
struct MaterialParameter {
  ContactParameter parameter;
  Real Material::*value;
};

}  // namespace cairn
