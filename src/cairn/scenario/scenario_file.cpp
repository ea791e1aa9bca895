#include "cairn/scenario/scenario_file.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/run/record.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/sizes.hpp"
#include "cairn/scenario/contact_rules.hpp"
#include "cairn/scenario/scenario_keys.hpp"

namespace cairn {
namespace {

using namespace keys;

struct Table {
  const Node& node;   // a table
  const Node& blame;  // where to point when a key is missing: the table, or what ought to hold it
  std::string path;   // "wall.0"

  const Node* find(string_view key) const { return node.find(key); }
  bool has(string_view key) const { return find(key) != nullptr; }
};

// What sort of wall, grains or contact law a table describes: the key that says so, and its word.
struct Kind {
  string_view key{}, word{};
};

template <class T>
struct KeyRows {
  std::span<const Key<T>> keys;
  T& to;
};
template <class T, std::size_t n>
KeyRows(const Key<T> (&)[n], T&) -> KeyRows<T>;
template <class T, std::size_t n>
KeyRows(const std::array<Key<T>, n>&, T&) -> KeyRows<T>;

using cairn::fail;
// About a key of a table, at its value if it is there.
[[noreturn]] void fail(const Table& t, string_view key, const std::string& message) {
  const Node* node = t.find(key);
  fail(node == nullptr ? t.blame : *node, inside(t.path, key), message);
}
[[noreturn]] void missing(const Table& t, string_view key, const std::string& expected) {
  fail(t, key, "missing; expected " + expected + ", here or by --set " + inside(t.path, key) + "=...");
}

// Faults are gathered, so that one look at the messages mends a file. What depends on something faulty is not looked
// at.
class Reader {
 public:
  Reader(const Node& root, const std::string& name) : root_{root, root, ""}, name_(name) {}
  Scenario read();

 private:
  // Whether f went through without faults; those are noted.
  template <class F>
  bool attempt(F&& f);
  [[noreturn]] void stop() const;

  // Reads all keys of a table, from one or more lists of rows; kind() may depend on the rows read so far.
  template <class KindOf, class... T>
  void read_keys_of(const Table& t, KindOf&& kind, KeyRows<T>... rows);
  template <class... T>
  void read_keys(const Table& t, KeyRows<T>... rows) {
    read_keys_of(
        t, [] { return Kind{}; }, rows...);
  }
  template <class KindOf, class T>
  void read_rows(const Table& t, KindOf&& kind, const std::vector<const KeyDoc*>& docs, const KeyRows<T>& rows,
                 bool spelled);
  void refuse_unknown(const Table& t, const std::vector<const KeyDoc*>& docs);
  void refuse_stranger(const Table& t, const KeyDoc& stranger, const Kind& kind,
                       const std::vector<const KeyDoc*>& docs) const;

  // A section, empty if the file does not have it; f(entry) for each of a list of sections.
  Table section(string_view name) const;
  template <class F>
  void each(string_view name, F&& f);

  void space();
  void material(const Table& t);
  void contact();
  void pair(const Table& t);
  template <class T>
  void contact_table(const Table& t, ContactSettings& to, KeyRows<T> others);
  void nonlinear(const Table& t, const ContactSettings& to);
  void wall(const Table& t);
  void motion(const Table& t, WallMotion& to);
  void grains(const Table& t);
  void region(const Table& t, RegionSpec& to) const;
  void sizes(const Table& t, std::optional<SizeSpec>& to);
  void emitter(const Table& t);
  void removal(const Table& t);
  std::string path_of(const Table& t, const std::string& file) const;
  void ordered(const Table& t, const Vector& low, const Vector& high) const;

