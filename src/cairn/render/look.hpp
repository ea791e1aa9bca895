// What the pictures of a run have in common, so that they can be compared and make a film: the part of space they show,
// and the meaning of their colours. Chosen from the first state and the scenario, for later states are not known yet.
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

// Of the grains and emitters there are and the walls about them. A few grains far from all others are left out, and
// walls that go on far above everything are cut.
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
