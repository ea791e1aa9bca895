#include "cairn/scenario/scenario_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/run/record.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/scheme_choice.hpp"
#include "cairn/run/sizes.hpp"
#include "cairn/scenario/change_reader.hpp"
#include "cairn/scenario/contact_keys.hpp"
#include "cairn/scenario/grain_keys.hpp"
#include "cairn/scenario/run_checks.hpp"
#include "cairn/scenario/run_keys.hpp"
#include "cairn/scenario/table_reader.hpp"
#include "cairn/scenario/wall_checks.hpp"
#include "cairn/scenario/wall_keys.hpp"

namespace cairn {
namespace {

// Visits the sections of a file in the order in which they need each other, and checks what keys ask of each other.
class Reader : TableReader {
 public:
  Reader(const Node& root, const std::string& name) : root_{root, root, ""}, name_(name) {}
  Scenario read(bool after_change = false);

 private:
  // A section, empty if the file does not have it; f(entry) for each of a list of sections.
  TomlTable section(string_view name) const;
  bool readable(string_view name) const;
  template <class F>
  void each(string_view name, F&& f);

  void space();
  bool knows_dimension() const;
  void material(const TomlTable& t);
  void contact();
  void pair(const TomlTable& t);
  template <class T>
  void contact_table(const TomlTable& t, ContactSettings& to, KeyRows<T> others);
  void alternatives(const TomlTable& t, ContactSettings& to) const;
  void wall(const TomlTable& t);
  void motion(const TomlTable& t, WallMotion& to);
  void load(const TomlTable& t, WallSpec& to);
  void grains(const TomlTable& t);
  void region(const TomlTable& t, RegionSpec& to) const;
  void sizes(const TomlTable& t, std::optional<SizeSpec>& to);
  void emitter(const TomlTable& t);
  void removal(const TomlTable& t);
  void probe(const TomlTable& t);
  bool plane(const TomlTable& t, RegionSpec& to, std::initializer_list<const char*> others,
             const std::string& expected) const;
  std::string path_of(const TomlTable& t, const std::string& file) const;

  // Gives a name to what has none, and refuses one that is taken.
  template <class T>
  void name_apart(const TomlTable& t, const std::vector<T>& others, T& one, const std::string& fallback) const {
    if (!t.has("name")) one.name = fallback;
    if (one.name.empty()) fail(t, "name", "found an empty text; expected a name");
    // Names head columns of tables, where these would need quotes that not every reader understands.
    if (one.name.find_first_of("\",#\r\n") != std::string::npos)
      fail(t, "name", "found " + quoted_bytes(one.name) + "; expected a name without quotes, commas, # or line breaks");
    for (const T& other : others)
      if (other.name == one.name)
        fail(t, "name",
             "found " + quoted_bytes(one.name) + (t.has("name") ? "" : " (given by default)") +
                 ", a name already in use; expected a different name");
  }

