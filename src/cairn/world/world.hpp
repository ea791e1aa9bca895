// World: grains, contacts, walls and gravity as a System (integrate/system.hpp). It is the verbs by which schemes move
// the state, over parts that can be used alone: Bodies, States, ContactList, ContactForces, ContactEvents, Ledger and
// Linearisation.
//
// Not thread-safe from outside; its own loops use `threads`. Results do not depend on `threads`.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/integrate/system.hpp"
#include "cairn/world/bodies.hpp"
#include "cairn/world/contact_events.hpp"
#include "cairn/world/contact_forces.hpp"
#include "cairn/world/contact_list.hpp"
#include "cairn/world/contact_rates.hpp"
#include "cairn/world/grain_records.hpp"
#include "cairn/world/grain_stress.hpp"
#include "cairn/world/hard_contacts.hpp"
#include "cairn/world/ledger.hpp"
#include "cairn/world/linearisation.hpp"
#include "cairn/world/observe.hpp"
#include "cairn/world/states.hpp"

namespace cairn {

// The phases of a step. Verbs change them, World::enter() checks the change, and commit() does what each still needs.
enum class StepPhase {
  settled,   // between steps: everything belongs to the same instant
  combined,  // algebra verbs wrote the present state; its forces are not known
  moving,    // motion verbs moved it; its springs may owe a drift
  closed     // the last force of the step returned springs to their Coulomb limits
};

// Quantities that guards look at; the passes of a step find them at no cost of their own.
struct GuardStatistics {
  Real deepest = 0;                                 // [-] largest overlap over the smaller radius, since reset
  std::array<std::int64_t, 2> deepest_ids{-1, -1};  // second: -1 - wall for a wall
  std::int64_t not_finite = -1;                     // id of a grain whose motion is not finite; -1: none
};

class World {
 public:
  explicit World(WorldSettings settings);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  // Adds grains between steps, all or, with Error(Exit::bad_input), none; ids follow in order. Once the run has begun,
  // the energy they bring is external work in the ledger, so the residual does not change. `velocity_lag` [s]: how far
  // velocities are behind positions in a staggered scheme; the given ones are at the time of the positions.
  void insert(std::span<const GrainData> grains, Real velocity_lag = 0);
  // Removes the grains of these ids between steps, with their contacts; the others keep their ids, springs and
  // memories. Their energy, with that of their contacts, is external work in the ledger.
  void remove(std::span<const std::int64_t> ids, Real velocity_lag = 0);
  // Changes laws, rolling resistance, gravity, walls, onset or rotation rates between steps of a run that has begun;
  // Error(bad_input) where the law itself, materials, cell or the number of surfaces, loaded walls or spring rows would
  // change. Contacts keep their springs. The energy that contacts and bodies have more by it is external work in the
  // ledger, so the residual does not change. The scheme starts anew: its memories are gone. Velocities are `lag_before`
  // [s] behind positions so far, and `lag_after` from now on (staggered schemes).
  void change_settings(WorldSettings settings, Real lag_before = 0, Real lag_after = 0);
  // After loading, before restored(): the settings that a run had when it was saved.
  void restore_settings(WorldSettings settings);
  enum class Past { forgotten, kept };
  // Finds the forces of the present state and opens the ledger: E_0 is the energy now. Call it before the first step,
  // and again after a change of the state by hand: schemes then start anew. `springs`: whether the rates of positions
  // and springs are kept too, for the first step of schemes of algebra verbs; others do without, and without the
  // memory. Past::kept: schemes go on from the past, which a shift has not made another.
  void begin(bool springs = true, Past past = Past::forgotten);

