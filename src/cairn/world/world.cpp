#include "cairn/world/world.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <utility>

#include "cairn/core/parallel.hpp"
#include "cairn/core/text.hpp"
#include "cairn/search/neighbours.hpp"
#include "cairn/world/each_contact.hpp"

namespace cairn {

World::World(WorldSettings settings) : settings_(std::move(settings)) {
  const auto pairs = static_cast<std::size_t>(settings_.materials) * settings_.materials;
  if (std::visit([](const auto& laws) { return laws.size(); }, settings_.laws) != pairs)
    throw Error(Exit::bad_input, "a world needs a contact law for each pair of its materials");
  if (rolls() && settings_.rolling.size() != pairs)
    throw Error(Exit::bad_input, "a world needs a rolling resistance for each pair of its materials, or none at all");
  with_law([&]<class Law>(std::span<const Law>) {
    for (RollingResistance& r : settings_.rolling) r.stores = !Law::stiffens;
  });
  for (State* y : {&state_, &current_rate_}) y->resize(0, 0, spring_rows());
  set_onset(settings_.onset);
}

void World::set_onset(bool on) {
  with_law([&](auto laws) {
    settings_.onset = on && std::all_of(laws.begin(), laws.end(), [](const auto& law) { return law.has_onset_jump(); });
  });
}

bool World::sees_onset_speeds() const {
  return std::visit([]<class Law>(const std::vector<Law>&) { return Law::sees_onset_speed; }, settings_.laws);
}

State& World::numbered(std::vector<std::unique_ptr<State>>& states, int i) {
  while (static_cast<int>(states.size()) <= i) states.push_back(std::make_unique<State>());
  return *states[i];
}

State& World::add_memory(Memory kind) {
  memory_kinds_.push_back(kind);
  State& added = *memory_.emplace_back(std::make_unique<State>());
  added.resize(0, 0, spring_rows());
  return added;
}

void World::remember(State& rate, int depth) {
  if (memories() < depth) add_memory(Memory::past);
  std::rotate(memory_.begin(), memory_.end() - 1, memory_.end());
  std::swap(memory(0), rate);
  if (&rate == &current_rate_) present_ = false;
}

template <class F>
void World::for_each_state(F&& f) {
  f(state_), f(current_rate_);
  for (auto& y : scratch_) f(*y);
  for (auto& y : memory_) f(*y);
}

// --- The list -------------------------------------------------------------------------------------------------------

// A bound on how much closer any surface has come since the list was built, as seen by grains that shift together.
Real World::surface_travel(Real time) const {
  const Vector shift = list_.shift(time);
  Real most = 0;
  for (const Surface& s : settings_.surfaces) {
    if (s.motion.still() && shift == Vector{}) continue;
    const Pose<Real> then = pose_at(s, list_.built_time()), now = pose_at(s, time);
    const Vector by = now.point - then.point - shift;
    // A plane is not come closer to by motion along it.
    Real moved = s.kind == Surface::Kind::plane ? std::fabs(dot(by, now.direction)) : norm(by);
    if (s.turns) moved += norm(now.direction - then.direction) * (extent_ + norm(then.point));
    most = std::max(most, moved);
  }
  return most;
}

// Thin where grains move little, so that the slots last about as many steps everywhere.
Real World::list_reach(const SpeedBounds& speeds) const {
  if (settings_.reach > 0) return settings_.reach;
  constexpr Real steps = 40, thinnest = 0.05, widest = 0.4;  // the last two of the skin
  const Real skin = list_skin();
  return std::clamp(2 * steps * speeds.fastest * clock_step_, thinnest * skin, widest * skin);
}

// Staleness is decided before a force pass, from the positions it is asked for. A stage that reaches beyond the list
// renews it there and then, whatever the scheme is doing: every state is carried over, so no step is ever redone.
void World::ensure_list(State& y, Real travel) {
  const bool built = list_.reference.size() == size() && list_.first.size() == static_cast<std::size_t>(size()) + 1;
  Real walls = 0;
  if (built) {
    walls = surface_travel(y.time);
    if (!list_.stale(travel, walls)) return;
    travel = travel_of(y);  // the bound is coarse; look
    // Renewed a little early, for otherwise the look would soon be taken every step.
    if (!list_.stale(1.25 * travel, 1.25 * walls)) {
      travel_ = travel;
      return;
    }
  }
  const SpeedBounds speeds = speed_bounds(y);
  // Contacts that may have touched during the drift are listed, for their springs follow it; contacts of the step's
  // beginning stay candidates to its end, wherever their bodies are.
  Real reach = 2 * speeds.fastest * std::fabs(owed_), skin = speeds.closing * std::max(clock_step_, std::fabs(owed_));
  if (&y != &state_) {  // the present state's own contacts stay too, and stages do not renew the slots in turns
    const Real far = apart(y, speeds.common);
    reach += 4 * far, skin += 4 * far;
  }
  // Unless a skin is asked for, it is wide enough for candidates to last some tens of steps.
  if (settings_.skin == 0) skin = std::max(skin, 40 * speeds.closing * clock_step_ - list_skin());
  // Where grains move by more than a radius in a step the list must not become one of all pairs.
  skin = list_skin() + std::min(skin, smallest_radius_);
  reach = std::min(list_reach(speeds) + reach, skin);
  if (built && list_.covers(travel, 1.25 * walls, reach))
    refresh(y, speeds, reach, travel);
  else
    rebuild(y, skin, speeds, reach);
  carried_ = std::vector<int>();
}

// [m] largest distance of a grain from where the list's slots were chosen, less what all have in common.
Real World::travel_of(const State& y) {
  return travel_of(y, [](std::ptrdiff_t, std::ptrdiff_t) {});
}

// `before` is called with each block, to find where its grains are.
template <class Before>
Real World::travel_of(const State& y, Before&& before) {
  const bool known = list_.reference.size() == y.body.size();
  const Travel travel{&y.body, &list_.reference, (y.time - list_.reference_time) * list_.common, settings_.cell};
  farthest_.assign((y.body.size() + combine_block - 1) / combine_block, 0);
  for_blocks(settings_.threads, y.body.size(), combine_block,
             [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
               before(begin, end);
               if (known)
                 farthest2(settings_.simd, travel, static_cast<int>(begin), static_cast<int>(end), farthest_[b]);
             });
  Real far = 0;
  for (const Real a : farthest_) far = std::max(far, a);
  return known ? std::sqrt(far) : list_.skin;
}

bool World::ours(const State& y) const {
  return &y == &state_ || std::any_of(scratch_.begin(), scratch_.end(), [&](const auto& s) { return s.get() == &y; });
}

// The same, where combine() has just found it.
Real World::cached_displacement(const State& y) {
  const CachedDisplacement cached = std::exchange(cached_displacement_, {});
  return cached.at == &y ? cached.travel : travel_of(y);
}

// [m] largest distance of a grain from where it stands in the present state, less what all have in common.
Real World::apart(const State& y, const Vector& common) const {
  const Vector shift = (y.time - state_.time) * common;
  const int blocks = (size() + grain_block - 1) / grain_block;
  std::vector<Real> most(blocks, 0);
  for_blocks(settings_.threads, size(), grain_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    for (int i = static_cast<int>(begin); i < end; ++i) {
      const Vector d = y.body.at(BodyRow::x, i) - state_.body.at(BodyRow::x, i) - shift;
      most[b] = std::max(most[b], dot(d, d));
    }
  });
  Real far = 0;
  for (const Real a : most) far = std::max(far, a);
  return std::sqrt(far);
}

