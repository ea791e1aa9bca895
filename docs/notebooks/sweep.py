# %% [markdown]
# # A sweep in parallel: how far grains slide on a slope
#
# A grain that cannot roll slides down an inclined floor whose friction varies. Each run is a process of its own. The answer
# is known: with friction mu a body that slides on a slope of angle a is accelerated by g (sin a - mu cos a).

# %%
import math
import multiprocessing

import cairn

g, angle, speed, end = 9.81, math.radians(30), 1.0, 0.5  # [m/s^2] [rad] [m/s] at the start [s]


def slide(friction):
    """[m] how far the grain has gone after `end`."""
    scenario = cairn.Scenario(
        space={"gravity": [g * math.sin(angle), 0, -g * math.cos(angle)], "rotation": False},
        run={"step": 2e-5, "end": end},
        contact={"stiffness": 1e4, "restitution": 0.2, "friction": friction},
        wall=[{"type": "plane", "normal": [0, 0, 1]}],
        grain=[{"position": [0, 0, 0.01], "velocity": [speed, 0, 0], "radius": 0.01, "mass": 0.01}],
    )
    simulation = cairn.Simulation(scenario).run()
    return float(simulation.positions[0, 0])


# %% [markdown]
# The processes are forked, which works in Jupyter, too: a process that is spawned does not find functions of a notebook.

# %%
if __name__ == "__main__":
    frictions = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        distances = pool.map(slide, frictions)

    print("friction   distance [m]   expected [m]")
    for friction, distance in zip(frictions, distances):
        expected = speed * end + 0.5 * g * (math.sin(angle) - friction * math.cos(angle)) * end**2
        print(f"{friction:8.1f} {distance:14.5f} {expected:14.5f}")
        assert abs(distance - expected) < 2e-3
