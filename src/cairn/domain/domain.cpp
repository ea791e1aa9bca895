#include "cairn/domain/domain.hpp"

namespace cairn {

void Domain::share(BodyRows& rows) {
  if (!apart_) return;
  constexpr int vectors[] = {BodyRow::v, BodyRow::w}, length = 6;
  std::vector<Ranks::Link> all;
  sent_.resize(links_.size()), received_.resize(links_.size());
  for (std::size_t k = 0; k < links_.size(); ++k) {
    sent_[k].resize(length * links_[k].sends.size()), received_[k].resize(length * links_[k].receives.size());
    Real* to = sent_[k].data();
    for (const int i : links_[k].sends)
      for (const int row : vectors) {
        const Vector a = rows.at(row, i);
        *to++ = a.x, *to++ = a.y, *to++ = a.z;
      }
    all.push_back({links_[k].rank, sent_[k], received_[k]});
  }
  ranks_->swap(all);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Real* from = received_[k].data();
    for (const int i : links_[k].receives)
      for (const int row : vectors) rows.set(row, i, {from[0], from[1], from[2]}), from += 3;
  }
}

}  // namespace cairn
