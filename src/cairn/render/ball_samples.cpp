#include "cairn/render/ball_samples.hpp"

#include <utility>

#include "cairn/core/parallel.hpp"
#include "cairn/domain/order_statistics.hpp"

namespace cairn::render {
namespace {

// A sample that sees a ball.
struct Spot {
  int at;  // from the first of the rows that come together
  float depth;
  int ball;  // number among those that the rank has sent
};

void write_spots(const Samples& rows, const Balls& own, std::vector<int>& numbers, int& sent, Bytes& message) {
  std::vector<Ball> balls;
  std::vector<Spot> spots;
  for (std::size_t at = 0; at < rows.what.size(); ++at) {
    const int ball = rows.what[at];
    if (ball < 0) continue;
    if (numbers[ball] < 0) numbers[ball] = sent++, balls.push_back(own[ball]);
    spots.push_back({static_cast<int>(at), rows.depth[at], numbers[ball]});
  }
  ByteWriter(message).vector("balls", balls), ByteWriter(message).vector("spots", spots);
}

}  // namespace

SeenBalls put_balls(Samples& samples, const Balls& own, const Frame& frame, int threads, const Domain& domain) {
  const int bands = (samples.rows + band_rows - 1) / band_rows;
  std::vector<std::vector<int>> of_band(static_cast<std::size_t>(bands));
  struct Bounds {
    Float3 low{far_away, far_away, far_away}, high{-far_away, -far_away, -far_away};
    std::int64_t count = 0;
    void add(const Bounds& b) {
      low = {std::min(low.x, b.low.x), std::min(low.y, b.low.y), std::min(low.z, b.low.z)};
      high = {std::max(high.x, b.high.x), std::max(high.y, b.high.y), std::max(high.z, b.high.z)};
      count += b.count;
    }
  } bounds;
  std::vector<float> radii;
  radii.reserve(static_cast<std::size_t>(own.size()));
  for (int i = 0; i < own.size(); ++i) {
    const auto [c, r] = frame.seen(own[i]);
    const Box box = box_of(samples, {c, r});
    if (box.empty()) continue;
    bounds.add({{c.x - r, c.y - r, c.z - r}, {c.x + r, c.y + r, c.z + r}, 1});
    radii.push_back(r);
    for (int b = box.row0 / band_rows; b <= box.row1 / band_rows; ++b) of_band[b].push_back(i);
  }
  domain.add(bounds);
  SeenBalls all;
  all.any = bounds.count > 0;
  if (all.any) {
    all.low = bounds.low, all.high = bounds.high;
    all.typical = static_cast<float>(values_at<1>(domain, bounds.count / 2, [&](const auto& take) {
      for (const float r : radii) take({r});
    })[0]);
  }
  radii = std::vector<float>();

  const auto put = [&](Samples& to, int first, int last) {
    const std::ptrdiff_t per_band = static_cast<std::ptrdiff_t>(band_rows) * samples.columns;
    for_blocks(threads, (last - first) * per_band, per_band, [&](std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t k) {
      const int band = first + static_cast<int>(k), begin = band * band_rows;
      for (const int i : of_band[band]) {
        const Seen ball = frame.seen(own[i]);
        put_ball(to, ball, box_of(to, ball), i, begin, begin + band_rows,
                 [&](int there) { return own[i].id < own[there].id; });
      }
    });
  };
  if (domain.leads()) {
    put(samples, 0, bands);
    of_band = std::vector<std::vector<int>>();
  }
  if (!domain.apart()) {
    all.balls = {own.size(), [&own](int i) { return own[i]; }};
    return all;
  }

  Ranks& ranks = domain.ranks();
  std::vector<std::vector<int>> names(static_cast<std::size_t>(ranks.count()));  // of the balls that each has sent
  std::vector<Ball> others;
  const auto ball_of = [&](int name) { return name < own.size() ? own[name] : others[name - own.size()]; };
  std::vector<int> numbers(domain.leads() ? 0 : static_cast<std::size_t>(own.size()), -1);
  int sent = 0;
  constexpr int together = 4;  // bands
  for (int first = 0; first < bands; first += together) {
    const int last = std::min(first + together, bands), begin = first * band_rows;
    std::vector<Bytes> to(names.size());
    if (!domain.leads()) {
      Samples rows = samples.part(begin, std::min(last * band_rows, samples.rows));
      put(rows, first, last);
      write_spots(rows, own, numbers, sent, to[0]);
    }
    const std::vector<Bytes> from = ranks.exchange(std::move(to));
    for (std::size_t rank = 1; domain.leads() && rank < from.size(); ++rank) {
      ByteReader message(from[rank]);
      std::vector<Ball> balls;
      std::vector<Spot> spots;
      message.vector("balls", balls), message.vector("spots", spots);
      for (const Ball& ball : balls)
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
  const int count = own.size() + static_cast<int>(others.size());
  all.balls = {count, [&own, more = std::move(others)](int name) {
                 return name < own.size() ? own[name] : more[static_cast<std::size_t>(name - own.size())];
               }};
  return all;
}

}  // namespace cairn::render
