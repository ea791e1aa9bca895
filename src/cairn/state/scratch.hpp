// States for the time of a scope. Nested scopes borrow further states and give them back in reverse order, so that each
// scope finds states of the size it left: the next step allocates nothing, unless release() came between.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "cairn/state/state.hpp"

namespace cairn {

class Scratch {
 public:
  // `count` states, by number. Their content is undefined.
  class Borrowed {
   public:
    Borrowed(Scratch& from, int count) : from_(&from), first_(from.in_use_) { from.in_use_ += count; }
    Borrowed(Borrowed&& other) noexcept : from_(std::exchange(other.from_, nullptr)), first_(other.first_) {}
    Borrowed& operator=(Borrowed&&) = delete;
    ~Borrowed() {
      if (from_) from_->in_use_ = first_;
    }
    State& operator[](int i) const { return from_->state(first_ + i); }

   private:
    Scratch* from_;
    int first_;
  };

  Borrowed borrow(int count) { return {*this, count}; }

  // f(state) for each state that is borrowed now.
  template <class F>
  void for_each_borrowed(F&& f) const {
    for (std::size_t i = 0; i < states_.size() && static_cast<int>(i) < in_use_; ++i) f(*states_[i]);
  }
  bool has_borrowed(const State& y) const {
    bool has = false;
    for_each_borrowed([&](const State& s) { has = has || &s == &y; });
    return has;
  }
  // Frees the memory of states that are not borrowed.
  void release() {
    for (std::size_t i = static_cast<std::size_t>(in_use_); i < states_.size(); ++i) *states_[i] = State{};
  }

 private:
  State& state(int i) {
    while (static_cast<int>(states_.size()) <= i) states_.push_back(std::make_unique<State>());
    return *states_[i];
  }

  std::vector<std::unique_ptr<State>> states_;
  int in_use_ = 0;
};

}  // namespace cairn
