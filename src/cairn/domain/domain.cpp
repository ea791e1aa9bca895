#include "cairn/domain/domain.hpp"

namespace cairn {
namespace {

constexpr int vectors[] = {BodyRow::v, BodyRow::w}, length = 6;  // of what is shared; numbers of both

Real* write(const BodyRows& rows, int i, Real* to) {
  for (const int row : vectors) {
    const Vector a = rows.at(row, i);
    *to++ = a.x, *to++ = a.y, *to++ = a.z;
  }
  return to;
}
const Real* read(const Real* from, BodyRows& rows, int i) {
  for (const int row : vectors) rows.set(row, i, {from[0], from[1], from[2]}), from += 3;
  return from;
}

}  // namespace

void Domain::begin_share(const BodyRows& rows) const {
  if (!apart_) return;
  std::vector<Ranks::Link> all;
  sent_.resize(links_.size()), received_.resize(links_.size());
  for (std::size_t k = 0; k < links_.size(); ++k) {
    sent_[k].resize(length * links_[k].sends.size()), received_[k].resize(length * links_[k].receives.size());
    Real* to = sent_[k].data();
    for (const int i : links_[k].sends) to = write(rows, i, to);
    all.push_back({links_[k].rank, sent_[k], received_[k]});
  }
  ranks_->begin_swap(all);
}

void Domain::finish_share(BodyRows& rows) const {
  if (!apart_) return;
  ranks_->finish_swap();
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Real* from = received_[k].data();
    for (const int i : links_[k].receives) from = read(from, rows, i);
  }
}

// A message has the number of grains, and of each its place in the link and its two vectors.
void Domain::share_some(BodyRows& rows, std::span<const int> grains) {
  if (!apart_) return;
  marked_.resize(static_cast<std::size_t>(rows.size()), false);
  for (const int i : grains) marked_[i] = true;
  std::vector<Ranks::Link> all;
  sent_.resize(links_.size()), received_.resize(links_.size());
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Link& link = links_[k];
    sent_[k].resize(1 + (1 + length) * link.sends.size());
    received_[k].resize(1 + (1 + length) * link.receives.size());
    Real *const first = sent_[k].data(), *to = first + 1;
    *first = 0;
    for (std::size_t s = 0; s < link.sends.size(); ++s) {
      if (!marked_[link.sends[s]]) continue;
      *first += 1;
      *to++ = static_cast<Real>(s);
      to = write(rows, link.sends[s], to);
    }
    all.push_back({link.rank, {first, to}, received_[k]});
  }
  for (const int i : grains) marked_[i] = false;
  ranks_->swap(all);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Real* from = received_[k].data();
    for (auto left = static_cast<int>(*from++); left > 0; --left) {
      const auto place = static_cast<std::size_t>(*from++);
      from = read(from, rows, links_[k].receives[place]);
    }
  }
}

}  // namespace cairn
