// The contacts that begin and end in a step, in groups that share no grain: threads work on them at the same time, each
// on a group of its own from beginning to end, and wait for each other when all groups are done. Where many share
// grains, these are one group, on which all threads work first. Rejected: a loop of all threads for each part of the
// work. There are some hundred contacts, and a loop over them takes hardly longer than to wait for its end.
#pragma once
#include <span>
#include <vector>

#include "cairn/core/parallel.hpp"
#include "cairn/world/event_contact.hpp"
#include "cairn/world/event_parts.hpp"

namespace cairn {

// Finds which grains have one of these events alone.
void find_alone(std::span<EventContact> events);

class EventGroups {
 public:
  // For so many threads, after find_alone(). Arranges the events so that those of a group stand together, by kind.
  EventGroups(std::vector<EventContact>& events, int threads);
  // The same; one group of all where contacts act on more than their grains: on other ranks, loaded walls.
  EventGroups(std::vector<EventContact>& events, const EventParts& w);

  struct Group {
    int first, last;  // events [first, last)
  };
  const std::vector<Group>& by_all() const { return by_all_; }  // all threads work on it; at most one group
  const std::vector<Group>& by_one() const { return by_one_; }  // one thread works on each

  // f(parts, first, last) for each group, with the threads that may share a loop over its events.
  template <class F>
  void each(const EventParts& w, const F& f) const {
    for (const Group& of : by_all_) f(w, of.first, of.last);
    EventParts alone = w;
    alone.threads = 1;
    const auto work = [&](int group, int) { f(alone, by_one_[group].first, by_one_[group].last); };
    if (by_one_.size() > 1) return help_each_other(first_, work);
    if (!by_one_.empty()) work(0, 0);
  }

 private:
  std::vector<Group> by_all_, by_one_;
  std::vector<int> first_{0};  // of the groups of each thread
};

}  // namespace cairn
