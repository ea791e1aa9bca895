// The order in which contact onsets are corrected where several ranks share grains (domain/domain.hpp): as in one rank,
// corrections of the same grain are made one after the other, by ids. Chains of them may pass through any number of
// ranks, so they are made in rounds: each contact when all that come before it, of either grain, are done. Both ranks
// of a contact correct it, from the same bits; then the owners tell the others how their grains move.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/world/event_contact.hpp"
#include "cairn/world/event_parts.hpp"
#include "cairn/world/grain_numbers.hpp"

namespace cairn {

class SharedCorrections {
 public:
  // The corrections of a grain are a chain: two for each event, one for each side.
  struct OfGrain {
    int first = -1, last = -1;  // 2 * index of event + side
    int count = 0, done = 0;
  };
  // All ranks together. `events` are those that this rank corrects.
  SharedCorrections(const EventParts& parts, std::span<const EventContact> events);
  SharedCorrections(const SharedCorrections&) = delete;
  SharedCorrections& operator=(const SharedCorrections&) = delete;

  // Copies of grains that some rank corrects.
  const std::vector<int>& copies() const { return copies_; }
  // Calls correct(indices of events) in each round until this rank and those beside it have made all their corrections:
  // those of others move no grains that are known here.
  template <class Correct>
  void in_rounds(Correct&& correct) {
    while (goes_on()) {
      const std::vector<int> now = take_ready();
      correct(now);
      finish_round(now);
    }
  }

 private:
  void chain();
  OfGrain& of_grain(int i);
  bool goes_on() const;
  std::vector<int> take_ready();
  void finish_round(std::span<const int> made);

  const EventParts& parts_;
  std::span<const EventContact> events_;
  std::vector<int> left_;                 // indices of events whose corrections are not made
  bool goes_on_here_;                     // whether there were any before this round
  std::vector<std::array<int, 2>> turn_;  // of each event: how many corrections of each body come before it
  std::vector<int> next_;                 // in the chains; -1: none
  GrainNumbers numbers_;                  // of the chains
  std::vector<OfGrain> chains_;
  std::vector<int> copies_;
  struct Shared {
    std::vector<int> sends, receives;  // grains that are corrected, of a link
    bool other_goes_on = false;        // whether the other rank has corrections left
    std::vector<Real> sent, received;
  };
  std::vector<Shared> shared_;  // of each link
};

}  // namespace cairn
