#include "cairn/output/growing_files.hpp"

#include <utility>

#include "cairn/formats/files.hpp"

namespace cairn {

template <class File>
struct GrowingFiles::Held : Growing {
  File file;
  Held(std::string name_, File opened) : Growing(std::move(name_)), file(std::move(opened)) {}
  void cut() override { file.cut(); }
  void sync() override { file.sync(); }
  FileSum sum() const override { return file.sum(); }
  FileSum whole() const override {
    if constexpr (requires { file.whole(); })
      return file.whole();
    else
      return file.sum();
  }
};

void GrowingFiles::restore(std::string_view list) {
  for (const ListedFile& file : lines_in(list, "checkpoint")) known_[file.name] = file.sum;
}

const FileSum* GrowingFiles::known(const std::string& name) const {
  const auto found = known_.find(name);
  return found == known_.end() ? nullptr : &found->second;
}

template <class File>
File& GrowingFiles::keep(const std::string& name, File opened) {
  auto held = std::make_unique<Held<File>>(name, std::move(opened));
  File& file = held->file;
  open_.push_back(std::move(held));
  return file;
}

Table& GrowingFiles::table(const std::string& name, std::span<const Table::Column> columns) {
  const std::string path = folder_ + "/" + name;
  const FileSum* before = known(name);
  return keep(name, before ? Table::resume(path, columns, *before) : Table::create(path, CAIRN_VERSION, columns));
}

TextFile& GrowingFiles::text(const std::string& name) {
  const std::string path = folder_ + "/" + name;
  const FileSum* before = known(name);
  return keep(name, before ? TextFile::reopen(path, *before) : TextFile::create(path));
}

FrameCollection& GrowingFiles::collection(const std::string& name) {
  const std::string path = folder_ + "/" + name;
  const FileSum* before = known(name);
  return keep(name, before ? FrameCollection::reopen(path, *before) : FrameCollection::create(path));
}

void GrowingFiles::cut() {
  for (const auto& file : open_) file->cut();
}

std::string GrowingFiles::list() {
  for (const auto& file : open_) {
    file->sync();
    known_[file->name] = file->sum();
  }
  std::string lines;
  for (const auto& [name, sum] : known_) lines += line_of({name, sum});
  return lines;
}

std::vector<ListedFile> GrowingFiles::whole() {
  std::vector<ListedFile> all;
  for (const auto& file : open_) {
    file->sync();
    all.push_back({file->name, file->whole()});
  }
  return all;
}

}  // namespace cairn