// The common velocity that lets the list last longest: none, or the mean, which flowing grains share, but walls do not.
World::SpeedBounds World::speed_bounds(const State& y) const {
  const int n = size();
  SpeedBounds still;
  if (n == 0) return still;
  const Real *vx = y.body.row(BodyRow::v), *vy = y.body.row(BodyRow::v + 1), *vz = y.body.row(BodyRow::v + 2);
  const int blocks = (n + grain_block - 1) / grain_block;
  std::vector<Vector> sums(blocks);
  for_blocks(settings_.threads, n, grain_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    for (auto i = begin; i < end; ++i) sums[b] += Vector{vx[i], vy[i], vz[i]};
  });
  SpeedBounds flowing;
  for (const Vector& sum : sums) flowing.common += sum;
  flowing.common = (1.0 / n) * flowing.common;
  if (!std::isfinite(dot(flowing.common, flowing.common))) flowing.common = {};
  std::vector<std::array<Real, 2>> most(blocks, {0, 0});
  for_blocks(settings_.threads, n, grain_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    for (auto i = begin; i < end; ++i) {
      const Vector v{vx[i], vy[i], vz[i]}, relative = v - flowing.common;
      most[b] = {std::max(most[b][0], dot(v, v)), std::max(most[b][1], dot(relative, relative))};
    }
  });
  for (const auto& [of_still, of_flowing] : most) {
    still.fastest = std::max(still.fastest, of_still);
    flowing.fastest = std::max(flowing.fastest, of_flowing);
  }
  still.fastest = std::sqrt(still.fastest), flowing.fastest = std::sqrt(flowing.fastest);
  for (SpeedBounds* speeds : {&still, &flowing}) {
    speeds->closing = 2 * speeds->fastest;
    for (const Surface& s : settings_.surfaces) {
      const Pose<Real> pose = pose_at(s, y.time);
      const Vector by = pose.velocity - speeds->common;
      Real speed = s.kind == Surface::Kind::plane ? std::fabs(dot(by, pose.direction)) : norm(by);
      if (s.turns) speed += std::fabs(s.motion.rotation_rate) * (extent_ + norm(pose.point));
      speeds->closing = std::max(speeds->closing, speeds->fastest + speed);
    }
  }
  return flowing.closing < still.closing ? flowing : still;
}

// Grains of the ids in `gone`, in ascending order, are left out.
void World::rebuild(State& y, Real skin, const SpeedBounds& speeds, Real reach, std::span<const std::int64_t> gone) {
  forget_scratch();
  forget_order();
  const int before = size(), old_size = static_cast<int>(list_.first.empty() ? 0 : list_.first.size() - 1);
  const int threads = settings_.threads;
  std::vector<int> order, place(before);  // where each grain stands in the old list; -1: it has come since
  std::iota(place.begin(), place.begin() + std::min(before, old_size), 0);
  std::fill(place.begin() + std::min(before, old_size), place.end(), -1);
  const auto rearrange = [&] {
    AlignedReals spare;
    for_each_state([&](State& s) {
      if (s.body.size() == size()) s.body.rearrange(order, spare, threads);
    });
    grains_.rearrange(order, threads);
    const std::vector<int> then = std::move(place);
    place.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[i] = then[order[i]];
  };
  if (!gone.empty()) {
    for (int i = 0; i < before; ++i)
      if (!std::binary_search(gone.begin(), gone.end(), grains_.id[i])) order.push_back(i);
    rearrange();
  }
  NeighbourSearch search;
  if (!search.order(spheres_of(y, grains_), settings_.cell, skin, threads, order)) rearrange();
  order = std::vector<int>();
  const int old_slots = list_.slots();
  list_.build(
      search, y, grains_, settings_.cell, settings_.surfaces, skin, reach, threads, place,
      [&](int slot) { return lives(slot); }, carried_);
  place = std::vector<int>();
  carry(old_slots, y, speeds);
  extent_ = 0;
  for (const Surface& s : settings_.surfaces)
    if (s.turns) {
      for (int i = 0; i < size(); ++i) extent_ = std::max(extent_, norm(y.body.at(BodyRow::x, i)) + grains_.radius[i]);
      break;
    }
  by_id_.clear();
  ++rebuilds_;
}

