// The files that grow during a run. A checkpoint holds how far each of them had come, with the checksum of the bytes up
// to there: a resume goes on behind these bytes, or refuses the file if they were changed. To add one more is to open
// it.
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/formats/particle_frames.hpp"
#include "cairn/formats/table.hpp"
#include "cairn/output/checksum_list.hpp"

namespace cairn {

class GrowingFiles {
 public:
  // Before any is opened, in a run that goes on: restore() takes the list() of its checkpoint.
  explicit GrowingFiles(std::string folder) : folder_(std::move(folder)) {}
  void restore(std::string_view list);
  const FileSum* known(const std::string& name) const;  // how far a file had come then; null: a new one

  // Opens the file of this name: goes on with it where a checkpoint knows it, else makes it new. It lives as long as
  // this does. Until cut() nothing of the folder is changed but for new files.
  Table& table(const std::string& name, std::span<const Table::Column> columns);
  TextFile& text(const std::string& name);
  FrameCollection& collection(const std::string& name);

  // Once all are open: cuts off all that was written after the checkpoint.
  void cut();
  // Brings all to the disk, and says how far each has come; those that this process did not open stay as they were.
  std::string list();
  // Each open file as it is now, on the disk.
  std::vector<ListedFile> whole();

 private:
  struct Growing {
    std::string name;
    explicit Growing(std::string name_) : name(std::move(name_)) {}
    virtual ~Growing() = default;
    virtual void cut() = 0;
    virtual void sync() = 0;
    virtual FileSum sum() const = 0;    // of what stays when it grows
    virtual FileSum whole() const = 0;  // of the file
  };
  template <class File>
  struct Held;
  template <class File>
  File& keep(const std::string& name, File opened);

  std::string folder_;
  std::map<std::string, FileSum> known_;
  std::vector<std::unique_ptr<Growing>> open_;  // in the order of their opening
};

}  // namespace cairn
