#include "cairn/world/migration.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "cairn/world/nearby_ranks.hpp"

namespace cairn {

namespace {

// [m] How far outside of the cell it is: by the way of a step, at most.
Real outside(const PeriodicCell& cell, const Vector& x) {
  Real most = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const Real length = (&cell.length.x)[axis], low = (&cell.origin.x)[axis], at = (&x.x)[axis];
    if (length > 0) most = std::max({most, low - at, at - low - length});
  }
  return most;
}

// A message of grains begins with their number, or with that of all still to come.
std::ptrdiff_t sum_of_heads(std::span<const Bytes> messages) {
  std::ptrdiff_t sum = 0;
  for (const Bytes& message : messages)
    if (!message.empty()) sum += ByteReader(message).take<std::ptrdiff_t>();
  return sum;
}

// Some grains, one behind the other, as the search takes them. They are taken anew for each of its two calls: kept,
// they would stand in memory beside arrays that are arranged in between.
struct Taken {
  Taken(const State& y, const Particles& grains, std::span<const int> some) {
    for (auto* a : {&x_, &y_, &z_, &radius_}) a->reserve(some.size());
    id_.reserve(some.size());
    for (const int i : some) {
      const Vector at = y.body.at(BodyRow::x, i);
      x_.push_back(at.x), y_.push_back(at.y), z_.push_back(at.z);
      radius_.push_back(grains.radius[i]), id_.push_back(grains.id[i]);
    }
  }
  Spheres spheres() const {
    return {static_cast<int>(x_.size()), {x_.data(), 1}, {y_.data(), 1}, {z_.data(), 1}, radius_.data(), id_.data()};
  }

 private:
  std::vector<Real> x_, y_, z_, radius_;
  std::vector<std::int64_t> id_;
};

}  // namespace

Following following(const Domain& domain, const Bodies& bodies, States& states, const NeighbourList& list) {
  Following all;
  int k = 0;
  states.for_each([&](State& s) {
    const std::uint64_t bit = std::uint64_t{1} << k++;
    const bool springs = (&s != &states.current_rate || states.spring_rates) && s.bond.size() == list.slots();
    if (s.body.size() != bodies.size()) all.bodies &= ~bit;
    if (!springs || s.body.size() != bodies.size()) all.springs &= ~bit;
  });
  domain.reduce(
      all, [](Following& into, const Following& other) { into.bodies &= other.bodies, into.springs &= other.springs; });
  return all;
}

Migration::Migration(const State& y, Real skin, Domain& domain, Bodies& bodies, States& states,
                     const NeighbourList& list, SlotFields& slots, const WorldSettings& settings)
    : domain_(domain),
      bodies_(bodies),
      states_(states),
      settings_(settings),
      old_size_(list.first.empty() ? 0 : bodies.size()) {
  const Following follow = following(domain, bodies, states, list);
  int k = 0;
  states.for_each([&](State&) {
    has_bodies_.push_back(follow.bodies >> k & 1);
    has_springs_.push_back(follow.springs >> k++ & 1);
  });
  old_ids_ = bodies.grains().id;
  copies_.resize(static_cast<std::size_t>(domain.ranks().count()));
  if (!domain.gathers()) balance(y, list);
  send_grains(y, list, slots);
  many_move_ = 4 * own_.size() < 3 * old_ids_.size() || own_.size() > 2 * old_ids_.size() || domain.gathers();
  if (!domain.gathers()) send_copies(y, skin);
}

// Divides space anew where some rank has far more to do than its share.
void Migration::balance(const State& y, const NeighbourList& list) {
  constexpr Real most = 1.1;  // [-] of the mean
  const Particles& grains = bodies_.grains();
  std::vector<Vector> centres;
  std::vector<float> weights;  // contacts take most of the time
  for (int i = grains.own_begin(); i < grains.own_end(); ++i) {
    centres.push_back(y.body.at(BodyRow::x, i));
    weights.push_back(static_cast<float>(1 + (list.first.empty() ? 0 : list.first[i + 1] - list.first[i])));
  }
  struct Load {
    Real largest, sum;
  } load{std::accumulate(weights.begin(), weights.end(), Real{0}), 0};
  load.sum = load.largest;
  domain_.reduce(load, [](Load& into, const Load& other) {
    into.largest = std::max(into.largest, other.largest), into.sum += other.sum;
  });
  if (domain_.ranks().count() * load.largest > most * load.sum) domain_.partition().divide(centres, weights);
}

