// World: grains, contacts, walls and gravity as a System. It holds the state, the neighbour list that says which
// contacts may exist, and the books; schemes move it by verbs (integrate/system.hpp).
//
// Not thread-safe from outside; its own loops use `threads`. Results do not depend on `threads`.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/index_set.hpp"
#include "cairn/integrate/system.hpp"
#include "cairn/search/neighbour_list.hpp"
#include "cairn/world/contact_rates.hpp"
#include "cairn/world/grain_pass.hpp"
#include "cairn/world/sweep.hpp"

namespace cairn {

struct GrainData {
  Vector position{}, velocity{}, spin{};  // [m] [m/s] [rad/s]
  Real radius = 0;                        // [m]
  Real mass = 0;                          // [kg]
  int material = 0;
};

struct WorldSettings {
  LawTable laws;                           // for each pair of materials
  std::vector<RollingResistance> rolling;  // the same; empty: none, and springs have no rows for it
  int materials = 1;
  Vector gravity{0, 0, -9.81};  // [m/s^2]
  PeriodicCell cell;
  std::vector<Surface> surfaces;
  std::vector<std::string> walls;  // names
  Real skin = 0;                   // [m]; 0: a fifth of the smallest radius there is
  Real reach = 0;                  // [m] of the list's slots, at most the skin; 0: follows from skin and speeds
  bool rotation = true;            // false: grains never spin
  // Whether beginning and end of contacts are corrected (docs/onset.md). For schemes of fixed step: an adaptive one
  // would not see a contact begin, and step over it. Stays off unless all laws begin abruptly. The step times
  // fastest_pair().damping is to be below 1: a dashpot faster than a step is not resolved, and must not be taken back.
  bool onset = false;
  int threads = 1;
  Simd simd = widest_simd();  // results do not depend on it
};

// Energies of the present state [J].
struct Energies {
  Real kinetic = 0, rotational = 0, gravitational = 0, elastic = 0;
  // Parts of `elastic` in springs that do not store (contact/coulomb.hpp): State::ledger counts the whole work done on
  // them, as slip or rolling.
  Real slip_held = 0, rolling_held = 0;
  Real mechanical() const { return kinetic + rotational + gravitational + elastic; }
};

struct Momenta {
  Vector linear{}, angular{}, barycentre{};  // [kg m/s], [kg m^2/s] about the origin, [m]
};

struct WallLoad {
  Vector force{}, torque{};  // [N] [N m] of the grains on the wall, torque about the origin
};

// One closed contact.
struct ContactView {
  std::int64_t first = 0, second = 0;  // ids of the grains; second: -1 - wall for a wall
  Vector from{}, to{};                 // [m] centre of the first; centre of the second (its nearest image), or the
                                       // contact point on the wall
  Vector normal{}, tangential{};       // [N] force on the first grain
  Vector spring{};                     // [m] tangential
  Real overlap = 0;                    // [m]
  Vector torque{};                     // [N m] of rolling and twisting resistance on the first grain
  Real approach = 0;                   // [m/s] d overlap/dt
  int surface = -1;                    // of settings().surfaces, at a wall
};

// What the guards look at; gathered by the passes of a step at no cost of their own.
struct GuardStatistics {
  Real deepest = 0;                                 // [-] largest overlap over the smaller radius, since reset
  std::array<std::int64_t, 2> deepest_ids{-1, -1};  // second: -1 - wall for a wall
  std::int64_t not_finite = -1;                     // id of a grain whose motion is not finite; -1: none
};

struct PairRates {
  Real frequency = 0;  // [rad/s]
  Real damping = 0;    // [1/s] of the approach by the dashpot, gamma / m_eff
};

// Contacts that began and ended during steps; neither those of insertion and removal count, nor those that do both
// within one step. `shortest` [steps] is of those that ended, from the step that found them to the one that found them
// gone; 0: none.
struct ContactCount {
  std::int64_t begun = 0, ended = 0, shortest = 0;
};

class World {
 public:
  explicit World(WorldSettings settings);

