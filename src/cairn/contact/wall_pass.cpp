#include "cairn/contact/pair.hpp"

namespace cairn {
namespace {

template <class Law>
void walls_of(const ContactPass& pass, const ContactTables& t, std::span<const Law> laws, int begin, int end,
              int first_row, ContactSums& sums) {
  const State& y = *pass.y;
  const Particles& grains = *t.grains;
  for (int k = begin; k < end; ++k) {
    const int i = t.walls[k].grain, slot = static_cast<int>(t.pairs.size()) + k;
    Real* row = t.rows + static_cast<std::size_t>(first_row + k - begin) * row_length;
    const Surface& surface = t.surfaces[t.walls[k].surface];
    const Law& law = laws[grains.material[i] * t.materials + surface.material];
    const Phase was = t.phases[slot];
    const auto meeting = [&](const Motions<Real>& a, Real time) {
      Meeting<Real> m = touch_of(a, surface, pose_at(surface, time), grains.radius[i], grains.inverse_mass[i]);
      m.touch.sustained = t.sustains && was == Phase::pressing;
      return m;
    };
    Motions<Real> now = motions(y, i, 0);
    if (pass.predict != 0) {
      now.v = now.v + pass.predict * pass.held->body.at(row_v, i);
      now.w = now.w + pass.predict * pass.held->body.at(row_w, i);
    }
    const Meeting<Real> m = meeting(now, y.time);
    if (t.sustains && was == Phase::open) {
      std::fill_n(row, row_length, 0.0);
      if (pass.rate) pass.rate->bond.set(0, slot, {});
      if (t.turned && m.touch.overlap > 0) t.turned->push_back(slot);
      continue;
    }
    Vector xi = y.bond.at(0, slot);
    if (pass.drift != 0)
      with_spring_method(pass.along, [&]<Along along> {
        const auto touch_at = [&](int at, int) {
          const Real lag = spring_method(along).lags[at] * pass.drift;
          return meeting(motions(y, i, lag), y.time + (-lag)).touch;
        };
        Touch<Real> touch;
        Vector rate, end;
        springs_along_drift<along>(law, pass.drift, 1, &xi, touch_at, &touch, &rate, &end);
      });
    Outcome<Real> o;
    answer<true>(law, pass, xi, m, o);
    if (t.turned && phase_of(m.touch.overlap > 0, o.presses, t.sustains) != was) t.turned->push_back(slot);
    std::copy_n(o.row, row_length, row);
    if (pass.springs) pass.springs->bond.set(0, slot, o.xi);
    if (pass.rate) pass.rate->bond.set(0, slot, o.xi_rate);
    add(sums.power, o.power);
    const Real brought = dot(Vector{row[0], row[1], row[2]}, m.wall_velocity);
    sums.power[external] += brought;
    sums.slip_cut += o.slip_cut, sums.released += o.released;
    if (const Real depth = m.touch.overlap / grains.radius[i]; depth > sums.deepest)
      sums.deepest = depth, sums.deepest_contact = slot;
  }
}

}  // namespace

void wall_pass(const ContactPass& pass, const ContactTables& tables, const LawTable& laws, int begin, int end,
               int first_row, ContactSums& sums) {
  std::visit([&](const auto& table) { walls_of(pass, tables, std::span(table), begin, end, first_row, sums); }, laws);
}

// Of the slots given, or all (pair_pass.cpp).
using Entry = void(const ContactPass&, const ContactTables&, const LawTable&, const int* slots, int begin, int end,
                   int first_row, ContactSums&);
Entry pair_pass_baseline, pair_pass_avx2, pair_pass_avx512;

void pair_pass(const ContactPass& pass, const ContactTables& tables, const LawTable& laws, int begin, int end,
               int first_row, [[maybe_unused]] Simd simd, ContactSums& sums) {
  Entry* const entry = CAIRN_CHOOSE(pair_pass, simd);
  entry(pass, tables, laws, nullptr, begin, end, first_row, sums);
}

void pair_pass(const ContactPass& pass, const ContactTables& tables, const LawTable& laws, std::span<const int> slots,
               int first_row, [[maybe_unused]] Simd simd, ContactSums& sums) {
  Entry* const entry = CAIRN_CHOOSE(pair_pass, simd);
  entry(pass, tables, laws, slots.data(), 0, static_cast<int>(slots.size()), first_row, sums);
}

}  // namespace cairn