void World::rebuild(std::span<const std::int64_t> gone) {
  const SpeedBounds speeds = speed_bounds(state_);
  rebuild(state_, list_skin(), speeds, list_reach(speeds), gone);
}

void World::refresh(State& y, const SpeedBounds& speeds, Real reach, Real travel) {
  forget_scratch();
  forget_order();
  const int old_slots = list_.slots();
  list_.refresh(
      y, grains_, settings_.cell, reach, travel, settings_.threads, [&](int slot) { return lives(slot); }, carried_);
  carry(old_slots, y, speeds);
  ++refreshes_;
}

void World::refresh() {
  const SpeedBounds speeds = speed_bounds(state_);
  const Real travel = travel_of(state_);
  refresh(state_, speeds, std::min(list_reach(speeds), list_.skin), travel);
  carried_ = std::vector<int>();
}

// Whether a contact that has drawn apart is more than a candidate: within a step it may run on, or close again and go
// on from its spring.
bool World::lives(int slot) const {
  if (phases_[slot] != Phase::open) return true;
  const auto any = [&](const auto& states) {
    return std::any_of(states.begin(), states.end(), [&](const auto& s) { return stretched(*s, slot); });
  };
  return stretched(state_, slot) || stretched(current_rate_, slot) || any(memory_) || any(scratch_);
}

// False where it has no springs of these slots.
bool World::stretched(const State& y, int slot) const {
  if (y.bond.size() != static_cast<int>(phases_.size())) return false;
  for (int row = 0; row < y.bond.rows(); ++row)
    if (y.bond.row(row)[slot] != 0) return true;
  return false;
}

void World::forget_springs(State& y, int slot) const {
  for (int row = 0; row < y.bond.rows() && slot < y.bond.size(); ++row) y.bond.row(row)[slot] = 0;
}

// Scratch of an earlier step is dead.
void World::forget_scratch() {
  if (scratch_used_ == steps_) return;
  for (auto& s : scratch_) *s = State{};
}

// What the slots are given anew is not kept beside what is needed to find them.
void World::forget_order() {
  list_.contacts = std::vector<int>();
  sweep_ = Sweep(), sweep_known_ = false;
}

// What belongs to slots follows them, when the list has just been renewed at the positions of y.
void World::carry(int old_slots, const State& y, const SpeedBounds& speeds) {
  const int threads = settings_.threads;
  std::vector<int> changed_phase;
  for (int slot = 0; slot < list_.slots(); ++slot)
    if (carried_[slot] >= 0 && (carried_[slot] & 1)) changed_phase.push_back(slot);
  for (int& slot : carried_) slot >>= 1;
  AlignedReals spare;
  for_each_state([&](State& s) {
    if (&s == &current_rate_ && !spring_rates_) return;
    if (s.bond.size() != old_slots || s.body.size() != size()) return;
    s.bond.rearrange(carried_, spare, threads);
    for (const int slot : changed_phase)
      for (int row = 0; row < s.bond.rows(); ++row) s.bond.row(row)[slot] = -s.bond.row(row)[slot];
  });
  const auto carry = [&](auto& of_slots) {
    const auto old = std::move(of_slots);
    of_slots.resize(carried_.size());
    for_blocks(threads, list_.slots(), contact_block, [&](auto begin, auto end, auto) {
      for (auto slot = begin; slot < end; ++slot)
        of_slots[slot] =
            carried_[slot] >= 0 ? old[carried_[slot]] : typename std::decay_t<decltype(of_slots)>::value_type{};
    });
  };
  carry(phases_), carry(since_);
  if (!linear_.empty()) carry(spring_weight_);  // also where there were no slots yet
  if (sees_onset_speeds()) carry(onset_speeds_);
  changed_phase_.clear();  // its slots were the old list's
  reset_skips();
  list_.common = speeds.common;
  cached_displacement_ = {};
  travel_ = &y == &state_ ? 0 : travel_of(state_);
}

// --- Forces ---------------------------------------------------------------------------------------------------------

// The lower id first; -1 - surface for a wall.
std::array<std::int64_t, 2> World::ids_of(int slot) const {
  const int wall = slot - static_cast<int>(list_.pairs.size());
  if (wall >= 0) return {grains_.id[list_.walls[wall].grain], -1 - list_.walls[wall].surface};
  const auto [a, b] = std::minmax(grains_.id[list_.pairs[slot].first], grains_.id[list_.pairs[slot].second]);
  return {a, b};
}