  TomlTable root_;
  std::string name_;
  bool names_known_ = true;                              // of materials, faulty ones too
  std::set<std::pair<std::string, std::string>> pairs_;  // of materials, in the order of their names
  std::set<std::string> columns_;                        // of series.csv, once removals are read
};

// What is no section has been told as a fault of the root; it is passed over here.
TomlTable Reader::section(string_view name) const {
  static const Node none{Node::Table{}, {}, false};
  const Node* node = root_.find(name);
  if (node == nullptr || node->table() == nullptr) return {none, root_.blame, std::string(name)};
  return {*node, *node, std::string(name)};
}

// Whether a section is what it should be, or left out. One that is missing is not taken for left out where the file has
// another that nobody knows and whose name is almost this one.
bool Reader::readable(string_view name) const {
  if (const Node* node = root_.find(name)) {
    const bool many = name == "material";
    return many ? node->array() != nullptr : node->table() != nullptr;
  }
  return std::none_of(root_.node.table()->begin(), root_.node.table()->end(), [&](const Entry& entry) {
    const bool known = std::any_of(std::begin(top_keys), std::end(top_keys),
                                   [&](const Key<Scenario>& key) { return key.doc.key == entry.key; });
    return !known && !suggestion(entry.key, std::array{name}).empty();
  });
}

template <class F>
void Reader::each(string_view name, F&& f) {
  const Node* node = root_.find(name);
  if (node == nullptr || node->array() == nullptr) return;
  std::size_t k = 0;
  for (const Node& entry : *node->array()) {
    const std::string path = inside(std::string(name), std::to_string(k++));
    if (entry.table() != nullptr) attempt([&] { f(TomlTable{entry, entry, path}); });
  }
}

Scenario Reader::read(bool after_change) {
  scenario_.file = name_;
  const auto plain = [&](string_view name, const auto& keys) {
    attempt([&] { read_keys(section(name), KeyRows{keys, scenario_}); });
  };
  attempt([&] { read_keys(root_, KeyRows{top_keys, scenario_}); });
  attempt([&] {
    if (!readable("run")) return;
    const TomlTable run = section("run");
    read_keys(run, KeyRows{run_keys, scenario_});
    check_run(run, scenario_);
  });
  const bool well = attempt([&] { space(); });
  each("material", [&](const TomlTable& t) { material(t); });
  if (!readable("space") || !(well || knows_dimension()) || !names_known_ || !readable("material"))
    stop();  // most of what follows speaks of these
  if (scenario_.materials.empty()) scenario_.materials.emplace_back();
  for (const Material& m : scenario_.materials) values_.materials.push_back(m.name);
  if (readable("contact") && attempt([&] { contact(); })) each("pair", [&](const TomlTable& t) { pair(t); });
  each("wall", [&](const TomlTable& t) { wall(t); });
  each("grain", [&](const TomlTable& t) {
    GrainSpec grain;
    read_keys(t, KeyRows{position_keys, grain}, KeyRows{body_keys, grain});
    scenario_.grain.push_back(grain);
  });
  each("grains", [&](const TomlTable& t) { grains(t); });
  each("emitter", [&](const TomlTable& t) { emitter(t); });
  for (const auto& column : record_columns(scenario_)) columns_.insert(column.name);
  each("removal", [&](const TomlTable& t) { removal(t); });
  each("probe", [&](const TomlTable& t) { probe(t); });
  attempt([&] {
    const TomlTable t = section("output");
    read_keys(t, KeyRows{output_keys, scenario_});
    if (t.has("colour_range") && scenario_.colour.value_or(Colouring::material) == Colouring::material)
      fail(t, "colour_range",
           "found without a number as output.colour; expected this key only beside one, for example " +
               std::string("colour = \"speed\""));
  });
  plain("search", search_keys);
  plain("initial", initial_keys);
  plain("guards", guards_keys);
  if (!faults_.empty()) stop();
  choose_hard_scheme(scenario_);
  attempt([&] {
    if (const auto fault = hard_contact_fault(scenario_)) fail(section(fault->section), fault->fault);
  });
  if (!faults_.empty()) stop();
  scenario_.changes =
      read_changes(root_.node, scenario_, [&](const Node& document) { return Reader(document, name_).read(true); });
  if (!after_change) attempt([&] { check_accuracy(section("run"), scenario_); });
  if (!faults_.empty()) stop();
  return std::move(scenario_);
}

void Reader::space() {
  const TomlTable t = section("space");
  read_keys(t, KeyRows{space_keys, scenario_});
  if (scenario_.dimension > 1) return;
  if (t.has("rotation") && scenario_.rotation)
    fail(t, "rotation", "found true; expected false where space.dimension = 1, because nothing spins there");
  scenario_.rotation = false;
}

// Of a [space] with faults: whether they are those of other keys. An unknown one with a single value may mean it.
bool Reader::knows_dimension() const {
  const TomlTable t = section("space");
  if (const Node* const node = t.find("dimension")) {
    const auto* const given = node->as<std::int64_t>();
    return given && *given == scenario_.dimension;
  }
  return std::ranges::none_of(*t.node.table(), [](const Entry& entry) {
    const auto is_entry = [&](const Key<Scenario>& key) { return key.doc.key == entry.key; };
    return !entry.node.array() && std::ranges::none_of(space_keys, is_entry);
  });
}

void Reader::material(const TomlTable& t) {
  Material material;
  const bool well = attempt([&] { read_keys(t, KeyRows{material_keys(), material}); });
  const std::string* const name = t.has("name") ? t.find("name")->as<std::string>() : nullptr;
  names_known_ = names_known_ && (well || (name && *name == material.name));
  name_apart(t, scenario_.materials, material, material.name);
  scenario_.materials.push_back(material);
}

// Of parameters that are alternatives at most one stands in a table; it takes the place of one inherited.
void Reader::alternatives(const TomlTable& t, ContactSettings& to) const {
  for (const Key<SettingsOfLaw>& given : contact_keys()) {
    const KeyDoc& key = given.doc;
    if (key.alternatives.empty() || !t.has(key.key)) continue;
    std::vector<string_view> group;
    for (const Key<SettingsOfLaw>& other : contact_keys())
      if (other.doc.alternatives == key.alternatives) group.push_back(other.doc.key);
    for (const string_view other : group) {
      if (other == key.key) break;
      if (t.has(other))
        fail(
            t, key.key,
            "found beside " + std::string(other) + "; expected only one of " + (group.size() > 2 ? "them" : "the two"));
    }
    for (const string_view other : group) to[other].reset();
  }
}

// Reads [contact], or a [[pair]] on top of what it inherits.
template <class T>
void Reader::contact_table(const TomlTable& t, ContactSettings& to, KeyRows<T> others) {
  alternatives(t, to);
  SettingsOfLaw target{&to, &scenario_.law};
  const auto kind = [&] { return Kind{"law", scenario_.law}; };
  read_keys_of(t, kind, others, KeyRows{contact_keys(), target});
  const LawEntry& law = law_entry(scenario_.law);
  for (const ContactParameter& p : law.parameters)  // one inherited goes with the one it needs
    if (!p.needs.empty() && !t.has(p.name) && !to.has(p.needs)) to[p.name].reset();
  if (const auto fault = law.fault(to)) fail(t, *fault);
}

void Reader::contact() {
  contact_table(section("contact"), scenario_.contact, KeyRows{law_keys, scenario_});
  const LawEntry& law = law_entry(scenario_.law);
  for (const MaterialParameter& p : law.material_parameters) {
    if (!p.parameter.required) continue;
    const std::string name(p.parameter.name);
    if (!root_.has("material"))
      fail(section("contact"), "law",
           "found '" + scenario_.law + "' without a [[material]]; expected at least one [[material]] with " + name);
    each("material", [&](const TomlTable& t) {
      if (!t.has(name)) missing(t, name, expected_value(p.parameter) + ", which law '" + scenario_.law + "' needs");
    });
  }
}

void Reader::pair(const TomlTable& t) {
  PairSettings pair;
  pair.contact = scenario_.contact;
  contact_table(t, pair.contact, KeyRows{pair_keys, pair});
  if (!pairs_.insert(std::minmax(pair.first, pair.second)).second)
    fail(t, "materials", "found a second [[pair]] of the same two materials; expected one");
  scenario_.pairs.push_back(pair);
}

void Reader::load(const TomlTable& t, WallSpec& to) {
  LoadSpec& load = to.load.emplace();
  read_keys(t, KeyRows{load_keys, load});
  check_factors(t, load.times, load.factors);
  check_free_axes(t, to);
  if (!t.has("pressure")) return;
  if (!std::holds_alternative<PlaneWall>(to.shape))
    fail(t, "pressure",
         "found with a " + std::string(name_of(to.shape)) + "; expected force, because only a plane has one normal");
  if (!t.has("area")) missing(t, "area", "the area in m^2 on which the pressure acts");
}

void Reader::motion(const TomlTable& t, WallMotion& to) {
  read_keys(t, KeyRows{motion_keys, to});
  check_factors(t, to.times, to.factors);
  check_partners(t);
  if (to.rotation_rate == 0) return;
  if (scenario_.dimension == 2) to.axis = {0, 1, 0};
  if (to.axis == Vector{}) missing(t, "axis", "the direction of the axis of rotation, [x, y, z]");
}

void Reader::wall(const TomlTable& t) {
  WallSpec wall;
  read_keys_of(
      t,
      [&] {
        check_dimension(t, wall.shape, scenario_.dimension);  // before the keys of a shape that cannot be here
        return Kind{"type", name_of(wall.shape)};
      },
      KeyRows{wall_keys(), wall});
  const auto part = [&](const char* key, auto&& read) {
    if (const Node* node = t.find(key)) read(TomlTable{*node, *node, inside(t.path, key)});
  };
  part("motion", [&](const TomlTable& inner) { motion(inner, wall.motion); });
  part("load", [&](const TomlTable& inner) { load(inner, wall); });
  name_apart(t, scenario_.walls, wall, "wall" + std::to_string(scenario_.walls.size() + 1));
  check_shape(t, wall.shape, scenario_.dimension);
  part("motion", [&](const TomlTable& inner) { check_rotation(inner, wall, scenario_.dimension); });
  scenario_.walls.push_back(wall);
}

void refuse_beside(const TomlTable& t, std::initializer_list<const char*> keys, const std::string& message) {
  for (const char* key : keys)
    if (t.has(key)) fail(t, key, message);
}

// A box from low to high, or a cylinder.
void Reader::region(const TomlTable& t, RegionSpec& to) const {
  if (to.radius > 0) {
    to.kind = RegionSpec::Kind::cylinder;
    refuse_beside(t, {"low", "high"}, "found beside region_radius; expected a box or a cylinder, not both");
    if (scenario_.dimension == 2) to.axis = {0, 1, 0};
    if (scenario_.dimension == 3 && to.length == 0) missing(t, "region_length", "a number > 0 in m");
    return;
  }
  to.kind = RegionSpec::Kind::box;
  refuse_beside(t, {"axis", "center", "region_length"}, "found without region_radius; expected region_radius too");
  for (const char* corner : {"low", "high"})
    if (!t.has(corner)) missing(t, corner, "a corner of the region in m, or region_radius for a cylinder");
  if (const auto fault = box_fault(to.low, to.high, scenario_.dimension)) fail(t, *fault);
}

// Beside the scenario; else where the user stands, for that is what a shell completes behind --set.
std::string Reader::path_of(const TomlTable& t, const std::string& file) const {
  if (file.empty()) fail(t, "file", "found an empty text; expected a path");
  const auto beside = std::filesystem::path(name_).parent_path() / file;
  std::error_code ignored;
  const bool there = std::filesystem::exists(beside, ignored) || !std::filesystem::exists(file, ignored);
  return there ? beside.string() : file;
}

// Of grains of many sizes, or, as radius says, of one.
void Reader::sizes(const TomlTable& t, std::optional<SizeSpec>& to) {
  const Node* node = t.find("sizes");
  if (node == nullptr) {
    if (!t.has("radius")) missing(t, "radius", "a number > 0 in m, or sizes");
    return;
  }
  refuse_beside(t, {"radius", "radius_spread", "mass"}, "found beside sizes; expected only one of them");
  const TomlTable inner{*node, *node, inside(t.path, "sizes")};
  SizeSpec spec;
  read_keys_of(
      inner,
      [&] {
        return Kind{"kind", kinds_of_sizes[static_cast<int>(spec.kind)]};
      },
      KeyRows{size_keys, spec});
  if (spec.kind == SizeSpec::Kind::table) {
    spec.file = path_of(inner, spec.file);
  } else {
    try {
      Sizes(0, 0, spec);
    } catch (const Error& e) {
      fail(*node, "", t.path + "." + e.what());
    }
  }
  to = spec;
}

void Reader::grains(const TomlTable& t) {
  GrainsSpec grains;
  const auto kind = [&] { return Kind{"kind", kinds_of_grains[static_cast<int>(grains.kind)]}; };
  read_keys_of(t, kind, KeyRows{grains_keys, grains}, KeyRows{grains_region_keys, grains.region});
  if (grains.kind == GrainsSpec::Kind::data || grains.kind == GrainsSpec::Kind::csv) {
    grains.file = path_of(t, grains.file);
    if (t.has("material")) refuse_beside(t, {"materials"}, "found beside material; expected only one of them");
  } else {
    sizes(t, grains.sizes);
    region(t, grains.region);
  }
  if (grains.kind == GrainsSpec::Kind::random && grains.count < 0) missing(t, "count", "a whole number >= 1");
  scenario_.grains.push_back(grains);
}

void Reader::emitter(const TomlTable& t) {
  EmitterSpec emitter;
  read_keys(t, KeyRows{emitter_keys, emitter}, KeyRows{emitter_position_keys, emitter.grain},
            KeyRows{region_keys, emitter.region}, KeyRows{emitter_body_keys, emitter.grain});
  name_apart(t, scenario_.emitters, emitter, "emitter" + std::to_string(scenario_.emitters.size() + 1));
  const std::initializer_list<const char*> of_region{"low", "high", "region_radius", "center", "axis", "region_length"};
  const bool in_region = std::any_of(of_region.begin(), of_region.end(), [&](const char* key) { return t.has(key); });
  if (!emitter.on_top && !in_region && !t.has("position"))
    missing(t, "position", "a position in m, or place = \"top\", or a region (low and high, or region_radius)");
  if (emitter.on_top) {
    refuse_beside(t, {"position", "velocity"}, "found beside place; expected only one of them");
    refuse_beside(t, of_region, "found beside place; expected only one of them");
  } else if (in_region) {
    refuse_beside(t, {"position"}, "found beside a region; expected only one of them");
    region(t, emitter.region);
  }
  sizes(t, emitter.sizes);
  if (emitter.radius_spread > 0) refuse_beside(t, {"mass"}, "found beside radius_spread; expected only one of them");
  if (t.has("rate")) refuse_beside(t, {"every"}, "found beside rate; expected only one of them");
  if (t.has("times")) {
    refuse_beside(t, {"first", "every", "rate", "count"}, "found beside times; expected only one of them");
    if (!std::is_sorted(emitter.times.begin(), emitter.times.end()))
      fail(t, "times", "found numbers out of order; expected ascending times in s");
  }
  if (emitter.count > 1 && emitter.every == 0) missing(t, "every", "a number > 0 in s, because count is above 1");
  scenario_.emitters.push_back(emitter);
}

// Whether the region is a plane, which has both its keys and none of the others.
bool Reader::plane(const TomlTable& t, RegionSpec& to, std::initializer_list<const char*> others,
                   const std::string& expected) const {
  if (!t.has("point") && !t.has("normal")) return false;
  for (const char* key : {"point", "normal"})
    if (!t.has(key)) missing(t, key, "both a point of the plane and its normal");
  refuse_beside(t, others, "found beside a plane; expected " + expected);
  to.kind = RegionSpec::Kind::half_space;
  return true;
}

void Reader::probe(const TomlTable& t) {
  ProbeSpec probe;
  read_keys(t, KeyRows{probe_keys, probe}, KeyRows{region_keys, probe.region}, KeyRows{probe_plane_keys, probe.region});
  name_apart(t, scenario_.probes, probe, "probe" + std::to_string(scenario_.probes.size() + 1));
  if (!plane(t, probe.region, {"low", "high", "center", "axis", "region_length"},
             "a box, a cylinder or a plane, whose region_radius makes it a disc"))
    region(t, probe.region);
  const auto cell = PeriodicCell::from(scenario_.periodic_low, scenario_.periodic_high - scenario_.periodic_low);
  if (const auto fault = probe_fault(probe, scenario_.dimension, cell)) fail(t, *fault);
  scenario_.probes.push_back(probe);
}

void Reader::removal(const TomlTable& t) {
  RemovalSpec removal;
  read_keys(t, KeyRows{removal_keys, removal}, KeyRows{region_keys, removal.region},
            KeyRows{half_space_keys, removal.region});
  name_apart(t, scenario_.removals, removal, "removal" + std::to_string(scenario_.removals.size() + 1));
  if (!plane(t, removal.region, {"low", "high", "region_radius", "center", "axis", "region_length"},
             "a box, a cylinder or a plane"))
    region(t, removal.region);
  scenario_.removals.push_back(removal);
  for (const auto& column : record_columns(removal, scenario_.removals.size() - 1))
    if (!columns_.insert(column.name).second)
      fail(t, "name",
           "found " + quoted_bytes(removal.name) + ", which adds a second column " + quoted_bytes(column.name) +
               " in series.csv; expected another name");
}

}  // namespace

Scenario parse_scenario(string_view text, const std::string& name, std::span<const std::string> overrides) {
  Node document = parse_document(text, name);
  for (const std::string& change : overrides) apply_override(document, change);
  return Reader(document, name).read();
}

std::string read_scenario_text(const std::string& path) {
  constexpr std::size_t most = std::size_t{64} << 20;  // bytes; parsed, they are many times as many
  std::string text = read_file(path, most + 1);
  if (text.size() > most)
    throw Error(Exit::bad_input, path +
                                     ": found more than 64 MiB; expected a scenario: put large numbers of grains into "
                                     "a file of their own, [[grains]] kind = \"csv\" or \"data\"");
  return text;
}

Scenario read_scenario(const std::string& path, std::span<const std::string> overrides) {
  return parse_scenario(read_scenario_text(path), path, overrides);
}

}  // namespace cairn
