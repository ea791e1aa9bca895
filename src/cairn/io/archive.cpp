#include "cairn/io/archive.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/io/files.hpp"
#include "cairn/io/words.hpp"

namespace cairn {
namespace {

static_assert(std::endian::native == std::endian::little, "archives are written as memory stands");

struct Head {
  char mark[8] = {'c', 'a', 'i', 'r', 'n', 'a', 'r', 'c'};
  std::uint64_t version = archive_version;
};

using Mark = std::array<char, 4>;
constexpr Mark section_mark{'s', 'e', 'c', 't'}, foot_mark{'d', 'o', 'n', 'e'};

struct SectionHead {
  Mark mark = section_mark;
  std::uint32_t crc = 0;
  std::uint32_t name_size = 0, element = 0;
  std::uint64_t size = 0;
};
constexpr std::size_t checked_from = offsetof(SectionHead, name_size);

struct Foot {
  Mark mark = foot_mark;
  std::uint32_t sections = 0;
  std::uint64_t hash = 0;
};

static_assert(sizeof(Head) == 16 && sizeof(SectionHead) == 24 && sizeof(Foot) == 16);

// Slicing by 8: tables[k] advances a byte over k further zero bytes. Kounavis & Berry (2005), "A systematic approach
// to building high performance software-based CRC generators". Rejected: the SSE4.2 instruction, not on every target.
constexpr auto tables = [] {
  constexpr std::uint32_t castagnoli = 0x82f63b78;  // bits reversed
  std::array<std::array<std::uint32_t, 256>, 8> t{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    t[0][i] = i;
    for (int bit = 0; bit < 8; ++bit) t[0][i] = (t[0][i] >> 1) ^ ((t[0][i] & 1) != 0 ? castagnoli : 0);
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t i = 0; i < 256; ++i) t[k][i] = (t[k - 1][i] >> 8) ^ t[0][t[k - 1][i] & 255];
  return t;
}();

template <class T>
T load(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void fill_to_8(std::string& bytes) {
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
}

std::uint64_t hash_of(std::string_view bytes) {
  Hash hash;
  for (std::size_t at = 0; at < bytes.size(); at += 8) hash.add(load<std::uint64_t>(bytes, at));
  return hash.value();
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    const std::uint64_t word = load<std::uint64_t>(bytes, at) ^ crc;
    crc = 0;
    for (std::size_t k = 0; k < 8; ++k) crc ^= tables[7 - k][(word >> (8 * k)) & 255];
  }
  for (; at < bytes.size(); ++at) crc = (crc >> 8) ^ tables[0][(crc ^ static_cast<unsigned char>(bytes[at])) & 255];
  return ~crc;
}

ArchiveWriter::ArchiveWriter() {
  append(bytes_, Head{});
}

void ArchiveWriter::add_section(std::string_view name, std::span<const std::byte> bytes, std::size_t element) {
  if (std::find(names_.begin(), names_.end(), name) != names_.end())
    throw std::logic_error("archive: two sections " + quoted(name));
  names_.emplace_back(name);

  const std::size_t begin = bytes_.size();
  SectionHead head;
  head.name_size = static_cast<std::uint32_t>(name.size());
  head.element = static_cast<std::uint32_t>(element);
  head.size = bytes.size();
  append(bytes_, head);
  bytes_ += name;
  fill_to_8(bytes_);
  bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  fill_to_8(bytes_);
  head.crc = crc32c(std::string_view(bytes_).substr(begin + checked_from));
  std::memcpy(bytes_.data() + begin, &head, sizeof head);
}

std::string ArchiveWriter::finish() {
  Foot foot;
  foot.sections = static_cast<std::uint32_t>(names_.size());
  append(bytes_, foot);
  foot.hash = hash_of(std::string_view(bytes_).substr(0, bytes_.size() - sizeof foot.hash));
  std::memcpy(bytes_.data() + bytes_.size() - sizeof foot.hash, &foot.hash, sizeof foot.hash);
  std::string result = std::move(bytes_);
  *this = ArchiveWriter();
  return result;
}

ArchiveReader ArchiveReader::open(const std::string& path) {
  return parse(read_file(path), path);
}

ArchiveReader ArchiveReader::parse(std::string bytes, const std::string& path) {
  const auto require = [&](bool good, const std::string& otherwise) {
    if (!good) throw Error(Exit::corrupt, path + ": " + otherwise);
  };
  std::size_t at = 0;
  const auto left = [&] { return bytes.size() - at; };
  const auto padded = [](std::uint64_t size) { return (size + 7) / 8 * 8; };

  require(left() >= sizeof(Head), "too short for a checkpoint");
  const Head head = load<Head>(bytes, at);
  require(std::memcmp(head.mark, Head{}.mark, sizeof head.mark) == 0, "does not begin as a checkpoint does");
  require(head.version == archive_version,
          "has format version " + std::to_string(head.version) + ", expected " + std::to_string(archive_version));
  at += sizeof head;

  ArchiveReader reader;
  for (;;) {
    std::string which = "section " + std::to_string(reader.sections_.size() + 1);
    require(left() >= sizeof(Mark), "cut off before " + which + " or the footer");
    const Mark mark = load<Mark>(bytes, at);
    if (mark == foot_mark) break;
    require(mark == section_mark, which + " does not begin as a section does");
    require(left() >= sizeof(SectionHead), which + " is cut off");
    const auto section = load<SectionHead>(bytes, at);
    const std::size_t begin = at;
    at += sizeof section;
    require(left() >= padded(section.name_size), which + " is cut off in its name");
    const std::string_view name = std::string_view(bytes).substr(at, section.name_size);
    which.append(" ").append(quoted(name));
    at += padded(section.name_size);
    require(left() >= section.size && left() >= padded(section.size), which + " is cut off");
    const std::size_t values = at;
    at += padded(section.size);
    require(crc32c(std::string_view(bytes).substr(begin + checked_from, at - begin - checked_from)) == section.crc,
            which + " is damaged: its checksum differs");
    require(section.element > 0 && section.size % section.element == 0, which + " has a broken last element");
    const Section entry{values, static_cast<std::size_t>(section.size), section.element};
    require(reader.sections_.emplace(name, entry).second, which + " stands there twice");
  }
  require(left() == sizeof(Foot), left() < sizeof(Foot) ? "cut off in its footer" : "has bytes after its footer");
  const Foot foot = load<Foot>(bytes, at);
  require(foot.sections == reader.sections_.size(), "has lost a section");
  require(foot.hash == hash_of(std::string_view(bytes).substr(0, bytes.size() - sizeof foot.hash)),
          "is damaged: the hash in its footer differs");
  reader.path_ = path;
  reader.bytes_ = std::move(bytes);
  return reader;
}

std::string_view ArchiveReader::section(std::string_view name, std::size_t element) const {
  const auto found = sections_.find(name);
  if (found == sections_.end()) throw Error(Exit::corrupt, path_ + ": section " + quoted(name) + " is missing");
  if (found->second.element != element)
    throw Error(Exit::corrupt, path_ + ": section " + quoted(name) + " has elements of " +
                                   std::to_string(found->second.element) + " bytes, expected " +
                                   std::to_string(element));
  return std::string_view(bytes_).substr(found->second.begin, found->second.size);
}

void ArchiveReader::require_count(std::string_view name, std::size_t element, std::size_t count) const {
  const std::size_t present = section(name, element).size() / element;
  if (present != count)
    throw Error(Exit::corrupt, path_ + ": section " + quoted(name) + " has " + std::to_string(present) +
                                   " elements, expected " + std::to_string(count));
}

}  // namespace cairn
