#include "cairn/formats/particle_frames.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"

namespace cairn {
namespace {

static_assert(std::endian::native == std::endian::little, "frames are written in the byte order of the memory");

std::string attribute(const std::string& name, std::string_view value) {
  return " " + name + "=\"" + escaped(value) + "\"";
}

std::string opening(std::string_view type) {
  return "<?xml version=\"1.0\"?>\n<VTKFile" + attribute("type", type) + attribute("version", "1.0") +
         attribute("byte_order", "LittleEndian") + attribute("header_type", "UInt64") + ">\n";
}

constexpr std::string_view collection_end = "  </Collection>\n</VTKFile>\n";

// Of how many values.
struct SizedArray {
  const PointArray* array;
  std::size_t size;
};

SizedArray sized(const PointArray& array, int count) {
  const std::size_t size = static_cast<std::size_t>(count) * static_cast<std::size_t>(array.components);
  std::visit(
      [&]<class V>(const V& values) {
        if constexpr (requires { values.size(); })
          if (values.size() != size)
            throw std::logic_error("write_vtp: array " + array.name + " has " + std::to_string(values.size()) +
                                   " values for " + std::to_string(count) + " points");
      },
      array.values);
  return {&array, size};
}

void write_values(NewFile& file, const SizedArray& a) {
  const auto put = [&](auto values) {
    const auto bytes = std::as_bytes(values);
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  const std::uint64_t size = a.size * 8;
  put(std::span(&size, 1));
  std::visit(
      [&]<class V>(const V& values) {
        if constexpr (requires { values.size(); }) {
          put(values);
        } else {
          constexpr std::size_t block = 4096;
          std::array<decltype(values(0)), block> some;
          for (std::size_t k = 0; k < a.size;) {
            const std::size_t count = std::min(block, a.size - k);
            for (std::size_t l = 0; l < count; ++l, ++k) some[l] = values(k);
            put(std::span(some).first(count));
          }
        }
      },
      a.array->values);
}

// Points and, joining them in order `per_cell` at a time, cells of one kind.
FileSum write_poly_data(const std::string& path, int points, const std::string& cells, int per_cell, PointValues xyz,
                        std::span<const PointArray> of_points, std::span<const PointArray> of_cells) {
  const int count = points / per_cell;
  const PointArray places{"Points", 3, std::move(xyz)};
  const PointArray connectivity{"connectivity", 1, WholeOf([](std::size_t k) { return k; })};
  const PointArray ends{"offsets", 1, WholeOf([&](std::size_t k) { return (k + 1) * per_cell; })};
  std::vector<SizedArray> arrays;
  std::size_t offset = 0;
  // The element that describes an array, whose values come behind those of the ones before, behind their length.
  const auto data_array = [&](const PointArray& array, int of) {
    arrays.push_back(sized(array, of));
    const std::string element = "        <DataArray" + attribute("type", is_real(array.values) ? "Float64" : "Int64") +
                                attribute("Name", array.name) +
                                attribute("NumberOfComponents", std::to_string(array.components)) +
                                attribute("format", "appended") + attribute("offset", std::to_string(offset)) + "/>\n";
    offset += 8 + 8 * arrays.back().size;
    return element;
  };

  std::string text = opening("PolyData") + "  <PolyData>\n    <Piece";
  text += attribute("NumberOfPoints", std::to_string(points));
  for (const char* kind : {"Verts", "Lines", "Strips", "Polys"})
    text += attribute("NumberOf" + std::string(kind), std::to_string(kind == cells ? count : 0));
  text += ">\n      <PointData>\n";
  for (const PointArray& array : of_points) text += data_array(array, points);
  text += "      </PointData>\n      <CellData>\n";
  for (const PointArray& array : of_cells) text += data_array(array, count);
  text += "      </CellData>\n      <Points>\n" + data_array(places, points) + "      </Points>\n";
  text += "      <" + cells + ">\n" + data_array(connectivity, points);
  text += data_array(ends, count) + "      </" + cells + ">\n";
  text += "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_";
  const std::string end = "\n  </AppendedData>\n</VTKFile>\n";

  NewFile file(path, text.size() + offset + end.size());
  file.write(text);
  for (const SizedArray& array : arrays) write_values(file, array);
  file.write(end);
  return file.commit();
}

}  // namespace

bool is_real(const PointValues& values) {
  return std::holds_alternative<std::span<const Real>>(values) || std::holds_alternative<RealOf>(values);
}

FileSum write_vtp(const std::string& path, int count, PointValues xyz, std::span<const PointArray> arrays,
                  PointValues ids) {
  std::vector<PointArray> all{{"id", 1, std::move(ids)}};
  all.insert(all.end(), arrays.begin(), arrays.end());
  return write_poly_data(path, count, "Verts", 1, std::move(xyz), all, {});
}

FileSum write_lines_vtp(const std::string& path, int count, PointValues xyz, std::span<const PointArray> arrays) {
  return write_poly_data(path, 2 * count, "Lines", 2, std::move(xyz), {}, arrays);
}

FrameCollection::FrameCollection(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  sum_.add(text_);
}

FrameCollection FrameCollection::create(std::string path) {
  FrameCollection collection(std::move(path), opening("Collection") + "  <Collection>\n");
  collection.write();
  return collection;
}

FrameCollection FrameCollection::reopen(std::string path, const FileSum& before) {
  FrameCollection collection(path, read_file(path, before.size));
  if (collection.sum_ != before)
    throw Error(Exit::corrupt,
                "cannot continue " + path +
                    ": its list of frames was changed since the checkpoint; restore the file, or start the run again");
  return collection;
}

void FrameCollection::add(Real time, std::string_view file) {
  const std::string line =
      "    <DataSet" + attribute("timestep", to_text(time)) + attribute("part", "0") + attribute("file", file) + "/>\n";
  text_ += line;
  sum_.add(line);
  write();
}

void FrameCollection::cut() {
  write();
}

FileSum FrameCollection::whole() const {
  FileSum sum = sum_;
  sum.add(collection_end);
  return sum;
}

void FrameCollection::write() {
  write_file_atomically(path_, text_ + std::string(collection_end));
}

}  // namespace cairn