void Migration::write_grain(int i, ByteWriter& to) {
  bodies_.write(i, to);
  int k = 0;
  states_.for_each([&](State& s) {
    if (!has_bodies_[k++]) return;
    Real of[BodyRows::numbers];
    s.body.write(i, of), to.add(of, sizeof of);
  });
}

// Growing as vectors do would take twice the memory for a moment.
void Migration::make_room(std::ptrdiff_t grains) {
  const auto size = static_cast<int>(bodies_.size() + grains + grains / 16);
  bodies_.reserve(size);
  int k = 0;
  states_.for_each([&](State& s) {
    if (has_bodies_[k++]) s.body.reserve(size);
  });
}

// At the end of all arrays; returns its index.
int Migration::append_grain(ByteReader& from) {
  const int i = bodies_.size();
  bodies_.append(from);
  int k = 0;
  states_.for_each([&](State& s) {
    if (!has_bodies_[k++]) return;
    Real of[BodyRows::numbers];
    from.take(of, sizeof of);
    s.body.resize(i + 1), s.body.read(i, of);
  });
  return i;
}

void Migration::send_grains(const State& y, const NeighbourList& list, SlotFields& slots) {
  const int me = domain_.ranks().own(), pairs = static_cast<int>(list.pairs.size());
  const Particles& grains = bodies_.grains();
  std::vector<int> owners;                            // of own grains
  std::vector<std::ptrdiff_t> leave(copies_.size());  // for each rank, so many
  for (int i = grains.own_begin(); i < grains.own_end(); ++i)
    ++leave[owners.emplace_back(domain_.owner_of(y.body.at(BodyRow::x, i)))];
  const auto owner_of = [&](int i) { return owners[i - grains.own_begin()]; };
  const auto lives = [&](int slot) {
    return slots.phase[slot] != Phase::open || states_.any_stretched(slot, list.slots());
  };
  // Where both grains of a contact go the same way, one takes it along.
  const auto goes_with_other = [&](int i, int entry) {
    if ((entry >> 1) >= pairs) return false;
    const Pair& p = list.pairs[entry >> 1];
    const int other = entry & 1 ? p.first : p.second;
    return grains.own(other) && owner_of(other) == owner_of(i) && other < i;
  };
  const auto write_contacts = [&](int i, ByteWriter& message) {
    std::vector<int> living;
    for (int e = list.first.empty() ? 0 : list.first[i]; !list.first.empty() && e < list.first[i + 1]; ++e)
      if (lives(list.contacts[e] >> 1) && !goes_with_other(i, list.contacts[e])) living.push_back(list.contacts[e]);
    message.add(static_cast<int>(living.size()));
    for (const int entry : living) {
      const int slot = entry >> 1, side = entry & 1;
      if (slot >= pairs) {
        message.add(std::int64_t{-1} - list.walls[slot - pairs].surface);
      } else {
        const Pair& p = list.pairs[slot];
        message.add(grains.id[side ? p.first : p.second]);
      }
      slots.for_each_field([&](auto& field) {
        if (field.used) message.add(field[slot]);
      });
      int k = 0;
      states_.for_each([&](State& s) {
        if (!has_springs_[k++]) return;
        for (int row = 0; row < s.bond.rows(); ++row) message.add((side ? -1 : 1) * s.bond.row(row)[slot]);
      });
    }
  };
  contact_bytes_ = sizeof(Real) * static_cast<std::size_t>(std::count(has_springs_.begin(), has_springs_.end(), true)) *
                   static_cast<std::size_t>(states_.present.bond.rows());
  slots.for_each_field([&]<class T>(SlotField<T>& field) { contact_bytes_ += field.used ? sizeof(T) : 0; });
  // In pieces, for the messages of all grains would take as much memory as the grains.
  constexpr std::size_t piece = 4 << 20;  // [B]
  const int end = grains.own_end();
  for (int i = grains.own_begin(); domain_.any(i < end);) {
    std::vector<Bytes> to(copies_.size());
    for (std::size_t rank = 0; rank < to.size(); ++rank)
      if (leave[rank] > 0 && static_cast<int>(rank) != me) ByteWriter(to[rank]).add(leave[rank]);
    for (std::size_t bytes = 0; i < end && bytes < piece; ++i) {
      const int owner = owner_of(i);
      if (owner == me) {
        own_.push_back(i);
        continue;
      }
      const std::size_t before = to[owner].size();
      ByteWriter message(to[owner]);
      write_grain(i, message);
      write_contacts(i, message);
      bytes += to[owner].size() - before;
      --leave[owner];
    }
    const std::vector<Bytes> all = domain_.ranks().exchange(std::move(to));
    make_room(sum_of_heads(all));  // with later pieces
    for (const Bytes& message : all) {
      ByteReader from(message);
      if (!from.empty()) from.take<std::ptrdiff_t>();
      while (!from.empty()) {
        const int came = append_grain(from);
        own_.push_back(came);
        for (int left = from.take<int>(); left > 0; --left) {
          arrived_.push_back({came, from.take<std::int64_t>()});
          const std::size_t at = known_.size();
          known_.resize(at + contact_bytes_);
          from.take(known_.data() + at, contact_bytes_);
        }
      }
    }
  }
}

