#include <malloc.h>
#include <mpi.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <map>
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
    ::prctl(PR_SET_TIMERSLACK, 1);  // ns: short sleeps stay short
  }
  ~MpiRanks() override {
    for (auto& [bytes, type] : types_) MPI_Type_free(&type);
    MPI_Op_free(&op_);
  }
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

  void begin_swap(std::span<const Link> links) override {
    std::vector<MPI_Request>& requests = swapping_;
    requests.clear();
    for (const Link& link : links)
      if (!link.from.empty())
        MPI_Irecv(link.from.data(), length_of(link.from.size()), MPI_DOUBLE, link.rank, swap_tag, MPI_COMM_WORLD,
                  &requests.emplace_back());
    for (const Link& link : links)
      if (!link.to.empty())
        MPI_Isend(link.to.data(), length_of(link.to.size()), MPI_DOUBLE, link.rank, swap_tag, MPI_COMM_WORLD,
                  &requests.emplace_back());
  }
  void go_on_swapping() override { all_done(swapping_); }
  void finish_swap() override { wait(swapping_); }

  std::vector<Bytes> talk(std::span<const int> ranks, std::span<const Bytes> to) override {
    std::vector<Bytes> from(ranks.size());
    std::vector<MPI_Request> sends(ranks.size()), receives;
    for (std::size_t k = 0; k < ranks.size(); ++k)
      MPI_Isend(to[k].data(), length_of(to[k].size()), MPI_BYTE, ranks[k], talk_tag, MPI_COMM_WORLD, &sends[k]);
    for (std::size_t k = 0; k < ranks.size(); ++k) {
      MPI_Message message;
      MPI_Status status;
      wait_until([&] {
        int there = 0;
        MPI_Improbe(ranks[k], talk_tag, MPI_COMM_WORLD, &there, &message, &status);
        return there != 0;
      });
      int length = 0;
      MPI_Get_count(&status, MPI_BYTE, &length);
      from[k].resize(static_cast<std::size_t>(length));
      MPI_Imrecv(from[k].data(), length, MPI_BYTE, &message, &receives.emplace_back());
    }
    wait(receives), wait(sends);
    return from;
  }

  // Most messages are short, and come in one piece.
  void broadcast(Bytes& data) override {
    struct {
      std::size_t length;
      std::byte bytes[120];
    } head{};
    head.length = data.size();
    std::copy_n(data.begin(), std::min(data.size(), sizeof head.bytes), head.bytes);
    std::vector<MPI_Request> request(1);
    MPI_Ibcast(&head, sizeof head, MPI_BYTE, 0, MPI_COMM_WORLD, request.data());
    wait(request);
    data.resize(head.length);
    std::copy_n(head.bytes, std::min(data.size(), sizeof head.bytes), data.begin());
    if (head.length <= sizeof head.bytes) return;
    request.assign(1, MPI_REQUEST_NULL);
    MPI_Ibcast(data.data(), length_of(head.length), MPI_BYTE, 0, MPI_COMM_WORLD, request.data());
    wait(request);
  }

  void return_memory() override {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
  }

 protected:
  void reduce_bytes(void* value, std::size_t bytes, void (*combine)(void* into, const void* other)) override {
    MPI_Datatype& type = types_.try_emplace(bytes, MPI_DATATYPE_NULL).first->second;
    if (type == MPI_DATATYPE_NULL) MPI_Type_contiguous(length_of(bytes), MPI_BYTE, &type), MPI_Type_commit(&type);
    combine_ = combine, bytes_ = bytes;
    std::vector<MPI_Request> request(1);
    MPI_Iallreduce(MPI_IN_PLACE, value, 1, type, op_, MPI_COMM_WORLD, request.data());
    wait(request);
  }

 private:
  static constexpr int tag = 1, talk_tag = 2, swap_tag = 3;

  // Looks for a while, then sleeps between looks: MPI's own wait never does, and where ranks share processors each wait
  // would then last as long as a turn of the scheduler. Rejected: to yield, which beside busy processes takes a turn
  // too.
  template <class Done>
  static void wait_until(Done&& done) {
    using Clock = std::chrono::steady_clock;
    constexpr auto patience = std::chrono::microseconds(50), nap = std::chrono::microseconds(5);
    constexpr int looks = 64;  // between two looks at the clock
    Clock::time_point start{};
    bool naps = false;
    for (int k = 1; !done(); ++k) {
      if (naps)
        std::this_thread::sleep_for(nap);
      else if (k == looks)
        start = Clock::now();
      else if (k % looks == 0)
        naps = Clock::now() - start > patience;
    }
  }
  static bool all_done(std::vector<MPI_Request>& requests) {
    int done = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
  }
  static void wait(std::vector<MPI_Request>& requests) {
    wait_until([&] { return all_done(requests); });
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
  std::vector<MPI_Request> swapping_;
  std::map<std::size_t, MPI_Datatype> types_;  // of so many bytes
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
