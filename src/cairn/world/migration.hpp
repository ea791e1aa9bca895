// Grains that move between ranks, with their contacts, when the neighbour list is built anew; and the copies that ranks
// then hold of each other's grains (domain/domain.hpp).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/domain/domain.hpp"
#include "cairn/search/neighbour_list.hpp"
#include "cairn/search/neighbours.hpp"
#include "cairn/world/bodies.hpp"
#include "cairn/world/states.hpp"

namespace cairn {

Following following(const Domain& domain, const Bodies& bodies, States& states, const NeighbourList& list);

class Migration {
 public:
  // All ranks together; before the old list gives up any of its parts. Grains go to their owners at the positions of y,
  // and copies to all ranks where a grain may be closer than `skin` [m]. Those that came stand behind the others until
  // arrange().
  Migration(const State& y, Real skin, Domain& domain, Bodies& bodies, States& states, const NeighbourList& list,
            SlotFields& slots, const WorldSettings& settings);

  // Brings grains into the order of their cells, copies below and above; those that are gone leave all arrays. Returns
  // where each grain stands in the old list; -1: nowhere.
  std::vector<int> arrange(const State& y, Real skin);
  // The candidates of a list of these grains, as NeighbourSearch finds them. Two copies are none.
  void find_candidates(const State& y, Real skin, std::vector<int>& first, std::vector<int>& candidates);
  // Whether state k of States::for_each follows the slots of the list, on all ranks.
  bool follows_slots(int k) const { return has_springs_[k]; }
  // Gives the contacts that came their slots in the new list, with all that is known of them; and tells the domain
  // which grains it shares.
  void finish(const NeighbourList& list, SlotFields& slots);

 private:
  struct Contact {
    int grain;           // index
    std::int64_t other;  // id of the other grain; -1 - surface
  };
  void balance(const State& y, const NeighbourList& list);
  void send_grains(const State& y, const NeighbourList& list, SlotFields& slots);
  void send_copies(const State& y, Real skin);
  void write_grain(int i, ByteWriter& to);
  void make_room(std::ptrdiff_t grains);  // for so many more
  int append_grain(ByteReader& from);

  Domain& domain_;
  Bodies& bodies_;
  States& states_;
  const WorldSettings& settings_;
  int old_size_ = 0;        // grains in the old list
  bool many_move_ = false;  // grains are spread, or gathered: what they leave behind is worth giving back
  std::vector<char> has_bodies_, has_springs_;  // of each state
  std::vector<int> own_;                        // indices
  struct Copies {
    std::vector<int> sends, receives;  // indices, by ascending id
  };
  std::vector<Copies> copies_;    // of each rank
  std::vector<Contact> arrived_;  // contacts of grains that came
  Bytes known_;                   // the fields of the slot and the springs of each
  std::size_t contact_bytes_ = 0;
  std::vector<std::int64_t> old_ids_;
  std::vector<int> now_;  // where the grains that stood at an index before arrange() stand now; -1: they are gone

  std::vector<int> places_;  // of grains in the order of their cells: index of each
  NeighbourSearch search_;
};

}  // namespace cairn
