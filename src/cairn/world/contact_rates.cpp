// Stiffness and damping of contacts, by derivatives of the laws.
#include "cairn/world/contact_rates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "cairn/geometry/shapes/materials.hpp"

namespace cairn {
namespace {

// `c` has an overlap above zero. Without approach and spring the force is neither clipped nor cut to the Coulomb limit.
template <class Law>
ContactStiffness stiffness_of(const Law& law, const ContactKinematics<Real>& c, const RollingResistance* rolls) {
  using T = Jet<1>;
  constexpr Real smallest = std::numeric_limits<Real>::min();
  const Vector across = std::fabs(c.n.x) < 0.9 ? Vector{1, 0, 0} : Vector{0, 1, 0}, t = across - dot(across, c.n) * c.n;
  const Vector direction = (1 / norm(t)) * t;
  const auto jet = [](const Vector& a) { return Vec3<T>{T(a.x), T(a.y), T(a.z)}; };
  const auto moving = [](const Vector& a) {
    Vec3<T> v;
    v.x.c[1] = a.x, v.y.c[1] = a.y, v.z.c[1] = a.z;
    return v;
  };
  const auto along = [&](const Vec3<T>& a) { return dot(a, jet(direction)).c[1]; };
  ContactKinematics<T> kinematics{};
  kinematics.n = jet(c.n);
  kinematics.overlap = T(c.overlap), kinematics.r_eff = T(c.r_eff), kinematics.m_eff = T(c.m_eff);
  kinematics.onset_speed = T(std::max({c.onset_speed, c.onset_speed > 0 ? 0 : std::fabs(c.approach), smallest}));
  ContactKinematics<T> deeper = kinematics, closing = kinematics;
  deeper.overlap.c[1] = 1, deeper.vt = moving(direction);
  closing.approach.c[1] = 1;
  const ContactForce<T> by_overlap = law.force(deeper, Vec3<T>{}), by_approach = law.force(closing, moving(direction));
  ContactStiffness of;
  of.stiffness = {.normal = by_overlap.fn.c[1], .tangential = -along(by_approach.ft)};
  of.damping = {.normal = by_approach.fn.c[1], .tangential = -along(by_overlap.ft)};
  if (rolls != nullptr && of.stiffness.tangential > 0) {
    of.stiffness.rolling = rolls->rolling_ratio() * of.stiffness.tangential;
    of.stiffness.twisting = rolls->twisting_ratio() * of.stiffness.tangential;
    of.damping.rolling = rolls->rolling_friction > 0 ? rolls->rolling_damping : 0;
    of.damping.twisting = rolls->twisting_friction > 0 ? rolls->twisting_damping : 0;
  }
  constexpr Real round_off = 1e-9;
  ContactKinematics<Real> present = c;
  present.onset_speed = kinematics.onset_speed.c[0];
  const Real whole = law.frequency_squared(present) * c.m_eff;
  const Real apart = std::max(of.stiffness.normal, slip_response * of.stiffness.tangential);
  if (of.stiffness.tangential > 0 && whole > (1 + round_off) * apart) of.coupled = whole;
  return of;
}

// The overlap [m] at which `reached` becomes true, by bisection of its exponent.
template <class Reached>
Real overlap_where(Real least, Real most, const Reached& reached) {
  if (!reached(most)) return most;
  while (most > 1.001 * least) {
    const Real middle = std::sqrt(least * most);
    (reached(middle) ? most : least) = middle;
  }
  return most;
}

// [1/s^2] of two bodies in this contact, with their rolling.
template <class Law>
Real frequency_squared(const WorldSettings& settings, const Law& law, int pair, const ContactKinematics<Real>& c) {
  const Real of_law = law.frequency_squared(c);
  if (!settings.rolls()) return of_law;
  return std::max(of_law, settings.rolling[pair].frequency_squared(law.force(c, {}).stiffness, c.m_eff));
}

}  // namespace

void live_contacts_of(const ContactScene& scene, const State& y, int grain, std::vector<LiveContact>& to) {
  const Particles& grains = scene.grains;
  const auto add = [&](int slot, int i, int j, const auto& law, const ContactGeometry<Real>& m) {
    if (!in_contact(m.kinematics.overlap)) return;
    LiveContact c;
    c.i = i, c.j = j, c.n = m.kinematics.n, c.overlap = m.kinematics.overlap;
    c.ids = scene.ids(slot);
    if (j < 0) c.ids[1] = -1 - scene.settings.surfaces[-1 - c.ids[1]].wall;
    c.lever_i = grains.radius[i] - m.reduction;
    if (j >= 0) c.lever_j = grains.radius[j] - m.reduction;
    c.rolling_lever = m.kinematics.r_eff;
    c.of = stiffness_of(law, m.kinematics, scene.settings.rolls() ? &scene.rolling(slot) : nullptr);
    if (j >= 0 && grains.id[j] < grains.id[i]) {
      std::swap(c.i, c.j), std::swap(c.lever_i, c.lever_j);
      c.n = -c.n;
    }
    to.push_back(c);
  };
  for (int e = scene.list.first[grain]; e < scene.list.first[grain + 1]; ++e)
    if (const int slot = scene.list.contacts[e] >> 1; scene.may_act(y, slot)) scene.each_in(y, add, slot, slot + 1);
}

std::vector<LiveContact> live_contacts_of(const ContactScene& scene, const State& y) {
  std::vector<LiveContact> all, some;
  for (const int i : scene.grains.by_id()) {
    some.clear();
    live_contacts_of(scene, y, i, some);
    std::copy_if(some.begin(), some.end(), std::back_inserter(all), [&](const LiveContact& c) { return c.i == i; });
  }
  return all;
}

void LightestGrains::look(int material, const Grain& grain) {
  std::vector<Grain>& two = of_[static_cast<std::size_t>(material)];
  if (two.size() == 2 && !(grain < two.back())) return;
  two.push_back(grain);
  std::sort(two.begin(), two.end());
  if (two.size() > 2) two.pop_back();
}

LightestGrains lightest_of(const ContactScene& scene) {
  using Grain = LightestGrains::Grain;
  const Particles& grains = scene.grains;
  const int materials = scene.settings.materials;
  LightestGrains own(materials), all(materials);
  for (int i = grains.own_begin(); i < grains.own_end(); ++i)
    own.look(grains.material[i], {grains.mass[i], grains.radius[i]});
  constexpr Real none = std::numeric_limits<Real>::infinity();
  for (int material = 0; material < materials; ++material) {
    std::array<Grain, 2> two{{{none, none}, {none, none}}};
    std::copy(own.of(material).begin(), own.of(material).end(), two.begin());
    scene.domain.reduce(two, [](std::array<Grain, 2>& into, const std::array<Grain, 2>& other) {
      std::array<Grain, 4> four{into[0], into[1], other[0], other[1]};
      std::sort(four.begin(), four.end());
      into = {four[0], four[1]};
    });
    for (const Grain& g : two)
      if (std::isfinite(g.mass)) all.look(material, g);
  }
  return all;
}

std::vector<PairInContact> pairs_in_contact_of(const WorldSettings& settings, LightestGrains lightest,
                                               const ExpectedLoad& load, std::span<const GrainData> expected) {
  using Lightest = LightestGrains::Grain;
  const int kinds = settings.materials;
  for (const GrainData& g : expected) lightest.look(g.material, {g.mass, g.radius});
  std::vector<PairInContact> all;
  with_law(settings.laws, [&](auto laws) {
    const auto look = [&](int first, int second, bool wall, const Lightest& a, const Lightest& b) {
      const auto& law = laws[first * kinds + second];
      PairInContact p{.first = first, .second = second, .wall = wall};
      p.mass = wall ? a.mass : std::min(a.mass, b.mass);
      p.m_eff = wall ? a.mass : effective_of(a.mass, b.mass);
      p.radius = wall ? a.radius : std::min(a.radius, b.radius);
      ContactKinematics<Real> c{};
      c.n = {1, 0, 0}, c.m_eff = p.m_eff;
      c.r_eff = wall ? a.radius : effective_of(a.radius, b.radius);
      c.onset_speed = load.speed > 0 ? load.speed : 1;  // where it matters: as fastest_pair()
      const Real least = 1e-12 * p.radius, most = p.radius;
      const auto at = [&](Real overlap) {
        ContactKinematics<Real> deeper = c;
        deeper.overlap = overlap;
        return deeper;
      };
      p.overlap = least;
      if (const Real energy = 0.5 * p.m_eff * load.speed * load.speed; energy > 0)
        p.overlap = overlap_where(least, most, [&](Real d) { return law.elastic_energy(at(d), Vector{}) >= energy; });
      if (load.force > 0)
        p.overlap = std::max(
            p.overlap, overlap_where(least, most, [&](Real d) { return law.force(at(d), Vector{}).fn >= load.force; }));
      c.overlap = p.overlap;
      const RollingResistance* const rolling = settings.rolls() ? &settings.rolling[first * kinds + second] : nullptr;
      p.of = stiffness_of(law, c, rolling);
      if (p.overlap == least) {  // forces that begin smoothly have no stiffness there that means anything
        const ContactStiffness nearer = stiffness_of(law, at(1e-4 * least), rolling);
        const auto falls = [](Real a, Real b) { return !(b > 0.9 * a); };
        if (falls(p.of.stiffness.normal, nearer.stiffness.normal) && falls(p.of.damping.normal, nearer.damping.normal))
          return;
      }
      all.push_back(p);
    };
    const std::vector<int> of_walls = materials_of(settings.surfaces);
    for (int i = 0; i < kinds; ++i) {
      if (lightest.of(i).empty()) continue;
      const Lightest& a = lightest.of(i)[0];
      for (int j = i; j < kinds; ++j)
        if (const std::size_t k = i == j; lightest.of(j).size() > k) look(i, j, false, a, lightest.of(j)[k]);
      for (const int wall : of_walls) look(i, wall, true, a, {});
    }
  });
  return all;
}

PairRates fastest_pair_of(const WorldSettings& settings, LightestGrains lightest, Real smallest_radius,
                          std::span<const GrainData> expected) {
  const int kinds = settings.materials;
  Real smallest = smallest_radius > 0 ? smallest_radius : std::numeric_limits<Real>::infinity();
  for (const GrainData& g : expected)
    lightest.look(g.material, {g.mass, g.radius}), smallest = std::min(smallest, g.radius);
  PairRates most;
  with_law(settings.laws, [&](auto laws) {
    const auto look = [&](int i, int j, Real m_eff) {
      ContactKinematics<Real> c{};
      c.m_eff = m_eff, c.r_eff = smallest;
      c.onset_speed = 1;  // where it matters: the fastest impact to come is unknown
      most.frequency =
          std::max(most.frequency, std::sqrt(frequency_squared(settings, laws[i * kinds + j], i * kinds + j, c)));
      c.n = {1, 0, 0}, c.approach = 1, c.overlap = 1e-12 * smallest;
      most.damping = std::max(most.damping, laws[i * kinds + j].force(c, {}).power.dashpot / m_eff);
    };
    const std::vector<int> of_walls = materials_of(settings.surfaces);
    for (int i = 0; i < kinds; ++i) {
      if (lightest.of(i).empty()) continue;
      const Real a = lightest.of(i)[0].mass;
      for (int j = 0; j < kinds; ++j) {
        if (const std::size_t k = i == j; lightest.of(j).size() > k) {
          const Real b = lightest.of(j)[k].mass;
          look(i, j, a * b / (a + b));
        }
      }
      for (const int wall : of_walls) look(i, wall, a);
    }
  });
  return most;
}

}  // namespace cairn
