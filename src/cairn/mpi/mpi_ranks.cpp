#include <mpi.h>

#include <chrono>
#include <climits>
#include <cstdlib>
#include <thread>

#include "cairn/core/error.hpp"
#include "cairn/mpi/mpi.hpp"

namespace cairn {
namespace {

int length_of(std::size_t bytes) {
  if (bytes > INT_MAX) throw Error(Exit::no_memory, "a message between two ranks is larger than 2 GB");
  return static_cast<int>(bytes);
}

class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_);
    MPI_Op_create(combine, true, &op_);
  }
  ~MpiRanks() override { MPI_Op_free(&op_); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int count() const override { return count_; }
  int own() const override { return own_; }

  std::vector<Bytes> exchange(std::vector<Bytes> to) override {
    const std::size_t ranks = to.size();
    std::vector<int> lengths, received(ranks);
    for (const Bytes& message : to) lengths.push_back(length_of(message.size()));
    std::vector<MPI_Request> requests(1);
    MPI_Ialltoall(lengths.data(), 1, MPI_INT, received.data(), 1, MPI_INT, MPI_COMM_WORLD, requests.data());
    wait(requests);
    std::vector<Bytes> from(ranks);
    requests.clear();
    for (std::size_t r = 0; r < ranks; ++r) {
      if (static_cast<int>(r) == own_) {
        from[r] = std::move(to[r]);
        continue;
      }
      from[r].resize(static_cast<std::size_t>(received[r]));
      if (received[r] > 0)
        MPI_Irecv(from[r].data(), received[r], MPI_BYTE, static_cast<int>(r), tag, MPI_COMM_WORLD,
                  &requests.emplace_back());
    }
    for (std::size_t r = 0; r < ranks; ++r)
      if (static_cast<int>(r) != own_ && lengths[r] > 0)
        MPI_Isend(to[r].data(), lengths[r], MPI_BYTE, static_cast<int>(r), tag, MPI_COMM_WORLD,
                  &requests.emplace_back());
    wait(requests);
    return from;
  }

  void swap(std::span<const Link> links) override {
    std::vector<MPI_Request> requests;
    for (const Link& link : links)
      if (!link.from.empty())
        MPI_Irecv(link.from.data(), length_of(link.from.size()), MPI_DOUBLE, link.rank, tag, MPI_COMM_WORLD,
                  &requests.emplace_back());
    for (const Link& link : links)
      if (!link.to.empty())
        MPI_Isend(link.to.data(), length_of(link.to.size()), MPI_DOUBLE, link.rank, tag, MPI_COMM_WORLD,
                  &requests.emplace_back());
    wait(requests);
  }

  void broadcast(Bytes& data) override {
    int length = length_of(data.size());
    std::vector<MPI_Request> request(1);
    MPI_Ibcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD, request.data());
    wait(request);
    data.resize(static_cast<std::size_t>(length));
    request.assign(1, MPI_REQUEST_NULL);
    MPI_Ibcast(data.data(), length, MPI_BYTE, 0, MPI_COMM_WORLD, request.data());
    wait(request);
  }

 protected:
  void reduce_bytes(void* value, std::size_t bytes, void (*combine)(void* into, const void* other)) override {
    MPI_Datatype type;
    MPI_Type_contiguous(length_of(bytes), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    combine_ = combine, bytes_ = bytes;
    std::vector<MPI_Request> request(1);
    MPI_Iallreduce(MPI_IN_PLACE, value, 1, type, op_, MPI_COMM_WORLD, request.data());
    wait(request);
    MPI_Type_free(&type);
  }

 private:
  static constexpr int tag = 1;

  // Looks for a while, then lets others have the processor between looks, then sleeps: MPI's own wait never does, and
  // where ranks share processors each wait would then last as long as a turn of the scheduler.
  static void wait(std::vector<MPI_Request>& requests) {
    constexpr int looks = 300, turns = 3000;
    constexpr auto nap = std::chrono::microseconds(20);
    for (int done = 0, k = 0;
         MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE), !done; ++k)
      if (k >= turns)
        std::this_thread::sleep_for(nap);
      else if (k >= looks)
        std::this_thread::yield();
  }
  // MPI passes no more than the values: what combines them stands here. The values may stand at any address.
  static void combine(void* other, void* into, int* count, MPI_Datatype*) {
    std::vector<std::max_align_t> a((bytes_ + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t) + 8), b(a);
    for (int k = 0; k < *count; ++k) {
      void* const first = aligned(a.data());
      void* const second = aligned(b.data());
      auto* const to = static_cast<std::byte*>(into) + static_cast<std::size_t>(k) * bytes_;
      std::memcpy(first, to, bytes_);
      std::memcpy(second, static_cast<std::byte*>(other) + static_cast<std::size_t>(k) * bytes_, bytes_);
      combine_(first, second);
      std::memcpy(to, first, bytes_);
    }
  }
  static void* aligned(void* p) {
    constexpr std::uintptr_t line = 64;
    return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(p) + line - 1) / line * line);
  }

  int count_ = 1, own_ = 0;
  MPI_Op op_;
  inline static void (*combine_)(void*, const void*) = nullptr;
  inline static std::size_t bytes_ = 0;
};

}  // namespace

MpiSession::MpiSession() {
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  ranks_ = std::make_unique<MpiRanks>();
}

MpiSession::~MpiSession() {
  ranks_.reset();
  MPI_Finalize();
}

void MpiSession::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

}  // namespace cairn
