#include "cairn/world/world.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "cairn/contact/spring_drift.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/parallel.hpp"
#include "cairn/world/loaded_walls.hpp"
#include "cairn/world/taylor.hpp"

namespace cairn {

World::World(WorldSettings settings) : settings_(std::move(settings)), states_(settings_.spring_rows()) {
  adopt_laws();
  state().walls.resize(static_cast<int>(settings_.loaded_walls.size()));
}

// Here, or every file that has a World would compile them.
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::set_onset(bool on) {
  with_law(settings_.laws, [&](auto laws) {
    settings_.onset = on && std::all_of(laws.begin(), laws.end(), [](const auto& law) { return law.has_onset_jump(); });
  });
}

void World::begin(bool springs, Past past) {
  begun_ = true;
  enter(StepPhase::settled);
  if (past == Past::forgotten) states_.forget_memories();
  prepared_ = {}, scanned_ = false, kicks_ = 0;
  state().resize(size(), list().slots(), settings_.spring_rows());
  if (whole()) rebuild();  // spread() has just done so
  events_.find_phases(parts(), false);
  find_rates(state(), current_rate(), springs);
  states_.rate_known = true;
  ledger_.open(energies_of(scene(), state()));
  events_.reset_count();
  guard_statistics_ = {};
  record(forces_.sums());
  share_statistics();
}

// --- Step phases ----------------------------------------------------------------------------------------------------

void World::enter(StepPhase next) {
  using enum StepPhase;
  // A combine after the closing force changes velocities alone: the step stays closed.
  if (next == combined && phase_ == closed) return;
  // Between a drift and the force that follows it velocities may be combined, which leaves springs where they are.
  if (next == combined && owed_drift_ != 0) next = moving;
  if (next == settled && owed_drift_ != 0) throw std::logic_error("a step ended while springs owed a drift");
  phase_ = next;
}

// --- The list -------------------------------------------------------------------------------------------------------

void World::ensure_list(State& y, Real displacement) {
  if (events_.slots_are_fixed()) return;  // it was made sure of when contacts began
  if (list_.ensure({y, displacement, owed_drift_, usual_step()}, bodies_, states_, settings_, domain_))
    forces_.list_renewed();
}

void World::rebuild() {
  list_.rebuild(usual_step(), bodies_, states_, settings_, domain_);
  list_.followed();
  forces_.list_renewed();
}

void World::refresh() {
  list_.refresh(usual_step(), bodies_, states_, settings_, domain_);
  list_.followed();
  forces_.list_renewed();
}

void World::restored() {
  list_.restored(bodies_, settings_.threads);
  states_.spring_rates = current_rate().bond.size() == list().slots();
  if (!states_.rate_known || !states_.spring_rates) current_rate().body.drop_positions();
  if (begun_ && list().reference.size() != size()) rebuild();  // saved by several ranks, without candidates
}

// --- Forces ---------------------------------------------------------------------------------------------------------

void World::pass(ForcePass what) {
  what.observed = what.contacts.y == &state();  // else a stage, or an attempt that may be rejected
  what.active_known = events_.slots_are_fixed(), what.has_begun = events_.has_begun();
  forces_.pass(what, settings_, bodies_, list_, states_, domain_);
  if (what.rate) follow_owners(what);
  if (!settings_.loaded_walls.empty() && what.rate) move_walls(what);
  if (what.observed) record(forces_.sums());
  if (what.kicked) record_scan();
}

// Copies get the accelerations that their owners found, and are kicked as these were.
void World::follow_owners(const ForcePass& what) {
  if (!domain_.apart()) return;
  domain_.finish_share(what.rate->body);  // begun by the pass
  const auto kick = [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      for (const int row : {BodyRow::v, BodyRow::w})
        what.kicked->body.set(row, i, what.kicked->body.at(row, i) + what.kick * what.rate->body.at(row, i));
  };
  if (!what.kicked) return;
  kick(0, grains().own_begin());
  kick(grains().own_end(), size());
}

void World::move_walls(const ForcePass& what) {
  const State& y = *what.contacts.y;
  forces_.add_power(
      find_wall_rates(settings_, y, what.contacts.predict, current_rate(), forces_.on_loaded_walls(), *what.rate));
  if (what.kicked) kick_walls(what.kick);
}

// The present ones, by their present accelerations.
void World::kick_walls(Real h) {
  State& y = state();
  if (y.walls.size() == 0) return;
  for (int w = 0; w < y.walls.size(); ++w)
    y.walls.set(WallRow::v, w, y.walls.at(WallRow::v, w) + h * current_rate().walls.at(WallRow::v, w));
  y.ledger[Channel::external] += load_work_beyond(settings_, y, current_rate(), h);
}

void World::shift_velocities(Real h) {
  cairn::combine(state(), state(), std::array<Term, 1>{{{h, &current_rate()}}}, settings_.threads,
                 StatePart::velocities | StatePart::ledger, settings_.simd);
  state().ledger[Channel::external] += load_work_beyond(settings_, state(), current_rate(), h);
}

void World::record(const ContactSums& sums) {
  if (sums.deepest <= guard_statistics_.deepest) return;
  guard_statistics_.deepest = sums.deepest;
  auto& ids = guard_statistics_.deepest_ids = sums.deepest_ids;
  if (ids[1] < 0) ids[1] = -1 - settings_.surfaces[-1 - ids[1]].wall;
}

GrainScan World::record_scan() {
  const GrainScan scan = bodies_.scan();
  if (scan.bad >= 0) guard_statistics_.not_finite = grains().id[scan.bad];
  scanned_ = true;
  return scan;
}

// --- Algebra verbs --------------------------------------------------------------------------------------------------

void World::combine(State& out, const State& y, std::span<const Term> terms, unsigned parts) {
  constexpr unsigned moves = StatePart::positions | StatePart::carried;
  const bool measures = (parts & moves) && states_.holds_positions(out);
  if (parts & (moves | StatePart::clock)) list_.drop_cached_displacement(out);
  const unsigned first = measures ? parts & ~(moves | StatePart::velocities) : parts;
  cairn::combine(out, y, terms, settings_.threads, first, settings_.simd);
  if (measures) combine_walls(out, y, terms, parts & ~first);
  if (measures)  // at positions while they are in the cache; the time is known already
    list_.cache_displacement(out, list_.displacement(out, settings_, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      combine_grains(settings_.simd, out, y, terms, parts, begin, end);
    }));
  if (&out != &state()) return;
  if (owed_drift_ != 0 && (parts & (moves | StatePart::springs)))
    throw std::logic_error("a scheme combined positions or springs between a drift and the force that follows it");
  enter(StepPhase::combined);
  prepared_ = {};
  states_.rate_known = scanned_ = false;
  if (parts & (moves | StatePart::velocities)) list_.skip_none();
}

