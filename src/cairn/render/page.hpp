// An HTML page in one file that needs no network: words, tables, pictures and charts. Opens from a disk, in light and
// dark, on paper; without JavaScript the charts are the figures' SVG. Whatever is given as text is shown as it is.
#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "cairn/render/figure.hpp"

namespace cairn {

class Page {
 public:
  Page(std::string title, const std::string& subtitle);

  void section(const std::string& heading);
  void paragraph(const std::string& text);
  void link(const std::string& text, const std::string& address);
  void warning(const std::string& text);

  struct Card {
    std::string label, value, note;
  };
  void cards(std::span<const Card> cards);

  using Row = std::vector<std::string>;
  // The first cell of the k-th row leads to links[k], a relative address; empty, or no links: nowhere.
  void table(const Row& head, std::span<const Row> rows, std::span<const std::string> links = {});

  struct Picture {
    std::string png;  // the bytes of the file
    std::string caption;
  };
  // All of them, and from two on a film with controls; without JavaScript and on paper side by side.
  void pictures(std::span<const Picture> pictures);

  // `svg`: the figure's file, empty if there is none.
  void figure(const Figure& figure, const std::string& svg, const std::string& caption);
  void code(const std::string& text);
  void folded(const std::string& summary, const std::string& text);  // text as in a file

  std::string html() const;

 private:
  std::string title_, body_;
  bool charts_ = false, film_ = false;
};

}  // namespace cairn
