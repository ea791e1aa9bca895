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
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cairn/core/hash.hpp"
#include "cairn/formats/checksum.hpp"

namespace cairn {

// Raised whenever a checkpoint's sections change, or what they mean: an older file is refused by its version, not by
// what it lacks.
inline constexpr std::uint64_t archive_version = 12;

class ArchiveWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  // Hands the archive's bytes on, part by part. Without a sink they are only counted.
  explicit ArchiveWriter(Sink sink = {});

  // Names are unique. T must have no padding, or equal states would not give equal files.
  template <class T>
  void add_values(std::string_view name, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    add_section(name, sizeof(T), bytes.size(), [bytes](const Sink& to) { to(bytes); });
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
  // One section of so many bytes, whose values `write` hands on in parts, one behind the other: twice, for the checksum
  // stands before them, and not at all where they are only counted.
  void add_section(std::string_view name, std::size_t element, std::uint64_t size,
                   const std::function<void(const Sink&)>& write);

  void finish();                                // nothing comes after
  std::uint64_t size() const { return size_; }  // [bytes] so far

 private:
  void put(std::string_view bytes);

  Sink sink_;
  std::uint64_t size_ = 0;
  Hash hash_;         // of whole words
  std::string word_;  // the one begun
  std::set<std::string, std::less<>> names_;
};

// Holds where the sections stand; values are read when they are asked for.
class ArchiveReader {
 public:
  static ArchiveReader open(const std::string& path);
  static ArchiveReader parse(std::string bytes, const std::string& path);  // path: for messages

  bool has(std::string_view name) const { return sections_.find(name) != sections_.end(); }

  template <class T>
  std::size_t count(std::string_view name) const {
    return section(name, sizeof(T)).size / sizeof(T);
  }
  // Those from `first` on.
  template <class T>
  void read(std::string_view name, std::size_t first, std::span<T> to) const {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    read_(section(name, sizeof(T)).begin + first * sizeof(T),
          {reinterpret_cast<char*>(to.data()), to.size() * sizeof(T)});
  }
  template <class T>
  std::vector<T> values(std::string_view name) const {
    std::vector<T> result(count<T>(name));
    read(name, 0, std::span(result));
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
  std::string text(std::string_view name) const {
    std::string result(count<char>(name), '\0');
    read(name, 0, std::span(result));
    return result;
  }

 private:
  struct Section {
    std::uint64_t begin, size;  // [bytes]
    std::size_t element;        // [bytes]
  };
  using Read = std::function<void(std::uint64_t at, std::span<char> to)>;

  ArchiveReader(Read read, std::uint64_t size, const std::string& path);
  const Section& section(std::string_view name, std::size_t element) const;
  void require_count(std::string_view name, std::size_t element, std::size_t count) const;

  Read read_;
  std::string path_;
  std::map<std::string, Section, std::less<>> sections_;
};

}  // namespace cairn
