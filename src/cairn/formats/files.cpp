#include "cairn/formats/files.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cairn/core/error.hpp"

namespace cairn {
namespace {

constexpr std::size_t buffer_limit = 1 << 16;  // [bytes]

[[noreturn]] void fail(const char* doing, const std::string& path, int cause) {
  const Exit code = cause == ENOSPC || cause == EDQUOT || cause == EFBIG ? Exit::no_space : Exit::io;
  throw Error(code, std::string("cannot ") + doing + " " + path + ": " + std::generic_category().message(cause));
}

[[noreturn]] void fail_at_link(const char* doing, const std::string& path) {
  throw Error(Exit::io,
              std::string("cannot ") + doing + " " + path +
                  ": it is a symbolic link, and Cairn does not write through links here; remove the link first");
}

// The result of a system call, repeated while signals interrupt it; an error is thrown.
template <class Call>
auto checked(const char* doing, const std::string& path, Call&& call) {
  for (;;) {
    const auto result = call();
    if (result >= 0) return result;
    if (errno != EINTR) fail(doing, path, errno);
  }
}

struct Descriptor {
  int value;
  explicit Descriptor(int opened) : value(opened) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
  int release() { return std::exchange(value, -1); }
};

int open_file(const char* doing, const std::string& path, int flags) {
  Descriptor opened(checked(doing, path, [&] {
    const int result = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    if (result < 0 && errno == ELOOP && (flags & O_NOFOLLOW) != 0) fail_at_link(doing, path);
    return result;
  }));
  if (opened.value > STDERR_FILENO) return opened.release();
  return checked(doing, path, [&] { return ::fcntl(opened.value, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); });
}

struct stat status_of(const char* doing, const std::string& path, int descriptor) {
  struct stat status;
  checked(doing, path, [&] { return ::fstat(descriptor, &status); });
  return status;
}

void require_regular(const char* doing, const std::string& path, mode_t mode) {
  if (S_ISDIR(mode)) fail(doing, path, EISDIR);
  if (!S_ISREG(mode))
    throw Error(Exit::io, std::string("cannot ") + doing + " " + path + ": it is a device or a pipe; expected a file");
}

// To read what a user names, which may be anything: to open a pipe that nothing writes into must not wait for ever.
int open_input(const std::string& path, bool devices) {
  Descriptor opened(open_file("read", path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  const mode_t mode = status_of("read", path, opened.value).st_mode;
  if (S_ISFIFO(mode)) {
    constexpr int patience = 1000;  // [ms] until something comes
    pollfd waiting{opened.value, POLLIN, 0};
    while (::poll(&waiting, 1, patience) < 0 && errno == EINTR) continue;
  }
  if (!devices && (S_ISCHR(mode) || S_ISBLK(mode)))
    throw Error(Exit::io, "cannot read " + path + ": it is a device; expected a file");
  return opened.release();
}

// The next bytes, none at the end. A pipe without a byte yet is waited for as long as something may write into it.
std::size_t read_some(const std::string& path, int descriptor, char* to, std::size_t most) {
  for (;;) {
    const auto count = ::read(descriptor, to, most);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EAGAIN) {
      pollfd waiting{descriptor, POLLIN, 0};
      ::poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      fail("read", path, errno);
    }
  }
}

// Removes the old file instead of emptying it: a link, or another name of that file, may belong to the user.
int open_fresh(const std::string& path) {
  struct stat there;
  if (::lstat(path.c_str(), &there) == 0) {
    if (!S_ISLNK(there.st_mode)) require_regular("write", path, there.st_mode);
    if (::unlink(path.c_str()) < 0 && errno != ENOENT) fail("write", path, errno);
  }
  return open_file("write", path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
}

// Not repeated after a signal: Linux has released the descriptor even then.
void close_file(const std::string& path, int descriptor) {
  if (::close(descriptor) < 0 && errno != EINTR) fail("write", path, errno);
}

// How many bytes were written, at least one.
std::size_t write_some(const std::string& path, int descriptor, std::string_view bytes) {
  const auto count = checked("write", path, [&] { return ::write(descriptor, bytes.data(), bytes.size()); });
  if (count == 0) fail("write", path, EIO);
  return static_cast<std::size_t>(count);
}

void sync_file(const std::string& path, int descriptor) {
  checked("write", path, [&] { return ::fsync(descriptor); });
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// A new name is on the disk only when its folder is.
void sync_folder(const std::string& folder) {
  Descriptor opened(open_file("write the folder", folder, O_RDONLY | O_DIRECTORY));
  checked("write the folder", folder, [&] {
    const int result = ::fsync(opened.value);
    return result < 0 && errno == EINVAL ? 0 : result;  // EINVAL: a file system that keeps no folders on a disk
  });
}

FileSum sum_from(const char* doing, const std::string& path, int descriptor, std::uint64_t most) {
  FileSum sum;
  for (std::string block(1 << 20, '\0'); sum.size < most;) {
    const std::size_t wanted = std::min<std::uint64_t>(block.size(), most - sum.size);
    const auto count =
        checked(doing, path, [&] { return ::pread(descriptor, block.data(), wanted, static_cast<off_t>(sum.size)); });
    if (count == 0) break;
    sum.add(std::string_view(block).substr(0, static_cast<std::size_t>(count)));
  }
  return sum;
}

}  // namespace

NewFile::NewFile(std::string path, std::uint64_t size) : path_(std::move(path)), size_(size) {
  attempt([&] {
    std::string part = path_ + ".part";
    descriptor_ = open_fresh(part);
    part_ = std::move(part);  // only now is it ours to take away
  });
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      part_(std::exchange(other.part_, {})),
      buffer_(std::move(other.buffer_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      written_(other.written_),
      sum_(other.sum_) {}

void NewFile::discard() {
  if (part_.empty()) return;
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  ::unlink(std::exchange(part_, {}).c_str());  // may not exist; the first error is the one to report
}

template <class F>
void NewFile::attempt(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    discard();
    if (e.code() != Exit::no_space) throw;
    throw Error(e.code(), e.what() + std::string(" (the file needs ") + std::to_string(size_) + " bytes; " +
                              std::to_string(written_) + " bytes were written)");
  }
}

void NewFile::flush(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t count = write_some(part_, descriptor_, bytes);
    written_ += count;
    bytes.remove_prefix(count);
  }
}

void NewFile::write(std::string_view bytes) {
  sum_.add(bytes);
  attempt([&] {
    if (buffer_.size() + bytes.size() > buffer_limit) flush(buffer_), buffer_.clear();
    if (bytes.size() > buffer_limit)
      flush(bytes);
    else
      buffer_ += bytes;
  });
}

FileSum NewFile::commit() {
  attempt([&] {
    flush(buffer_);
    sync_file(part_, descriptor_);
    close_file(part_, std::exchange(descriptor_, -1));
    checked("write", path_, [&] { return ::rename(part_.c_str(), path_.c_str()); });
  });
  part_.clear();
  sync_folder(folder_of(path_));
  return sum_;
}

FileSum write_file_atomically(const std::string& path, std::string_view content) {
  NewFile file(path, content.size());
  file.write(content);
  return file.commit();
}

InputFile::InputFile(std::string path) : path_(std::move(path)), descriptor_(open_input(path_, false)) {}

InputFile::~InputFile() {
  ::close(descriptor_);
}

std::uint64_t InputFile::size() const {
  return static_cast<std::uint64_t>(status_of("read", path_, descriptor_).st_size);
}

std::size_t InputFile::read(char* to, std::size_t most) {
  return read_some(path_, descriptor_, to, most);
}

void InputFile::read_at(std::uint64_t offset, std::span<char> to) const {
  while (!to.empty()) {
    const auto count =
        checked("read", path_, [&] { return ::pread(descriptor_, to.data(), to.size(), static_cast<off_t>(offset)); });
    if (count == 0) throw Error(Exit::io, "cannot read " + path_ + ": the file became shorter while it was read");
    offset += static_cast<std::uint64_t>(count);
    to = to.subspan(static_cast<std::size_t>(count));
  }
}

std::string read_file(const std::string& path, std::size_t most) {
  Descriptor file(open_input(path, true));
  const struct stat status = status_of("read", path, file.value);
  // The size is only a guess: pipes have none and files grow. One byte more meets the end without growing.
  std::string content(std::min(static_cast<std::size_t>(status.st_size) + 1, most), '\0');
  std::size_t size = 0;
  while (size < most) {
    if (size == content.size()) content.resize(std::min(2 * size + buffer_limit, most));
    const std::size_t count = read_some(path, file.value, content.data() + size, content.size() - size);
    if (count == 0) break;
    size += count;
  }
  if (size == 0 && S_ISFIFO(status.st_mode))
    throw Error(Exit::io, "cannot read " + path + ": it is a pipe that gave no data");
  content.resize(size);
  return content;
}

FileSum sum_of(const std::string& path, std::uint64_t most) {
  const Descriptor file(open_file("read", path, O_RDONLY));
  return sum_from("read", path, file.value, most);
}

void make_folder(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return;
  const std::string parent = folder_of(path);
  if (parent != path) make_folder(parent);
  if (::mkdir(path.c_str(), 0777) < 0) {
    const int cause = errno;
    if (std::filesystem::is_directory(path, error)) return;  // another process was faster, or the path ends in "/"
    fail("make the folder", path, cause);
  }
  sync_folder(parent);
}

void refuse_link(const std::string& path) {
  struct stat there;
  if (::lstat(path.c_str(), &there) == 0 && S_ISLNK(there.st_mode)) fail_at_link("write into", path);
}

namespace {

// The holder is read from what is open: it may be ending and take the name away.
[[noreturn]] void fail_busy(const std::string& folder, int descriptor) {
  char holder[24];
  const auto length = ::pread(descriptor, holder, sizeof holder, 0);
  throw Error(Exit::busy, "another run is writing into " + folder +
                              (length > 0 ? " (process " + std::string(holder, length) + ")" : "") +
                              "; wait for that run, stop it, or choose another folder with --out");
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) : folder_(folder) {
  const std::string path = folder + "/.lock";
  for (;;) {
    Descriptor file(open_file("write", path, O_RDWR | O_CREAT | O_NOFOLLOW));
    if (::flock(file.value, LOCK_EX | LOCK_NB) < 0) {
      if (errno == EINTR) continue;
      if (errno == EWOULDBLOCK) fail_busy(folder, file.value);
      if (errno != ENOSYS && errno != ENOLCK && errno != EOPNOTSUPP) fail("lock", path, errno);
    }
    // Whoever had the lock takes its file away at the end: what is locked must still be the file of this name.
    const struct stat locked = status_of("lock", path, file.value);
    require_regular("lock", path, locked.st_mode);
    struct stat named;
    if (::lstat(path.c_str(), &named) < 0 || locked.st_ino != named.st_ino) continue;
    const std::string self = std::to_string(::getpid());
    // Only for people to read: a full disk is no reason to fail here. A file with other names may be somebody's.
    if (locked.st_nlink == 1 && ::ftruncate(file.value, 0) == 0 &&
        ::pwrite(file.value, self.data(), self.size(), 0) < 0)
      errno = 0;
    descriptor_ = file.release();
    return;
  }
}

FolderLock FolderLock::make(const std::string& folder) {
  std::error_code error;
  const bool there = std::filesystem::is_directory(folder, error);
  make_folder(folder);
  FolderLock lock(folder);
  lock.made_ = !there;
  return lock;
}

void FolderLock::require_free(const std::string& folder) {
  const std::string path = folder + "/.lock";
  struct stat there;
  if (::lstat(path.c_str(), &there) < 0 || !S_ISREG(there.st_mode)) return;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (file.value >= 0 && ::flock(file.value, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK)
    fail_busy(folder, file.value);
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : folder_(std::move(other.folder_)), descriptor_(std::exchange(other.descriptor_, -1)), made_(other.made_) {}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  ::unlink((folder_ + "/.lock").c_str());
  if (made_) ::rmdir(folder_.c_str());  // only if nothing is in it
  ::close(descriptor_);
}

TextFile::TextFile(const std::string& path, int descriptor, const FileSum& sum, bool uncut)
    : path_(path), descriptor_(descriptor), sum_(sum), uncut_(uncut) {}

TextFile::TextFile(TextFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      sum_(other.sum_),
      uncut_(other.uncut_),
      named_(other.named_),
      buffer_(std::move(other.buffer_)) {}

TextFile::~TextFile() {
  try {
    close();
  } catch (const Error&) {
  }
  if (descriptor_ >= 0) ::close(descriptor_);
}

TextFile TextFile::create(const std::string& path, Place place) {
  return {
      path, place == Place::own ? open_fresh(path) : open_file("write", path, O_WRONLY | O_CREAT | O_TRUNC), {}, false};
}

TextFile TextFile::reopen(const std::string& path, const FileSum& before) {
  Descriptor file(open_file("continue", path, O_RDWR | O_NOFOLLOW));
  require_regular("continue", path, status_of("continue", path, file.value).st_mode);
  const auto refuse = [&](const std::string& why) {
    throw Error(Exit::corrupt, "cannot continue " + path + " at byte " + std::to_string(before.size) + ": " + why +
                                   "; restore the file, or start the run again");
  };
  const FileSum found = sum_from("continue", path, file.value, before.size);
  if (found.size < before.size) refuse("the file has only " + std::to_string(found.size) + " bytes");
  if (found != before) refuse("the bytes before that were changed since the checkpoint");
  char last = '\n';
  const auto end = static_cast<off_t>(before.size);
  if (end > 0) checked("continue", path, [&] { return ::pread(file.value, &last, 1, end - 1); });
  if (last != '\n') refuse("no line begins there");
  return {path, file.release(), before, true};
}

void TextFile::cut() {
  if (!uncut_) return;
  const std::uint64_t end = sum_.size - buffer_.size();
  if (status_of("continue", path_, descriptor_).st_nlink > 1) {
    NewFile copy(path_, end);
    InputFile source(path_);
    std::string block;
    for (std::uint64_t at = 0; at < end; at += block.size()) {
      block.resize(std::min<std::uint64_t>(1 << 20, end - at));
      source.read_at(at, block);
      copy.write(block);
    }
    copy.commit();
    Descriptor fresh(open_file("continue", path_, O_RDWR | O_NOFOLLOW));
    std::swap(fresh.value, descriptor_);
  }
  checked("continue", path_, [&] { return ::ftruncate(descriptor_, static_cast<off_t>(end)); });
  checked("continue", path_, [&] { return ::lseek(descriptor_, static_cast<off_t>(end), SEEK_SET); });
  sync_file(path_, descriptor_);
  uncut_ = false;
}

void TextFile::write(std::string_view text) {
  buffer_ += text;
  sum_.add(text);
  if (buffer_.size() > buffer_limit) flush();
}

// After an error the buffer still holds exactly what is not in the file, so that a caller may try again.
void TextFile::flush() {
  if (buffer_.empty()) return;  // a file that was opened only to be closed again stays as it is
  cut();
  while (!buffer_.empty()) buffer_.erase(0, write_some(path_, descriptor_, buffer_));
}

void TextFile::sync() {
  flush();
  sync_file(path_, descriptor_);
  if (!std::exchange(named_, true)) sync_folder(folder_of(path_));
}

void TextFile::close() {
  if (descriptor_ < 0) return;
  flush();
  close_file(path_, std::exchange(descriptor_, -1));
}

}  // namespace cairn
