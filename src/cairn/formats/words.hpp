// Words as part of a sentence, or of a command.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {

// Any bytes as something to print in an error: in quotes, not too long, ? for what is not ASCII.
inline std::string quoted_bytes(std::string_view bytes) {
  constexpr std::size_t limit = 50;
  std::string text(bytes.substr(0, limit));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return "'" + text + (bytes.size() > limit ? "...'" : "'");
}

// "a, b or c" for joined({a, b, c}, ", ", " or ").
template <class Words>
std::string joined(const Words& words, const std::string& between, const std::string& last) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0) text += k + 1 == words.size() ? last : between;
    text += words[k];
  }
  return text;
}

inline constexpr std::pair<char, std::string_view> xml_escapes[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};

// As text or as an attribute of XML and HTML.
inline std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    std::string_view written(&c, 1);
    for (const auto& [plain, escape] : xml_escapes)
      if (c == plain) written = escape;
    result += written;
  }
  return result;
}

// Lines for a terminal, those after the first as far to the right as the text after the bullet.
inline std::string wrapped(std::string_view text, const std::string& bullet) {
  constexpr std::size_t width = 100;
  std::string lines, line = bullet;
  bool begun = false;
  for (std::size_t begin = text.find_first_not_of(" \n"); begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (begun && line.size() + 1 + word.size() > width) {
      lines += line + "\n";
      line = std::string(bullet.size(), ' ');
      begun = false;
    }
    line += (begun ? " " : "") + std::string(word);
    begun = true;
    begin = text.find_first_not_of(" \n", end);
  }
  return lines + line + "\n";
}

// As one word of a command line.
inline std::string for_shell(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:=@%") ==
      std::string::npos)
    return word;
  std::string in_quotes = "'";
  for (const char c : word) in_quotes += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return in_quotes + "'";
}

}  // namespace cairn
