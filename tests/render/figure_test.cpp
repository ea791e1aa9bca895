// Figures as files, and pages that hold them.
#include "cairn/render/figure.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <span>

#include "cairn/formats/files.hpp"
#include "cairn/formats/table.hpp"
#include "cairn/render/page.hpp"
#include "fresh_folder.hpp"

namespace cairn {
namespace {

constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();

Figure example(const std::string& name, Figure::Style style) {
  return {name,         "it's a \"figure\" <of> </script>",
          {"h", "s"},   {"error", "%", true},
          {1, 2, 1e-3}, {{"rk4", {0.1, 1.0 / 3, 1e-300}}, {"euler", {nan, 2, 3}}},
          style};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST_CASE("figure: its CSV reads back to the bit") {
  const FreshFolder folder;
  const Figure figure = example("a", Figure::Style::points);
  write_figures(folder / "figures", std::span(&figure, 1));
  const Columns read = read_table(folder / "figures/a.csv");
  REQUIRE(read.heads.size() == 3);
  CHECK(read.heads[0].name == "h");
  CHECK(read.heads[0].unit == "s");
  CHECK(read.heads[2].unit == "%");
  CHECK(*read.find("h") == figure.at);
  CHECK(*read.find("rk4") == figure.curves[0].y);
  CHECK(std::isnan((*read.find("euler"))[0]));
  CHECK((*read.find("euler"))[2] == 3);
  CHECK(read.find("heun") == nullptr);
}

TEST_CASE("figure: gnuplot draws each curve, from any folder name") {
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) {
    MESSAGE("no gnuplot here");
    return;
  }
  const FreshFolder folder;
  const Figure figures[] = {example("a", Figure::Style::points), example("b", Figure::Style::lines),
                            example("c", Figure::Style::stacked)};
  const std::string where = folder / "it's ünder here";
  CHECK(write_figures(where, figures));
  for (const char* name : {"a", "b", "c"}) {
    const std::string svg = read_file(where + "/" + name + ".svg");
    CHECK(contains(svg, "</svg>"));
    for (const char* part : {"rk4", "euler", "h [s]", "error [%]", "&lt;of"}) CHECK_MESSAGE(contains(svg, part), part);
  }
  const std::string kept = read_file(where + "/a.svg");
  const std::string again = "cd '" + (folder / "it") + "'\"'\"'s ünder here' && rm a.svg && gnuplot a.gp";
  CHECK(std::system(again.c_str()) == 0);  // the script by itself
  CHECK(read_file(where + "/a.svg") == kept);
}

TEST_CASE("figure: marks stand alone, in its script and in a page") {
  const FreshFolder folder;
  Figure figure = example("a", Figure::Style::lines);
  figure.curves[0].marks = true;
  write_figures(folder / "figures", std::span(&figure, 1));
  const std::string script = read_file(folder / "figures/a.gp");
  CHECK(contains(script, "using 1:($2) with points pt 7"));
  CHECK(contains(script, "using 1:($3) with lines"));
  Page page("", "");
  page.figure(figure, "", "");
  CHECK(contains(page.html(), "\"marks\":[true,false]"));
}

TEST_CASE("figure: in a plane curves close and are in parts, and both axes have one scale") {
  const FreshFolder folder;
  Figure figure{"plane", "", {"x"}, {"y"}, {}, {}, Figure::Style::plane};
  figure.curves.push_back({.name = "square", .y = {0, 0, 1, 1, 0}, .x = {0, 1, 1, 0, 0}});
  figure.curves.push_back({.name = "parts", .y = {2, 2, nan, 3, 3, nan, 5, 6}, .x = {0, 1, nan, 0, 1, nan, 0, 1}});
  const bool drawn = write_figures(folder / "figures", std::span(&figure, 1));
  const Columns read = read_table(folder / "figures/plane.csv");
  REQUIRE(read.heads.size() == 4);
  REQUIRE(read.find("parts: y"));
  CHECK(read.find("parts: y")->size() == 8);
  CHECK((*read.find("square: x"))[2] == 1);
  CHECK(std::isnan((*read.find("square: x"))[5]));
  const std::string script = read_file(folder / "figures/plane.gp");
  CHECK(contains(script, "using 1:($2) with lines"));
  CHECK(contains(script, "using 3:($4) with lines"));
  CHECK(contains(script, "set size ratio -1"));
  CHECK(!contains(script, "set datafile missing"));
  if (drawn) {  // four lines, not one through the gaps
    const std::string svg = read_file(folder / "figures/plane.svg");
    const std::size_t second = svg.find("gnuplot_plot_2");
    REQUIRE(second != std::string::npos);
    const std::string part = svg.substr(second);
    CHECK(std::count(part.begin(), part.end(), 'M') >= 3);
  }
  Page page("", "");
  page.figure(figure, "", "");
  CHECK(contains(page.html(), "\"style\":\"plane\""));
  CHECK(contains(page.html(), "\"x_of\":[[0.0,1.0,1.0,0.0,0.0],[0.0,1.0,null,0.0,1.0,null,0.0,1.0]]"));
}

TEST_CASE("figure: where colours come again, dashes tell the curves apart, and the key has room") {
  const FreshFolder folder;
  Figure figure{"many", "", {"x"}, {"y"}, {0, 1}, {}};
  for (int k = 0; k < 30; ++k) figure.curves.push_back({"curve " + std::to_string(k), {0, 1.0 * k}});
  figure.curves[29].colour = 0;
  write_figures(folder / "figures", std::span(&figure, 1));
  const std::string script = read_file(folder / "figures/many.gp");
  const auto dashes = [&](int k) {  // of the curve, and its colour
    const std::string line = script.substr(0, script.find("title 'curve " + std::to_string(k) + "'"));
    return line.substr(line.rfind(" dt ") + 4);
  };
  CHECK(dashes(0) != dashes(9));
  CHECK(dashes(9) != dashes(18));
  CHECK(dashes(0) == dashes(29));
  CHECK(contains(script, "size 1180,638"));
}

TEST_CASE("table: what is not one is refused with its line") {
  const FreshFolder folder;
  const std::string path = folder / "a.csv";
  const auto refused = [&](const std::string& text, const std::string& message) {
    write_file_atomically(path, text);
    check_error(Exit::io, message, [&] { read_table(path); });
  };
  const std::string head = "# cairn 1\n# units: a [m], b [1]\na,b\n";
  refused(head + "1,2\n3\n", path + ":5: this is not a table written by Cairn: 1 values for 2 columns");
  refused(head + "1,x\n", ":4: this is not a table written by Cairn: a cell is not a number");
  refused("# units: a [m], b\na,b\n", ":1: this is not a table written by Cairn: a unit is missing");
  refused("# units: a [m], b [m]\na,c\n",
          ":2: this is not a table written by Cairn: names and units are of different columns");
  write_file_atomically(path, head);
  CHECK(read_table(path).find("a")->empty());
}

TEST_CASE("page: text is shown as it is, and nothing is fetched") {
  Page page("<b>bold</b> & \"quoted\"", "a < b");
  page.section("x");
  page.warning("<i>");
  const Page::Row rows[] = {{"<td>", "&amp;"}};
  page.table({"<th>"}, rows);
  const Page::Picture pictures[] = {{"Man", "a \"caption\""}};
  page.pictures(pictures);
  page.figure(example("a", Figure::Style::lines), "<svg/>", "");
  page.folded("<summary>", "</pre>");
  const std::string html = page.html();
  CHECK(contains(html, "<h1>&lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot;</h1>"));
  CHECK(contains(html, "<td>&lt;td&gt;</td><td>&amp;amp;</td>"));
  CHECK(contains(html, "data:image/png;base64,TWFu\""));
  CHECK(contains(html, "data:image/svg+xml;base64,PHN2Zy8+\""));
  CHECK(contains(html, "<pre>&lt;/pre&gt;</pre>"));
  for (const char* raw : {"<b>", "<i>", "<of>", "a \"caption\""}) CHECK_MESSAGE(!contains(html, raw), raw);
  CHECK(contains(html, "\"columns\":[[0.1,0.3333333,1e-300],[null,2.0,3.0]]"));
  // Every element that could fetch something holds it.
  for (const char* attribute : {"src=\"", "href=\"", "url(", "@import"})
    for (std::size_t at = 0; (at = html.find(attribute, at)) != html.npos; ++at)
      CHECK_MESSAGE(html.compare(at, 10, "src=\"data:") == 0, html.substr(at, 40));
  CHECK(contains(html, "default-src 'none'"));
  // Scripts end where they should: as many as begin.
  std::size_t begun = 0, ended = 0;
  for (std::size_t at = 0; (at = html.find("<script", at)) != html.npos; ++at) ++begun;
  for (std::size_t at = 0; (at = html.find("</script>", at)) != html.npos; ++at) ++ended;
  CHECK(begun == 3);
  CHECK(ended == 3);
  CHECK(!contains(Page("no charts", "").html(), "uPlot"));
}

TEST_CASE("page: several pictures are a film with controls, each stored once") {
  const std::vector<Page::Picture> pictures{{"Man", "t = 0 s"}, {"Men", "t = 1 s"}, {"Map", "t = 2 s"}};
  const auto shown = [&](std::size_t count) {
    Page page("", "");
    page.pictures(std::span(pictures).first(count));
    return page.html();
  };
  const std::string film = shown(3), one = shown(1);
  for (const char* bytes : {"TWFu", "TWVu", "TWFw"}) {
    const std::size_t at = film.find(std::string("data:image/png;base64,") + bytes);
    REQUIRE(at != film.npos);
    CHECK(film.find(std::string("base64,") + bytes, at + 20) == film.npos);
  }
  for (const char* part : {"class=\"film\"", "<canvas>", "type=\"range\"", "data-do=\"play\""})
    CHECK_MESSAGE(contains(film, part), part);
  CHECK(contains(film, "role=\"group\" aria-label=\"Film of the pictures\" hidden>"));  // until its script has begun
  CHECK(contains(film, "setInterval"));
  CHECK_FALSE(contains(film, "uPlot"));
  CHECK_FALSE(contains(one, "<canvas>"));
  CHECK_FALSE(contains(one, "setInterval"));
}

TEST_CASE("page: long series are thinned, their ends kept") {
  Figure figure{"a", "", {"t"}, {"y"}, {}, {{"y", {}}}, Figure::Style::lines};
  for (int k = 0; k <= 10000; ++k) figure.at.push_back(k), figure.curves[0].y.push_back(-k);
  Page page("", "");
  page.figure(figure, "", "");
  const std::string html = page.html();
  CHECK(contains(html, "\"at\":[0.0,7.0,14.0,"));
  CHECK(contains(html, ",9996.0,10000.0]"));
}

}  // namespace
}  // namespace cairn
