// The checksum of all that a run writes: of a checkpoint's sections and of whole files.
#pragma once
#include <cstdint>
#include <string_view>

namespace cairn {

// CRC32C; `before`: that of the bytes that stand before.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

// The length of a file, or of its first part, and the checksum of these bytes.
struct FileSum {
  std::uint64_t size = 0;  // [bytes]
  std::uint32_t crc = 0;   // CRC32C

  void add(std::string_view bytes) { size += bytes.size(), crc = crc32c(bytes, crc); }
  bool operator==(const FileSum&) const = default;
};

}  // namespace cairn