  // The System (integrate/system.hpp).
  State& state() { return states_.present; }
  State& current_rate() { return states_.current_rate; }
  Scratch::Borrowed borrow(int count) { return states_.scratch.borrow(count); }
  int memories() const { return states_.memories(); }
  State& memory(int i) { return states_.memory(i); }
  State& add_memory(Memory kind) { return states_.add_memory(kind); }
  void remember(State& rate, int depth) { states_.remember(rate, depth); }
  std::int64_t steps() const { return steps_; }
  Real last_step() const { return clock_.step; }
  bool mid_step() const { return step_drifts_ > 0 || step_forces_ > 0; }  // between steps: an error ended the last one
  Controller& controller() { return controller_; }
  const Controller& controller() const { return controller_; }
  void rates(State& y, State& k);
  void series(State& y, int order, std::span<State* const> k, Real h);
  void combine(State& out, const State& y, std::span<const Term> terms, unsigned parts);
  Real error(const State& a, const State& b, Real tolerance) const;
  Real inner_product(const State& a, const State& b, unsigned parts = StatePart::velocities) {
    return linearisation_.inner_product(a, b, parts, scene());
  }
  void linearise(std::span<State* const> stages);
  void tangent(int stage, State& d, State& k, Real over = 0);
  bool solve(std::span<const Real> rates, std::span<const Real> speeds, std::span<State* const> right,
             std::span<State* const> out) {
    return linearisation_.solve(rates, speeds, right, out, scene(), bodies_.by_id());
  }
  std::string worst(int stage, const State& residual) const { return linearisation_.worst(stage, residual, scene()); }
  void kick(Real h) { kick_drift(h, 0); }
  void drift(Real h) { kick_drift(0, h); }
  void kick_drift(Real kick_h, Real drift_h, Real predict_h = 0, std::optional<Real> extrapolation = {});
  void spring_quadrature(SpringQuadrature quadrature) { quadrature_ = quadrature; }
  void force(Real predict, StageKind kind, Real kick = 0);
  void begin_contacts(Real h, Real behind, const StepEnd& end);
  void commit(Real h, const StepEnd& end = {});
  // Of hard contacts, as ImpulseSystem has it (integrate/schemes/hard.hpp).
  void impulses(Real h, Real kicked);

  // Observing; between steps.
  ContactScene scene() const { return {settings_, bodies_.grains(), list_.neighbours(), list_.slots(), domain_}; }
  const State& state() const { return states_.present; }
  const Particles& grains() const { return bodies_.grains(); }
  const NeighbourList& list() const { return list_.neighbours(); }
  const WorldSettings& settings() const { return settings_; }
  int size() const { return bodies_.size(); }
  Real time() const { return state().time; }
  Vector position(int i) const { return scene().position(state(), i); }    // [m] periods travelled included
  Vector velocity(int i) const { return state().body.at(BodyRow::v, i); }  // [m/s]
  Pose<Real> pose(const Surface& s) const { return pose_of(s, state()); }  // where a surface is, and how it moves
  Vector spin(int i) const { return state().body.at(BodyRow::w, i); }      // [rad/s]
  // [J] and so on: sums of all grains and contacts, made by all ranks that share the run.
  Energies energies() const { return domain_.ask(Question::energies), energies_of(scene(), state()); }
  Momenta momenta() const { return domain_.ask(Question::momenta), momenta_of(scene(), state()); }
  Moments moments(int dimension) const {
    return domain_.ask(Question::moments, dimension), moments_of(scene(), state(), dimension);
  }
  std::vector<WallLoad> wall_loads() const {
    return domain_.ask(Question::wall_loads), wall_loads_of(scene(), state());
  }
  Extent extent() const { return domain_.ask(Question::extent), extent_of(scene(), state()); }
  Real initial_energy() const { return ledger_.initial_energy(); }  // [J] E_0
  // [J] gravitational energy of the grains inserted since begin() less that of those removed, where each then was: the
  // part of the external work that depends on the origin.
  Real gravitational_inflow() const { return ledger_.gravitational_inflow(); }
  // [J] where energy went, without what springs hold now; `now`: energies(), where they are known.
  LedgerChannels energy_ledger(const Energies& now) const { return Ledger::channels(state(), now); }
  LedgerChannels energy_ledger() const { return energy_ledger(energies()); }
  // [J] numerical energy error: E + what left - E_0 - what came.
  Real residual(const Energies& now) const { return ledger_.residual(state(), now); }
  Real residual() const { return residual(energies()); }
  ClosedContacts closed() const { return domain_.ask(Question::closed), closed_of(scene(), state()); }
  int contacts() const { return closed().count; }
  std::vector<int> coordination() const { return coordination_of(scene(), state()); }                // walls included
  std::vector<ContactView> closed_contacts() const { return closed_contacts_of(scene(), state()); }  // ordered by ids
  // The hash of bodies and springs by id; equal on any threads, compilers, restarts.
  std::uint64_t hash() const;
  void each_shown(const std::function<void(const ShownGrain&)>& take) const;  // by ascending id
  // Each rank sets the fields of its own grains. Records show them until the next call.
  void show_fields(std::vector<FieldOfGrains> fields) const { fields_ = std::move(fields); }
  // The contacts that records show, until they are not shown any more; returns their number, of all ranks.
  std::int64_t show_contacts(bool shown) const;
  std::int64_t next_id() const { return bodies_.next_id(); }  // above all there are
  // Stiffness and damping of contacts (contact_rates.hpp).
  void live_contacts_of(int grain, std::vector<LiveContact>& to) const {
    cairn::live_contacts_of(scene(), state(), grain, to);
  }
  std::vector<LiveContact> live_contacts() const { return cairn::live_contacts_of(scene(), state()); }
  LightestGrains lightest() const { return domain_.ask(Question::lightest), lightest_of(scene()); }
  PairRates fastest_pair(std::span<const GrainData> expected = {}) const {
    return fastest_pair_of(settings_, lightest(), bodies_.smallest_radius(), expected);
  }
  std::vector<PairInContact> pairs_in_contact(const ExpectedLoad& load = {},
                                              std::span<const GrainData> expected = {}) const {
    return pairs_in_contact_of(settings_, lightest(), load, expected);
  }
  // [m/s] of the fastest grain while the last step moved it.
  Real fastest() const { return fastest_; }
  Real smallest_radius() const { return bodies_.smallest_radius(); }  // [m]; 0: there are no grains
  GuardStatistics& guard_statistics() { return guard_statistics_; }
  const ContactCount& contact_count() const { return events_.count(); }
  const HardContacts& hard_contacts() const { return hard_; }
  std::int64_t force_passes() const { return forces_.passes(); }
  std::int64_t rebuilds() const { return list_.rebuilds(); }
  std::int64_t refreshes() const { return list_.refreshes(); }
  void set_threads(int threads) { settings_.threads = threads; }
  void set_onset(bool on);  // before begin()

