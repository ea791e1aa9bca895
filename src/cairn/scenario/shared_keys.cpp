#include "cairn/scenario/shared_keys.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "cairn/formats/words.hpp"

namespace cairn {
namespace {

struct OwnedKey {
  std::string_view owner;
  const KeyDoc* doc;
};
using OwnedKeys = std::vector<OwnedKey>;  // of one name

// A new name comes before the next one of its owner that is there already.
void add(std::vector<OwnedKeys>& all, const KeyOwner& owner) {
  auto next = all.size();
  for (auto key = owner.keys.rbegin(); key != owner.keys.rend(); ++key) {
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const OwnedKeys& o) { return o.front().doc->key == key->key; });
    if (same != all.end()) {
      same->push_back({owner.name, &*key});
      next = static_cast<std::size_t>(same - all.begin());
    } else {
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(next), OwnedKeys{{owner.name, &*key}});
    }
  }
}

// How an owner's declaration differs from the first one: "in N/m^1.5".
std::string difference(const KeyDoc& doc, const KeyDoc& first) {
  std::string words;
  if (doc.doc != first.doc) words = doc.doc;
  if (doc.unit == first.unit) return words;
  return words + (words.empty() ? "" : ", ") + (doc.unit.empty() ? "without a unit" : "in " + std::string(doc.unit));
}

KeyDoc described(const OwnedKeys& owned, std::size_t owners, std::string_view word) {
  const KeyDoc& first = *owned.front().doc;
  std::string only, description(first.doc);
  std::vector<std::string> requiring;
  std::vector<std::pair<std::string, std::vector<std::string>>> differences;  // and the owners that share each
  for (const OwnedKey& of : owned) {
    const std::string owner(of.owner);
    if (owned.size() < owners) only += (only.empty() ? "" : " ") + owner;
    if (of.doc->required()) requiring.push_back(owner);
    const std::string words = difference(*of.doc, first);
    if (words.empty()) continue;
    const auto same =
        std::find_if(differences.begin(), differences.end(), [&](const auto& d) { return d.first == words; });
    if (same == differences.end())
      differences.push_back({words, {owner}});
    else
      same->second.push_back(owner);
  }
  for (const auto& [words, names] : differences)
    description += "; with " + std::string(word) + " " + joined(names, ", ", " or ") + " " + words;
  KeyDoc key = first;
  key.only = kept(only), key.doc = kept(description);
  if (!requiring.empty()) key.fallback = kept("required by " + joined(requiring, ", ", " and "));
  return key;
}

}  // namespace

std::string_view kept(const std::string& text) {
  static std::deque<std::string> texts;  // a deque never moves them
  return texts.emplace_back(text);
}

std::vector<KeyDoc> shared_keys(std::span<const KeyOwner> owners, std::string_view word) {
  std::vector<OwnedKeys> all;
  for (const KeyOwner& owner : owners) add(all, owner);
  std::vector<KeyDoc> keys;
  for (const OwnedKeys& owned : all) keys.push_back(described(owned, owners.size(), word));
  return keys;
}

}  // namespace cairn
