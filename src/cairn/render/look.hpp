// The view and the meaning of colours that all pictures of a run share, so that they can be compared and make a film.
// They follow from the first state and the scenario, because later states are not known yet; where ranks share the
// grains, from those of all, each of which makes the call (scene.hpp).
#pragma once
#include <vector>

#include "cairn/render/picture.hpp"
#include "cairn/run/summary.hpp"

namespace cairn {

struct View {
  Vector low{}, high{};  // [m]
};

struct Look {
  View view;
  Colouring by = Colouring::speed;
  Real low = 0, high = 1;        // [SI] range of the colours
  std::vector<int> materials{};  // of the grains, in the order of the scenario

  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.value("pictures.view", view);
    a.value("pictures.colour", by);
    a.value("pictures.colour_low", low), a.value("pictures.colour_high", high);
    a.vector("pictures.materials", materials);
  }
};

// The view of grains, emitters and the walls about them. It leaves out a few grains far from all others, and cuts walls
// that go on far above everything.
View first_view(const World& world, const Scenario& scenario);

// Widens the view where grains have left it, unless walls hold it together: what falls out of a container is left out.
void follow(View& view, const World& world, const Scenario& scenario);

// Colours go from the smallest radius to the largest of the grains there are or may come; up to the speed of a fall
// through a tenth of the view, or that of a grain, emitter or wall that is faster at the start; up to as many contacts
// as grains of one size have at most in a loose packing.
Look first_look(const World& world, const Scenario& scenario);

// After a resume: colours that the scenario asks for by now, in place of those the run began with.
void recolour(Look& look, const World& world, const Scenario& scenario);

ColourScale scale_of(const Look& look, const Scenario& scenario);

ColourSummary colour_summary(const Look& look, const Scenario& scenario);

// "radius" and "m".
struct ColouringName {
  const char *quantity, *unit;  // unit "": none
};
ColouringName name_of(Colouring by);

}  // namespace cairn
