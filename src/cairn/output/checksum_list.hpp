// checksums.txt of a run: one line "CRC32C bytes name" for each complete file, in the order they were written. The end
// of a run adds the files it writes last and those that grew; the very last line is that of the list itself, which
// seals it. A run that goes on cuts the list back to the length its checkpoint knows, as it does with every file that
// grows.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/formats/checksum.hpp"

namespace cairn {

struct ListedFile {
  std::string name;  // in the run's folder
  FileSum sum;
};

extern const char* const checksum_list_head;  // its first line

std::string line_of(const ListedFile& file);

// Those of whole lines; a last one without its end is left out. Error(corrupt) where that is no such list.
std::vector<ListedFile> lines_in(std::string_view text, const std::string& path);

struct ChecksumList {
  std::vector<ListedFile> files;  // without the list itself
  bool sealed = false;
};
// Error(corrupt) too where the seal is not that of the lines above it.
ChecksumList parse_list(std::string_view text, const std::string& path);

// In a sealed list, these files as they are now in place of the lines they had; another list is left as it is.
void list_again(const std::string& folder, std::span<const std::string> names);

}  // namespace cairn
