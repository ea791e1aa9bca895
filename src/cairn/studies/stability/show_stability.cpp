#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/core/constants.hpp"
#include "cairn/studies/stability/stability_study.hpp"

namespace cairn::studies {
namespace {

constexpr Real agreement = 2e-3;  // [-] to which simulated limits are found and compared
constexpr Real infinity = std::numeric_limits<Real>::infinity();

std::string limit_text(Real a) {
  return std::isnan(a) ? "-" : std::isinf(a) ? "any" : a == 0 ? "weak" : fmt::format("{:.4f}", a);
}

bool agree(Real a, Real b) {
  return std::fabs(a - b) <= agreement * std::fabs(b);
}

std::vector<const SchemeEntry*> schemes_of(const StabilityResult& r) {
  std::vector<const SchemeEntry*> all;
  for (const auto& l : r.limits)
    if (all.empty() || all.back() != l.scheme) all.push_back(l.scheme);
  return all;
}

Figure limits_figure(const StabilityResult& r, const Family& family) {
  Figure f{.name = "limits_" + family.slug,
           .title = family.name + ": largest stable step of a damped contact",
           .x = {"damping ratio zeta"},
           .y = {"h omega"},
           .at = {},
           .curves = {}};
  for (const auto& l : r.limits)
    if (l.scheme == r.limits.front().scheme) f.at.push_back(l.damping);
  int colour = 0;
  for (const SchemeEntry* scheme : family.schemes) {
    Curve computed{scheme->name, {}, colour}, simulated{scheme->name + ", simulated", {}, colour, false, true};
    bool any = false;
    for (const auto& l : r.limits) {
      if (l.scheme != scheme) continue;
      computed.y.push_back(std::isfinite(l.computed) ? l.computed : nan);
      simulated.y.push_back(l.simulated);
      any = any || std::isfinite(l.computed);
    }
    if (!any) continue;
    f.curves.push_back(std::move(computed)), f.curves.push_back(std::move(simulated));
    ++colour;
  }
  return f;
}

// [-] of lambda h: as far as the figure shows lines that do not end, half as far again as the lines that do.
Real shown_of(const StabilityResult& r, const Family& family) {
  constexpr Real least = 3, with_others = 1.5;
  const Real end = 0.99 * BoundaryGrid{}.farthest;
  Real farthest = least / with_others;
  for (const auto& region : r.regions) {
    if (std::find(family.schemes.begin(), family.schemes.end(), region.scheme) == family.schemes.end()) continue;
    for (const Polyline& line : region.boundary) {
      Real reach = 0;
      for (const std::complex<Real>& z : line) reach = std::max(reach, std::abs(z));
      if (reach < end) farthest = std::max(farthest, reach);
    }
  }
  return with_others * farthest;
}

Figure region_figure(const StabilityResult& r, const Family& family) {
  Figure f{.name = "region_" + family.slug,
           .title = family.name + ": boundary of the region of absolute stability",
           .x = {"Re(lambda h)"},
           .y = {"Im(lambda h)"},
           .at = {},
           .curves = {},
           .style = Figure::Style::plane};
  const Real shown = shown_of(r, family);
  int colour = 0;
  for (const auto& region : r.regions) {
    if (std::find(family.schemes.begin(), family.schemes.end(), region.scheme) == family.schemes.end()) continue;
    if (region.boundary.empty()) continue;
    Curve curve{region.scheme->name + (region.unbounded ? ", unbounded" : ""), {}, colour++, !region.alike};
    const auto lift = [&] { curve.x.push_back(nan), curve.y.push_back(nan); };
    for (const Polyline& line : region.boundary)
      for (const Real half : {1, -1}) {
        if (!curve.x.empty()) lift();
        for (const std::complex<Real>& z : line)
          if (std::abs(z) < shown)
            curve.x.push_back(z.real()), curve.y.push_back(half * z.imag());
          else
            lift();
      }
    f.curves.push_back(std::move(curve));
  }
  return f;
}

struct Verdicts {
  int simulated = 0, simulated_agree = 0, closed = 0, closed_agree = 0, column = 0, column_agree = 0;
  int network = 0, network_agree = 0;
  Real least_ratio = infinity, most_ratio = 0;  // [-] limit of the map over the limit stated
};
Verdicts verdicts_of(const StabilityResult& r) {
  Verdicts v;
  for (const auto& l : r.limits) {
    if (l.computed > 0 && std::isfinite(l.computed)) ++v.simulated, v.simulated_agree += agree(l.simulated, l.computed);
    if (!std::isnan(l.closed)) ++v.closed, v.closed_agree += std::fabs(l.computed - l.closed) < 1e-6;
  }
  for (const auto& c : r.columns) ++v.column, v.column_agree += !c.below && c.above;
  for (const auto& network : r.networks)
    for (const SchemeOnNetwork& of : network.schemes) {
      ++v.network, v.network_agree += StabilityResult::Network::holds(of);
      const Real ratio = of.map_limit / of.limit;
      v.least_ratio = std::min(v.least_ratio, ratio), v.most_ratio = std::max(v.most_ratio, ratio);
    }
  return v;
}

}  // namespace

StudyReport show(const StabilityResult& r) {
  const std::vector<const SchemeEntry*> schemes = schemes_of(r);
  const Verdicts v = verdicts_of(r);
  StudyReport s;
  s.name = "stability";
  s.title = "Stability of the schemes";
  s.subtitle =
      fmt::format("A study by Cairn {}: limits on paper, from the scheme's own map, and in the engine; {} schemes",
                  CAIRN_VERSION, schemes.size());
  s.findings.push_back(
      fmt::format("{} of {} limits of a damped contact in the engine agree with those of the scheme's own map to {} %.",
                  v.simulated_agree, v.simulated, 100 * agreement));
  if (v.closed > 0)
    s.findings.push_back(fmt::format("{} of {} limits that are known in closed form agree with the map to 1e-6.",
                                     v.closed_agree, v.closed));
  if (v.column > 0)
    s.findings.push_back(
        fmt::format("The column's largest frequency is {:.4f} 1/s, and the critical step of central differences {:.6g} "
                    "s. With {} of {} schemes the "
                    "column is stable at 0.99 of the scheme's own limit and grows at 1.01.",
                    r.omega_max, 2 / r.omega_max, v.column_agree, v.column));
  if (v.network > 0)
    s.findings.push_back(fmt::format(
        "On contact networks {} of {} pairs of scheme and network are stable at 0.95 of the limit stated and "
        "grow at 1.1 of the limit of the scheme's own map, which is {:.3f} to {:.3f} times the stated one.",
        v.network_agree, v.network, v.least_ratio, v.most_ratio));
  std::string others;
  for (const auto& l : r.limits)
    if (l.computed > 0 && std::isfinite(l.computed) && !agree(l.simulated, l.computed))
      others +=
          fmt::format("{}{} at zeta {:g} ({})", others.empty() ? "" : ", ", l.scheme->name, l.damping,
                      std::isnan(l.simulated) ? "no growth within 5 %, or growth below" : limit_text(l.simulated));
  for (const auto& c : r.columns)
    if (c.below || !c.above)
      others += fmt::format("{}{} on the column ({})", others.empty() ? "" : ", ", c.scheme->name,
                            c.below ? "grows at 0.99" : "no growth at 1.01");
  for (const auto& network : r.networks)
    for (const SchemeOnNetwork& of : network.schemes)
      if (!StabilityResult::Network::holds(of))
        others += (others.empty() ? "" : ", ") + of.scheme + " on the network " + network.name;
  if (!others.empty())
    s.findings.push_back(
        "Not confirmed by the runs: " + others +
        ". Schemes of high order leave the unit circle so slowly without damping that no run of this length shows it. "
        "The fixed-point iterations of Gauss's method end where they no longer converge, which depends on the motion.");

  ResultTable limits{
      "limits", {{"scheme", "1"}, {"zeta", "1"}, {"closed", "1"}, {"computed", "1"}, {"simulated", "1"}}, {}};
  for (const auto& l : r.limits) limits.rows.push_back({l.scheme->name, l.damping, l.closed, l.computed, l.simulated});
  ResultTable column{"column", {{"scheme", "1"}, {"limit", "s"}, {"grows_below", "1"}, {"grows_above", "1"}}, {}};
  for (const auto& c : r.columns)
    column.rows.push_back(
        {c.scheme->name, c.limit, static_cast<std::int64_t>(c.below), static_cast<std::int64_t>(c.above)});
  ResultTable regions{
      "regions",
      {{"scheme", "1"}, {"alike", "1"}, {"unbounded", "1"}, {"line", "1"}, {"re_lambda_h", "1"}, {"im_lambda_h", "1"}},
      {}};
  for (const auto& region : r.regions)
    for (std::size_t line = 0; line < region.boundary.size(); ++line)
      for (const std::complex<Real>& z : region.boundary[line])
        regions.rows.push_back({region.scheme->name, static_cast<std::int64_t>(region.alike),
                                static_cast<std::int64_t>(region.unbounded), static_cast<std::int64_t>(line), z.real(),
                                z.imag()});
  ResultTable networks{"networks",
                       {{"network", "1"},
                        {"grains", "1"},
                        {"contacts", "1"},
                        {"scheme", "1"},
                        {"limit", "s"},
                        {"map_limit", "s"},
                        {"growth_below", "1"},
                        {"growth_above", "1"}},
                       {}};
  std::vector<Page::Row> network_rows;
  for (const auto& network : r.networks)
    for (const SchemeOnNetwork& of : network.schemes) {
      networks.rows.push_back({network.name, static_cast<std::int64_t>(network.grains),
                               static_cast<std::int64_t>(network.contacts), of.scheme, of.limit, of.map_limit,
                               of.growth_below, of.growth_above});
      network_rows.push_back({fmt::format("{}, {} contacts", network.name, network.contacts), of.scheme,
                              fmt::format("{:.4g}", of.limit), fmt::format("{:.3f}", of.map_limit / of.limit),
                              fmt::format("{:.2g}", of.growth_below), fmt::format("{:.2g}", of.growth_above)});
    }
  s.tables = {limits, column, regions, networks};

  s.head = {"h omega <"};
  for (const auto& l : r.limits)
    if (l.scheme == schemes.front()) s.head.push_back(fmt::format("zeta {:g}", l.damping));
  s.head.push_back("column");
  for (const SchemeEntry* scheme : schemes) {
    Page::Row row{scheme->name};
    for (const auto& l : r.limits)
      if (l.scheme == scheme)
        row.push_back(limit_text(l.computed) +
                      (l.computed > 0 && std::isfinite(l.computed) ? agree(l.simulated, l.computed) ? "" : " ?" : ""));
    row.push_back("-");
    for (const auto& c : r.columns)
      if (c.scheme == scheme) row.back() = !c.below && c.above ? "holds" : c.below ? "grows below" : "no growth above";
    s.rows.push_back(row);
  }
  s.legend =
      "Each limit is computed from the scheme's own map. ?: a run of the engine did not confirm it to 0.2 %. weak: "
      "below "
      "0.1. any: none below 20. column: a column of grains at rest is stable at 0.99 of the limit and grows at 1.01.";

  const std::vector<Family> families = by_family(schemes, 6);
  std::vector<std::size_t> drawn_limits, drawn_regions;
  for (const Family& family : families) {
    if (Figure f = limits_figure(r, family); !f.curves.empty())
      drawn_limits.push_back(s.figures.size()), s.figures.push_back(std::move(f));
    if (Figure f = region_figure(r, family); !f.curves.empty())
      drawn_regions.push_back(s.figures.size()), s.figures.push_back(std::move(f));
  }
  s.body = [r, v, drawn_limits, drawn_regions, network_rows](const StudyReport& report, Page& page,
                                                             const StudyReport::Put& put) {
    const Page::Card cards[] = {{"Limits in the engine", fmt::format("{} of {}", v.simulated_agree, v.simulated),
                                 "as the scheme's map has them"},
                                {"Closed forms", fmt::format("{} of {}", v.closed_agree, v.closed), "to 1e-6"},
                                {"Column", fmt::format("{:.4f} 1/s", r.omega_max), "its largest frequency"}};
    page.cards(cards);
    for (const std::string& finding : report.findings) page.paragraph(finding);
    page.section("On paper");
    page.paragraph(
        "A contact of stiffness k and damping c between a grain of mass m and a wall obeys m q'' + c q' + k q = 0, "
        "with "
        "omega^2 = k/m and zeta = c / (2 sqrt(k m)). Central differences with the dashpot at the velocity of half a "
        "step before give q_{n+1} - 2 q_n + q_{n-1} + g (q_n - q_{n-1}) + H q_n = 0, with g = 2 zeta omega h and H = "
        "omega^2 h^2. Its powers q_n = r^n obey r^2 + (g + H - 2) r + (1 - g) = 0. The map r = (1 + z)/(1 - z) takes "
        "the unit circle to the left half-plane; the polynomial becomes (4 - 2 g - H) z^2 + 2 g z + H. By Hurwitz's "
        "criterion all roots are stable where its coefficients have one sign: g >= 0, H >= 0 and 4 - 2 g - H >= 0. The "
        "last is the limit h omega <= 2 (sqrt(zeta^2 + 1) - zeta). With the velocity predicted by the last "
        "acceleration "
        "the dashpot counts twice: 2 (sqrt(4 zeta^2 + 1) - 2 zeta). With the acceleration extrapolated it counts four "
        "times: 2 (sqrt(16 zeta^2 + 1) - 4 zeta). With the dashpot implicit the limit is 2 at every zeta.");
    page.section("Limits of a damped contact");
    page.paragraph(
        "Lines: the end of the first interval of h omega on which no eigenvalue of the scheme's own map leaves the "
        "unit "
        "circle. Points: runs of the engine. One grain lies on a floor under its weight, is moved by a millionth of "
        "its "
        "radius, and the amplitude of its motion grows from one quarter of the run to another or does not; the limit "
        "is "
        "bisected to a thousandth.");
    page.table(report.head, report.rows);
    page.paragraph(report.legend);
    for (const std::size_t k : drawn_limits) put(report.figures[k], "");
    page.section("A column of grains");
    page.paragraph(
        fmt::format("Grains stand on each other at rest, each of 1 kg, with springs of 40 kN/m. The largest frequency "
                    "of N grains is "
                    "2 sqrt(k/m) cos(pi/(2 N + 1)) = {:.4f} 1/s, not sqrt(k/m) = 200 1/s. So the critical step of "
                    "central differences "
                    "is {:.6g} s. Each scheme runs at 0.99 and at 1.01 of its own undamped limit over that frequency.",
                    r.omega_max, 2 / r.omega_max));
    if (!network_rows.empty()) {
      page.section("Contact networks");
      page.paragraph(
          "The limit stated follows from the largest eigenvalues of M^-1 K and M^-1 C of the network, and is proven "
          "for "
          "schemes with one force evaluation per step. Contacts stick. The scheme's own step on the network is a "
          "linear "
          "map; its limit is found by its spectral radius. Growth: how much larger a motion becomes from the first to "
          "the second half of 1000 steps. The packing has settled; its grains have radii of 1 and 5 mm, friction, and "
          "a "
          "restitution of 0.3.");
      const Page::Row head{"network",
                           "scheme",
                           "limit stated [s]",
                           "limit of its map, over it",
                           "growth at 0.95 of the limit",
                           "growth at 1.1 of the map's"};
      page.table(head, network_rows);
    }
    page.section("Regions of absolute stability");
    page.paragraph(
        "A method is absolutely stable for y' = lambda y at those lambda h at which no solution grows. The oscillator "
        "has the roots lambda = omega (-zeta +- i sqrt(1 - zeta^2)); a negative zeta, which drives it, puts them into "
        "the right half plane. The lines show where the spectral radius of the scheme's own map of it passes 1, on a "
        "grid of 145 directions and 241 distances from 0.002 to 20; at the points shown it does so to 1e-9 of their "
        "distance. The region lies inside; of schemes called unbounded it is the side of the far left. The regions of "
        "Gauss's schemes also end where their iterations no longer converge. Solid: schemes that treat positions and "
        "velocities alike, for which the "
        "region is that of y' = lambda y. Dotted: schemes that treat them differently, such as splittings; there the "
        "figure shows the region of the oscillator. Schemes without a line have none on that grid. For a real negative "
        "lambda Euler's method needs h < 2/|lambda|.");
    for (const std::size_t k : drawn_regions) put(report.figures[k], "");
    page.paragraph(
        "limits.csv, column.csv, networks.csv and regions.csv have every number; figures/ has each figure with its "
        "data.");
  };
  return s;
}

}  // namespace cairn::studies
