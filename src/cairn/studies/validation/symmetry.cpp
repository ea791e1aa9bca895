// Equalities that hold to the last bit: other units, a mirror image, a quarter turn.
#include <array>

#include "cairn/studies/validation/world.hpp"

namespace cairn::studies {
namespace {

struct Units {
  Real length = 1, mass = 1, time = 1;
};
using Turn = Vector (*)(const Vector&);

// A transformation of the case: its units, and the maps of vectors and of spins.
struct View {
  const char* quantity;
  Units units;
  Turn vector, spin;
};

Vector same(const Vector& a) {
  return a;
}

// Three rough spheres thrown onto each other and a plane, Hertz-Mindlin with dashpots: they bounce, slide and roll.
ValidationRun thrown(const ValidationSettings& settings, const View& view, Real step) {
  const Real length = view.units.length, mass = view.units.mass, time = view.units.time;
  Material material;
  material.young = 2e6 * mass / (length * time * time);
  ContactSettings contact;
  contact["restitution"] = 0.6, contact["friction"] = 0.4, contact["rolling_friction"] = 0.05,
  contact["twisting_friction"] = 0.05;
  WorldSettings s;
  s.laws = law_table("hertz_mindlin", {material}, [&](auto, auto) { return contact; });
  s.rolling = rolling_table(1, [&](auto, auto) { return contact; });
  s.gravity = (length / (time * time)) * view.vector({0, 0, -10});
  add_plane(s, {}, view.vector({0, 0, 1}));
  std::vector<GrainData> grains;
  const auto add = [&](const Vector& x, const Vector& v, Real radius) {
    grains.push_back({.position = length * view.vector(x),
                      .velocity = (length / time) * view.vector(v),
                      .spin = (1 / time) * view.spin({3, -7, 2}),
                      .radius = radius * length,
                      .mass = 1000 * radius * radius * radius * mass});
  };
  add({0, 0, 0.51}, {1, 0.3, -1}, 0.5), add({1.01, 0.1, 0.45}, {-1, 0.2, 0}, 0.4);
  add({0.5, 0.3, 1.3}, {0, 0, -2}, 0.3);
  return ValidationRun(settings, s, grains, step * time);
}

}  // namespace

ValidationCase validate_symmetry(const ValidationSettings& settings, const ProgressCallback& on_progress) {
  constexpr Real step = 2e-4;  // [s]
  const int steps = settings.quick ? 2000 : 20000;
  const auto mirrored = [](const Vector& a) { return Vector{-a.x, a.y, a.z}; };
  const auto mirrored_spin = [](const Vector& a) { return Vector{a.x, -a.y, -a.z}; };
  const auto turned = [](const Vector& a) { return Vector{-a.y, a.x, a.z}; };
  const std::array<View, 3> views{
      {{"values that differ, units of 2^-32 m, 2^-96 kg, 2^-32 s", {0x1p-32, 0x1p-96, 0x1p-32}, same, same},
       {"values that differ, mirror image", {}, mirrored, mirrored_spin},
       {"values that differ, quarter turn about z", {}, turned, turned}}};
  ValidationCase c;
  for (const View& view : views) {
    if (on_progress) on_progress(static_cast<Real>(&view - views.data()) / views.size(), "symmetry");
    ValidationRun one = thrown(settings, {"", {}, same, same}, step), other = thrown(settings, view, step);
    const auto& [length, mass, time] = view.units;
    Real differ = 0;
    const auto compare = [&](const Vector& a, const Vector& b) {
      differ += (a.x != b.x) + (a.y != b.y) + (a.z != b.z);
    };
    for (int k = 0; k < steps; ++k) {
      one.advance(), other.advance();
      for (int id = 0; id < one.world().size(); ++id) {
        compare(view.vector(one.position(id)), (1 / length) * other.position(id));
        compare(view.vector(one.velocity(id)), (time / length) * other.velocity(id));
        compare(view.spin(one.spin(id)), time * other.spin(id));
      }
    }
    c.rows.push_back({"Symmetry", view.quantity, "1", 0, differ, 0, false, "exact in binary arithmetic"});
  }
  return c;
}

}  // namespace cairn::studies
