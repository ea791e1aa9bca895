#include "cairn/world/grain_records.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cairn/core/hash.hpp"
#include "cairn/world/migration.hpp"
#include "cairn/world/world.hpp"

namespace cairn {
namespace {

// Ids whose records come together; of small records more.
constexpr std::int64_t piece = 1 << 13, piece_of_columns = 1 << 15;

using Write = std::function<void(int grain, ByteWriter& to)>;

void write_hashed(const ContactScene& scene, const State& y, int i, ByteWriter& to) {
  to.add(scene.grains.id[i]);
  for (const int row : {BodyRow::x, BodyRow::v, BodyRow::w}) to.add(y.body.at(row, i));
  for (const int k : scene.grains.image[i]) to.add(std::int64_t{k});
  if (scene.list.first.empty()) return;
  for (int e = scene.list.first[i]; e < scene.list.first[i + 1]; ++e) {
    const int slot = scene.list.contacts[e] >> 1;
    const auto [id, other] = scene.ids(slot);
    if (id != scene.grains.id[i] || !stretched(y, slot)) continue;  // a candidate without a spring is no state
    to.add(other);
    for (int row = 0; row < y.bond.rows(); row += 3)
      to.add(spring_of(y, row, slot, scene.list.contacts[e] & 1) + Vector{});  // which makes -0 to 0
  }
}

void write_shown(const Particles& grains, const State& y, int i, ByteWriter& to) {
  to.add(ShownGrain{grains.id[i], y.body.at(BodyRow::x, i), y.body.at(BodyRow::v, i), y.body.at(BodyRow::w, i),
                    grains.radius[i], grains.mass[i], grains.image[i], grains.material[i]});
}

void write_column(const ContactScene& scene, const State& y, std::span<const FieldOfGrains> fields, int column, int i,
                  ByteWriter& to) {
  const Particles& grains = scene.grains;
  switch (column) {
    case ShownColumn::id:
      return to.add(grains.id[i]);
    case ShownColumn::x:
      return to.add(y.body.at(BodyRow::x, i));
    case ShownColumn::v:
      return to.add(y.body.at(BodyRow::v, i));
    case ShownColumn::w:
      return to.add(y.body.at(BodyRow::w, i));
    case ShownColumn::radius:
      return to.add(grains.radius[i]);
    case ShownColumn::mass:
      return to.add(grains.mass[i]);
    case ShownColumn::material:
      return to.add(std::int64_t{grains.material[i]});
    default: {
      const FieldOfGrains& field = fields[static_cast<std::size_t>(column - ShownColumn::field)];
      const auto components = static_cast<std::size_t>(field.components);
      to.add(field.values.data() + components * static_cast<std::size_t>(i), components * sizeof(Real));
    }
  }
}

void write_contact(const ContactView& c, int column, ByteWriter& to) {
  switch (column) {
    case ShownContact::ends:
      return to.add(std::array{c.from, c.to});
    case ShownContact::normal:
      return to.add(c.normal);
    case ShownContact::tangential:
      return to.add(c.tangential);
    case ShownContact::overlap:
      return to.add(c.overlap);
    case ShownContact::spring_length:
      return to.add(norm(c.spring));
    case ShownContact::first:
      return to.add(c.first);
    case ShownContact::second:
      return to.add(c.second);
    case ShownContact::first_material:
      return to.add(std::int64_t{c.first_material});
    default:
      return to.add(std::int64_t{c.second_material});
  }
}

// The records of ids that come in any order from several ranks, put into order.
struct Head {
  std::array<std::int64_t, 3> ids;  // of a grain its own first, of a contact both and the surface
  std::int64_t bytes;
};
// Behind their heads, where several ranks have records.
class RecordWriter {
 public:
  RecordWriter(Bytes& to, bool heads) : to_(to), heads_(heads) {}
  template <class W>
  void add(const std::array<std::int64_t, 3>& ids, W&& write) {
    const std::size_t before = to_.size();
    ByteWriter message(to_);
    if (heads_) message.add(Head{ids, 0});
    write(message);
    if (!heads_) return;
    const Head head{ids, static_cast<std::int64_t>(to_.size() - before - sizeof(Head))};
    std::memcpy(to_.data() + before, &head, sizeof head);
  }

