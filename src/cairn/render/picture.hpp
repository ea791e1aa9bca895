// A picture of balls, flat patches and lines in perspective: an offscreen renderer of our own, so that every run can
// show what it did on any machine. Lambert's law with a soft shadow and ambient occlusion; each sample is the exact
// nearest intersection of its ray, four samples a pixel.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "cairn/core/vec3.hpp"
#include "cairn/domain/domain.hpp"
#include "cairn/formats/image.hpp"

namespace cairn {

struct Ball {
  Vector centre{};  // [m]
  Real radius = 0;  // [m]
  Real value = 0;   // what its colour shows
  std::int64_t id = -1;
};

// Balls by number, each made when it is asked for, from any thread: a list of those of a million grains would take as
// much memory as their positions do.
class Balls {
 public:
  Balls() = default;
  Balls(int count, std::function<Ball(int)> at) : count_(count), at_(std::move(at)) {}
  Balls(std::vector<Ball> all)
      : Balls(static_cast<int>(all.size()), [all](int i) { return all[static_cast<std::size_t>(i)]; }) {}
  Balls(std::initializer_list<Ball> all) : Balls(std::vector<Ball>(all)) {}
  int size() const { return count_; }
  Ball operator[](int i) const { return at_(i); }

 private:
  int count_ = 0;
  std::function<Ball(int)> at_;
};

// Flat and convex, its corners counter-clockwise as seen from in front. Drawn only where it faces the viewer: one looks
// into a container through its near sides.
struct Patch {
  std::vector<Vector> corners;  // [m]
  bool section = false;         // where a solid is cut: darker than its surface
};

struct Line {
  enum class Stroke { plain, faint, dashed };
  Vector from{}, to{};  // [m]
  Stroke stroke = Stroke::plain;
};

struct Scene {
  Balls balls;
  std::vector<Patch> patches;
  std::vector<Line> lines;  // weaker where they are hidden
};

struct Camera {
  int width = 1200, height = 900;   // [pixels]
  Vector eye{};                     // [m]
  Vector right{}, up{}, forward{};  // unit vectors
  Real focal = 0;                   // [pixels] an object at unit distance is drawn this large
  Real centre_x = 0, centre_y = 0;  // [pixels] where the eye looks; y grows downwards
  struct Place {
    Real x, y;   // [pixels]
    Real depth;  // [m] along `forward`
  };
  Place project(const Vector& a) const;
};

// A camera that sees the box [low, high] from `side` (from the box towards the eye), z upwards, with room for the
// colour bar on the right.
Camera camera_around(const Vector& low, const Vector& high, const Vector& side);

// The meaning of the colours of balls: the place of a value between two ends, or the kind that has this number.
struct ColourScale {
  Real low = 0, high = 1;
  std::string label{};  // what the value is, with its unit
  struct Kind {
    int number;  // the value of its balls
    std::string name;
  };
  std::vector<Kind> kinds{};  // if there are any, each has a colour of its own
};

// Colours of equal perceptual steps from dark violet (0) to light yellow (1), sRGB bytes.
std::array<std::uint8_t, 3> colour_of(Real fraction);

// Where the domain is apart all ranks call it, each with its own balls, and rank 0 has the image.
Image draw(const Scene& scene, const Camera& camera, const ColourScale& scale, const std::string& caption, int threads,
           const Domain& domain = {});

}  // namespace cairn
