// Hard laws: contacts that exert no force but change velocities by impulses (hard/). Each declares its parameters as
// other laws do; World resolves them between kicks and drifts (world/hard_contacts.hpp). What they have in common is
// restitution and friction of a pair of materials.
#pragma once
#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "cairn/contact/law_words.hpp"
#include "cairn/contact/parameter.hpp"
#include "cairn/contact/settings.hpp"

namespace cairn {

// How the impulses of a step are found.
enum class HardMethod { sequential, simultaneous, dynamics };

// Of a pair of materials.
struct HardLaw {
  Real restitution = 0, friction = 0;  // [-] e, mu
  Real projection = 0;                 // [-] k_p
};

struct HardLaws {
  HardMethod method = HardMethod::sequential;
  std::vector<HardLaw> pairs;  // entry first * materials + second
};

// Words of HardMethod, in its order, as far as a user chooses among them.
inline constexpr std::string_view impulse_orders[] = {"sequential", "simultaneous"};

namespace parameter {

inline constexpr ContactParameter hard_restitution{
    .name = "restitution",
    .range = {0, 1, true, true},
    .required = true,
    .alternatives = "damping",
    .description = "normal relative speed after a collision divided by that before it"};
inline constexpr ContactParameter projection{
    .name = "projection",
    .range = {0, 1, true, true},
    .fallback = 0.2,
    .description = "factor k_p: the share of an overlap that is taken away at once by moving the two bodies apart"};
inline constexpr ContactParameter impulses{
    .name = "impulses",
    .choices = impulse_orders,
    .fallback = 0,
    .description =
        "\"sequential\": one collision after the other until no contact approaches; \"simultaneous\": all at "
        "once, each as if it were alone; the same for all pairs"};

}  // namespace parameter

struct ImpulseContact {
  static constexpr std::string_view name = "impulse";
  static constexpr std::string_view scheme = "impulse_leapfrog";  // where the scenario names none
  static constexpr std::string_view summary = "hard contacts: impulses by restitution and friction between steps";
  static constexpr std::string_view reference =
      "Newton's restitution on overlapping contacts that approach, with position projection (M. Kocic, A Pile of "
      "Particles, Umea University, 2012)";
  static constexpr LawWords words{
      .normal =
          "p_n = (1 + e) m_eff v_n where bodies overlap and approach at v_n: there is no force\n"
          "overlap left: each body moves k_p delta w_a/(w_a + w_b) along n, w = 1/m",
      .tangential = "p_t stops the slip at the contact point, |p_t| <= mu p_n",
      .inverse = "none: the restitution is given",
      .guidance =
          "Fast: the step follows from the motion alone, because no contact must be resolved. Best for gases "
          "and flows in which collisions are brief.",
      .limits =
          "Grains at rest jitter: each step they fall, collide and are lifted again, so the ledger loses energy at "
          "contacts and regains it by projection, which its residual shows. \"simultaneous\" gains energy "
          "where three grains overlap each other and e > 1/3, so tall piles explode.\n"
          "No elastic energy, no duration of contact, no rolling resistance."};
  static constexpr ContactParameter parameters[] = {parameter::hard_restitution, parameter::friction,
                                                    parameter::projection, parameter::impulses};
};

struct DynamicsContact {
  static constexpr std::string_view name = "dynamics";
  static constexpr std::string_view scheme = "moreau_theta";
  static constexpr std::string_view summary = "hard contacts: contact dynamics by projected Gauss-Seidel";
  static constexpr std::string_view reference =
      "Moreau, in Nonsmooth Mechanics and Applications (Springer, 1988) 1; Jean, Comput. Methods Appl. Mech. Eng. 177 "
      "(1999) 235";
  static constexpr LawWords words{
      .normal =
          "impulse p_n >= 0 and approach v_n' after the step: v_n' <= b, p_n = 0 where v_n' < b\n"
          "b = -e v_n for an impact, else the speed that just closes the gap in the step",
      .tangential = "|p_t| <= mu p_n, p_t against the slip v_t', or v_t' = 0",
      .inverse = "none: the restitution is given",
      .guidance =
          "Dense, slow and static packings of stiff grains, with steps far beyond what a spring allows. Forces "
          "at rest are in equilibrium, and nothing jitters.",
      .limits =
          "Coulomb's law is solved as it stands, so the problem is non-associated: forces of a hyperstatic packing "
          "are not unique, and depend on the first guess. One sweep over all contacts carries a load only a few "
          "grains far, so tall packings take many (the guard \"iteration\" tells).\n"
          "An approach slower than 2 a h ends without a rebound: a is g, and for contacts on which a loaded wall "
          "may press g + load/mass of that wall. No rolling resistance."};
  static constexpr ContactParameter parameters[] = {parameter::hard_restitution, parameter::friction,
                                                    parameter::projection};
};

using HardContactLaws = std::tuple<ImpulseContact, DynamicsContact>;

// Calls f(L{}) for each hard law.
template <class F>
void for_each_hard_law(F&& f) {
  std::apply([&](auto... law) { (f(law), ...); }, HardContactLaws{});
}

}  // namespace cairn
