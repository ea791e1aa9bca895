#include "cairn/io/files.hpp"

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

// The result of a system call, repeated while signals interrupt it; an error is thrown.
template <class Call>
auto checked(const char* doing, const std::string& path, Call&& call) {
  for (;;) {
    const auto result = call();
    if (result >= 0) return result;
    if (errno != EINTR) fail(doing, path, errno);
  }
}

int open_file(const char* doing, const std::string& path, int flags) {
  return checked(doing, path, [&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
}

// To read what a user names, which may be anything: to open a pipe that nothing writes into must not wait for ever.
int open_input(const std::string& path, bool devices) {
  const int descriptor = open_file("read", path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  const int failure = ::fstat(descriptor, &status) < 0 ? errno : 0;
  if (failure == 0 && S_ISFIFO(status.st_mode)) {
    constexpr int patience = 1000;  // [ms] until something comes
    pollfd waiting{descriptor, POLLIN, 0};
    while (::poll(&waiting, 1, patience) < 0 && errno == EINTR) continue;
  }
  const bool device = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
  if (failure == 0 && (devices || !device)) return descriptor;
  ::close(descriptor);
  if (failure != 0) fail("read", path, failure);
  throw Error(Exit::io, "cannot read " + path + ": it is a device; expected a file");
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

// Not repeated after a signal: Linux has released the descriptor even then.
void close_file(const std::string& path, int descriptor) {
  if (::close(descriptor) < 0 && errno != EINTR) fail("write", path, errno);
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

}  // namespace

NewFile::NewFile(std::string path, std::uint64_t size) : path_(std::move(path)), part_(path_ + ".part"), size_(size) {
  attempt([&] { descriptor_ = open_file("write", part_, O_WRONLY | O_CREAT | O_TRUNC); });
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      part_(std::exchange(other.part_, {})),
      buffer_(std::move(other.buffer_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      written_(other.written_) {}

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
    throw Error(e.code(), e.what() + std::string(" (it takes ") + std::to_string(size_) + " bytes, of which " +
                              std::to_string(written_) + " were written)");
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
  attempt([&] {
    if (buffer_.size() + bytes.size() > buffer_limit) flush(buffer_), buffer_.clear();
    if (bytes.size() > buffer_limit)
      flush(bytes);
    else
      buffer_ += bytes;
  });
}

void NewFile::commit() {
  attempt([&] {
    flush(buffer_);
    sync_file(part_, descriptor_);
    close_file(part_, std::exchange(descriptor_, -1));
    checked("write", path_, [&] { return ::rename(part_.c_str(), path_.c_str()); });
  });
  part_.clear();
  sync_folder(folder_of(path_));
}

void write_file_atomically(const std::string& path, std::string_view content) {
  NewFile file(path, content.size());
  file.write(content);
  file.commit();
}

InputFile::InputFile(std::string path) : path_(std::move(path)), descriptor_(open_input(path_, false)) {}

InputFile::~InputFile() {
  ::close(descriptor_);
}

std::uint64_t InputFile::size() const {
  struct stat status;
  checked("read", path_, [&] { return ::fstat(descriptor_, &status); });
  return static_cast<std::uint64_t>(status.st_size);
}

std::size_t InputFile::read(char* to, std::size_t most) {
  return read_some(path_, descriptor_, to, most);
}

void InputFile::read_at(std::uint64_t offset, std::span<char> to) const {
  while (!to.empty()) {
    const auto count =
        checked("read", path_, [&] { return ::pread(descriptor_, to.data(), to.size(), static_cast<off_t>(offset)); });
    if (count == 0) throw Error(Exit::io, "cannot read " + path_ + ": it became shorter");
    offset += static_cast<std::uint64_t>(count);
    to = to.subspan(static_cast<std::size_t>(count));
  }
}

std::string read_file(const std::string& path, std::size_t most) {
  Descriptor file(open_input(path, true));
  struct stat status;
  checked("read", path, [&] { return ::fstat(file.value, &status); });
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
    throw Error(Exit::io, "cannot read " + path + ": it is a pipe, and nothing was written into it");
  content.resize(size);
  return content;
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

FolderLock::FolderLock(const std::string& folder) : folder_(folder) {
  const std::string path = folder + "/.lock";
  for (;;) {
    Descriptor file(open_file("write", path, O_RDWR | O_CREAT));
    if (::flock(file.value, LOCK_EX | LOCK_NB) < 0) {
      if (errno == EINTR) continue;
      if (errno == EWOULDBLOCK) {
        // Of what is open: the holder may be ending and take the name away.
        char holder[24];
        const auto length = ::pread(file.value, holder, sizeof holder, 0);
        throw Error(Exit::busy, "another run is writing into " + folder +
                                    (length > 0 ? " (process " + std::string(holder, length) + ")" : "") +
                                    "; wait for it, stop it, or give another folder by --out");
      }
      if (errno != ENOSYS && errno != ENOLCK && errno != EOPNOTSUPP) fail("lock", path, errno);
    }
    // Whoever had the lock takes its file away at the end: what is locked must still be the file of this name.
    struct stat locked, named;
    if (::fstat(file.value, &locked) < 0 || ::stat(path.c_str(), &named) < 0 || locked.st_ino != named.st_ino) continue;
    const std::string self = std::to_string(::getpid());
    // Only for people to read: a full disk is no reason to fail here.
    if (::ftruncate(file.value, 0) == 0 && ::pwrite(file.value, self.data(), self.size(), 0) < 0) errno = 0;
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

FolderLock::FolderLock(FolderLock&& other) noexcept
    : folder_(std::move(other.folder_)), descriptor_(std::exchange(other.descriptor_, -1)), made_(other.made_) {}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  ::unlink((folder_ + "/.lock").c_str());
  if (made_) ::rmdir(folder_.c_str());  // only if nothing is in it
  ::close(descriptor_);
}

TextFile::TextFile(const std::string& path, int descriptor, std::uint64_t offset)
    : path_(path), descriptor_(descriptor), flushed_(offset) {}

TextFile::TextFile(TextFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      flushed_(other.flushed_),
      buffer_(std::move(other.buffer_)) {}

TextFile::~TextFile() {
  try {
    close();
  } catch (const Error&) {
  }
  if (descriptor_ >= 0) ::close(descriptor_);
}

TextFile TextFile::create(const std::string& path) {
  return TextFile(path, open_file("write", path, O_WRONLY | O_CREAT | O_TRUNC), 0);
}

TextFile TextFile::reopen(const std::string& path, std::uint64_t offset) {
  Descriptor file(open_file("continue", path, O_RDWR));
  struct stat status;
  checked("continue", path, [&] { return ::fstat(file.value, &status); });
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const std::string at_byte = "cannot continue " + path + " at byte " + std::to_string(offset) + ": ";
  if (size < offset) throw Error(Exit::io, at_byte + "it has only " + std::to_string(size));
  const auto end = static_cast<off_t>(offset);
  char last = '\n';
  if (offset > 0) checked("continue", path, [&] { return ::pread(file.value, &last, 1, end - 1); });
  if (last != '\n') throw Error(Exit::io, at_byte + "no line begins there; it was changed since");
  checked("continue", path, [&] { return ::ftruncate(file.value, end); });
  checked("continue", path, [&] { return ::lseek(file.value, end, SEEK_SET); });
  return TextFile(path, file.release(), offset);
}

void TextFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() > buffer_limit) flush();
}

// After an error the buffer still holds exactly what is not in the file, so that a caller may try again.
void TextFile::flush() {
  while (!buffer_.empty()) {
    const std::size_t count = write_some(path_, descriptor_, buffer_);
    buffer_.erase(0, count);
    flushed_ += count;
  }
}

void TextFile::sync() {
  flush();
  sync_file(path_, descriptor_);
}

void TextFile::close() {
  if (descriptor_ < 0) return;
  flush();
  close_file(path_, std::exchange(descriptor_, -1));
}

}  // namespace cairn