 private:
  Bytes& to_;
  bool heads_;
};
Bytes merged(std::span<const Bytes> messages) {
  struct Record {
    std::array<std::int64_t, 3> ids;
    std::span<const std::byte> bytes;
  };
  std::vector<Record> all;
  std::size_t size = 0;
  for (const Bytes& message : messages) {  // each in order
    const auto before = std::ssize(all);
    for (std::span<const std::byte> left(message); !left.empty();) {
      const auto head = ByteReader(left).take<Head>();
      const auto bytes = static_cast<std::size_t>(head.bytes);
      all.push_back({head.ids, left.subspan(sizeof head, bytes)});
      left = left.subspan(sizeof head + bytes);
      size += bytes;
    }
    std::inplace_merge(all.begin(), all.begin() + before, all.end(),
                       [](const Record& a, const Record& b) { return a.ids < b.ids; });
  }
  Bytes to;
  to.reserve(size);
  for (const Record& r : all) to.insert(to.end(), r.bytes.begin(), r.bytes.end());
  return to;
}

// How a checkpoint's section is put together: parts of all grains, or of all their contacts, one behind the other.
struct Part {
  enum class Of { grains, pairs, walls } of;
  std::size_t bytes;                                                         // of each, in the file
  std::function<void(int grain, int slot, bool second, ByteWriter&)> write;  // `second`: the grain is it in its slot
};
struct Section {
  std::string name;
  std::size_t element = 1;
  std::vector<Part> parts{};
  bool ids = false;  // parts are two ids each, or an id and -1 - surface; the file has indices
};

// What World::for_each_saved() visits of grains and their contacts. Grains stand by ascending id, and contacts, of
// which those alone that live, by ascending lower id, then the other's. There are no candidates: who loads it finds
// them.
struct SavedState {
  std::string name;
  const State* state;
  bool bodies, springs;
};
std::vector<Section> sections_of(const ContactScene& scene, std::span<const SavedState> states) {
  using Of = Part::Of;
  std::vector<Section> all;
  const auto of_contacts = [](std::vector<Part>& parts, std::size_t bytes, const auto& write) {
    for (const Of of : {Of::pairs, Of::walls}) parts.push_back({of, bytes, write});
  };
  scene.grains.for_each_field([&]<class T>(const char* name, const std::vector<T>& field) {
    const auto write = [&field](int i, int, bool, ByteWriter& to) { to.add(field[i]); };
    all.push_back({std::string("grains.") + name, sizeof(T), {{Of::grains, sizeof(T), write}}});
  });
  for (const SavedState& s : states) {
    Section body{s.name + ".body", sizeof(Real)}, bond{s.name + ".bond", sizeof(Real)};
    constexpr std::size_t bytes = sizeof(Real) * BodyRows::numbers;
    if (s.bodies)
      body.parts.push_back({Of::grains, bytes, [y = s.state](int i, int, bool, ByteWriter& to) {
                              Real of[BodyRows::numbers];
                              y->body.write(i, of), to.add(of, bytes);
                            }});
    for (int row = 0; row < s.state->bond.rows() && s.springs; ++row)
      of_contacts(bond.parts, sizeof(Real), [y = s.state, row](int, int slot, bool second, ByteWriter& to) {
        to.add((second ? -1 : 1) * y->bond.row(row)[slot]);
      });
    all.push_back(std::move(body)), all.push_back(std::move(bond));
  }
  scene.slots.for_each_field([&]<class T>(const SlotField<T>& field) {
    if (!field.saved || !field.used) return;
    Section section{field.name, sizeof(T)};
    of_contacts(section.parts, sizeof(T), [&field](int, int slot, bool, ByteWriter& to) { to.add(field[slot]); });
    all.push_back(std::move(section));
  });
  const auto ids = [&scene](int, int slot, bool, ByteWriter& to) { to.add(scene.ids(slot)); };
  all.push_back({"list.pairs", sizeof(Pair), {{Of::pairs, sizeof(Pair), ids}}, true});
  all.push_back({"list.walls", sizeof(WallPair), {{Of::walls, sizeof(WallPair), ids}}, true});
  for (const char* name : {"list.candidate_first", "list.candidates"}) all.push_back({name, sizeof(int)});
  all.push_back({"list.reference", sizeof(Real)});
  return all;
}

// f(slot, second) for the contacts of a grain that live and whose lower id it has.
template <class Lives, class F>
void each_saved_contact(const ContactScene& scene, Part::Of of, int i, const Lives& lives, F&& f) {
  for (int e = scene.list.first[i]; e < scene.list.first[i + 1]; ++e) {
    const int slot = scene.list.contacts[e] >> 1;
    if (scene.at_wall(slot) != (of == Part::Of::walls) || scene.ids(slot)[0] != scene.grains.id[i]) continue;
    if (lives(slot)) f(slot, static_cast<bool>(scene.list.contacts[e] & 1));
  }
}

std::vector<SavedState> saved_states(const States& states, std::uint64_t bodies, std::uint64_t springs) {
  std::vector<SavedState> all{{"state", &states.present, false, false}, {"held", &states.current_rate, false, false}};
  for (int k = 0; k < states.memories(); ++k)
    all.push_back({"memory" + std::to_string(k), &states.memory(k), false, false});
  for (std::size_t k = 0; k < all.size(); ++k) all[k].bodies = bodies >> k & 1, all[k].springs = springs >> k & 1;
  return all;
}

}  // namespace

Bytes World::records(const RecordLook& look) const {
  domain_.ask(Question::records, look);
  const ContactScene scene = this->scene();
  std::vector<Section> sections;
  Write write;
  switch (look.what) {
    case RecordLook::What::hashed:
      write = [&](int i, ByteWriter& to) { write_hashed(scene, state(), i, to); };
      break;
    case RecordLook::What::shown:
      write = [&](int i, ByteWriter& to) { write_shown(grains(), state(), i, to); };
      break;
    case RecordLook::What::column:
      write = [&](int i, ByteWriter& to) { write_column(scene, state(), fields_, look.section, i, to); };
      break;
    case RecordLook::What::contacts:
      break;
    case RecordLook::What::saved: {
      sections = sections_of(scene, saved_states(states_, look.bodies, look.springs));
      const Part& part = sections[look.section].parts[look.part];
      write = [&](int i, ByteWriter& to) {
        if (part.of == Part::Of::grains) return part.write(i, -1, false, to);
        each_saved_contact(
            scene, part.of, i, [&](int slot) { return list_.lives(slot, states_); },
            [&](int slot, bool second) { part.write(i, slot, second, to); });
      };
    }
  }
  Bytes own;
  RecordWriter writer(own, !whole());
  if (look.what == RecordLook::What::contacts) {
    for (auto c = std::partition_point(contacts_.begin(), contacts_.end(),
                                       [&](const ContactView& view) { return view.first < look.from; });
         c != contacts_.end() && c->first < look.to; ++c)
      writer.add({c->first, c->second, c->surface}, [&](ByteWriter& to) { write_contact(*c, look.section, to); });
  } else {
    const std::vector<int>& order = bodies_.by_id();
    for (auto at = std::partition_point(order.begin(), order.end(), [&](int i) { return grains().id[i] < look.from; });
         at != order.end() && grains().id[*at] < look.to; ++at)
      if (grains().own(*at)) writer.add({grains().id[*at]}, [&](ByteWriter& to) { write(*at, to); });
  }
  if (whole()) return own;
  std::vector<Bytes> to(static_cast<std::size_t>(domain_.ranks().count()));
  to[0] = std::move(own);
  const std::vector<Bytes> all = domain_.ranks().exchange(std::move(to));
  return domain_.leads() ? merged(all) : Bytes();
}

void World::each_record(RecordLook look, const std::function<void(const Bytes&)>& take) const {
  for (look.from = 0; look.from < bodies_.next_id(); look.from = look.to) {
    look.to = look.from + piece;
    take(records(look));
  }
}

std::span<const std::byte> RecordStream::find(std::size_t k) {
  if (k < first_) look_.to = 0, first_ = 0, here_.clear();
  for (; (k - first_ + 1) * bytes_ > here_.size();) {
    if (look_.to >= world_->next_id()) throw std::logic_error("there are fewer grains than records are asked for");
    first_ += here_.size() / bytes_;
    look_.from = look_.to, look_.to += look_.what == RecordLook::What::column ? piece_of_columns : piece;
    here_ = world_->records(look_);
  }
  return std::span(here_).subspan((k - first_) * bytes_, bytes_);
}

std::uint64_t World::hash() const {
  Hash h;
  h.add(time());
  for (int w = 0; w < state().walls.size(); ++w)
    for (const int row : {WallRow::x, WallRow::v}) h.add(state().walls.at(row, w));
  each_record({.what = RecordLook::What::hashed}, [&](const Bytes& some) {
    for (ByteReader words(some); !words.empty();) h.add(words.take<std::uint64_t>());
  });
  return h.value();
}

void World::each_shown(const std::function<void(const ShownGrain&)>& take) const {
  each_record({.what = RecordLook::What::shown}, [&](const Bytes& some) {
    for (ByteReader grains(some); !grains.empty();) take(grains.take<ShownGrain>());
  });
}

std::int64_t World::show_contacts(bool shown) const {
  domain_.ask(Question::contacts, shown);
  contacts_ = shown ? closed_contacts() : std::vector<ContactView>();
  std::int64_t count = std::ssize(contacts_);
  domain_.add(count);
  return count;
}

World::Saved World::saved() {
  domain_.ask(Question::saved);
  Saved all{.follow = following(domain_, bodies_, states_, list())};
  const ContactScene scene = this->scene();
  const auto lives = [&](int slot) { return list_.lives(slot, states_); };
  for (int i = grains().own_begin(); i < grains().own_end(); ++i)
    for (const auto& [of, count] : {std::pair{Part::Of::pairs, &all.pairs}, {Part::Of::walls, &all.walls}})
      each_saved_contact(scene, of, i, lives, [to = count](int, bool) { ++*to; });
  domain_.add(all.pairs), domain_.add(all.walls);
  return all;
}

SavedSections World::saved_sections() {
  SavedSections sections;
  if (whole()) return sections;
  const Saved saved = this->saved();
  RecordLook look{.what = RecordLook::What::saved, .bodies = saved.follow.bodies, .springs = saved.follow.springs};
  const auto count = [&](Part::Of of) {
    return static_cast<std::uint64_t>(of == Part::Of::grains  ? grains_of_all()
                                      : of == Part::Of::pairs ? saved.pairs
                                                              : saved.walls);
  };
  const auto ids = std::make_shared<std::vector<std::int64_t>>();  // empty: all from 0 on
  if (grains_of_all() != bodies_.next_id()) each_shown([&](const ShownGrain& grain) { ids->push_back(grain.id); });
  const auto index_of = [ids](std::int64_t id) {
    if (ids->empty()) return static_cast<int>(id);
    return static_cast<int>(std::lower_bound(ids->begin(), ids->end(), id) - ids->begin());
  };
  for (const Section& section : sections_of(scene(), saved_states(states_, look.bodies, look.springs))) {
    SavedSection to;
    to.element = section.element;
    for (const Part& part : section.parts) to.size += part.bytes * count(part.of);
    to.write = [this, look, index_of, parts = static_cast<int>(section.parts.size()),
                of_ids = section.ids](const std::function<void(std::string_view)>& put) mutable {
      const auto put_bytes = [&](const Bytes& some) { put({reinterpret_cast<const char*>(some.data()), some.size()}); };
      for (look.part = 0; look.part < parts; ++look.part)
        each_record(look, [&](const Bytes& some) {
          if (!of_ids) return put_bytes(some);
          Bytes indices;
          for (ByteReader from(some); !from.empty();) {
            const auto [first, second] = from.take<std::array<std::int64_t, 2>>();
            const int other = second < 0 ? static_cast<int>(-1 - second) : index_of(second);
            ByteWriter(indices).add(std::array{index_of(first), other});
          }
          put_bytes(indices);
        });
    };
    ++look.section;
    sections.emplace(section.name, std::move(to));
  }
  return sections;
}

}  // namespace cairn
