// Debian 12 has emscripten 3.1.6 with libc++ 13, which lacks some of C++20. This header has the missing parts that the
// engine uses, and stands before each of its files there. With a newer libc++ it is empty.
#pragma once
#include <version>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

template <class T>
unique_ptr<T> make_unique_for_overwrite(size_t size) {
  return unique_ptr<T>(new remove_extent_t<T>[size]);
}

// Without threads.
template <class T>
class atomic_ref {
 public:
  explicit atomic_ref(T& a) : a_(a) {}
  template <class Order>
  void store(T value, Order) const {
    a_ = value;
  }
  template <class Order>
  T load(Order) const {
    return a_;
  }

 private:
  T& a_;
};

namespace ranges {
template <class Range, class Predicate>
bool any_of(Range&& range, Predicate predicate) {
  return std::any_of(std::begin(range), std::end(range), predicate);
}
template <class Range, class Predicate>
bool none_of(Range&& range, Predicate predicate) {
  return std::none_of(std::begin(range), std::end(range), predicate);
}
template <class A, class B, class Predicate>
bool equal(A&& a, B&& b, Predicate predicate) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), predicate);
}
}  // namespace ranges

// The longest beginning that is a number in the form of from_chars: no blanks, no plus.
inline size_t length_of_number(string_view text) {
  const auto digit = [&](size_t at) { return at < text.size() && '0' <= text[at] && text[at] <= '9'; };
  size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
  for (const string_view word : {"infinity", "inf", "nan"}) {
    const string_view rest = text.substr(at, word.size());
    if (rest.size() == word.size() &&
        equal(word.begin(), word.end(), rest.begin(), [](char a, char b) { return a == (b | 0x20); }))
      return at + word.size();
  }
  const size_t begin = at;
  size_t digits = 0;
  for (; digit(at); ++at) ++digits;
  if (at < text.size() && text[at] == '.') {
    size_t behind = at + 1;
    for (; digit(behind); ++behind) ++digits;
    if (digits > 0) at = behind;
  }
  if (digits == 0) return 0;
  if (at > begin && at < text.size() && (text[at] | 0x20) == 'e') {
    size_t exponent = at + 1;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    if (digit(exponent)) {
      while (digit(exponent)) ++exponent;
      at = exponent;
    }
  }
  return at;
}

// By strtod of musl, which rounds correctly.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const size_t length = length_of_number({first, static_cast<size_t>(last - first)});
  if (length == 0) return {first, errc::invalid_argument};
  const string number(first, length);
  const double read = strtod(number.c_str(), nullptr);
  const bool has_digits = number.find_first_of("123456789") < number.find_first_of("eE");
  const bool infinite = __builtin_isinf(read) && number.find_first_of("iI") == string::npos;
  if (infinite || (read == 0 && has_digits)) return {first + length, errc::result_out_of_range};
  value = read;
  return {first + length, errc()};
}

inline to_chars_result put_chars(char* first, char* last, string_view text) {
  if (static_cast<size_t>(last - first) < text.size()) return {last, errc::value_too_large};
  return {copy(text.begin(), text.end(), first), errc()};
}

// As printf has it for "%.*g".
inline to_chars_result to_chars(char* first, char* last, double value, chars_format, int precision) {
  char text[64];
  const int length = snprintf(text, sizeof text, "%.*g", precision, value);
  return put_chars(first, last, {text, static_cast<size_t>(length)});
}

// "d.ddde-05" with so many digits that reads back as the same bits, or nothing. Below a power of two the interval of
// what does is wider on one side, so the nearest decimal number may miss it where its neighbour does not.
inline string digits_of(double value, int digits) {
  char nearest[64];
  snprintf(nearest, sizeof nearest, "%.*e", digits - 1, value);
  if (strtod(nearest, nullptr) == value) return nearest;
  const string_view text = nearest;
  const size_t exponent = text.find('e');
  string mantissa;
  for (const char letter : text.substr(0, exponent))
    if ('0' <= letter && letter <= '9') mantissa += letter;
  const long long number = atoll(mantissa.c_str());
  for (const long long other : {number - 1, number + 1}) {
    string neighbour = to_string(other);
    if (neighbour.size() != mantissa.size()) continue;
    if (digits > 1) neighbour.insert(1, ".");
    neighbour = (value < 0 ? "-" : "") + neighbour + string(text.substr(exponent));
    if (strtod(neighbour.c_str(), nullptr) == value) return neighbour;
  }
  return {};
}

// The fewest digits that read back as the same bits, in the shorter of both forms.
inline to_chars_result to_chars(char* first, char* last, double value) {
  if (!__builtin_isfinite(value)) return put_chars(first, last, value != value ? "nan" : value < 0 ? "-inf" : "inf");
  int digits = 1;
  string scientific = digits_of(value, digits);
  while (scientific.empty()) scientific = digits_of(value, ++digits);
  const int exponent = atoi(scientific.substr(scientific.find('e') + 1).c_str());
  if (exponent < -6 || exponent > 25) return put_chars(first, last, scientific);
  char fixed[64];
  const int length = snprintf(fixed, sizeof fixed, "%.*f", max(0, digits - 1 - exponent), value);
  if (static_cast<size_t>(length) <= scientific.size() && strtod(fixed, nullptr) == value)
    return put_chars(first, last, {fixed, static_cast<size_t>(length)});
  return put_chars(first, last, scientific);
}

}  // namespace std
#endif
