// What is said of a scheme is what its table does.
#include "cairn/integrate/equations.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "cairn/core/text.hpp"
#include "cairn/integrate/schemes/all.hpp"

namespace cairn {
namespace {

TEST_CASE("numbers of tables are shown as the fractions they were made from") {
  CHECK(as_fraction(0) == "0");
  CHECK(as_fraction(-1) == "-1");
  CHECK(as_fraction(0.5) == "1/2");
  CHECK(as_fraction(-25360.0 / 2187) == "-25360/2187");
  for (const int p : {1, 19, 719, 92097})
    for (const int q : {3, 7, 251, 2197, 1999993}) {
      const int common = std::gcd(p, q);
      const std::string over = q == common ? "" : "/" + std::to_string(q / common);
      CHECK(as_fraction(static_cast<Real>(p) / q) == std::to_string(p / common) + over);
    }
  for (const Real a : {std::sqrt(2.0), -0.1756035959798289, std::sqrt(6.0) / 10, 1e300, 1e-7 * std::sqrt(3.0)})
    CHECK(as_fraction(a) == to_text(a));
}

TEST_CASE("equations of splittings say what velocity the force sees") {
  CHECK(equations<schemes::VelocityVerlet>() ==
        "v <- v + (h/2) a\n"
        "x <- x + h v   springs follow by the midpoint rule\n"
        "a <- a(x, v)   v is h/2 behind x\n"
        "v <- v + (h/2) a\n");
  CHECK(equations<schemes::VelocityVerletPredicted>() ==
        "v <- v + (h/2) a\n"
        "x <- x + h v             springs follow by the midpoint rule\n"
        "a <- a(x, v + (h/2) a)   predicted: v at the same time as x\n"
        "v <- v + (h/2) a\n");
  CHECK(equations<schemes::CentralDifference>() ==
        "v <- v - (h/2) a   only before the first step: v is then half a step behind x\n"
        "v <- v + h a\n"
        "x <- x + h v       springs follow by the midpoint rule\n"
        "a <- a(x, v)       v is h/2 behind x\n");
  CHECK(equations<schemes::VelocityVerletImplicit>() ==
        "v <- v + (h/2) a\n"
        "x <- x + h v                  springs follow by the midpoint rule\n"
        "solve a = a(x, v + (h/2) a)   v at the same time as x\n"
        "v <- v + (h/2) a\n");
  CHECK(equations<schemes::Verlet>().find("a <- a(x, v - (h/2) a)   v is h behind x\n") != std::string::npos);
  const std::string composition = equations<schemes::ForestRuth>();
  const auto drift = [](int k) { return to_text(std::fabs(schemes::ForestRuth::stages[k].drift)) + " h v"; };
  CHECK(composition.find("x <- x + " + drift(0) + "              springs follow by a fourth-order rule\n") !=
        std::string::npos);
  CHECK(composition.find("x <- x - " + drift(1) + "\n") != std::string::npos);
  CHECK(composition.find("v is 0.851207 h ahead of x") != std::string::npos);
}

TEST_CASE("equations of Runge-Kutta methods are their tables") {
  CHECK(equations<schemes::Rk4>() ==
        "k_i = f(t + c_i h, y + h (a_i1 k_1 + a_i2 k_2 + ...))\n"
        "y <- y + h (b_1 k_1 + b_2 k_2 + ...)\n"
        "\n"
        "0   |\n"
        "1/2 | 1/2\n"
        "1/2 | 0    1/2\n"
        "1   | 0    0    1\n"
        "----+-------------------\n"
        "b   | 1/6  1/3  1/3  1/6\n");
  const std::string pair = equations<schemes::DormandPrince54>();
  CHECK(pair.find("\n8/9  | 19372/6561  -25360/2187  64448/6561  -212/729\n") != std::string::npos);
  CHECK(pair.find("\nb'   | 5179/57600  0            7571/16695  393/640   -92097/339200  187/2100  1/40\n") !=
        std::string::npos);
}

TEST_CASE("equations of Adams methods are their weights") {
  CHECK(equations<schemes::AdamsBashforth2>() ==
        "y <- y + h ((3/2) f_n - (1/2) f_{n-1})\n"
        "until 2 rates are known: the classical Runge-Kutta method\n");
  CHECK(equations<schemes::Abm3>() ==
        "y_p <- y + h ((23/12) f_n - (4/3) f_{n-1} + (5/12) f_{n-2})                 predict\n"
        "y <- y + h ((3/8) f(y_p) + (19/24) f_n - (5/24) f_{n-1} + (1/24) f_{n-2})   correct\n"
        "until 3 rates are known: the classical Runge-Kutta method\n");
}

}  // namespace
}  // namespace cairn
