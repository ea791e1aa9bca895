#include "cairn/output/verify.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <system_error>

#include "cairn/core/error.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/run_names.hpp"
#include "cairn/output/checkpoint_files.hpp"
#include "cairn/output/checksum_list.hpp"

namespace cairn {
namespace {

namespace fs = std::filesystem;

class Verifier {
 public:
  explicit Verifier(const std::string& folder) : folder_(folder) {}

  Verification verify() {
    read_checkpoints();
    read_list();
    if (found_.checkpoint.empty()) {
      if (!found_.ended && !has_checkpoints_)
        throw Error(Exit::io, "nothing to verify: " + folder_ + " has no checkpoint, and no run ended in it");
      if (!has_checkpoints_) {
        const std::string folder = names::checkpoint.folder;
        found_.files.push_back({folder, FileState::missing, 0, 0, folder_ + "/" + folder + " has no checkpoint"});
      }
    }
    for (const auto& [name, expected] : expected_)
      if (name != names::checksums)
        found_.files.push_back(expected.complete ? whole(name, expected.sum) : at_least(name, expected.sum));
    std::set<std::string> known;
    for (const VerifiedFile& file : found_.files) known.insert(file.name);
    for (const std::string& name : names::written_in(folder_))
      if (!known.contains(name)) found_.unknown.push_back(name);
    return std::move(found_);
  }

 private:
  void read_checkpoints() {
    const std::string folder = folder_ + "/" + names::checkpoint.folder;
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) return;
    for (const GenerationFile& generation : generations(folder)) {
      has_checkpoints_ = true;
      VerifiedFile file{names::checkpoint.name(generation.number), FileState::whole};
      if (is_file(file)) {
        try {
          const ArchiveReader archive = ArchiveReader::open(generation.path);
          if (found_.checkpoint.empty()) {
            const std::string lines = archive.text("files");
            for (const ListedFile& growing : lines_in(lines, generation.path))
              expected_[growing.name] = {growing.sum, false};
            found_.time = archive.value<Real>("state.time");
            found_.steps = archive.value<std::int64_t>("steps");
            found_.checkpoint = file.name;
          }
        } catch (const Error& error) {
          file.state = error.code() == Exit::corrupt ? FileState::changed : FileState::unreadable;
          file.why = error.what();
        }
      }
      found_.files.push_back(std::move(file));
    }
  }

  // The list is relied on to its end where the run ended, else to the newest checkpoint.
  void read_list() {
    const std::string name = names::checksums, path = folder_ + "/" + name;
    const auto known = expected_.find(name);
    std::error_code ignored;
    if (known == expected_.end() && !fs::exists(path, ignored)) return;
    const FileSum before = known == expected_.end() ? FileSum{} : known->second.sum;
    VerifiedFile file = at_least(name, before);
    if (!file.damaged()) {
      try {
        const std::string text = read_file(path);
        const ChecksumList all = parse_list(text, path);
        found_.ended = all.sealed;
        if (all.sealed) file.state = FileState::whole, file.expected = file.size;
        const auto listed = all.sealed ? all.files : lines_in(std::string_view(text).substr(0, before.size), path);
        for (const ListedFile& finished : listed) expected_[finished.name] = {finished.sum, true};
        if (!all.sealed && std::any_of(all.files.begin() + static_cast<std::ptrdiff_t>(listed.size()), all.files.end(),
                                       [](const ListedFile& f) { return !names::is_numbered(f.name); }))
          throw Error(Exit::corrupt, path + " is cut off: some of the lines that the end of the run wrote are missing");
      } catch (const Error& error) {
        file.state = error.code() == Exit::corrupt ? FileState::changed : FileState::unreadable;
        file.why = error.what();
      }
    }
    found_.files.push_back(std::move(file));
  }

  // False, with the reason in `file`, if there is none to read; a pipe would keep its reader waiting.
  bool is_file(VerifiedFile& file) const {
    const std::string path = folder_ + "/" + file.name;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
      file.state = FileState::missing;
      file.why = path + " is missing";
    } else if (status.type() != fs::file_type::regular) {
      file.state = FileState::unreadable;
      file.why = path + (error ? " cannot be read: " + error.message() : " is not a file");
    } else {
      file.size = fs::file_size(path, error);
      return true;
    }
    return false;
  }

  // The first bytes of a file are those that were written.
  VerifiedFile at_least(const std::string& name, const FileSum& sum) const {
    VerifiedFile file{name, FileState::whole, 0, sum.size};
    if (!is_file(file)) return file;
    const std::string path = folder_ + "/" + name;
    const auto bytes = [](std::uint64_t count) { return std::to_string(count) + " bytes"; };
    if (file.size < sum.size) {
      file.state = FileState::shorter;
      file.why = path + " has only " + bytes(file.size) + " of " + bytes(sum.size);
      return file;
    }
    try {
      if (sum_of(path, sum.size) != sum) {
        file.state = FileState::changed;
        file.why = path + " was changed: the checksum of its " + bytes(sum.size) + " differs";
      } else if (file.size > sum.size) {
        file.state = FileState::longer_than_known;
      }
    } catch (const Error& error) {
      file.state = FileState::unreadable;
      file.why = error.what();
    }
    return file;
  }

  VerifiedFile whole(const std::string& name, const FileSum& sum) const {
    VerifiedFile file = at_least(name, sum);
    if (file.state != FileState::longer_than_known) return file;
    file.state = FileState::longer;
    file.why = folder_ + "/" + name + " has " + std::to_string(file.size - sum.size) + " bytes more than the " +
               std::to_string(sum.size) + " that the run wrote";
    return file;
  }

  std::string folder_;
  Verification found_;
  bool has_checkpoints_ = false;
  struct Expected {
    FileSum sum;
    bool complete;  // nothing comes behind
  };
  std::map<std::string, Expected> expected_;
};

}  // namespace

const char* words_for(FileState state) {
  switch (state) {
    case FileState::whole:
      return "whole";
    case FileState::longer_than_known:
      return "whole up to the checkpoint";
    case FileState::missing:
      return "missing";
    case FileState::shorter:
      return "shorter";
    case FileState::longer:
      return "longer";
    case FileState::changed:
      return "changed";
    case FileState::unreadable:
      return "unreadable";
  }
  return "";
}

std::vector<VerifiedFile> Verification::damaged() const {
  std::vector<VerifiedFile> all;
  std::copy_if(files.begin(), files.end(), std::back_inserter(all), [](const VerifiedFile& f) { return f.damaged(); });
  return all;
}

Verification verify_run(const std::string& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) throw Error(Exit::io, "nothing to verify: there is no folder " + folder);
  FolderLock::require_free(folder);
  return Verifier(folder).verify();
}

}  // namespace cairn