  // Gives a name to what has none, and refuses one that is taken.
  template <class T>
  void name_apart(const Table& t, const std::vector<T>& others, T& one, const std::string& fallback) const {
    if (!t.has("name")) one.name = fallback;
    if (one.name.empty()) fail(t, "name", "found an empty text; expected a name");
    // Names head columns of tables, where these would need quotes that not every reader understands.
    if (one.name.find_first_of("\",#\r\n") != std::string::npos)
      fail(t, "name",
           "found " + cairn::quoted(one.name) + "; expected a name without quotes, commas, # or line breaks");
    for (const T& other : others)
      if (other.name == one.name)
        fail(t, "name",
             "found " + cairn::quoted(one.name) + (t.has("name") ? "" : " (given by default)") +
                 ", a name already in use; expected a different name");
  }

  Table root_;
  std::string name_;
  Values values_;
  Scenario scenario_;
  std::set<std::pair<std::string, std::string>> pairs_;  // of materials, in the order of their names
  std::set<std::string> columns_;                        // of series.csv, once removals are read
  std::vector<std::string> faults_;
};

template <class F>
bool Reader::attempt(F&& f) {
  const std::size_t before = faults_.size();
  try {
    f();
  } catch (const Fault& fault) {
    if (!fault.message.empty()) faults_.push_back(fault.message);
  }
  return faults_.size() == before;
}

void Reader::stop() const {
  constexpr std::size_t most = 20;
  std::vector<std::string> told(faults_.begin(), faults_.begin() + static_cast<int>(std::min(most, faults_.size())));
  if (faults_.size() > most) told.push_back("and " + std::to_string(faults_.size() - most) + " more");
  throw Error(Exit::bad_input, joined(told, "\n", "\n"));
}

template <class KindOf, class... T>
void Reader::read_keys_of(const Table& t, KindOf&& kind, KeyRows<T>... rows) {
  std::vector<const KeyDoc*> docs;
  const auto collect = [&](const auto& keys) {
    for (const auto& key : keys) docs.push_back(&key.doc);
  };
  (collect(rows.keys), ...);
  const bool well = attempt([&] {
    const bool spelled = attempt([&] { refuse_unknown(t, docs); });  // else what seems missing may be misspelt
    (read_rows(t, kind, docs, rows, spelled), ...);
  });
  if (!well) throw Fault{};  // what the table says as a whole makes no sense yet
}

template <class KindOf, class T>
void Reader::read_rows(const Table& t, KindOf&& kind, const std::vector<const KeyDoc*>& docs, const KeyRows<T>& rows,
                       bool spelled) {
  for (const Key<T>& key : rows.keys) {
    const Kind now = kind();
    const bool well = attempt([&] {
      const Node* node = t.find(key.doc.key);
      const bool belongs = key.doc.belongs_to(now.word);
      if (node == nullptr) {
        if (spelled && belongs && key.doc.required())
          missing(t, key.doc.key, values_.expected(key.doc) + " (" + std::string(key.doc.doc) + ")");
        return;
      }
      if (!belongs) refuse_stranger(t, key.doc, now, docs);
      if (scenario_.dimension < key.doc.from_dimension)
        fail(t, key.doc.key,
             "does not exist here; expected only where space.dimension >= " + std::to_string(key.doc.from_dimension));
      values_.dimension = scenario_.dimension;
      key.read(values_, {*node, inside(t.path, key.doc.key), key.doc}, rows.to);
    });
    if (!well && key.doc.key == now.key) throw Fault{};  // nobody knows which keys belong here
  }
}

//------------------------------------------------------------------------------------------------------------ sections

void Reader::refuse_unknown(const Table& t, const std::vector<const KeyDoc*>& docs) {
  std::vector<string_view> names;
  for (const KeyDoc* doc : docs) names.push_back(doc->key);
  for (const Entry& entry : *t.node.table()) {
    const string_view name = entry.key;
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    // A section is not taken for a key of the same name elsewhere.
    const Node::Array* array = entry.node.array();
    const bool section = entry.node.table() || (array && !array->empty() && array->front().table());
    std::vector<std::string> elsewhere;
    for (const KeyDoc& doc : scenario_keys())
      if (doc.key == name && !doc.section.empty() && section == (doc.type == Type::table || doc.type == Type::tables))
        elsewhere.push_back(section_title(doc.section));
    const std::string printable = quoted(name);
    faults_.push_back(
        entry.mark.text() + ": " + inside(t.path, printable.substr(1, printable.size() - 2)) +
        ": no such key; expected one of " + joined(names, ", ", ", ") +
        (elsewhere.empty() ? suggestion(name, names) : "; it is a key of " + joined(elsewhere, ", ", " and ")));
  }
}

void Reader::refuse_stranger(const Table& t, const KeyDoc& stranger, const Kind& kind,
                             const std::vector<const KeyDoc*>& docs) const {
  std::vector<string_view> names;
  for (const KeyDoc* doc : docs)
    if (doc->belongs_to(kind.word) && doc->from_dimension <= scenario_.dimension) names.push_back(doc->key);
  fail(t, stranger.key,
       "does not belong to " + std::string(kind.key) + " '" + std::string(kind.word) + "'; expected only " +
           joined(names, ", ", ", "));
}

// What is no section has been told as a fault of the root; it is passed over here.
Table Reader::section(string_view name) const {
  static const Node none{Node::Table{}, {}, false};
  const Node* node = root_.find(name);
  if (node == nullptr || node->table() == nullptr) return {none, root_.blame, std::string(name)};
  return {*node, *node, std::string(name)};
}

template <class F>
void Reader::each(string_view name, F&& f) {
  const Node* node = root_.find(name);
  if (node == nullptr || node->array() == nullptr) return;
  std::size_t k = 0;
  for (const Node& entry : *node->array()) {
    const std::string path = inside(std::string(name), std::to_string(k++));
    if (entry.table() != nullptr) attempt([&] { f(Table{entry, entry, path}); });
  }
}

Scenario Reader::read() {
  scenario_.file = name_;
  const auto plain = [&](string_view name, const auto& keys) {
    attempt([&] { read_keys(section(name), KeyRows{keys, scenario_}); });
  };
  if (!attempt([&] { read_keys(root_, KeyRows{top_keys, scenario_}); })) stop();
  attempt([&] {
    const Table run = section("run");
    read_keys(run, KeyRows{run_keys, scenario_});
    if (scenario_.step > scenario_.end) fail(run, "step", "found a step longer than run.end; expected a shorter step");
    for (const char* key : {"smallest_step", "largest_step"})
      if (run.has(key) && !scheme_named(scenario_.scheme).claims.adaptive)
        fail(run, key,
             "found with " + scenario_.scheme +
                 ", a scheme of fixed step; expected this key only with an adaptive scheme");
    if (scenario_.smallest_step > scenario_.step)
      fail(run, "smallest_step", "found more than run.step, the first step; expected at most run.step");
    if (scenario_.largest_step && *scenario_.largest_step < scenario_.step)
      fail(run, "largest_step", "found less than run.step, the first step; expected at least run.step");
  });
  const bool known = attempt([&] {
    space();
    each("material", [&](const Table& t) { material(t); });
  });
  if (!known) stop();  // most of what follows speaks of these
  if (scenario_.materials.empty()) scenario_.materials.emplace_back();
  for (const Material& m : scenario_.materials) values_.materials.push_back(m.name);
  if (attempt([&] { contact(); })) each("pair", [&](const Table& t) { pair(t); });
  each("wall", [&](const Table& t) { wall(t); });
  each("grain", [&](const Table& t) {
    GrainSpec grain;
    read_keys(t, KeyRows{position_keys, grain}, KeyRows{body_keys, grain});
    scenario_.grain.push_back(grain);
  });
  each("grains", [&](const Table& t) { grains(t); });
  each("emitter", [&](const Table& t) { emitter(t); });
  for (const auto& column : record_columns(scenario_)) columns_.insert(column.name);
  each("removal", [&](const Table& t) { removal(t); });
  plain("output", output_keys);
  plain("search", search_keys);
  plain("initial", initial_keys);
  plain("guards", guards_keys);
  if (!faults_.empty()) stop();
  return std::move(scenario_);
}

void Reader::space() {
  const Table t = section("space");
  read_keys(t, KeyRows{space_keys, scenario_});
  if (scenario_.dimension > 1) return;
  if (t.has("rotation") && scenario_.rotation)
    fail(t, "rotation", "found true; expected false where space.dimension = 1, because nothing spins there");
  scenario_.rotation = false;
}

void Reader::material(const Table& t) {
  Material material;
  read_keys(t, KeyRows{material_keys, material});
  name_apart(t, scenario_.materials, material, material.name);
  scenario_.materials.push_back(material);
}

// Reads [contact], or a [[pair]] on top of what it inherits.
template <class T>
void Reader::contact_table(const Table& t, ContactSettings& to, KeyRows<T> others) {
  for (const std::span<const Alternative> group : alternatives) {
    string_view given;
    for (const Alternative& one : group) {
      if (!t.has(one.key)) continue;
      if (!given.empty())
        fail(
            t, one.key,
            "found beside " + std::string(given) + "; expected only one of " + (group.size() > 2 ? "them" : "the two"));
      given = one.key;
    }
    if (!given.empty())
      for (const Alternative& one : group) (to.*one.member).reset();
  }
  const auto law = [&] { return Kind{"law", scenario_.law}; };
  read_keys_of(t, law, others, KeyRows{contact_keys, to});
  if (const std::string fault = no_rebound_fault(scenario_.law, to); !fault.empty())
    for (const char* key : {"restitution", "attraction", "damping_map", "duration"})
      if (t.has(key)) fail(t, key, "found restitution = 0" + fault);
  if (scenario_.law == KuwabaraKono::name || scenario_.law == ExtendedNonlinear::name) return nonlinear(t, to);
  if (scenario_.law != "linear") return;
  if (to.duration && !to.restitution)
    fail(t, "duration",
         "found without restitution; expected duration and restitution, or stiffness in place of duration");
  if (!to.duration && !to.stiffness) missing(t, "stiffness", "a number > 0 in N/m, or restitution with duration");
}

void Reader::nonlinear(const Table& t, const ContactSettings& to) {
  constexpr std::array<std::pair<string_view, string_view>, 2> other_units{
      {{"stiffness", "N/m^1.5"}, {"damping", "N s/m^(1 + damping_exponent)"}}};
  for (const auto& [key, unit] : other_units)
    if (const Node* node = t.find(key); node && node->as<std::string>())
      fail(t, key,
           "found text; expected a plain number, which for law '" + scenario_.law + "' is in " + std::string(unit));
  if (!to.stiffness) missing(t, "stiffness", "a number > 0, in N/m^1.5");
  if (t.has("restitution_speed") && !to.restitution)
    fail(t, "restitution_speed", "found without restitution; expected restitution_speed and restitution");
}

void Reader::contact() {
  contact_table(section("contact"), scenario_.contact, KeyRows{law_keys, scenario_});
  if (scenario_.law == ExtendedLinear::name)
    for (const char* key : {"restitution_factor", "restitution_exponent", "duration_factor", "duration_exponent"})
      if (const Table t = section("contact"); !t.has(key))
        missing(t, key, "a number, because law 'extended_linear' is fitted to measured impacts");
  if (scenario_.law != "hertz_mindlin") return;
  if (!root_.has("material"))
    fail(section("contact"), "law",
         "found 'hertz_mindlin' without a [[material]]; expected at least one [[material]] with young");
  each("material", [&](const Table& t) {
    if (!t.has("young")) missing(t, "young", "a number > 0 in Pa, which law 'hertz_mindlin' needs");
  });
}

void Reader::pair(const Table& t) {
  PairSettings pair;
  pair.contact = scenario_.contact;
  contact_table(t, pair.contact, KeyRows{pair_keys, pair});
  if (!pairs_.insert(std::minmax(pair.first, pair.second)).second)
    fail(t, "materials", "found a second [[pair]] of the same two materials; expected one");
  scenario_.pairs.push_back(pair);
}

void Reader::ordered(const Table& t, const Vector& low, const Vector& high) const {
  const int dimension = scenario_.dimension;
  if ((dimension > 1 && low.x >= high.x) || (dimension > 2 && low.y >= high.y) || low.z >= high.z)
    fail(t, "high", "found no room between low and high; expected high > low in every direction");
}

void Reader::motion(const Table& t, WallMotion& to) {
  read_keys(t, KeyRows{motion_keys, to});
  if (to.rotation_rate == 0) return;
  if (scenario_.dimension == 2) to.axis = {0, 1, 0};
  if (to.axis == Vector{}) missing(t, "axis", "the direction of the axis of rotation, [x, y, z]");
}

void Reader::wall(const Table& t) {
  WallSpec wall;
  read_keys_of(
      t,
      [&] {
        return Kind{"type", shapes[static_cast<int>(wall.shape)]};
      },
      KeyRows{wall_keys, wall});
  if (const Node* node = t.find("motion")) motion({*node, *node, inside(t.path, "motion")}, wall.motion);
  name_apart(t, scenario_.walls, wall, "wall" + std::to_string(scenario_.walls.size() + 1));
  if (wall.shape == WallSpec::Shape::box) ordered(t, wall.low, wall.high);
  if (wall.shape == WallSpec::Shape::cylinder) {
    if (scenario_.dimension == 1)
      fail(t, "type",
           "found 'cylinder' where space.dimension = 1; expected 'cylinder' only where space.dimension >= 2");
    if (scenario_.dimension == 2) wall.axis = {0, 1, 0};
    if (t.has("caps") && wall.length == 0)
      fail(t, "caps", "found without length, on an endless cylinder; expected caps and length");
  }
  scenario_.walls.push_back(wall);
}

void refuse_beside(const Table& t, std::initializer_list<const char*> keys, const std::string& message) {
  for (const char* key : keys)
    if (t.has(key)) fail(t, key, message);
}

// A box from low to high, or a cylinder.
void Reader::region(const Table& t, RegionSpec& to) const {
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
  ordered(t, to.low, to.high);
}

// Beside the scenario; else where the user stands, for that is what a shell completes behind --set.
std::string Reader::path_of(const Table& t, const std::string& file) const {
  if (file.empty()) fail(t, "file", "found an empty text; expected a path");
  const auto beside = std::filesystem::path(name_).parent_path() / file;
  std::error_code ignored;
  const bool there = std::filesystem::exists(beside, ignored) || !std::filesystem::exists(file, ignored);
  return there ? beside.string() : file;
}

// Of grains of many sizes, or, as radius says, of one.
void Reader::sizes(const Table& t, std::optional<SizeSpec>& to) {
  const Node* node = t.find("sizes");
  if (node == nullptr) {
    if (!t.has("radius")) missing(t, "radius", "a number > 0 in m, or sizes");
    return;
  }
  refuse_beside(t, {"radius", "radius_spread", "mass"}, "found beside sizes; expected only one of them");
  const Table inner{*node, *node, inside(t.path, "sizes")};
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
      cairn::fail(*node, "", t.path + "." + e.what());
    }
  }
  to = spec;
}

