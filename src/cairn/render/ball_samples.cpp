#include "cairn/render/ball_samples.hpp"

#include <utility>

#include "cairn/core/parallel.hpp"
#include "cairn/domain/order_statistics.hpp"

namespace cairn::render {
namespace {

struct Bounds {
  Float3 low{far_away, far_away, far_away}, high{-far_away, -far_away, -far_away};
  std::int64_t count = 0;

  void add(const Bounds& b) {
    low = {std::min(low.x, b.low.x), std::min(low.y, b.low.y), std::min(low.z, b.low.z)};
    high = {std::max(high.x, b.high.x), std::max(high.y, b.high.y), std::max(high.z, b.high.z)};
    count += b.count;
  }
};

// The balls of this rank, by bands of rows.
class OwnBalls {
 public:
  OwnBalls(const Samples& samples, const Balls& own, const Frame& frame)
      : own_(own), frame_(frame), bands_((samples.rows + band_rows - 1) / band_rows), first_of_(bands_ + 2, 0) {
    const auto each_in_view = [&](const auto& f) {
      for (int i = 0; i < own.size(); ++i) {
        const Seen ball = frame.seen(own[i]);
        if (const Box box = box_of(samples, ball); !box.empty()) f(i, ball, box);
      }
    };
    radii_.reserve(static_cast<std::size_t>(own.size()));
    each_in_view([&](int, const Seen& ball, const Box& box) {
      const auto [c, r] = ball;
      bounds_.add({{c.x - r, c.y - r, c.z - r}, {c.x + r, c.y + r, c.z + r}, 1});
      radii_.push_back(r);
      for (int b = box.row0 / band_rows; b <= box.row1 / band_rows; ++b) ++first_of_[b + 2];
    });
    for (int b = 0; b < bands_; ++b) first_of_[b + 2] += first_of_[b + 1];
    of_bands_.resize(first_of_.back());
    each_in_view([&](int i, const Seen&, const Box& box) {
      for (int b = box.row0 / band_rows; b <= box.row1 / band_rows; ++b) of_bands_[first_of_[b + 1]++] = i;
    });
  }

  int bands() const { return bands_; }
  const Bounds& bounds() const { return bounds_; }
  std::vector<float> take_radii() { return std::move(radii_); }
  // Those of the bands [first, last).
  void put(Samples& to, int first, int last, int threads) const {
    const std::ptrdiff_t per_band = static_cast<std::ptrdiff_t>(band_rows) * to.columns;
    for_blocks(threads, (last - first) * per_band, per_band, [&](std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t k) {
      const int band = first + static_cast<int>(k), begin = band * band_rows;
      for (std::size_t at = first_of_[band]; at < first_of_[band + 1]; ++at) {
        const int i = of_bands_[at];
        const Seen ball = frame_.seen(own_[i]);
        put_ball(to, ball, box_of(to, ball), i, begin, begin + band_rows,
                 [&](int there) { return own_[i].id < own_[there].id; });
      }
    });
  }

 private:
  const Balls& own_;
  const Frame& frame_;
  int bands_;
  std::vector<std::size_t> first_of_;  // of each band, in of_bands_
  std::vector<int> of_bands_;
  Bounds bounds_;
  std::vector<float> radii_;  // of those in view
};

// A sample that sees a ball.
struct Spot {
  int at;  // from the first of the rows that come together
  float depth;
  int ball;  // number among those that the rank has sent
};

void write_spots(const Samples& rows, const Balls& own, std::vector<int>& numbers, int& sent, Bytes& message) {
  std::vector<Ball> balls;
  std::vector<Spot> spots;
  spots.reserve(rows.what.size());
  for (std::size_t at = 0; at < rows.what.size(); ++at) {
    const int ball = rows.what[at];
    if (ball < 0) continue;
    if (numbers[ball] < 0) numbers[ball] = sent++, balls.push_back(own[ball]);
    spots.push_back({static_cast<int>(at), rows.depth[at], numbers[ball]});
  }
  ByteWriter(message).vector("balls", balls), ByteWriter(message).vector("spots", spots);
}

// Some rows at a time, rank 0 gets the samples of the others and the balls that these see; returns all that its samples
// name: its own, then those.
Balls share(Samples& samples, const OwnBalls& balls, const Balls& own, int threads, const Domain& domain) {
  Ranks& ranks = domain.ranks();
  std::vector<std::vector<int>> names(static_cast<std::size_t>(ranks.count()));  // of the balls that each has sent
  std::vector<Ball> others;
  const auto ball_of = [&](int name) { return name < own.size() ? own[name] : others[name - own.size()]; };
  std::vector<int> numbers(domain.leads() ? 0 : static_cast<std::size_t>(own.size()), -1);
  int sent = 0;
  for (int first = 0, last; first < balls.bands(); first = last) {
    last = std::min(first + std::max(1, threads), balls.bands());
    const int begin = first * band_rows;
    std::vector<Bytes> to(names.size());
    if (!domain.leads()) {
      Samples rows = samples.part(begin, std::min(last * band_rows, samples.rows));
      balls.put(rows, first, last, threads);
      write_spots(rows, own, numbers, sent, to[0]);
    }
    const std::vector<Bytes> from = ranks.exchange(std::move(to));
    for (std::size_t rank = 1; domain.leads() && rank < from.size(); ++rank) {
      ByteReader message(from[rank]);
      std::vector<Ball> more;
      std::vector<Spot> spots;
      message.vector("balls", more), message.vector("spots", spots);
      for (const Ball& ball : more)
        names[rank].push_back(own.size() + static_cast<int>(others.size())), others.push_back(ball);
      for (const Spot& spot : spots) {
        const std::size_t at = samples.index(0, begin) + static_cast<std::size_t>(spot.at);
        const int name = names[rank][spot.ball];
        const bool nearer = spot.depth < samples.depth[at] ||
                            (spot.depth == samples.depth[at] && ball_of(name).id < ball_of(samples.what[at]).id);
        if (nearer) samples.depth[at] = spot.depth, samples.what[at] = name;
      }
    }
  }
  others.shrink_to_fit();
  const int count = own.size() + static_cast<int>(others.size());
  return {count, [&own, more = std::move(others)](int name) {
            return name < own.size() ? own[name] : more[static_cast<std::size_t>(name - own.size())];
          }};
}

}  // namespace

SeenBalls put_balls(Samples& samples, const Balls& own, const Frame& frame, int threads, const Domain& domain) {
  OwnBalls balls(samples, own, frame);
  Bounds bounds = balls.bounds();
  domain.add(bounds);
  SeenBalls all;
  all.any = bounds.count > 0;
  if (const std::vector<float> radii = balls.take_radii(); all.any) {
    all.low = bounds.low, all.high = bounds.high;
    all.typical = static_cast<float>(values_at<1>(domain, bounds.count / 2, [&](const auto& take) {
      for (const float r : radii) take({r});
    })[0]);
  }
  if (domain.apart()) domain.ranks().return_memory();  // samples take much
  if (domain.leads()) balls.put(samples, 0, balls.bands(), threads);
  all.balls = domain.apart() ? share(samples, balls, own, threads, domain)
                             : Balls(own.size(), [&own](int i) { return own[i]; });
  return all;
}

}  // namespace cairn::render