// Of the pair of its materials.
int World::law_of(int slot) const {
  const int wall = slot - static_cast<int>(list_.pairs.size()), kinds = settings_.materials;
  if (wall >= 0)
    return grains_.material[list_.walls[wall].grain] * kinds + settings_.surfaces[list_.walls[wall].surface].material;
  return grains_.material[list_.pairs[slot].first] * kinds + grains_.material[list_.pairs[slot].second];
}

void World::record(const ContactSums& sums) {
  if (sums.deepest <= guard_statistics_.deepest) return;
  guard_statistics_.deepest = sums.deepest;
  auto& ids = guard_statistics_.deepest_ids = ids_of(sums.deepest_contact);
  if (ids[1] < 0) ids[1] = -1 - settings_.surfaces[-1 - ids[1]].wall;
}

ContactTables World::tables(Real drift) {
  return {.grains = &grains_,
          .cell = settings_.cell,
          .materials = settings_.materials,
          .pairs = list_.pairs,
          .walls = list_.walls,
          .surfaces = settings_.surfaces,
          .margin = 2 * std::sqrt(fastest2_ * drift * drift),
          .rows = rows_.data(),
          .phases = phases_.data(),
          .skip_until = nullptr,
          .path_bound = path_bound_,
          .sustains = settings_.onset,
          .onset_speeds = onset_speeds_.data(),
          .changed_phase = nullptr,
          .rolling = rolls() ? settings_.rolling.data() : nullptr};
}

// All contacts and, behind them, the forces on the grains as accelerations `rate`, if one is given, and a kick by them.
// What goes up the list is in the cache once (sweep.hpp). Sums of blocks are added in order, walls last.
void World::pass(const ContactPass& p, State* rate, Real kick) {
  if (!sweep_known_ || sweep_threads_ != settings_.threads) {
    sweep_.arrange(list_, size(), settings_.threads);
    rows_.resize(static_cast<std::size_t>(sweep_.rows()) * row_stride());
    std::fill_n(rows_.end() - row_stride(), row_stride(), 0.0);
    sweep_known_ = true, sweep_threads_ = settings_.threads;
  }
  const int pairs = static_cast<int>(list_.pairs.size()), walls = static_cast<int>(list_.walls.size());
  constexpr int wall_block = 128, few_walls = 256;  // contacts with walls that a thread takes at once; left to one
  const int wall_blocks = (walls + wall_block - 1) / wall_block;
  const int blocks = sweep_.blocks(), stride = row_stride();
  const ContactTables common = tables(p.drift);
  const bool present = p.y == &state_;      // else a stage, or an attempt that may be rejected
  const bool whole = p.rate || !p.springs;  // a rate is wanted, not accelerations alone
  // Not one by one on the way: behind what a block fills with zeros that waits for all of it.
  block_sums_.assign(blocks + wall_blocks, {});
  if (present) changed_phase_.resize(blocks + wall_blocks);
  // Whose contacts begin or end: the correction of onsets asks what the pass gave to the contacts of such a grain.
  const bool records_events = present && settings_.onset;
  if (present) moved_rows_.resize(blocks);
  if (records_events) needs_correction_.assign(size(), false);
  const auto contacts = [&](std::ptrdiff_t b, auto&& f) {
    ContactTables t = common;
    if (present) changed_phase_[b].clear(), t.changed_phase = &changed_phase_[b], t.skip_until = skip_until_.data();
    f(t, block_sums_[b]);
    for (std::size_t k = 0; records_events && k < changed_phase_[b].size(); ++k)
      for (const int i : bodies(changed_phase_[b][k]))
        if (i >= 0 && corrects(changed_phase_[b][k]))
          std::atomic_ref(needs_correction_[i]).store(true, std::memory_order_relaxed);
  };
  for_blocks(
      settings_.threads, walls, wall_block,
      [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
        contacts(blocks + b, [&](const ContactTables& t, ContactSums& sums) {
          wall_pass(settings_.simd, p, t, settings_.laws, nullptr, pairs + static_cast<int>(begin),
                    pairs + static_cast<int>(end), sweep_.wall_row(static_cast<int>(begin)), sums);
        });
      },
      few_walls);
  block_scans_.assign(std::max(1, blocks), {});
  const auto row = [&](int k) { return rows_.data() + static_cast<std::size_t>(k) * stride; };
  const auto contacts_of = [&](int b) {
    const int first = sweep_.first_slot(b), last = sweep_.first_slot(b + 1);
    if (p.rate)
      for (int k = 0; k < p.rate->bond.rows(); ++k)
        std::fill(p.rate->bond.row(k) + first, p.rate->bond.row(k) + last, 0.0);
    contacts(b, [&](const ContactTables& t, ContactSums& sums) {
      for (int at = first; at < last; at += contact_block)
        pair_pass(settings_.simd, p, t, settings_.laws, nullptr, at, std::min(at + contact_block, last),
                  sweep_.first_row(b) + at - first, sums);
    });
    for (const auto& [from, to] : sweep_.to_keep(b)) std::copy_n(row(from), stride, row(to));
  };
  const Gather from{&grains_, rows_.data(), sweep_.first_column(), sweep_.sources(), settings_.gravity, rolls()};
  const auto forces_of = [&](int b) {
    const int begin = b * Sweep::block, end = std::min(size(), begin + Sweep::block);
    if (rate) gather(settings_.simd, from, begin, end, rate->body);
    for (int row = 0; row < 3 && whole; ++row)
      std::copy_n(p.y->body.row(BodyRow::v + row) + begin, end - begin, rate->body.row(BodyRow::x + row) + begin);
    if (kick != 0)
      cairn::kick_drift(settings_.simd, KickDrift{&state_.body, &rate->body, kick, 0, list_.common, settings_.cell},
                        begin, end, block_scans_[b]);
    if (!records_events) return;
    MovedRows& moved = moved_rows_[b];
    moved.slots.clear(), moved.rows.clear();
    for (int i = begin; i < end; ++i) {
      if (!needs_correction_[i]) continue;
      for (int e = list_.first[i]; e < list_.first[i + 1]; ++e) {
        if (phases_[list_.contacts[e] >> 1] == Phase::open) continue;  // without a force
        moved.slots.push_back(list_.contacts[e] >> 1);
        const Real* of = row(sweep_.source(i, e - list_.first[i]) >> 1);
        moved.rows.insert(moved.rows.end(), of, of + stride);
      }
    }
  };
  const auto sweep = [&](int thread, bool late) {
    for (int b = sweep_.share(thread); b < sweep_.share(thread + 1); ++b) {
      if (!late) contacts_of(b);
      if (late == sweep_.waits(b)) forces_of(b);
    }
  };
  if (const int threads = sweep_.threads(); threads == 1) {
    sweep(0, false);
  } else {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; ++t) sweep(t, false);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; ++t) sweep(t, true);
  }
  sums_ = {};
  for (int b = 0; b < blocks + wall_blocks; ++b) sums_.add(block_sums_[b]);
  if (present) record(sums_);
  if (kick != 0) record_scan();
  ++force_passes_;
}

