"""Ten scenarios: every family of schemes, contact onsets, emitters, rolling, changes in time, hard contacts."""
import pathlib

SOURCE = pathlib.Path(__file__).resolve().parents[2]

# Grains of many sizes with rolling resistance in a narrow box, periodic in x: a shaken floor, a turning roller, an emitter
# above, probes. Friction and gravity change.
TEXT = """
[run]
scheme = "velocity_verlet_predicted"
step = 5e-5
end = 0.03
onset = "off"
[space]
gravity = [0, 0, -9.81]
periodic_x = [-0.03, 0.03]
[contact]
law = "linear"
stiffness = 2e4
restitution = 0.6
tangential_damping = 0.5
friction = 0.4
rolling_friction = 0.05
rolling_damping = 1e-4
twisting_friction = 0.02
[[material]]
name = "glass"
density = 2500
young = 2e7
poisson = 0.25
[[wall]]
name = "floor"
type = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
motion = { amplitude = [0, 0, 1e-3], frequency = 30 }
[[wall]]
name = "left"
type = "plane"
point = [0, -0.03, 0]
normal = [0, 1, 0]
[[wall]]
name = "right"
type = "plane"
point = [0, 0.03, 0]
normal = [0, -1, 0]
[[wall]]
name = "roller"
type = "cylinder"
side = "outside"
point = [0, 0, 0]
axis = [1, 0, 0]
radius = 0.01
motion = { axis = [1, 0, 0], center = [0, 0, 0], rate = 20 }
[[grains]]
kind = "random"
low = [-0.03, -0.03, 0.012]
high = [0.03, 0.03, 0.05]
radius = 0.004
radius_spread = 0.3
count = 60
velocity = [0.3, 0.1, -0.5]
[[emitter]]
low = [-0.03, -0.025, 0.055]
high = [0.03, 0.025, 0.07]
radius = 0.004
radius_spread = 0.3
rate = 600
velocity = [0, 0, -1]
[[probe]]
name = "middle"
low = [-0.03, -0.03, 0]
high = [0.03, 0.03, 0.03]
every = 5e-3
[[change]]
at = 0.01
contact.friction = 0.1
[[change]]
at = 0.02
space.gravity = [0, 1, -9.81]
[output]
series = 2e-3
pictures = 0
report = false
contact_events = true
[guards]
step = "off"
"""

QUIET = {"output.report": False}

# name: (file or None for TEXT, overrides)
CASES = {
    "splitting, onsets corrected": (None, {"run.onset": "on"}),
    "staggered": (None, {"run.scheme": "central_difference"}),
    "Runge-Kutta": (None, {"run.scheme": "rk4"}),
    "adaptive": (None, {"run.scheme": "dormand_prince54"}),
    "Adams": (None, {"run.scheme": "adams_bashforth3"}),
    "predictor-corrector": (None, {"run.scheme": "gear4"}),
    "implicit": (None, {"run.scheme": "newmark"}),
    "Taylor": (None, {"run.scheme": "taylor3"}),
    "impulses": ("impulse_column.toml", {**QUIET, "run.end": 1}),
    "contact dynamics": ("heap.toml", {**QUIET, "run.end": 0.02}),
}