void World::rates(State& y, State& k) {
  const bool present = &y == &state();
  if (present && states_.rate_known && states_.spring_rates) {
    if (&k != &current_rate())
      cairn::combine(k, current_rate(), {}, settings_.threads, StatePart::everything, settings_.simd);
    return;
  }
  ensure_list(y, list_.cached_displacement(y, settings_));
  find_rates(y, k, true);
  if (present && &k == &current_rate()) states_.rate_known = true;
}

void World::find_rates(State& y, State& k, bool springs) {
  if (springs)
    k.resize(size(), list().slots(), settings_.spring_rows());
  else
    k.resize_accelerations(size(), settings_.spring_rows());
  if (&k == &current_rate()) states_.spring_rates = springs;
  pass({.contacts = {.y = &y, .rate = springs ? &k : nullptr}, .rate = &k});
  k.ledger = forces_.sums().power;
  k.time = 1;
}

void World::series(State& y, int order, std::span<State* const> k, Real h) {
  ensure_list(y, list_.displacement(y, settings_));
  if (order >= 1) rates(y, *k[0]);
  taylor_series(scene(), y, order, k, h);
  for (int d = 2; d <= order; ++d) forces_.count_pass();
}

void World::linearise(std::span<State* const> stages) {
  for (State* y : stages) ensure_list(*y, list_.displacement(*y, settings_));
  linearisation_.set(stages, scene(), list_.slots());
}

