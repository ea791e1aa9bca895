// cairn study orders: what it measures, and what it leaves.
#include "cairn/studies/orders.hpp"

#include <doctest/doctest.h>

#include "desk.hpp"

namespace cairn::studies {
namespace {

TEST_CASE("orders: placeholder") { CHECK(true); }

}  // namespace
}  // namespace cairn::studies
