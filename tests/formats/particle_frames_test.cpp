// Frames read back by a reader of their own: structure, offsets and values to the bit.
#include "cairn/formats/particle_frames.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "cairn/core/error.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/xyz_frames.hpp"
#include "fresh_folder.hpp"

namespace cairn {
namespace {

namespace fs = std::filesystem;

struct ReadArray {
  std::string type, parent;
  int components;
  std::string bytes;

  template <class T>
  std::vector<T> values() const {
    std::vector<T> result(bytes.size() / sizeof(T));
    if (!result.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
};

std::string attribute(const std::string& element, const std::string& name) {
  const std::size_t begin = element.find(" " + name + "=\"");
  REQUIRE_MESSAGE(begin != element.npos, element, " has no ", name);
  const std::size_t first = begin + name.size() + 3;
  return element.substr(first, element.find('"', first) - first);
}

// Every element is followed, every byte of the appended data must belong to exactly one array, in order.
std::map<std::string, ReadArray> read_vtp(const std::string& path, std::string& piece) {
  const std::string content = read_file(path);
  const std::string opening = "<AppendedData encoding=\"raw\">\n_";
  const std::size_t data = content.find(opening) + opening.size();
  REQUIRE(data > opening.size());
  std::map<std::string, ReadArray> arrays;
  std::vector<std::string> open;
  std::size_t expected = data;
  for (std::size_t at = content.find('<'); at < data;) {
    const std::size_t end = content.find('>', at);
    const std::string element = content.substr(at + 1, end - at - 1);
    const std::string name = element.substr(0, element.find(' '));
    if (name == "DataArray") {
      CHECK(attribute(element, "format") == "appended");
      const std::size_t offset = data + std::stoul(attribute(element, "offset"));
      CHECK(offset == expected);
      std::uint64_t size = 0;
      REQUIRE(offset + 8 <= content.size());
      std::memcpy(&size, content.data() + offset, 8);
      expected = offset + 8 + size;
      REQUIRE(expected <= content.size());
      arrays[attribute(element, "Name")] = {attribute(element, "type"), open.back(),
                                            std::stoi(attribute(element, "NumberOfComponents")),
                                            content.substr(offset + 8, size)};
    } else if (element[0] == '/') {
      REQUIRE(open.back() == element.substr(1));
      open.pop_back();
    } else if (element.back() != '?') {
      open.push_back(name);
    }
    if (name == "Piece") piece = element;
    if (name == "VTKFile") {
      CHECK(attribute(element, "header_type") == "UInt64");
      CHECK(attribute(element, "byte_order") == "LittleEndian");
    }
    at = content.find('<', end);
    if (name == "AppendedData") break;
  }
  CHECK(open == std::vector<std::string>{"VTKFile", "AppendedData"});
  CHECK(content.substr(expected) == "\n  </AppendedData>\n</VTKFile>\n");
  return arrays;
}

TEST_CASE("frame: arrays of all kinds come back to the bit, each point is a vertex") {
  const FreshFolder folder;
  const std::vector<Real> xyz{0.1, 1.0 / 3, -0.0, 4, 5, 1e300};
  const std::vector<Real> radius{0.5, 0.25}, velocity{1, 2, 3, -4, -5, -6};
  const std::vector<std::int64_t> ids{7, 1'000'000'000'007}, material{0, 1};
  const std::vector<PointArray> arrays{
      {"radius", 1, radius}, {"velocity <m/s> & \"more\"", 3, velocity}, {"material", 1, material}};
  write_vtp(folder / "a.vtp", 2, xyz, arrays, ids);
  const std::string held = read_file(folder / "a.vtp");
  const std::vector<PointArray> made{
      {"radius", 1, RealOf([&](std::size_t k) { return radius[k]; })},
      {"velocity <m/s> & \"more\"", 3, RealOf([&](std::size_t k) { return velocity[k]; })},
      {"material", 1, WholeOf([&](std::size_t k) { return material[k]; })}};
  write_vtp(folder / "a.vtp", 2, RealOf([&](std::size_t k) { return xyz[k]; }), made, ids);
  const bool same = read_file(folder / "a.vtp") == held;
  CHECK(same);

  std::string piece;
  const auto read = read_vtp(folder / "a.vtp", piece);
  CHECK(attribute(piece, "NumberOfPoints") == "2");
  CHECK(attribute(piece, "NumberOfVerts") == "2");
  CHECK(read.size() == 7);
  const auto check = [&](const std::string& name, const std::string& parent, int components, const auto& values) {
    using T = typename std::decay_t<decltype(values)>::value_type;
    REQUIRE_MESSAGE(read.contains(name), name);
    const ReadArray& array = read.at(name);
    CHECK(array.parent == parent);
    CHECK(array.components == components);
    CHECK(array.type == (std::is_same_v<T, Real> ? "Float64" : "Int64"));
    REQUIRE(array.bytes.size() == values.size() * sizeof(T));
    CHECK(std::memcmp(array.bytes.data(), values.data(), array.bytes.size()) == 0);
  };
  check("Points", "Points", 3, xyz);
  check("id", "PointData", 1, ids);
  check("radius", "PointData", 1, radius);
  check("velocity &lt;m/s&gt; &amp; &quot;more&quot;", "PointData", 3, velocity);
  check("material", "PointData", 1, material);
  check("connectivity", "Verts", 1, std::vector<std::int64_t>{0, 1});
  check("offsets", "Verts", 1, std::vector<std::int64_t>{1, 2});
}

TEST_CASE("lines: two points each, with arrays of their own") {
  const FreshFolder folder;
  const std::vector<Real> xyz{0, 0, 0, 1, 0, 0, 5, 5, 5, 5, 5, 6}, force{10, 0, 0, 0, 0, -20};
  const std::vector<std::int64_t> first{0, 7};
  write_lines_vtp(folder / "a.vtp", 2, xyz, std::vector<PointArray>{{"normal_force", 3, force}, {"first", 1, first}});
  std::string piece;
  const auto read = read_vtp(folder / "a.vtp", piece);
  CHECK(attribute(piece, "NumberOfPoints") == "4");
  CHECK(attribute(piece, "NumberOfLines") == "2");
  CHECK(attribute(piece, "NumberOfVerts") == "0");
  CHECK(read.size() == 5);
  CHECK(read.at("normal_force").parent == "CellData");
  CHECK(read.at("normal_force").values<Real>() == force);
  CHECK(read.at("first").values<std::int64_t>() == first);
  CHECK(read.at("connectivity").parent == "Lines");
  CHECK(read.at("connectivity").values<std::int64_t>() == std::vector<std::int64_t>{0, 1, 2, 3});
  CHECK(read.at("offsets").values<std::int64_t>() == std::vector<std::int64_t>{2, 4});
  CHECK_THROWS_AS(write_lines_vtp(folder / "b.vtp", 2, force, {}), std::logic_error);
}

std::string xyz_frame(Real time, const PeriodicCell& cell, std::span<const XyzGrain> grains,
                      std::span<const PointArray> more = {}) {
  std::string text;
  XyzExtent extent{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
  for (const XyzGrain& g : grains)
    for (int k = 0; k < 3; ++k) {
      Real &low = (&extent.low.x)[k], &high = (&extent.high.x)[k];
      low = std::min(low, (&g.position.x)[k] - g.radius), high = std::max(high, (&g.position.x)[k] + g.radius);
    }
  write_xyz(
      time, cell, extent, grains.size(), [&](std::size_t k) { return grains[k]; }, more,
      [&](std::string_view part) { text += part; });
  return text;
}

TEST_CASE("extended XYZ: as OVITO reads it") {
  const XyzGrain grains[] = {{3, {1, 2, 3}, {4, 5, 6}, {0, 0.5, 0}, 0.25, 1, "glass"},
                             {4, {9, 2, -1}, {}, {}, 0.5, 2, "wet steel"}};
  CHECK(xyz_frame(0.125, {}, grains) ==
        "2\nProperties=id:I:1:species:S:1:pos:R:3:velo:R:3:omega:R:3:radius:R:1:material_type:I:1 Time=0.125\n"
        "3 glass 1 2 3 4 5 6 0 0.5 0 0.25 1\n4 wet_steel 9 2 -1 0 0 0 0 0 0 0.5 2\n");
  const std::vector<PointArray> more{{"force", 3, RealOf([](std::size_t k) { return 0.5 * static_cast<Real>(k); })},
                                     {"coordination", 1, WholeOf([](std::size_t k) { return k + 7; })}};
  const std::string with = xyz_frame(0, {}, grains, more);
  CHECK(with.find("material_type:I:1:force:R:3:coordination:I:1 Time=0\n") != std::string::npos);
  CHECK(with.find(" 1 0 0.5 1 7\n") != std::string::npos);
  CHECK(with.ends_with(" 2 1.5 2 2.5 8\n"));
  const std::string periodic = xyz_frame(0, PeriodicCell::from({-1, 0, 0}, {12, 0, 0}), grains);
  const std::string lattice = "2\nLattice=\"12 0 0 0 1 0 0 0 4.75\" Origin=\"-1 1.5 -1.5\" pbc=\"T F F\" Properties=";
  CHECK_MESSAGE(periodic.starts_with(lattice), periodic);
  CHECK(xyz_frame(0, {}, {}).starts_with("0\nProperties="));
}

TEST_CASE("frame: no points; sizes that do not fit are a programming error") {
  const FreshFolder folder;
  write_vtp(folder / "a.vtp", 0, {}, {}, {});
  std::string piece;
  CHECK(read_vtp(folder / "a.vtp", piece).size() == 4);
  const std::vector<Real> three{1, 2, 3};
  const std::vector<std::int64_t> one{1}, two{1, 2};
  CHECK_THROWS_AS(write_vtp(folder / "b.vtp", 2, three, {}, two), std::logic_error);
  CHECK_THROWS_AS(write_vtp(folder / "b.vtp", 1, three, {}, {}), std::logic_error);
  CHECK_THROWS_AS(write_vtp(folder / "b.vtp", 1, three, std::vector<PointArray>{{"a", 2, three}}, one),
                  std::logic_error);
  CHECK(!fs::exists(folder / "b.vtp"));
}

TEST_CASE("collection: whole after each addition, continued where it was, refused where it is another") {
  const FreshFolder folder;
  const std::string path = folder / "frames.pvd";
  FrameCollection collection = FrameCollection::create(path);
  const auto lines = [&] {
    std::vector<std::string> found;
    std::istringstream text(read_file(path));
    for (std::string line; std::getline(text, line);)
      if (line.find("<DataSet ") != line.npos) found.push_back(line.substr(line.find_first_not_of(' ')));
    return found;
  };
  CHECK(lines().empty());
  CHECK(sum_of(path) == collection.whole());
  collection.add(0, "frames/0.vtp");
  collection.add(0.1, "a & <b> \"c\" &amp;.vtp");
  const FileSum two = collection.sum();
  const std::string before = read_file(path);
  collection.add(0.25, "frames/2.vtp");
  const std::string whole = read_file(path);
  CHECK(whole.starts_with("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\""));
  CHECK(whole.ends_with("  </Collection>\n</VTKFile>\n"));
  CHECK(sum_of(path) == collection.whole());
  CHECK(lines() == std::vector<std::string>{
                       "<DataSet timestep=\"0\" part=\"0\" file=\"frames/0.vtp\"/>",
                       "<DataSet timestep=\"0.1\" part=\"0\" file=\"a &amp; &lt;b&gt; &quot;c&quot; &amp;amp;.vtp\"/>",
                       "<DataSet timestep=\"0.25\" part=\"0\" file=\"frames/2.vtp\"/>"});

  FrameCollection resumed = FrameCollection::reopen(path, two);
  CHECK(read_file(path) == whole);
  resumed.cut();
  CHECK(read_file(path) == before);
  resumed.add(0.25, "frames/2.vtp");
  CHECK(read_file(path) == whole);
  const auto refused = [&](const std::string& text) {
    write_file_atomically(path, text);
    check_error(Exit::corrupt, "cannot continue " + path + ": its list of frames was changed",
                [&] { FrameCollection::reopen(path, two); });
    CHECK(read_file(path) == text);
  };
  refused(whole.substr(0, two.size - 1));
  refused(std::string(whole).replace(whole.find("0.1"), 3, "0.2"));
  fs::remove(path);
  check_error(Exit::io, "No such file", [&] { FrameCollection::reopen(path, two); });
}

}  // namespace
}  // namespace cairn
