// Grains and contacts for ParaView: a .vtp file per frame and a .pvd file that lists them in time. Format: VTK XML,
// https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html; PolyData, raw appended data.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

// Numbers one behind the other, there already, or made as they are written: a frame of many grains need not be held.
using RealOf = std::function<Real(std::size_t)>;
using WholeOf = std::function<std::int64_t(std::size_t)>;
using PointValues = std::variant<std::span<const Real>, std::span<const std::int64_t>, RealOf, WholeOf>;

struct PointArray {
  std::string name;
  int components = 1;  // 3: vectors, their components side by side
  PointValues values;
};

// `count` points at xyz (side by side), each one vertex, with their ids as the array "id".
void write_vtp(const std::string& path, int count, PointValues xyz, std::span<const PointArray> arrays,
               PointValues ids);

// `count` lines between points 2 k and 2 k + 1 of xyz; `arrays` belong to the lines.
void write_lines_vtp(const std::string& path, int count, PointValues xyz, std::span<const PointArray> arrays);

struct FrameFile {
  Real time;         // [s]
  std::string file;  // relative to the collection
};

std::vector<FrameFile> read_pvd(const std::string& path);

// The .pvd file; whole on the disk after each addition. A resumed run gives the frames it goes on from.
class FrameCollection {
 public:
  explicit FrameCollection(std::string path, std::vector<FrameFile> frames = {});
  void add(Real time, std::string file);
  const std::vector<FrameFile>& frames() const { return frames_; }

 private:
  void write() const;

  std::string path_;
  std::vector<FrameFile> frames_;
};

}  // namespace cairn
