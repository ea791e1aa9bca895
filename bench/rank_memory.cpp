// How the memory of one rank grows with the number of ranks: a rank of a large decomposition, simulated. It has a cube
// of grains of its own, and the others are there in name alone: what it sends is lost, and no copies come. So copies,
// which depend on the surface of its part, and what MPI keeps for each of its connections are not in the figures.
// Prints, for each number of ranks, the bytes of the World of the rank beyond those of 8 ranks, while it makes steps
// and while grains move between ranks, and of Zoltan's cuts, which every rank keeps.
#include <malloc.h>
#include <mpi.h>
#include <zoltan.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "cairn/core/hash.hpp"
#include "cairn/world/world.hpp"

namespace {

using namespace cairn;

constexpr int width = 30;        // grains along a side of the cube
constexpr Real distance = 0.98;  // [m] of grains of 1 m

std::size_t allocated() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

class AbsentRanks : public Ranks {
 public:
  explicit AbsentRanks(int count) : count_(count) {}
  int count() const override { return count_; }
  int own() const override { return 0; }
  std::vector<Bytes> exchange(std::vector<Bytes> to) override {
    std::vector<Bytes> from(to.size());
    most_ = std::max(most_, allocated());
    from[0] = std::move(to[0]);
    return from;
  }
  void begin_swap(std::span<const Link>) override {}
  void go_on_swapping() override {}
  void finish_swap() override {}
  std::vector<Bytes> talk(std::span<const int> ranks, std::span<const Bytes>) override {
    return std::vector<Bytes>(ranks.size());
  }
  void broadcast(Bytes&) override {}
  void return_memory() override {}
  std::size_t most() const { return most_; }  // [B] allocated while grains moved

 protected:
  void reduce_bytes(void*, std::size_t, void (*)(void* into, const void* other)) override {}

 private:
  int count_;
  std::size_t most_ = 0;
};

// Rank 0 owns the cube; the six beyond its sides are ranks 1 to 6.
class Cube : public Partition {
 public:
  void divide(std::span<const Vector>, std::span<const float>) override {}
  int rank_at(const Vector&) const override { return 0; }
  bool within_own(const Vector&, const Vector&) const override { return false; }
  void ranks_in(const Vector& low, const Vector& high, std::vector<int>& ranks) const override {
    const Real side = width * distance;
    ranks.push_back(0);
    for (int axis = 0; axis < 3; ++axis) {
      if ((&low.x)[axis] < 0) ranks.push_back(1 + 2 * axis);
      if ((&high.x)[axis] > side) ranks.push_back(2 + 2 * axis);
    }
  }
};

struct RankMemory {          // [B]
  std::size_t stays, moves;  // after some steps, and while grains moved between ranks
};

RankMemory bytes_of_world(int count) {
  AbsentRanks ranks(count);
  Cube partition;
  const std::size_t before = allocated();
  WorldSettings s;
  s.laws = law_table("linear", {Material{}}, [](auto, auto) { return ContactSettings{{"stiffness", 1e4}}; });
  s.onset = true;
  World world(s);
  {
    std::vector<GrainData> grains;
    for (int k = 0; k < width * width * width; ++k)
      grains.push_back(
          {.position = distance * Vector{k % width + 0.5, k / width % width + 0.5, k / width / width + 0.5},
           .radius = 0.5,
           .mass = 1});
    world.insert(grains);
  }
  world.begin();
  world.join(ranks, partition);
  world.spread();
  for (int step = 0; step < 20; ++step) {
    constexpr Real h = 1e-4;
    world.kick_drift(0.5 * h, h);
    world.force(0, StageKind::end);
    world.kick_drift(0.5 * h, 0);
    world.commit(h);
  }
  return {allocated() - before, ranks.most() - before};
}

struct Points {
  std::vector<Vector> at;
};

std::size_t bytes_of_cuts(int parts) {
  Points points;
  for (std::uint64_t k = 0; k < 8 * static_cast<std::uint64_t>(parts); ++k)
    points.at.push_back({random_uniform(1, k, 0), random_uniform(1, k, 1), random_uniform(1, k, 2)});
  const std::size_t before = allocated();
  Zoltan_Struct* zoltan = Zoltan_Create(MPI_COMM_WORLD);
  const std::string number = std::to_string(parts);
  for (const auto& [key, value] : {std::pair{"DEBUG_LEVEL", "0"},
                                   {"LB_METHOD", "RCB"},
                                   {"KEEP_CUTS", "1"},
                                   {"RETURN_LISTS", "NONE"},
                                   {"NUM_GLOBAL_PARTS", number.c_str()}})
    Zoltan_Set_Param(zoltan, key, value);
  const auto count = [](void* data, int* error) {
    *error = ZOLTAN_OK;
    return static_cast<int>(static_cast<Points*>(data)->at.size());
  };
  const auto list = [](void* data, int, int, ZOLTAN_ID_PTR ids, ZOLTAN_ID_PTR, int, float*, int* error) {
    *error = ZOLTAN_OK;
    for (std::size_t k = 0; k < static_cast<Points*>(data)->at.size(); ++k) ids[k] = static_cast<ZOLTAN_ID_TYPE>(k);
  };
  const auto dimensions = [](void*, int* error) {
    *error = ZOLTAN_OK;
    return 3;
  };
  const auto place = [](void* data, int, int, ZOLTAN_ID_PTR id, ZOLTAN_ID_PTR, double* to, int* error) {
    *error = ZOLTAN_OK;
    const Vector& x = static_cast<Points*>(data)->at[*id];
    to[0] = x.x, to[1] = x.y, to[2] = x.z;
  };
  Zoltan_Set_Num_Obj_Fn(zoltan, count, &points);
  Zoltan_Set_Obj_List_Fn(zoltan, list, &points);
  Zoltan_Set_Num_Geom_Fn(zoltan, dimensions, &points);
  Zoltan_Set_Geom_Fn(zoltan, place, &points);
  int changes, gid_entries, lid_entries, imported, exported;
  ZOLTAN_ID_PTR import_gids, import_lids, export_gids, export_lids;
  int *import_ranks, *import_parts, *export_ranks, *export_parts;
  Zoltan_LB_Partition(zoltan, &changes, &gid_entries, &lid_entries, &imported, &import_gids, &import_lids,
                      &import_ranks, &import_parts, &exported, &export_gids, &export_lids, &export_ranks,
                      &export_parts);
  const std::size_t bytes = allocated() - before;
  Zoltan_Destroy(&zoltan);
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  float version = 0;
  Zoltan_Initialize(argc, argv, &version);
  bytes_of_world(8), bytes_of_cuts(8);  // what is made once
  const RankMemory of_8 = bytes_of_world(8);
  const auto beyond = [](std::size_t a, std::size_t b) { return static_cast<double>(a) - static_cast<double>(b); };
  std::printf("On one of 8 ranks %d grains take %zu B, and %zu B while grains move.\n", width * width * width,
              of_8.stays, of_8.moves);
  std::printf("%8s %26s %26s %14s\n", "ranks", "B more than on one of 8", "the same, grains moving", "B of cuts");
  for (const int ranks : {8, 100, 1000, 10000, 100000}) {
    const RankMemory of = bytes_of_world(ranks);
    std::printf("%8d %26.0f %26.0f %14zu\n", ranks, beyond(of.stays, of_8.stays), beyond(of.moves, of_8.moves),
                bytes_of_cuts(ranks));
  }
  MPI_Finalize();
}
