#include "cairn/formats/earlier_results.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>

#include "cairn/core/error.hpp"
#include "cairn/formats/files.hpp"

namespace cairn {
namespace {

namespace fs = std::filesystem;

bool there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// Where a link leads, so that what is kept stays on its disk; else as the user has named it.
std::string base_of(const std::string& folder) {
  std::string path = fs::path(folder).lexically_normal().string();
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const std::string last = fs::path(path).filename().string();
  std::error_code error;
  const bool as_named = !last.empty() && last != "." && last != ".." && !fs::is_symlink(path, error);
  if (as_named) return path;
  const fs::path real = fs::canonical(folder, error);
  return error ? path : real.string();
}

void move(const std::string& from, const std::string& to, const std::string& folder) {
  if (std::rename(from.c_str(), to.c_str()) == 0) return;
  throw Error(Exit::io, "cannot keep the earlier results in " + folder + " as " + to + ": " + std::strerror(errno) +
                            "; replace them with --force, or choose another folder with --out");
}

}  // namespace

std::string keep_beside(const std::string& folder, const std::vector<std::string>& files) {
  std::vector<std::string> found;
  std::copy_if(files.begin(), files.end(), std::back_inserter(found),
               [&](const std::string& name) { return there(folder + "/" + name); });
  if (found.empty()) return "";
  const std::string base = base_of(folder);
  std::string kept, part;
  const auto taken = [&] {
    return there(kept) ||
           std::any_of(found.begin(), found.end(), [&](const auto& name) { return there(part + "/" + name); });
  };
  for (int k = 1; k == 1 || taken(); ++k) kept = base + "." + std::to_string(k), part = kept + ".part";
  refuse_link(part);
  make_folder(part);
  std::set<std::string> folders;
  for (const std::string& name : found) {
    const std::string inner = fs::path(name).parent_path().string();
    if (!inner.empty() && folders.insert(inner).second) make_folder(part + "/" + inner);
    move(folder + "/" + name, part + "/" + name, folder);
  }
  std::error_code ignored;
  for (const std::string& inner : folders) fs::remove(folder + "/" + inner, ignored);  // only if nothing is left
  move(part, kept, folder);
  return kept;
}

std::string kept_note(const std::string& folder, const std::string& kept) {
  return "note: the earlier results in " + folder + " are kept in " + kept + "; --force replaces them";
}

}  // namespace cairn