  // Adds grains between steps, all or, with Error(Exit::bad_input), none; ids follow in order. Once the run has begun,
  // the energy they bring is booked as external work, and so the residual stays what it was. `velocity_lag` [s]: how
  // far velocities are behind positions in a staggered scheme; those given are at the time of the positions.
  void insert(std::span<const GrainData> grains, Real velocity_lag = 0);
  // Takes the grains of these ids away between steps, with their contacts; the others keep their ids, springs and
  // memories. The energy that goes with them, that of their contacts included, is booked as external work.
  void remove(std::span<const std::int64_t> ids, Real velocity_lag = 0);
  // Finds the forces of the present state and opens the ledger: E_0 is the energy now. To be called before the first
  // step, and again after the state was changed by hand. `springs`: whether their rates are kept too, for the first
  // step of schemes of algebra verbs; others do without, and without the memory.
  void begin(bool springs = true);

  // The System (integrate/system.hpp).
  State& state() { return state_; }
  State& current_rate() { return current_rate_; }
  State& scratch(int i) {
    scratch_used_ = steps_;
    return numbered(scratch_, i);
  }
  int memories() const { return static_cast<int>(memory_.size()); }
  State& memory(int i) { return *memory_[i]; }
  State& add_memory(Memory kind);
  void remember(State& rate, int depth);
  std::int64_t steps() const { return steps_; }
  Real last_step() const { return clock_step_; }
  Controller& controller() { return controller_; }
  void rates(State& y, State& k);
  void series(State& y, int order, std::span<State* const> k, Real h);
  void combine(State& out, const State& y, std::span<const Term> terms, unsigned parts);
  Real error(const State& a, const State& b, Real tolerance) const;
  Real inner_product(const State& a, const State& b, unsigned parts = StatePart::velocities);
  void linearise(std::span<State* const> stages);
  void tangent(int stage, State& d, State& k, Real over = 0);
  // (1 - Df) out = right, as Newton's method has it (integrate/newton.hpp), directly; false where there are too many
  // unknowns, or no solution.
  bool solve(std::span<const Real> rates, std::span<const Real> speeds, std::span<State* const> right,
             std::span<State* const> out);
  std::string worst(int stage, const State& residual) const;
  void kick(Real h) { kick_drift(h, 0); }
  void drift(Real h) { kick_drift(0, h); }
  void kick_drift(Real kick_h, Real drift_h);
  void spring_quadrature(SpringQuadrature quadrature) { quadrature_ = quadrature; }
  void force(Real predict, StageKind kind, Real kick = 0);
  void commit(Real h, Real seen = 0.5, Real lag = 0);

  // Observing; between steps.
  const State& state() const { return state_; }
  const Particles& grains() const { return grains_; }
  const NeighbourList& list() const { return list_; }
  const WorldSettings& settings() const { return settings_; }
  int size() const { return grains_.size(); }
  Real time() const { return state_.time; }
  Vector position(int i) const;                                           // [m] periods travelled included
  Vector velocity(int i) const { return state_.body.at(BodyRow::v, i); }  // [m/s]
  Vector spin(int i) const { return state_.body.at(BodyRow::w, i); }      // [rad/s]
  Energies energies() const;
  Real initial_energy() const { return initial_energy_; }  // [J] E_0
  // [J] gravitational energy of the grains that have come since begin() less that of those that have gone, where each
  // then was: the part of the external work that depends on the origin.
  Real gravitational_inflow() const { return gravitational_inflow_; }
  // [J] the ledger: where energy went, what springs hold now not included; `now`: energies(), where they are known.
  LedgerChannels energy_ledger(const Energies& now) const;
  LedgerChannels energy_ledger() const { return energy_ledger(energies()); }
  // [J] numerical energy error: E + what left - E_0 - what came.
  Real residual(const Energies& now) const;
  Real residual() const { return residual(energies()); }
  Momenta momenta() const;
  int contacts() const;                   // closed
  std::vector<int> coordination() const;  // closed contacts of each grain, walls included
  std::vector<WallLoad> wall_loads() const;
  std::vector<ContactView> closed_contacts() const;  // ordered by ids, then surfaces
  std::uint64_t hash() const;  // of bodies and springs by id; equal on any threads, compilers, restarts
  // Closed contacts with their stiffness and damping: of one grain, in the order of its list, and all, by their first
  // grains' ids.
  void live_contacts_of(int grain, std::vector<LiveContact>& to) const;
  std::vector<LiveContact> live_contacts() const;
  // Of two grains, or a grain and a wall, at first touch, the largest of any pair of materials; 0 where there is none.
  // `expected` are grains that will come later.
  PairRates fastest_pair(std::span<const GrainData> expected = {}) const;
  // The lightest of each pair of materials under this load; without one, at first touch.
  std::vector<PairInContact> pairs_in_contact(const ExpectedLoad& load = {},
                                              std::span<const GrainData> expected = {}) const;
  GuardStatistics& guard_statistics() { return guard_statistics_; }
  const ContactCount& contact_count() const { return contact_count_; }
  std::int64_t force_passes() const { return force_passes_; }
  std::int64_t rebuilds() const { return rebuilds_; }
  std::int64_t refreshes() const { return refreshes_; }
  void set_threads(int threads) { settings_.threads = threads; }
  void set_onset(bool on);  // before begin()