  // Forces a new neighbour list, or new slots alone; results do not depend on it (a test).
  void rebuild();
  void refresh();

  // Ranks that share a run, each with a World of the same settings (domain/domain.hpp). All call these together,
  // between steps. At first rank 0 has all grains, and it alone may observe and change them then: `whole`. Where they
  // are not, energies() to extent(), closed(), hash(), each_shown() and lightest() to pairs_in_contact() above are of
  // all ranks, each of which must ask, or be told to; the rest is of this one.
  void join(Ranks& ranks, Partition& partition, std::function<void(const Bytes&)> tell = {}) {
    domain_ = Domain(ranks, partition, std::move(tell));
  }
  void spread();  // grains go to their owners; the ranks make steps together
  void gather();  // rank 0 has all grains again
  // Rank 0 gets the counts of contacts that the others have made.
  void gather_count() { domain_.ask(Question::contact_count), events_.gather_count(domain_); }
  // The sections of a checkpoint that hold grains and contacts, where grains are apart; else none. Rank 0 calls it.
  SavedSections saved_sections();
  // A rank answers these when rank 0 asks for those sections, for hash() or for each_shown().
  struct Saved {
    Following follow;
    std::int64_t pairs = 0, walls = 0;  // contacts
  };
  Saved saved();
  Bytes records(const RecordLook& look) const;
  bool whole() const { return !domain_.apart(); }
  int grains_of_all() const { return whole() ? size() : grains_of_all_; }  // ranks
  const Domain& domain() const { return domain_; }

  // Velocities at the time of the positions, for schemes that stagger them: for the life of this object the state is
  // kicked by kick_h [s].
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

  // Visits everything a restart needs: archive.value(name, T&), archive.vector(name, vector&), archive.slab(name,
  // Slab&), archive.text(name, string&). One list serves saving and loading.
  template <class Archive>
  void for_each_saved(Archive&& archive);
  // The part that ranks share: all but grains and their contacts.
  template <class Archive>
  void for_each_shared(Archive&& archive);
  void restored();  // after loading: finds what is not saved

 private:
  friend class Synchronised;
  // time = start + count step, so that equal steps add no round-off.
  struct Clock {
    Real start = 0, step = 0;  // [s]
    std::int64_t count = 0;
  };
  struct Snapshot {          // of the ledger before forces jump
    Real residual = 0;       // [J]
    LedgerChannels power{};  // [W]
  };

