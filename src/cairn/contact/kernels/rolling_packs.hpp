// Rolling resistance of contacts in packs, behind the law that says how hard they press. For the passes over
// contacts; compiled once per instruction set.
#pragma once
#include "cairn/contact/kernels/packs.hpp"

namespace cairn {
inline namespace CAIRN_SIMD {

// Sums of what rolling does.
class RollingTally {
 public:
  explicit RollingTally(PartialSums& to)
      : powers_({&to.power[Channel::rolling], &to.rolling_cut, &to.power[Channel::external]}),
        released_({&to.rolling_released}) {}

  void add(const Pack& pack, const RollingResponse<Lanes>& r) {
    const auto valid = [which = mask_of(pack.valid)](const Lanes& a) { return select(which, a, Lanes(0.0)); };
    const Lanes power = valid(r.power), cut = valid(r.cut), released = valid(r.released);
    powers_.make_room(larger(abs(power), abs(cut))), released_.make_room(abs(released));
    powers_.add(0, power), powers_.add(1, cut), released_.add(0, released);
  }
  void add_brought(const Pack& pack, const Lanes& power) {  // [W] by walls
    const Lanes brought = select(mask_of(pack.valid), power, Lanes(0.0));
    powers_.make_room(abs(brought)), powers_.add(2, brought);
  }
  void hand_over() const { powers_.hand_over(), released_.hand_over(); }

 private:
  LaneSums<3> powers_;
  LaneSums<1> released_;
};

struct RollingBuffers {
  NormalLoad<Lanes> then[most_spring_stages][batch_packs];  // what the law answers along the drift, stage by stage,
  NormalLoad<Lanes> now[batch_packs];                       // and in the end
  Lanes lever[batch_packs];                                 // [m]
  Vec3<Lanes> on_the_way[batch_packs];                      // [m/s] lever times spin, on the way of the drift,
  Vec3<Lanes> asked[batch_packs];                           // and where the pass asks
  Vec3<Lanes> chi[batch_packs], rate[batch_packs], end[batch_packs];
  Vec3<Lanes> torque[batch_packs];  // [N m] answered
  ContactKinematics<Lanes> kinematics[batch_packs];

  static RollingBuffers& of_thread() {
    static thread_local RollingBuffers buffers;
    return buffers;
  }

  // The bodies of pack p: the spin of the first against the second.
  void load_bodies(int p, const PackSlots& slots, const ContactPass& pass, const Lanes& with_lever,
                   const Vec3<Lanes>& spin) {
    lever[p] = with_lever;
    on_the_way[p] = asked[p] = with_lever * spin;
    chi[p] = SlabRows<3>(pass.y->bond, BondRow::chi).of(slots, 0);
  }
  void spins(int p, const Vec3<Lanes>& spin) { asked[p] = lever[p] * spin; }

  // Writes springs, their rates and the second rows of the packs. kinematics_then(k, p) is a contact at the k-th lag,
  // at_end[p] the present one.
  template <class KinematicsThen>
  void evaluate(const RollingResistance& with, const ContactPass& pass, const ContactTables& t, int packs,
                const Pack* pack, KinematicsThen&& kinematics_then, const ContactKinematics<Lanes>* at_end,
                RollingTally& tally) {
    const SpringRows springs(pass.springs, BondRow::chi), rates(pass.rate, BondRow::chi);
    if (pass.drift != 0) {
      const auto rate_of = [&](int s, int p, const ContactKinematics<Lanes>& c, const Vec3<Lanes>& spring) {
        return with.response(c, on_the_way[p], spring, then[s][p]).rate;
      };
      springs_along_drift(pass.quadrature, pass.drift, packs, chi, kinematics_then, rate_of, kinematics, rate, end);
    }
    for (int p = 0; p < packs; ++p) {
      RollingResponse<Lanes> r = with.response(at_end[p], asked[p], chi[p], now[p]);
      if (!pass.close) r.cut = r.power, r.released = 0.0;
      if (pass.close && any(r.beyond)) {
        chi[p] = select(r.beyond, r.returned, chi[p]);
        if (pass.rate) r.rate = with.response(at_end[p], asked[p], chi[p], now[p]).rate;
      }
      springs.put(pack[p].slots, chi[p]);
      rates.put(pack[p].slots, r.rate);
      torque[p] = lever[p] * r.torque;
      Lanes row[row_length]{};
      row[4] = torque[p].x, row[5] = torque[p].y, row[6] = torque[p].z;
      pack[p].put_rows(row, t.rows + row_length);
      tally.add(pack[p], r);
    }
  }
};

}  // namespace CAIRN_SIMD
}  // namespace cairn
