#include "cairn/scenario/wall_keys.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <variant>

#include "cairn/scenario/shared_keys.hpp"

namespace cairn::keys {
namespace {

constexpr auto shape_names =
    std::apply([](auto... shape) { return std::array{string_view(decltype(shape)::name)...}; }, WallShapes{});

template <class S>
KeyDoc key_doc_of(const WallParameter<S>& p) {
  KeyDoc doc{.key = p.name, .unit = p.unit, .range = p.range, .from_dimension = p.from_dimension, .doc = p.description};
  std::visit(
      [&]<class V>(V S::*) {
        if constexpr (std::is_same_v<V, Real>) doc.type = Type::number;
        if constexpr (std::is_same_v<V, Vector>) doc.type = Type::vector;
        if constexpr (std::is_same_v<V, bool>) doc.type = Type::flag;
        if constexpr (std::is_same_v<V, WallSide>) doc.type = Type::choice, doc.choices = wall_sides;
      },
      p.value);
  return doc;
}

template <class S>
std::string default_of(const WallParameter<S>& p, const KeyDoc& doc) {
  if (p.required) return std::string(required);
  if (!p.fallback_text.empty()) return std::string(p.fallback_text);
  return std::visit([&](const auto member) { return shown(doc, S{}.*member); }, p.value);
}

template <class S>
void read_into(S& shape, const WallParameter<S>& p, Values& values, const Value& v) {
  std::visit(
      [&]<class V>(V S::*member) {
        V& to = shape.*member;
        if constexpr (std::is_same_v<V, Real>) to = values.number(v);
        if constexpr (std::is_same_v<V, Vector>) to = p.direction ? values.direction(v) : values.vector(v);
        if constexpr (std::is_same_v<V, bool>) to = values.flag(v);
        if constexpr (std::is_same_v<V, WallSide>) to = static_cast<WallSide>(values.choice(v));
      },
      p.value);
}

void read_parameter(Values& values, const Value& v, WallSpec& to) {
  std::visit(
      [&]<class S>(S& shape) {
        for (const WallParameter<S>& p : S::parameters)
          if (p.name == v.doc.key) {
            const KeyDoc own = key_doc_of(p);
            read_into(shape, p, values, {v.node, v.path, own});
          }
      },
      to.shape);
}

template <class F>
constexpr void for_each_shape(F&& f) {
  std::apply([&](const auto&... shape) { (f(shape), ...); }, WallShapes{});
}

void read_type(Values& values, const Value& v, WallSpec& to) {
  const std::string name = values.word(v);
  for_each_shape([&](const auto& shape) {
    if (name == shape.name) to.shape = shape;
  });
}

constexpr bool is_required(string_view parameter) {
  bool any = false;
  for_each_shape([&](const auto& shape) {
    for (const auto& p : shape.parameters) any = any || (p.name == parameter && p.required);
  });
  return any;
}

constexpr bool required_alike() {
  bool alike = true;
  for_each_shape([&](const auto& shape) {
    for (const auto& p : shape.parameters) alike = alike && p.required == is_required(p.name);
  });
  return alike;
}
static_assert(required_alike(), "a parameter of several shapes is required by all of them or by none");

}  // namespace

string_view name_of(const WallShape& shape) {
  return shape_names[shape.index()];
}

const std::vector<Key<WallSpec>>& wall_keys() {
  static const std::vector<Key<WallSpec>> rows = [] {
    std::vector<Key<WallSpec>> list{
        {{.key = "type", .type = Type::choice, .choices = shape_names, .doc = "shape of the wall"},
         read_type,
         [](const KeyDoc&, const WallSpec& wall) { return "\"" + std::string(name_of(wall.shape)) + "\""; }},
        text<&WallSpec::name>(
            {.key = "name", .fallback = "wall1, wall2, ...", .doc = "name of the wall in the output"}),
        material<&WallSpec::material>()};
    std::vector<KeyOwner> shapes;
    for_each_shape([&]<class S>(const S&) {
      KeyOwner& owner = shapes.emplace_back(KeyOwner{S::name, {}});
      for (const WallParameter<S>& p : S::parameters) {
        KeyDoc& doc = owner.keys.emplace_back(key_doc_of(p));
        doc.fallback = kept(default_of(p, doc));
      }
    });
    for (KeyDoc doc : shared_keys(shapes, "type")) {
      if (is_required(doc.key)) doc.fallback = required;
      list.push_back({doc, read_parameter});
    }
    list.push_back(flag<&WallSpec::present>(
        {.key = "present", .doc = "whether the wall is there; an absent wall touches nothing", .may_change = true}));
    list.push_back({{.key = "load",
                     .type = Type::table,
                     .fallback = "moves as prescribed",
                     .doc = "mass of the wall and forces that move it"},
                    [](Values& values, const Value& v, WallSpec&) { values.table(v); }});
    list.push_back({{.key = "motion", .type = Type::table, .fallback = "at rest", .doc = "motion of the wall"},
                    [](Values& values, const Value& v, WallSpec&) { values.table(v); }});
    return list;
  }();
  return rows;
}

}  // namespace cairn::keys