// Of the blocks of the last pass that moved grains.
GrainScan World::record_scan() {
  GrainScan all;
  for (const GrainScan& s : block_scans_) {
    all.speed2 = std::max(all.speed2, s.speed2);
    if (all.bad < 0) all.bad = s.bad;
    all.outside = all.outside || s.outside;
  }
  if (all.bad >= 0) guard_statistics_.not_finite = grains_.id[all.bad];
  scanned_ = true;
  return all;
}

// --- Algebra verbs --------------------------------------------------------------------------------------------------

void World::combine(State& out, const State& y, std::span<const Term> terms, unsigned parts) {
  constexpr unsigned moves = StatePart::positions | StatePart::carried;
  const bool looks = (parts & moves) && ours(out);
  if (cached_displacement_.at == &out && (parts & (moves | StatePart::clock))) cached_displacement_ = {};
  const unsigned first = looks ? parts & ~(moves | StatePart::velocities) : parts;
  cairn::combine(out, y, terms, settings_.threads, first, settings_.simd);
  if (looks)  // at positions while they are in cache; time is known
    cached_displacement_ = {&out, travel_of(out, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                              combine_bodies(out, y, terms, parts, begin, end, settings_.simd);
                            })};
  if (&out != &state_) return;
  present_ = scanned_ = false;
  if (parts & moves) reset_skips();
}

void World::rates(State& y, State& k) {
  if (&y == &state_ && present_ && spring_rates_) {
    if (&k != &current_rate_)
      cairn::combine(k, current_rate_, {}, settings_.threads, StatePart::everything, settings_.simd);
    return;
  }
  ensure_list(y, cached_displacement(y));
  find_rates(y, k, true);
  if (&y == &state_ && &k == &current_rate_) present_ = true;
}

void World::find_rates(State& y, State& k, bool springs) {
  k.resize(size(), springs ? list_.slots() : 0, spring_rows());
  if (&k == &current_rate_) spring_rates_ = springs;
  pass({.y = &y, .rate = springs ? &k : nullptr}, &k);
  k.ledger = sums_.power;
  k.time = 1;
}

Real World::error(const State& a, const State& b, Real tolerance) const {
  // Positions against the smallest radius, velocities against the fastest surface, springs against the smallest radius
  // times the tolerance's own scale. Maxima, so that no order of summation enters the dynamics.
  constexpr int block = 1024;
  const auto most_of = [&](int count, Real least, auto&& raise) {  // raise(i, most)
    std::vector<Real> most((count + block - 1) / block, least);
    for_blocks(settings_.threads, count, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t at) {
      for (int i = static_cast<int>(begin); i < end; ++i) raise(i, most[at]);
    });
    Real of_all = least;
    for (const Real m : most)
      if (m > of_all || std::isnan(m)) of_all = m;  // a NaN stays, for nothing is larger
    return of_all;
  };
  const Real speed = most_of(size(), std::sqrt(norm(settings_.gravity) * smallest_radius_), [&](int i, Real& most) {
    most = std::max({most, norm(a.body.at(BodyRow::v, i)), grains_.radius[i] * norm(a.body.at(BodyRow::w, i))});
  });
  const auto compare = [&](const Slab& p, const Slab& q, int row, int i, Real scale, Real& most) {
    const Vector off = p.at(row, i) - q.at(row, i);
    const Real length2 = dot(off, off), counts = tolerance * scale * most;
    if (length2 <= 0.999999 * counts * counts) return;  // far from the largest: no root, no division
    const Real e = length2 == 0 ? 0 : std::sqrt(length2) / (tolerance * scale);
    if (e > most || std::isnan(e)) most = e;
  };
  const Real of_grains = most_of(size(), 0, [&](int i, Real& most) {
    compare(a.body, b.body, BodyRow::x, i, smallest_radius_, most);
    compare(a.body, b.body, BodyRow::v, i, speed, most);
    compare(a.body, b.body, BodyRow::w, i, speed / grains_.radius[i], most);
  });
  return most_of(a.bond.size(), of_grains, [&](int slot, Real& most) {
    for (int row = 0; row < a.bond.rows(); row += 3) compare(a.bond, b.bond, row, slot, smallest_radius_, most);
  });
}

