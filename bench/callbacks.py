#!/usr/bin/env python3
"""What callbacks of Python add to the steps of grains at rest, by the number of grains, the worst first.

  PYTHONPATH=build/release/python bench/callbacks.py
  PYTHONPATH=build/release/python bench/callbacks.py --sizes 200,1000 --every 100 --pieces 40
  PYTHONPATH=build/release/python bench/callbacks.py --instructions        needs valgrind; the same on a busy machine

A callback that does nothing, one that reads the positions, and one that takes the highest of them. Pieces of ten callbacks
and as many steps without any take turns; the fastest piece of each kind counts, in processor time of one thread, because other
programs only add. Grains have fallen into a box and lie there. With --instructions each count is the difference of two runs, so
that beginning and end are in none.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

CALLBACKS = {"none": None, "empty": lambda s: None, "reads positions": lambda s: s.positions,
             "takes a maximum": lambda s: s.positions[:, 2].max()}
CALLS = 10  # in a piece
COUNTED_EVERY = 10  # [steps] between callbacks where instructions are counted


def at_rest(grains):
    """A simulation whose grains lie in a box, as wide as the bed is high or wider."""
    radius, side = 5e-3, 11e-3 * max(3.0, (grains / 3) ** 0.4)  # [m]
    import cairn  # here: --help needs neither the package nor numpy

    scenario = cairn.Scenario(
        run={"step": "20 us", "end": 1e3, "threads": 1},
        contact={"stiffness": 5e4, "restitution": 0.3, "friction": 0.4},
        material=[{"density": 2500}],
        wall=[{"name": "box", "type": "box", "side": "inside", "low": [0, 0, 0], "high": [side, side, 10]}],
        grains=[{"kind": "lattice", "low": [0, 0, 0], "high": [side, side, 10], "radius": radius, "radius_spread": 0.1,
                 "jitter": 1e-4, "count": grains}],
        guards={"overlap": "off", "travel": "off"}, output={"series": 0})
    simulation = cairn.Simulation(scenario)
    simulation.until(0.3)
    return simulation


def piece(simulation, kind, every, calls=CALLS):
    callback = CALLBACKS[kind]
    if callback is None:
        simulation.step(every * calls)
    else:
        simulation.run(until=simulation.time + (every * calls - 0.5) * simulation.step_length, callback=callback, every=every)


def seconds(grains, every, pieces):
    """Of processor time for a piece, by kind, and contacts."""
    simulation = at_rest(grains)
    least = {kind: float("inf") for kind in CALLBACKS}
    for _ in range(pieces):
        for kind in CALLBACKS:
            start = time.process_time()
            piece(simulation, kind, every)
            least[kind] = min(least[kind], time.process_time() - start)
    return least, int(simulation.now()["contacts"])


def instructions(grains, every):
    """As seconds, in instructions. The runs that are counted begin with a checkpoint, and have more callbacks."""
    simulation, valgrind = at_rest(grains), shutil.which("valgrind")
    if not valgrind:
        sys.exit("valgrind is missing: apt-get install valgrind")
    work = pathlib.Path("build/bench")
    work.mkdir(parents=True, exist_ok=True)
    state = work / "callbacks.checkpoint"
    state.write_bytes(simulation.checkpoint())

    def count(kind, calls):
        done = subprocess.run([valgrind, "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", sys.executable,
                               __file__, "--count", str(state), kind, str(calls)],
                              env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return int(re.search(r"I +refs: +([\d,]+)", done.stderr)[1].replace(",", ""))

    counts = {kind: count(kind, 12 * CALLS) - count(kind, 2 * CALLS) for kind in CALLBACKS}
    plain = counts["none"] / (10 * COUNTED_EVERY) * every  # of a piece
    return {kind: plain + (counts[kind] - counts["none"]) / 10 for kind in CALLBACKS}, int(simulation.now()["contacts"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--sizes", default="30,200,1000,4000", help="numbers of grains; default 30,200,1000,4000")
    add("--every", type=int, default=100, help="steps between two callbacks; default 100")
    add("--pieces", type=int, default=40, help="of each kind; default 40")
    add("--instructions", action="store_true", help="count instructions by valgrind instead of time")
    add("--json", action="store_true", help="print the results as JSON alone")
    add("--count", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.count:
        import cairn

        state, kind, calls = args.count
        return piece(cairn.Simulation.from_checkpoint(state, threads=1), kind, COUNTED_EVERY, int(calls))
    results = []
    for grains in map(int, args.sizes.split(",")):
        cost, contacts = instructions(grains, args.every) if args.instructions else seconds(grains, args.every, args.pieces)
        results.append({"grains": grains, "contacts": contacts, "every": args.every,
                        **{kind: {"added": cost[kind] / cost["none"] - 1, "each": (cost[kind] - cost["none"]) / CALLS}
                           for kind in CALLBACKS if kind != "none"}})
    results.sort(key=lambda r: -r["takes a maximum"]["added"])
    if args.json:
        print(json.dumps(results, indent=2))
        return
    print(f"a callback every {args.every} steps adds")
    for r in results:
        each = "{:.0f} instructions" if args.instructions else "{:.1f} us"
        parts = [f"{kind} {100 * r[kind]['added']:+.2f} % ({each.format(r[kind]['each'] * (1 if args.instructions else 1e6))} each)"
                 for kind in CALLBACKS if kind != "none"]
        print(f"  {r['grains']} grains, {r['contacts']} contacts: {', '.join(parts)}")


if __name__ == "__main__":
    main()
