// The processes that share a run, called ranks, and how they talk. All of them make the same calls in the same order.
// Only mpi/ knows the library behind it.
#pragma once
#include <span>
#include <type_traits>
#include <vector>

#include "cairn/core/bytes.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int count() const = 0;
  virtual int own() const = 0;  // number of this one, from 0; rank 0 leads: it reads and writes files

  // to[r] goes to rank r; returns what each rank sent here.
  virtual std::vector<Bytes> exchange(std::vector<Bytes> to) = 0;
  // With some ranks, which do the same. A message may be shorter than the other has room for.
  struct Link {
    int rank;
    std::span<const Real> to;
    std::span<Real> from;
  };
  void swap(std::span<const Link> links) { begin_swap(links), finish_swap(); }
  // Between the two calls there may be others, but no other swap.
  virtual void begin_swap(std::span<const Link> links) = 0;
  virtual void go_on_swapping() = 0;  // messages may move within calls alone
  virtual void finish_swap() = 0;
  // With some ranks, which do the same: to[k] goes to ranks[k]; returns what each of them sent.
  virtual std::vector<Bytes> talk(std::span<const int> ranks, std::span<const Bytes> to) = 0;
  // All get what rank 0 has.
  virtual void broadcast(Bytes& data) = 0;
  // The computer gets back the memory that this process has freed: other ranks on it may need it.
  virtual void return_memory() = 0;

  // All get the combination of what each has. `combine`, a lambda without captures, puts its second argument into the
  // first; no order or grouping may matter.
  template <class T, class Combine>
  void reduce(T& a, Combine) {
    static_assert(std::is_trivially_copyable_v<T>);
    reduce_bytes(&a, sizeof(T), [](void* into, const void* other) {
      Combine{}(*static_cast<T*>(into), *static_cast<const T*>(other));
    });
  }

 protected:
  virtual void reduce_bytes(void* value, std::size_t bytes, void (*combine)(void* into, const void* other)) = 0;
};

// Space, divided among ranks: each owns the grains whose centres are in its part.
class Partition {
 public:
  virtual ~Partition() = default;
  // Divides space anew so that the ranks have equal shares of the weights. Each rank gives the centres [m] of its own
  // grains.
  virtual void divide(std::span<const Vector> centres, std::span<const float> weights) = 0;
  virtual int rank_at(const Vector& centre) const = 0;
  // Whether a box lies in the part of this rank, as most do that hold a grain of its own: quickly found. False: perhaps
  // not.
  virtual bool within_own(const Vector& low, const Vector& high) const = 0;
  // The ranks whose parts a box meets, some perhaps twice, are appended.
  virtual void ranks_in(const Vector& low, const Vector& high, std::vector<int>& ranks) const = 0;
};

}  // namespace cairn
