// The share of a rank in a run. It owns some grains and holds copies of those of other ranks that may touch them. Both
// ranks of a contact between them compute it, from the same bits; a rank that is alone owns all grains.
//
// The motion of a copy is computed where it is, as that of its owner's grain is: all it needs are the accelerations,
// which share() brings after each force. Rejected: forces sent back to the owner, which is a second message in every
// step; positions sent before each force, which leaves copies without the velocities at the end of a step.
#pragma once
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/core/reproducible_sum.hpp"
#include "cairn/domain/ranks.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

// What all ranks look at together.
enum class Question {
  energies,
  momenta,
  moments,
  wall_loads,
  extent,
  closed,
  lightest,
  lost_grains,
  round_off,
  network_bound,
  contact_count,
  saved,
  records,
  fields,
  contacts,
  probes,
  ended_contacts,
  standing_contacts,
  leaving,
  near_emitter,
  look,
  view,
  picture
};

class Domain {
 public:
  // Grains that this rank and another both hold.
  struct Link {
    int rank;
    std::vector<int> sends, receives;  // indices of own grains that the other copies, of copies of the other's grains
  };

  Domain() = default;
  // `tell` brings the other ranks a question and its parameters, as bytes; rank 0 alone has it.
  Domain(Ranks& ranks, Partition& partition, std::function<void(const Bytes&)> tell)
      : ranks_(&ranks), partition_(&partition), tell_(std::move(tell)) {}

  Ranks& ranks() const { return *ranks_; }
  Partition& partition() const { return *partition_; }
  bool exists() const { return ranks_ != nullptr; }
  bool leads() const { return !ranks_ || ranks_->own() == 0; }
  // The grains are apart: spread over the ranks. Else rank 0 has them all, and calls below return at once.
  bool apart() const { return apart_; }
  void set_apart(bool apart) { apart_ = apart; }
  // Owns a grain whose centre is there [m], once the list is built anew.
  int owner_of(const Vector& centre) const {
    if (gathers_) return 0;
    return partition_->within_own(centre, centre) ? ranks_->own() : partition_->rank_at(centre);
  }
  void set_gathers(bool gathers) { gathers_ = gathers; }
  bool gathers() const { return gathers_; }
  // The grains of a link stand in the same order on both ranks.
  void set_links(std::vector<Link> links) { links_ = std::move(links); }
  const std::vector<Link>& links() const { return links_; }

  // Every rank calls this before it looks at its own grains. Rank 0 then tells the others to look too.
  template <class... Parameters>
  void ask(Question question, const Parameters&... parameters) const {
    if (!apart_ || !tell_) return;
    Bytes words(sizeof question);
    std::memcpy(words.data(), &question, sizeof question);
    ByteWriter message(words);
    (message.add(parameters), ...);
    tell_(words);
  }

  // Copies get the velocities and spins of these rows, in a rate the accelerations. What is begun may take its way
  // while this rank does other things with other ranks.
  void begin_share(const BodyRows& rows) const;
  // Comes now and then meanwhile, from the thread that began it; also before it begins.
  void go_on_sharing() const {
    constexpr int between = 8;  // calls; each may take as long as some grains
    if (apart_ && ++calls_ % between == 0) ranks_->go_on_swapping();
  }
  void finish_share(BodyRows& rows) const;
  void share(BodyRows& rows) const { begin_share(rows), finish_share(rows); }
  // Those of some own grains alone; copies among them do not count.
  void share_some(BodyRows& rows, std::span<const int> grains);

  template <class T, class Combine>
  void reduce(T& a, Combine combine) const {
    if (apart_) ranks_->reduce(a, combine);
  }
  static Real larger(Real a, Real b) { return b > a || b != b ? b : a; }  // a NaN is larger than any number
  Real largest(Real a) const {
    reduce(a, [](Real& into, const Real& other) { into = larger(into, other); });
    return a;
  }
  bool any(bool a) const {
    reduce(a, [](bool& into, const bool& other) { into = into || other; });
    return a;
  }
  // Rank 0 gets those of the others behind its own, and these have none then.
  template <class T>
  void collect(std::vector<T>& all) const {
    if (!apart_) return;
    std::vector<Bytes> to(static_cast<std::size_t>(ranks_->count()));
    if (!leads()) {
      ByteWriter message(to[0]);
      for (const T& a : all) message.add(&a, sizeof a);
      all.clear();
    }
    for (const Bytes& from : ranks_->exchange(std::move(to)))
      for (ByteReader message(from); !message.empty();) message.take(&all.emplace_back(), sizeof(T));
  }
  // The sum of all ranks.
  template <class Sum>
  void add(Sum& sum) const {
    reduce(sum, [](Sum& into, const Sum& other) {
      if constexpr (std::is_integral_v<Sum>)
        into += other;
      else
        into.add(other);
    });
  }

 private:
  Ranks* ranks_ = nullptr;
  Partition* partition_ = nullptr;
  bool apart_ = false, gathers_ = false;
  std::function<void(const Bytes&)> tell_;
  std::vector<Link> links_;
  mutable unsigned calls_ = 0;                              // of go_on_sharing()
  mutable std::vector<std::vector<Real>> sent_, received_;  // of each link, within share() and share_some()
  std::vector<char> marked_;                                // grains, within share_some()
};

}  // namespace cairn
