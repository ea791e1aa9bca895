// Pictures and reports at the C interface. The engine alone has neither.
#include "cairn/facade/guarded.hpp"
#include "cairn/facade/held_simulation.hpp"
#include "cairn/formats/image.hpp"
#include "cairn/render/scene.hpp"
#include "cairn/report/report.hpp"

using namespace cairn;
using namespace cairn::facade;

extern "C" {

int cairn_picture(cairn_simulation* simulation, cairn_buffer* png) {
  return guarded([&] {
    require(simulation != nullptr, "a simulation");
    const Simulation& s = simulation->at_positions();
    give(png, encode_png(picture_of(s.world(), s.scenario(), simulation->present_look())));
  });
}

int cairn_report(const char* folder, int32_t* drawn) {
  return guarded([&] {
    require(folder != nullptr && drawn != nullptr, "a folder and a place for what was drawn");
    *drawn = write_report(folder).drawn;
  });
}

}  // extern "C"