void Reader::grains(const Table& t) {
  GrainsSpec grains;
  const auto kind = [&] { return Kind{"kind", kinds_of_grains[static_cast<int>(grains.kind)]}; };
  read_keys_of(t, kind, KeyRows{grains_keys, grains}, KeyRows{grains_region_keys, grains.region});
  if (grains.kind == GrainsSpec::Kind::data || grains.kind == GrainsSpec::Kind::csv) {
    grains.file = path_of(t, grains.file);
  } else {
    sizes(t, grains.sizes);
    region(t, grains.region);
  }
  if (grains.kind == GrainsSpec::Kind::random && grains.count < 0) missing(t, "count", "a whole number >= 1");
  scenario_.grains.push_back(grains);
}

void Reader::emitter(const Table& t) {
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

void Reader::removal(const Table& t) {
  RemovalSpec removal;
  read_keys(t, KeyRows{removal_keys, removal}, KeyRows{region_keys, removal.region},
            KeyRows{half_space_keys, removal.region});
  name_apart(t, scenario_.removals, removal, "removal" + std::to_string(scenario_.removals.size() + 1));
  if (t.has("point") || t.has("normal")) {
    for (const char* key : {"point", "normal"})
      if (!t.has(key)) missing(t, key, "both a point of the plane and its normal");
    refuse_beside(t, {"low", "high", "region_radius", "center", "axis", "region_length"},
                  "found beside a plane; expected a box, a cylinder or a plane");
    removal.region.kind = RegionSpec::Kind::half_space;
  } else {
    region(t, removal.region);
  }
  scenario_.removals.push_back(removal);
  for (const auto& column : record_columns(removal, scenario_.removals.size() - 1))
    if (!columns_.insert(column.name).second)
      fail(t, "name",
           "found " + cairn::quoted(removal.name) + ", which adds a second column " + cairn::quoted(column.name) +
               " in series.csv; expected another name");
}

std::vector<KeyDoc> all_keys() {
  static std::deque<std::string> texts;  // of defaults; a deque never moves them
  std::vector<KeyDoc> docs;
  const auto add_key = [&]<class T>(string_view section, const Key<T>& key, string_view fallback) {
    KeyDoc& doc = docs.emplace_back(key.doc);
    doc.section = section;
    if (!fallback.empty()) doc.fallback = fallback;
    if (doc.fallback.empty()) doc.fallback = texts.emplace_back(key.fallback(doc, T{}));
  };
  const auto add = [&](string_view section, const auto& keys, string_view fallback = "") {
    for (const auto& key : keys) add_key(section, key, fallback);
  };
  add("", top_keys);
  add("run", run_keys);
  add("space", space_keys);
  add("material", material_keys);
  add("contact", law_keys);
  add("contact", contact_keys);
  add("pair", pair_keys);
  add("pair", contact_keys, "as in [contact]");
  add("wall", wall_keys);
  add("wall.motion", motion_keys);
  add("grain", position_keys);
  add("grain", body_keys);
  add("grains", grains_keys);
  add("grains", grains_region_keys);
  add("grains.sizes", size_keys);
  add("emitter", emitter_keys);
  add("emitter", emitter_position_keys);
  add("emitter", region_keys);
  add("emitter", emitter_body_keys);
  add("emitter.sizes", size_keys);
  add("removal", removal_keys);
  add("removal", region_keys);
  add("removal", half_space_keys);
  add("output", output_keys);
  add("search", search_keys);
  add("initial", initial_keys);
  add("guards", guards_keys);
  return docs;
}

}  // namespace

std::string section_title(string_view section) {
  const string_view name = section.substr(0, section.find('.'));
  for (const Key<Scenario>& key : top_keys) {
    if (key.doc.key != name || (key.doc.type != Type::table && key.doc.type != Type::tables)) continue;
    const bool many = key.doc.type == Type::tables;
    const std::string title = (many ? "[[" : "[") + std::string(name) + (many ? "]]" : "]");
    return name == section ? title : title + " " + std::string(section.substr(name.size() + 1));
  }
  return "";
}

std::span<const KeyDoc> scenario_keys() {
  static const std::vector<KeyDoc> keys = all_keys();
  return keys;
}

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
