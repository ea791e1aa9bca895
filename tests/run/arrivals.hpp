// Scenarios of grains that come and go.
#pragma once
#include <string>

namespace cairn {

inline const std::string empty_floor = R"(
[run]
step = 1e-4
end = 0.1
[contact]
stiffness = 1e3
restitution = 0.5
friction = 0.3
[[wall]]
point = [0, 0, 0]
)";

// Everything at once: rain from a region, a hose, a drain that lets half of it out, all in a period.
inline const std::string traffic = empty_floor + R"(
[space]
periodic_x = [0, 0.1]
[[grains]]
kind = "random"
low = [0, 0, 0]
high = [0.1, 0.1, 0.1]
radius = 4e-3
radius_spread = 0.2
count = 300
[[wall]]
name = "sides"
point = [0, 0, 0]
normal = [0, 1, 0]
[[wall]]
point = [0, 0.1, 0]
normal = [0, -1, 0]
[[emitter]]
name = "rain"
low = [0, 0, 0.12]
high = [0.1, 0.1, 0.16]
rate = 5000
velocity = [0, 0, -0.6]
sizes = { kind = "lognormal", median = 3e-3, deviation = 0.2, by = "mass" }
[[emitter]]
name = "hose"
position = [0.05, 0.05, 0.2]
velocity = [0.3, 0, -0.5]
radius = 5e-3
times = [0, 0.001, 0.0015, 0.05]
[[removal]]
name = "drain"
region_radius = 0.03
region_length = 0.02
center = [0.05, 0.05, 0.01]
[[removal]]
name = "edge"
low = [0, 0, 0]
high = [0.02, 0.1, 0.05]
from = 0.01
every = 0.005
)";

}  // namespace cairn