  template <class Archive>
  void for_each_number(Archive&& archive);
  void enter(StepPhase next);
  // [s] How long the steps to come are, as far as it is known. Lists are chosen to last some of them.
  Real usual_step() const { return clock_.step != 0 ? clock_.step : controller_.step; }
  void ensure_list(State& y, Real displacement);
  void pass(ForcePass what);
  void follow_owners(const ForcePass& what);
  void share_statistics();
  void each_record(RecordLook look, const std::function<void(const Bytes&)>& take) const;
  void shrink();
  void move_walls(const ForcePass& what);
  void kick_walls(Real h);
  void shift_velocities(Real h);  // with the ledger, by the present rate; positions stay
  void adopt_laws();              // what follows from the settings
  void find_rates(State& y, State& k, bool springs);
  KickDrift moving(Real kick_h, Real drift_h, Real predict_h);
  BodyRows& accelerations_of_past();
  void record(const ContactSums& sums);
  GrainScan record_scan();
  void finish_springs(State* rate = nullptr);
  void finish_evaluation();
  void wrap();
  ContactEvents::Parts parts() { return {settings_, bodies_, list_, states_, forces_, domain_, steps_}; }
  // Insertion and removal (population.cpp).
  struct Remembered {
    State* rate;
    Real age;      // [s]
    bool springs;  // has the rates of springs too
    // Sets what a rate has of grain i, as if its accelerations had always been these; v [m/s] is its velocity now.
    void restart(int i, const Vector& v, const Vector& a, const Vector& alpha) const;
  };
  std::vector<Remembered> remembered_rates();
  bool touch_nothing(std::span<const GrainData> added) const;
  bool touch_nothing(std::span<const std::int64_t> ids) const;
  void fall_freely(std::span<const std::int64_t> ids, Real velocity_lag);
  Snapshot snapshot(Real velocity_lag);
  Real residual_at(Real velocity_lag);
  std::vector<std::int64_t> with_touching(std::span<const std::int64_t> ids) const;
  void record_jump(const Snapshot& before, std::span<const std::int64_t> touched, Real velocity_lag,
                   std::span<const std::int64_t> inserted = {});

  WorldSettings settings_;
  Domain domain_;
  Bodies bodies_;
  States states_;
  ContactList list_;
  ContactForces forces_;
  ContactEvents events_;
  HardContacts hard_;
  Ledger ledger_;
  Linearisation linearisation_;
  GuardStatistics guard_statistics_;
  Controller controller_;
  SpringQuadrature quadrature_ = SpringQuadrature::midpoint;

  StepPhase phase_ = StepPhase::settled;
  bool begun_ = false;
  int grains_of_all_ = 0;  // while they are not whole
  // What observers have asked for; no part of the state.
  mutable std::vector<FieldOfGrains> fields_;
  mutable std::vector<ContactView> contacts_;
  std::int64_t steps_ = 0;
  Clock clock_;
  bool closed_form_ = false;               // some law's spring can follow a whole step in closed form
  int step_drifts_ = 0, step_forces_ = 0;  // since the step began
  Real owed_drift_ = 0;                    // [s] drift that springs have yet to follow
  Real fastest_ = 0;                       // [m/s]
  Real kicks_ = 0;                         // [s] sum of the lengths of kicks since the last drift
  bool scanned_ = false;                   // the last pass over all grains saw their present velocities
  // [s] The free places of the present state and its rate hold constants and velocities predicted so far ahead.
  std::optional<Real> prepared_;
};

template <class Archive>
void World::for_each_saved(Archive&& a) {
  bodies_.for_each_saved(a);
  states_.for_each_saved(a);
  list_.for_each_saved(a);
  forces_.for_each_saved(a);
  events_.for_each_saved(a);
  if (settings_.hard) hard_.for_each_saved(a);
  for_each_number(a);
}

template <class Archive>
void World::for_each_shared(Archive&& a) {
  bodies_.for_each_shared(a);
  states_.for_each_shared(a);
  a.value("spring_rates", states_.spring_rates);  // which restored() finds after loading
  for_each_number(a);
}

template <class Archive>
void World::for_each_number(Archive&& a) {
  ledger_.for_each_saved(a);
  a.value("watch", guard_statistics_);
  a.value("controller", controller_);
  a.value("onset", settings_.onset);
  a.value("begun", begun_);
  a.value("steps", steps_);
  a.value("clock_start", clock_.start);
  a.value("clock_step", clock_.step);
  a.value("clock_count", clock_.count);
}

}  // namespace cairn