void World::tangent(int stage, State& d, State& k, Real over) {
  linearisation_.tangent(stage, d, k, over, scene());
  forces_.count_pass();
}

// Positions count against the smallest radius, velocities against the fastest surface, springs against the smallest
// radius. Maxima, so that no order of summation enters the dynamics.
Real World::error(const State& a, const State& b, Real tolerance) const {
  constexpr int block = 1024;
  const auto most_of = [&](int first, int last, Real least, auto&& raise) {  // raise(i, most)
    std::vector<Real> most((last - first + block - 1) / block, least);
    for_blocks(settings_.threads, last - first, block,
               [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t at) {
                 for (auto i = begin; i < end; ++i) raise(first + static_cast<int>(i), most[at]);
               });
    Real of_all = least;
    for (const Real m : most)
      if (m > of_all || std::isnan(m)) of_all = m;  // a NaN stays: nothing is larger
    return domain_.largest(of_all);
  };
  const Real radius = bodies_.smallest_radius();
  const std::vector<Real>& radii = grains().radius;
  const auto most_of_grains = [&](Real least, auto&& raise) {
    return most_of(grains().own_begin(), grains().own_end(), least, raise);
  };
  Real speed = most_of_grains(std::sqrt(norm(settings_.gravity) * radius), [&](int i, Real& most) {
    most = std::max({most, norm(a.body.at(BodyRow::v, i)), radii[i] * norm(a.body.at(BodyRow::w, i))});
  });
  for (int w = 0; w < a.walls.size(); ++w) speed = std::max(speed, norm(a.walls.at(WallRow::v, w)));
  const auto compare = [&](const auto& p, const auto& q, int row, int i, Real scale, Real& most) {
    const Vector off = p.at(row, i) - q.at(row, i);
    const Real length2 = dot(off, off), counts = tolerance * scale * most;
    if (length2 <= 0.999999 * counts * counts) return;  // far from the largest: no root, no division
    const Real e = length2 == 0 ? 0 : std::sqrt(length2) / (tolerance * scale);
    if (e > most || std::isnan(e)) most = e;
  };
  const Real of_grains = most_of_grains(0, [&](int i, Real& most) {
    compare(a.body, b.body, BodyRow::x, i, radius, most);
    compare(a.body, b.body, BodyRow::v, i, speed, most);
    compare(a.body, b.body, BodyRow::w, i, speed / radii[i], most);
  });
  Real of_bodies = of_grains;
  for (int w = 0; w < a.walls.size() && radius > 0; ++w)  // without grains there is nothing that it could touch
    for (const int row : {WallRow::x, WallRow::v})
      compare(a.walls, b.walls, row, w, row == WallRow::x ? radius : speed, of_bodies);
  return most_of(0, a.bond.size(), of_bodies, [&](int slot, Real& most) {
    for (int row = 0; row < a.bond.rows(); row += 3) compare(a.bond, b.bond, row, slot, radius, most);
  });
}

// --- Motion verbs ---------------------------------------------------------------------------------------------------

// The next force is likely to be asked for at velocities predicted from the present accelerations.
KickDrift World::moving(Real kick_h, Real drift_h, Real predict_h) {
  if (closed_form_ && predict_h != 0) current_rate().body.keep_positions();
  return {.body = &state().body,
          .rate = &current_rate().body,
          .kick = kick_h,
          .drift = drift_h,
          .common = list().common,
          .cell = settings_.cell,
          .predict = closed_form_ ? predict_h : 0,
          .constants = closed_form_ ? &grains() : nullptr};
}

// The accelerations in memory(0). It has no springs: forces are predicted from accelerations alone.
BodyRows& World::accelerations_of_past() {
  State& past = states_.memory(0);
  past.body.resize(size());
  past.walls.resize(state().walls.size());
  return past.body;
}