// In ascending order of ids, for the order of the list must not enter the dynamics.
Real World::inner_product(const State& a, const State& b, unsigned parts) {
  if (static_cast<int>(by_id_.size()) != size()) by_id_ = grains_.by_id();
  Real sum = 0;
  for (const int i : by_id_) {
    const Real inertia = grains_.inverse_inertia[i] > 0 ? 1 / grains_.inverse_inertia[i] : 0;
    sum += grains_.mass[i] * dot(a.body.at(BodyRow::v, i), b.body.at(BodyRow::v, i)) +
           inertia * dot(a.body.at(BodyRow::w, i), b.body.at(BodyRow::w, i));
    if (!(parts & StatePart::springs)) continue;
    for (int e = list_.first[i]; e < list_.first[i + 1]; ++e) {
      const int slot = list_.contacts[e] >> 1;
      if (spring_weight_[slot] == 0 || ids_of(slot)[0] != grains_.id[i]) continue;
      for (int row = 0; row < a.bond.rows(); row += 3)
        sum += spring_weight_[slot] * dot(a.bond.at(row, slot), b.bond.at(row, slot));
    }
  }
  return sum;
}

// --- Motion verbs ---------------------------------------------------------------------------------------------------

void World::kick_drift(Real kick_h, Real drift_h) {
  if (owed_ != 0 && drift_h != 0) finish_springs();  // two drifts in a row: springs follow the first before the second
  State& y = state_;
  const bool drifts = drift_h != 0, kicks = kick_h != 0;
  const KickDrift to{&y.body, &current_rate_.body, kick_h, drift_h, list_.common, settings_.cell};
  const int n = size();
  block_scans_.resize(std::max(1, (n + grain_block - 1) / grain_block));
  block_scans_.front() = {};
  for_blocks(settings_.threads, n, grain_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    block_scans_[b] = {};
    cairn::kick_drift(settings_.simd, to, static_cast<int>(begin), static_cast<int>(end), block_scans_[b]);
  });
  const GrainScan all = record_scan();
  if (kicks)
    for (int c = 0; c < Channel::count; ++c) y.ledger[c] = y.ledger[c] + kick_h * current_rate_.ledger[c];
  if (drifts) {
    y.time = y.time + drift_h;
    owed_ = drift_h;
    closed_ = false;
    fastest2_ = all.speed2;
    const Real by = std::sqrt(all.speed2) * std::fabs(drift_h);
    travel_ += by, path_bound_ += by;
    outside_ = outside_ || all.outside;
  }
  present_ = false;
  if (spring_rates_) current_rate_.bond = Slab(spring_rows()), spring_rates_ = false;
}

void World::force(Real predict, StageKind kind, Real kick) {
  ensure_list(state_, travel_);
  pass({.y = &state_,
        .springs = &state_,
        .current_rate = &current_rate_,
        .predict = predict,
        .drift = owed_,
        .quadrature = quadrature_,
        .close = kind == StageKind::end},
       &current_rate_, kick);
  owed_ = 0;
  // The closing kick of this step sees the powers of the trial springs, the opening kick of the next those of the
  // springs returned to their limit: half each is the second-order quadrature of what the projection left out. Forces
  // asked for once more at the end see returned springs only; theirs is the difference too.
  power_after_ = sums_.after();
  current_rate_.ledger = sums_.power;
  if (kind == StageKind::end) {
    closed_ = true;
    record_beyond();
    sums_.record_released(state_.ledger);
  } else if (closed_) {
    for (int c = 0; c < Channel::count; ++c) current_rate_.ledger[c] += power_beyond_[c];
  }
  if (kick != 0)
    for (int c = 0; c < Channel::count; ++c) state_.ledger[c] = state_.ledger[c] + kick * current_rate_.ledger[c];
}

void World::record_beyond() {
  for (int c = 0; c < Channel::count; ++c) power_beyond_[c] = sums_.power[c] - sums_.after()[c];
}

// Brings springs that owe a drift to the present and returns them to the Coulomb limit.
void World::finish_springs() {
  ensure_list(state_, travel_);
  pass({.y = &state_, .springs = &state_, .drift = owed_, .quadrature = quadrature_, .close = true}, nullptr);
  owed_ = 0;
  sums_.record_released(state_.ledger);
}

// --- Between steps --------------------------------------------------------------------------------------------------

void World::commit(Real h, Real seen, Real lag) {
  ++steps_;
  if (h != clock_step_) clock_start_ = clock_start_ + static_cast<Real>(clock_count_) * clock_step_, clock_count_ = 0;
  clock_step_ = h;
  ++clock_count_;
  state_.time = clock_start_ + static_cast<Real>(clock_count_) * h;

  if (closed_) {
    current_rate_.ledger = power_after_;
    closed_ = false;
  } else if (scanned_) {  // motion verbs that end with a drift
    finish_springs();
  } else {  // algebra verbs: evaluate the new state, which is also the first call of the next step
    ensure_list(state_, cached_displacement(state_));
    fit(current_rate_), spring_rates_ = true;
    pass({.y = &state_, .springs = &state_, .rate = &current_rate_, .close = true}, &current_rate_);
    current_rate_.ledger = sums_.after();
    current_rate_.time = 1;
    sums_.record_released(state_.ledger);
    record_beyond();
    present_ = true;
    forget_open_contacts();
  }
  if (std::fabs(seen - 0.5) > 1e-9)
    for (int c = 0; c < Channel::count; ++c) state_.ledger[c] += (0.5 - seen) * h * power_beyond_[c];
  process_events(h, lag);
  wrap_and_check();
}

