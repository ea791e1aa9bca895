#include "cairn/world/states.hpp"

#include <algorithm>
#include <utility>

namespace cairn {

State& States::add_memory(Memory kind) {
  memory_kinds_.push_back(kind);
  State& added = *memory_.emplace_back(std::make_unique<State>());
  added.resize(0, 0, present.bond.rows());
  return added;
}

void States::remember(State& rate, int depth) {
  if (memories() < depth) add_memory(Memory::past);
  std::rotate(memory_.begin(), memory_.end() - 1, memory_.end());
  std::swap(memory(0), rate);
  if (&rate == &current_rate) rate_known = false;
}

std::vector<Real> States::memory_ages(Real h) const {
  std::vector<Real> ages;
  for (int m = 0; m < memories(); ++m)
    ages.push_back((memory_kinds_[m] == Memory::between ? 0.5 : m + (memory_kinds_[m] == Memory::past)) * h);
  return ages;
}

std::vector<State*> States::whole_memories(int slots) {
  std::vector<State*> whole;
  for (auto& m : memory_) {
    const bool covers = m->body.size() == present.body.size() && (m->bond.size() == slots || m->bond.size() == 0);
    whole.push_back(covers ? m.get() : nullptr);
  }
  return whole;
}

bool States::remembers_stages() const {
  return std::any_of(memory_kinds_.begin(), memory_kinds_.end(), [](Memory kind) { return kind != Memory::past; });
}

bool States::any_stretched(int slot, int slots) const {
  const auto is = [&](const State& y) { return y.bond.size() == slots && stretched(y, slot); };
  bool any = is(present) || is(current_rate);
  for (const auto& m : memory_) any = any || is(*m);
  scratch.for_each_borrowed([&](const State& y) { any = any || is(y); });
  return any;
}

}  // namespace cairn