void World::kick_drift(Real kick_h, Real drift_h, Real predict_h, std::optional<Real> extrapolation) {
  const bool drifts = drift_h != 0, kicks = kick_h != 0;
  if (drifts && owed_drift_ != 0) finish_springs();  // springs follow the first of two drifts before the second
  states_.forget_rate();
  State& y = state();
  KickDrift moves = moving(kick_h, drift_h, predict_h);
  if (extrapolation) moves.past = &accelerations_of_past(), moves.extrapolation = *extrapolation;
  kicks_ += std::fabs(kick_h);
  if (drifts) moves.bounds = list_.expected(current_rate().body, kicks_, drift_h);
  bodies_.kick_drift(moves, settings_);
  prepared_ = predict_h;
  if (kicks) kick_walls(kick_h);
  for (int w = 0; w < y.walls.size(); ++w) {
    if (drifts) y.walls.set(WallRow::x, w, y.walls.at(WallRow::x, w) + drift_h * y.walls.at(WallRow::v, w));
    if (!extrapolation) continue;
    const Vector a = current_rate().walls.at(WallRow::v, w), past = states_.memory(0).walls.at(WallRow::v, w);
    current_rate().walls.set(WallRow::v, w, a + *extrapolation * a - *extrapolation * past);
    states_.memory(0).walls.set(WallRow::v, w, a);
  }
  const GrainScan scan = record_scan();
  if (kicks)
    for (int c = 0; c < Channel::count; ++c) y.ledger[c] = y.ledger[c] + kick_h * current_rate().ledger[c];
  if (drifts) {
    y.time = y.time + drift_h;
    owed_drift_ = drift_h;
    ++step_drifts_;
    fastest_ = std::sqrt(scan.speed2) + norm(list().common);
    list_.add_displacement(std::sqrt(scan.speed2) * std::fabs(drift_h));
    list_.drifted(drift_h, scan.accelerated), kicks_ = 0;
  }
  if (drifts || phase_ != StepPhase::closed) enter(StepPhase::moving);
}

void World::begin_contacts(Real h, Real behind, const StepEnd& end) {
  if (!settings_.onset) return;
  ensure_list(state(), list_.present_displacement());
  list_.find_active({state(), closed_form_ && prepared_, 0, false}, bodies_, states_, settings_);
  events_.begin_contacts(parts(), h, behind, end);
}

void World::force(Real predict, StageKind kind, Real kick) {
  ensure_list(state(), list_.present_displacement());
  const bool ends = kind == StageKind::end;
  const bool whole_step = closed_form_ && ends && step_drifts_ == 1 && step_forces_ == 0;
  if (whole_step && prepared_ != predict) bodies_.kick_drift(moving(0, 0, predict), settings_);
  prepared_ = {};
  pass({.contacts = {.y = &state(),
                     .springs = &state(),
                     .current_rate = &current_rate(),
                     .predict = predict,
                     .drift = owed_drift_,
                     .quadrature = quadrature_,
                     .close = ends,
                     .whole_step = whole_step},
        .rate = &current_rate(),
        .kicked = kick != 0 ? &state() : nullptr,
        .kick = kick});
  owed_drift_ = 0;
  ++step_forces_;
  const ContactSums& sums = forces_.sums();
  ledger_.record_powers(sums);
  current_rate().ledger = sums.power;
  if (ends) {
    ledger_.record_return(sums);
    sums.record_released(state().ledger);
  } else if (phase_ == StepPhase::closed) {
    ledger_.add_beyond(1, current_rate().ledger);  // this force saw returned springs; the trial springs' had more power
  }
  if (kick != 0) {
    kicks_ += std::fabs(kick);
    for (int c = 0; c < Channel::count; ++c) state().ledger[c] = state().ledger[c] + kick * current_rate().ledger[c];
    if (phase_ != StepPhase::closed) enter(StepPhase::moving);
  }
  if (ends) enter(StepPhase::closed);
}

