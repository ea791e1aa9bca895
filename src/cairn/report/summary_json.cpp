#include "cairn/report/summary_json.hpp"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/formats/files.hpp"

namespace cairn {
namespace {

struct AnyField {
  template <class... T>
  void operator()(const char*, T&&...) const {}
};
template <class T>
concept HasFields = requires(T& of) {
  for_each_field(of, AnyField{});
};

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
template <class T>
inline constexpr bool is_named_list = false;  // values by name, in order
template <class T>
inline constexpr bool is_named_list<std::vector<std::pair<std::string, T>>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
bool is_empty(const T& a) {
  if constexpr (is_optional<T>)
    return !a.has_value();
  else
    return a.empty();
}

// Numbers that are not finite become null; so does an optional without a value.
template <class T>
nlohmann::ordered_json json_of_fields(const T& of) {
  using Json = nlohmann::ordered_json;
  if constexpr (HasFields<T>) {
    Json j = Json::object();
    const auto put = [&]<class V>(const char* name, V& value, auto... left_out_if_empty) {
      if constexpr (sizeof...(left_out_if_empty) > 0)
        if (is_empty(value)) return;
      j[name] = json_of_fields(std::as_const(value));
    };
    for_each_field(const_cast<T&>(of), put);  // which reads only
    return j;
  } else if constexpr (std::is_same_v<T, Vector>) {
    return std::array<Real, 3>{of.x, of.y, of.z};
  } else if constexpr (is_optional<T>) {
    return of ? json_of_fields(*of) : Json(nullptr);
  } else if constexpr (is_named_list<T>) {
    Json j = Json::object();
    for (const auto& [name, value] : of) j[name] = json_of_fields(value);
    return j;
  } else if constexpr (is_list<T>) {
    Json j = Json::array();
    for (const auto& value : of) j.push_back(json_of_fields(value));
    return j;
  } else {
    return of;
  }
}

// Reads the fields back; throws what nlohmann::json throws where one is missing or of another type. A null is read as
// NaN, because a number that is not finite is written as null.
template <class T>
void read_fields(const nlohmann::ordered_json& j, T& of) {
  if constexpr (HasFields<T>) {
    const auto take = [&]<class V>(const char* name, V& value, auto... left_out_if_empty) {
      if (sizeof...(left_out_if_empty) > 0 && !j.contains(name)) return;
      read_fields(j.at(name), value);
    };
    for_each_field(of, take);
  } else if constexpr (std::is_same_v<T, Vector>) {
    read_fields(j.at(0), of.x), read_fields(j.at(1), of.y), read_fields(j.at(2), of.z);
  } else if constexpr (is_optional<T>) {
    if (j.is_null()) return of.reset();
    read_fields(j, of.emplace());
  } else if constexpr (is_named_list<T>) {
    for (const auto& [name, value] : j.items()) {
      of.emplace_back().first = name;
      read_fields(value, of.back().second);
    }
  } else if constexpr (is_list<T>) {
    for (const auto& value : j) read_fields(value, of.emplace_back());
  } else if constexpr (std::is_floating_point_v<T>) {
    of = j.is_null() ? std::numeric_limits<T>::quiet_NaN() : j.get<T>();
  } else {
    of = j.get<T>();
  }
}

// Paths may hold any bytes.
std::string text_of(const nlohmann::ordered_json& j) {
  return j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_json(const RunSummary& summary) {
  return text_of(json_of_fields(summary));
}
std::string to_json(const std::optional<ShortestCollision>& shortest) {
  return text_of(json_of_fields(shortest));
}

RunSummary read_summary(const std::string& path) {
  RunSummary summary;
  try {
    read_fields(nlohmann::ordered_json::parse(read_file(path)), summary);
  } catch (const nlohmann::json::exception& e) {
    throw Error(Exit::io, path + " was not written by this version of Cairn: " + e.what());
  }
  return summary;
}

}  // namespace cairn
