// Files as a long run needs them: a whole file is there or it is not, text grows at its end, one process at a time
// writes a folder, and no error goes unnoticed. A full disk, a quota or a limit on the size of files is
// Error(Exit::no_space), all else Error(Exit::io), with the path and the cause. No file takes the descriptor of a
// standard stream, so printed words cannot land in it.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "cairn/core/text.hpp"
#include "cairn/formats/checksum.hpp"

namespace cairn {

// Written beside as `path`.part and renamed: whoever looks, and a run killed at any point, finds the old content or
// the new one. On return it is on the disk. One writer per path: the fixed name beside leaves no litter behind. A link
// of this name is replaced by the file; its target stays as it is.
FileSum write_file_atomically(const std::string& path, std::string_view content);

// The same for what is too long to be held in memory: parts are written beside as they come, and commit() makes them
// the file of this name. Else nothing of them is left.
class NewFile {
 public:
  NewFile(std::string path, std::uint64_t size);  // [bytes] it will take, for messages
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile() { discard(); }

  void write(std::string_view bytes);
  FileSum commit();

 private:
  template <class F>
  void attempt(F&& f);
  void flush(std::string_view bytes);
  void discard();

  std::string path_, part_, buffer_;  // no part: it is there, or has failed
  int descriptor_ = -1;
  std::uint64_t size_ = 0, written_ = 0;  // [bytes]
  FileSum sum_;
};

// A file or a pipe, but no device, that is not held in memory as a whole.
class InputFile {
 public:
  explicit InputFile(std::string path);
  InputFile(const InputFile&) = delete;
  ~InputFile();

  std::uint64_t size() const;                                    // [bytes] as the system says; pipes have none
  std::size_t read(char* to, std::size_t most);                  // the next bytes; how many, 0 at the end
  void read_at(std::uint64_t offset, std::span<char> to) const;  // all of these

 private:
  std::string path_;
  int descriptor_;
};

// No more than `most` bytes, as devices and pipes may have no end.
std::string read_file(const std::string& path, std::size_t most = std::string::npos);

// The length and checksum of a file, or of its first bytes where there are more than `most`.
FileSum sum_of(const std::string& path, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

// With its parents; nothing happens where it exists.
void make_folder(const std::string& path);

// Error(io) where `path` is a symbolic link: inside its folder the program writes through none.
void refuse_link(const std::string& path);

// The right to write into a folder, which one process has at a time. It is a lock of the system on FOLDER/.lock, so it
// ends with the process however that ends; the file tells others who holds it. Where a file system has no locks
// (ENOSYS, ENOLCK or EOPNOTSUPP: some Lustre, some NFS) nothing is protected.
class FolderLock {
 public:
  // The folder must exist. Error(busy) where another process has it.
  explicit FolderLock(const std::string& folder);
  // Makes the folder if it is missing; takes it away at the end if nothing was written into it.
  static FolderLock make(const std::string& folder);
  // Error(busy) where a process has it; takes nothing and writes nothing.
  static void require_free(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  int descriptor_ = -1;
  bool made_ = false;
};

enum class Place {
  own,   // in a folder of the program: a new file replaces any file or link of that name
  given  // a path the user named, which may be a link or a device
};

// Text that grows during a run, line by line. A run resumes by noting sum() in its checkpoint, after sync().
class TextFile {
 public:
  static TextFile create(const std::string& path, Place place = Place::own);
  // Goes on behind the first lines. Error(corrupt) where these are not the ones that were noted.
  static TextFile reopen(const std::string& path, const FileSum& before);
  TextFile(TextFile&& other) noexcept;
  TextFile& operator=(TextFile&&) = delete;
  ~TextFile();  // flushes, but cannot report an error; close() can

  void write(std::string_view text);
  // Cuts off all that stands behind the place to go on at. The first byte that is written does the same. Where the file
  // has other names, in a copy made by hard links say, they keep the old content: this name gets a file of its own.
  void cut();
  void flush();  // what was written outlives the process
  void sync();   // what was written outlives a power cut
  void close();
  const FileSum& sum() const { return sum_; }         // of what was written
  std::uint64_t offset() const { return sum_.size; }  // [bytes] end of what was written

 private:
  TextFile(const std::string& path, int descriptor, const FileSum& sum, bool uncut);

  std::string path_;
  int descriptor_;  // -1: closed
  FileSum sum_;
  bool uncut_;          // bytes may still stand behind
  bool named_ = false;  // the name is on the disk
  std::string buffer_;
};

}  // namespace cairn