// What is remembered of a spring ends with its contact: else it would stretch the spring of an open contact, and the
// next contact of the two would begin with what round-off left of the last. What began and ended within a step is in
// memories of stages alone; else update_phases() sees to it, without a look at every slot.
void World::forget_open_contacts() {
  if (std::all_of(memory_kinds_.begin(), memory_kinds_.end(), [](Memory kind) { return kind == Memory::past; })) return;
  for_blocks(settings_.threads, list_.slots(), contact_block,
             [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
               for (int slot = static_cast<int>(begin); slot < end; ++slot) {
                 if (stretched(current_rate_, slot)) continue;
                 for (auto& m : memory_) forget_springs(*m, slot);
               }
             });
}

// Positions return to the cell; decided by the state alone, never by the list.
void World::wrap_and_check() {
  const PeriodicCell& cell = settings_.cell;
  if (!scanned_) {
    block_scans_.assign((size() + grain_block - 1) / grain_block, {});
    for_blocks(settings_.threads, size(), grain_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
      cairn::kick_drift(settings_.simd, KickDrift{&state_.body, nullptr, 0, 0, {}, cell}, static_cast<int>(begin),
                        static_cast<int>(end), block_scans_[b]);
    });
    record_scan();
    outside_ = cell.any();
  }
  scanned_ = false;
  if (!outside_) return;
  outside_ = false;
  for (int row = 0; row < 3; ++row) {
    const Real length = (&cell.length.x)[row], low = (&cell.origin.x)[row];
    if (!(length > 0)) continue;
    Real* x = state_.body.row(BodyRow::x + row);
    for_blocks(settings_.threads, size(), grain_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
      for (auto i = begin; i < end; ++i) {
        if (x[i] >= low && x[i] < low + length) continue;
        const Real periods = std::floor((x[i] - low) / length);
        x[i] = x[i] - periods * length;
        if (x[i] >= low + length) x[i] = low;  // rounding of a position just below the cell
        if (std::fabs(periods) < 1e9) grains_.image[i][row] += static_cast<int>(periods);
      }
    });
  }
}

void World::insert(std::span<const GrainData> added, Real velocity_lag) {
  if (added.empty()) return;
  const auto finite = [](const Vector& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); };
  for (const GrainData& g : added) {
    if (!(g.radius > 0) || !(g.mass > 0)) throw Error(Exit::bad_input, "a grain needs a radius and a mass above zero");
    if (!finite(g.position) || !finite(g.velocity) || !finite(g.spin) || std::isinf(g.radius) || std::isinf(g.mass))
      throw Error(Exit::bad_input, "position, velocity, spin, radius and mass of a grain must be finite");
    if (g.material < 0 || g.material >= settings_.materials)
      throw Error(Exit::bad_input, "the material of a grain must be one of the materials of the world");
    for (Real period : {settings_.cell.length.x, settings_.cell.length.y, settings_.cell.length.z})
      if (period > 0 && period < 4 * g.radius)
        throw Error(Exit::bad_input, "found a period of " + brief(period) + " m and a grain of radius " +
                                         brief(g.radius) +
                                         " m; expected periods of at least two diameters, because otherwise two grains "
                                         "would touch each other twice");
  }
  const int before = size();
  const LedgerSnapshot snapshot = begun_ ? ledger_snapshot(velocity_lag) : LedgerSnapshot{};
  const std::int64_t first_id = next_id_;
  if (before == 0) grains_.for_each_field([&](const char*, auto& field) { field.reserve(added.size()); });
  for (const GrainData& g : added) {
    grains_.id.push_back(next_id_++);
    grains_.radius.push_back(g.radius);
    grains_.mass.push_back(g.mass);
    grains_.inverse_mass.push_back(1 / g.mass);
    grains_.inverse_inertia.push_back(settings_.rotation ? 1 / (0.4 * g.mass * g.radius * g.radius) : 0);
    grains_.material.push_back(g.material);
    grains_.image.push_back({});
    smallest_radius_ = smallest_radius_ > 0 ? std::min(smallest_radius_, g.radius) : g.radius;
  }
  for_each_state([&](State& y) {
    if (&y == &state_ || y.body.size() == before) y.body.resize(size());
  });
  current_rate_.body.resize(size());
  for (int k = before; k < size(); ++k) {
    const GrainData& g = added[k - before];
    state_.body.set(BodyRow::x, k, g.position);
    state_.body.set(BodyRow::v, k, g.velocity);
    state_.body.set(BodyRow::w, k, settings_.rotation ? g.spin : Vector{});
  }
  outside_ = settings_.cell.any();
  scanned_ = true;
  wrap_and_check();
  if (!begun_) return;
  for (int i = before; i < size(); ++i) gravitational_inflow_ += gravitational(i);
  rebuild(std::span<const std::int64_t>{});
  find_phases(false);
  carried_ = std::vector<int>();
  std::vector<std::int64_t> ids(added.size());
  std::iota(ids.begin(), ids.end(), first_id);
  record_jump(snapshot, with_touching(ids), velocity_lag, ids);
}

