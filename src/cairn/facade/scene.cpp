// The C interface to pictures: walls, lines, the view and the colours. Grains are arrays.
#include "cairn/render/scene.hpp"

#include <nlohmann/json.hpp>

#include "cairn/facade/guarded.hpp"
#include "cairn/facade/held_simulation.hpp"
#include "cairn/render/colours.hpp"

using namespace cairn;
using namespace cairn::facade;

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Vector& a) {
  return {a.x, a.y, a.z};
}

const char* name_of(Line::Stroke stroke) {
  return stroke == Line::Stroke::plain ? "plain" : stroke == Line::Stroke::faint ? "faint" : "dashed";
}

Json colours_json(const Look& look) {
  constexpr int steps = 64, kinds_before_repeat = 9;
  Json scale = Json::array(), kinds = Json::array();
  for (int k = 0; k < steps; ++k) scale.push_back(colour_of(k / (steps - 1.0)));
  for (int k = 0; k < kinds_before_repeat; ++k) kinds.push_back(render::colour_of_kind(k));
  return {{"by", colourings[static_cast<std::size_t>(look.by)]},
          {"low", look.low},
          {"high", look.high},
          {"scale", scale},
          {"kinds", kinds}};
}

Json scene_json(const World& world, const Scenario& scenario, const Look& look) {
  const Scene scene = scene_without_rims(world, scenario, look);
  Json faces = Json::array(), lines = Json::array();
  for (const Patch& patch : scene.patches) {
    Json corners = Json::array();
    for (const Vector& corner : patch.corners) corners.push_back(json_of(corner));
    faces.push_back({{"corners", corners}, {"section", patch.section}});
  }
  for (const Line& line : scene.lines)
    lines.push_back({{"from", json_of(line.from)}, {"to", json_of(line.to)}, {"stroke", name_of(line.stroke)}});
  return {{"low", json_of(look.view.low)},
          {"high", json_of(look.view.high)},
          {"faces", faces},
          {"lines", lines},
          {"colour", colours_json(look)}};
}

}  // namespace

extern "C" {

int cairn_scene(cairn_simulation* simulation, cairn_buffer* json) {
  return guarded([&] {
    require(simulation != nullptr, "a simulation");
    const Simulation& s = simulation->at_positions();
    give(json, scene_json(s.world(), s.scenario(), simulation->present_look()).dump());
  });
}

}  // extern "C"
