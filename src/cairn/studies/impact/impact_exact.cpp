#include "cairn/studies/impact/impact_exact.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>

#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/formats/words.hpp"

namespace cairn::studies {
namespace {

constexpr Real right_angle = 90;  // [deg]

template <class Number>
bool read(std::string_view word, Number& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

// For a terminal.
std::string text_of_cell(const Table::Cell& cell) {
  if (const std::string* text = std::get_if<std::string>(&cell)) return *text;
  constexpr int digits = 15;
  char buffer[32];
  return {buffer,
          std::to_chars(buffer, buffer + sizeof buffer, std::get<Real>(cell), std::chars_format::general, digits).ptr};
}

}  // namespace

std::vector<Real> impact_angles(const std::string& text) {
  std::vector<Real> angles;
  if (text == "mid") {
    constexpr int parts = 100;
    for (int i = 1; i <= parts; ++i) angles.push_back(right_angle * (2 * i - 1) / (2 * parts));
    return angles;
  }
  const auto refuse = [&](const std::string& expected) {
    throw Error(Exit::bad_input, "--angles: found " + quoted_bytes(text) + ", expected " + expected);
  };
  const std::size_t first = text.find(':'), last = text.rfind(':');
  const std::string_view word = text;
  Real from = 0, to = 0;
  std::int64_t count = 0;
  if (first == last || !read(word.substr(0, first), from) || !read(word.substr(first + 1, last - first - 1), to) ||
      !read(word.substr(last + 1), count))
    refuse("mid or FROM:TO:COUNT, in degrees from the normal");
  constexpr std::int64_t most = 1000000;
  if (!(from > 0 && to < right_angle && from <= to)) refuse("angles with 0 < FROM <= TO < 90");
  if (count < 1 || count > most) refuse("a COUNT from 1 to " + std::to_string(most));
  if ((count == 1) != (from == to)) refuse("COUNT 1 if FROM equals TO, else a COUNT of 2 or more");
  const auto steps = static_cast<Real>(count - 1);
  for (std::int64_t k = 0; k < count; ++k) {
    const auto done = static_cast<Real>(k);
    angles.push_back(count == 1 ? from : ((steps - done) * from + done * to) / steps);
  }
  return angles;
}

ImpactVelocity impact_velocity(Real speed, Real degrees) {
  const bool steep = degrees < right_angle / 2;
  const Real alpha = (steep ? degrees : right_angle - degrees) * (pi / 180);
  const Real sine = speed * std::sin(alpha), cosine = speed * std::cos(alpha);
  return steep ? ImpactVelocity{sine, cosine} : ImpactVelocity{cosine, sine};
}

StudyReport show_exact_impacts(const ImpactMaterial& material, Real speed, const std::vector<Real>& degrees) {
  StudyReport s;
  s.name = "impact";
  s.title = "The oblique impact of a sphere on a wall, exactly";
  s.subtitle = "linear spring-dashpot with a Coulomb-limited tangential spring, at " + brief(speed) + " m/s";
  s.tables = {{"exact",
               {{"alpha_deg", "deg"},
                {"e_n", "1"},
                {"e_t", "1"},
                {"beta_deg", "deg"},
                {"omega_f", "rad/s"},
                {"K_y", "N/m"},
                {"gamma_y", "N s/m"},
                {"K_x", "N/m"},
                {"t_f", "s"},
                {"modes", "1"}},
               {}}};
  ResultTable& table = s.tables[0];
  for (const Table::Column& column : table.columns) s.head.push_back(column.name);
  for (const Real alpha : degrees) {
    const ExactImpact impact(material, impact_velocity(speed, alpha));
    const ImpactContact& c = impact.contact();
    const ImpactOutcome& o = impact.outcome();
    table.rows.push_back({alpha, o.e_n, o.e_t, o.beta * (180 / pi), o.omega_f, c.stiffness, c.damping,
                          c.tangential_stiffness, c.duration, joined(impact.modes(), " ", " ")});
    Page::Row shown;
    for (const Table::Cell& cell : table.rows.back()) shown.push_back(text_of_cell(cell));
    s.rows.push_back(std::move(shown));
  }
  return s;
}

}  // namespace cairn::studies
