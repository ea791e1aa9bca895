# %% [markdown]
# # A plot that follows the run
#
# Grains fall into a box. Every 200 steps the plot shows where they are, coloured by speed, and where the energy went.

# %%
import sys

import numpy as np

import cairn

scenario = cairn.Scenario(
    title="a handful of grains",
    run={"step": 2e-5, "end": 0.3},
    space={"gravity": [0, 0, -9.81]},
    contact={"stiffness": 2e4, "restitution": 0.6, "friction": 0.4},
    material=[{"name": "glass", "density": 2500}],
    wall=[{"name": "box", "type": "box", "side": "inside", "low": [-0.05, -0.02, 0], "high": [0.05, 0.02, 0.3]}],
    grains=[{"kind": "random", "low": [-0.05, -0.02, 0.02], "high": [0.05, 0.02, 0.15], "radius": 0.005, "count": 80}],
    output={"series": 2e-3},
)
simulation = cairn.Simulation(scenario)

# %%
try:
    import matplotlib
except ImportError:
    sys.exit("this example needs matplotlib (apt-get install python3-matplotlib)")
if "--quiet" in sys.argv:
    matplotlib.use("Agg")  # without a window
import matplotlib.pyplot as plt

figure, (space, energy) = plt.subplots(1, 2, figsize=(10, 4))


def draw(simulation):
    space.clear()
    x = simulation.positions
    speed = np.linalg.norm(simulation.velocities, axis=1)
    space.scatter(x[:, 0], x[:, 2], s=60, c=speed, vmin=0, vmax=1.5)
    space.set(xlim=(-0.05, 0.05), ylim=(0, 0.15), aspect="equal", xlabel="x [m]", ylabel="z [m]",
              title=f"t = {simulation.time:.3f} s")
    energy.clear()
    series = simulation.series
    for name in ("kinetic", "gravitational", "dashpot", "slip"):
        energy.plot(series["time"], series[name], label=name)
    energy.set(xlabel="time [s]", ylabel="energy [J]")
    energy.legend()
    plt.pause(0.001)


simulation.run(callback=draw, every=2000 if "--quiet" in sys.argv else 200)
figure.savefig("live_plot.png")
print("wrote live_plot.png")
