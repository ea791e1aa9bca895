// What there is to say of the contact laws: to people and to machines. The words stand with each law
// (contact/law_words.hpp), its keys, their units and defaults in the table of keys.
#pragma once
#include <string>

namespace cairn {

std::string law_list();
std::string law_list_json();

// One law explained: its formula, parameters, how a restitution gives its damping, when to use it, what it cannot do.
// As require_law().
std::string law_card(const std::string& name);
std::string law_json(const std::string& name);

// Error(bad_input) with the name that was probably meant, where there is none of this name.
void require_law(const std::string& name);

}  // namespace cairn