void Migration::send_copies(const State& y, Real skin) {
  const Particles& grains = bodies_.grains();
  struct Most {
    Real radius = 0, outside = 0;
    bool may_be_outside = false;
  } most{.may_be_outside = bodies_.may_be_outside()};
  for (const int i : own_) {
    most.radius = std::max(most.radius, grains.radius[i]);
    most.outside = std::max(most.outside, outside(settings_.cell, y.body.at(BodyRow::x, i)));
  }
  domain_.reduce(most, [](Most& into, const Most& other) {
    into.radius = std::max(into.radius, other.radius), into.outside = std::max(into.outside, other.outside);
    into.may_be_outside = into.may_be_outside || other.may_be_outside;
  });
  bodies_.may_be_outside(most.may_be_outside);  // grains that came may have left the cell in this step
  std::vector<Bytes> to(copies_.size());
  std::vector<int> ranks;
  for (const int i : own_) {
    const Vector x = y.body.at(BodyRow::x, i);
    ranks_near(domain_, settings_.cell, x, grains.radius[i] + most.radius + skin, most.outside, ranks);
    for (const int rank : ranks) copies_[rank].sends.push_back(i);
  }
  for (Copies& of : copies_)
    std::sort(of.sends.begin(), of.sends.end(), [&](int a, int b) { return grains.id[a] < grains.id[b]; });
  for (std::size_t rank = 0; rank < to.size(); ++rank) {
    if (copies_[rank].sends.empty()) continue;
    ByteWriter message(to[rank]);
    message.add(std::ssize(copies_[rank].sends));
    for (const int i : copies_[rank].sends) write_grain(i, message);
  }
  const std::vector<Bytes> all = domain_.ranks().exchange(std::move(to));
  make_room(sum_of_heads(all));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    ByteReader from(all[rank]);
    if (!from.empty()) from.take<std::ptrdiff_t>();
    while (!from.empty()) copies_[rank].receives.push_back(append_grain(from));
  }
}

std::vector<int> Migration::arrange(const State& y, Real skin) {
  const Particles& grains = bodies_.grains();
  const int me = domain_.ranks().own(), threads = settings_.threads;
  enum Part : char { gone, below, copied, own, above };  // own: and not copied
  std::vector<Part> part(grains.id.size(), gone);
  for (const int i : own_) part[i] = own;
  for (std::size_t rank = 0; rank < copies_.size(); ++rank) {
    for (const int i : copies_[rank].sends) part[i] = copied;
    for (const int i : copies_[rank].receives) part[i] = static_cast<int>(rank) < me ? below : above;
  }

  std::vector<int> by_cell;
  {
    std::vector<int> kept;
    for (int i = 0; i < grains.size(); ++i)
      if (part[i] != gone) kept.push_back(i);
    search_.order(Taken(y, grains, kept).spheres(), settings_.cell, skin, threads, by_cell);
    for (int& k : by_cell) k = kept[k];
  }

  std::vector<int> order;
  const auto append = [&](Part of) {
    const std::size_t before = order.size();
    for (const int i : by_cell)
      if (part[i] == of) order.push_back(i);
    return static_cast<int>(order.size() - before);
  };
  int copies_below = append(below), fill = 0;
  // Groups of slots are of own grains or of copies.
  const int group = NeighbourList::usual_group(static_cast<int>(by_cell.size()), threads);
  while (copies_below % group != 0) order.push_back(order.front()), ++copies_below, ++fill;
  const int copied_by_others = append(copied);
  append(own);
  const int copies_above = append(above);

  now_.assign(grains.id.size(), -1);
  for (int k = 0; k < static_cast<int>(order.size()); ++k)
    if (k < copies_below - fill || k >= copies_below) now_[order[k]] = k;
  places_.clear();
  for (const int i : by_cell) places_.push_back(now_[i]);

  // A grain that came may have been here before: as a copy, or because its owner has changed.
  std::vector<std::pair<std::int64_t, int>> here;
  for (int i = 0; i < old_size_ && bodies_.size() > old_size_; ++i)
    if (part[i] != own && part[i] != copied) here.emplace_back(old_ids_[i], i);
  std::sort(here.begin(), here.end());
  std::vector<int> old_place(order.size(), -1);
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (static_cast<int>(k) >= copies_below - fill && static_cast<int>(k) < copies_below) continue;
    const int i = order[k];
    if (i < old_size_) {
      old_place[k] = i;
      continue;
    }
    const auto at = std::lower_bound(here.begin(), here.end(), std::pair{grains.id[i], 0});
    if (at != here.end() && at->first == grains.id[i]) old_place[k] = at->second;
  }

  SpareReals spare;
  int s = 0;
  states_.for_each([&](State& state) {
    if (!has_bodies_[s++]) return;
    state.body.rearrange(order, spare, threads);
    if (many_move_) state.body.shrink();
  });
  bodies_.rearrange_apart(order, {copies_below, fill, copied_by_others, copies_above}, threads);
  own_ = std::vector<int>(), old_ids_ = std::vector<std::int64_t>();  // the search takes memory enough
  return old_place;
}

