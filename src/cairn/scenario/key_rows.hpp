// One row of the keys of a scenario file: its documentation, and how its value goes to where it belongs.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "cairn/core/text.hpp"
#include "cairn/scenario/values.hpp"

namespace cairn::keys {

using std::string_view;
using Type = KeyDoc::Type;

template <class T>
struct Key {
  KeyDoc doc;
  void (*read)(Values&, const Value&, T& to);
  std::string (*fallback)(const KeyDoc&, const T&) = nullptr;  // the default, from a T just made
};

// A default as the documentation shows it.
template <class V>
std::string shown(const KeyDoc& doc, const V& a) {
  if constexpr (std::is_same_v<V, std::string>)
    return "\"" + a + "\"";
  else if constexpr (std::is_same_v<V, Vector>)
    return "[" + to_text(a.x) + ", " + to_text(a.y) + ", " + to_text(a.z) + "]";
  else if constexpr (std::is_same_v<V, std::optional<Real>>)
    return a ? to_text(*a) : "none";
  else if constexpr (std::is_same_v<V, std::optional<Vector>> || std::is_same_v<V, std::optional<bool>>)
    return "none";
  else if (!doc.choices.empty())
    return "\"" + std::string(doc.choices[static_cast<std::size_t>(a)]) + "\"";
  else if constexpr (std::is_same_v<V, bool>)
    return a ? "true" : "false";
  else
    return to_text(static_cast<Real>(a));
}

template <class T, class Member>
T owner_of(Member T::*);

// A row whose value goes to a member; the choices of an enumeration stand in its order.
template <Type type, auto read, auto member>
constexpr auto row(KeyDoc doc) {
  using T = decltype(owner_of(member));
  doc.type = type;
  return Key<T>{doc,
                [](Values& values, const Value& v, T& to) {
                  auto& place = to.*member;
                  place = static_cast<std::remove_reference_t<decltype(place)>>((values.*read)(v));
                },
                [](const KeyDoc& d, const T& from) { return shown(d, from.*member); }};
}
template <auto member>
constexpr auto number(const KeyDoc& doc) {
  return row<Type::number, &Values::number, member>(doc);
}
template <auto member>
constexpr auto whole_number(const KeyDoc& doc) {
  return row<Type::whole_number, &Values::whole_number, member>(doc);
}
template <auto member>
constexpr auto flag(const KeyDoc& doc) {
  return row<Type::flag, &Values::flag, member>(doc);
}
template <auto member>
constexpr auto text(const KeyDoc& doc) {
  return row<Type::text, &Values::text, member>(doc);
}
template <auto member>
constexpr auto choice(const KeyDoc& doc) {
  return row<Type::choice, &Values::choice, member>(doc);
}
template <auto member>
constexpr auto word(const KeyDoc& doc) {
  return row<Type::choice, &Values::word, member>(doc);
}
template <auto member>
constexpr auto scheme(const KeyDoc& doc) {
  return row<Type::scheme, &Values::scheme, member>(doc);
}
template <auto member>
constexpr auto vector(const KeyDoc& doc) {
  return row<Type::vector, &Values::vector, member>(doc);
}
template <auto member>
constexpr auto direction(const KeyDoc& doc) {
  return row<Type::vector, &Values::direction, member>(doc);
}
template <auto member>
constexpr auto spin(const KeyDoc& doc) {
  return row<Type::spin, &Values::spin, member>(doc);
}

template <auto member>
constexpr auto material() {
  return row<Type::text, &Values::material, member>(
      {.key = "material", .fallback = "the first material", .doc = "name of the material"});
}

constexpr string_view required = "required";

}  // namespace cairn::keys
