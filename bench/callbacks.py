#!/usr/bin/env python3
"""What a callback of Python every 100 steps costs: PYTHONPATH=build/release/python bench/callbacks.py

Pieces of 1000 steps of grains at rest, alternately without a callback, with one that does nothing, and with one that reads the
positions. Processor time; the fastest of 150 pieces, because other programs only add.
"""
import pathlib
import time

import cairn

scenario = cairn.Scenario.read(pathlib.Path(__file__).parent.parent / "scenarios/starter.toml",
                               {"output.series": 0, "output.frames": 0, "run.end": 100})
simulation = cairn.Simulation(scenario, threads=1)
simulation.until(0.9)
simulation.step(5000)
step = simulation.step_length


def plain():
    simulation.step(1000)


def with_callback(callback):
    return lambda: simulation.run(until=simulation.time + 999.5 * step, callback=callback, every=100)


kinds = {"plain": plain, "callback": with_callback(lambda s: None),
         "callback that reads positions": with_callback(lambda s: s.positions[:, 2].max())}
taken = {kind: [] for kind in kinds}
for _ in range(150):
    for kind, piece in kinds.items():
        start = time.process_time()
        piece()
        taken[kind].append(time.process_time() - start)
least = {kind: min(times) for kind, times in taken.items()}
print(f"{len(simulation)} grains, {simulation.now()['contacts']:.0f} contacts")
for kind, seconds in least.items():
    print(f"{kind}: {1e6 * seconds / 1000:.2f} us a step, {100 * (seconds / least['plain'] - 1):+.2f} %, "
          f"{1e6 * (seconds - least['plain']) / 10:.0f} us each")
