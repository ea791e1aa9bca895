#include "cairn/formats/base64.hpp"

#include <doctest/doctest.h>

using namespace cairn;

TEST_CASE("base64: the examples of RFC 4648, and letters of addresses") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foob") == "Zm9vYg==");
  CHECK(base64("fooba") == "Zm9vYmE=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64("\xfb\xff") == "+/8=");
  CHECK(base64_url("\xfb\xff") == "-_8");
}
