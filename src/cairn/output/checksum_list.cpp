#include "cairn/output/checksum_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "cairn/core/error.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/run_names.hpp"

namespace cairn {
namespace {

std::string sealed(std::string text) {
  FileSum sum;
  sum.add(text);
  return text + line_of({names::checksums, sum});
}

// Takes the number at the beginning of `text` and the blanks behind it.
template <class T>
bool take_number(std::string_view& text, T& number, int base) {
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, number, base);
  if (failure != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(blanks);
  return blanks > 0;
}

}  // namespace

const char* const checksum_list_head =
    "# CRC32C, bytes and name of each finished file; if the run ended, the last line is the checksum of the lines "
    "above it\n";

std::string line_of(const ListedFile& file) {
  return fmt::format("{:08x} {:11} {}\n", file.sum.crc, file.sum.size, file.name);
}

std::vector<ListedFile> lines_in(std::string_view text, const std::string& path) {
  std::vector<ListedFile> files;
  std::size_t number = 0;
  for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
    ++number;
    std::string_view line = text.substr(0, end);
    if (line.starts_with('#')) continue;
    ListedFile file;
    if (!take_number(line, file.sum.crc, 16) || !take_number(line, file.sum.size, 10) || line.empty())
      throw Error(Exit::corrupt,
                  path + ":" + std::to_string(number) + ": expected a line with CRC32C, bytes and name of a file");
    file.name = line;
    files.push_back(std::move(file));
  }
  return files;
}

ChecksumList parse_list(std::string_view text, const std::string& path) {
  ChecksumList list{lines_in(text, path), false};
  const auto is_seal = [](const ListedFile& file) { return file.name == names::checksums; };
  const auto seal = std::find_if(list.files.begin(), list.files.end(), is_seal);
  if (seal == list.files.end()) return list;
  const std::string last = line_of(*seal);
  FileSum above;
  if (text.ends_with(last)) above.add(text.substr(0, text.size() - last.size()));
  if (seal->sum != above)
    throw Error(Exit::corrupt,
                path + ": the file was changed: its last line is not the checksum of the lines above it");
  list.files.erase(seal, list.files.end());
  list.sealed = true;
  return list;
}

void list_again(const std::string& folder, std::span<const std::string> changed) {
  const std::string path = folder + "/" + names::checksums;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;
  const std::string text = read_file(path);
  if (!parse_list(text, path).sealed) return;
  // Lines that stay keep their bytes: the checkpoint knows those of before it.
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    const std::string line = text.substr(at, end - at);
    const std::vector<ListedFile> file = lines_in(line, path);
    const bool goes = !file.empty() && (file[0].name == names::checksums ||
                                        std::find(changed.begin(), changed.end(), file[0].name) != changed.end());
    if (!goes) kept += line;
    at = end;
  }
  for (const std::string& name : changed) kept += line_of({name, sum_of(folder + "/" + name)});
  write_file_atomically(path, sealed(std::move(kept)));
}

}  // namespace cairn
