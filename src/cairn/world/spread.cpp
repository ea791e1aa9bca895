// A World that several ranks share: how its grains are spread over them, and gathered.
#include <string>
#include <vector>

#include "cairn/core/bytes.hpp"
#include "cairn/world/world.hpp"

namespace cairn {
namespace {

struct Shrink {
  template <class T>
  void value(const std::string&, T&) {}
  template <class T>
  void vector(const std::string&, std::vector<T>& a) {
    a.shrink_to_fit();
  }
  template <class Rows>
  void slab(const std::string&, Rows& a) {
    a.shrink();
  }
};

}  // namespace

void World::spread() {
  if (!domain_.exists() || domain_.apart()) return;
  Bytes shared;
  if (domain_.leads()) for_each_shared(ByteWriter(shared));
  domain_.ranks().broadcast(shared);
  if (!domain_.leads()) for_each_shared(ByteReader(shared));
  prepared_ = {};
  scanned_ = false;
  grains_of_all_ = size();
  domain_.set_apart(true);
  domain_.add(grains_of_all_);
  rebuild();
  shrink();
}

void World::gather() {
  if (!domain_.apart()) return;
  events_.gather_count(domain_);
  domain_.set_gathers(true);
  rebuild();
  domain_.set_gathers(false);
  domain_.set_apart(false);
  prepared_ = {};
  scanned_ = false;
  shrink();
}

// Half of the grains may have gone, or all.
void World::shrink() {
  for_each_saved(Shrink{});
  domain_.ranks().return_memory();
}

void World::share_statistics() {
  struct Shared {
    Real fastest;
    GuardStatistics statistics;
  } shared{fastest_, guard_statistics_};
  domain_.reduce(shared, [](Shared& into, const Shared& from) {
    into.fastest = Domain::larger(into.fastest, from.fastest);
    GuardStatistics& to = into.statistics;
    const GuardStatistics& other = from.statistics;
    const bool deeper =
        other.deepest > to.deepest || (other.deepest == to.deepest && other.deepest_ids < to.deepest_ids);
    if (deeper) to.deepest = other.deepest, to.deepest_ids = other.deepest_ids;
    if (other.not_finite >= 0 && (to.not_finite < 0 || other.not_finite < to.not_finite))
      to.not_finite = other.not_finite;
  });
  fastest_ = shared.fastest, guard_statistics_ = shared.statistics;
}

}  // namespace cairn
