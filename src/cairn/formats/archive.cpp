#include "cairn/formats/archive.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"

namespace cairn {
namespace {

static_assert(std::endian::native == std::endian::little, "archives are written in the byte order of the memory");

struct Head {
  char mark[8] = {'c', 'a', 'i', 'r', 'n', 'a', 'r', 'c'};
  std::uint64_t version = archive_version;
};

using FourLetters = std::array<char, 4>;
constexpr FourLetters section_mark{'s', 'e', 'c', 't'}, foot_mark{'d', 'o', 'n', 'e'};

struct SectionHead {
  FourLetters mark = section_mark;
  std::uint32_t crc = 0;
  std::uint32_t name_size = 0, element = 0;
  std::uint64_t size = 0;
};
constexpr std::size_t checked_from = offsetof(SectionHead, name_size);

struct Foot {
  FourLetters mark = foot_mark;
  std::uint32_t sections = 0;
  std::uint64_t hash = 0;
};

static_assert(sizeof(Head) == 16 && sizeof(SectionHead) == 24 && sizeof(Foot) == 16);

template <class T>
T load(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
std::string_view view_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

void hash_words(Hash& hash, std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += 8) hash.add(load<std::uint64_t>(bytes, at));
}

}  // namespace

ArchiveWriter::ArchiveWriter(Sink sink) : sink_(std::move(sink)) {
  put(view_of(Head{}));
}

void ArchiveWriter::put(std::string_view bytes) {
  size_ += bytes.size();
  if (!sink_) return;
  sink_(bytes);
  while (!bytes.empty()) {
    if (word_.empty() && bytes.size() >= 8) {
      const std::size_t whole = bytes.size() / 8 * 8;
      hash_words(hash_, bytes.substr(0, whole));
      bytes.remove_prefix(whole);
      continue;
    }
    const std::size_t count = std::min(8 - word_.size(), bytes.size());
    word_ += bytes.substr(0, count);
    bytes.remove_prefix(count);
    if (word_.size() == 8) hash_words(hash_, word_), word_.clear();
  }
}

void ArchiveWriter::add_section(std::string_view name, std::size_t element, std::uint64_t size,
                                const std::function<void(const Sink&)>& write) {
  if (!names_.emplace(name).second) throw std::logic_error("archive: two sections " + quoted_bytes(name));
  SectionHead head;
  head.name_size = static_cast<std::uint32_t>(name.size());
  head.element = static_cast<std::uint32_t>(element);
  head.size = size;
  constexpr char zeros[8] = {};
  const std::string_view name_end(zeros, (8 - name.size() % 8) % 8), end(zeros, (8 - size % 8) % 8);
  std::uint64_t written = 0;
  if (sink_) {
    std::uint32_t crc = crc32c(view_of(head).substr(checked_from));
    for (const std::string_view bytes : {name, name_end}) crc = crc32c(bytes, crc);
    write([&](std::string_view bytes) { crc = crc32c(bytes, crc), written += bytes.size(); });
    if (written != size) throw std::logic_error("archive: section " + quoted_bytes(name) + " has another size");
    head.crc = crc32c(end, crc);
  }
  for (const std::string_view bytes : {view_of(head), name, name_end}) put(bytes);
  if (sink_)
    write([&](std::string_view bytes) { put(bytes); });
  else
    size_ += size;
  put(end);
}

void ArchiveWriter::finish() {
  Foot foot;
  foot.sections = static_cast<std::uint32_t>(names_.size());
  put(view_of(foot).substr(0, offsetof(Foot, hash)));
  const std::uint64_t hash = hash_.value();
  put(view_of(hash));
}

ArchiveReader ArchiveReader::open(const std::string& path) {
  const auto file = std::make_shared<InputFile>(path);
  if (file->size() == 0) {  // a pipe, perhaps, which can be read once
    std::string bytes;
    for (std::size_t filled = 0, more = 1; more > 0; filled += more, bytes.resize(filled)) {
      bytes.resize(filled + (1 << 16));
      more = file->read(bytes.data() + filled, 1 << 16);
    }
    return parse(std::move(bytes), path);
  }
  return {[file](std::uint64_t at, std::span<char> to) { file->read_at(at, to); }, file->size(), path};
}

ArchiveReader ArchiveReader::parse(std::string bytes, const std::string& path) {
  const auto size = bytes.size();
  return {[held = std::move(bytes)](std::uint64_t at, std::span<char> to) { held.copy(to.data(), to.size(), at); },
          size, path};
}

// Goes once through all of it.
ArchiveReader::ArchiveReader(Read read, std::uint64_t size, const std::string& path)
    : read_(std::move(read)), path_(path) {
  const auto require = [&](bool good, const std::string& otherwise) {
    if (!good) throw Error(Exit::corrupt, path + ": " + otherwise);
  };
  std::uint64_t at = 0;
  Hash hash;
  std::uint32_t crc = 0;
  const auto left = [&] { return size - at; };
  const auto padded = [](std::uint64_t bytes) { return (bytes + 7) / 8 * 8; };
  const auto peek = [&]<class T>(T& value) { read_(at, {reinterpret_cast<char*>(&value), sizeof value}); };
  const auto pass = [&](std::string_view words) {
    hash_words(hash, words);
    crc = crc32c(words, crc);
    at += words.size();
  };

  require(left() >= sizeof(Head), "is too short for a checkpoint");
  Head head;
  peek(head);
  require(std::memcmp(head.mark, Head{}.mark, sizeof head.mark) == 0, "does not begin like a checkpoint");
  require(head.version == archive_version,
          "has format version " + std::to_string(head.version) + ", expected " + std::to_string(archive_version));
  pass(view_of(head));

  std::string block;
  for (;;) {
    std::string which = "section " + std::to_string(sections_.size() + 1);
    require(left() >= sizeof(FourLetters), "is cut off before " + which + " or the footer");
    FourLetters mark;
    peek(mark);
    if (mark == foot_mark) break;
    require(mark == section_mark, which + " does not begin like a section");
    require(left() >= sizeof(SectionHead), which + " is cut off");
    SectionHead section;
    peek(section);
    pass(view_of(section));
    crc = crc32c(view_of(section).substr(checked_from));
    require(left() >= padded(section.name_size), which + " is cut off in its name");
    std::string name(padded(section.name_size), '\0');
    read_(at, name);
    pass(name);
    name.resize(section.name_size);
    which.append(" ").append(quoted_bytes(name));
    require(left() >= section.size && left() >= padded(section.size), which + " is cut off");
    const Section entry{at, section.size, section.element};
    const std::uint64_t end = at + padded(section.size);
    while (at < end) {
      constexpr std::uint64_t most = 1 << 20;  // [bytes]
      block.resize(std::min(most, end - at));
      read_(at, block);
      pass(block);
    }
    require(crc == section.crc, which + " is damaged: its checksum differs");
    require(section.element > 0 && section.size % section.element == 0, which + " ends within an element");
    require(sections_.emplace(name, entry).second, which + " appears twice");
  }
  require(left() == sizeof(Foot), left() < sizeof(Foot) ? "is cut off in its footer" : "has bytes after its footer");
  Foot foot;
  peek(foot);
  require(foot.sections == sections_.size(), "has another number of sections than its footer states");
  hash_words(hash, view_of(foot).substr(0, offsetof(Foot, hash)));
  require(foot.hash == hash.value(), "is damaged: the hash in its footer differs");
}

const ArchiveReader::Section& ArchiveReader::section(std::string_view name, std::size_t element) const {
  const auto found = sections_.find(name);
  if (found == sections_.end()) throw Error(Exit::corrupt, path_ + ": section " + quoted_bytes(name) + " is missing");
  if (found->second.element != element)
    throw Error(Exit::corrupt, path_ + ": section " + quoted_bytes(name) + " has elements of " +
                                   std::to_string(found->second.element) + " bytes, expected " +
                                   std::to_string(element));
  return found->second;
}

void ArchiveReader::require_count(std::string_view name, std::size_t element, std::size_t count) const {
  const std::size_t present = section(name, element).size / element;
  if (present != count)
    throw Error(Exit::corrupt, path_ + ": section " + quoted_bytes(name) + " has " + std::to_string(present) +
                                   " elements, expected " + std::to_string(count));
}

}  // namespace cairn
