#include "cairn/world/contact_forces.hpp"

#include <algorithm>
#include <utility>

#include "cairn/core/parallel.hpp"

namespace cairn {

ContactTables ContactForces::tables(const WorldSettings& settings, const Bodies& bodies, const ContactList& list,
                                    Real* rows) {
  const SlotFields& slots = list.slots();
  return {.grains = &bodies.grains(),
          .cell = settings.cell,
          .materials = settings.materials,
          .pairs = list.neighbours().pairs,
          .walls = list.neighbours().walls,
          .surfaces = settings.surfaces,
          .inverse_masses = settings.inverse_masses,
          .one_radius = bodies.one_radius(),
          .shallow = shallow_depth * bodies.smallest_radius(),
          .rows = rows,
          .row_starts = nullptr,
          .phases = slots.phase.values.data(),
          .sustains = settings.onset,
          .onset_speeds = slots.onset_speed.values.data(),
          .changed_phase = nullptr,
          .rolling = settings.rolls() ? settings.rolling.data() : nullptr};
}

void ContactForces::pass(const ForcePass& what, const WorldSettings& settings, Bodies& bodies, ContactList& list,
                         States& states, Domain& domain) {
  const ContactPass& p = what.contacts;
  State* const rate = what.rate;
  const NeighbourList& neighbours = list.neighbours();
  if (!what.active_known) list.find_active({*p.y, p.whole_step, p.drift, p.close}, bodies, states, settings);
  const Sweep& sweep = list.sweep();
  const int pairs = static_cast<int>(neighbours.pairs.size()), walls = static_cast<int>(neighbours.walls.size());
  const int blocks = sweep.blocks(), stride = row_length_of(settings.rolls());
  rows_.resize(static_cast<std::size_t>(sweep.rows()) * stride);
  std::fill_n(rows_.end() - stride, stride, 0.0);
  ContactTables common = tables(settings, bodies, list, rows_.data());
  common.row_starts = sweep.row_starts();
  partial_sums_.assign(settings.threads, {}), others_sums_.resize(settings.threads);
  const Particles& grains = bodies.grains();
  const std::vector<Sweep::Part>& parts = sweep.parts();
  // Those of an earlier pass may stand elsewhere.
  changed_.resize(what.observed ? blocks + sweep.stretches() : 0);
  changed_slots_.resize(settings.threads);
  const bool keeps_rows = what.observed && settings.onset, keeps_trials = keeps_rows && p.close;
  changed_rows_.resize(keeps_rows ? changed_.size() : 0);
  if (keeps_trials) trials_.resize(changed_.size());

  const ContactScene scene{settings, grains, neighbours, list.slots(), domain};
  const auto wall_row = [&](int k) { return rows_.data() + sweep.start_of_row(pairs + k); };
  const auto contacts = [&](std::ptrdiff_t b, auto&& f) {
    ContactTables t = common;
    const int thread = thread_number(settings.threads);
    std::vector<int>& changed = changed_slots_[thread];
    changed.clear();
    if (what.observed) t.changed_phase = &changed;
    if (keeps_trials) trials_[b].clear(), t.trials = &trials_[b];
    const bool others = b < blocks && sweep.first_grain(static_cast<int>(b)) < grains.own_begin();
    f(t, (others ? others_sums_ : partial_sums_)[thread]);
    if (what.observed) changed_[b].clear();
    if (keeps_rows) changed_rows_[b].clear();
    for (const int slot : changed) {  // while what is known of them is in the cache
      const Phase was = scene.slots.phase[slot];
      // Those that were open have begun, and are known; or would not touch, were not others corrected.
      if (settings.onset && was == Phase::open) continue;
      const EventKind kind = was == Phase::clipped ? EventKind::clipped : EventKind::ends;
      changed_[b].push_back({.slot = slot, .grains = scene.bodies(slot), .kind = kind});
      if (!keeps_rows) continue;
      const Real* const of = rows_.data() + sweep.start_of_row(slot);
      changed_rows_[b].insert(changed_rows_[b].end(), of, of + stride);
    }
  };
  const auto first_wall_of = [&](int block) {
    return static_cast<int>(
        std::partition_point(neighbours.walls.begin(), neighbours.walls.end(),
                             [&](const WallPair& w) { return w.grain < sweep.first_grain(block); }) -
        neighbours.walls.begin());
  };
  const auto walls_of = [&](int begin, int end, int stretch) {
    const int first = first_wall_of(begin), last = first_wall_of(end);
    contacts(blocks + stretch, [&](const ContactTables& t, PartialSums& sums) {
      for (int at = first; at < last; at += pass_contacts)
        wall_pass(settings.simd, p, t, settings.laws, nullptr, pairs + at, pairs + std::min(at + pass_contacts, last),
                  sweep.wall_row(at), sums);
    });
  };

  const auto contacts_of = [&](int b) {
    const int first = sweep.first_slot(b), last = sweep.first_slot(b + 1);
    if (p.rate)
      for (int k = 0; k < p.rate->bond.rows(); ++k)
        std::fill(p.rate->bond.row(k) + first, p.rate->bond.row(k) + last, 0.0);
    const int active = sweep.end_of_active(b);
    contacts(b, [&](const ContactTables& t, PartialSums& sums) {
      for (int at = first; at < active; at += pass_contacts)
        pair_pass(settings.simd, p, t, settings.laws, nullptr, at, std::min(at + pass_contacts, active), 0, sums);
    });
  };
  bodies.scan_blocks(blocks);
  const Gather from{.grains = &bodies.grains(),
                    .rows = rows_.data(),
                    .first_column = sweep.first_column(),
                    .columns = sweep.columns(),
                    .sources = sweep.sources(),
                    .gravity = settings.gravity,
                    .equal_radii = bodies.one_radius() > 0,
                    .rolls = settings.rolls(),
                    .rate = rate ? &rate->body : nullptr,
                    .kicked = what.kicked ? &what.kicked->body : nullptr,
                    .kick = what.kick};
  const auto forces_of = [&](int b) {
    const int begin = sweep.first_grain(b), end = std::min(bodies.size(), sweep.first_grain(b + 1));
    const int end_of_own = std::min(end, grains.own_end());
    if (rate && grains.own_begin() <= begin && begin < end_of_own)
      gather(settings.simd, from, begin, end_of_own, bodies.scan_of(b));
    for (int i = begin; i < end && p.rate; ++i) rate->body.set(BodyRow::x, i, p.y->body.at(BodyRow::v, i));
  };
  int before = 0;  // stretches of earlier parts
  for (const Sweep::Part& part : parts) {
    help_each_other(part.first_of, [&](int stretch, int thread) {
      const int begin = part.stretches[stretch], end = part.stretches[stretch + 1];
      walls_of(begin, end, before + stretch);
      for (int b = begin; b < end; ++b) {
        contacts_of(b);
        if (!sweep.waits(b)) forces_of(b);
        if (thread == 0 && rate) domain.go_on_sharing();
      }
    });
    before += part.first_of.back();
    help_each_other(part.first_waiting, [&](int k, int) { forces_of(part.waiting[k]); });
    if (rate && &part == &parts.front()) domain.begin_share(rate->body);
  }
  find_sums(what, domain);
  ++passes_;
  on_loaded_walls_.assign(settings.loaded_walls.size(), {});
  if (settings.loaded_walls.empty()) return;
  std::vector<ReproducibleVectorSum> on_walls(settings.loaded_walls.size());
  for (int k = 0; k < walls; ++k)
    if (const int wall = settings.surfaces[neighbours.walls[k].surface].loaded; wall >= 0) {
      const Real* const of = wall_row(k);
      on_walls[wall].add({-of[0], -of[1], -of[2]});
    }
  for (std::size_t w = 0; w < on_walls.size(); ++w) domain.add(on_walls[w]), on_loaded_walls_[w] = on_walls[w].value();
}

void ContactForces::find_sums(const ForcePass& what, const Domain& domain) {
  struct All {
    PartialSums sums;
    bool changed;
    void add(const All& more) { sums.add(more.sums), changed = changed || more.changed; }
  } all{partial_sums_[0],
        what.has_begun || std::any_of(changed_.begin(), changed_.end(), [](const auto& of) { return !of.empty(); })};
  for (std::size_t t = 1; t < partial_sums_.size(); ++t) all.sums.add(partial_sums_[t]);
  domain.add(all);
  sums_ = all.sums.total();
  if (what.observed) any_changed_phase_ = all.changed;
}

void ContactForces::take_changed_phase(std::vector<EventContact>& events) {
  if (!std::exchange(any_changed_phase_, false)) return;
  std::size_t count = events.size();
  for (const auto& of : changed_) count += of.size();
  events.reserve(count);
  for (std::size_t b = 0; b < changed_.size(); ++b) {
    const Real* row = b < changed_rows_.size() ? changed_rows_[b].data() : nullptr;
    const std::size_t length = row ? changed_rows_[b].size() / std::max<std::size_t>(1, changed_[b].size()) : 0;
    for (EventContact& of : changed_[b]) {
      of.row = std::exchange(row, row + length);
      events.push_back(of);
    }
  }
}

std::vector<TrialSpring> ContactForces::take_trial_springs() {
  std::vector<TrialSpring> all;
  for (auto& block : trials_) {
    all.insert(all.end(), block.begin(), block.end());
    block.clear();
  }
  const auto before = [](const TrialSpring& a, const TrialSpring& b) { return a.slot < b.slot; };
  if (!std::is_sorted(all.begin(), all.end(), before)) std::sort(all.begin(), all.end(), before);
  return all;
}

}  // namespace cairn
