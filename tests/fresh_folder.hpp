// For tests that write: a folder of their own that goes with them, and the check of an expected Error.
#pragma once
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "cairn/core/error.hpp"

namespace cairn {

class FreshFolder {
 public:
  FreshFolder() : path_((std::filesystem::temp_directory_path() / "cairn_test_XXXXXX").string()) {
    REQUIRE(::mkdtemp(path_.data()) != nullptr);
  }
  ~FreshFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

template <class F>
void check_error(Exit code, const std::string& message, F&& f) {
  try {
    f();
    FAIL_CHECK("no error, expected ", message);
  } catch (const Error& error) {
    CHECK(error.code() == code);
    const std::string told = error.what();
    CHECK_MESSAGE(told.find(message) != told.npos, told, " lacks ", message);
  }
}

}  // namespace cairn
