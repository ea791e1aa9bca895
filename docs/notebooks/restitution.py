# %% [markdown]
# # Fit a restitution
#
# A ball fell from 30 cm and bounced. Its tops were measured; which restitution has the contact? The rebound is not the
# restitution alone, because the ball also falls while it touches. So the simulation bounces the ball as the laboratory
# did, and the restitution is fitted.

# %%
import numpy as np

import cairn

measured = np.array([0.1910, 0.1213, 0.0772])  # [m] tops of the centre above the resting place, after each bounce


def tops(restitution):
    """[m] the first tops of the simulated ball."""
    radius, height = 0.02, 0.30  # [m]
    simulation = cairn.Simulation(
        cairn.Scenario(
            space={"gravity": [0, 0, -9.81]},
            run={"scheme": "velocity_verlet_extrapolated", "step": 1e-4, "end": 1.5, "onset": "on"},
            contact={"stiffness": 2e4, "restitution": restitution},
            wall=[{"type": "plane", "normal": [0, 0, 1]}],
            grain=[{"position": [0, 0, radius + height], "radius": radius, "mass": 0.03}],
        )
    )
    heights = []
    simulation.run(callback=lambda s: heights.append(s.positions[0, 2] - radius), every=20)
    h = np.array(heights)
    peaks = np.flatnonzero((h[1:-1] > h[:-2]) & (h[1:-1] >= h[2:])) + 1
    return h[peaks][: len(measured)]  # of a ball that bounces well, the first three come within 1.5 s


# %% [markdown]
# The sum of squares over the restitution, with its minimum by golden section.

# %%
def misfit(restitution):
    return float(((tops(restitution) - measured) ** 2).sum())


low, high = 0.6, 0.95
golden = (np.sqrt(5) - 1) / 2
while high - low > 1e-4:
    first, second = high - golden * (high - low), low + golden * (high - low)
    low, high = (low, second) if misfit(first) < misfit(second) else (first, high)
fitted = (low + high) / 2

print(f"restitution {fitted:.4f}")
print("tops [m]   measured", measured, "  simulated", tops(fitted).round(4))
expected = np.sqrt(measured[0] / 0.30)  # of a contact that takes no time
assert abs(fitted - expected) < 2e-3 and misfit(fitted) < 1e-6
