// Bytes as text of 64 letters (RFC 4648), for pages and addresses.
#pragma once
#include <string>
#include <string_view>

namespace cairn {

std::string base64(std::string_view bytes);
// With letters that an address takes as they are, without the padding.
std::string base64_url(std::string_view bytes);

}  // namespace cairn
