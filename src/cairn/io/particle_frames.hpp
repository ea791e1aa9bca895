// Grains and contacts for ParaView: a .vtp file per frame and a .pvd file that lists them in time. Format: VTK XML,
// https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html; PolyData, raw appended data.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

struct PointArray {
  std::string name;
  int components = 1;  // 3: vectors, their components side by side
  std::variant<std::span<const Real>, std::span<const std::int64_t>> values;
};

// `count` points at xyz (side by side), each one vertex, with their ids as the array "id".
void write_vtp(const std::string& path, int count, std::span<const Real> xyz, std::span<const PointArray> arrays,
               std::span<const std::int64_t> ids);

// `count` lines between points 2 k and 2 k + 1 of xyz; `arrays` belong to the lines.
void write_lines_vtp(const std::string& path, int count, std::span<const Real> xyz, std::span<const PointArray> arrays);

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
