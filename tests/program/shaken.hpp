// A scene in which all that a run can do happens at once.
#pragma once

namespace cairn {

// Some 2,750 grains of many sizes and two materials, enough that every loop is shared by threads, pressed together by
// the start, shaken by the floor, squeezed by a piston, tipped by a gate, rained on by two emitters. Measured: 3,700
// contacts, a tenth of the energy lost to friction, 85 neighbour lists.
inline constexpr const char* shaken = R"(
title = "shaken"
[run]
step = 1e-4
end = 0.016
seed = 7
tolerance = 1e-3

[space]
periodic_y = [0, 0.287]
gravity = [1, 0, -9.81]

[[material]]
name = "glass"
density = 2500

[[material]]
name = "rubber"
density = 1100

[contact]
law = "linear"
stiffness = 2e4
restitution = 0.6
friction = 0.5
tangential_damping = 0.05

[[pair]]
materials = ["glass", "rubber"]
restitution = 0.3
friction = 0.9

[[wall]]
name = "floor"
type = "plane"
material = "rubber"
point = [0, 0, -0.0005]
normal = [0, 0, 1]
motion = { amplitude = [0.0005, 0, 0.001], frequency = 150 }

[[wall]]
name = "gate"
type = "plane"
point = [-0.001, 0, 0]
normal = [1, 0, 0]
motion = { axis = [0, 1, 0], center = [0, 0, 0], rate = 3 }

[[wall]]
name = "piston"
type = "plane"
point = [0.2892, 0, 0]
normal = [-1, 0, 0]
motion = { velocity = [-0.3, 0, 0] }

[[grains]]
kind = "lattice"
material = "glass"
low = [0, 0, 0]
high = [0.2892, 0.2892, 0.2892]
radius = 0.01
radius_spread = 0.1
spacing = 0.0205
jitter = 3e-4
velocity = [0.3, 0.2, -0.5]

[[emitter]]
name = "top"
place = "top"
first = 0.0013
every = 0.0039
count = 5
radius = 0.008
material = "rubber"

[[emitter]]
name = "hose"
position = [0.1, 0.1, 0.36]
velocity = [0.5, 0, -6.5]
spin = [10, 20, 30]
first = 0
every = 0.009
count = 100
radius = 0.006

[initial]
overlap = "allow"

[output]
series = 0.0005
frames = 0.003
checkpoint = 0.002
)";

}  // namespace cairn