  // Forces a new neighbour list; results do not depend on it (a test).
  void rebuild() { rebuild(std::span<const std::int64_t>{}), carried_ = std::vector<int>(); }
  void refresh();  // the same of its slots alone

  // Velocities at the positions' time for schemes that stagger them: for the life of this object the state is
  // kicked by half a step of h.
  class Synchronised {
   public:
    Synchronised(World& world, Real kick_h);
    ~Synchronised();
    Synchronised(const Synchronised&) = delete;
    Synchronised& operator=(const Synchronised&) = delete;

   private:
    World* world_;
    State before_;
  };

  // Visits everything a restart needs, in a fixed order: archive.value(name, T&), archive.vector(name, vector&),
  // archive.slab(name, Slab&), archive.text(name, string&). One list serves saving and loading.
  template <class Archive>
  void for_each_saved(Archive&& archive);
  void restored() {  // after loading: finds what is not saved
    list_.restored(grains_, settings_.threads);
    sweep_known_ = false, spring_rates_ = current_rate_.bond.size() == list_.slots();
    reset_skips();
  }

 private:
  friend class Synchronised;
  static constexpr int grain_block = 512;

  static State& numbered(std::vector<std::unique_ptr<State>>& states, int i);
  bool rolls() const { return !settings_.rolling.empty(); }
  int spring_rows() const { return rolls() ? BondRow::rolling_count : BondRow::count; }
  int row_stride() const { return rolls() ? row_length_rolling : row_length; }
  // Of state.bond, in all their rows.
  void forget_springs(State& y, int slot) const;
  bool stretched(const State& y, int slot) const;
  template <class F>
  void for_each_state(F&& f);
  void fit(State& k) const { k.resize(size(), list_.slots(), spring_rows()); }

