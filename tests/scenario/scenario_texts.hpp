// Scenario files in which every key stands.
#pragma once
#include <string>

namespace cairn {

inline const std::string smallest = "[run]\nstep = 1e-4\nend = 1\n[contact]\nstiffness = 1e5\n";

inline const std::string in_3d = R"(
title = "Böschung" # Gefälle
[run]
scheme = 'rk4'
step = 1e-4
end = 2
threads = 3
tolerance = 1e-8
seed = 7
[space]
dimension = 3
gravity = [1, 2.5, -9]
rotation = false
periodic_x = [-1, 2]
periodic_y = [-3, 4]
periodic_z = [-5, 6]
[[material]]
name = "glass"
density = 2400
young = 7e10
poisson = 0.2
[[material]]
name = "steel"
[contact]
law = "linear"
stiffness = 1e5
damping = 3
friction = 0.5
tangential_ratio = 0.3
tangential_damping = 4
attraction = "allowed"
damping_map = "tsuji"
[[pair]]
materials = ["steel", "glass"]
friction = 0.25
[[wall]]
name = "floor"
type = "plane"
material = "steel"
point = [1, 2, 3]
normal = [0, 1, 1]
[[wall]]
type = "box"
side = "outside"
low = [0, -1, -2]
high = [1, 2, 3]
[[wall]]
type = "cylinder"
side = "inside"
point = [4, 5, 6]
axis = [0, 1, 0]
radius = 7
length = 8
caps = false
[wall.motion]
velocity = [1, 2, 3]
axis = [4, 5, 6]
center = [7, 8, 9]
rate = 10
amplitude = [11, 12, 13]
frequency = 14
phase = 0.25
[[grain]]
position = [1, 2, 3]
velocity = [4, 5, 6]
spin = [7, 8, 9]
radius = 0.5
mass = 0.25
material = "steel"
[[grains]]
kind = "lattice"
material = "steel"
low = [0, 1, 2]
high = [3, 4, 5]
radius = 0.1
radius_spread = 0.2
spacing = 0.3
jitter = 0.01
count = 1e3
velocity = [6, 7, 8]
seed = 9
[[grains]]
kind = "random"
region_radius = 3
region_length = 4
axis = [1, 0, 0]
center = [5, 6, 7]
radius = 0.1
count = 10
[[grains]]
kind = "data"
file = "beds/Schüttung.data"
[[grains]]
kind = "csv"
file = "/final.csv"
[[grains]]
kind = "lattice"
low = [0, 1, 2]
high = [3, 4, 5]
[grains.sizes]
kind = "normal"
by = "mass"
mean = 0.1
deviation = 0.01
low = "80 mm"
high = 0.13
[[emitter]]
name = "hopper"
position = [1, 2, 3]
velocity = [4, 5, 6]
spin = [7, 8, 9]
radius = 0.5
mass = 0.25
material = "steel"
first = 0.125
every = 0.5
count = 6
[[emitter]]
place = "top"
radius = 0.5
[[emitter]]
low = [0, 1, 2]
high = [3, 4, 5]
rate = 8
seed = 7
radius = 0.5
radius_spread = 0.1
[[emitter]]
region_radius = 3
region_length = 4
center = [5, 6, 7]
rate = "2 Hz"
count = 5
sizes = { kind = "lognormal", median = "3 mm", deviation = 0.2 }
[[emitter]]
position = [1, 2, 3]
times = [1, "2000 ms", 3]
[emitter.sizes]
kind = "list"
radii = [1, "5 mm"]
shares = [2, 3]
[[emitter]]
position = [1, 2, 3]
sizes = { kind = "table", file = "sieve.csv" }
[[removal]]
name = "outlet"
point = [1, 2, 3]
normal = [0, 0, 2]
from = 0.5
every = 0.25
[[removal]]
low = [0, 1, 2]
high = [3, 4, 5]
[[removal]]
region_radius = 3
region_length = 4
axis = [1, 0, 0]
[[probe]]
name = "middle"
low = [0, 1, 2]
high = [1, 2, 3]
every = 0.125
[[probe]]
point = [1, 2, 3]
normal = [0, 0, 2]
region_radius = 4
[[probe]]
region_radius = 1
region_length = 4
center = [0.5, 0, 0]
[output]
series = 0.25
fields = ["stress", "force"]
frames = 0.5
format = "both"
contacts = true
contact_events = true
expected_energy = true
ledger_split = true
pictures = 0.3
colour = "size"
colour_range = [0.001, 0.003]
report = false
checkpoint = 0.75
[search]
skin = 0.01
[initial]
overlap = "allow"
[guards]
overlap = "warn"
step = "off"
residual = "refuse"
finite = "warn"
round_off = "off"
travel = "warn"
)";

inline const std::string chosen_step = R"(
[run]
step = "auto"
accuracy = "0.2 %"
end = 1
[contact]
stiffness = 1e4
[[change]]
at = 0.5
run.step = "10 us"
)";

// The keys in_3d has no place for.
inline const std::string alternatives = R"(
[run]
scheme = 'dormand_prince54'
step = 1e-4
onset = 'off'
smallest_step = 1e-9
largest_step = 1e-3
end = 1
[contact]
restitution = 0.8
duration = 1e-3
tangential_damping_per_mass = 6
[[pair]]
materials = ["default", "default"]
damping_per_mass = 5
stiffness = 1e4
[[emitter]]
position = [0, 0, 0]
[emitter.sizes]
kind = "lognormal"
median = 1
deviation = 0.2
)";

// Those of other contact laws.
inline const std::string viscous = R"(
[run]
step = 1e-4
end = 1
[contact]
law = 'extended_nonlinear'
stiffness = 1e5
damping_exponent = 0.3
restitution = 0.7
restitution_speed = 0.2
tangential = 'incremental'
friction = 0.5
rolling_friction = 0.1
rolling_stiffness_ratio = 0.8
rolling_damping = 0.3
twisting_friction = 0.2
twisting_stiffness_ratio = 0.6
twisting_damping = 0.4
)";
inline const std::string fitted = R"(
[run]
step = 1e-4
end = 1
[contact]
law = 'extended_linear'
restitution_factor = 0.8
restitution_exponent = 0.2
duration_factor = '2 ms'
duration_exponent = 0.1
slowest_impact = 0.01
)";

inline const std::string hard = R"(
[run]
step = 1e-3
end = 1
[contact]
law = 'impulse'
restitution = 0.6
friction = 0.2
projection = 0.3
impulses = 'simultaneous'
)";

inline const std::string changing = smallest + R"(
[[wall]]
name = "lid"
present = false
[wall.motion]
velocity = [0, 2, 0]
times = [1, 3]
factors = [0, 1]
[wall.load]
mass = 0.5
axes = "xz"
force = [0, 0, -7]
pressure = 30
area = 0.25
damping = 4
times = [0, 2]
factors = [1, 0.5]
[[emitter]]
on = false
position = [0, 0, 1]
radius = 1
[[change]]
at = 0.5
wait = 0.25
wall.lid.present = true
[[change]]
when = "contacts > 3"
look = 9
run.step = 1e-5
)";

}  // namespace cairn
