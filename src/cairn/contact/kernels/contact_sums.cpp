#include "cairn/contact/kernels/contact_sums.hpp"

namespace cairn {

// The first of several contacts that are equally deep is kept, so that the result does not depend on threads.
void PartialSums::record_depth(Real depth, int contact) {
  if (contact < 0 || depth < deepest || (depth == deepest && deepest_contact >= 0 && deepest_contact < contact)) return;
  deepest = depth, deepest_contact = contact;
}

void PartialSums::add(const PartialSums& b) {
  power.add(b.power), slip_cut.add(b.slip_cut), released.add(b.released);
  rolling_cut.add(b.rolling_cut), rolling_released.add(b.rolling_released);
  record_depth(b.deepest, b.deepest_contact);
}

ContactSums PartialSums::total() const {
  return {.power = power.value(),
          .slip_cut = slip_cut.value(),
          .released = released.value(),
          .rolling_cut = rolling_cut.value(),
          .rolling_released = rolling_released.value(),
          .deepest = deepest,
          .deepest_contact = deepest_contact};
}

}  // namespace cairn
