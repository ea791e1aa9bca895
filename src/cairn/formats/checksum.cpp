#include "cairn/formats/checksum.hpp"

#include <array>
#include <cstddef>
#include <cstring>

namespace cairn {
namespace {

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

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    word ^= crc;
    crc = 0;
    for (std::size_t k = 0; k < 8; ++k) crc ^= tables[7 - k][(word >> (8 * k)) & 255];
  }
  for (; at < bytes.size(); ++at) crc = (crc >> 8) ^ tables[0][(crc ^ static_cast<unsigned char>(bytes[at])) & 255];
  return ~crc;
}

}  // namespace cairn
