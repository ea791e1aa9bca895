#include "cairn/formats/base64.hpp"

namespace cairn {
namespace {

constexpr std::size_t digits = 64;

std::string in_letters(std::string_view bytes, const char (&letters)[digits + 1], bool padded) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const auto byte = [&](std::size_t at) {
      return at < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[at])) : 0u;
    };
    const unsigned three = byte(k) << 16 | byte(k + 1) << 8 | byte(k + 2);
    for (std::size_t d = 0; d < 4; ++d)
      if (k + d <= bytes.size())
        out += letters[three >> (18 - 6 * d) & 63];
      else if (padded)
        out += '=';
  }
  return out;
}

}  // namespace

std::string base64(std::string_view bytes) {
  return in_letters(bytes, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", true);
}

std::string base64_url(std::string_view bytes) {
  return in_letters(bytes, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", false);
}

}  // namespace cairn