  void ensure_list(State& y, Real travel);
  Real list_skin() const { return settings_.skin > 0 ? settings_.skin : 0.2 * smallest_radius_; }
  struct SpeedBounds {
    Vector common{};   // [m/s] of grains
    Real fastest = 0;  // [m/s] of a grain, less what is common
    Real closing = 0;  // [m/s] bound for two grains, or a grain and a surface
  };
  SpeedBounds speed_bounds(const State& y) const;
  Real list_reach(const SpeedBounds& speeds) const;
  void rebuild(State& y, Real skin, const SpeedBounds& speeds, Real reach, std::span<const std::int64_t> gone = {});
  void rebuild(std::span<const std::int64_t> gone);
  void refresh(State& y, const SpeedBounds& speeds, Real reach, Real travel);
  void forget_scratch();
  void forget_order();
  void carry(int old_slots, const State& y, const SpeedBounds& speeds);
  bool lives(int slot) const;
  void reset_skips() {
    skip_until_.assign(phases_.size(), -1);
    path_bound_ = 0;
  }
  Real travel_of(const State& y);
  template <class Before>
  Real travel_of(const State& y, Before&& before);
  Real cached_displacement(const State& y);
  bool ours(const State& y) const;
  Real apart(const State& y, const Vector& common) const;
  Real surface_travel(Real time) const;
  void find_rates(State& y, State& k, bool springs);
  void pass(const ContactPass& pass, State* rate, Real kick = 0);
  GrainScan record_scan();
  void record(const ContactSums& sums);
  std::vector<std::int64_t> with_touching(std::span<const std::int64_t> ids) const;
  struct LedgerSnapshot {  // of the state before something jumps
    Real residual;         // [J]
    LedgerChannels power;  // [W]
  };
  LedgerSnapshot ledger_snapshot(Real velocity_lag);
  Real gravitational(int i) const { return -grains_.mass[i] * dot(settings_.gravity, position(i)); }
  void record_jump(const LedgerSnapshot& before, std::span<const std::int64_t> touched, Real velocity_lag,
                   std::span<const std::int64_t> come = {});
  Real residual_at(Real velocity_lag);
  void finish_springs();
  void record_beyond();
  void forget_open_contacts();
  void wrap_and_check();
  // world/onset.cpp
  void process_events(Real h, Real lag);
  std::vector<int> corrected_of(std::span<const int> changed_phase) const;
  // Whether it is, should its phase change: one that is clipped has no force that runs on.
  bool corrects(int slot) const { return phases_[slot] != Phase::clipped; }
  Real correct(std::span<const int> slots, Real h, Real lag);
  std::vector<Real> remembered(Real h) const;
  Real left_in_rolling(int slot) const;
  ContactSums ask_again(std::span<const int> slots, bool final);
  void renew_forces(std::span<const int> slots, std::span<const int> closed);
  Phase phase_now(int slot) const;
  bool sees_onset_speeds() const;
  void record_onset_speed(int slot);
  void find_phases(bool all);
  void update_phases(std::span<const int> slots);
  int step_number() const { return static_cast<int>(steps_ & 0x7fffffff); }
  std::array<int, 2> bodies(int slot) const;
  std::array<std::int64_t, 2> ids_of(int slot) const;
  ContactTables tables(Real drift);
  int law_of(int slot) const;
  // What rolling adds to a contact that each_contact shows and whose law has answered.
  Real rolling_energy(int slot, const ContactGeometry<Real>& m, const NormalLoad<Real>& normal_load) const;  // [J]
  Vector rolling_torque(int slot, const ContactGeometry<Real>& m,
                        const NormalLoad<Real>& normal_load) const;  // [N m] on the first
  template <class Law>
  Real frequency_squared(const Law& law, int pair, const ContactKinematics<Real>& c) const;
  template <int D>
  void series_pass(State& y, std::span<State* const> k, Real h, Real share, std::span<char> straight);
  template <class T>
  bool acts(int slot, ContactKinematics<T>& touch) const;
  bool may_touch(const State& y, int slot) const;
  template <class F>
  void with_law(F&& f) const;
  // f(slot, i, j, law, meeting) for the contacts of slots [begin, end), j = -1 at walls; with T = Jet as series.
  template <class T, class MotionOf, class F>
  void each_contact(const T& time, MotionOf&& motion_of, F&& f, int begin, int end) const;
  template <class F>
  void each_contact_now(F&& f, int begin, int end) const;

  WorldSettings settings_;
  Particles grains_;
  State state_, current_rate_;
  std::vector<std::unique_ptr<State>> scratch_, memory_;
  std::vector<Memory> memory_kinds_;
  NeighbourList list_;
  Controller controller_;
  SpringQuadrature quadrature_ = SpringQuadrature::midpoint;

  Real initial_energy_ = 0, gravitational_inflow_ = 0;
  bool begun_ = false;
  std::int64_t steps_ = 0, next_id_ = 0, scratch_used_ = 0;
  Real clock_start_ = 0, clock_step_ = 0;  // time = clock_start + clock_count clock_step
  std::int64_t clock_count_ = 0;

  Real owed_ = 0;                  // [s] drift the springs have not yet followed
  bool closed_ = false;            // the last force pass closed the step
  bool present_ = false;           // current_rate_ is the rate of state_, that of springs included if `spring_rates_`
  bool spring_rates_ = true;       // current_rate_ has room for them; kicks and drifts need accelerations alone
  LedgerChannels power_after_{};   // [W] of the step's last force, springs returned to the Coulomb limit
  LedgerChannels power_beyond_{};  // [W] what that of springs beyond it was more, before they returned
  Real travel_ = 0;                // [m] bound on grains' distance from where the list's slots were chosen
  struct CachedDisplacement {
    const State* at = nullptr;  // what the last combine wrote, if nothing else has been done since
    Real travel = 0;            // [m] as travel_of
  } cached_displacement_;
  std::vector<Real> farthest_;
  Real extent_ = 0;  // [m] farthest reach of a grain from the origin when the list was built, for turning walls
  Real smallest_radius_ = 0;
  bool scanned_ = false, outside_ = false;

