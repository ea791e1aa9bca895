// Any bytes are a checkpoint's container or an Error; so are they as the content of one section whose checksums are
// right, which random bytes never have, whatever that section says of itself.
#include <string>

#include "cairn/core/error.hpp"
#include "cairn/formats/archive.hpp"

using namespace cairn;

namespace {

void read(std::string bytes) {
  try {
    const ArchiveReader archive = ArchiveReader::parse(std::move(bytes), "f");
    if (!archive.has("x")) return;
    archive.values<double>("x");
    archive.text("x");
    archive.value<std::uint64_t>("x");
  } catch (const Error&) {
  }
}

template <class T>
std::string bytes_of(const T& value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

// As the layout in archive.hpp has it, around a section's name, sizes and values.
std::string sealed(std::string section) {
  section.resize((section.size() + 7) / 8 * 8);
  std::string all = "cairnarc" + bytes_of(archive_version) + "sect" + bytes_of(crc32c(section)) + section + "done" +
                    bytes_of(std::uint32_t{1});
  Hash hash;
  for (std::size_t at = 0; at < all.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, all.data() + at, sizeof word);
    hash.add(word);
  }
  return all + bytes_of(hash.value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  const std::string bytes(data, size);
  read(bytes);
  read(sealed(bytes));
  return 0;
}