void World::impulses(Real h, Real kicked) {
  if (!settings_.hard) throw std::logic_error("a scheme of hard contacts needs a hard law");
  const ContactList::Need need{state(), list_.present_displacement(), 0, usual_step(),
                               HardContacts::ahead(scene(), state(), h)};
  if (list_.ensure(need, bodies_, states_, settings_, domain_)) forces_.list_renewed();
  const Slab walls = state().walls;
  hard_.resolve({settings_, scene(), list_.slots(), states_}, {h, kicked, controller_.solver_tolerance});
  state().ledger[Channel::external] += load_work_of_impulses(settings_, state(), walls, kicked);
  controller_.effort.iterations += hard_.sweeps();
  controller_.effort.unsettled += !hard_.converged();
  list_.add_displacement(hard_.farthest_shift());
  list_.skip_none();
  bodies_.may_be_outside(settings_.cell.any());
  prepared_ = {};
  scanned_ = false;
  states_.forget_rate();
}

// Springs that owe a drift follow it to the present, and return to the Coulomb limit. The pass may find the
// accelerations, too.
void World::finish_springs(State* rate) {
  ensure_list(state(), list_.present_displacement());
  pass(
      {.contacts = {.y = &state(), .springs = &state(), .drift = owed_drift_, .quadrature = quadrature_, .close = true},
       .rate = rate});
  owed_drift_ = 0;
  forces_.sums().record_released(state().ledger);
  if (rate) rate->ledger = forces_.sums().after();
}

// --- The end of a step ----------------------------------------------------------------------------------------------

void World::commit(Real h, const StepEnd& end) {
  ++steps_;
  step_drifts_ = step_forces_ = 0;
  if (h != clock_.step) clock_ = {clock_.start + static_cast<Real>(clock_.count) * clock_.step, h, 0};
  ++clock_.count;
  state().time = clock_.start + static_cast<Real>(clock_.count) * h;

  switch (phase_) {
    case StepPhase::closed:
      current_rate().ledger = ledger_.returned();
      break;
    case StepPhase::moving:  // the step ended with a drift, the accelerations are those of before it
      finish_springs(&current_rate());
      break;
    case StepPhase::combined:
    case StepPhase::settled:
      finish_evaluation();
      break;
  }
  if (const Real unseen = 0.5 - end.trial_spring_weight; std::fabs(unseen) > 1e-9)
    ledger_.add_beyond(unseen * h, state().ledger);
  events_.finish_step(parts(), h, end, phase_ != StepPhase::moving);
  wrap();
  share_statistics();
  enter(StepPhase::settled);
}

// Evaluates the new state of algebra verbs, which is also the first evaluation of the next step.
void World::finish_evaluation() {
  State& rate = current_rate();
  ensure_list(state(), list_.cached_displacement(state(), settings_));
  rate.resize(size(), list().slots(), settings_.spring_rows());
  states_.spring_rates = true;
  pass({.contacts = {.y = &state(), .springs = &state(), .rate = &rate, .close = true}, .rate = &rate});
  const ContactSums& sums = forces_.sums();
  rate.ledger = sums.after();
  rate.time = 1;
  sums.record_released(state().ledger);
  ledger_.record_return(sums);
  states_.rate_known = true;
  // Memories of a spring end with its contact: otherwise they would stretch the spring of the next contact of the two
  // bodies by round-off. Contacts that began and ended within a step are in memories of stages alone; ContactEvents
  // relaxes all others without a look at every slot.
  if (!states_.remembers_stages()) return;
  for_blocks(settings_.threads, list().slots(), contact_block,
             [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
               for (int slot = static_cast<int>(begin); slot < end; ++slot)
                 if (!stretched(rate, slot)) states_.relax_memories(slot);
             });
}

void World::wrap() {
  if (!scanned_) {
    bodies_.kick_drift({&state().body, nullptr, 0, 0, {}, settings_.cell}, settings_);
    fastest_ = std::sqrt(record_scan().speed2);
    bodies_.may_be_outside(settings_.cell.any());
  }
  scanned_ = false;
  bodies_.wrap(state(), settings_);
}

// --- Synchronised ---------------------------------------------------------------------------------------------------

World::Synchronised::Synchronised(World& world, Real kick_h) : world_(kick_h == 0 ? nullptr : &world) {
  if (!world_) return;
  before_ = world.state();
  world.shift_velocities(kick_h);
}

World::Synchronised::~Synchronised() {
  if (world_) std::swap(world_->state(), before_);
}

}  // namespace cairn
