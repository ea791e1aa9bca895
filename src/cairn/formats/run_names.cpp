#include "cairn/formats/run_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "cairn/formats/earlier_results.hpp"
#include "cairn/formats/files.hpp"

namespace cairn::names {
namespace {

namespace fs = std::filesystem;

bool is_figure(std::string_view file) {
  for (const std::string_view figure : figures)
    for (const std::string_view ending : figure_endings)
      if (file.size() == figure.size() + ending.size() && file.starts_with(figure) && file.ends_with(ending))
        return true;
  return false;
}

bool is_single(std::string_view file) {
  return std::find(std::begin(single), std::end(single), file) != std::end(single);
}

}  // namespace

std::string Numbered::file(std::uint64_t number) const {
  return fmt::format("{}{:0{}}{}", prefix, number, digits, ending);
}

std::optional<std::uint64_t> Numbered::number_of(std::string_view name_of_file) const {
  const std::string_view before = prefix;
  if (!name_of_file.starts_with(before)) return {};
  std::uint64_t number = 0;
  const char* const end = name_of_file.data() + name_of_file.size();
  if (std::from_chars(name_of_file.data() + before.size(), end, number).ec != std::errc()) return {};
  if (file(number) != name_of_file) return {};  // in another width, or with more behind
  return number;
}

bool is_numbered(std::string_view name) {
  const std::size_t slash = std::min(name.find('/'), name.size());
  return std::any_of(std::begin(numbered), std::end(numbered), [&](const Numbered& kind) {
    return name.substr(0, slash) == kind.folder && kind.number_of(name.substr(std::min(slash + 1, name.size())));
  });
}

std::vector<std::string> written_in(const std::string& folder, bool parts) {
  std::vector<std::string> all;
  const auto look = [&](const std::string& sub, auto&& is_ours) {
    std::vector<std::string> found;
    std::error_code ignored;
    for (fs::directory_iterator entry(fs::path(folder) / sub, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
      const std::string file = entry->path().filename().string();
      std::string_view whole = file;
      if (constexpr std::string_view part = ".part"; parts && whole.ends_with(part)) whole.remove_suffix(part.size());
      if (is_ours(whole)) found.push_back(sub.empty() ? file : sub + "/" + file);
    }
    std::sort(found.begin(), found.end());
    all.insert(all.end(), found.begin(), found.end());
  };
  for (const Numbered& kind : numbered)
    look(kind.folder, [&](std::string_view file) { return kind.number_of(file).has_value(); });
  look(figures_folder, is_figure);
  look("", is_single);
  return all;
}

namespace {

// Killed in between, it must be neither resumed nor verified without the rest: checkpoints go first, then the list.
std::vector<std::string> in_order_of_removal(const std::string& folder) {
  std::vector<std::string> all = written_in(folder, true);
  const auto begins_with = [](const char* first) {
    return [first](const auto& name) { return name.starts_with(first); };
  };
  const auto rest = std::stable_partition(all.begin(), all.end(), begins_with(checkpoint.folder));
  std::stable_partition(rest, all.end(), begins_with(checksums));
  return all;
}

}  // namespace

void remove_results(const std::string& folder) {
  std::error_code ignored;
  for (const std::string& name : in_order_of_removal(folder)) fs::remove(fs::path(folder) / name, ignored);
  for (const Numbered& kind : numbered) fs::remove(fs::path(folder) / kind.folder, ignored);  // only if nothing is left
  fs::remove(fs::path(folder) / figures_folder, ignored);
}

std::string keep_results(const std::string& folder) {
  return keep_beside(folder, in_order_of_removal(folder));
}

void refuse_links(const std::string& folder) {
  for (const Numbered& kind : numbered) refuse_link(folder + "/" + kind.folder);
  refuse_link(folder + "/" + figures_folder);
}

}  // namespace cairn::names
