// Which ball each sample of a picture sees.
#pragma once
#include "cairn/domain/domain.hpp"
#include "cairn/render/samples.hpp"

namespace cairn::render {

// The camera's frame.
class Frame {
 public:
  explicit Frame(const Camera& camera) : camera_(camera) {}
  Float3 turned(const Vector& a) const {
    return {static_cast<float>(dot(a, camera_.right)), static_cast<float>(dot(a, camera_.up)),
            static_cast<float>(dot(a, camera_.forward))};
  }
  Float3 at(const Vector& a) const { return turned(a - camera_.eye); }
  Seen seen(const Ball& ball) const { return {at(ball.centre), static_cast<float>(ball.radius)}; }

 private:
  const Camera& camera_;
};

struct SeenBalls {
  Balls balls{};         // that samples name, and more; lives no longer than those that were put
  bool any = false;      // is in view, of all ranks
  Float3 low{}, high{};  // the box of those in view
  float typical = 1;     // radius: the median of theirs
};

// Where ranks share the grains each draws its own, some rows at a time, and rank 0 keeps the nearest: it needs to know
// no more of the others' balls than those that are seen. Of two that are equally near, the lower id hides the other.
// Other ranks leave `samples` empty.
SeenBalls put_balls(Samples& samples, const Balls& own, const Frame& frame, int threads, const Domain& domain);

}  // namespace cairn::render
