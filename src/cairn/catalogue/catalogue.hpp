// What there is to say of the schemes: to people, to machines, and as docs/schemes.md. Nothing here is typed for one
// scheme: it follows from the claims, the tables and the computed limits; prose stands in catalogue.md.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cairn/run/registry.hpp"

namespace cairn {

using SchemeList = std::vector<const SchemeEntry*>;

std::string scheme_table(const SchemeList& list);
std::string scheme_list_json(const SchemeList& list);

// One scheme explained: what it is, its equations, origin and figures, when to use it, what it cannot do.
std::string scheme_card(const SchemeEntry& e);
std::string scheme_json(const SchemeEntry& e);

// docs/schemes.md
std::string scheme_page();

// What a scheme cannot do, a sentence each.
std::vector<std::string> caveats(const SchemeEntry& e);

}  // namespace cairn
