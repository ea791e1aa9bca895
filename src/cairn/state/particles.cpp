#include "cairn/state/particles.hpp"

#include <numeric>

namespace cairn {

std::vector<int> Particles::by_id() const {
  std::vector<int> order(id.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return id[a] < id[b]; });
  return order;
}

}  // namespace cairn
