#include <mpi.h>
#include <zoltan.h>

#include <stdexcept>
#include <string>

#include "cairn/mpi/mpi.hpp"

namespace cairn {
namespace {

void check(int result, const char* what) {
  if (result != ZOLTAN_OK && result != ZOLTAN_WARN) throw std::runtime_error(std::string("Zoltan failed: ") + what);
}

class ZoltanPartition : public Partition {
 public:
  ZoltanPartition() {
    float version = 0;
    check(Zoltan_Initialize(0, nullptr, &version), "its start");
    zoltan_ = Zoltan_Create(MPI_COMM_WORLD);
    for (const auto& [key, value] : {std::pair{"DEBUG_LEVEL", "0"},  // first: others are announced
                                     {"LB_METHOD", "RCB"},
                                     {"KEEP_CUTS", "1"},
                                     {"RCB_REUSE", "1"},
                                     {"NUM_GID_ENTRIES", "2"},
                                     {"NUM_LID_ENTRIES", "0"},
                                     {"OBJ_WEIGHT_DIM", "1"},
                                     {"RETURN_LISTS", "NONE"}})
      check(Zoltan_Set_Param(zoltan_, key, value), key);
    Zoltan_Set_Num_Obj_Fn(zoltan_, count, this);
    Zoltan_Set_Obj_List_Fn(zoltan_, list, this);
    Zoltan_Set_Num_Geom_Fn(zoltan_, dimensions, this);
    Zoltan_Set_Geom_Multi_Fn(zoltan_, coordinates, this);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_);
  }
  ~ZoltanPartition() override { Zoltan_Destroy(&zoltan_); }
  ZoltanPartition(const ZoltanPartition&) = delete;
  ZoltanPartition& operator=(const ZoltanPartition&) = delete;

  void divide(std::span<const Vector> centres, std::span<const float> weights) override {
    centres_ = centres, weights_ = weights;
    int changes, gid_entries, lid_entries, imported, exported;
    ZOLTAN_ID_PTR import_gids, import_lids, export_gids, export_lids;
    int *import_ranks, *import_parts, *export_ranks, *export_parts;
    check(Zoltan_LB_Partition(zoltan_, &changes, &gid_entries, &lid_entries, &imported, &import_gids, &import_lids,
                              &import_ranks, &import_parts, &exported, &export_gids, &export_lids, &export_ranks,
                              &export_parts),
          "recursive coordinate bisection");
    int dimensions = 0;
    check(Zoltan_RCB_Box(zoltan_, own_, &dimensions, &low_.x, &low_.y, &low_.z, &high_.x, &high_.y, &high_.z),
          "the part of a rank");
  }

  int rank_at(const Vector& centre) const override {
    double at[3]{centre.x, centre.y, centre.z};
    int rank = 0, part = 0;
    check(Zoltan_LB_Point_PP_Assign(zoltan_, at, &rank, &part), "the rank of a point");
    return rank;
  }

  bool within_own(const Vector& low, const Vector& high) const override {
    return low_.x < low.x && low_.y < low.y && low_.z < low.z && high.x < high_.x && high.y < high_.y &&
           high.z < high_.z;
  }

  void ranks_in(const Vector& low, const Vector& high, std::vector<int>& ranks) const override {
    int count = 0, parts = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    found_.resize(static_cast<std::size_t>(count)), found_parts_.resize(found_.size());
    check(Zoltan_LB_Box_PP_Assign(zoltan_, low.x, low.y, low.z, high.x, high.y, high.z, found_.data(), &count,
                                  found_parts_.data(), &parts),
          "the ranks of a box");
    ranks.insert(ranks.end(), found_.begin(), found_.begin() + count);
  }

 private:
  static const ZoltanPartition& of(void* data) { return *static_cast<const ZoltanPartition*>(data); }
  static int count(void* data, int* error) {
    *error = ZOLTAN_OK;
    return static_cast<int>(of(data).centres_.size());
  }
  static void list(void* data, int, int, ZOLTAN_ID_PTR gids, ZOLTAN_ID_PTR, int, float* weights, int* error) {
    const ZoltanPartition& self = of(data);
    for (std::size_t k = 0; k < self.centres_.size(); ++k) {
      gids[2 * k] = static_cast<ZOLTAN_ID_TYPE>(self.own_), gids[2 * k + 1] = static_cast<ZOLTAN_ID_TYPE>(k);
      weights[k] = self.weights_[k];
    }
    *error = ZOLTAN_OK;
  }
  static int dimensions(void*, int* error) {
    *error = ZOLTAN_OK;
    return 3;
  }
  static void coordinates(void* data, int, int, int count, ZOLTAN_ID_PTR gids, ZOLTAN_ID_PTR, int, double* to,
                          int* error) {
    const ZoltanPartition& self = of(data);
    for (int k = 0; k < count; ++k) {
      const Vector& x = self.centres_[gids[2 * k + 1]];
      *to++ = x.x, *to++ = x.y, *to++ = x.z;
    }
    *error = ZOLTAN_OK;
  }

  Zoltan_Struct* zoltan_ = nullptr;
  int own_ = 0;
  Vector low_, high_;  // [m] of its part; at first none
  std::span<const Vector> centres_;
  std::span<const float> weights_;
  mutable std::vector<int> found_, found_parts_;
};

}  // namespace

std::unique_ptr<Partition> MpiSession::partition() {
  return std::make_unique<ZoltanPartition>();
}

}  // namespace cairn
