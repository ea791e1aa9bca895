#pragma once
#include <any>
#include <map>
#include <string>
#include <vector>

#include "cairn/core/slab.hpp"

namespace cairn {

// Everything World::for_each_saved visits, in memory.
struct MemoryArchive {
  std::map<std::string, std::any> kept;
  bool loads = false;

  template <class T>
  void any(const std::string& name, T& a) {
    if (loads)
      a = std::any_cast<const T&>(kept.at(name));
    else
      kept[name] = a;
  }
  template <class T>
  void value(const std::string& name, T& a) {
    any(name, a);
  }
  template <class T>
  void vector(const std::string& name, std::vector<T>& a) {
    any(name, a);
  }
  template <class T>
  void slab(const std::string& name, T& a) {
    any(name, a);
  }
  void text(const std::string& name, std::string& a) { any(name, a); }
};

}  // namespace cairn
