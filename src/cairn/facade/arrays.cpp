// Arrays of a simulation at the C interface: views without copies, and memory that outlives a step.
#include <cstddef>
#include <memory>

#include "cairn/facade/guarded.hpp"
#include "cairn/facade/held_simulation.hpp"

struct cairn_memory {
  std::shared_ptr<const void> held;
};

using namespace cairn;
using namespace cairn::facade;

namespace {

// What lives in the same memory.
enum Block { bodies, ids, radii, masses, materials, images, contacts, series, probes, events };

constexpr cairn_field real(const char* name, const char* unit, std::size_t offset = 0, int components = 1) {
  return {name, unit, CAIRN_REAL, components, offset};
}
constexpr cairn_field whole(const char* name, std::size_t offset = 0) {
  return {name, "1", CAIRN_INT64, 1, offset};
}
constexpr cairn_field small(const char* name, std::size_t offset = 0, int components = 1) {
  return {name, "1", CAIRN_INT32, components, offset};
}

constexpr cairn_field id_field[] = {whole("id")};
constexpr cairn_field position_field[] = {real("position", "m", 0, 3)};
constexpr cairn_field velocity_field[] = {real("velocity", "m/s", 0, 3)};
constexpr cairn_field spin_field[] = {real("spin", "rad/s", 0, 3)};
constexpr cairn_field radius_field[] = {real("radius", "m")};
constexpr cairn_field mass_field[] = {real("mass", "kg")};
constexpr cairn_field material_field[] = {small("material")};
constexpr cairn_field image_field[] = {small("image", 0, 3)};
constexpr cairn_field contact_fields[] = {whole("first", offsetof(ContactView, first)),
                                          whole("second", offsetof(ContactView, second)),
                                          real("start", "m", offsetof(ContactView, from), 3),
                                          real("end", "m", offsetof(ContactView, to), 3),
                                          real("normal_force", "N", offsetof(ContactView, normal), 3),
                                          real("tangential_force", "N", offsetof(ContactView, tangential), 3),
                                          real("spring", "m", offsetof(ContactView, spring), 3),
                                          real("overlap", "m", offsetof(ContactView, overlap)),
                                          real("rolling_torque", "N m", offsetof(ContactView, torque), 3),
                                          real("approach_speed", "m/s", offsetof(ContactView, approach)),
                                          small("surface", offsetof(ContactView, surface)),
                                          small("first_material", offsetof(ContactView, first_material)),
                                          small("second_material", offsetof(ContactView, second_material))};
constexpr cairn_field event_fields[] = {
    whole("first", offsetof(ContactEvent, first)),
    whole("second", offsetof(ContactEvent, second)),
    real("began", "s", offsetof(ContactEvent, began)),
    real("duration", "s", offsetof(ContactEvent, duration)),
    real("peak_force", "N", offsetof(ContactEvent, peak_force)),
    real("peak_force_time", "s", offsetof(ContactEvent, peak_force_time)),
    real("peak_overlap", "m", offsetof(ContactEvent, peak_overlap)),
    real("peak_tangential_force", "N", offsetof(ContactEvent, peak_tangential_force)),
    real("approach_speed", "m/s", offsetof(ContactEvent, approach_speed)),
    real("separation_speed", "m/s", offsetof(ContactEvent, separation_speed)),
    whole("parted", offsetof(ContactEvent, parted)),
    whole("first_material", offsetof(ContactEvent, first_material)),
    whole("second_material", offsetof(ContactEvent, second_material))};
static_assert(sizeof(Vector) == 3 * sizeof(Real) && sizeof(int) == sizeof(std::int32_t));

cairn_view view(const void* data, std::int64_t rows, std::size_t stride, std::span<const cairn_field> fields,
                Block block) {
  return {rows > 0 ? data : nullptr, rows, stride, fields.data(), std::ssize(fields), block};
}

template <class T>
cairn_view view(const std::vector<T>& a, std::span<const cairn_field> fields, Block block) {
  return view(a.data(), std::ssize(a), sizeof(T), fields, block);
}

cairn_view view(CellRows& a, Block block) {
  return view(a.cells().data(), a.rows(), a.stride(), a.fields(), block);
}

cairn_view view(const BodyRows& body, int row, std::span<const cairn_field> fields) {
  const Column<const Real> first = body.row(row);
  return view(first.first, body.size(), first.stride * sizeof(Real), fields, bodies);
}

cairn_view view_of(cairn_simulation& s, std::int32_t array) {
  const World& w = s.at_positions().world();
  const Particles& grains = w.grains();
  switch (array) {
    case CAIRN_IDS:
      return view(grains.id, id_field, ids);
    case CAIRN_POSITIONS:
      return view(w.state().body, BodyRow::x, position_field);
    case CAIRN_VELOCITIES:
      return view(w.state().body, BodyRow::v, velocity_field);
    case CAIRN_SPINS:
      return view(w.state().body, BodyRow::w, spin_field);
    case CAIRN_RADII:
      return view(grains.radius, radius_field, radii);
    case CAIRN_MASSES:
      return view(grains.mass, mass_field, masses);
    case CAIRN_MATERIALS:
      return view(grains.material, material_field, materials);
    case CAIRN_IMAGES:
      return view(grains.image, image_field, images);
    case CAIRN_CONTACTS:
      return view(s.closed_contacts(), contact_fields, contacts);
    case CAIRN_SERIES:
      return view(s.series, series);
    case CAIRN_PROBE_ROWS:
      return view(s.probes, probes);
    case CAIRN_EVENTS:
      return view(s.events, event_fields, events);
    default:
      throw Misuse{"expected an array of cairn.h"};
  }
}

// The memory of `a` leaves with the result, and `a` goes on with a copy: addresses in that memory stay right. Where
// there is no memory for the copy, `a` stays as it is.
template <class T>
std::shared_ptr<const void> taken_from(T& a) {
  auto memory = std::make_shared<T>(a);
  std::swap(*memory, a);
  return memory;
}

// A World shows its grains as constant, because nothing may change them; where they are stored is all that changes
// here.
template <class T>
std::shared_ptr<const void> taken_from_grains(const std::vector<T>& a) {
  return taken_from(const_cast<std::vector<T>&>(a));
}

std::shared_ptr<const void> memory_of(cairn_simulation& s, std::int32_t block) {
  World& w = s.simulation->world();
  const Particles& grains = w.grains();
  switch (block) {
    case bodies:
      return taken_from(w.state().body);
    case ids:
      return taken_from_grains(grains.id);
    case radii:
      return taken_from_grains(grains.radius);
    case masses:
      return taken_from_grains(grains.mass);
    case materials:
      return taken_from_grains(grains.material);
    case images:
      return taken_from_grains(grains.image);
    case contacts:
      return taken_from(s.contacts);
    case series:
      return taken_from(s.series.cells());
    case probes:
      return taken_from(s.probes.cells());
    case events:
      return taken_from(s.events);
    default:
      throw Misuse{"expected a block of a cairn_view"};
  }
}

}  // namespace

extern "C" {

int cairn_view_of(cairn_simulation* simulation, int32_t array, cairn_view* to) {
  return guarded([&] {
    require(simulation != nullptr && to != nullptr, "a simulation and a place for the view");
    *to = view_of(*simulation, array);
  });
}

int cairn_keep(cairn_simulation* simulation, int32_t block, cairn_memory** memory) {
  return guarded([&] {
    require(simulation != nullptr && memory != nullptr, "a simulation and a place for the memory");
    *memory = new cairn_memory{memory_of(*simulation, block)};
  });
}

void cairn_release(cairn_memory* memory) {
  delete memory;
}

}  // extern "C"
