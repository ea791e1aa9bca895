// The container of a checkpoint: named sections of binary values in one file. Each section carries its length and
// CRC32C; the footer's hash of all that stands before it is the single commit point. Damage of any kind is
// Error(Exit::corrupt) naming file and section; nothing is read from an archive that is not whole.
//
// Layout, little-endian, every part filled with zeros to a multiple of 8 bytes:
//   "cairnarc", version (8 bytes)
//   per section: "sect", CRC32C of the rest of the section, length of the name (4), size of an element (4),
//                length of the values (8), name, values
//   "done", number of sections (4), hash (8)
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace cairn {

// Raised whenever a checkpoint's sections change: an older file is refused by its version, not by what it lacks.
inline constexpr std::uint64_t archive_version = 2;

std::uint32_t crc32c(std::string_view bytes);

class ArchiveWriter {
 public:
  ArchiveWriter();

  // Names are unique. T must have no padding, or equal states would not give equal files.
  template <class T>
  void add_values(std::string_view name, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    add_section(name, std::as_bytes(values), sizeof(T));
  }
  template <class T>
  void add_values(std::string_view name, const std::vector<T>& values) {
    add_values(name, std::span<const T>(values));
  }
  template <class T>
  void add_value(std::string_view name, const T& value) {
    add_values(name, std::span<const T>(&value, 1));
  }
  void add(std::string_view name, std::span<const std::byte> bytes) { add_values(name, bytes); }
  void add_text(std::string_view name, std::string_view text) { add_values(name, std::span<const char>(text)); }

  std::string finish();  // the archive; the writer is empty afterwards

 private:
  void add_section(std::string_view name, std::span<const std::byte> bytes, std::size_t element);

  std::string bytes_;
  std::vector<std::string> names_;
};

class ArchiveReader {
 public:
  static ArchiveReader open(const std::string& path);
  static ArchiveReader parse(std::string bytes, const std::string& path);  // path: for messages

  bool has(std::string_view name) const { return sections_.find(name) != sections_.end(); }

  template <class T>
  std::vector<T> values(std::string_view name) const {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    const std::string_view bytes = section(name, sizeof(T));
    std::vector<T> result(bytes.size() / sizeof(T));
    if (!result.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
  template <class T>
  std::vector<T> values(std::string_view name, std::size_t count) const {
    require_count(name, sizeof(T), count);
    return values<T>(name);
  }
  template <class T>
  T value(std::string_view name) const {
    return values<T>(name, 1)[0];
  }
  std::string text(std::string_view name) const { return std::string(section(name, 1)); }

 private:
  struct Section {
    std::size_t begin, size, element;  // [bytes]
  };

  ArchiveReader() = default;
  std::string_view section(std::string_view name, std::size_t element) const;
  void require_count(std::string_view name, std::size_t element, std::size_t count) const;

  std::string path_, bytes_;
  std::map<std::string, Section, std::less<>> sections_;
};

}  // namespace cairn