  Real fastest2_ = 0;                   // [m^2/s^2] of the present drift: greatest speed beside the common, squared
  Sweep sweep_;                         // of the list
  bool sweep_known_ = false;            // it is that of the present list,
  int sweep_threads_ = 0;               // for so many threads
  AlignedReals rows_;                   // of contacts (contact/kernels/pair.hpp), of a sweep;
  std::vector<char> needs_correction_;  // whether a grain has contacts to be corrected,
  struct MovedRows {
    std::vector<int> slots;
    std::vector<Real> rows;
  };
  std::vector<MovedRows> moved_rows_;  // and the rows of all its closed contacts; per block
  std::vector<Real> asked_rows_;       // of contacts asked again (onset.cpp)
  std::vector<int> jump_at_;           // of slots; -1 outside of renew_forces()
  std::vector<int> next_wave_;         // of grains; 0 outside of correct()
  IndexSet ascending_;                 // empty between uses
  std::vector<Phase> phases_;          // of slots, as the last step left them
  std::vector<float> skip_until_;      // [m] of slots, and
  Real path_bound_ = 0;                // [m] as ContactTables has them
  std::vector<int> since_;             // [steps] number of the step in which each slot's contact began, modulo 2^31
  std::vector<Real> onset_speeds_;     // [m/s] of slots, as ContactKinematics has them; empty if no law sees them
  std::vector<std::vector<int>>
      changed_phase_;  // per block of the last pass over the state: slots whose phase would change
  ContactCount contact_count_;
  ContactSums sums_;
  std::vector<ContactSums> block_sums_;
  std::vector<GrainScan> block_scans_;
  std::vector<int> carried_;    // by a renewal of the list, until all has followed it: the old slot of each; -1: none
  std::vector<int> by_id_;      // empty: to be found anew
  std::vector<State*> linear_;  // where linearise() stands, and
  std::vector<Real> spring_weight_;  // [N/m] tangential stiffness of each slot there, for the inner product
  GuardStatistics guard_statistics_;
  std::int64_t force_passes_ = 0, rebuilds_ = 0, refreshes_ = 0;
};

template <class Archive>
void World::for_each_saved(Archive&& a) {
  grains_.for_each_field([&](const char* name, auto& field) { a.vector(std::string("grains.") + name, field); });
  const auto save_state = [&](const std::string& name, State& y) {
    a.slab(name + ".body", y.body);
    a.slab(name + ".bond", y.bond);
    a.value(name + ".books", y.ledger);
    a.value(name + ".time", y.time);
  };
  save_state("state", state_);
  save_state("held", current_rate_);
  std::int64_t memories = static_cast<std::int64_t>(memory_.size());
  a.value("memories", memories);
  while (this->memories() < memories) add_memory(Memory::past);
  for (int i = 0; i < memories; ++i) save_state("memory" + std::to_string(i), memory(i));
  a.vector("memory_kinds", memory_kinds_);
  list_.for_each_saved(a);
  a.vector("phases", phases_);
  a.vector("since", since_);
  a.vector("onset_speeds", onset_speeds_);
  a.value("contact_count", contact_count_);
  a.value("onset", settings_.onset);
  a.value("controller", controller_);
  a.value("initial_energy", initial_energy_);
  a.value("gravitational_inflow", gravitational_inflow_);
  a.value("begun", begun_);
  a.value("steps", steps_);
  a.value("next_id", next_id_);
  a.value("clock_start", clock_start_);
  a.value("clock_step", clock_step_);
  a.value("clock_count", clock_count_);
  a.value("present", present_);
  a.value("travel", travel_);
  a.value("smallest_radius", smallest_radius_);
  a.value("extent", extent_);
  a.value("watch", guard_statistics_);
  a.value("force_passes", force_passes_);
  a.value("rebuilds", rebuilds_);
  a.value("refreshes", refreshes_);
}

}  // namespace cairn
