// Numbers with units, as people write them: "5 mm", "2700 kg/m^3", "30 deg", "1.5 N s/m", "70 %".
//
// A unit is a product of powers: words apart by blanks or *, / before what divides (the next word only), a whole power
// behind ^ or at once ("m^2", "m2"). Metric prefixes from p to G where they are usual. Angles count as a dimension of
// their own, so that "2 Hz" is no rate of rotation and "120 rpm" no frequency.
#pragma once
#include <string>
#include <string_view>

#include "cairn/core/vec3.hpp"

namespace cairn {

// The number `text` says, in `unit`; both are units as above, `unit` empty for a number without. Powers of ten are
// exact: "35 mm" in m has the bits of 35e-3. Error(Exit::bad_input) words what is wrong with the text, or that the
// dimensions differ.
Real quantity(std::string_view text, std::string_view unit);

// Whether a text looks like a number with something behind it.
bool begins_with_number(std::string_view text);

}  // namespace cairn
