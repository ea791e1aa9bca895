// Schemes that take numbers: how they are read, and what is said of those that are not allowed.
#include <doctest/doctest.h>

#include "cairn/core/error.hpp"
#include "cairn/run/registry.hpp"

namespace cairn {
namespace {

constexpr Claims two{.name = "two",
                     .parameters = {{{"beta", 0.25, 0, 0.5, "of positions"}, {"gamma", 0.5, 0.5, 1, "of velocities"}}}};
constexpr Claims one{.name = "one", .parameters = {{{"alpha", 0.1, 0, 1.0 / 3, "of losses"}}}};
constexpr Claims none{.name = "none"};

std::string fault(const Claims& claims, std::string_view numbers) {
  try {
    parse_parameters(claims, numbers);
    return "";
  } catch (const Error& e) {
    CHECK(e.code() == Exit::bad_input);
    return e.what();
  }
}

TEST_CASE("scheme numbers: claims count theirs and know the usual ones") {
  static_assert(two.parameter_count() == 2 && one.parameter_count() == 1 && none.parameter_count() == 0);
  static_assert(two.usual_parameters() == Parameters{0.25, 0.5, 0});
  CHECK(full_name(two, two.usual_parameters()) == "two(0.25,0.5)");
  CHECK(full_name(one, {1.0 / 3}) == "one(0.3333333333333333)");
  CHECK(full_name(none, {}) == "none");
}

TEST_CASE("scheme numbers: read with blanks or without, to the last bit") {
  CHECK(parse_parameters(two, "0.3,0.6") == Parameters{0.3, 0.6, 0});
  CHECK(parse_parameters(two, " 3e-1 ,  .6 ") == Parameters{0.3, 0.6, 0});
  CHECK(parse_parameters(one, "0.3333333333333333") == Parameters{1.0 / 3, 0, 0});
  CHECK(full_name(one, parse_parameters(one, "-0")) == "one(0)");
  const Parameters odd{0.1 + 0.2, 0.7, 0};
  const std::string name = full_name(two, odd);
  CHECK(parse_parameters(two, std::string_view(name).substr(4, name.size() - 5)) == odd);
}

TEST_CASE("scheme numbers: faults name the number, its range and how it is written") {
  CHECK(fault(none, "1") == "the scheme none takes no parameters; expected 'none'");
  const std::string wrong_count = "the scheme two takes 2 numbers, two(beta,gamma), found ";
  CHECK(fault(two, "0.3") == wrong_count + "1; plain 'two' means two(0.25,0.5)");
  CHECK(fault(two, " ").find(wrong_count + "0;") == 0);
  CHECK(fault(one, "0.1,0.2") == "the scheme one takes 1 number, one(alpha), found 2; plain 'one' means one(0.1)");
  CHECK(fault(two, "0.3,0.4") ==
        "the scheme two: gamma = 0.4 is out of its range, expected gamma of two(beta,gamma) from 0.5 to 1");
  CHECK(fault(two, "-0.1,0.6").find("beta = -0.1 is out of its range") != std::string::npos);
  CHECK(fault(two, "a,0.6") == "the scheme two: 'a' is not a number, expected beta of two(beta,gamma) from 0 to 0.5");
  for (const char* numbers : {"nan,0.6", "inf,0.6", "0.3x,0.6", "0x1,0.6", "0.3,", ",", "1e999,0.6"}) {
    CAPTURE(numbers);
    CHECK(fault(two, numbers).find("the scheme two: ") == 0);
  }
}

TEST_CASE("scheme numbers: a list of schemes is cut at the commas between them") {
  CHECK(split_scheme_names("rk4") == std::vector<std::string>{"rk4"});
  CHECK(split_scheme_names("rk4, two(0.3, 0.6),one(0.1)") ==
        std::vector<std::string>{"rk4", "two(0.3,0.6)", "one(0.1)"});
}

TEST_CASE("scheme numbers: names of the catalogue with and without") {
  CHECK(find_scheme("rk4(1)") == nullptr);
  CHECK(scheme_numbers_fault("rk4(1)") == "the scheme rk4 takes no parameters; expected 'rk4'");
  CHECK(scheme_numbers_fault("rk5(1)").empty());
  CHECK(scheme_numbers_fault("rk4").empty());
  for (const char* name : {"", "(", ")", "()", "(1)", "rk4(", "rk4)", "rk4(1"}) {
    CAPTURE(name);
    CHECK(find_scheme(name) == nullptr);
    CHECK_THROWS_WITH(scheme_named(name), doctest::Contains("there is no scheme"));
  }
  CHECK_THROWS_WITH(scheme_named("rk5(1)"), doctest::Contains("did you mean 'rk4'?"));
  for (const SchemeEntry& e : scheme_catalogue()) {
    CHECK(find_scheme(e.name) == &e);
    if (e.claims.parameter_count() == 0) continue;
    Parameters other = e.parameters;  // another number within the range
    const Parameter& first = e.claims.parameters[0];
    other[0] = 0.5 * (first.usual + (first.usual < first.high ? first.high : first.low));
    const std::string name = full_name(e.claims, other);
    const SchemeEntry* found = find_scheme(name);
    REQUIRE(found != nullptr);
    CHECK(found != &e);
    CHECK(found == find_scheme(name));
    CHECK(found->name == name);
    CHECK(found->parameters == other);
  }
}

}  // namespace
}  // namespace cairn
