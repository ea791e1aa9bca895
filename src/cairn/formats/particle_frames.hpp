// Grains and contacts for ParaView: a .vtp file per frame and a .pvd file that lists them in time. Format: VTK XML,
// https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html; PolyData, raw appended data.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cairn/core/vec3.hpp"
#include "cairn/formats/checksum.hpp"

namespace cairn {

// Numbers one behind the other, there already, or made as they are written: a frame of many grains need not be held.
using RealOf = std::function<Real(std::size_t)>;
using WholeOf = std::function<std::int64_t(std::size_t)>;
using PointValues = std::variant<std::span<const Real>, std::span<const std::int64_t>, RealOf, WholeOf>;

bool is_real(const PointValues& values);  // else whole numbers

struct PointArray {
  std::string name;
  int components = 1;  // 3: vectors, their components side by side
  PointValues values;
};

// `count` points at xyz (side by side), each one vertex, with their ids as the array "id".
FileSum write_vtp(const std::string& path, int count, PointValues xyz, std::span<const PointArray> arrays,
                  PointValues ids);

// `count` lines between points 2 k and 2 k + 1 of xyz; `arrays` belong to the lines.
FileSum write_lines_vtp(const std::string& path, int count, PointValues xyz, std::span<const PointArray> arrays);

// The .pvd file, which lists frames by their time [s]; whole on the disk after each addition.
class FrameCollection {
 public:
  static FrameCollection create(std::string path);  // an empty one
  // Goes on behind the first frames, as TextFile::reopen does; the file is as it was until cut() or add().
  static FrameCollection reopen(std::string path, const FileSum& before);

  void add(Real time, std::string_view file);  // relative to the collection
  void cut();
  void sync() {}
  const FileSum& sum() const { return sum_; }  // of what comes before the end of the list, which stays when it grows
  FileSum whole() const;                       // of the file

 private:
  FrameCollection(std::string path, std::string text);
  void write();

  std::string path_, text_;
  FileSum sum_;
};

}  // namespace cairn
