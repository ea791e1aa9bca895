#include "cairn/world/states.hpp"

#include <algorithm>
#include <utility>

namespace cairn {

State& States::scratch(int i) {
  scratch_used_ = true;
  while (static_cast<int>(scratch_.size()) <= i) scratch_.push_back(std::make_unique<State>());
  return *scratch_[i];
}

bool States::holds_positions(const State& y) const {
  return &y == &present || std::any_of(scratch_.begin(), scratch_.end(), [&](const auto& s) { return s.get() == &y; });
}

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
  for (auto& m : memory_)
    whole.push_back(m->body.size() == present.body.size() && m->bond.size() == slots ? m.get() : nullptr);
  return whole;
}

bool States::remembers_stages() const {
  return std::any_of(memory_kinds_.begin(), memory_kinds_.end(), [](Memory kind) { return kind != Memory::past; });
}

bool States::any_stretched(int slot, int slots) const {
  const auto is = [&](const State& y) { return y.bond.size() == slots && stretched(y, slot); };
  const auto any = [&](const auto& states) {
    return std::any_of(states.begin(), states.end(), [&](const auto& y) { return is(*y); });
  };
  return is(present) || is(current_rate) || any(memory_) || any(scratch_);
}

}  // namespace cairn
