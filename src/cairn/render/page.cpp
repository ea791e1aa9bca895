#include "cairn/render/page.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cairn/formats/base64.hpp"
#include "cairn/formats/embedded.hpp"
#include "cairn/formats/printable.hpp"
#include "cairn/formats/words.hpp"

namespace cairn {
namespace {

constexpr std::size_t most_points = 1500;  // of a chart; the CSV beside it has all

std::string tag(const std::string& name, const std::string& text, const std::string& kind = "") {
  return "<" + name + (kind.empty() ? "" : " class=\"" + kind + "\"") + ">" + escaped(text) + "</" + name + ">";
}

std::string image(const std::string& type, const std::string& bytes, const std::string& words) {
  return "<img alt=\"" + escaped(words) + "\" src=\"data:image/" + type + ";base64," + base64(bytes) + "\">";
}

// Seven digits: enough for a chart, and half the bytes.
nlohmann::json rounded(Real a) {
  if (!std::isfinite(a)) return nullptr;
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", a);
  return std::strtod(text, nullptr);
}

std::string data_of(const Figure& figure) {
  const bool plane = figure.style == Figure::Style::plane;
  const auto thinned = [&](const std::vector<Real>& all, bool logarithmic) {
    const std::size_t n = all.size();
    // In a plane a point left out may be the one at which the pen is lifted.
    const std::size_t stride = plane ? 1 : std::max<std::size_t>(1, (n + most_points - 1) / most_points);
    std::vector<nlohmann::json> list;
    const auto add = [&](Real a) { list.push_back(logarithmic && !(a > 0) ? nlohmann::json(nullptr) : rounded(a)); };
    for (std::size_t k = 0; k < n; k += stride) add(all[k]);
    if (n > 0 && (n - 1) % stride != 0) add(all[n - 1]);  // the end is always there
    return list;
  };
  nlohmann::ordered_json j;
  j["title"] = figure.title;
  j["x"] = {{"title", axis_title(figure.x)}, {"logarithmic", figure.x.logarithmic}};
  j["y"] = {{"title", axis_title(figure.y)}, {"logarithmic", figure.y.logarithmic}};
  j["style"] = figure.style == Figure::Style::stacked  ? "stacked"
               : figure.style == Figure::Style::points ? "points"
               : plane                                 ? "plane"
                                                       : "lines";
  j["at"] = thinned(figure.at, figure.x.logarithmic);
  j["names"] = j["colours"] = j["dotted"] = j["marks"] = j["columns"] = j["x_of"] = nlohmann::json::array();
  for (std::size_t k = 0; k < figure.curves.size(); ++k) {
    j["names"].push_back(figure.curves[k].name);
    j["colours"].push_back(curve_colour(figure, k));
    j["dotted"].push_back(figure.curves[k].dotted);
    j["marks"].push_back(figure.curves[k].marks);
    j["columns"].push_back(thinned(figure.curves[k].y, figure.y.logarithmic));
    if (plane) j["x_of"].push_back(thinned(figure.curves[k].x, figure.x.logarithmic));
  }
  std::string text = j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != text.npos;) text.replace(at, 1, "\\u003c");
  return text;
}

std::string asset(std::string_view name) {
  for (const EmbeddedFile& file : page_assets())
    if (file.name == name) return std::string(file.text);
  throw std::logic_error("no asset " + std::string(name));
}

}  // namespace

Page::Page(std::string title, const std::string& subtitle) : title_(std::move(title)) {
  body_ = "<header>" + tag("h1", title_) + tag("p", subtitle) + "</header>\n";
}

void Page::section(const std::string& heading) {
  body_ += tag("h2", heading) + "\n";
}
void Page::paragraph(const std::string& text) {
  body_ += tag("p", text) + "\n";
}
void Page::link(const std::string& text, const std::string& address) {
  body_ += "<p><a href=\"" + escaped(address) + "\">" + escaped(text) + "</a></p>\n";
}
void Page::warning(const std::string& text) {
  body_ += tag("p", text, "warning") + "\n";
}

void Page::cards(std::span<const Card> cards) {
  body_ += "<div class=\"cards\">";
  for (const Card& c : cards)
    body_ += "<div class=\"card\">" + tag("div", c.label, "label") + tag("div", c.value, "value") +
             tag("div", c.note, "note") + "</div>";
  body_ += "</div>\n";
}

void Page::table(const Row& head, std::span<const Row> rows, std::span<const std::string> links) {
  body_ += "<div class=\"scroll\"><table><thead><tr>";
  for (const std::string& cell : head) body_ += tag("th", cell);
  body_ += "</tr></thead><tbody>\n";
  for (std::size_t k = 0; k < rows.size(); ++k) {
    body_ += "<tr>";
    for (const std::string& cell : rows[k]) {
      const bool leads = k < links.size() && !links[k].empty() && &cell == rows[k].data();
      body_ += leads ? "<td><a href=\"" + escaped(links[k]) + "\">" + escaped(cell) + "</a></td>" : tag("td", cell);
    }
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void Page::pictures(std::span<const Picture> pictures) {
  if (pictures.size() > 1) {
    film_ = true;
    body_ += "<div class=\"film\">" + asset("film.html");
  }
  body_ += "<div class=\"pictures\">";
  for (const Picture& p : pictures)
    body_ += "<figure>" + image("png", p.png, p.caption) + tag("figcaption", p.caption) + "</figure>\n";
  body_ += pictures.size() > 1 ? "</div></div>\n" : "</div>\n";
}

void Page::figure(const Figure& figure, const std::string& svg, const std::string& caption) {
  charts_ = true;
  body_ += "<figure><div class=\"plot\"><script type=\"application/json\">" + data_of(figure) + "</script>";
  if (!svg.empty())
    body_ += image("svg+xml", svg, figure.title);
  else
    body_ += "<noscript>" + tag("p", figure.title + ": see " + figure.name + ".csv") + "</noscript>";
  body_ += "</div>" + tag("figcaption", caption) + "</figure>\n";
}

void Page::code(const std::string& text) {
  body_ += tag("pre", printable(text)) + "\n";
}

void Page::folded(const std::string& summary, const std::string& text) {
  body_ += "<details>" + tag("summary", summary) + tag("pre", printable(text)) + "</details>\n";
}

std::string Page::html() const {
  const std::string policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n";
  out += "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" + tag("title", title_);
  const auto style = [&](const char* name) { out += "<style>" + asset(name) + "</style>\n"; };
  const auto script = [&](const char* name) { out += "<script>" + asset(name) + "</script>\n"; };
  if (charts_) style("uPlot.min.css");
  style("page.css");
  out += "</head>\n<body><main>\n" + body_ + "</main>\n";
  if (charts_) script("uPlot.iife.min.js"), script("page.js");
  if (film_) script("film.js");
  return out + "</body></html>\n";
}

}  // namespace cairn