void Migration::find_candidates(const State& y, Real skin, std::vector<int>& first, std::vector<int>& candidates) {
  const Particles& grains = bodies_.grains();
  std::vector<int> first_found, found;
  search_.candidates(Taken(y, grains, places_).spheres(), settings_.cell, skin, settings_.threads, first_found, found);
  search_ = NeighbourSearch();
  if (many_move_) domain_.ranks().return_memory();
  first.assign(static_cast<std::size_t>(grains.size()) + 1, 0);
  const auto each = [&](auto&& what) {
    for (std::size_t k = 0; k < places_.size(); ++k)
      for (int c = first_found[k]; c < first_found[k + 1]; ++c) {
        const auto [low, high] = std::minmax(places_[k], places_[found[c]]);
        if (grains.own(low) || grains.own(high)) what(low, high);
      }
  };
  each([&](int low, int) { ++first[low + 1]; });
  for (int i = 0; i < grains.size(); ++i) first[i + 1] += first[i];
  candidates.resize(first.back());
  std::vector<int> next(first.begin(), first.end() - 1);
  each([&](int low, int high) { candidates[next[low]++] = high; });
  for (int i = 0; i < grains.size(); ++i) {  // those of most grains are of one part, and ascend
    const auto begin = candidates.begin() + first[i], end = candidates.begin() + first[i + 1];
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
  }
}

void Migration::finish(const NeighbourList& list, SlotFields& slots) {
  const Particles& grains = bodies_.grains();
  const int pairs = static_cast<int>(list.pairs.size());
  ByteReader known(known_);
  for (const Contact& c : arrived_) {
    const int i = now_[c.grain];
    int found = -1;
    for (int e = list.first[i]; e < list.first[i + 1]; ++e) {
      const int slot = list.contacts[e] >> 1;
      const std::int64_t other =
          slot >= pairs ? std::int64_t{-1} - list.walls[slot - pairs].surface
                        : grains.id[list.contacts[e] & 1 ? list.pairs[slot].first : list.pairs[slot].second];
      if (other == c.other) found = list.contacts[e];
    }
    if (found < 0) throw std::logic_error("a contact that came from another rank is not in the list");
    const int slot = found >> 1, side = found & 1;
    slots.for_each_field([&](auto& field) {
      if (field.used) known.value("", field[slot]);
    });
    int k = 0;
    states_.for_each([&](State& s) {
      if (!has_springs_[k++]) return;
      for (int row = 0; row < s.bond.rows(); ++row) s.bond.row(row)[slot] = (side ? -1 : 1) * known.take<Real>();
    });
  }
  int state = 0;
  states_.for_each([&](State& s) {
    if (has_bodies_[state] && !has_springs_[state]) s.bond.resize(0);
    ++state;
  });
  std::vector<Domain::Link> links;
  for (std::size_t rank = 0; rank < copies_.size(); ++rank) {
    Copies& of = copies_[rank];
    if (of.sends.empty() && of.receives.empty()) continue;
    for (std::vector<int>* all : {&of.sends, &of.receives})
      for (int& i : *all) i = now_[i];
    links.push_back({static_cast<int>(rank), std::move(of.sends), std::move(of.receives)});
  }
  domain_.set_links(std::move(links));
  if (many_move_)
    domain_.ranks().return_memory();  // else the next list needs it, and new pages take longer than a list
}

}  // namespace cairn
