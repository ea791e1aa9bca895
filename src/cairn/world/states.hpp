// The states that a World holds at the same time: the present one, its rate, the scratch of a step, and the rates that
// a scheme remembers. They follow the order of grains and slots together.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cairn/integrate/system.hpp"
#include "cairn/state/scratch.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

class States {
 public:
  explicit States(int spring_rows) {
    for (State* y : {&present, &current_rate}) y->resize(0, 0, spring_rows);
  }

  State present;
  State current_rate;        // the accelerations and powers that the last force found
  bool rate_known = false;   // current_rate is the rate of `present`, that of springs included if `spring_rates`
  bool spring_rates = true;  // false: current_rate has no room for springs; kicks and drifts need accelerations alone

  // The present state has moved: its rate is no longer known, and those of positions and springs are not kept.
  void forget_rate() {
    if (std::exchange(rate_known, false)) current_rate.body.drop_positions();
    if (spring_rates) current_rate.bond = Slab(present.bond.rows()), spring_rates = false;
  }

  Scratch scratch;  // dies with its scope, within a step
  // Whether y may hold positions: the present state, or one that is borrowed.
  bool holds_positions(const State& y) const { return &y == &present || scratch.has_borrowed(y); }

  int memories() const { return static_cast<int>(memory_.size()); }
  State& memory(int i) { return *memory_[i]; }
  const State& memory(int i) const { return *memory_[i]; }
  State& add_memory(Memory kind);
  void forget_memories() { memory_.clear(), memory_kinds_.clear(); }
  void remember(State& rate, int depth);  // as of System (integrate/system.hpp)
  // [s] how long ago the rates in memory belong, in steps of h.
  std::vector<Real> memory_ages(Real h) const;
  // Each memory that covers all grains, and so many slots or none; null for others.
  std::vector<State*> whole_memories(int slots);
  bool remembers_stages() const;  // some memory is other than the rates of past steps

  template <class F>
  void for_each(F&& f) {
    f(present), f(current_rate);
    scratch.for_each_borrowed(f);
    for (auto& y : memory_) f(*y);
  }
  // Whether a spring of this slot is stretched in any state that has `slots` slots.
  bool any_stretched(int slot, int slots) const;
  void relax_memories(int slot) {
    for (auto& m : memory_) relax_springs(*m, slot);
  }

  template <class Archive>
  void for_each_saved(Archive&& a);
  // The part that ranks share: all but grains and their contacts.
  template <class Archive>
  void for_each_shared(Archive&& a);

 private:
  std::vector<std::unique_ptr<State>> memory_;
  std::vector<Memory> memory_kinds_;
};

// Which states follow the grains, and which the slots too, on all ranks: bits by the numbers of States::for_each. A
// rank without grains cannot tell those that do from those that never did; the others can.
struct Following {
  std::uint64_t bodies = ~std::uint64_t{0}, springs = ~std::uint64_t{0};
};

template <class Archive>
void States::for_each_saved(Archive&& a) {
  for_each_shared(a);
  const auto save = [&](const std::string& name, State& y) {
    a.slab(name + ".body", y.body);
    a.slab(name + ".bond", y.bond);
  };
  save("state", present);
  save("held", current_rate);
  for (int i = 0; i < memories(); ++i) save("memory" + std::to_string(i), memory(i));
}

template <class Archive>
void States::for_each_shared(Archive&& a) {
  const auto share = [&](const std::string& name, State& y) {
    a.slab(name + ".walls", y.walls);
    a.value(name + ".books", y.ledger);
    a.value(name + ".time", y.time);
  };
  share("state", present);
  share("held", current_rate);
  std::int64_t count = memories();
  a.value("memories", count);
  if (memories() > count) forget_memories();
  while (memories() < count) add_memory(Memory::past);
  for (int i = 0; i < count; ++i) share("memory" + std::to_string(i), memory(i));
  a.vector("memory_kinds", memory_kinds_);
  a.value("present", rate_known);
}

}  // namespace cairn
