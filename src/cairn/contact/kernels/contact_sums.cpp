#include "cairn/contact/kernels/contact_sums.hpp"

namespace cairn {

// The lowest ids decide between contacts that are equally deep, so that the result does not depend on threads.
// Rejected: the lowest slot, because slots depend on them.
void PartialSums::record_depth(Real depth, const BodyIds& ids) {
  if (ids == no_bodies || depth < deepest || (depth == deepest && deepest_ids != no_bodies && deepest_ids < ids))
    return;
  deepest = depth, deepest_ids = ids;
}

void PartialSums::add(const PartialSums& b) {
  power.add(b.power), slip_cut.add(b.slip_cut), released.add(b.released);
  rolling_cut.add(b.rolling_cut), rolling_released.add(b.rolling_released);
  record_depth(b.deepest, b.deepest_ids);
}

ContactSums PartialSums::total() const {
  return {.power = power.value(),
          .slip_cut = slip_cut.value(),
          .released = released.value(),
          .rolling_cut = rolling_cut.value(),
          .rolling_released = rolling_released.value(),
          .deepest = deepest,
          .deepest_ids = deepest_ids};
}

}  // namespace cairn
