#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/core/constants.hpp"
#include "cairn/studies/bulk/bulk.hpp"

namespace cairn::studies {
namespace {

using Run = BulkResult::Run;
using Verdict = BulkResult::Verdict;

const char* words_of(Verdict v) {
  switch (v) {
    case Verdict::within:
      return "within";
    case Verdict::outside:
      return "outside";
    case Verdict::undecided:
      return "undecided";
    case Verdict::unstable:
      break;
  }
  return "no result";
}

// "velocity of the chute"
std::string quantity_of(const BulkCase& c, const BulkMeasure& m) {
  return m.name + " of the " + (c.name == "cooling" ? "cooling gas" : c.name);
}

std::string in_percent(Real a) {
  return fmt::format("{:.{}f}", 100 * a, std::fabs(a) < 0.0995 ? 1 : 0);
}

// Runs of one scheme with the correction or without, coarse to fine.
std::vector<const Run*> series(const BulkResult& r, std::size_t in, const SchemeEntry* scheme, bool onset) {
  std::vector<const Run*> all;
  for (const Run& run : r.runs)
    if (run.in == in && run.scheme == scheme && run.onset == onset) all.push_back(&run);
  return all;
}

// One series: the smallest n from which on all runs are shown to be within what is wanted (0: none), and the n that are
// shown to be outside or have no result.
struct Enough {
  int shown = 0;
  std::vector<int> refuted;
};
Enough enough(const BulkResult& r, std::size_t measure, const std::vector<const Run*>& runs) {
  Enough e;
  bool shown = true;
  for (std::size_t k = runs.size(); k-- > 0;) {
    const Verdict v = r.verdict(*runs[k], measure);
    shown = shown && v == Verdict::within;
    if (shown) e.shown = runs[k]->n;
    if (v == Verdict::outside || v == Verdict::unstable) e.refuted.insert(e.refuted.begin(), runs[k]->n);
  }
  return e;
}

// Never more than chance allows: where no n is shown to be enough, how closely the finest run can be told apart.
std::string words_of(const BulkResult& r, std::size_t measure, const std::vector<const Run*>& runs) {
  const Enough e = enough(r, measure, runs);
  std::string text;
  if (e.shown > 0) {
    text = fmt::format("n = {} is enough", e.shown);
  } else {
    const Run& finest = *runs.back();
    const auto d = r.deviation(finest, measure);
    if (std::isnan(d.mean))
      text = fmt::format("n = {} has no result", finest.n);
    else if (std::fabs(d.mean) <= d.half_width)
      text = fmt::format("undecided, n = {} is not distinguishable from the reference at {} %", finest.n,
                         in_percent(d.half_width));
    else
      text = fmt::format("n = {} deviates by {} +- {} %", finest.n, in_percent(d.mean), in_percent(d.half_width));
  }
  std::string few;
  for (const int n : e.refuted) few += fmt::format("{}{}", few.empty() ? "" : ", ", n);
  return text + (few.empty() ? "" : " (too few: " + few + ")");
}

// " (0.3 +- 0.4 % without the correction)."
std::string check_of(const BulkResult& r, std::size_t in, std::size_t m) {
  const auto check = r.deviation(r.checks[in], m);
  return fmt::format(" ({} +- {} % without the correction{}).", in_percent(check.mean), in_percent(check.half_width),
                     std::fabs(check.mean) > check.half_width + r.settings.wanted ? ", SO IT IS NOT CONVERGED" : "");
}

// How chance could be made less, from the finest run of the first scheme.
std::string chance_of(const BulkResult& r, std::size_t in, std::size_t m) {
  const Run& finest = *series(r, in, r.settings.schemes.front(), true).back();
  const Real starts = r.starts_that_decide(finest, m);
  if (std::isnan(starts)) return "";
  Real seconds = 0;
  for (const auto* runs : {&r.references, &r.checks, &r.runs})
    for (const Run& run : *runs)
      if (run.in == in)
        for (const BulkRun& one : run.starts) seconds += one.seconds;
  return fmt::format(
      " Pairs from the same start correlate by {:.2f}. {} starts narrow the interval to half of {:g} %, in {:.2g} "
      "processor hours.",
      r.correlation(finest, m), static_cast<std::int64_t>(std::ceil(starts)), 100 * r.settings.wanted,
      seconds / 3600 * starts / r.settings.starts);
}

std::vector<std::string> findings_of(const BulkResult& r) {
  std::vector<std::string> all;
  for (std::size_t in = 0; in < r.cases.size(); ++in)
    for (std::size_t m = 0; m < r.cases[in].measures.size(); ++m) {
      std::string text;
      for (const SchemeEntry* scheme : r.settings.schemes)
        for (const bool onset : r.settings.onsets())
          text += fmt::format("{}{}{}: {}", text.empty() ? "" : "; ", scheme->name, onset ? "" : " without",
                              words_of(r, m, series(r, in, scheme, onset)));
      const auto [mean, error] = r.reference(in, m);
      const BulkMeasure& measure = r.cases[in].measures[m];
      const std::string check = r.settings.plain ? check_of(r, in, m) : ".";
      all.push_back(fmt::format("{}, reference {:.4g} +- {:.1g} {}{} Enough for {:g} %: {}.{}",
                                quantity_of(r.cases[in], measure), mean, error, measure.unit, check,
                                100 * r.settings.wanted, text, chance_of(r, in, m)));
      all.back()[0] = static_cast<char>(all.back()[0] - 'a' + 'A');
    }
  return all;
}

// The main sentence, over all quantities.
std::string verdict_of(const BulkResult& r) {
  std::string text;
  for (const SchemeEntry* scheme : r.settings.schemes)
    for (const bool onset : r.settings.onsets()) {
      int shown = 0, refuted = 0;
      bool all_shown = true;
      Real chance = 0;  // [-] of the finest runs
      for (std::size_t in = 0; in < r.cases.size(); ++in)
        for (std::size_t m = 0; m < r.cases[in].measures.size(); ++m) {
          const auto runs = series(r, in, scheme, onset);
          const Enough e = enough(r, m, runs);
          all_shown = all_shown && e.shown > 0, shown = std::max(shown, e.shown);
          if (!e.refuted.empty()) refuted = std::max(refuted, e.refuted.back());
          chance = std::max(chance, r.deviation(*runs.back(), m).half_width);
        }
      text += fmt::format("{}{}{}: ", text.empty() ? "" : "; ", scheme->name, onset ? "" : " without");
      if (all_shown)
        text += fmt::format("{} are enough", shown);
      else
        text += fmt::format("{}not decided to {:g} %, chance is up to {} %",
                            refuted > 0 ? fmt::format("{} are too few, more are ", refuted) : "",
                            100 * r.settings.wanted, in_percent(chance));
    }
  return fmt::format(
      "Steps per collision that keep every quantity within {:g} % of the reference, with the correction of onsets and "
      "without it. {}.",
      100 * r.settings.wanted, text);
}

ResultTable table_of(const BulkResult& r) {
  ResultTable t{"bulk",
                {{"case", "1"},
                 {"quantity", "1"},
                 {"scheme", "1"},
                 {"steps_per_collision", "1"},
                 {"onset", "1"},
                 {"deviation", "1"},
                 {"standard_error", "1"},
                 {"half_width_95", "1"},
                 {"verdict", "1"},
                 {"seconds_per_simulated_second", "1"}},
                {}};
  for (const Run& run : r.runs)
    for (std::size_t m = 0; m < r.cases[run.in].measures.size(); ++m) {
      const auto d = r.deviation(run, m);
      t.rows.push_back({r.cases[run.in].name, r.cases[run.in].measures[m].name, run.scheme->name,
                        static_cast<std::int64_t>(run.n), static_cast<std::int64_t>(run.onset), d.mean, d.error,
                        d.half_width, std::string(words_of(r.verdict(run, m))), run.price()});
    }
  return t;
}

ResultTable realisations_of(const BulkResult& r) {
  ResultTable t{"realisations",
                {{"case", "1"},
                 {"quantity", "1"},
                 {"unit", "1"},
                 {"scheme", "1"},
                 {"steps_per_collision", "1"},
                 {"onset", "1"},
                 {"start", "1"},
                 {"value", "1"}},
                {}};
  for (const auto* runs : {&r.references, &r.checks, &r.runs})
    for (const Run& run : *runs)
      for (std::size_t m = 0; m < r.cases[run.in].measures.size(); ++m)
        for (std::size_t k = 0; k < run.starts.size(); ++k)
          t.rows.push_back({r.cases[run.in].name, r.cases[run.in].measures[m].name, r.cases[run.in].measures[m].unit,
                            run.scheme->name, static_cast<std::int64_t>(run.n), static_cast<std::int64_t>(run.onset),
                            static_cast<std::int64_t>(k), run.starts[k].values[m]});
  return t;
}

Figure error_figure(const BulkResult& r, std::size_t in, std::size_t m) {
  const BulkCase& c = r.cases[in];
  Figure f{c.name + "_" + c.measures[m].name,
           "Deviation of the " + quantity_of(c, c.measures[m]) + "; dotted: without the correction",
           {"steps per collision n", "1", true},
           {"|deviation|", "%", true},
           {},
           {}};
  f.style = Figure::Style::points;
  for (const int n : r.settings.per_collision) f.at.push_back(n);
  std::vector<Real> chance(f.at.size(), 0);
  int colour = 0;
  for (const SchemeEntry* scheme : r.settings.schemes) {
    for (const bool onset : r.settings.onsets()) {
      Curve curve{scheme->name + (onset ? "" : " without"), {}, colour, !onset};
      const auto runs = series(r, in, scheme, onset);
      for (std::size_t k = 0; k < runs.size(); ++k) {
        const auto d = r.deviation(*runs[k], m);
        curve.y.push_back(100 * std::fabs(d.mean));
        if (d.half_width > chance[k]) chance[k] = d.half_width;
      }
      f.curves.push_back(std::move(curve));
    }
    ++colour;
  }
  Curve band{"chance at 95 %", {}, colour, true},
      wanted{fmt::format("{:g} %", 100 * r.settings.wanted), {}, colour + 1, true};
  for (const Real half : chance) band.y.push_back(100 * half), wanted.y.push_back(100 * r.settings.wanted);
  f.curves.push_back(std::move(band)), f.curves.push_back(std::move(wanted));
  return f;
}

Figure price_figure(const BulkResult& r, std::size_t in) {
  const BulkCase& c = r.cases[in];
  Figure f{c.name + "_price",
           "Price of the " + c.name + ", with the correction",
           {"steps per collision n", "1", true},
           {"processor seconds per simulated second", "1", true},
           {},
           {}};
  f.style = Figure::Style::points;
  for (const int n : r.settings.per_collision) f.at.push_back(n);
  for (const SchemeEntry* scheme : r.settings.schemes) {
    Curve curve{scheme->name, {}};
    for (const Run* run : series(r, in, scheme, true)) curve.y.push_back(run->price());
    f.curves.push_back(std::move(curve));
  }
  return f;
}

std::string cell_of(const BulkResult& r, const Run& run, std::size_t m) {
  const Verdict v = r.verdict(run, m);
  if (v == Verdict::unstable) return "no result";
  const auto d = r.deviation(run, m);
  return fmt::format("{}{}\u00a0+-\u00a0{}{}", d.mean < 0 ? "" : "+", in_percent(d.mean), in_percent(d.half_width),
                     v == Verdict::within    ? ""
                     : v == Verdict::outside ? "\u00a0!"
                                             : "\u00a0?");
}

}  // namespace

StudyReport show(const BulkResult& r) {
  StudyReport s;
  s.name = "bulk";
  s.title = "Bulk measurements and the step";
  s.subtitle = fmt::format("A study by Cairn {}: {} systems, {} schemes, {} to {} steps per collision, {} realisations",
                           CAIRN_VERSION, r.cases.size(), r.settings.schemes.size(), r.settings.per_collision.front(),
                           r.settings.per_collision.back(), r.settings.starts);
  s.findings = findings_of(r);
  s.findings.insert(s.findings.begin(), verdict_of(r));
  s.tables = {table_of(r), realisations_of(r)};
  s.head = {"quantity", "scheme", "onset"};
  for (const int n : r.settings.per_collision) s.head.push_back(fmt::format("n = {}", n));
  std::vector<Page::Row> prices;
  for (std::size_t in = 0; in < r.cases.size(); ++in) {
    for (const SchemeEntry* scheme : r.settings.schemes)
      for (const bool onset : r.settings.onsets()) {
        Page::Row price{r.cases[in].name, scheme->name, onset ? "corrected" : "plain"};
        for (const Run* run : series(r, in, scheme, onset))
          price.push_back(std::isnan(run->price()) ? "-" : fmt::format("{:.3g}", run->price()));
        prices.push_back(std::move(price));
      }
    for (std::size_t m = 0; m < r.cases[in].measures.size(); ++m)
      for (const SchemeEntry* scheme : r.settings.schemes)
        for (const bool onset : r.settings.onsets()) {
          Page::Row row{r.cases[in].name + " " + r.cases[in].measures[m].name, scheme->name,
                        onset ? "corrected" : "plain"};
          for (const Run* run : series(r, in, scheme, onset)) row.push_back(cell_of(r, *run, m));
          s.rows.push_back(std::move(row));
        }
  }
  s.legend = fmt::format(
      "Deviations from the reference in percent, with half of their 95 % interval. !: more than {:g} % off. ?: chance "
      "decides. no result: the motion exploded.",
      100 * r.settings.wanted);

  std::vector<std::vector<std::size_t>> drawn(r.cases.size());
  for (std::size_t in = 0; in < r.cases.size(); ++in) {
    for (std::size_t m = 0; m < r.cases[in].measures.size(); ++m)
      drawn[in].push_back(s.figures.size()), s.figures.push_back(error_figure(r, in, m));
    drawn[in].push_back(s.figures.size()), s.figures.push_back(price_figure(r, in));
  }
  s.body = [r, drawn, prices](const StudyReport& report, Page& page, const StudyReport::Put& put) {
    page.paragraph(report.findings[0]);
    page.section("How many steps are enough");
    for (std::size_t k = 1; k < report.findings.size(); ++k) page.paragraph(report.findings[k]);
    page.paragraph(fmt::format(
        "Enough: from this n on, the 95 % interval of the deviation is within {:g} %. Too few: the interval is "
        "outside, "
        "or the motion exploded. Undecided: chance is larger than the difference; more or longer runs would decide.",
        100 * r.settings.wanted));
    page.section("Deviations");
    page.table(report.head, report.rows);
    page.paragraph(report.legend);
    page.paragraph(fmt::format(
        "The reference is {} with the correction of onsets and {} steps per collision.{} Each run has {} realisations, "
        "which start from other grains; the same starts serve all schemes and steps. A deviation is the mean over "
        "starts of the difference from the reference, over the reference's mean. Its interval follows from the scatter "
        "of these differences by Student's t, so it holds the chance of both runs. Many intervals are compared: of "
        "twenty that chance alone decides, one misses its true value. n counts steps in a collision of two mean "
        "grains; "
        "the collisions of the lightest grains of the three beds are shorter by a factor of 0.78.",
        r.settings.reference->name, r.settings.finest,
        r.settings.plain ? " Without the correction the same steps check it." : "", r.settings.starts));
    for (std::size_t in = 0; in < r.cases.size(); ++in) {
      const BulkCase& c = r.cases[in];
      page.section(c.name);
      std::string words = c.words + ". ";
      words[0] = static_cast<char>(words[0] - 'a' + 'A');
      for (const BulkMeasure& m : c.measures) words += m.name + ": " + m.words + ". ";
      page.paragraph(words + fmt::format("A collision lasts {:.3g} s.", c.contact));
      for (const std::size_t k : drawn[in]) put(report.figures[k], "");
    }
    page.section("Price");
    page.paragraph("Processor seconds per simulated second, on one thread.");
    Page::Row head = report.head;
    head[0] = "system";
    page.table(head, prices);
    page.paragraph(
        "bulk.csv has every deviation, realisations.csv every value; figures/ has each figure with its data.");
  };
  return s;
}

}  // namespace cairn::studies