void World::remove(std::span<const std::int64_t> ids, Real velocity_lag) {
  if (ids.empty()) return;
  std::vector<std::int64_t> gone(ids.begin(), ids.end()), present = grains_.id;
  std::sort(gone.begin(), gone.end()), std::sort(present.begin(), present.end());
  if (std::adjacent_find(gone.begin(), gone.end()) != gone.end() ||
      !std::includes(present.begin(), present.end(), gone.begin(), gone.end()))
    throw Error(Exit::bad_input, "remove: each id must belong to a grain and appear once");
  const LedgerSnapshot snapshot = begun_ ? ledger_snapshot(velocity_lag) : LedgerSnapshot{};
  for (int i : grains_.by_id())
    if (begun_ && std::binary_search(gone.begin(), gone.end(), grains_.id[i]))
      gravitational_inflow_ -= gravitational(i);
  const std::vector<std::int64_t> touched = with_touching(gone);
  std::vector<std::int64_t> left;  // of those touched
  std::set_difference(touched.begin(), touched.end(), gone.begin(), gone.end(), std::back_inserter(left));
  rebuild(gone);
  carried_ = std::vector<int>();
  smallest_radius_ = size() > 0 ? *std::min_element(grains_.radius.begin(), grains_.radius.end()) : 0;
  if (!begun_) return;
  record_jump(snapshot, left, velocity_lag);
}

Real World::residual_at(Real velocity_lag) {
  const Synchronised now(*this, velocity_lag);
  return residual();
}

// These grains and all that touch them; in ascending order, as `ids`.
std::vector<std::int64_t> World::with_touching(std::span<const std::int64_t> ids) const {
  std::vector<std::int64_t> all(ids.begin(), ids.end());
  std::vector<char> listed(size());
  for (int i = 0; i < size(); ++i) listed[i] = std::binary_search(ids.begin(), ids.end(), grains_.id[i]);
  for (const auto& [i, j] : list_.pairs) {
    const bool first = listed[i];
    if (first == static_cast<bool>(listed[j])) continue;
    Vector d = state_.body.at(BodyRow::x, j) - state_.body.at(BodyRow::x, i);
    d -= settings_.cell.image(d);
    if (norm(d) < grains_.radius[i] + grains_.radius[j]) all.push_back(grains_.id[first ? j : i]);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

World::LedgerSnapshot World::ledger_snapshot(Real velocity_lag) {
  LedgerChannels power = current_rate_.ledger;
  if (!present_) {
    State now;  // no scratch, which would stay: schemes of motion verbs have none
    rates(state_, now);
    power = now.ledger;
  }
  return {residual_at(velocity_lag), power};
}

// Recomputes the accelerations of these grains, ids ascending, from all their contacts. Their forces have jumped: what
// schemes remember of them starts again with the present rate. Powers change by the jump alone, for those held may
// belong to other velocities than the present ones. Velocities of grains that have come step back to where the others
// are. What came or went of the energy is external work.
void World::record_jump(const LedgerSnapshot& before, std::span<const std::int64_t> touched, Real velocity_lag,
                        std::span<const std::int64_t> come) {
  const bool was_present = present_;
  State fresh;
  present_ = false;
  rates(state_, fresh);
  if (spring_rates_) fit(current_rate_);
  const auto take = [&](State& to, int i, Real ago) {
    to.body.set(BodyRow::x, i, fresh.body.at(BodyRow::x, i) - ago * fresh.body.at(BodyRow::v, i));
    for (int row : {BodyRow::v, BodyRow::w}) to.body.set(row, i, fresh.body.at(row, i));
    for (int e = list_.first[i]; e < list_.first[i + 1] && (&to != &current_rate_ || spring_rates_); ++e)
      for (int row = 0; row < to.bond.rows(); ++row)
        to.bond.row(row)[list_.contacts[e] >> 1] = fresh.bond.row(row)[list_.contacts[e] >> 1];
  };
  struct Kept {
    State* k;
    Real ago;  // [s] velocities are those under the present acceleration
  };
  std::vector<Kept> kept{{&current_rate_, 0}};
  const std::vector<Real> ago = remembered(clock_step_);
  for (int m = 0; m < memories(); ++m)
    if (memory(m).body.size() == size() && memory(m).bond.size() == list_.slots()) kept.push_back({&memory(m), ago[m]});
  for (int i = 0; i < size(); ++i)
    if (std::binary_search(touched.begin(), touched.end(), grains_.id[i]))
      for (const auto& [k, ago] : kept) take(*k, i, ago);
  for (const auto& [k, ago] : kept)
    for (int c = 0; c < Channel::count; ++c) k->ledger[c] += fresh.ledger[c] - before.power[c];
  if (velocity_lag != 0)
    for (int i = 0; i < size(); ++i)
      if (std::binary_search(come.begin(), come.end(), grains_.id[i]))
        for (int row : {BodyRow::v, BodyRow::w})
          state_.body.set(row, i, state_.body.at(row, i) - velocity_lag * fresh.body.at(row, i));
  present_ = was_present;
  state_.ledger[Channel::external] += residual_at(velocity_lag) - before.residual;
}

void World::begin(bool springs) {
  begun_ = true;
  fit(state_);
  current_rate_.resize(size(), springs ? list_.slots() : 0, spring_rows());
  spring_rates_ = springs;
  rebuild();
  find_phases(true);
  find_rates(state_, current_rate_, springs);
  present_ = true;
  const Energies now = energies();
  initial_energy_ = now.mechanical() - now.slip_held - now.rolling_held;
  gravitational_inflow_ = 0;
  guard_statistics_ = {}, contact_count_ = {};
  record(sums_);
}

}  // namespace cairn
