// Springs of contacts, from one World to another that has some of the same grains.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include "cairn/world/world.hpp"

namespace cairn {

// The contacts of `to` whose two bodies have a candidate contact in `from` get its springs. `id_there` is the id in
// `to` of a grain of `from`; none: it is not there; ids keep their order. Surfaces are the same in both. Both know
// their candidate contacts.
void copy_springs(const World& from, World& to,
                  const std::function<std::optional<std::int64_t>(std::int64_t)>& id_there);

}  // namespace cairn
